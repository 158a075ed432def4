//! What a review from outside found: points that did not belong to their depth, contacts that missed the deepest place.

use kontakt_convex::{ConvexQuery, Manifold, PlacedShape, Shape, Verdict};
use kontakt_math::{DQuat, DVec3, Pose};

fn at(x: f64, y: f64, z: f64, turn: DQuat) -> Pose {
    Pose::new(turn, DVec3::new(x, y, z)).unwrap()
}

fn quarter() -> DQuat {
    DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2)
}

/// Cores that meet in a point: any normal across them will do, but points and normal must fit together.
#[test]
fn points_of_cores_that_just_meet_fit_the_depth() {
    let capsule = |half, radius| Shape::capsule(half, radius).unwrap();
    let ball = |radius| Shape::sphere(radius).unwrap();
    let here = at(0.0, 0.0, 0.0, DQuat::IDENTITY);
    let flat = Shape::triangle([DVec3::ZERO, DVec3::X, DVec3::Y]).unwrap().with_margin(0.25).unwrap();
    let cases = [
        (capsule(1.0, 0.5), here, ball(1.0), here, 1.5),
        (
            ball(0.5),
            at(-2.0, -1.0, 0.0, DQuat::IDENTITY),
            capsule(3.0, 2.0),
            at(-2.0, -3.0, 0.0, quarter()),
            2.5,
        ),
        (capsule(1.0, 0.5), here, capsule(1.0, 0.5), at(0.0, 0.0, 0.0, quarter()), 1.0),
        (flat, here, ball(0.5), at(0.25, 0.25, 0.0, DQuat::IDENTITY), 0.75),
    ];
    for (a, pose_a, b, pose_b, depth) in cases {
        for swapped in [false, true] {
            let (first, second) = (PlacedShape::new(&a, pose_a), PlacedShape::new(&b, pose_b));
            let (first, second) = if swapped { (second, first) } else { (first, second) };
            let answer = ConvexQuery::new().contact(first, second);
            assert_eq!(answer.verdict, Verdict::Overlapping);
            assert!((-answer.separation.lo() - depth).abs() < 1e-12, "{answer:?}");
            let apart = answer.point_a - answer.point_b - answer.normal * depth;
            assert!(apart.length() < 1e-12, "{answer:?}");
        }
    }
}

/// The deepest place of a rim over an edge is no corner of their common part.
#[test]
fn the_deepest_contact_is_as_deep_as_the_bodies() {
    let mut random = fastrand::Rng::with_seed(5);
    let mut number = || 2.0 * random.f64() - 1.0;
    let mut overlapping = 0;
    for k in 0..3000 {
        let cylinder = Shape::cylinder(0.3 + number().abs(), 0.3 + number().abs()).unwrap();
        let mut corner = || DVec3::new(number(), number(), number()) * 1.5;
        let other = if k % 2 == 0 {
            Shape::triangle([corner(), corner(), corner()]).unwrap()
        } else {
            Shape::cylinder(0.7, 0.4).unwrap()
        };
        let mut pose = || {
            let turn = DQuat::from_xyzw(number(), number(), number(), number()).normalize();
            at(0.5 * number(), 0.5 * number(), 0.5 * number(), turn)
        };
        let manifold = ConvexQuery::new().manifold(
            PlacedShape::new(&cylinder, pose()),
            PlacedShape::new(&other, pose()),
            0.0,
        );
        if manifold.answer.verdict != Verdict::Overlapping {
            continue;
        }
        overlapping += 1;
        let deepest = manifold.contacts.iter().map(|contact| contact.depth.hi()).fold(0.0, f64::max);
        assert!(deepest >= -manifold.answer.separation.hi() - 1e-12, "{k}: {manifold:?}");
    }
    assert!(overlapping > 1000, "{overlapping}");
}

/// A point deep inside of an ellipsoid whose radii differ by ten powers of ten.
#[test]
fn a_point_in_a_very_thin_ellipsoid_is_inside() {
    let thin = Shape::ellipsoid(DVec3::new(6.8e8, 0.0179, 26.7)).unwrap();
    let turn = DQuat::from_xyzw(0.3, -0.5, 0.7, 0.4).normalize();
    let point = Shape::point();
    for place in [DVec3::ZERO, DVec3::new(0.002, -0.001, 0.003)] {
        let here = Pose::new(DQuat::IDENTITY, place).unwrap();
        let answer = ConvexQuery::new()
            .contact(PlacedShape::new(&point, here), PlacedShape::new(&thin, at(0.0, 0.0, 0.0, turn)));
        assert_eq!(answer.verdict, Verdict::Overlapping, "{answer:?}");
    }
}

/// Farther apart than doubles count: nothing is known of the distance but its sign.
#[test]
fn distances_beyond_doubles_are_not_zero() {
    let ball = Shape::sphere(1.0).unwrap();
    let [a, b] = [-1.7e308, 1.7e308].map(|x| PlacedShape::new(&ball, at(x, 0.0, 0.0, DQuat::IDENTITY)));
    let answer = ConvexQuery::new().distance(a, b);
    assert_eq!(answer.verdict, Verdict::Separate);
    assert!(answer.separation.lo() > 0.0 && answer.separation.hi() > 1.7e308, "{answer:?}");
}

/// The faces that meet, and their contacts, are the same at every scale.
#[test]
fn scale_does_not_change_the_faces_that_meet() {
    let corners = [
        [-0.42, 0.53, -0.79],
        [-0.67, 0.23, -0.4],
        [0.28, -0.95, -0.85],
        [-0.42, 0.35, 0.53],
        [-0.62, -0.68, -0.95],
        [-0.77, 0.57, 0.69],
        [0.73, -0.45, -0.3],
        [-0.99, -0.73, -0.39],
    ];
    let turns = [[-0.108, 0.802, -0.308, -0.5], [0.11, 0.737, 0.635, -0.206]];
    let [turn_a, turn_b] = turns.map(|q| DQuat::from_array(q).normalize());
    let manifold = |scale: f64| {
        let hull = Shape::hull(&corners.map(|p| DVec3::from_array(p) * scale)).unwrap();
        let hull = hull.with_margin(0.97 * scale).unwrap();
        let cuboid = Shape::cuboid(DVec3::new(0.46, 0.92, 0.5) * scale).unwrap();
        let [pose_a, pose_b] = [([0.15, 0.16, 0.0], turn_a), ([-0.21, 0.28, -0.17], turn_b)]
            .map(|([x, y, z], turn)| at(x * scale, y * scale, z * scale, turn));
        ConvexQuery::new().manifold(PlacedShape::new(&cuboid, pose_a), PlacedShape::new(&hull, pose_b), 0.0)
    };
    let named = |manifold: &Manifold| -> Vec<_> {
        manifold.contacts.iter().map(|contact| (contact.feature_a, contact.feature_b)).collect()
    };
    let plain = manifold(1.0);
    assert!(plain.contacts.len() > 2, "{plain:?}");
    for exponent in [-490, -300, -100, 100, 300, 490] {
        let scale = 2_f64.powi(exponent);
        let scaled = manifold(scale);
        assert_eq!(named(&plain), named(&scaled), "2^{exponent}");
        for (one, other) in plain.contacts.iter().zip(&scaled.contacts) {
            assert!((one.depth.hi() - other.depth.hi() / scale).abs() < 1e-12, "2^{exponent}");
        }
    }
}
