//! Axis-aligned box. Canonical form: least and greatest corner.

use kontakt_math::DVec3;

/// The box {x : min ≤ x ≤ max}, componentwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// Least corner.
    pub min: DVec3,
    /// Greatest corner.
    pub max: DVec3,
}
