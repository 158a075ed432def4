//! Integers of fixed capacity on the stack: several times faster than ones of any size, and enough for coordinates that span
//! up to 72 bits, as nearly all do.
//!
//! Capacity, with B bits a coordinate and times of scale at most s = `DEPTH` (bits of the largest number in each place):
//! quadratics 2B + 8, volume 3B + 10, its Bernstein form after s halvings 3B + 14 + 3s, its value at a moment 3B + 12 + 3s,
//! the square in the discriminant 12B + 50, a repeated root's fraction 9B + 35 and a quadratic's value there 20B + 80, the
//! remainder's fraction 7B + 29 and a quadratic's value there 16B + 68, squares at surds 12B + 56 + 2s. With B = 72 and s = 200
//! all are below 1536.

use super::whole::Whole;
use kontakt_math::Sign;
use std::cmp::Ordering;

/// 64-bit limbs.
const LIMBS: usize = 24;

/// Sign and magnitude; limbs from `len` on are zero, the one before is not.
#[derive(Clone, Debug)]
pub(super) struct Fixed {
    limbs: [u64; LIMBS],
    len: usize,
    negative: bool,
}

impl Fixed {
    const ZERO: Fixed = Fixed { limbs: [0; LIMBS], len: 0, negative: false };

    fn magnitude(&self) -> &[u64] {
        &self.limbs[..self.len]
    }

    fn compare_magnitude(&self, other: &Fixed) -> Ordering {
        self.len
            .cmp(&other.len)
            .then_with(|| self.magnitude().iter().rev().cmp(other.magnitude().iter().rev()))
    }

    /// |self| + |other| with the given sign.
    fn sum(&self, other: &Fixed, negative: bool) -> Fixed {
        let (long, short) = if self.len >= other.len { (self, other) } else { (other, self) };
        let mut sum = long.clone();
        sum.negative = negative;
        let mut carry = false;
        for (i, limb) in sum.limbs.iter_mut().enumerate().take(long.len + 1) {
            if i >= short.len && !carry {
                break;
            }
            let (value, first) = limb.overflowing_add(short.limbs[i]);
            let (value, second) = value.overflowing_add(u64::from(carry));
            *limb = value;
            carry = first | second;
        }
        debug_assert!(!carry || long.len < LIMBS, "capacity");
        sum.len = if long.len < LIMBS && sum.limbs[long.len] != 0 { long.len + 1 } else { long.len };
        sum
    }

    /// |self| − |other| with the given sign, for |self| > |other|.
    fn difference(&self, other: &Fixed, negative: bool) -> Fixed {
        let mut difference = self.clone();
        difference.negative = negative;
        let mut borrow = false;
        for (i, limb) in difference.limbs.iter_mut().enumerate().take(self.len) {
            if i >= other.len && !borrow {
                break;
            }
            let (value, first) = limb.overflowing_sub(other.limbs[i]);
            let (value, second) = value.overflowing_sub(u64::from(borrow));
            *limb = value;
            borrow = first | second;
        }
        while difference.len > 0 && difference.limbs[difference.len - 1] == 0 {
            difference.len -= 1;
        }
        difference
    }

    /// self + other, or self − other when `flip`.
    fn combined(&self, other: &Fixed, flip: bool) -> Fixed {
        let other_negative = other.negative != flip;
        if self.len == 0 {
            let mut other = other.clone();
            other.negative = other_negative && other.len > 0;
            return other;
        }
        if other.len == 0 {
            return self.clone();
        }
        if self.negative == other_negative {
            return self.sum(other, self.negative);
        }
        match self.compare_magnitude(other) {
            Ordering::Greater => self.difference(other, self.negative),
            Ordering::Less => other.difference(self, other_negative),
            Ordering::Equal => Fixed::ZERO,
        }
    }
}

impl Whole for Fixed {
    const COORDINATE_BITS: u32 = 72;
    const DEPTH: u32 = 200;

    fn shifted(mantissa: i64, shift: u32) -> Fixed {
        let mut value = Fixed::ZERO;
        value.limbs[0] = mantissa.unsigned_abs();
        value.len = usize::from(mantissa != 0);
        value.negative = mantissa < 0;
        if shift == 0 { value } else { value.shift(shift) }
    }

    fn plus(&self, other: &Fixed) -> Fixed {
        self.combined(other, false)
    }

    fn minus(&self, other: &Fixed) -> Fixed {
        self.combined(other, true)
    }

