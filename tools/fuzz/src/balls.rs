//! Smallest balls of points and of balls, against the oracle that tries every support.

use crate::case::{Case, farthest};
use crate::fit;
use kontakt_bounds::{AnyVolume, FitError, MinBall, Sphere, min_ball, min_ball_of_balls_from};
use kontakt_math::DVec3;
use testkit::ball::{holds_ball, smallest_radius};
use testkit::rational::exact;

/// The sphere as a volume, and the proof that comes with it.
pub fn of_points(bytes: &[u8]) {
    fit::named("sphere", bytes);
    let case = Case::of(bytes);
    if let Ok(found) = min_ball(&case.points) {
        let balls: Vec<Sphere> = case.points.iter().map(|&centre| Sphere { centre, radius: 0.0 }).collect();
        check(&found, &balls);
    }
}

/// Points as centres, the coordinates of others as radii.
pub fn of_balls(bytes: &[u8]) {
    let case = Case::of(bytes);
    let half = case.points.len() / 2;
    let (centres, others) = case.points.split_at(half);
    let signed = case.choice % 16 == 0;
    let radius = |p: &DVec3| if signed { p.x } else { p.x.abs() };
    let balls: Vec<Sphere> =
        centres.iter().zip(others).map(|(centre, p)| Sphere { centre: *centre, radius: radius(p) }).collect();
    let warm: Vec<usize> = (0..usize::from(case.choice >> 4).min(balls.len())).collect();
    match min_ball_of_balls_from(&balls, &warm) {
        Err(FitError::Empty) => assert!(balls.is_empty()),
        Err(FitError::NotFinite { index }) => {
            assert!(!balls[index].centre.is_finite() || !balls[index].radius.is_finite());
        }
        Err(FitError::Parameter { what }) => {
            let large = farthest(centres) > 1e300 || balls.iter().any(|b| b.radius > 1e300);
            assert!(large || balls.iter().any(|b| b.radius < 0.0), "{what}: {balls:?}");
        }
        Ok(found) => check(&found, &balls),
    }
}

/// Every ball is inside exactly, the lower bound is one, and where the oracle is precise both are close to the truth.
fn check(found: &MinBall, balls: &[Sphere]) {
    let Sphere { centre, radius } = found.sphere;
    assert!(centre.is_finite() && radius.is_finite() && radius >= 0.0, "{found:?} of {balls:?}");
    assert!(found.radius_below >= 0.0 && found.radius_below <= radius, "{found:?} of {balls:?}");
    assert!((1..=4).contains(&found.support.len()), "{found:?} of {balls:?}");
    assert!(found.support.iter().all(|i| *i < balls.len()), "{found:?} of {balls:?}");
    let pairs: Vec<([f64; 3], f64)> = balls.iter().map(|b| (b.centre.to_array(), b.radius)).collect();
    for pair in &pairs {
        assert!(holds_ball(centre.to_array(), radius, *pair), "{found:?} loses {pair:?} of {balls:?}");
    }
    let size = pairs.iter().fold(radius, |size, (p, _)| p.iter().fold(size, |s, x| s.max(x.abs())));
    if balls.len() <= 5 && size < 1e6 && radius > 1e-6 {
        let truth = smallest_radius(&pairs);
        let slack = exact(1e-40);
        assert!(exact(found.radius_below) <= &truth + &slack, "{found:?} of {balls:?}");
        let most = &truth * exact(1.0 + 1e-14) + exact(1e-15 * size);
        assert!(exact(radius) <= most, "{found:?} is loose for {balls:?}");
    }
    let volume = AnyVolume::from(found.sphere);
    assert!(balls.iter().all(|b| volume.contains(b.centre)));
}
