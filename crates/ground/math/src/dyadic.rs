//! Exact dyadic rationals m·2ᵉ: sums, differences and products of doubles without any rounding, overflow or
//! underflow. The last resort of every exact decision.

use crate::{Interval, Sign};
use dashu_int::IBig;
use dashu_int::ops::{BitTest, DivRem};
use std::ops::{Add, Mul, Neg, Sub};

/// An exact number m·2ᵉ. Equality and order are those of the values.
#[derive(Clone, Debug)]
pub struct Dyadic {
    mantissa: IBig,
    exponent: i64,
}

impl Dyadic {
    /// 0
    pub const ZERO: Dyadic = Dyadic { mantissa: IBig::ZERO, exponent: 0 };

    /// The exact value of a finite double; none for NaN and infinities.
    pub fn new(value: f64) -> Option<Dyadic> {
        if !value.is_finite() {
            return None;
        }
        let bits = value.to_bits();
        let biased = i64::from((bits >> 52) as u32 & 0x7FF);
        let fraction = bits & ((1 << 52) - 1);
        let (magnitude, exponent) =
            if biased == 0 { (fraction, -1074) } else { (fraction | 1 << 52, biased - 1075) };
        let shift = if magnitude == 0 { 0 } else { magnitude.trailing_zeros() };
        let magnitude = IBig::from(magnitude >> shift);
        let mantissa = if value < 0.0 { -magnitude } else { magnitude };
        Some(Dyadic { exponent: exponent + i64::from(shift), mantissa })
    }

    /// The exact value of a double, 0 for NaN and infinities: for callers that have checked.
    pub(crate) fn of_finite(value: f64) -> Dyadic {
        Dyadic::new(value).unwrap_or(Dyadic::ZERO)
    }

    /// An integer times a power of two. Not public: an absurd exponent would ask for absurd memory.
    pub(crate) fn from_parts(mantissa: IBig, exponent: i64) -> Dyadic {
        Dyadic { mantissa, exponent }
    }

    /// The m and e of m·2ᵉ.
    pub(crate) fn parts(&self) -> (&IBig, i64) {
        (&self.mantissa, self.exponent)
    }

    /// Sign of the value.
    pub fn sign(&self) -> Sign {
        integer_sign(&self.mantissa)
    }

    /// True for 0.
    pub fn is_zero(&self) -> bool {
        self.mantissa.is_zero()
    }

    /// Exactly half.
    #[must_use]
    pub fn half(&self) -> Dyadic {
        Dyadic { mantissa: self.mantissa.clone(), exponent: self.exponent - 1 }
    }

    /// The quotient rounded to a double, off by a few units in the last place; NaN or infinite for a divisor of zero. Neither number
    /// needs to be in the range of doubles.
    pub fn quotient(&self, divisor: &Dyadic) -> f64 {
        let ((a, a_exponent), (b, b_exponent)) = (self.leading(), divisor.leading());
        let exponent = (a_exponent - b_exponent).clamp(-2400, 2400);
        // In three factors, since one could leave the range of doubles.
        let power = |e: i64| f64::powi(2.0, i32::try_from(e).unwrap_or(0));
        let third = exponent / 3;
        a / b * power(third) * power(third) * power(exponent - 2 * third)
    }

    /// The quotient rounded to the **nearest** double, ties to even, as one rounding of the exact value; infinite beyond their range,
    /// NaN for a divisor of zero.
    pub fn nearest_quotient(&self, divisor: &Dyadic) -> f64 {
        if divisor.is_zero() {
            return f64::NAN;
        }
        if self.is_zero() {
            return 0.0;
        }
        // |quotient| = (bits + a rest below 1)·2^exponent with 64 or 65 bits; shifting the one or the other loses nothing.
        let length = |d: &Dyadic| i64::try_from(d.mantissa.bit_len()).unwrap_or(i64::MAX / 4);
        let shift = 64 + length(divisor) - length(self);
        let widened = |d: &Dyadic, by: i64| d.mantissa.clone() << usize::try_from(by).unwrap_or(0);
        let (a, b) = (widened(self, shift), widened(divisor, -shift));
        let (whole, rest) = a.div_rem(&b);
        let negative = self.sign() != divisor.sign();
        let bits = u128::try_from(if negative { -whole } else { whole }).unwrap_or(0);
        let size = rounded(bits, !rest.is_zero(), self.exponent - divisor.exponent - shift);
        if negative { -size } else { size }
    }

    /// The 62 leading bits as a double, and the exponent they stand for.
    fn leading(&self) -> (f64, i64) {
        let dropped = self.mantissa.bit_len().saturating_sub(62);
        let head = i64::try_from(&self.mantissa >> dropped).unwrap_or(0);
        (head as f64, self.exponent + i64::try_from(dropped).unwrap_or(0))
    }

    /// The mantissas of two numbers over their common, smaller exponent.
    fn aligned(&self, other: &Dyadic) -> (IBig, IBig, i64) {
        // A zero has no exponent of its own; adopting the other's avoids pointless shifts.
        if self.is_zero() {
            return (IBig::ZERO, other.mantissa.clone(), other.exponent);
        }
        if other.is_zero() {
            return (self.mantissa.clone(), IBig::ZERO, self.exponent);
        }
        let exponent = self.exponent.min(other.exponent);
        let shifted = |d: &Dyadic| &d.mantissa << usize::try_from(d.exponent - exponent).unwrap_or(0);
        (shifted(self), shifted(other), exponent)
    }

