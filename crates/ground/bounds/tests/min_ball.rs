//! The smallest ball against the rational oracle, on easy, degenerate and extreme data.

use kontakt_bounds::{
    FitError, MinBall, Sphere, min_ball, min_ball_from, min_ball_of_balls, min_ball_of_balls_from,
};
use kontakt_math::DVec3;
use testkit::Generator;
use testkit::ball::{holds, holds_ball, smallest_radius};
use testkit::rational::{Rational, abs, exact};

fn vectors(points: &[[f64; 3]]) -> Vec<DVec3> {
    points.iter().copied().map(DVec3::from_array).collect()
}

/// Every point is inside, exactly and for a checker in plain doubles; the lower bound is one.
fn check_contains(ball: &MinBall, points: &[DVec3]) {
    let Sphere { centre, radius } = ball.sphere;
    assert!(ball.radius_below <= radius && ball.support.len() <= 4 && !ball.support.is_empty());
    for point in points {
        assert!(holds(centre.to_array(), radius, point.to_array()), "{point} outside of {ball:?}");
        assert!((*point - centre).length() <= radius, "{point} seems outside of {ball:?}");
        assert!((*point - centre).length_squared() <= radius * radius);
    }
}

fn check_radius(ball: &MinBall, exact_radius: &Rational, tolerance: f64) {
    let error = abs(&(exact(ball.sphere.radius) - exact_radius));
    assert!(error <= exact(tolerance) * exact_radius, "{ball:?} should have {exact_radius}");
    // The oracle's roots are cut at 2⁻²⁰⁰.
    assert!(exact(ball.radius_below) <= exact_radius + exact(1e-50), "{ball:?} is not proven");
}

#[test]
fn agrees_with_the_oracle_on_small_sets() {
    let mut four = 0;
    for seed in 0..120 {
        let grid = seed % 2 == 0;
        let mut generator = if grid { Generator::grid(seed) } else { Generator::free(seed) };
        let points = generator.points(1 + seed as usize % 7);
        let ball = min_ball(&vectors(&points)).unwrap();
        let balls: Vec<_> = points.iter().map(|p| (*p, 0.0)).collect();
        check_contains(&ball, &vectors(&points));
        check_radius(&ball, &smallest_radius(&balls), 1e-14);
        four += usize::from(ball.support.len() == 4);
    }
    assert!((5..60).contains(&four), "generator drifted: {four} supports of four");
}

#[test]
fn agrees_with_the_oracle_on_balls() {
    let mut alone = 0;
    for seed in 0..120 {
        let grid = seed % 2 == 0;
        let mut generator = if grid { Generator::grid(seed) } else { Generator::free(seed) };
        let count = 1 + seed as usize % 6;
        let mut balls: Vec<_> =
            (0..count).map(|_| (generator.point(), generator.coordinate().abs())).collect();
        if seed % 5 == 0 {
            balls[count / 2].1 *= 4.0;
        }
        let spheres: Vec<_> = balls
            .iter()
            .map(|(p, radius)| Sphere { centre: DVec3::from_array(*p), radius: *radius })
            .collect();
        let found = min_ball_of_balls(&spheres).unwrap();
        for ball in &balls {
            assert!(holds_ball(found.sphere.centre.to_array(), found.sphere.radius, *ball));
        }
        check_radius(&found, &smallest_radius(&balls), 2e-14);
        alone += usize::from(found.support.len() == 1 && balls.len() > 1);
        let again = min_ball_of_balls_from(&spheres, &found.support).unwrap();
        assert!((again.sphere.radius - found.sphere.radius).abs() <= 2e-14 * found.sphere.radius);
    }
    assert!((3..60).contains(&alone), "generator drifted: {alone} balls that swallow the rest");
}

/// Integer points on a sphere of squared radius 9·25·49 about the origin: many, all exactly cospherical.
fn cospherical() -> Vec<[f64; 3]> {
    let square = 105 * 105;
    let mut points = Vec::new();
    for x in -105_i32..=105 {
        for y in -105_i32..=105 {
            let rest = square - x * x - y * y;
            let z = f64::from(rest.max(0)).sqrt().round();
            if rest >= 0 && (z * z - f64::from(rest)).abs() < 0.5 {
                points.extend([z, -z].map(|z| [f64::from(x), f64::from(y), z]));
            }
        }
    }
    points
}

#[test]
fn cospherical_points_do_not_send_it_in_circles() {
    let points = vectors(&cospherical());
    assert!(points.len() > 300, "{} points", points.len());
    for offset in [0.0, 0.5, 1e6] {
        let moved: Vec<_> = points.iter().map(|p| *p + DVec3::splat(offset)).collect();
        let ball = min_ball(&moved).unwrap();
        check_contains(&ball, &moved);
        check_radius(&ball, &exact(105.0), 1e-14 + 1e-15 * offset / 105.0);
    }
}

