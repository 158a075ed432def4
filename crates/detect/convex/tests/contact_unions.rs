//! Unions: as their parts taken together, at any depth of nesting, with exact poses.

use kontakt_convex::{Answer, ConvexQuery, Part, PlacedShape, Shape, ShapeError, Verdict};
use kontakt_math::{DQuat, DVec3, Pose};
use testkit::Generator;

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::new(DQuat::IDENTITY, DVec3::new(x, y, z)).unwrap()
}

fn cube(half: f64) -> Shape {
    Shape::cuboid(DVec3::splat(half)).unwrap()
}

fn union(parts: &[(&Shape, Pose)]) -> Shape {
    Shape::union(parts.iter().map(|&(shape, pose)| Part { shape: shape.clone(), pose }).collect()).unwrap()
}

fn contact(a: (&Shape, Pose), b: (&Shape, Pose)) -> Answer {
    let (a, b) = (PlacedShape::new(a.0, a.1), PlacedShape::new(b.0, b.1));
    let mut asker = ConvexQuery::new();
    let answer = asker.contact(a, b);
    assert_eq!(asker.intersect(a, b), answer.verdict);
    assert_eq!(asker.distance(a, b).verdict, answer.verdict);
    assert_eq!(asker.manifold(b, a, 0.0).answer.verdict, answer.verdict);
    assert_eq!(ConvexQuery::new().contact(b, a).swapped(), answer);
    answer
}

#[test]
fn the_distance_is_the_least_of_all_parts() {
    let pair = union(&[(&cube(1.0), at(0.0, 0.0, 0.0)), (&Shape::sphere(0.5).unwrap(), at(5.0, 0.0, 0.0))]);
    let point = Shape::point();
    let near_ball = contact((&pair, at(0.0, 0.0, 0.0)), (&point, at(7.0, 0.0, 0.0)));
    assert_eq!(near_ball.verdict, Verdict::Separate);
    assert!(near_ball.separation.lo() <= 1.5 && near_ball.separation.hi() >= 1.5);
    assert!(near_ball.separation.width() < 1e-12 && near_ball.normal_error < 1e-12);
    let between = contact((&pair, at(0.0, 0.0, 0.0)), (&point, at(2.75, 0.0, 0.0)));
    assert!((between.separation.lo() - 1.75).abs() < 1e-12);
    // Both parts may be the nearest: either normal may be the exact one, and the error says so.
    assert!(between.normal_error > 3.0 || between.separation.width() == 0.0, "{between:?}");
}

#[test]
fn touching_is_exact_through_nested_turns() {
    // Two turns that undo each other exactly though neither is a quarter: the inner cube is not turned.
    let (there, back) = (DQuat::from_xyzw(0.0, 0.0, 0.6, 0.8), DQuat::from_xyzw(0.0, 0.0, -0.6, 0.8));
    let inner = union(&[(&cube(1.0), Pose::new(back, DVec3::ZERO).unwrap())]);
    let outer = union(&[(&inner, Pose::new(there, DVec3::new(0.5, 0.0, 0.0)).unwrap())]);
    for (gap, verdict) in
        [(0.0, Verdict::Touching), (2e-16, Verdict::Overlapping), (-5e-16, Verdict::Separate)]
    {
        let found = contact((&outer, at(0.0, 0.0, 0.0)), (&cube(1.0), at(2.5 - gap, 0.25, 0.0)));
        // 2.5 − 2e-16 is 2.5 again: the nearest doubles are 4.4e-16 apart.
        let verdict = if gap == 2e-16 { Verdict::Touching } else { verdict };
        assert_eq!(found.verdict, verdict, "{gap}");
    }
    let deeper = contact((&outer, at(0.0, 0.0, 0.0)), (&cube(1.0), at(2.5_f64.next_down(), 0.25, 0.0)));
    assert_eq!(deeper.verdict, Verdict::Overlapping);
}

