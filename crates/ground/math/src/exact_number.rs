//! Numbers that do not round, by how much room they need: words, a few words, any.

use crate::{Dyadic, Sign};
use std::cmp::Ordering;

/// A number without rounding. Which one holds all that a computation makes is decided ahead ([`Span`]); none of these operations
/// checks.
pub trait Exact: Clone {
    /// value·2^−unit, for a value that is a multiple of 2^unit. Numbers of any size may leave the unit out: then they do so everywhere,
    /// and signs of what is homogeneous are the same.
    fn in_units(value: f64, unit: i32) -> Self;

    /// 0, 1 or −1.
    fn whole(value: i8) -> Self;

    /// The sum.
    #[must_use]
    fn plus(&self, other: &Self) -> Self;

    /// The difference.
    #[must_use]
    fn minus(&self, other: &Self) -> Self;

    /// The product.
    #[must_use]
    fn times(&self, other: &Self) -> Self;

    /// The opposite.
    #[must_use]
    fn negated(&self) -> Self;

    /// The sign.
    fn sign(&self) -> Sign;

    /// The quotient in doubles, off by at most 4u relative.
    fn over(&self, divisor: &Self) -> f64;

    /// Whether it is zero.
    #[inline]
    fn is_nothing(&self) -> bool {
        self.sign() == Sign::Zero
    }

    /// The absolute value.
    #[must_use]
    #[inline]
    fn size(&self) -> Self {
        if self.sign() == Sign::Negative { self.negated() } else { self.clone() }
    }
}

impl Exact for Dyadic {
    fn in_units(value: f64, _unit: i32) -> Dyadic {
        Dyadic::of_finite(value)
    }

    fn whole(value: i8) -> Dyadic {
        Dyadic::of_finite(f64::from(value))
    }

    fn plus(&self, other: &Dyadic) -> Dyadic {
        self + other
    }

    fn minus(&self, other: &Dyadic) -> Dyadic {
        self - other
    }

    fn times(&self, other: &Dyadic) -> Dyadic {
        self * other
    }

    fn negated(&self) -> Dyadic {
        -self.clone()
    }

    fn sign(&self) -> Sign {
        Dyadic::sign(self)
    }

    fn over(&self, divisor: &Dyadic) -> f64 {
        self.quotient(divisor)
    }
}

impl Exact for i128 {
    #[inline]
    fn in_units(value: f64, unit: i32) -> i128 {
        let Some((odd, exponent)) = parts(value) else { return 0 };
        let size = i128::from(odd) << (exponent - unit);
        if value < 0.0 { -size } else { size }
    }

    #[inline]
    fn whole(value: i8) -> i128 {
        i128::from(value)
    }

    #[inline]
    fn plus(&self, other: &i128) -> i128 {
        self + other
    }

    #[inline]
    fn minus(&self, other: &i128) -> i128 {
        self - other
    }

    #[inline]
    fn times(&self, other: &i128) -> i128 {
        self * other
    }

    #[inline]
    fn negated(&self) -> i128 {
        -self
    }

    #[inline]
    fn sign(&self) -> Sign {
        match self.signum() {
            1 => Sign::Positive,
            0 => Sign::Zero,
            _ => Sign::Negative,
        }
    }

    fn over(&self, divisor: &i128) -> f64 {
        *self as f64 / *divisor as f64
    }
}

/// An integer of up to [`Wide::BITS`] bits, without memory from elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct Wide<const WORDS: usize> {
    /// From low to high; zero from `used` on.
    words: [u64; WORDS],
    used: usize,
    negative: bool,
}

impl<const WORDS: usize> Wide<WORDS> {
    /// What it holds. A product of two numbers takes up to two words more than its bits while it is made.
    pub const BITS: u32 = 64 * (WORDS as u32 - 2);

    const ZERO: Self = Wide { words: [0; WORDS], used: 0, negative: false };

    /// The sum of the absolute values, with this number's sign.
    #[inline]
    fn grown(&self, by: &Self) -> Self {
        let mut sum = Wide { used: self.used.max(by.used), negative: self.negative, ..Self::ZERO };
        let mut carry = false;
        for k in 0..sum.used {
            (sum.words[k], carry) = with_carry(self.words[k], by.words[k], carry);
        }
        if carry {
            sum.words[sum.used] = 1;
            sum.used += 1;
        }
        sum
    }

