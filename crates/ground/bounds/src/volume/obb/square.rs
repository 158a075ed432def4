//! Oriented box whose axes are known to be orthonormal to rounding: the form the overlap tests take.

use super::{Obb, columns, defect};
use crate::bound::Support;
use kontakt_math::{DMat3, DVec3};

/// Largest entry of `|AᵀA − I|` that the error bounds of the separating-axis tests allow: 32u.
pub(crate) const SQUARE_DEFECT: f64 = 32.0 * (f64::EPSILON / 2.0);

/// An [`Obb`] checked to have `|AᵀA − I|` ≤ 32·2⁻⁵³. Check once, test often.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SquareObb(Obb);

impl SquareObb {
    /// The box itself where its axes are orthonormal to rounding; else the box around it in axes
    /// made so. Never smaller than the exact set of `obb`.
    #[inline]
    pub fn of(obb: &Obb) -> SquareObb {
        if defect(&obb.axes) <= SQUARE_DEFECT { SquareObb(*obb) } else { squared_up(obb) }
    }

    /// The box.
    pub fn as_obb(&self) -> &Obb {
        &self.0
    }

    /// The box.
    pub fn into_obb(self) -> Obb {
        self.0
    }
}

#[cold]
fn squared_up(obb: &Obb) -> SquareObb {
    let axes = orthonormalised(&obb.axes);
    SquareObb(Obb::around(axes, |d| obb.reach(d)))
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
