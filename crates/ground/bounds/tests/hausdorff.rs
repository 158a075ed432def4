//! Directed Hausdorff distance: bounds that hold against exact distances of sampled points, and known values.

use kontakt_bounds::hausdorff::{
    Faces, Hausdorff, HausdorffLimit, Nearest, ball_to_convex_polyhedron, directed_hausdorff,
    face_distance_above,
};
use kontakt_bounds::{Aabb, Bound, Cylinder, Obb, Shell, Sphere};
use kontakt_math::{DMat3, DQuat, DVec3};
use testkit::Generator;
use testkit::min_norm::{at_most_root, hull_distance_squared, root};
use testkit::rational::{Rational, exact};

fn limit(relative: f64) -> HausdorffLimit {
    HausdorffLimit { absolute: 0.0, relative, max_cells: 200_000 }
}

fn cube() -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let points = (0..8)
        .map(|i| DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)) * 2.0 - 1.0)
        .collect();
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    (points, quads.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect())
}

fn exact_distance_squared(points: &[DVec3], triangles: &[[u32; 3]], to: DVec3) -> Rational {
    let distance =
        |t: &[u32; 3]| hull_distance_squared(&t.map(|i| points[i as usize].to_array()), &[to.to_array()]);
    triangles.iter().map(distance).min().expect("faces")
}

#[test]
fn nearest_face_is_bounded_exactly() {
    for case in 0..300 {
        let mut from = if case % 2 == 0 { Generator::free(case) } else { Generator::grid(case) };
        let points: Vec<DVec3> = from.points(6).into_iter().map(DVec3::from_array).collect();
        let triangles = [[0, 1, 2], [3, 4, 5], [2, 2, 3]];
        let to = DVec3::from_array(from.point());
        let found = Faces::new(&points, &triangles).expect("faces").nearest(to).expect("nearest");
        let truth = exact_distance_squared(&points, &triangles, to);
        assert!(at_most_root(found.lower, &truth), "case {case}");
        assert!(exact(found.upper) * exact(found.upper) >= truth, "case {case}");
        assert!(found.upper - found.lower <= 1e-13, "case {case}: {found:?} for {}", root(&truth));
    }
}

fn check(
    volume: &impl Bound,
    points: &[DVec3],
    triangles: &[[u32; 3]],
    tolerance: f64,
    case: u64,
) -> Hausdorff {
    let faces = Faces::new(points, triangles).expect("faces");
    let found = directed_hausdorff(volume, &faces, limit(tolerance)).expect("distance");
    assert!(found.lower <= found.upper, "case {case}: {found:?}");
    assert!(found.upper - found.lower <= tolerance * found.upper + 1e-12, "case {case}: {found:?}");
    // The witness is in the volume and at least as far from the faces as claimed.
    assert!(
        volume.contains(found.witness + (volume.centre() - found.witness) * 1e-9),
        "case {case}: {found:?}"
    );
    let truth = exact_distance_squared(points, triangles, found.witness);
    assert!(at_most_root(found.lower, &truth), "case {case}: {found:?}, {}", root(&truth));
    // No sampled point of the volume is farther than the upper bound.
    let mut from = Generator::free(case);
    for _ in 0..25 {
        let ends: [DVec3; 2] = std::array::from_fn(|_| volume.farthest(DVec3::from_array(from.point())));
        let share = from.unit();
        let inside = volume.centre().lerp(ends[0].lerp(ends[1], share), 1.0 - from.unit().powi(3));
        let distance = root(&exact_distance_squared(points, triangles, inside));
        assert!(distance <= found.upper + 1e-12, "case {case}: {inside} is {distance} away, {found:?}");
    }
    found
}

#[test]
fn bounds_hold_for_random_faces() {
    for case in 0..12 {
        let mut from = if case % 2 == 0 { Generator::free(case) } else { Generator::grid(case) };
        let points: Vec<DVec3> = from.points(6).into_iter().map(DVec3::from_array).collect();
        let triangles = [[0, 1, 2], [3, 4, 5]];
        check(&Aabb::fit(&points).expect("fit"), &points, &triangles, 1e-2, case);
        let axes = DMat3::from_quat(DQuat::from_array(from.quaternion()));
        check(&Obb::enclosing(axes, &points).expect("fit"), &points, &triangles, 1e-2, case);
        check(&Cylinder::fit(&points).expect("fit"), &points, &triangles, 3e-2, case);
    }
}

