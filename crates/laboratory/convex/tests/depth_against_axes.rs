//! The depth of polytopes against the least overlap along all axes there can be.

mod depth_help;

use depth_help::{pose, round_hull, shape, vector};
use kontakt_convex::depth::penetration;
use kontakt_convex::{Shape, Verdict, Warm};
use kontakt_lab_convex::every_axis::{Features, least_overlap};
use kontakt_math::{Between, DVec3, Pose};
use testkit::generate::Generator;

/// Overlap along the best axis; checks everything the answer claims against it. Returns whether they overlap.
fn check(a: &Shape, b: &Shape, pose_a: Pose, pose_b: Pose, context: &str) -> bool {
    let between = Between::new(pose_a, pose_b);
    let answer = penetration(a, b, &between, &mut Warm::default()).expect("polytopes");
    let (fa, fb) = (Features::of(a.core()).expect("polytope"), Features::of(b.core()).expect("polytope"));
    let (overlap, axis) = least_overlap(&fa, &fb, &between);
    let size = fa.size() + fb.size();
    let noise = 1e-13 * size;
    match answer.verdict {
        Verdict::Separate => {
            assert!(overlap <= noise, "{context}: apart, but overlap {overlap}");
            return false;
        }
        Verdict::Touching => assert!(overlap.abs() <= noise, "{context}: touching, but overlap {overlap}"),
        Verdict::Overlapping => assert!(overlap >= -noise, "{context}: overlapping, but overlap {overlap}"),
        Verdict::Undecided => panic!("{context}: undecided"),
    }
    let depth = answer.depth();
    assert!(
        depth.lo() <= overlap + noise && depth.hi() >= overlap - noise,
        "{context}: {depth:?} against {overlap}"
    );
    assert!(depth.width() <= 1e-12 * size, "{context}: {depth:?} wide for {size}");
    let _ = axis;
    // The normal is one along which the overlap is least.
    let back = pose_a.inverse().rotate(answer.normal);
    let along = fa.overlap_along(&fb, &between, back);
    assert!(
        (along - overlap).abs() <= 1e-12 * size,
        "{context}: {along} along the normal, {overlap} at best"
    );
    // The points realise it.
    let apart = answer.point_b
        - answer.point_a
        - answer.normal * (0.5 * (answer.separation.lo() + answer.separation.hi()));
    assert!(
        apart.length() <= 1e-9 * size,
        "{context}: points are off by {}: {answer:?}\n{a:?}\n{b:?} {pose_a:?} {pose_b:?}",
        apart.length()
    );
    true
}

#[test]
fn free_pairs() {
    let mut generator = Generator::free(1);
    let mut overlapping = 0;
    for k in 0..20000 {
        let (a, b) = (shape(&mut generator), shape(&mut generator));
        let (pose_a, pose_b) = (pose(&mut generator, 0.4), pose(&mut generator, 0.4));
        overlapping += usize::from(check(&a, &b, pose_a, pose_b, &format!("free {k}")));
    }
    assert!(overlapping > 1000, "{overlapping}");
}

#[test]
fn grid_pairs() {
    let mut generator = Generator::grid(2);
    let mut meeting = 0;
    for k in 0..20000 {
        let (a, b) = (shape(&mut generator), shape(&mut generator));
        let (pose_a, pose_b) = (pose(&mut generator, 1.0), pose(&mut generator, 1.0));
        meeting += usize::from(check(&a, &b, pose_a, pose_b, &format!("grid {k}")));
    }
    assert!(meeting > 1000, "{meeting}");
}

#[test]
fn round_hulls() {
    let mut generator = Generator::free(3);
    let mut overlapping = 0;
    for k in 0..60 {
        let (a, b) = (round_hull(&mut generator, 32), round_hull(&mut generator, 40));
        let (pose_a, pose_b) = (pose(&mut generator, 0.6), pose(&mut generator, 0.6));
        overlapping += usize::from(check(&a, &b, pose_a, pose_b, &format!("round {k}")));
    }
    assert!(overlapping > 30, "{overlapping}");
}

#[test]
fn boxes_of_all_proportions() {
    let mut generator = Generator::free(4);
    let mut overlapping = 0;
    for k in 0..20_000 {
        let mut side = || 10_f64.powf(-6.0 * generator.unit().powi(2));
        let (a, b) = (DVec3::new(side(), side(), side()), DVec3::new(side(), side(), side()));
        let (a, b) = (Shape::cuboid(a).expect("box"), Shape::cuboid(b).expect("box"));
        // A third almost parallel, a third a quarter turn from it.
        let tilt = if k % 3 == 0 { 1.0 } else { 10_f64.powf(-16.0 * generator.unit()) };
        let axis = vector(generator.point());
        let turn = if k % 3 == 2 { std::f64::consts::FRAC_PI_2 } else { 0.0 };
        let pose_b = Pose::from_axis_angle(axis, turn + tilt, vector(generator.point()) * 0.5).expect("axis");
        overlapping += usize::from(check(&a, &b, Pose::IDENTITY, pose_b, &format!("boxes {k}")));
    }
    assert!(overlapping > 4000, "{overlapping}");
}
