//! Numbers as unevaluated sums of two doubles (about 106 bits), and the few operations the support solver needs
//! of any number. Error-free transformations after Dekker and Knuth; no fused operation, so every machine gives
//! the same bits.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// A number type of the support solver: `f64` for speed, [`DoubleDouble`] for the last word.
pub(super) trait Scalar:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// sin² of the angle below which an edge counts as lying in the span of the others.
    const DEGENERATE: f64;
    /// Relative difference below which two radii count as equal.
    const TIE: f64;

    /// The double, exactly.
    fn from_f64(value: f64) -> Self;
    /// a − b, as exactly as the type can.
    fn difference(a: f64, b: f64) -> Self;
    /// Nearest double, to rounding.
    fn to_f64(self) -> f64;
    /// Square root; of a negative number 0.
    fn sqrt(self) -> Self;
    /// base + self·scale as a double, rounded once; `scale` is a power of two.
    fn offset_from(self, base: f64, scale: f64) -> f64;
}

impl Scalar for f64 {
    const DEGENERATE: f64 = 1e-13;
    const TIE: f64 = 1e-12;

    fn from_f64(value: f64) -> Self {
        value
    }

    fn difference(a: f64, b: f64) -> Self {
        a - b
    }

    fn to_f64(self) -> f64 {
        self
    }

    fn sqrt(self) -> Self {
        if self > 0.0 { f64::sqrt(self) } else { 0.0 }
    }

    fn offset_from(self, base: f64, scale: f64) -> f64 {
        base + self * scale
    }
}

/// hi + lo with |lo| ≤ ulp(hi)/2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct DoubleDouble {
    hi: f64,
    lo: f64,
}

/// a + b exactly, as rounded sum and its error.
#[inline]
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    let t = s - a;
    (s, (a - (s - t)) + (b - t))
}

/// The same when |a| ≥ |b| or a = 0.
#[inline]
fn quick_two_sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    (s, b - (s - a))
}

/// The upper and lower 26 bits of a double.
#[inline]
fn split(a: f64) -> (f64, f64) {
    let t = a * 134_217_729.0; // 2²⁷ + 1
    let hi = t - (t - a);
    (hi, a - hi)
}

/// a · b exactly, as rounded product and its error (no overflow, no underflow assumed).
#[inline]
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let p = a * b;
    let ((a1, a0), (b1, b0)) = (split(a), split(b));
    (p, ((a1 * b1 - p) + a1 * b0 + a0 * b1) + a0 * b0)
}

impl DoubleDouble {
    #[inline]
    fn renormalised(hi: f64, lo: f64) -> Self {
        let (hi, lo) = quick_two_sum(hi, lo);
        DoubleDouble { hi, lo }
    }
}

impl Add for DoubleDouble {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        let (s, e) = two_sum(self.hi, other.hi);
        let (t, f) = two_sum(self.lo, other.lo);
        let (s, e) = quick_two_sum(s, e + t);
        Self::renormalised(s, e + f)
    }
}

impl Neg for DoubleDouble {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        DoubleDouble { hi: -self.hi, lo: -self.lo }
    }
}

impl Sub for DoubleDouble {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for DoubleDouble {
    type Output = Self;

    #[inline]
    fn mul(self, other: Self) -> Self {
        let (p, e) = two_product(self.hi, other.hi);
        Self::renormalised(p, e + (self.hi * other.lo + self.lo * other.hi))
    }
}

impl Div for DoubleDouble {
    type Output = Self;

    /// Long division with three partial quotients.
    #[inline]
    fn div(self, other: Self) -> Self {
        let scaled = |q: f64| other * Self::from_f64(q);
        let q1 = self.hi / other.hi;
        let rest = self - scaled(q1);
        let q2 = rest.hi / other.hi;
        let rest = rest - scaled(q2);
        let q3 = rest.hi / other.hi;
        let (hi, lo) = quick_two_sum(q1, q2);
        DoubleDouble { hi, lo } + Self::from_f64(q3)
    }
}

impl Scalar for DoubleDouble {
    const DEGENERATE: f64 = 1e-28;
    const TIE: f64 = 1e-26;

    fn from_f64(value: f64) -> Self {
        DoubleDouble { hi: value, lo: 0.0 }
    }

    fn difference(a: f64, b: f64) -> Self {
        let (hi, lo) = two_sum(a, -b);
        DoubleDouble { hi, lo }
    }

    fn to_f64(self) -> f64 {
        self.hi
    }

    /// Karp's step: x ≈ √a in double, then x + (a − x²)/(2x).
    fn sqrt(self) -> Self {
        if self.hi > 0.0 {
            let root = self.hi.sqrt();
            let (p, e) = two_product(root, root);
            let rest = self - DoubleDouble { hi: p, lo: e };
            Self::renormalised(root, rest.hi / (2.0 * root))
        } else {
            Self::from_f64(0.0)
        }
    }

    fn offset_from(self, base: f64, scale: f64) -> f64 {
        let (sum, error) = two_sum(base, self.hi * scale);
        sum + (error + self.lo * scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::rational::{abs, exact};

    #[test]
    fn operations_have_106_bits() {
        let mut generator = testkit::Generator::free(7);
        let value = |d: DoubleDouble| exact(d.hi) + exact(d.lo);
        for _ in 0..500 {
            let mut number =
                || DoubleDouble::renormalised(generator.coordinate() + 2.5, generator.coordinate() * 1e-17);
            let (a, b) = (number(), number());
            let tolerance = exact(1e-30);
            assert!(abs(&(value(a + b) - (value(a) + value(b)))) < tolerance);
            assert!(abs(&(value(a - b) - (value(a) - value(b)))) < tolerance);
            assert!(abs(&(value(a * b) - value(a) * value(b))) < tolerance);
            assert!(abs(&(value(a / b) - value(a) / value(b))) < tolerance);
            let root = value(a.sqrt());
            assert!(abs(&(&root * &root - value(a))) < tolerance);
        }
    }
}
