//! The integers of the exact stage, behind a trait, so that other kinds can be tried: numbers of fixed length on the stack were,
//! and were slower (copying costs more than allocating).

use dashu_int::{IBig, Word};
use kontakt_math::Sign;

/// An integer. Sums, differences and products are exact; implementors with a fixed capacity say how large the numbers they
/// are given may be, and the callers keep to it.
pub(crate) trait Whole: Clone {
    /// Coordinates may have this many bits, sign not counted.
    const COORDINATE_BITS: u32;
    /// Bisection of time may go this deep.
    const DEPTH: u32;
    /// mantissa·2^shift, in the sign of the mantissa.
    fn shifted(mantissa: i64, shift: u32) -> Self;
    fn plus(&self, other: &Self) -> Self;
    fn minus(&self, other: &Self) -> Self;
    fn times(&self, other: &Self) -> Self;
    /// self·2^bits
    fn shift(&self, bits: u32) -> Self;
    fn sign(&self) -> Sign;
    /// The leading bits as a double of at most 2¹²⁸ in size and the exponent they stand for: value ≈ head·2^exponent with a
    /// relative error of at most 1.1·2⁻⁵³, and with exponent 0 where the value is below 2⁶⁴ in size.
    fn leading(&self) -> (f64, i64);

    fn zero() -> Self {
        Self::shifted(0, 0)
    }
    fn is_zero(&self) -> bool {
        self.sign() == Sign::Zero
    }
    fn square(&self) -> Self {
        self.times(self)
    }
    /// self·factor for a small factor.
    fn multiple(&self, factor: i64) -> Self {
        self.times(&Self::shifted(factor, 0))
    }
    fn negated(&self) -> Self {
        Self::zero().minus(self)
    }
}

impl Whole for IBig {
    const COORDINATE_BITS: u32 = 2200;
    // Distinct roots of a cubic with coefficients of B bits are at least about 2^(−4B) apart; B is at most 6800.
    const DEPTH: u32 = 40_000;

    fn shifted(mantissa: i64, shift: u32) -> IBig {
        IBig::from(mantissa) << shift as usize
    }
    fn plus(&self, other: &IBig) -> IBig {
        self + other
    }
    fn minus(&self, other: &IBig) -> IBig {
        self - other
    }
    fn times(&self, other: &IBig) -> IBig {
        self * other
    }
    fn shift(&self, bits: u32) -> IBig {
        self << bits as usize
    }
    fn sign(&self) -> Sign {
        if IBig::is_zero(self) {
            Sign::Zero
        } else if IBig::sign(self) == dashu_int::Sign::Negative {
            Sign::Negative
        } else {
            Sign::Positive
        }
    }
    fn leading(&self) -> (f64, i64) {
        const KEPT: usize = (128 / Word::BITS) as usize;
        let (sign, words) = self.as_sign_words();
        let dropped = words.len().saturating_sub(KEPT);
        let append = |head: u128, word: &Word| head << Word::BITS | u128::from(*word);
        let head = words[dropped..].iter().rev().fold(0, append) as f64;
        let exponent = i64::try_from(dropped).map_or(i64::MAX / 4, |words| words * i64::from(Word::BITS));
        (if sign == dashu_int::Sign::Negative { -head } else { head }, exponent)
    }
}
