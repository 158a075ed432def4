//! Nanoseconds a question takes through the dispatcher: `cargo run --release -p kontakt-convex --example ask_time`.

use kontakt_convex::{Asker, Placed, Shape};
use kontakt_math::{DQuat, DVec3, Pose};
use std::hint::black_box;

fn now() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

fn points(count: usize, random: &mut fastrand::Rng) -> Vec<DVec3> {
    let one = |random: &mut fastrand::Rng| {
        let mut next = || random.f64() * 2.0 - 1.0;
        DVec3::new(next(), next(), next()).normalize_or_zero()
    };
    (0..count).map(|_| one(random)).collect()
}

fn main() {
    let mut random = fastrand::Rng::with_seed(7);
    let hull = Shape::hull(&points(32, &mut random)).unwrap();
    let shapes: [(&str, Shape); 6] = [
        ("sphere", Shape::sphere(1.0).unwrap()),
        ("box", Shape::cuboid(DVec3::new(0.6, 0.7, 0.5)).unwrap()),
        ("capsule", Shape::capsule(0.5, 0.5).unwrap()),
        ("hull32", hull),
        ("cylinder", Shape::cylinder(0.7, 0.6).unwrap()),
        ("ellipsoid", Shape::ellipsoid(DVec3::new(1.0, 0.7, 0.5)).unwrap()),
    ];
    println!(
        "{:20} {:>8} {:>9} {:>9} {:>9} {:>9}",
        "pair", "way", "intersect", "distance", "contact", "manifold"
    );
    for (i, (name_a, a)) in shapes.iter().enumerate() {
        for (name_b, b) in &shapes[..=i] {
            for (way, far) in [("apart", 3.0), ("deep", 0.7)] {
                let poses: Vec<Pose> = (0..200)
                    .map(|_| {
                        let q: [f64; 4] = std::array::from_fn(|_| random.f64() - 0.5);
                        let place = points(1, &mut random)[0] * far;
                        Pose::new(DQuat::from_array(q).normalize(), place).unwrap()
                    })
                    .collect();
                let time = |ask: &dyn Fn(&mut Asker, Placed, Placed)| {
                    let run = || {
                        let begin = now();
                        for pose in &poses {
                            let mut asker = Asker::new();
                            ask(&mut asker, Placed::new(a, Pose::IDENTITY), Placed::new(b, *pose));
                        }
                        (now() - begin) / poses.len() as f64 * 1e9
                    };
                    (0..7).map(|_| run()).fold(f64::INFINITY, f64::min)
                };
                let times = [
                    time(&|asker, a, b| _ = black_box(asker.intersect(a, b))),
                    time(&|asker, a, b| _ = black_box(asker.distance(a, b))),
                    time(&|asker, a, b| _ = black_box(asker.contact(a, b))),
                    time(&|asker, a, b| _ = black_box(asker.manifold(a, b, 0.0))),
                ];
                let [intersect, distance, contact, manifold] = times.map(|t| format!("{t:.0}"));
                println!(
                    "{:20} {way:>8} {intersect:>9} {distance:>9} {contact:>9} {manifold:>9}",
                    format!("{name_a}-{name_b}")
                );
            }
        }
    }
}