#[test]
fn depth_is_between_the_deepest_part_and_a_shift_that_parts_all() {
    // A plate and a post on it; a cube in the corner overlaps both.
    let plate = Shape::cuboid(DVec3::new(5.0, 5.0, 0.5)).unwrap();
    let post = Shape::cuboid(DVec3::new(0.5, 0.5, 3.0)).unwrap();
    let body = union(&[(&plate, at(0.0, 0.0, -0.5)), (&post, at(0.0, 0.0, 3.0))]);
    let found = contact((&body, at(0.0, 0.0, 0.0)), (&cube(1.0), at(1.25, 0.0, 0.9)));
    assert_eq!(found.verdict, Verdict::Overlapping);
    // The post is 0.25 deep, the plate 0.1; upward parts the plate but not the post, so that 0.25 is a lower bound only.
    assert!((found.depth().lo() - 0.25).abs() < 1e-12, "{found:?}");
    assert!(found.depth().hi() >= 0.25 && found.depth().hi() < 10.0, "{found:?}");
    let alone = contact((&body, at(0.0, 0.0, 0.0)), (&cube(1.0), at(4.0, 0.0, 0.9)));
    assert!(
        (alone.depth().lo() - 0.1).abs() < 1e-12 && (alone.depth().hi() - 0.1).abs() < 1e-12,
        "{alone:?}"
    );
    assert!(alone.normal_error < 1e-9 && (alone.normal - DVec3::Z).length() < 1e-12, "{alone:?}");
    // A lid closes the way up: parted from the plate the cube would be in the lid.
    let lid = Shape::cuboid(DVec3::new(5.0, 5.0, 0.5)).unwrap();
    let closed = union(&[(&plate, at(0.0, 0.0, -0.5)), (&lid, at(0.0, 0.0, 2.45))]);
    let stuck = contact((&closed, at(0.0, 0.0, 0.0)), (&cube(1.0), at(1.0, 0.0, 0.9)));
    assert!((stuck.depth().lo() - 0.1).abs() < 1e-12 && stuck.depth().hi() > 2.0, "{stuck:?}");
    let manifold = ConvexQuery::new().manifold(
        PlacedShape::new(&body, at(0.0, 0.0, 0.0)),
        PlacedShape::new(&cube(1.0), at(1.25, 0.0, 0.9)),
        0.0,
    );
    assert!(manifold.parts.contains(&[0, 0]) && manifold.parts.contains(&[1, 0]), "{:?}", manifold.parts);
    assert_eq!(manifold.contacts.len(), manifold.parts.len());
}

#[test]
fn margins_of_unions_add_up_exactly() {
    let grown = |shape: Shape, margin: f64| shape.with_margin(margin).unwrap();
    let inner = grown(union(&[(&grown(Shape::sphere(0.5).unwrap(), 0.25), at(0.0, 0.0, 0.0))]), 0.125);
    let outer = grown(union(&[(&inner, at(1.0, 0.0, 0.0))]), 0.0625);
    let found = contact((&outer, at(0.0, 0.0, 0.0)), (&Shape::point(), at(1.9375, 0.0, 0.0)));
    assert_eq!(found.verdict, Verdict::Touching);
    let found = contact((&outer, at(0.0, 0.0, 0.0)), (&Shape::point(), at(1.9375_f64.next_up(), 0.0, 0.0)));
    assert_eq!(found.verdict, Verdict::Separate);
}

#[test]
fn a_union_of_one_part_is_that_part() {
    let mut source = Generator::free(71);
    let mut met = 0;
    for _ in 0..200 {
        let pose = |source: &mut Generator, far: f64| {
            let place = DVec3::from_array(source.point()) * far;
            Pose::new(DQuat::from_array(source.quaternion()), place).unwrap()
        };
        let shapes = [cube(0.7), Shape::capsule(0.5, 0.4).unwrap()];
        let (pose_a, inner, pose_b) =
            (pose(&mut source, 0.5), pose(&mut source, 0.5), pose(&mut source, 1.5));
        let wrapped = union(&[(&shapes[0], inner)]);
        let composed = pose_a.then_from(&inner);
        let plain = contact((&shapes[0], composed), (&shapes[1], pose_b));
        let found = contact((&wrapped, pose_a), (&shapes[1], pose_b));
        met += usize::from(plain.verdict == Verdict::Overlapping);
        assert_eq!(plain.verdict, found.verdict);
        assert!((plain.separation.lo() - found.separation.lo()).abs() < 1e-13);
        assert!(found.point_error < 1e-7 && found.normal_error < 1e-6, "{found:?}");
        assert!((plain.point_a - found.point_a).length() < 1e-9);
    }
    assert!((20..180).contains(&met), "{met}");
}

#[test]
fn ten_thousand_unions_in_one_another() {
    let step = Pose::from_axis_angle(DVec3::new(1.0, 2.0, 3.0), 0.01, DVec3::new(1e-4, 0.0, 0.0)).unwrap();
    let mut shape = cube(1.0);
    let mut composed = Pose::IDENTITY;
    for _ in 0..10_000 {
        shape = union(&[(&shape, step)]);
        composed = step.then_from(&composed);
    }
    let found = contact((&shape, Pose::IDENTITY), (&Shape::sphere(0.5).unwrap(), at(4.0, 0.0, 0.0)));
    let plain = contact((&cube(1.0), composed), (&Shape::sphere(0.5).unwrap(), at(4.0, 0.0, 0.0)));
    assert_eq!(found.verdict, Verdict::Separate);
    assert!((found.separation.lo() - plain.separation.lo()).abs() < 1e-8, "{found:?}\n{plain:?}");
    assert!(found.separation.width() < 1e-8 && found.point_error < 1e-8, "{found:?}");
    // Shifts by short numbers are added up exactly: touching stays touching.
    let mut shape = cube(1.0);
    for _ in 0..10_000 {
        shape = union(&[(&shape, at(0.25, 0.0, 0.0))]);
    }
    let found = contact((&shape, Pose::IDENTITY), (&cube(1.0), at(2502.0, 0.5, 0.0)));
    assert_eq!(found.verdict, Verdict::Touching);
}

