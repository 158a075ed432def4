//! Oriented box whose axes are known to be orthonormal to rounding: the form the overlap tests take.

use super::{Obb, columns, defect};
use crate::bound::Support;
use kontakt_math::round::length_up;
use kontakt_math::{DMat3, DVec3, U};

/// Largest entry of `|AᵀA − I|` that the error bounds of the separating-axis tests allow: 32u.
pub(crate) const SQUARE_DEFECT: f64 = 32.0 * U;

/// An [`Obb`] checked to have `|AᵀA − I|` ≤ 32·2⁻⁵³. Check once, test often.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SquareObb {
    obb: Obb,
    /// Never less than the distance of any point of the box from its centre.
    radius: f64,
}

impl SquareObb {
    /// The box itself where its axes are orthonormal to rounding; else the box around it in axes
    /// made so. Never smaller than the exact set of `obb`.
    #[inline]
    pub fn of(obb: &Obb) -> SquareObb {
        if defect(&obb.axes) <= SQUARE_DEFECT { SquareObb::checked(*obb) } else { squared_up(obb) }
    }

    /// |A s| ≤ ‖A‖·|h| with ‖A‖² = ‖I + G‖ ≤ 1 + 96u; the factor leaves room for its own rounding.
    #[inline]
    fn checked(obb: Obb) -> SquareObb {
        let radius = length_up(obb.half_extents) * (1.0 + 128.0 * U);
        SquareObb { obb, radius }
    }

    /// Never less than the distance of any point of the box from its centre.
    #[inline]
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The box.
    pub(crate) fn as_obb(&self) -> &Obb {
        &self.obb
    }

    /// The box.
    pub fn into_obb(self) -> Obb {
        self.obb
    }
}

#[cold]
fn squared_up(obb: &Obb) -> SquareObb {
    let axes = orthonormalised(&obb.axes);
    SquareObb::checked(Obb::around(axes, |d| obb.reach(d)))
}

/// Gram–Schmidt, twice; the identity where the axes are too bad for it.
fn orthonormalised(axes: &DMat3) -> DMat3 {
    let [a, b, _] = columns(axes);
    let normalised = |v: DVec3| {
        let scale = v.abs().max_element();
        let v = v / scale;
        v / v.length()
    };
    let a = normalised(normalised(a));
    let mut b = normalised(b);
    for _ in 0..2 {
        b = normalised(b - a * a.dot(b));
    }
    let result = DMat3::from_cols(a, b, a.cross(b));
    if defect(&result) <= SQUARE_DEFECT { result } else { DMat3::IDENTITY }
}
