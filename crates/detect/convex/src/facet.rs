//! The facet of the difference that is nearest to the origin, as far as it is known: what every search for the depth ends with.

use kontakt_math::DVec3;
use std::f64::consts::PI;

/// What is known of the depth of two cores, lengths in A's units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facet {
    /// Unit vector in A's frame, from A to B.
    pub(crate) normal: DVec3,
    /// Never less than the angle to the nearest exact normal.
    pub(crate) normal_error: f64,
    /// Never more than the depth; may be negative.
    pub(crate) low: f64,
    /// Never less than the depth.
    pub(crate) high: f64,
    /// Point of A in A's frame.
    pub(crate) point_a: DVec3,
    /// Point of B in B's frame.
    pub(crate) point_b: DVec3,
    /// Never less than the distance of both points from the nearest exact pair.
    pub(crate) point_error: f64,
}

impl Facet {
    /// Nothing is known.
    pub(crate) const OPEN: Facet = Facet {
        normal: DVec3::Z,
        normal_error: PI,
        low: 0.0,
        high: f64::INFINITY,
        point_a: DVec3::ZERO,
        point_b: DVec3::ZERO,
        point_error: f64::INFINITY,
    };
}
