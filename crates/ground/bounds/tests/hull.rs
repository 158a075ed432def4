//! The convex hull against brute force in rationals, and on inputs made to be degenerate.

use kontakt_bounds::{FitError, Hull, convex_hull};
use kontakt_math::DVec3;
use testkit::{Generator, extreme_points};

fn vectors(points: &[[f64; 3]]) -> Vec<DVec3> {
    points.iter().map(|&p| DVec3::from(p)).collect()
}

/// The hull, recounted.
fn hull_of(points: &[DVec3]) -> Hull {
    let hull = convex_hull(points).expect("finite points");
    assert_eq!(hull.validate(points), Ok(()), "{points:?}");
    hull
}

fn coordinates(points: &[DVec3], indices: impl Iterator<Item = usize>) -> Vec<[u64; 3]> {
    // Plus zero makes −0 and 0 the same bits.
    let mut all: Vec<_> = indices.map(|i| points[i].to_array().map(|x| (x + 0.0).to_bits())).collect();
    all.sort_unstable();
    all
}

fn assert_like_oracle(points: &[[f64; 3]]) -> u8 {
    let (expected, dimension) = extreme_points(points);
    let points = vectors(points);
    let hull = hull_of(&points);
    assert_eq!(hull.dimension(), dimension, "{points:?}");
    let got = coordinates(&points, hull.vertices().iter().map(|&i| i as usize));
    assert_eq!(got, coordinates(&points, expected.into_iter()), "{points:?}");
    dimension
}

#[test]
fn equals_brute_force() {
    let mut seen = [0; 4];
    for seed in 0..60 {
        let mut free = Generator::free(seed);
        let n = 1 + free.index(11);
        seen[assert_like_oracle(&free.points(n)) as usize] += 1;
        let mut grid = Generator::grid(seed);
        seen[assert_like_oracle(&grid.points(n)) as usize] += 1;
        // Planes and lines through the grid: the lower dimensions.
        let flat: Vec<_> = grid.points(n).iter().map(|p| [p[0], p[1], p[0] - 2.0 * p[1]]).collect();
        seen[assert_like_oracle(&flat) as usize] += 1;
        let thin: Vec<_> = grid.points(n).iter().map(|p| [p[0], -p[0], 3.0 * p[0] + 1.0]).collect();
        seen[assert_like_oracle(&thin) as usize] += 1;
    }
    assert!(seen.iter().all(|&count| count > 10), "generator drifted: {seen:?}");
}

#[test]
fn many_points_on_a_grid_leave_the_corners() {
    let mut points = Vec::new();
    for x in 0..9 {
        for y in 0..9 {
            for z in 0..9 {
                let p = DVec3::new(f64::from(x), f64::from(y), f64::from(z));
                points.extend([p, p]);
            }
        }
    }
    let hull = hull_of(&points);
    assert_eq!((hull.vertices().len(), hull.edges().len(), hull.face_count()), (8, 12, 6));
    assert_eq!(hull.triangles().count(), 12);
    assert!((0..8).all(|v| hull.neighbours(v).len() == 3));
}

#[test]
fn large_sets_free_grid_and_sphere() {
    for seed in 0..6 {
        for mut generator in [Generator::free(seed), Generator::grid(seed)] {
            let points = vectors(&generator.points(700));
            hull_of(&points);
            let sphere: Vec<DVec3> = points.iter().map(|p| p.normalize_or_zero()).collect();
            let hull = hull_of(&sphere);
            assert!(hull.vertices().len() > 50);
        }
    }
}

/// Points of a cube's faces with coordinates that are not representable nicely: nearly, not exactly, coplanar.
#[test]
fn nearly_coplanar_after_rotation() {
    for seed in 0..6 {
        let mut generator = Generator::grid(seed);
        let axis = DVec3::new(0.3, -0.5, 0.8).normalize();
        let turn = kontakt_math::DQuat::from_axis_angle(axis, 0.1 + seed as f64);
        let points: Vec<DVec3> = vectors(&generator.points(500)).iter().map(|&p| turn * p).collect();
        let hull = hull_of(&points);
        assert!(hull.vertices().len() >= 8);
    }
}

#[test]
fn place_scale_and_order_change_nothing() {
    for seed in 0..10 {
        for mut generator in [Generator::free(seed), Generator::grid(seed)] {
            // Multiples of 2⁻¹⁰, so that moving by 2⁴⁰ and scaling by powers of two are exact.
            let points: Vec<DVec3> =
                vectors(&generator.points(200)).iter().map(|&p| (p * 1024.0).round() / 1024.0).collect();
            // Which of several equal points is named may differ; where it is may not.
            let corners = |hull: &Hull| coordinates(&points, hull.vertices().iter().map(|&i| i as usize));
            let counts = |hull: &Hull| (corners(hull), hull.edges().len(), hull.face_count());
            let expected = counts(&hull_of(&points));
            let far: Vec<DVec3> = points.iter().map(|&p| p + 2.0_f64.powi(40)).collect();
            assert_eq!(counts(&hull_of(&far)), expected);
            for exponent in [-900, -300, 300] {
                let scaled: Vec<DVec3> = points.iter().map(|&p| p * 2.0_f64.powi(exponent)).collect();
                let hull = convex_hull(&scaled).expect("finite");
                assert_eq!(counts(&hull), expected, "2^{exponent}");
            }
            let reversed: Vec<DVec3> = points.iter().rev().copied().collect();
            let hull = hull_of(&reversed);
            let turned_round = coordinates(&reversed, hull.vertices().iter().map(|&i| i as usize));
            assert_eq!((turned_round, hull.edges().len(), hull.face_count()), expected);
        }
    }
}

#[test]
fn bad_input_is_named() {
    assert_eq!(convex_hull(&[]), Err(FitError::Empty));
    let culprit = [DVec3::ZERO, DVec3::new(0.0, f64::NAN, 0.0)];
    assert_eq!(convex_hull(&culprit), Err(FitError::NotFinite { index: 1 }));
    let culprit = [DVec3::new(f64::INFINITY, 0.0, 0.0)];
    assert_eq!(convex_hull(&culprit), Err(FitError::NotFinite { index: 0 }));
}

#[test]
fn validate_notices_a_wrong_hull() {
    let points = vectors(&Generator::free(1).points(30));
    let hull = hull_of(&points);
    let mut moved = points.clone();
    moved[hull.vertices()[0] as usize] *= 0.01;
    assert!(hull.validate(&moved).is_err());
    let mut more = points;
    more.push(DVec3::splat(2.0));
    assert!(hull.validate(&more).is_err());
}