#[test]
fn degenerate_sets() {
    let cases: [(&[[f64; 3]], f64); 7] = [
        (&[[1.0, 2.0, 3.0]], 0.0),
        (&[[1.0, 2.0, 3.0]; 20], 0.0),
        (&[[0.0; 3], [2.0, 0.0, 0.0]], 1.0),
        (&[[0.0; 3], [1.0, 1.0, 1.0], [2.0, 2.0, 2.0], [4.0, 4.0, 4.0], [3.0, 3.0, 3.0]], 12_f64.sqrt()),
        (&[[-1.0, -1.0, 7.0], [1.0, -1.0, 7.0], [1.0, 1.0, 7.0], [-1.0, 1.0, 7.0]], 2_f64.sqrt()),
        (
            &[[-1.0, -1.0, 7.0], [1.0, -1.0, 7.0], [1.0, 1.0, 7.0], [-1.0, 1.0, 7.0], [0.0, 0.0, 7.0]],
            2_f64.sqrt(),
        ),
        (&[[0.0, 0.0, 0.0], [1.0, 1e-14, 0.0], [2.0, 0.0, 0.0], [1.0, 0.0, 1e-15]], 1.0),
    ];
    for (points, radius) in cases {
        let points = vectors(points);
        let ball = min_ball(&points).unwrap();
        check_contains(&ball, &points);
        assert!((ball.sphere.radius - radius).abs() <= 1e-14 * radius, "{ball:?}");
    }
}

#[test]
fn scale_and_place_do_not_matter() {
    let mut generator = Generator::free(11);
    for round in 0..12 {
        let points = vectors(&generator.points(3 + 7 * round));
        let unit = min_ball(&points).unwrap();
        for power in [-1074 + 60, -1000, -600, 600, 1000, 1022] {
            let scale = 2_f64.powi(power / 2) * 2_f64.powi(power - power / 2);
            let scaled: Vec<_> = points.iter().map(|p| *p * scale).collect();
            let ball = min_ball(&scaled).unwrap();
            let expected = unit.sphere.radius * scale;
            let tolerance = if power < -1000 { 1e-10 } else { 1e-14 };
            assert!((ball.sphere.radius / scale - expected / scale).abs() <= tolerance * unit.sphere.radius);
            for point in &scaled {
                assert!(holds(ball.sphere.centre.to_array(), ball.sphere.radius, point.to_array()));
            }
            assert!(ball.radius_below <= expected * (1.0 + tolerance));
        }
        let far = DVec3::new(1e12, -3e12, 2e12);
        let moved: Vec<_> = points.iter().map(|p| *p + far).collect();
        let ball = min_ball(&moved).unwrap();
        check_contains(&ball, &moved);
        // The coordinates' grid is 2⁻¹¹ there.
        assert!((ball.sphere.radius - unit.sphere.radius).abs() < 4e-3, "{ball:?}");
    }
}

#[test]
fn thin_and_tiny_at_a_huge_place() {
    let points = vectors(&[[1e300, 0.0, 0.0], [1e300, 1e-300, 0.0], [1e300, 0.0, 2e-300]]);
    let ball = min_ball(&points).unwrap();
    assert!((ball.sphere.radius / 1e-300 - 1.25_f64.sqrt()).abs() < 1e-13, "{ball:?}");
    let largest = vectors(&[[f64::MAX, 0.0, 0.0], [-f64::MAX, 0.0, 0.0]]);
    assert!(matches!(min_ball(&largest), Err(FitError::Parameter { .. })));
    let least = vectors(&[[f64::from_bits(1), 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, f64::from_bits(3), 0.0]]);
    let ball = min_ball(&least).unwrap();
    for point in &least {
        assert!(holds(ball.sphere.centre.to_array(), ball.sphere.radius, point.to_array()));
    }
}

#[test]
fn order_and_warm_start_do_not_matter() {
    let mut generator = Generator::free(5);
    for count in [2, 5, 40, 700, 5000] {
        let mut points = vectors(&generator.points(count));
        let ball = min_ball(&points).unwrap();
        check_contains(&ball, &points);
        assert!(ball.gap() < 1e-14);
        for _ in 0..3 {
            let guess: Vec<_> = (0..6).map(|_| generator.index(count)).collect();
            let warm = min_ball_from(&points, &guess).unwrap();
            assert!((warm.sphere.radius - ball.sphere.radius).abs() <= 1e-14 * ball.sphere.radius);
            for i in 0..count {
                let j = generator.index(count);
                points.swap(i, j);
            }
            let other = min_ball(&points).unwrap();
            assert!((other.sphere.radius - ball.sphere.radius).abs() <= 1e-14 * ball.sphere.radius);
            assert!((other.sphere.centre - ball.sphere.centre).length() <= 1e-7 * ball.sphere.radius);
        }
    }
}

#[test]
fn bad_input_is_named() {
    assert_eq!(min_ball(&[]), Err(FitError::Empty));
    assert_eq!(min_ball_of_balls(&[]), Err(FitError::Empty));
    for bad in [f64::NAN, f64::INFINITY] {
        let mut points = vec![DVec3::ONE; 300];
        points[177].z = bad;
        assert_eq!(min_ball(&points), Err(FitError::NotFinite { index: 177 }));
    }
    let ball = |radius| Sphere { centre: DVec3::ZERO, radius };
    assert_eq!(min_ball_of_balls(&[ball(1.0), ball(f64::NAN)]), Err(FitError::NotFinite { index: 1 }));
    let negative = min_ball_of_balls(&[ball(1.0), ball(-1.0)]);
    assert!(
        matches!(&negative, Err(FitError::Parameter { what }) if what.contains("ball 1")),
        "{negative:?}"
    );
    assert!(matches!(min_ball_from(&[DVec3::ONE], &[1]), Err(FitError::Parameter { .. })));
}
