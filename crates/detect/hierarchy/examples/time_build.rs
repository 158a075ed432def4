//! Times the default build on about 870 000 triangles: thread CPU time for one thread, wall time for more; best of five.

use kontakt_hierarchy::{Faces, Packed};
use kontakt_shapes::{FaceSet, make};
use std::time::Instant;

fn main() {
    let threads: usize = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(1);
    let bodies: [(&str, FaceSet); 2] = [
        ("ball", make::bumpy_ball(208, 0.3).unwrap_or_else(|e| panic!("{e}"))),
        ("terrain", make::terrain(660, 0.1).unwrap_or_else(|e| panic!("{e}"))),
    ];
    for (name, body) in &bodies {
        let faces = Faces::of(body);
        let mut best = f64::INFINITY;
        let mut tree = None;
        for _ in 0..5 {
            let start = clock(threads);
            tree = Packed::build(faces, threads).ok();
            best = best.min(clock(threads) - start);
        }
        let Some(tree) = tree else { continue };
        let count = faces.triangles.len() as f64;
        println!(
            "{name}: {count} triangles, {threads} threads: {:.1} ms, {:.0} ns and {:.1} bytes a triangle; {:?}",
            best * 1e3,
            best * 1e9 / count,
            tree.heap_bytes() as f64 / count,
            tree.counts()
        );
    }
}

/// Seconds of this thread, or of the wall clock if there are several.
fn clock(threads: usize) -> f64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    if threads > 1 {
        return START.get_or_init(Instant::now).elapsed().as_secs_f64();
    }
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    now.tv_sec as f64 + 1e-9 * now.tv_nsec as f64
}
