//! Many distinct hulls: microseconds to make one, nanoseconds a query, thread CPU time. Every shape is used in two pairs, so
//! caches are cold; "again" asks pairs of twenty shapes over and over.
//!
//! `cargo run --release -p kontakt-convex --example distinct_time [PAIRS] [VERTICES…] [distinct|again] [apart|deep]`

mod help;

use help::{cloud, direction, now, rotation};
use kontakt_convex::{ConvexQuery, PlacedShape, Shape};
use kontakt_math::{DVec3, Pose};
use std::hint::black_box;

fn pose(random: &mut fastrand::Rng, far: f64) -> Result<Pose, Box<dyn std::error::Error>> {
    Ok(Pose::new(rotation(random), direction(random) * far)?)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let numbers: Vec<usize> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let pairs = numbers.first().copied().unwrap_or(20_000);
    let asked = |one: &str, other: &str| !std::env::args().any(|word| word == other) || one == other;
    let sizes = if numbers.len() > 1 { &numbers[1..] } else { &[32, 128] };
    for &count in sizes {
        let mut random = fastrand::Rng::with_seed(11);
        let clouds: Vec<Vec<DVec3>> = (0..pairs).map(|_| cloud(&mut random, count)).collect();
        let begin = now();
        let shapes: Vec<Shape> = clouds.iter().map(|cloud| Shape::hull(cloud)).collect::<Result<_, _>>()?;
        let making = (now() - begin) / pairs as f64 * 1e-3;
        let mut partners: Vec<usize> = (0..pairs).collect();
        random.shuffle(&mut partners);
        println!("hull{count} making {making:.1} µs");
        for (way, far) in [("apart", 2.2), ("deep", 0.6)] {
            if !asked(way, "apart") || !asked(way, "deep") {
                continue;
            }
            let mut poses = Vec::new();
            for _ in 0..pairs {
                poses.push([pose(&mut random, 0.0)?, pose(&mut random, far)?]);
            }
            let time = |few: usize, ask: &dyn Fn(&mut ConvexQuery, PlacedShape, PlacedShape)| {
                let mut asker = ConvexQuery::new();
                let begin = now();
                for (k, [a, b]) in poses.iter().enumerate() {
                    let (i, j) = (k % few, partners[k] % few);
                    ask(&mut asker, PlacedShape::new(&shapes[i], *a), PlacedShape::new(&shapes[j], *b));
                }
                (now() - begin) / pairs as f64
            };
            for (kind, few) in [("distinct", pairs), ("again", 20)] {
                if !asked(kind, "distinct") || !asked(kind, "again") {
                    continue;
                }
                let distance = time(few, &|asker, a, b| _ = black_box(asker.distance(a, b)));
                let contact = time(few, &|asker, a, b| _ = black_box(asker.contact(a, b)));
                let intersect = time(few, &|asker, a, b| _ = black_box(asker.intersect(a, b)));
                let times = [distance, contact, intersect].map(|t| format!("{t:.0}"));
                println!("hull{count} {way} {kind}: distance, contact, intersect {times:?} ns");
            }
        }
    }
    Ok(())
}
