//! Times loading a saved hierarchy of about 870 000 triangles from a warm page cache: CPU time of this thread, and on the
//! wall; best of twenty.

use kontakt_hierarchy::store::{self, Entry, Facts};
use kontakt_hierarchy::{Faces, Packed};
use kontakt_shapes::make;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for (name, body) in [("ball", make::bumpy_ball(208, 0.3)?), ("terrain", make::terrain(660, 0.1)?)] {
        let tree = Packed::build(Faces::of(&body), 2)?;
        let path = std::env::temp_dir().join(format!("kontakt-time-load-{name}.kh"));
        let facts = Facts::of_packed(&tree, 0.0);
        let entry = Entry { name, faces: &body, tree: &tree, facts: &facts };
        store::write(&mut std::fs::File::create(&path)?, &[entry])?;
        let (mut cpu, mut wall) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..20 {
            let (start, started) = (cpu_seconds(), Instant::now());
            let mut file = std::fs::File::open(&path)?;
            let size = file.metadata()?.len();
            let bodies = store::read(&mut file, size)?;
            cpu = cpu.min(cpu_seconds() - start);
            wall = wall.min(started.elapsed().as_secs_f64());
            assert_eq!(bodies.len(), 1);
        }
        std::fs::remove_file(&path)?;
        let millions = body.triangles().len() as f64 / 1e6;
        println!(
            "{name}: {:.1} ms a million triangles, {:.1} on the wall",
            cpu * 1e3 / millions,
            wall * 1e3 / millions
        );
    }
    Ok(())
}

fn cpu_seconds() -> f64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    now.tv_sec as f64 + 1e-9 * now.tv_nsec as f64
}
