//! How long a step of a pile takes, how it comes to rest, how much it fills and how deep its bodies lie in each other:
//! `pile_speed spheres|ellipsoids|mixed|cubes|single [COUNT] [SECONDS] [SWEEPS] [SHIFTS] [SEED] [STATE]`; STATE is written for peers.
//! Times are processor time of the thread.

use kontakt_convex::Shape;
use kontakt_dynamics::rigid::arrange::{Arrangement, Drop, Grain};
use kontakt_dynamics::rigid::{Form, Manifolds, Settings, Sweeps, World};
use kontakt_math::DVec3;

fn seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let word = |k: usize, default: &str| words.get(k).cloned().unwrap_or(default.to_owned());
    let kind = word(0, "spheres");
    let count: u64 = word(1, "3000").parse()?;
    let end: f64 = word(2, "10").parse()?;
    let sweeps: u32 = word(3, "16").parse()?;
    let after: u32 = word(4, "6").parse()?;
    let seed: u64 = word(5, "1").parse()?;
    let half = DVec3::splat(0.6);
    let shapes = match kind.as_str() {
        "spheres" => vec![Shape::sphere(0.6)?],
        "ellipsoids" => vec![Shape::ellipsoid(half)?],
        "mixed" => vec![Shape::sphere(0.6)?, Shape::cuboid(half)?],
        _ => vec![Shape::cuboid(half)?],
    };
    let grain = |shape| Form::solid(shape).map(|form| Grain { form, part: 1, density: 1.0 });
    let grains: Vec<Grain> = shapes.into_iter().map(grain).collect::<Result<_, _>>()?;
    let base = 14.4 * (count as f64 / 3000.0).cbrt();
    // Boxes of 1.75 sizes for all kinds, which hold a turned cube.
    let widest = grains.iter().map(|grain| 2.0 * grain.form.radius()).fold(0.0, f64::max);
    let spacing = 1.75 * 1.2 / widest;
    let mut scene = Arrangement::default();
    scene.container(base)?;
    scene.rain(&grains, &Drop { count, from: DVec3::ZERO, base, spacing, seed })?;
    let settings = Settings {
        sweeps: Sweeps { least: sweeps, most: sweeps, shifts: after, ..Sweeps::default() },
        ..Settings::default()
    };
    let manifolds = if kind == "single" { Manifolds::Single } else { Manifolds::Full };
    let mut world = World::new(Settings { manifolds, ..settings }, scene.forms)?;
    for body in scene.bodies {
        world.add(body)?;
    }
    let mut last = seconds();
    let mut steps = 0;
    let mut next = 1.0;
    while world.time() < end {
        let report = world.step()?;
        steps += 1;
        if world.time() >= next {
            next += 1.0;
            let taken = (seconds() - last) / f64::from(steps);
            let top = world.bodies().iter().filter(|b| b.is_free()).map(|b| b.place.z).fold(0.0, f64::max);
            let [counts] = world.count_contacts([1e-4]);
            println!(
                "{:5.2} s  {:6.2} ms/step  {} pairs {} contacts {} changes  energy {:.2e}  top {:.2}  depth mean {:.2e} max {:.2e}",
                world.time(),
                taken * 1e3,
                report.pairs,
                report.contacts,
                report.changes,
                world.energy().relative(),
                top,
                counts.mean_depth,
                counts.greatest_depth
            );
            (last, steps) = (seconds(), 0);
            if world.is_at_rest() {
                println!("at rest");
                break;
            }
        }
    }
    let fill = world.fill(base);
    println!(
        "solid: slab {:.2} %, from the floor {:.2} %, to the top {:.2} %",
        100.0 * fill.slab,
        100.0 * fill.from_floor,
        100.0 * fill.up_to_top
    );
    for count in world.count_contacts([1e-8, 1e-6, 1e-4]) {
        println!("{count:?}");
    }
    if let Some(path) = words.get(6) {
        let line = |body: &kontakt_dynamics::rigid::Body| {
            let (p, q) = (body.place, body.turn);
            format!(
                "{} {} {} {} {} {} {} {}\n",
                if kind == "spheres" { "s" } else { "c" },
                p.x,
                p.y,
                p.z,
                q.x,
                q.y,
                q.z,
                q.w
            )
        };
        std::fs::write(
            path,
            world.bodies().iter().filter(|body| body.is_free()).map(line).collect::<String>(),
        )?;
    }
    println!("hash {:016x}", world.hash());
    Ok(())
}
