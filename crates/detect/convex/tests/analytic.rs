//! Closed forms against the general methods, which are tested against rationals elsewhere.

use kontakt_convex::gjk::{self, Cut};
use kontakt_convex::{Answer, Shape, Verdict, Warm, analytic, depth};
use kontakt_math::{Between, DQuat, DVec3, Pose};
use testkit::Generator;

fn general(a: &Shape, b: &Shape, between: &Between) -> Answer {
    match gjk::separation(a, b, between, &mut Warm::default()) {
        Cut::Apart(answer) => answer,
        _ => depth::penetration(a, b, between, &mut Warm::default()).unwrap(),
    }
}

fn shape(source: &mut Generator, kind: usize) -> Shape {
    let [x, y, z] = source.point().map(|x| x.abs() + 0.25);
    match kind {
        0 => Shape::sphere(x),
        1 => Shape::capsule(x, 0.5 * y),
        _ => Shape::cuboid(DVec3::new(x, y, z)),
    }
    .unwrap()
}

fn pose(source: &mut Generator, spread: f64) -> Pose {
    Pose::new(DQuat::from_array(source.quaternion()), DVec3::from_array(source.point()) * spread).unwrap()
}

/// Everything the closed form says must be what the general method says, up to what both admit.
fn compare(answer: &Answer, other: &Answer, is_unique: bool) {
    assert_eq!(answer.verdict, other.verdict, "{answer:?} {other:?}");
    assert!(
        answer.separation.lo() <= other.separation.hi() && other.separation.lo() <= answer.separation.hi(),
        "{answer:?} {other:?}"
    );
    assert!(answer.separation.width() < 1e-12, "{answer:?}");
    let turned = (answer.normal - other.normal).length();
    assert!(turned <= answer.normal_error + other.normal_error + 1e-15, "{answer:?} {other:?}");
    let moved = (answer.point_a - other.point_a).length().max((answer.point_b - other.point_b).length());
    // On a grid, parallel segments and edges have many nearest pairs.
    assert!(!is_unique || moved <= answer.point_error + other.point_error, "{answer:?} {other:?}");
    let line = answer.point_b - answer.point_a;
    assert!((line - answer.normal * answer.separation.lo()).length() < 1e-12, "{answer:?}");
}

fn check(mut source: Generator, rounds: usize, least: usize, is_unique: bool) {
    let (mut known, mut counts) = (0, [0; 3]);
    for round in 0..rounds {
        let (a, b) = (shape(&mut source, round % 3), shape(&mut source, round / 3 % 3));
        let between = Between::new(pose(&mut source, 1.5), pose(&mut source, 1.5));
        let Some(answer) = analytic::answer(&a, &b, &between) else { continue };
        known += 1;
        compare(&answer, &general(&a, &b, &between), is_unique);
        counts[match answer.verdict {
            Verdict::Separate => 0,
            Verdict::Touching => 1,
            _ => 2,
        }] += 1;
    }
    println!("{known} {counts:?}");
    assert!(known > least && counts[0] > rounds / 10 && counts[2] > rounds / 20, "{known} {counts:?}");
}

#[test]
fn agree_with_the_general_methods() {
    check(Generator::free(80), 1800, 1000, true);
    check(Generator::grid(81), 900, 200, false);
}

/// Boxes, slabs and needles side by side: nearest points are corners, on edges and inside of faces in turn.
#[test]
fn boxes_apart_agree_with_the_general_method() {
    let mut source = Generator::free(82);
    let (mut apart, mut known) = (0, 0);
    for round in 0..20_000_usize {
        let flat = [DVec3::ONE, DVec3::new(1.0, 1.0, 0.01), DVec3::new(3.0, 0.05, 0.05)];
        let [a, b] = [round % 3, round / 3 % 3].map(|kind| {
            let half = DVec3::from_array(source.point()).abs() + 0.25;
            Shape::cuboid(half * flat[kind]).unwrap()
        });
        let between = Between::new(pose(&mut source, 1.5), pose(&mut source, 1.5));
        let Cut::Apart(other) = gjk::separation(&a, &b, &between, &mut Warm::default()) else { continue };
        apart += 1;
        if let Some(answer) = analytic::answer(&a, &b, &between) {
            known += 1;
            compare(&answer, &other, true);
        }
    }
    assert!(apart > 8_000 && known * 100 > apart * 99, "{known} of {apart}");
}