    /// The difference of the absolute values, of which this one is the greater; with the given sign.
    #[inline]
    fn shrunk(&self, by: &Self, negative: bool) -> Self {
        let mut rest = Wide { used: self.used, negative, ..Self::ZERO };
        let mut borrow = false;
        for k in 0..self.used {
            let (less, first) = self.words[k].overflowing_sub(by.words[k]);
            let (less, second) = less.overflowing_sub(u64::from(borrow));
            (rest.words[k], borrow) = (less, first | second);
        }
        while rest.used > 0 && rest.words[rest.used - 1] == 0 {
            rest.used -= 1;
        }
        rest
    }

    /// The sum with a number of this absolute value and sign.
    #[inline]
    fn with(&self, other: &Self, negative: bool) -> Self {
        if other.used == 0 {
            return *self;
        }
        if self.negative == negative {
            return self.grown(other);
        }
        match self.compare(other) {
            Ordering::Greater => self.shrunk(other, self.negative),
            Ordering::Equal => Self::ZERO,
            Ordering::Less => other.shrunk(self, negative),
        }
    }

    /// The order of the absolute values.
    #[inline]
    fn compare(&self, other: &Self) -> Ordering {
        let mut order = self.used.cmp(&other.used);
        let mut k = self.used;
        while order == Ordering::Equal && k > 0 {
            k -= 1;
            order = self.words[k].cmp(&other.words[k]);
        }
        order
    }

    /// Rounded: by u, and 2⁻⁶⁴ for the words below the two highest.
    fn rounded(&self) -> f64 {
        let low = self.used.saturating_sub(2);
        let both = u128::from(self.words[low]) | u128::from(self.words[low + 1]) << 64;
        let size = both as f64 * f64::from_bits((1023 + 64 * low as u64) << 52);
        if self.negative { -size } else { size }
    }
}

#[inline]
fn with_carry(a: u64, b: u64, carry: bool) -> (u64, bool) {
    let (sum, first) = a.overflowing_add(b);
    let (sum, second) = sum.overflowing_add(u64::from(carry));
    (sum, first | second)
}

impl<const WORDS: usize> Exact for Wide<WORDS> {
    #[inline]
    fn in_units(value: f64, unit: i32) -> Self {
        let Some((odd, exponent)) = parts(value) else { return Self::ZERO };
        let (word, shift) = ((exponent - unit) as usize / 64, (exponent - unit) as u32 % 64);
        let both = u128::from(odd) << shift;
        let mut wide = Wide { negative: value < 0.0, ..Self::ZERO };
        (wide.words[word], wide.words[word + 1]) = (both as u64, (both >> 64) as u64);
        wide.used = word + 1 + usize::from(wide.words[word + 1] != 0);
        wide
    }

    #[inline]
    fn whole(value: i8) -> Self {
        Self::in_units(f64::from(value), 0)
    }

    #[inline]
    fn plus(&self, other: &Self) -> Self {
        self.with(other, other.negative)
    }

    #[inline]
    fn minus(&self, other: &Self) -> Self {
        self.with(other, !other.negative)
    }

    #[inline]
    fn times(&self, other: &Self) -> Self {
        if self.used == 0 || other.used == 0 {
            return Self::ZERO;
        }
        let mut product = Wide { negative: self.negative != other.negative, ..Self::ZERO };
        if self.used == 1 && other.used == 1 {
            let both = u128::from(self.words[0]) * u128::from(other.words[0]);
            (product.words[0], product.words[1]) = (both as u64, (both >> 64) as u64);
            product.used = 1 + usize::from(product.words[1] != 0);
            return product;
        }
        for (i, &word) in self.words[..self.used].iter().enumerate() {
            let mut carry = 0;
            for (j, &times) in other.words[..other.used].iter().enumerate() {
                // At most (2⁶⁴ − 1)² + 2(2⁶⁴ − 1) = 2¹²⁸ − 1.
                let sum = u128::from(word) * u128::from(times)
                    + u128::from(product.words[i + j])
                    + u128::from(carry);
                (product.words[i + j], carry) = (sum as u64, (sum >> 64) as u64);
            }
            product.words[i + other.used] = carry;
        }
        let most = self.used + other.used;
        product.used = most - usize::from(product.words[most - 1] == 0);
        product
    }

    #[inline]
    fn negated(&self) -> Self {
        Wide { negative: !self.negative, ..*self }
    }