    /// An interval of two neighbouring doubles (or one) around the value, a little more below the smallest normal
    /// one; unbounded beyond the range of doubles.
    pub fn enclosure(&self) -> Interval {
        if self.is_zero() {
            return Interval::ZERO;
        }
        // Keep the 53 leading bits: the value lies between them and the next 53-bit number.
        let length = self.mantissa.bit_len();
        let dropped = length.saturating_sub(53);
        let negative = self.sign() == Sign::Negative;
        let magnitude = if negative { -self.mantissa.clone() } else { self.mantissa.clone() };
        let leading = &magnitude >> dropped;
        let exact = (&leading << dropped) == magnitude;
        let head = u64::try_from(&leading).unwrap_or(u64::MAX);
        let exponent = self.exponent + i64::try_from(dropped).unwrap_or(i64::MAX / 2);
        let lo = scaled(head, exponent);
        let hi = scaled(if exact { head } else { head + 1 }, exponent);
        let range = Interval::new(lo.lo(), hi.hi());
        if negative { -range } else { range }
    }
}

/// (bits + a rest below 1 if there is `more`)·2^exponent rounded to the nearest double, ties to even; bits has at least 55 bits.
fn rounded(bits: u128, more: bool, exponent: i64) -> f64 {
    // The value is at least half of 2^top and below it. The last bit that a double keeps is 53 below, or 2⁻¹⁰⁷⁴.
    let top = exponent + i64::from(128 - bits.leading_zeros());
    if top > 1024 {
        return f64::INFINITY;
    }
    let last = (top - 53).max(-1074);
    let dropped = last - exponent;
    let kept = match u32::try_from(dropped) {
        Ok(dropped) if dropped < 127 => {
            let (kept, below, half) = (bits >> dropped, bits & ((1 << dropped) - 1), 1 << (dropped - 1));
            let up = below > half || (below == half && (more || kept % 2 == 1));
            kept + u128::from(up)
        }
        // Less than half of the smallest double.
        _ => 0,
    };
    // Exact in two factors: the first keeps the number normal, and the result is a double (or beyond all).
    let power = |e: i64| f64::powi(2.0, i32::try_from(e).unwrap_or(0));
    kept as f64 * power(last / 2) * power(last - last / 2)
}

/// head·2^exponent for head ≤ 2⁵³, enclosed.
fn scaled(head: u64, exponent: i64) -> Interval {
    if exponent > 1100 {
        return Interval::new(f64::MAX, f64::INFINITY);
    }
    if exponent < -1300 {
        return Interval::new(0.0, f64::from_bits(1));
    }
    // Powers of two in three steps, none of which leaves the range of doubles by itself.
    let third = exponent / 3;
    let power = |e: i64| f64::powi(2.0, i32::try_from(e).unwrap_or(0));
    let (a, b, c) = (power(third), power(third), power(exponent - 2 * third));
    let (bits, head) = (head, head as f64);
    let plain = head * a * b * c;
    // All bits survive when the lowest is no smaller than the smallest double: the factors shrink (or grow)
    // steadily, so no step before the last is more delicate.
    let lowest = exponent + i64::from(bits.trailing_zeros());
    if bits == 0 || (lowest >= -1074 && plain.is_finite()) {
        return Interval::point(plain);
    }
    Interval::point(head) * Interval::point(a) * Interval::point(b) * Interval::point(c)
}

/// Sign of an integer.
pub(crate) fn integer_sign(value: &IBig) -> Sign {
    if value.is_zero() {
        Sign::Zero
    } else if value.sign() == dashu_int::Sign::Negative {
        Sign::Negative
    } else {
        Sign::Positive
    }
}

impl PartialEq for Dyadic {
    fn eq(&self, other: &Dyadic) -> bool {
        let (a, b, _) = self.aligned(other);
        a == b
    }
}

impl Eq for Dyadic {}

impl PartialOrd for Dyadic {
    fn partial_cmp(&self, other: &Dyadic) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Dyadic {
    fn cmp(&self, other: &Dyadic) -> std::cmp::Ordering {
        let (a, b, _) = self.aligned(other);
        a.cmp(&b)
    }
}

impl Neg for Dyadic {
    type Output = Dyadic;
    fn neg(self) -> Dyadic {
        Dyadic { mantissa: -self.mantissa, exponent: self.exponent }
    }
}

impl Add for &Dyadic {
    type Output = Dyadic;
    fn add(self, other: &Dyadic) -> Dyadic {
        let (a, b, exponent) = self.aligned(other);
        Dyadic { mantissa: a + b, exponent }
    }
}

impl Sub for &Dyadic {
    type Output = Dyadic;
    fn sub(self, other: &Dyadic) -> Dyadic {
        let (a, b, exponent) = self.aligned(other);
        Dyadic { mantissa: a - b, exponent }
    }
}

impl Mul for &Dyadic {
    type Output = Dyadic;
    fn mul(self, other: &Dyadic) -> Dyadic {
        Dyadic { mantissa: &self.mantissa * &other.mantissa, exponent: self.exponent + other.exponent }
    }
}
