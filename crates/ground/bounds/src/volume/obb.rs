//! Oriented box. Canonical form: centre, three axes (matrix columns), half extents.

use kontakt_math::{DMat3, DVec3};

/// The set {c + Σ sᵢ aᵢ : |sᵢ| ≤ hᵢ}: a box whose axes `aᵢ` (columns of `axes`) are orthonormal to rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obb {
    /// Centre.
    pub centre: DVec3,
    /// Columns are the box's axes, right-handed, orthonormal to rounding.
    pub axes: DMat3,
    /// Half of the edge lengths, none negative.
    pub half_extents: DVec3,
}
