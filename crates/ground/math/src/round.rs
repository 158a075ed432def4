//! Directed rounding without changing the processor's mode: a value computed to nearest, moved outward by a
//! proven bound of its error.
//!
//! Symbols: u = 2⁻⁵³ (unit roundoff), η = 2⁻¹⁰⁷⁵ (largest error of an underflowing product).

use glam::DVec3;

/// Unit roundoff of doubles, u = 2⁻⁵³: one operation errs by at most this part of its exact result.
pub const U: f64 = f64::EPSILON / 2.0;

/// 4u: covers the 3u/(1−3u) relative error of a three-term dot product with room for rounding of the bound itself.
const DOT_ERROR: f64 = 4.0 * U;
/// 32 · 2⁻¹⁰⁷⁴: covers all underflow errors (a handful of η) of the functions below.
const UNDERFLOW: f64 = f64::from_bits(32);

/// Never less than the exact `a + b`.
#[inline]
pub fn add_up(a: f64, b: f64) -> f64 {
    (a + b).next_up()
}

/// Never more than the exact `a + b`.
#[inline]
pub fn add_down(a: f64, b: f64) -> f64 {
    (a + b).next_down()
}

/// Never less than the exact `a · b`.
#[inline]
pub fn mul_up(a: f64, b: f64) -> f64 {
    (a * b).next_up()
}

/// Never more than the exact `a · b`.
#[inline]
pub fn mul_down(a: f64, b: f64) -> f64 {
    (a * b).next_down()
}

/// Never less than the exact square root of `a` (`a ≥ 0`).
#[inline]
pub fn sqrt_up(a: f64) -> f64 {
    a.sqrt().next_up()
}

/// Never more than the exact square root of `a` (`a ≥ 0`), and never negative.
#[inline]
pub fn sqrt_down(a: f64) -> f64 {
    a.sqrt().next_down().max(0.0)
}

/// A bound of `|fl(a·b) − a·b|` for the three-term dot product, itself rounded outward.
///
/// Proof: for any order of the two additions |fl(a·b) − a·b| ≤ γ₃ S + 3η with S = Σ|aᵢbᵢ| and γ₃ = 3u/(1−3u).
/// The computed s satisfies S ≤ s(1+γ₃) + 3η, so 4u·s + 32·2⁻¹⁰⁷⁴ exceeds the bound with a margin of about u·s,
/// far more than the rounding errors of this very expression (relative 2u of 4u·s).
#[inline]
pub fn dot_error(a: DVec3, b: DVec3) -> f64 {
    let s = a.abs().dot(b.abs());
    s * DOT_ERROR + UNDERFLOW
}

/// Never less than the exact `a · b`; infinite when the computation overflows.
#[inline]
pub fn dot_up(a: DVec3, b: DVec3) -> f64 {
    let up = (a.dot(b) + dot_error(a, b)).next_up();
    if up.is_nan() { f64::INFINITY } else { up }
}

/// Never more than the exact `a · b`; minus infinity when the computation overflows.
#[inline]
pub fn dot_down(a: DVec3, b: DVec3) -> f64 {
    -dot_up(-a, b)
}

/// Never less than the exact length of `a`; infinite when it overflows or a component is NaN.
#[inline]
pub fn length_up(a: DVec3) -> f64 {
    let m = a.abs().max_element();
    if m == 0.0 && !a.is_nan() {
        return 0.0;
    }
    if !m.is_finite() {
        return f64::INFINITY;
    }
    // Scaled so that squares neither overflow nor lose everything; the division's own error (relative u a
    // component) and that of the squared sum are below 8u together, hence the factor.
    let s = a / m;
    let up = ((s.length() * (1.0 + 8.0 * f64::EPSILON)).next_up() * m).next_up();
    if up.is_nan() { f64::INFINITY } else { up }
}

/// Never more than the exact length of `a`; 0 when a component is NaN.
#[inline]
pub fn length_down(a: DVec3) -> f64 {
    let m = a.abs().max_element();
    if m == 0.0 || m.is_nan() || a.is_nan() {
        return 0.0;
    }
    if m == f64::INFINITY {
        return f64::MAX;
    }
    // The same errors as in `length_up`, taken off instead of put on.
    let s = a / m;
    ((s.length() * (1.0 - 8.0 * f64::EPSILON)).next_down() * m).next_down().max(0.0)
}
