//! Axis-aligned box kept as centre and half widths: a representation to measure against the canonical one.

use super::Aabb;
use crate::bound::Support;
use kontakt_math::DVec3;
use kontakt_math::round::{add_down, add_up};

/// The box {x : |x − centre| ≤ radius}, componentwise and exactly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CentreRadiusAabb {
    /// Centre.
    pub centre: DVec3,
    /// Half edge lengths, none negative.
    pub radius: DVec3,
}

impl CentreRadiusAabb {
    /// `false` is a proof that the boxes are disjoint.
    ///
    /// Proof: let s be the radii's sum rounded up. If the exact |c₁ − c₂| were at most r₁ + r₂ ≤ s, monotone
    /// rounding would give fl(|c₁ − c₂|) ≤ s.
    pub fn may_overlap(&self, other: &CentreRadiusAabb) -> bool {
        let sum = self.radius + other.radius;
        let reach = DVec3::new(sum.x.next_up(), sum.y.next_up(), sum.z.next_up());
        !(other.centre - self.centre).abs().cmpgt(reach).any()
    }
}

impl From<&Aabb> for CentreRadiusAabb {
    /// Encloses the box: radii are rounded up.
    fn from(b: &Aabb) -> Self {
        let centre = b.centre();
        let up = |low: f64, mid: f64, high: f64| {
            if low == high { 0.0 } else { add_up(high, -mid).max(add_up(mid, -low)) }
        };
        let radius = DVec3::new(
            up(b.min.x, centre.x, b.max.x),
            up(b.min.y, centre.y, b.max.y),
            up(b.min.z, centre.z, b.max.z),
        );
        CentreRadiusAabb { centre, radius }
    }
}

impl From<&CentreRadiusAabb> for Aabb {
    /// Encloses the box: corners are rounded outward.
    fn from(b: &CentreRadiusAabb) -> Self {
        let low = |c: f64, r: f64| if r == 0.0 { c } else { add_down(c, -r) };
        let high = |c: f64, r: f64| if r == 0.0 { c } else { add_up(c, r) };
        let (c, r) = (b.centre, b.radius);
        Aabb {
            min: DVec3::new(low(c.x, r.x), low(c.y, r.y), low(c.z, r.z)),
            max: DVec3::new(high(c.x, r.x), high(c.y, r.y), high(c.z, r.z)),
        }
    }
}