    #[inline]
    fn sign(&self) -> Sign {
        if self.used == 0 {
            Sign::Zero
        } else if self.negative {
            Sign::Negative
        } else {
            Sign::Positive
        }
    }

    fn over(&self, divisor: &Self) -> f64 {
        self.rounded() / divisor.rounded()
    }
}

/// m and e with |value| = m·2ᵉ, m odd; none for zero.
#[inline]
fn parts(value: f64) -> Option<(u64, i32)> {
    let bits = value.to_bits();
    let biased = (bits >> 52) as i32 & 0x7ff;
    let fraction = bits & ((1 << 52) - 1);
    let (size, exponent) = if biased == 0 { (fraction, -1074) } else { (fraction | 1 << 52, biased - 1075) };
    (size != 0).then(|| (size >> size.trailing_zeros(), exponent + size.trailing_zeros().cast_signed()))
}

/// Between which powers of two the bits of some doubles lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// All are multiples of 2^unit.
    pub unit: i32,
    /// And below 2^(unit + bits).
    pub bits: u32,
}

impl Span {
    /// Of finite doubles.
    #[inline]
    pub fn of(values: impl IntoIterator<Item = f64>) -> Span {
        let (mut low, mut high) = (i32::MAX, i32::MIN);
        for (odd, exponent) in values.into_iter().filter_map(parts) {
            low = low.min(exponent);
            high = high.max(exponent + 64 - odd.leading_zeros().cast_signed());
        }
        if low < high {
            Span { unit: low, bits: (high - low).cast_unsigned() }
        } else {
            Span { unit: 0, bits: 0 }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::Generator;

    fn formula<N: Exact>([a, b, c, d]: [N; 4]) -> [N; 2] {
        let (sum, rest) = (a.times(&b).plus(&c.times(&d)), a.times(&d).minus(&b.times(&c)));
        [sum.times(&rest).minus(&rest.times(&rest)), sum.negated().size()]
    }

    /// Sums and products of random numbers of many widths, against numbers of any size.
    #[test]
    fn all_numbers_say_the_same() {
        let mut random = Generator::free(3);
        let (mut zeros, mut short) = (0, 0);
        for round in 0..20_000 {
            let mut value = || {
                let small = random.index(7) as f64 - 3.0;
                let power = i32::try_from(random.index(if round % 2 == 0 { 8 } else { 100 })).unwrap();
                let fraction = if random.index(3) == 0 { random.unit() } else { 1.0 };
                (small * fraction * 2.0_f64.powi(20)).round() * 2.0_f64.powi(power)
            };
            let doubles = [value(), value(), value(), value()];
            let span = Span::of(doubles);
            let end = 2.0_f64.powi(span.unit + span.bits.cast_signed());
            assert!(doubles.iter().all(|x| (x * 2.0_f64.powi(-span.unit)).fract() == 0.0));
            assert!(doubles.iter().all(|x| x.abs() < end || *x == 0.0));
            let [p, q] = formula(doubles.map(|x| Wide::<12>::in_units(x, span.unit)));
            let [r, s] = formula(doubles.map(|x| Dyadic::in_units(x, span.unit)));
            assert_eq!([p.sign(), q.sign()], [Exact::sign(&r), Exact::sign(&s)]);
            zeros += usize::from(p.is_nothing());
            if !q.is_nothing() {
                let (one, other) = (p.over(&q.times(&q)), r.over(&s.times(&s)));
                assert!((one - other).abs() <= 8.0 * f64::EPSILON * other.abs(), "{one} {other}");
            }
            if span.bits < 30 {
                let [t, _] = formula(doubles.map(|x| i128::in_units(x, span.unit)));
                assert_eq!(t.sign(), p.sign());
                short += 1;
            }
        }
        assert!((500..15_000).contains(&zeros) && short > 1000, "{zeros} {short}");
    }

    #[test]
    fn spans_begin_at_the_lowest_bit() {
        type Short = Wide<4>;
        assert_eq!(Span::of([0.0, -0.0]), Span { unit: 0, bits: 0 });
        assert_eq!(Span::of([0.75, -5.0]), Span { unit: -2, bits: 5 });
        assert_eq!(Span::of([f64::from_bits(3)]), Span { unit: -1074, bits: 2 });
        assert_eq!(i128::in_units(-5.0, -2), -20);
        assert_eq!(Short::in_units(-1.5, -1).plus(&Short::whole(1)).over(&Short::whole(1)), -2.0);
    }
}
