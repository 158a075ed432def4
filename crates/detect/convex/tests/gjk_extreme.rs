//! GJK where doubles end: touching to the last bit, sizes near overflow and underflow, straight poses, many vertices.

use kontakt_convex::gjk::{Cut, separation, verdict};
use kontakt_convex::{Answer, Shape, Verdict, Warm};
use kontakt_math::{Between, DQuat, DVec3, Pose};

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::new(DQuat::IDENTITY, DVec3::new(x, y, z)).expect("a pose")
}

fn cube(half: f64) -> Shape {
    Shape::cuboid(DVec3::splat(half)).expect("a box")
}

/// The verdict, checked to be the same for the bodies swapped.
fn both_ways(a: &Shape, b: &Shape, pose_a: Pose, pose_b: Pose) -> Verdict {
    let found = verdict(a, b, &Between::new(pose_a, pose_b), &mut Warm::default());
    let swapped = verdict(b, a, &Between::new(pose_b, pose_a), &mut Warm::default());
    assert_eq!(found, swapped);
    found
}

fn apart(a: &Shape, b: &Shape, pose_a: Pose, pose_b: Pose, warm: &mut Warm) -> Answer {
    match separation(a, b, &Between::new(pose_a, pose_b), warm) {
        Cut::Apart(answer) => answer,
        other => panic!("{other:?}"),
    }
}

#[test]
fn spheres_touch_to_the_last_bit() {
    let (a, pose_a, pose_b) = (Shape::sphere(2.0).expect("r"), at(0.0, 0.0, 0.0), at(3.0, 4.0, 0.0));
    for (radius, expected) in [
        (3.0, Verdict::Touching),
        (3.0_f64.next_up(), Verdict::Overlapping),
        (3.0_f64.next_down(), Verdict::Separate),
    ] {
        let b = Shape::sphere(radius).expect("r");
        assert_eq!(both_ways(&a, &b, pose_a, pose_b), expected);
        let answer = apart(&a, &b, pose_a, pose_b, &mut Warm::default());
        assert_eq!(answer.verdict, expected);
        assert!(answer.separation.lo() <= 3.0 - radius && 3.0 - radius <= answer.separation.hi());
        assert!((answer.normal - DVec3::new(0.6, 0.8, 0.0)).length() <= answer.normal_error);
    }
}

#[test]
fn boxes_touch_by_corner_edge_and_face() {
    let (a, b) = (cube(1.0), cube(0.5));
    for pose in [at(1.5, 0.0, 0.0), at(1.5, 1.5, 0.25), at(-1.5, 1.5, 1.5)] {
        assert_eq!(both_ways(&a, &b, at(0.0, 0.0, 0.0), pose), Verdict::Touching);
        let nearer = Pose::new(DQuat::IDENTITY, pose.translation() * (1.0 - f64::EPSILON)).expect("a pose");
        assert_eq!(both_ways(&a, &b, at(0.0, 0.0, 0.0), nearer), Verdict::Overlapping);
        let farther = Pose::new(DQuat::IDENTITY, pose.translation() * (1.0 + f64::EPSILON)).expect("a pose");
        assert_eq!(both_ways(&a, &b, at(0.0, 0.0, 0.0), farther), Verdict::Separate);
        let answer = apart(&a, &b, at(0.0, 0.0, 0.0), farther, &mut Warm::default());
        assert!(answer.separation.lo() > 0.0 && answer.separation.hi() < 4.0 * f64::EPSILON);
    }
}

#[test]
fn straight_boxes_need_no_exact_numbers() {
    let (a, b) = (cube(1.0), cube(1.0));
    let mut warm = Warm::default();
    for _ in 0..2 {
        let answer = apart(&a, &b, at(0.0, 0.0, 0.0), at(0.0, 0.0, 2.25), &mut warm);
        assert!((answer.normal - DVec3::Z).length() <= answer.normal_error && answer.normal_error < 1e-12);
        assert!(answer.separation.lo() <= 0.25 && answer.separation.hi() >= 0.25);
    }
    for offset in [0.0, 0.5, 1.99] {
        let between = Between::new(at(0.0, 0.0, 0.0), at(0.0, 0.0, offset));
        assert_eq!(verdict(&a, &b, &between, &mut warm), Verdict::Overlapping);
    }
    assert_eq!(warm.exact, 0);
}

