//! Rays and segments against an axis-aligned box.

use super::Aabb;
use crate::bound::Support;
use kontakt_math::DVec3;
use kontakt_math::round::{dot_down, dot_up};

/// The part of a line inside a box, as parameters along it. **Encloses** the exact part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Passage {
    /// Never later than the exact entry.
    pub enter: f64,
    /// Never earlier than the exact exit.
    pub leave: f64,
}

impl Aabb {
    /// Where the points `origin + t·direction`, 0 ≤ t ≤ `t_max`, are in the box. `None` is a proof of a miss;
    /// a passage found may be a miss by rounding. The direction need not be unit; zero asks for the origin.
    pub fn ray_entry(&self, origin: DVec3, direction: DVec3, t_max: f64) -> Option<Passage> {
        let mut passage = Passage { enter: 0.0, leave: t_max };
        for i in 0..3 {
            let (low, high) = (self.min[i], self.max[i]);
            if direction[i] == 0.0 {
                if origin[i] < low || origin[i] > high {
                    return None;
                }
                continue;
            }
            let (first, last) = if direction[i] > 0.0 { (low, high) } else { (high, low) };
            passage.enter = passage.enter.max(crossing(first, origin[i], direction[i]).0);
            passage.leave = passage.leave.min(crossing(last, origin[i], direction[i]).1);
        }
        (passage.enter <= passage.leave).then_some(passage)
    }

    /// `false` is a proof that the closed segment misses the box.
    ///
    /// Three face axes are compared exactly. The three axes eᵢ × (b − a) are taken as rounded: every axis
    /// is a valid separating direction, and both projections on it are rounded outward.
    pub fn may_hit_segment(&self, a: DVec3, b: DVec3) -> bool {
        if !self.may_overlap_corners(a.min(b), a.max(b)) {
            return false;
        }
        let d = b * 0.5 - a * 0.5;
        let axes = [DVec3::new(0.0, -d.z, d.y), DVec3::new(d.z, 0.0, -d.x), DVec3::new(-d.y, d.x, 0.0)];
        !axes.into_iter().any(|n| {
            dot_down(n, a).min(dot_down(n, b)) > self.reach(n)
                || dot_up(n, a).max(dot_up(n, b)) < -self.reach(-n)
        })
    }

    fn may_overlap_corners(&self, min: DVec3, max: DVec3) -> bool {
        !(self.min.cmpgt(max).any() || min.cmpgt(self.max).any())
    }
}

/// Lower and upper bound of the exact (plane − origin)/direction, direction ≠ 0.
///
/// Proof: the difference has a relative error of at most u (subtraction does not underflow), the quotient
/// another u plus underflow, so 4u·|t| and one step outward enclose the exact value. Where the difference
/// overflows, halves are taken: then one of the two is above 2¹⁰²², and the loss of a subnormal half is far
/// below u of it. An overflowing quotient means an exact one above MAX(1 − 4u), hence the finite ends MAX/2.
fn crossing(plane: f64, origin: f64, direction: f64) -> (f64, f64) {
    let mut t = (plane - origin) / direction;
    if !(plane - origin).is_finite() {
        t = (plane * 0.5 - origin * 0.5) / (direction * 0.5);
    }
    if t == f64::INFINITY {
        return (f64::MAX / 2.0, t);
    }
    if t == f64::NEG_INFINITY {
        return (t, f64::MIN / 2.0);
    }
    if t == 0.0 && plane == origin {
        return (0.0, 0.0);
    }
    let slack = t.abs() * (2.0 * f64::EPSILON);
    ((t - slack).next_down(), (t + slack).next_up())
}
