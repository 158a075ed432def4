//! Disc.

use crate::{FlatBound, FlatMeasure, FlatPose, FlatSupport, check_flat_points, lifted};
use kontakt_bounds::FitError;
use kontakt_bounds::outward::{distance_down, product_up, sum_up, unit_or_zero};
use kontakt_bounds::{Bound, Sphere};
use kontakt_bounds::{MinBall, min_ball};
use kontakt_math::round::{add_down, add_up, dot_up, length_up};
use kontakt_math::{DVec2, DVec3};
use std::f64::consts::PI;

/// The disc {x : |x − centre| ≤ radius} of the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circle {
    /// Centre.
    pub centre: DVec2,
    /// Radius, not negative.
    pub radius: f64,
}

/// The smallest circle around the points as a ball with z = 0: with its support (at most three points) and proven gap.
pub fn min_circle(points: &[DVec2]) -> Result<MinBall, FitError> {
    check_flat_points(points)?;
    let lifted: Vec<DVec3> = points.iter().map(|p| lifted(*p)).collect();
    // All z are 0, so every support is solved in the plane and the centre's z is exactly 0.
    min_ball(&lifted)
}

impl Circle {
    /// The disc with a finite centre and a finite radius ≥ 0.
    pub fn new(centre: DVec2, radius: f64) -> Result<Circle, FitError> {
        if !centre.is_finite() || !radius.is_finite() || radius < 0.0 {
            return Err(FitError::Parameter {
                what: format!("circle with centre {centre} and radius {radius} is not finite or negative"),
            });
        }
        Ok(Circle { centre, radius })
    }

    fn ball(&self) -> Sphere {
        Sphere { centre: lifted(self.centre), radius: self.radius }
    }
}

impl FlatSupport for Circle {
    fn farthest(&self, direction: DVec2) -> DVec2 {
        self.centre + unit_or_zero(lifted(direction)).truncate() * self.radius
    }

    fn reach(&self, direction: DVec2) -> f64 {
        let direction = lifted(direction);
        let round = product_up(length_up(direction), self.radius);
        sum_up(dot_up(direction, lifted(self.centre)), round)
    }

    fn centre(&self) -> DVec2 {
        self.centre
    }
}

impl FlatBound for Circle {
    const NAME: &'static str = "circle";

    /// The exact smallest one.
    fn fit(points: &[DVec2]) -> Result<Self, FitError> {
        let Sphere { centre, radius } = min_circle(points)?.sphere;
        Ok(Circle { centre: centre.truncate(), radius })
    }

    /// The smallest disc around both, to rounding.
    fn merge(&self, other: &Self) -> Self {
        let Sphere { centre, radius } = Bound::merge(&self.ball(), &other.ball());
        Circle { centre: centre.truncate(), radius }
    }

    /// The radius grows by the rounding of the centre: `turn_error` of the turn, u of the shift (4u with the error
    /// of this bound) and what may underflow.
    fn transformed(&self, a_from_b: &FlatPose) -> Self {
        let turned = a_from_b.rotate(self.centre);
        let centre = turned + a_from_b.translation();
        let size = self.centre.abs().element_sum();
        let shift = if a_from_b.translation() == DVec2::ZERO { 0.0 } else { 2.0 * f64::EPSILON };
        let error =
            a_from_b.turn_error() * size * (1.0 + 4.0 * f64::EPSILON) + shift * centre.abs().element_sum();
        let exact = (a_from_b.turn_error() == 0.0 || size == 0.0) && shift == 0.0;
        let error = if exact { 0.0 } else { error + f64::from_bits(64) };
        // Both components err by at most `error`.
        Circle { centre, radius: sum_up(self.radius, length_up(DVec3::new(error, error, 0.0))) }
    }

    fn measure(&self) -> FlatMeasure {
        let r = self.radius;
        FlatMeasure { area: PI * r * r, perimeter: 2.0 * PI * r, diameter: 2.0 * r }
    }

    fn contains(&self, point: DVec2) -> bool {
        distance_down(lifted(self.centre), lifted(point)) <= self.radius
    }

    fn may_overlap(&self, other: &Self) -> bool {
        distance_down(lifted(self.centre), lifted(other.centre)) <= add_up(self.radius, other.radius)
    }

    fn gap_below(&self, other: &Self) -> f64 {
        let distance = distance_down(lifted(self.centre), lifted(other.centre));
        add_down(distance, -add_up(self.radius, other.radius)).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::Generator;
    use testkit::ball::{holds, smallest_radius};
    use testkit::rational::{abs, exact};

    fn flat(generator: &mut Generator) -> DVec2 {
        DVec2::new(generator.coordinate(), generator.coordinate())
    }

    #[test]
    fn smallest_circle_agrees_with_the_oracle() {
        for seed in 0..60 {
            let mut generator = if seed % 2 == 0 { Generator::grid(seed) } else { Generator::free(seed) };
            let points: Vec<DVec2> = (0..=seed % 7).map(|_| flat(&mut generator)).collect();
            let found = min_circle(&points).unwrap();
            assert!(found.sphere.centre.z == 0.0 && found.support.len() <= 3);
            let balls: Vec<_> = points.iter().map(|p| (lifted(*p).to_array(), 0.0)).collect();
            let radius = smallest_radius(&balls);
            assert!(abs(&(exact(found.sphere.radius) - &radius)) <= exact(1e-14) * radius);
            for point in &points {
                assert!(holds(
                    found.sphere.centre.to_array(),
                    found.sphere.radius,
                    lifted(*point).to_array()
                ));
            }
        }
    }

    #[test]
    fn merge_transform_and_overlap_err_to_the_safe_side() {
        let mut overlaps = 0;
        for seed in 0..400 {
            let mut generator = if seed % 2 == 0 { Generator::grid(seed) } else { Generator::free(seed) };
            let mut disc =
                || Circle { centre: flat(&mut generator), radius: 0.5 * generator.coordinate().abs() };
            let (a, b) = (disc(), disc());
            let both = a.merge(&b);
            for part in [a, b] {
                assert!(testkit::ball::holds_ball(
                    lifted(both.centre).to_array(),
                    both.radius,
                    (lifted(part.centre).to_array(), part.radius)
                ));
            }
            let apart = (a.centre - b.centre).length() - (a.radius + b.radius);
            assert!(a.may_overlap(&b) || apart > -5e-14);
            assert!(!a.may_overlap(&b) || apart < 5e-14);
            assert!((a.gap_below(&b) - apart.max(0.0)).abs() < 5e-14);
            overlaps += usize::from(a.may_overlap(&b));
            let pose = FlatPose::new(generator.coordinate(), flat(&mut generator)).unwrap();
            let image = a.transformed(&pose);
            assert!(image.radius >= a.radius && image.radius < a.radius + 1e-13);
            assert!((image.centre - pose.apply(a.centre)).length() < 1e-14);
            let rim = a.farthest(DVec2::new(1e-300, 2e-300));
            assert!(((rim - a.centre).length() - a.radius).abs() < 1e-14 && a.contains(a.centre));
        }
        assert!((60..340).contains(&overlaps), "generator drifted: {overlaps} overlaps");
    }

    #[test]
    fn bad_input_is_named() {
        assert_eq!(Circle::fit(&[]), Err(FitError::Empty));
        assert_eq!(Circle::fit(&[DVec2::ZERO, DVec2::NAN]), Err(FitError::NotFinite { index: 1 }));
        assert!(Circle::new(DVec2::ZERO, -1.0).is_err());
        assert_eq!(Circle::fit(&[DVec2::ONE; 3]), Ok(Circle { centre: DVec2::ONE, radius: 0.0 }));
    }
}
