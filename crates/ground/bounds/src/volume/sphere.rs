//! Ball, also known as point-swept sphere.

pub use crate::ball::Sphere;

use crate::bound::{Bound, FitError, Measure, Parameter};
use crate::min_ball::min_ball;
use crate::outward::{distance_down, distance_up, sum_up};
use crate::turn::Turn;
use kontakt_math::round::{add_down, add_up, length_up};
use kontakt_math::{DVec3, Pose};
use std::f64::consts::PI;

impl Sphere {
    /// **Never more** than the exact distance of the point from the ball; 0 inside.
    pub fn gap_to_point_below(&self, point: DVec3) -> f64 {
        self.gap_below(&Sphere { centre: point, radius: 0.0 })
    }
}

impl Bound for Sphere {
    const NAME: &'static str = "sphere";
    const IS_MONOTONE: bool = true;

    /// The exact smallest one, see [`crate::min_ball()`].
    fn fit(points: &[DVec3]) -> Result<Self, FitError> {
        Ok(min_ball(points)?.sphere)
    }

    /// The smallest ball around both, to rounding: one of them if it encloses the other, else the ball whose diameter is
    /// the line of centres, prolonged by both radii.
    fn merge(&self, other: &Self) -> Self {
        let (large, small) = if self.radius >= other.radius { (self, other) } else { (other, self) };
        if large.encloses(small) {
            return *large;
        }
        let distance = distance_up(large.centre, small.centre);
        // Halved first: the sum may overflow though the radius does not.
        let radius = 0.5 * distance + (0.5 * large.radius + 0.5 * small.radius);
        let way = ((radius - large.radius) / distance).clamp(0.0, 1.0);
        let centre = if way.is_nan() {
            large.centre * 0.5 + small.centre * 0.5
        } else {
            large.centre * (1.0 - way) + small.centre * way
        };
        // Whatever the centre, this radius encloses both: |x − c| ≤ |x − cᵢ| + |cᵢ − c|, rounded up.
        let reach = |ball: &Sphere| sum_up(distance_up(centre, ball.centre), ball.radius);
        Sphere { centre, radius: reach(large).max(reach(small)) }.or_everything()
    }

    /// The image of the centre is off by the rounding that `Turn` bounds; the radius grows by it.
    fn transformed(&self, a_from_b: &Pose) -> Self {
        let (centre, error) = Turn::of(a_from_b).image(self.centre);
        Sphere { centre, radius: sum_up(self.radius, length_up(error)) }.or_everything()
    }

    fn measure(&self) -> Measure {
        let r = self.radius;
        Measure { volume: 4.0 / 3.0 * PI * r * r * r, surface: 4.0 * PI * r * r, diameter: 2.0 * r }
    }

    fn parameters(&self) -> Vec<(&'static str, Parameter)> {
        vec![("centre", self.centre.into()), ("radius", self.radius.into())]
    }

    fn contains(&self, point: DVec3) -> bool {
        distance_down(self.centre, point) <= self.radius
    }

    fn may_overlap(&self, other: &Self) -> bool {
        distance_down(self.centre, other.centre) <= add_up(self.radius, other.radius)
    }

    fn gap_below(&self, other: &Self) -> f64 {
        let gap = add_down(distance_down(self.centre, other.centre), -add_up(self.radius, other.radius));
        if gap > 0.0 { gap } else { 0.0 }
    }
}
