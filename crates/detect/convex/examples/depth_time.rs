//! Time of penetration depth for overlapping pairs of boxes and hulls: nanoseconds a query, thread CPU time.

use kontakt_convex::depth::penetration;
use kontakt_convex::{Shape, Verdict, Warm};
use kontakt_math::{Between, DQuat, DVec3, Pose};
use std::hint::black_box;

fn now() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

fn vector(random: &mut fastrand::Rng) -> DVec3 {
    loop {
        let v = DVec3::from_array(std::array::from_fn(|_| random.f64() * 2.0 - 1.0));
        if (0.01..1.0).contains(&v.length()) {
            return v;
        }
    }
}

fn pose(random: &mut fastrand::Rng, reach: f64) -> Option<Pose> {
    let q = DQuat::from_xyzw(random.f64() - 0.5, random.f64() - 0.5, random.f64() - 0.5, random.f64() - 0.5);
    Pose::new(q.normalize(), vector(random) * reach).ok()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut random = fastrand::Rng::with_seed(7);
    let asked: Vec<String> = std::env::args().skip(1).collect();
    for name in ["box", "hull32", "hull128", "hull1000"] {
        if !asked.is_empty() && !asked.iter().any(|word| word == name) {
            continue;
        }
        let mut pairs = Vec::new();
        while pairs.len() < 400 {
            let mut shape = || -> Result<Shape, Box<dyn std::error::Error>> {
                if name == "box" {
                    return Ok(Shape::cuboid(vector(&mut random).abs() * 0.5 + 0.5)?);
                }
                let count: usize = name[4..].parse()?;
                let points: Vec<DVec3> = (0..count).map(|_| vector(&mut random).normalize()).collect();
                Ok(Shape::hull(&points)?)
            };
            let (a, b) = (shape()?, shape()?);
            let (Some(p), Some(q)) = (pose(&mut random, 0.0), pose(&mut random, 1.7)) else { continue };
            let answer = penetration(&a, &b, &Between::new(p, q), &mut Warm::default());
            if answer.is_some_and(|answer| answer.verdict == Verdict::Overlapping) {
                pairs.push((a, b, p, q));
            }
        }
        let mut least = f64::INFINITY;
        for _ in 0..30 {
            let start = now();
            for (a, b, p, q) in &pairs {
                let between = Between::new(*p, *q);
                black_box(penetration(a, b, &between, &mut Warm::default()));
            }
            least = least.min((now() - start) / pairs.len() as f64);
        }
        println!("{name}: {:.0} ns", least * 1e9);
    }
    Ok(())
}
