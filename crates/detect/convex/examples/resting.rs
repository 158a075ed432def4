//! Nanoseconds a question takes about bodies at rest on each other, exactly touching or nearly so, as they are in piles and assemblies;
//! then verdicts about many pairs of distinct shapes. `cargo run --release -p kontakt-convex --example resting`.

mod help;

use help::{now, rotation};
use kontakt_convex::{ConvexQuery, PlacedShape, Shape, Verdict};
use kontakt_math::{DQuat, DVec3, Pose};
use std::hint::black_box;

/// A quaternion of few bits, and the square of its length: 1049/1024.
const TURN: [f64; 4] = [0.0, 0.0, 20.0 / 32.0, 25.0 / 32.0];

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::new(DQuat::IDENTITY, DVec3::new(x, y, z)).unwrap()
}

fn turned(q: [f64; 4], x: f64, y: f64, z: f64) -> Pose {
    Pose::new(DQuat::from_array(q), DVec3::new(x, y, z)).unwrap()
}

fn lifted(pose: Pose, by: f64) -> Pose {
    Pose::new(pose.given_rotation(), pose.translation() + DVec3::Z * by).unwrap()
}

fn prism(sides: u32) -> Shape {
    let corner = |k: u32, z: f64| {
        let angle = std::f64::consts::TAU * f64::from(k) / f64::from(sides);
        DVec3::new(angle.cos(), angle.sin(), z)
    };
    let points: Vec<DVec3> = (0..sides).flat_map(|k| [corner(k, -0.5), corner(k, 0.5)]).collect();
    Shape::hull(&points).unwrap()
}

fn report(name: &str, a: &Shape, pose_a: Pose, b: &Shape, pose_b: Pose) {
    let (a, b) = (PlacedShape::new(a, pose_a), PlacedShape::new(b, pose_b));
    let rounds = 200;
    let time = |ask: &dyn Fn(&mut ConvexQuery)| {
        let run = || {
            let begin = now();
            for _ in 0..rounds {
                ask(&mut ConvexQuery::new());
            }
            (now() - begin) / f64::from(rounds)
        };
        (0..9).map(|_| run()).fold(f64::INFINITY, f64::min)
    };
    let times = [
        time(&|asker| _ = black_box(asker.intersect(a, b))),
        time(&|asker| _ = black_box(asker.distance(a, b))),
        time(&|asker| _ = black_box(asker.contact(a, b))),
        time(&|asker| _ = black_box(asker.manifold(a, b, 0.0))),
    ]
    .map(|time| format!("{time:.0}"));
    let answer = ConvexQuery::new().contact(a, b);
    let [intersect, distance, contact, manifold] = times;
    println!(
        "{name:34} {:>11} {intersect:>9} {distance:>9} {contact:>9} {manifold:>9}   width {:.0e} normal {:.0e}",
        format!("{:?}", answer.verdict),
        answer.separation.width(),
        answer.normal_error
    );
}

