//! Time of penetration depth for overlapping pairs of boxes and hulls: nanoseconds a query, thread CPU time. Shapes and
//! places are spread as in the benchmark.

use kontakt_convex::{Asker, Placed, Shape, Verdict};
use kontakt_math::{DQuat, DVec3, Pose};
use std::hint::black_box;

fn now() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

fn direction(random: &mut fastrand::Rng) -> DVec3 {
    loop {
        let v = DVec3::from_array(std::array::from_fn(|_| random.f64() * 2.0 - 1.0));
        if (0.01..1.0).contains(&v.length()) {
            return v.normalize();
        }
    }
}

fn turn(random: &mut fastrand::Rng) -> DQuat {
    let [x, y, z, w] = std::array::from_fn(|_| random.f64() - 0.5);
    DQuat::from_xyzw(x, y, z, w).normalize()
}

fn shape(random: &mut fastrand::Rng, name: &str) -> Result<Shape, Box<dyn std::error::Error>> {
    let radii = DVec3::from_array(std::array::from_fn(|_| 0.4 + 0.6 * random.f64()));
    if name == "box" {
        return Ok(Shape::cuboid(radii)?);
    }
    let count: usize = name[4..].parse()?;
    let points: Vec<DVec3> = (0..count).map(|_| radii * direction(random)).collect();
    Ok(Shape::hull(&points)?)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    for name in ["box", "hull8", "hull32", "hull128", "hull1000"] {
        if !asked.is_empty() && !asked.iter().any(|word| word == name) {
            continue;
        }
        let mut random = fastrand::Rng::with_seed(7);
        let shapes = (0..20).map(|_| shape(&mut random, name)).collect::<Result<Vec<_>, _>>()?;
        let mut pairs = Vec::new();
        let mut asker = Asker::new();
        while pairs.len() < 1000 {
            let two: [usize; 2] = std::array::from_fn(|_| random.usize(0..shapes.len()));
            let way = direction(&mut random) * (0.1 + 1.5 * random.f64());
            let poses = [Pose::new(turn(&mut random), DVec3::ZERO)?, Pose::new(turn(&mut random), way)?];
            let [a, b] = [0, 1].map(|k| Placed::new(&shapes[two[k]], poses[k]));
            if asker.contact(a, b).verdict == Verdict::Overlapping {
                pairs.push((two, poses));
            }
        }
        let mut least = f64::INFINITY;
        for _ in 0..30 {
            let start = now();
            for (two, poses) in &pairs {
                let [a, b] = [0, 1].map(|k| Placed::new(&shapes[two[k]], poses[k]));
                black_box(asker.contact(a, b));
            }
            least = least.min((now() - start) / pairs.len() as f64);
        }
        println!("{name}: {:.0} ns", least * 1e9);
    }
    Ok(())
}
