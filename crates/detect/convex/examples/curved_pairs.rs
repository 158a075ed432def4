//! Time and width of answers for pairs with a curved core, by kind: `cargo run --release --example curved_pairs`.

mod help;

use help::now;
use kontakt_convex::smooth::{self, Want};
use kontakt_convex::{Shape, Verdict};
use kontakt_math::{Between, DQuat, DVec3, Pose};

const KINDS: [&str; 10] =
    ["ellipsoid", "cylinder", "cone", "sphere", "capsule", "box", "hull", "disc", "thin", "triangle"];

fn shape(kind: &str, random: &mut fastrand::Rng) -> Shape {
    let mut length = || 0.2 + random.f64();
    let made = match kind {
        "ellipsoid" => Shape::ellipsoid(DVec3::new(length(), length(), length())),
        "cylinder" => Shape::cylinder(length(), length()),
        "cone" => Shape::cone(length(), length()),
        "sphere" => Shape::sphere(length()),
        "capsule" => Shape::capsule(length(), length()),
        "box" => Shape::cuboid(DVec3::new(length(), length(), length())),
        "disc" => Shape::ellipsoid(DVec3::new(length(), length(), 0.0)),
        "thin" => Shape::ellipsoid(DVec3::new(length(), length(), 1e-6)),
        "triangle" => {
            let mut point = || DVec3::new(random.f64() - 0.5, random.f64() - 0.5, random.f64() - 0.5) * 2.0;
            Shape::triangle([point(), point(), point()])
        }
        _ => {
            let points: Vec<DVec3> = (0..32)
                .map(|_| DVec3::new(random.f64() - 0.5, random.f64() - 0.5, random.f64() - 0.5).normalize())
                .collect();
            Shape::hull(&points)
        }
    };
    made.unwrap()
}

fn pose(random: &mut fastrand::Rng, away: f64) -> Pose {
    let mut number = || 2.0 * random.f64() - 1.0;
    let q = DQuat::from_xyzw(number(), number(), number(), number()).normalize();
    let t = DVec3::new(number(), number(), number()).normalize() * away;
    Pose::new(q, t).unwrap()
}

fn main() {
    let mut random = fastrand::Rng::with_seed(11);
    let only = std::env::args().nth(1);
    for (i, first) in KINDS.iter().enumerate() {
        for second in &KINDS[i..] {
            if only.as_deref().is_some_and(|name| name != *first && name != *second) {
                continue;
            }
            for (label, away) in [("far", 6.0), ("apart", 3.0), ("near", 1.2), ("deep", 0.3)] {
                let pairs: Vec<_> = (0..200)
                    .map(|_| {
                        let (a, b) = (shape(first, &mut random), shape(second, &mut random));
                        let away = away * (0.5 + random.f64());
                        let between = Between::new(pose(&mut random, 0.0), pose(&mut random, away));
                        (a, b, between)
                    })
                    .collect();
                let mut best = f64::INFINITY;
                let mut answers = Vec::new();
                for _ in 0..2 {
                    let start = now();
                    answers = pairs
                        .iter()
                        .map(|(a, b, between)| {
                            smooth::answer(a, b, between, &mut DVec3::ZERO.clone(), Want::Contact)
                        })
                        .collect();
                    best = best.min(now() - start);
                }
                let count = |verdict| answers.iter().filter(|answer| answer.verdict == verdict).count();
                if std::env::var("WIDE").is_ok() {
                    for (answer, (a, b, between)) in answers.iter().zip(&pairs) {
                        if answer.separation.width() > 1e-11 {
                            println!(
                                "{answer:?}\n   {a:?}\n   {b:?} {:?} {:?}",
                                between.turn(),
                                between.shift()
                            );
                        }
                    }
                }
                let mut widths: Vec<f64> = answers.iter().map(|answer| answer.separation.width()).collect();
                widths.sort_by(f64::total_cmp);
                let mut angles: Vec<f64> = answers.iter().map(|answer| answer.normal_error).collect();
                angles.sort_by(f64::total_cmp);
                println!(
                    "{first:9} {second:9} {label:5}: {:9.2} us  sep {:3} touch {} over {:3} ?? {}  width median {:.1e} 95% {:.1e} worst {:.1e}  angle {:.1e} {:.1e}",
                    best / 200.0 * 1e-3,
                    count(Verdict::Separate),
                    count(Verdict::Touching),
                    count(Verdict::Overlapping),
                    count(Verdict::Undecided),
                    widths[100],
                    widths[190],
                    widths[199],
                    angles[100],
                    angles[190],
                );
            }
        }
    }
}
