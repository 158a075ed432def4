//! The ball as data and as a set; its fit and its pairs are in `volume/sphere.rs`.

use crate::bound::{FitError, Support};
use crate::outward::{distance_up, product_up, sum_up, unit_or_zero};
use kontakt_math::DVec3;
use kontakt_math::round::{dot_up, length_up};

/// The ball {x : |x − centre| ≤ radius}.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    /// Centre.
    pub centre: DVec3,
    /// Radius, not negative.
    pub radius: f64,
}

impl Sphere {
    /// The ball with a finite centre and a finite radius ≥ 0.
    pub fn new(centre: DVec3, radius: f64) -> Result<Sphere, FitError> {
        if !centre.is_finite() || !radius.is_finite() || radius < 0.0 {
            return Err(FitError::Parameter {
                what: format!("sphere with centre {centre} and radius {radius} is not finite or negative"),
            });
        }
        Ok(Sphere { centre, radius })
    }

    /// All of space: what a union or an image too large for doubles becomes.
    pub(crate) const EVERYTHING: Sphere = Sphere { centre: DVec3::ZERO, radius: f64::INFINITY };

    pub(crate) fn or_everything(self) -> Sphere {
        if self.centre.is_finite() && self.radius.is_finite() { self } else { Sphere::EVERYTHING }
    }

    /// Whether `other` **certainly** lies in this ball: `true` is a proof, `false` is "not, within rounding".
    pub fn encloses(&self, other: &Sphere) -> bool {
        sum_up(distance_up(self.centre, other.centre), other.radius) <= self.radius
    }

    /// The ball grown by `margin` ≥ 0, rounded outward.
    #[must_use]
    pub fn inflated(&self, margin: f64) -> Sphere {
        Sphere { centre: self.centre, radius: sum_up(self.radius, margin) }
    }
}

impl Support for Sphere {
    fn farthest(&self, direction: DVec3) -> DVec3 {
        self.centre + unit_or_zero(direction) * self.radius
    }

    fn reach(&self, direction: DVec3) -> f64 {
        let round = product_up(length_up(direction), self.radius);
        sum_up(dot_up(direction, self.centre), round)
    }

    fn centre(&self) -> DVec3 {
        self.centre
    }
}
