//! Oriented box kept with two axes: 12 numbers instead of 15, the third axis computed when needed.

use super::{Obb, SquareObb, columns};
use kontakt_math::round::{add_up, length_up};
use kontakt_math::{DMat3, DVec3};

/// The box whose axes are u, v and the cross product u × v *as rounded by glam*, componentwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoAxesObb {
    /// Centre.
    pub centre: DVec3,
    /// First axis.
    pub u: DVec3,
    /// Second axis.
    pub v: DVec3,
    /// Half of the edge lengths, none negative.
    pub half_extents: DVec3,
}

impl TwoAxesObb {
    /// `false` is a proof that the boxes are disjoint.
    pub fn may_overlap(&self, other: &TwoAxesObb) -> bool {
        SquareObb::of(&Obb::from(self)).may_overlap(&SquareObb::of(&Obb::from(other)))
    }
}

impl From<&Obb> for TwoAxesObb {
    /// Encloses the box: exchanging a₂ for w moves points by at most h₂|a₂ ∓ w|, and the coordinates of that shift
    /// are at most 1.01 times its length since the axes are orthonormal to rounding.
    fn from(obb: &Obb) -> Self {
        let square = SquareObb::of(obb).into_obb();
        let [u, v, third] = columns(&square.axes);
        let w = u.cross(v);
        let change = if third.dot(w) < 0.0 { third + w } else { third - w };
        let h = square.half_extents;
        let grow =
            if change == DVec3::ZERO { 0.0 } else { 1.02 * h.z * length_up(change) * (1.0 + f64::EPSILON) };
        let half_extents = if grow == 0.0 { h } else { h.map(|h| add_up(h, grow)) };
        TwoAxesObb { centre: square.centre, u, v, half_extents }
    }
}

impl From<&TwoAxesObb> for Obb {
    /// Exactly the same set.
    fn from(b: &TwoAxesObb) -> Self {
        Obb {
            centre: b.centre,
            axes: DMat3::from_cols(b.u, b.v, b.u.cross(b.v)),
            half_extents: b.half_extents,
        }
    }
}