#[test]
fn known_values() {
    let (points, triangles) = cube();
    let faces = Faces::new(&points, &triangles).expect("faces");
    let solid = Aabb::new(DVec3::NEG_ONE, DVec3::ONE).expect("box");
    // The deepest point of a cube is its centre: the distance over the solid is 1, over the surface it would be 0.
    let found = directed_hausdorff(&solid, &faces, limit(1e-9)).expect("distance");
    assert!(found.lower <= 1.0 && found.upper >= 1.0 && found.upper - found.lower < 1e-8, "{found:?}");
    // A box around a single point: its corner is farthest.
    let one = Faces::new(&[DVec3::ZERO], &[[0, 0, 0]]).expect("faces").nearest(DVec3::ONE).expect("nearest");
    assert!((one.upper - 3.0_f64.sqrt()).abs() < 1e-14);
    let point = [DVec3::ZERO];
    let faces = Faces::new(&point, &[[0, 0, 0]]).expect("faces");
    let found = directed_hausdorff(&solid, &faces, limit(1e-12)).expect("distance");
    assert!(
        (found.upper - 3.0_f64.sqrt()).abs() < 1e-11 && (found.lower - 3.0_f64.sqrt()).abs() < 1e-11,
        "{found:?}"
    );
    // A volume that is a point.
    let flat = Aabb::new(DVec3::X, DVec3::X).expect("box");
    let found = directed_hausdorff(&flat, &faces, limit(1e-9)).expect("distance");
    assert!((found.lower - 1.0).abs() < 1e-12 && (found.upper - 1.0).abs() < 1e-12, "{found:?}");
}

#[test]
fn ball_around_a_cube_counts_the_inside_too() {
    let (points, triangles) = cube();
    let radius = 3.0_f64.sqrt();
    let ball = Sphere { centre: DVec3::ZERO, radius };
    let found = ball_to_convex_polyhedron(&ball, &points, &triangles, limit(1e-9)).expect("distance");
    assert!((found.upper - 1.0).abs() < 1e-8 && found.lower <= 1.0 && found.lower > 1.0 - 1e-8, "{found:?}");
    let wide = Sphere { centre: DVec3::ZERO, radius: 3.0 };
    let found = ball_to_convex_polyhedron(&wide, &points, &triangles, limit(1e-3)).expect("distance");
    assert!((found.upper - 2.0).abs() < 1e-14 && (found.lower - 2.0).abs() < 1e-14, "{found:?}");
    let off = Sphere { centre: DVec3::X * 2.5, radius: 4.0 };
    let found = ball_to_convex_polyhedron(&off, &points, &triangles, limit(1e-3)).expect("distance");
    assert!((found.upper - 5.5).abs() < 1e-14 && (found.lower - 5.5).abs() < 1e-14, "{found:?}");
}

#[test]
fn the_distance_bound_holds_between_face_sets() {
    for case in 0..20 {
        let mut from = Generator::free(case);
        let [a, b]: [Vec<DVec3>; 2] =
            std::array::from_fn(|_| from.points(3).into_iter().map(DVec3::from_array).collect());
        let b: Vec<DVec3> = b.into_iter().map(|p| p + DVec3::X * 0.5).collect();
        let (boxes, triangle) = ([&a, &b].map(|p| Aabb::fit(p).expect("fit")), [[0, 1, 2]]);
        let [ha, hb] = [(&boxes[0], &a), (&boxes[1], &b)].map(|(volume, points)| {
            directed_hausdorff(volume, &Faces::new(points, &triangle).expect("faces"), limit(1e-2))
                .expect("distance")
                .upper
        });
        let apart =
            (boxes[0].min.max(boxes[1].min) - boxes[0].max.min(boxes[1].max)).max(DVec3::ZERO).length();
        let truth = hull_distance_squared(
            &[a[0], a[1], a[2]].map(|p| p.to_array()),
            &[b[0], b[1], b[2]].map(|p| p.to_array()),
        );
        assert!(root(&truth) <= face_distance_above(apart, ha, hb) + 1e-12, "case {case}");
    }
}

#[test]
fn bad_input_is_named() {
    assert!(Faces::new(&[], &[]).is_err());
    assert!(Faces::new(&[DVec3::ZERO], &[]).is_err());
    assert!(Faces::new(&[DVec3::ZERO], &[[0, 0, 1]]).is_err());
    assert!(Faces::new(&[DVec3::NAN], &[[0, 0, 0]]).is_err());
    let (points, triangles) = cube();
    let faces = Faces::new(&points, &triangles).expect("faces");
    let wide = Aabb { min: DVec3::splat(f64::NEG_INFINITY), max: DVec3::splat(f64::INFINITY) };
    assert!(directed_hausdorff(&wide, &faces, limit(1e-2)).is_err());
    let bad = Sphere { centre: DVec3::ZERO, radius: -1.0 };
    assert!(ball_to_convex_polyhedron(&bad, &points, &triangles, limit(1e-2)).is_err());
    let shell = Shell::new(DVec3::ZERO, 0.5, 1.0).expect("shell");
    assert!(directed_hausdorff(&shell, &faces, limit(1e-1)).is_ok());
}