#[test]
fn flat_bodies_in_one_plane_only_touch() {
    let triangle = |x: f64| {
        Shape::triangle([DVec3::new(x, 0.0, 0.0), DVec3::new(x + 2.0, 0.0, 0.0), DVec3::new(x, 2.0, 0.0)])
            .expect("finite")
    };
    let here = at(0.0, 0.0, 0.0);
    assert_eq!(both_ways(&triangle(0.0), &triangle(0.5), here, here), Verdict::Touching);
    assert_eq!(both_ways(&triangle(0.0), &triangle(0.5), here, at(0.0, 0.0, 1e-300)), Verdict::Separate);
    assert_eq!(both_ways(&triangle(0.0), &cube(0.5), here, here), Verdict::Overlapping);
    assert_eq!(both_ways(&Shape::point(), &Shape::point(), here, here), Verdict::Touching);
    assert_eq!(both_ways(&Shape::point(), &cube(0.0), here, here), Verdict::Touching);
}

#[test]
fn sizes_near_the_ends_of_the_range() {
    let turned = Pose::new(DQuat::from_xyzw(0.1, 0.2, 0.3, 0.9).normalize(), DVec3::ZERO).expect("a pose");
    for size in [1e300, 1e150, 1e-150, 1e-300] {
        let (a, b) = (cube(size), Shape::sphere(size).expect("r"));
        let answer = apart(&a, &b, at(0.0, 0.0, 0.0), at(3.0 * size, 0.0, 0.0), &mut Warm::default());
        assert_eq!(answer.verdict, Verdict::Separate, "{size}");
        let (lo, hi) = (answer.separation.lo() / size, answer.separation.hi() / size);
        assert!(lo <= 1.0 && hi >= 1.0 && hi - lo < 1e-12, "{size}: [{lo}, {hi}]");
        assert_eq!(both_ways(&a, &b, at(0.0, 0.0, 0.0), at(2.0 * size, 0.0, 0.0)), Verdict::Touching);
        assert_eq!(both_ways(&a, &a, turned, at(0.5 * size, 0.0, 0.0)), Verdict::Overlapping);
        // Beside a body of ordinary size.
        let far = at(2.0 * size, 2.0, 2.0);
        assert_eq!(both_ways(&cube(size), &cube(1.0), at(0.0, 0.0, 0.0), far), Verdict::Separate, "{size}");
    }
}

#[test]
fn many_vertices() {
    let count = 20_000;
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    let points: Vec<DVec3> = (0..count)
        .map(|i| {
            let z = 1.0 - (2.0 * f64::from(i) + 1.0) / f64::from(count);
            let (sine, cosine) = (golden * f64::from(i)).sin_cos();
            let radius = (1.0 - z * z).sqrt();
            DVec3::new(radius * cosine, radius * sine, z)
        })
        .collect();
    let ball = Shape::hull(&points).expect("points");
    let turned = Pose::new(DQuat::from_xyzw(0.1, 0.2, 0.3, 0.9).normalize(), DVec3::new(1.0, 2.0, 2.0))
        .expect("a pose");
    let mut warm = Warm::default();
    let answer = apart(&ball, &ball, at(0.0, 0.0, 0.0), turned, &mut warm);
    assert!(answer.separation.lo() > 1.0 - 1e-12 && answer.separation.hi() < 1.0 + 1e-3, "{answer:?}");
    let again = apart(&ball, &ball, at(0.0, 0.0, 0.0), turned, &mut warm);
    assert!(
        again.separation.lo() <= answer.separation.hi() && again.separation.hi() >= answer.separation.lo()
    );
    assert_eq!(both_ways(&ball, &ball, at(0.0, 0.0, 0.0), at(0.0, 1.5, 0.0)), Verdict::Overlapping);
}
