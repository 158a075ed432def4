//! Certified separation and the probes built on it, against exact distances of convex hulls in rationals.

use kontakt_bounds::probe::{Corners, PlaneSide, Point, Ray};
use kontakt_bounds::separation::{gap_below, may_overlap, nearest_point, separate, separating_direction};
use kontakt_bounds::{Probe, Support};
use kontakt_math::DVec3;
use testkit::Generator;
use testkit::min_norm::{at_most_root, hull_distance_squared, root};
use testkit::rational::{Rational, dot, exact, vector};

fn tetrahedron(from: &mut Generator, shift: [f64; 3]) -> [[f64; 3]; 4] {
    std::array::from_fn(|_| {
        let p = from.point();
        std::array::from_fn(|i| p[i] + shift[i])
    })
}

fn corners<const N: usize>(points: [[f64; 3]; N]) -> Corners<N> {
    Corners(points.map(DVec3::from_array))
}

#[test]
fn gap_is_below_the_exact_distance_and_close_to_it() {
    let mut apart = 0;
    let cases = 400;
    for case in 0..cases {
        let mut from = if case % 2 == 0 { Generator::free(case) } else { Generator::grid(case) };
        let shift = if case % 2 == 0 { [0.9, 0.6, 0.3] } else { [2.0, 1.0, 0.0] };
        let (a, b) = (tetrahedron(&mut from, [0.0; 3]), tetrahedron(&mut from, shift));
        let truth = hull_distance_squared(&a, &b);
        let gap = gap_below(&corners(a), &corners(b));
        assert!(at_most_root(gap, &truth), "case {case}: {gap} exceeds {}", root(&truth));
        assert!(gap >= root(&truth) * (1.0 - 1e-10) - 1e-12, "case {case}: {gap} far below {}", root(&truth));
        if root(&truth) == 0.0 {
            assert!(may_overlap(&corners(a), &corners(b)), "case {case}");
        } else {
            apart += 1;
        }
        assert_eq!(gap == 0.0, separate(&corners(b), &corners(a)).is_none(), "case {case}: order matters");
    }
    assert!((cases / 4..cases * 3 / 4).contains(&apart), "generator drifted: {apart} of {cases} apart");
}

#[test]
fn the_direction_separates_exactly() {
    for case in 0..200 {
        let mut from = Generator::free(1000 + case);
        let (a, b) = (tetrahedron(&mut from, [0.0; 3]), tetrahedron(&mut from, [1.2, 0.0, 0.4]));
        let Some(direction) = separating_direction(&corners(a), &corners(b)) else { continue };
        let direction = vector(direction.to_array());
        let above = a.iter().map(|p| dot(&direction, &vector(*p))).max();
        let below = b.iter().map(|p| dot(&direction, &vector(*p))).min();
        assert!(above < below, "case {case}");
    }
}

#[test]
fn scale_and_place_do_not_matter() {
    for case in 0..60 {
        let mut from = Generator::free(case);
        let (a, b) = (tetrahedron(&mut from, [0.0; 3]), tetrahedron(&mut from, [1.5, 0.2, 0.0]));
        let (a, b) = (corners(a), corners(b));
        let gap = gap_below(&a, &b);
        for scale in [1e-290, 1e-100, 1e100, 1e290] {
            let scaled = gap_below(&Corners(a.0.map(|p| p * scale)), &Corners(b.0.map(|p| p * scale)));
            assert!((scaled / scale - gap).abs() <= 1e-12, "case {case}, scale {scale}: {scaled} for {gap}");
        }
        let shift = DVec3::new(1e3, -2e3, 500.0);
        let moved = gap_below(&Corners(a.0.map(|p| p + shift)), &Corners(b.0.map(|p| p + shift)));
        assert!((moved - gap).abs() <= 1e-10, "case {case}: {moved} for {gap}");
    }
}

