//! The length of an affine image, bounded from above in a few dozen plain operations.

use crate::round::length_up;
use crate::{Interval, IntervalVector};
use glam::{DMat3, DVec3};

/// 8u: covers the rounding of one affine map, see `at`.
const MAP_ERROR: f64 = 4.0 * f64::EPSILON;

/// Bounds |M·y + o| from above for an M and o that are known up to a certified error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NormBound {
    matrix: DMat3,
    offset: DVec3,
    /// ≥ (Frobenius norm of the true M − `matrix`) + 8u·(norm of `matrix`).
    slope_error: f64,
    /// ≥ |true o − `offset`| + 8u·|`offset`| + underflow.
    offset_error: f64,
}

impl NormBound {
    /// From enclosures of M's columns and of o.
    pub(super) fn new(columns: [IntervalVector; 3], offset: IntervalVector) -> NormBound {
        let matrix = DMat3::from_cols(columns[0].middle(), columns[1].middle(), columns[2].middle());
        let mut error_squared = Interval::ZERO;
        let mut norm_squared = Interval::ZERO;
        for (column, middle) in columns.iter().zip([matrix.x_axis, matrix.y_axis, matrix.z_axis]) {
            error_squared = error_squared + Interval::point(column.farthest_from(middle)).square();
            norm_squared = norm_squared + Interval::point(length_up(middle)).square();
        }
        let o = offset.middle();
        let slope = error_squared.sqrt() + Interval::point(MAP_ERROR) * norm_squared.sqrt();
        let shift = Interval::point(offset.farthest_from(o))
            + Interval::point(MAP_ERROR * length_up(o)).max(Interval::point(if o == DVec3::ZERO {
                0.0
            } else {
                f64::MIN_POSITIVE
            }));
        NormBound { matrix, offset: o, slope_error: slope.hi(), offset_error: shift.hi() }
    }

    /// Never less than |M·y + o|.
    ///
    /// Proof: a component of the computed M̂y + ô has an error of at most γ₄(Σ|m̂ⱼyⱼ| + |ô|) + 3η, in any order of
    /// the additions; over three components that is a vector of length ≤ γ₄(‖M̂‖_F|y| + |ô|) + 6η, and 8u > γ₄
    /// leaves room for the rounding of the sum below, whose terms are all rounded up. M = 0 and o = 0, a body at
    /// rest, give exact zeros; otherwise the smallest normal double covers every η.
    pub(super) fn at(&self, y: DVec3) -> f64 {
        let image = self.matrix * y + self.offset;
        if !image.is_finite() {
            return f64::INFINITY;
        }
        let mut slope = product_up(self.slope_error, length_up(y));
        if slope > 0.0 {
            slope = (slope + f64::MIN_POSITIVE).next_up();
        }
        sum_up(length_up(image), sum_up(slope, self.offset_error))
    }
}

/// Never less than a·b of two numbers ≥ 0; an exact zero stays zero, so that a body at rest gets the bound 0.
#[inline]
pub(super) fn product_up(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 { 0.0 } else { (a * b).next_up() }
}

/// Never less than a + b of two numbers ≥ 0; adding an exact zero is exact.
#[inline]
pub(super) fn sum_up(a: f64, b: f64) -> f64 {
    if a == 0.0 {
        b
    } else if b == 0.0 {
        a
    } else {
        (a + b).next_up()
    }
}
