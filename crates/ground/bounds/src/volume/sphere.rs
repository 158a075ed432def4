//! Ball, also known as point-swept sphere.

use kontakt_math::DVec3;

/// The ball {x : |x − centre| ≤ radius}.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    /// Centre.
    pub centre: DVec3,
    /// Radius, not negative.
    pub radius: f64,
}