#[test]
fn degenerate_and_extreme_sets_are_answered() {
    let point = Point(DVec3::ONE);
    assert!(may_overlap(&point, &point));
    assert!(!may_overlap(&point, &Point(DVec3::ZERO)));
    assert!(!may_overlap(&Corners([DVec3::ONE; 3]), &Corners([DVec3::ZERO; 4])));
    let flat = Corners([DVec3::ZERO, DVec3::X, DVec3::X * 2.0, DVec3::X * 3.0]);
    let gap = gap_below(&flat, &Point(DVec3::new(1.5, 2.0, 0.0)));
    assert!((gap - 2.0).abs() < 1e-14, "{gap}");
    let huge = Corners([DVec3::splat(1e300), DVec3::splat(1.1e300)]);
    assert!(!may_overlap(&huge, &Point(DVec3::ZERO)));
    assert!(
        may_overlap(&Point(DVec3::splat(f64::MAX)), &Point(DVec3::splat(-f64::MAX))),
        "overflow is a maybe"
    );
}

#[test]
fn nearest_point_is_the_nearest_and_inside_stays() {
    for case in 0..200 {
        let mut from = Generator::free(case);
        let a = tetrahedron(&mut from, [0.0; 3]);
        let to = from.point();
        let near = nearest_point(&corners(a), DVec3::from_array(to));
        let truth = root(&hull_distance_squared(&a, &[to]));
        assert!(((near - DVec3::from_array(to)).length() - truth).abs() < 1e-12, "case {case}");
        assert!(root(&hull_distance_squared(&a, &[near.to_array()])) < 1e-14, "case {case}");
    }
}

#[test]
fn ray_entry_is_never_late_and_misses_are_proven() {
    let (mut hits, cases) = (0, 400);
    for case in 0..cases {
        let mut from = if case % 2 == 0 { Generator::free(case) } else { Generator::grid(case) };
        let body = tetrahedron(&mut from, [0.0; 3]);
        let origin = DVec3::from_array(from.point()) * 2.0;
        let Ok(ray) = Ray::new(origin, DVec3::from_array(from.point()) * 0.5 - origin) else { continue };
        let far = origin + ray.direction() * 64.0;
        match corners(body).ray_entry(&ray) {
            None => {
                // The far end of the ray is beyond any body of the generator, or the direction is tiny.
                let truth = hull_distance_squared(&body, &[origin.to_array(), far.to_array()]);
                assert!(truth > Rational::from_integer(0.into()), "case {case}: missed a hit");
            }
            Some(t) => {
                hits += 1;
                assert!(t >= 0.0);
                // Nothing of the body lies on the ray before t: the part up to t is at a positive distance.
                let before = ray.at(t * (1.0 - 1e-9));
                if t > 1e-6 {
                    let truth = hull_distance_squared(&body, &[origin.to_array(), before.to_array()]);
                    assert!(truth > Rational::from_integer(0.into()), "case {case}: entry {t} is late");
                }
                let at_entry = hull_distance_squared(&body, &[ray.at(t).to_array()]);
                assert!(root(&at_entry) < 1e-9, "case {case}: entry {t} is early by {}", root(&at_entry));
            }
        }
    }
    assert!((40..200).contains(&hits), "generator drifted: {hits} hits of {cases}");
}

#[test]
fn planes_are_sided_exactly() {
    let mut crossing = 0;
    for case in 0..400 {
        let mut from = if case % 2 == 0 { Generator::free(case) } else { Generator::grid(case) };
        let body = tetrahedron(&mut from, [0.0; 3]);
        let (normal, offset) = (from.point(), from.coordinate());
        let heights = body.map(|p| dot(&vector(normal), &vector(p)) - exact(offset));
        let zero = Rational::from_integer(0.into());
        match corners(body).side_of_plane(DVec3::from_array(normal), offset) {
            PlaneSide::Below => assert!(heights.iter().all(|h| *h < zero), "case {case}"),
            PlaneSide::Above => assert!(heights.iter().all(|h| *h > zero), "case {case}"),
            PlaneSide::MayCross => crossing += 1,
        }
    }
    assert!((100..350).contains(&crossing), "generator drifted: {crossing}");
}

#[test]
fn bad_rays_are_refused() {
    assert!(Ray::new(DVec3::NAN, DVec3::X).is_err());
    assert!(Ray::new(DVec3::ZERO, DVec3::ZERO).is_err());
    assert!(Ray::new(DVec3::ZERO, DVec3::X * f64::INFINITY).is_err());
    let fine = Ray::new(DVec3::ZERO, DVec3::X * 1e-300).expect("tiny but not zero");
    assert!(Point(DVec3::X).centre().is_finite());
    assert!(Corners([DVec3::X, DVec3::X * 2.0]).ray_entry(&fine).is_some());
}