    fn times(&self, other: &Fixed) -> Fixed {
        if self.len == 0 || other.len == 0 {
            return Fixed::ZERO;
        }
        debug_assert!(self.len + other.len <= LIMBS, "capacity");
        let mut product = Fixed::ZERO;
        product.negative = self.negative != other.negative;
        for (i, &a) in self.magnitude().iter().enumerate() {
            let mut carry = 0_u64;
            let row = product.limbs[i..].iter_mut();
            for (limb, &b) in row.zip(other.limbs[..=other.len.min(LIMBS - 1)].iter()) {
                // At most (2⁶⁴−1)² + 2(2⁶⁴−1) = 2¹²⁸ − 1. The zero limb after `other` takes the last carry.
                let value = u128::from(a) * u128::from(b) + u128::from(*limb) + u128::from(carry);
                *limb = value as u64;
                carry = (value >> 64) as u64;
            }
        }
        let len = (self.len + other.len).min(LIMBS);
        product.len = if product.limbs[len - 1] == 0 { len - 1 } else { len };
        product
    }

    fn shift(&self, bits: u32) -> Fixed {
        if self.len == 0 || bits == 0 {
            return self.clone();
        }
        let (whole, part) = ((bits / 64) as usize, bits % 64);
        debug_assert!(self.len + whole + usize::from(part > 0) <= LIMBS, "capacity");
        let mut shifted = Fixed::ZERO;
        shifted.negative = self.negative;
        let mut carry = 0;
        let taken = self.limbs[..(self.len + 1).min(LIMBS)].iter();
        for (to, &from) in shifted.limbs.iter_mut().skip(whole).zip(taken) {
            *to = if part == 0 { from } else { from << part | carry };
            carry = if part == 0 { 0 } else { from >> (64 - part) };
        }
        let len = (self.len + whole + 1).min(LIMBS);
        shifted.len = if shifted.limbs[len - 1] == 0 { len - 1 } else { len };
        shifted
    }

    fn sign(&self) -> Sign {
        match (self.len, self.negative) {
            (0, _) => Sign::Zero,
            (_, true) => Sign::Negative,
            (_, false) => Sign::Positive,
        }
    }

    fn leading(&self) -> (f64, i64) {
        let sign = if self.negative { -1.0 } else { 1.0 };
        match self.magnitude() {
            [] => (0.0, 0),
            [low] => (sign * *low as f64, 0),
            // The top limb may hold few bits, so the next one counts too: below 2¹²⁸ a double has room.
            [.., low, high] => {
                let head = *high as f64 * 18_446_744_073_709_551_616.0 + *low as f64;
                (sign * head, 64 * (self.len as i64 - 2))
            }
        }
    }

    fn negated(&self) -> Fixed {
        let mut opposite = self.clone();
        opposite.negative = self.len > 0 && !self.negative;
        opposite
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dashu_int::IBig;

    fn as_big(value: &Fixed) -> IBig {
        let magnitude = value.magnitude().iter().rev().fold(IBig::ZERO, |sum, &limb| (sum << 64) + IBig::from(limb));
        if value.negative { -magnitude } else { magnitude }
    }

    /// Sums, differences, products and shifts of numbers of every length, with limbs of all ones and of zeros among them.
    #[test]
    fn agrees_with_integers_of_any_size() {
        let mut g = testkit::Generator::free(31);
        let mut number = |limbs: usize| {
            let mut value = Fixed::ZERO;
            for _ in 0..limbs {
                let limb = match g.index(4) {
                    0 => i64::MAX,
                    1 => 0,
                    2 => 1,
                    _ => (g.unit() * 9e18) as i64,
                };
                value = value.shift(64).plus(&Fixed::shifted(limb, g.index(2) as u32));
            }
            if g.index(2) == 0 { value.negated() } else { value }
        };
        for round in 0..3000 {
            let (a, b) = (number(round % 11), number(round / 11 % 11));
            let (x, y) = (as_big(&a), as_big(&b));
            assert_eq!(as_big(&a.plus(&b)), &x + &y);
            assert_eq!(as_big(&a.minus(&b)), &x - &y);
            assert_eq!(as_big(&a.times(&b)), &x * &y);
            assert_eq!(as_big(&a.minus(&a)), IBig::ZERO);
            assert_eq!(as_big(&a.shift(round as u32 % 200)), x.clone() << (round % 200));
            assert_eq!(a.plus(&b).sign(), Whole::sign(&(&x + &y)));
            let (head, exponent) = a.leading();
            let (other, other_exponent) = x.leading();
            let ratio = head / other * f64::powi(2.0, (exponent - other_exponent) as i32);
            assert!(a.is_zero() || (ratio - 1.0).abs() < 1e-15, "{ratio}");
        }
    }
}