fn main() {
    println!(
        "{:34} {:>11} {:>9} {:>9} {:>9} {:>9}",
        "pair", "", "intersect", "distance", "contact", "manifold"
    );
    let cube = Shape::cuboid(DVec3::new(0.5, 0.75, 1.0)).unwrap();
    let unit = Shape::cuboid(DVec3::ONE).unwrap();
    let grown = Shape::cuboid(DVec3::splat(1049.0 / 1024.0)).unwrap();
    report("boxes face on face", &cube, at(0.0, 0.0, 0.0), &cube, at(1.0, 0.25, 0.125));
    report("boxes face on face, level", &cube, at(0.0, 0.0, 0.0), &cube, at(1.0, 0.0, 0.0));
    report("boxes edge on edge, parallel", &cube, at(0.0, 0.0, 0.0), &cube, at(1.0, 1.5, 0.125));
    let quarter = std::f64::consts::FRAC_1_SQRT_2;
    report(
        "boxes, quarter turn",
        &cube,
        at(0.0, 0.0, 0.0),
        &cube,
        turned([0.0, 0.0, quarter, quarter], 1.25, 0.0, 0.0),
    );
    // R(q)·x̂ = (225, 1000, 0)/1025 of this q, times 1025/1024.
    report("boxes, turned alike", &unit, turned(TURN, 0.0, 0.0, 0.0), &unit, turned(TURN, 0.0, 0.0, 2.0));
    let turned_half = 1025.0 / 1024.0;
    let big = Shape::cuboid(DVec3::splat(turned_half)).unwrap();
    report(
        "boxes, turned alike, shifted",
        &big,
        turned(TURN, 0.0, 0.0, 0.0),
        &big,
        turned(TURN, 450.0 / 1024.0, 2000.0 / 1024.0, 0.0),
    );
    report(
        "boxes, edge on face",
        &grown,
        at(0.0, 0.0, 0.0),
        &big,
        turned(TURN, 1049.0 / 1024.0 + 1225.0 / 1024.0, 0.0, 0.0),
    );
    report(
        "boxes, turned face on face",
        &big,
        turned(TURN, 0.0, 0.0, 0.0),
        &unit,
        at(0.25, 0.0, 1.0 + turned_half),
    );
    // All bits of their coordinates in use.
    let third = Pose::from_axis_angle(DVec3::Z, 1.0 / 3.0, DVec3::new(0.1, 0.2, 0.0)).unwrap();
    report("boxes, turned on a table", &unit, at(0.0, 0.0, -1.0), &cube, lifted(third, 1.0));
    let fifth = Pose::from_axis_angle(DVec3::Z, 1.0 / 5.0, DVec3::new(0.3, 0.1, 0.0)).unwrap();
    report("boxes, both turned on a table", &unit, lifted(fifth, -1.0), &cube, lifted(third, 1.0));
    report("boxes face on face, 1e-3 deep", &cube, at(0.0, 0.0, 0.0), &cube, at(0.999, 0.25, 0.125));
    report("boxes face on face, 1e-3 apart", &cube, at(0.0, 0.0, 0.0), &cube, at(1.001, 0.25, 0.125));
    let half = Shape::half_space(DVec3::Z, 0.0).unwrap();
    report("box on half-space", &half, at(0.0, 0.0, 0.0), &cube, at(0.0, 0.0, 1.0));
    report("ball on half-space", &half, at(0.0, 0.0, 0.0), &Shape::sphere(1.0).unwrap(), at(0.0, 0.0, 1.0));
    report("ball on box", &cube, at(0.0, 0.0, 0.0), &Shape::sphere(1.0).unwrap(), at(0.25, 0.0, 2.0));
    report(
        "balls touching",
        &Shape::sphere(1.0).unwrap(),
        at(0.0, 0.0, 0.0),
        &Shape::sphere(1.0).unwrap(),
        at(0.0, 0.0, 2.0),
    );
    report("prism 16 on prism 16", &prism(16), at(0.0, 0.0, 0.0), &prism(16), at(0.25, 0.0, 1.0));
    report("prism 16 on box", &unit, at(0.0, 0.0, 0.0), &prism(16), at(0.25, 0.0, 1.5));
    curved(&unit, &half);
    verdicts();
}

