//! Axis-aligned box kept as least corner and widths: a representation to measure against the canonical one.

use super::Aabb;
use kontakt_math::DVec3;
use kontakt_math::round::add_up;

/// The box {x : min ≤ x ≤ min + widths}, the sum taken exactly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MinWidthsAabb {
    /// Least corner.
    pub min: DVec3,
    /// Edge lengths, none negative.
    pub widths: DVec3,
}

impl MinWidthsAabb {
    /// `false` is a proof that the boxes are disjoint.
    ///
    /// Proof: rounding to nearest is monotone, so b.min − a.min ≤ w implies fl(b.min − a.min) ≤ w for the stored
    /// double w; the comparison below therefore only holds when the exact difference exceeds w.
    pub fn may_overlap(&self, other: &MinWidthsAabb) -> bool {
        let shift = other.min - self.min;
        !(shift.cmpgt(self.widths).any() || (-shift).cmpgt(other.widths).any())
    }
}

impl From<&Aabb> for MinWidthsAabb {
    /// Encloses the box: widths are rounded up.
    fn from(b: &Aabb) -> Self {
        let up = |low: f64, high: f64| if low == high { 0.0 } else { add_up(high, -low) };
        let widths = DVec3::new(up(b.min.x, b.max.x), up(b.min.y, b.max.y), up(b.min.z, b.max.z));
        MinWidthsAabb { min: b.min, widths }
    }
}

impl From<&MinWidthsAabb> for Aabb {
    /// Encloses the box: the greatest corner is rounded up.
    fn from(b: &MinWidthsAabb) -> Self {
        let up = |low: f64, width: f64| if width == 0.0 { low } else { add_up(low, width) };
        let max = DVec3::new(up(b.min.x, b.widths.x), up(b.min.y, b.widths.y), up(b.min.z, b.widths.z));
        Aabb { min: b.min, max }
    }
}