#[test]
fn empty_and_exploding_unions_are_refused() {
    assert_eq!(Shape::union(Vec::new()).unwrap_err(), ShapeError::EmptyUnion);
    let mut shape = cube(1.0);
    let error = loop {
        let part = || Part { shape: shape.clone(), pose: Pose::IDENTITY };
        match Shape::union(vec![part(), part(), part(), part(), part(), part(), part(), part()]) {
            Ok(larger) => shape = larger,
            Err(error) => break error,
        }
    };
    assert!(matches!(error, ShapeError::TooManyParts { .. }));
    let far = union(&[(&cube(1.0), at(1.7e308, 0.0, 0.0))]);
    let part = Part { shape: far, pose: at(1.7e308, 0.0, 0.0) };
    assert!(matches!(Shape::union(vec![part]).unwrap_err(), ShapeError::NotFinite { .. }));
}

/// A thousand parts against a thousand: the same as asking about every pair.
#[test]
fn many_parts_against_many() {
    let mut source = Generator::free(72);
    let ball = Shape::sphere(0.02).unwrap();
    let mut cloud = |offset: f64| -> (Shape, Vec<DVec3>) {
        let places: Vec<DVec3> =
            (0..300).map(|_| DVec3::from_array(source.point()) + DVec3::X * offset).collect();
        let parts: Vec<(&Shape, Pose)> = places.iter().map(|p| (&ball, at(p.x, p.y, p.z))).collect();
        (union(&parts), places)
    };
    let ((a, at_a), (b, at_b)) = (cloud(0.0), cloud(2.2));
    let found = contact((&a, Pose::IDENTITY), (&b, Pose::IDENTITY));
    let least =
        at_a.iter().flat_map(|p| at_b.iter().map(move |q| p.distance(*q))).fold(f64::INFINITY, f64::min);
    let expected = least - 0.04;
    assert!(expected > 0.0 && (found.separation.lo() - expected).abs() < 1e-12, "{expected} {found:?}");
}

/// An essay. Two unions of three parts each, the first part of both at the origin, both bodies at the same pose: all that the order of two bodies
/// went by was the same, so they were taken as they came, and which of several equally good ways out was named depended on that.
#[test]
fn unions_that_are_alike_have_an_order_too() {
    let (thin, slab) = (Shape::segment([DVec3::ZERO, DVec3::X * 0.5]).unwrap(), cube(0.5));
    let ball = |radius: f64| Shape::sphere(radius).unwrap();
    let one =
        union(&[(&ball(0.625), at(0.0, 0.0, 0.0)), (&slab, at(0.0, 0.0, 0.0)), (&thin, at(0.25, 0.0, 0.5))]);
    let other =
        union(&[(&ball(0.75), at(0.0, 0.0, 0.0)), (&slab, at(0.25, 0.5, 0.0)), (&slab, at(0.0, 0.0, -0.25))]);
    let mirrored =
        union(&[(&ball(0.75), at(0.0, 0.0, 0.0)), (&slab, at(0.0, 0.0, -0.25)), (&slab, at(0.25, 0.5, 0.0))]);
    for [a, b] in [[&one, &other], [&one, &mirrored], [&other, &mirrored]] {
        let found = contact((a, at(0.0, 0.0, 0.0)), (b, at(0.0, 0.0, 0.0)));
        assert_eq!(found.verdict, Verdict::Overlapping);
    }
    // Hulls that have all of the few numbers in common, mirror images of each other about a plane through their first vertex.
    let corners = |sign: f64| {
        [(1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 1.0, 0.25), (0.0, -1.0, 0.25), (0.0, 0.5, -0.75)]
            .map(|(x, y, z)| DVec3::new(x, sign * y, z))
    };
    let [left, right] = [1.0, -1.0].map(|sign| Shape::hull(&corners(sign)).unwrap());
    contact((&left, at(0.0, 0.0, 0.0)), (&right, at(0.0, 0.0, 0.0)));
}