fn curved(unit: &Shape, half: &Shape) {
    let cylinder = Shape::cylinder(1.0, 0.5).unwrap();
    let capsule = Shape::capsule(1.0, 0.5).unwrap();
    let cone = Shape::cone(1.0, 0.5).unwrap();
    for (word, x, z) in [
        ("touching", 1.0, 0.25),
        ("0.1 deep", 0.9, 0.25),
        ("0.1 apart", 1.1, 0.25),
        ("level", 1.0, 0.0),
        ("cap on cap", 0.25, 2.0),
        ("cap 0.1 deep", 0.25, 1.9),
        ("coaxial on", 0.0, 2.0),
        ("coaxial deep", 0.0, 1.9),
        ("corner apart", 1.1, 2.1),
        ("rim on rim", 1.0, 2.0),
    ] {
        report(&format!("cylinders {word}"), &cylinder, at(0.0, 0.0, 0.0), &cylinder, at(x, 0.0, z));
    }
    let quarter = std::f64::consts::FRAC_1_SQRT_2;
    let q = [0.1, 0.3, -0.4, 0.86].map(|x: f64| x / 0.999_f64.sqrt());
    let pose = Pose::new(DQuat::from_array(q).normalize(), DVec3::new(1.0, 2.0, 3.0)).unwrap();
    for (word, x, z) in [
        ("touching", 1.0, 0.25),
        ("deep", 0.9, 0.25),
        ("apart", 1.1, 0.25),
        ("cap on cap", 0.25, 2.0),
        ("rim on rim", 1.0, 2.0),
    ] {
        let other = Pose::new(DQuat::from_array(q).normalize(), pose.apply(DVec3::new(x, 0.0, z))).unwrap();
        report(&format!("turned cylinders {word}"), &cylinder, pose, &cylinder, other);
    }
    report("capsules touching", &capsule, at(0.0, 0.0, 0.0), &capsule, at(1.0, 0.0, 0.25));
    report("capsule beside cylinder", &cylinder, at(0.0, 0.0, 0.0), &capsule, at(1.0, 0.0, 0.25));
    report("capsule in cylinder", &cylinder, at(0.0, 0.0, 0.0), &capsule, at(0.8, 0.0, 0.25));
    report("cones side by side", &cone, at(0.0, 0.0, 0.0), &cone, at(1.0, 0.0, 0.0));
    report("cones deep", &cone, at(0.0, 0.0, 0.0), &cone, at(0.5, 0.0, 0.1));
    report(
        "cones, one on its head",
        &cone,
        at(0.0, 0.0, 0.0),
        &cone,
        turned([1.0, 0.0, 0.0, 0.0], 0.5, 0.0, 0.0),
    );
    report("cone on cylinder", &cylinder, at(0.0, 0.0, 0.0), &cone, at(0.25, 0.0, 2.0));
    report("cylinder on box", unit, at(0.0, 0.0, 0.0), &cylinder, at(0.25, 0.0, 2.0));
    report("cylinder on box, deep", unit, at(0.0, 0.0, 0.0), &cylinder, at(0.25, 0.0, 1.9));
    report(
        "cylinder on its side on box",
        unit,
        at(0.0, 0.0, 0.0),
        &cylinder,
        turned([quarter, 0.0, 0.0, quarter], 0.25, 0.0, 1.5),
    );
    report(
        "cylinder lying deep in box",
        unit,
        at(0.0, 0.0, 0.0),
        &cylinder,
        turned([quarter, 0.0, 0.0, quarter], 0.25, 0.0, 1.4),
    );
    report("cylinder on half-space", half, at(0.0, 0.0, 0.0), &cylinder, at(0.0, 0.0, 1.0));
    let egg = Shape::ellipsoid(DVec3::new(0.5, 0.75, 1.0)).unwrap();
    report("ellipsoids touching", &egg, at(0.0, 0.0, 0.0), &egg, at(0.0, 0.0, 2.0));
    report("ellipsoids deep", &egg, at(0.0, 0.0, 0.0), &egg, at(0.0, 0.0, 1.9));
    report("ellipsoid on box", unit, at(0.0, 0.0, 0.0), &egg, at(0.0, 0.0, 2.0));
    report("ellipsoid deep in box", unit, at(0.0, 0.0, 0.0), &egg, at(0.0, 0.0, 1.9));
}

/// Verdicts about distinct shapes.
fn verdicts() {
    let mut random = fastrand::Rng::with_seed(17);
    for (name, count) in [("box", 0), ("hull 32", 32), ("hull 128", 128)] {
        let pairs = if count == 128 { 4_000 } else { 10_000 };
        let mut vector =
            |random: &mut fastrand::Rng| DVec3::from_array(std::array::from_fn(|_| random.f64() * 2.0 - 1.0));
        let mut all = Vec::new();
        for _ in 0..pairs {
            let shape = |random: &mut fastrand::Rng, vector: &mut dyn FnMut(&mut fastrand::Rng) -> DVec3| {
                let radii = vector(random).abs() * 0.6 + 0.4;
                if count == 0 {
                    return Shape::cuboid(radii).unwrap();
                }
                let points: Vec<DVec3> = (0..count).map(|_| radii * vector(random).normalize()).collect();
                Shape::hull(&points).unwrap()
            };
            let shapes = [shape(&mut random, &mut vector), shape(&mut random, &mut vector)];
            let way = vector(&mut random).normalize();
            let far = 0.1 + 2.4 * random.f64();
            let poses = [DVec3::ZERO, way * far].map(|at| Pose::new(rotation(&mut random), at).unwrap());
            all.push((shapes, poses));
        }
        let mut asker = ConvexQuery::new();
        let mut apart = Vec::new();
        let mut meeting = Vec::new();
        for (shapes, poses) in &all {
            let [a, b] = [0, 1].map(|i| PlacedShape::new(&shapes[i], poses[i]));
            let list = if asker.intersect(a, b) == Verdict::Separate { &mut apart } else { &mut meeting };
            list.push([a, b]);
        }
        for (word, list) in [("apart", apart), ("in contact", meeting)] {
            let run = || {
                let mut asker = ConvexQuery::new();
                let begin = now();
                for [a, b] in &list {
                    black_box(asker.intersect(*a, *b));
                }
                (now() - begin) / list.len() as f64
            };
            let least = (0..9).map(|_| run()).fold(f64::INFINITY, f64::min);
            println!("verdict {name} {word}: {least:.0} ({} pairs)", list.len());
        }
    }
}
