//! Distances of points rounded to the safe side, and unit directions at any scale.

use kontakt_math::round::{add_up, length_down, length_up, mul_down, mul_up};
use kontakt_math::{DVec3, U};

/// **Never less** than the exact |a − b|; infinite on overflow and NaN, 0 for equal points.
///
/// Proof: each computed component is exact·(1 + δ), |δ| ≤ u (differences do not underflow), so the exact vector is at most
/// 1/(1 − u) < 1 + 4u times as long as the computed one.
pub(crate) fn distance_up(a: DVec3, b: DVec3) -> f64 {
    let difference = a - b;
    if difference == DVec3::ZERO {
        return 0.0;
    }
    let up = mul_up(length_up(difference), 1.0 + 4.0 * U);
    if up.is_nan() { f64::INFINITY } else { up }
}

/// **Never more** than the exact |a − b|; by the same argument.
pub fn distance_down(a: DVec3, b: DVec3) -> f64 {
    mul_down(length_down(a - b), 1.0 - 4.0 * U).max(0.0)
}

/// **Never less** than a + b, and exact when one of them is 0.
pub fn sum_up(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 { a + b } else { add_up(a, b) }
}

/// **Never less** than a·b for a, b ≥ 0, and 0 when one of them is (though the other be infinite).
pub fn product_up(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 { 0.0 } else { mul_up(a, b) }
}

/// Unit vector along `v` to rounding; zero for zero and for what is not finite.
pub fn unit_or_zero(v: DVec3) -> DVec3 {
    let size = v.abs().max_element();
    if size > 0.0 && size.is_finite() {
        let scaled = v / size;
        scaled / scaled.length()
    } else {
        DVec3::ZERO
    }
}

/// v·w/w·w at any scale, NaN-free; 0 for zero `w`.
pub(crate) fn share_along(v: DVec3, w: DVec3) -> f64 {
    let size = w.abs().max_element();
    if size == 0.0 || !size.is_finite() {
        return 0.0;
    }
    let w = w / size;
    let share = (v / size).dot(w) / w.length_squared();
    if share.is_nan() { 0.0 } else { share }
}

/// |v| to rounding (relative error below 4u), at any scale; NaN where a component is.
pub(crate) fn length(v: DVec3) -> f64 {
    if v.is_nan() {
        return f64::NAN;
    }
    let size = v.abs().max_element();
    if size > 0.0 && size.is_finite() { (v / size).length() * size } else { size }
}
