//! Closed intervals of reals with outward rounding: every operation returns an interval that contains the exact
//! result for every choice of members of its operands.
//!
//! Rounding: IEEE operations round to nearest, so the exact value lies strictly between the neighbours of the
//! computed one; stepping to that neighbour is a proof. Sums find out by `two_sum` whether a step is needed at
//! all, products and quotients by zero or by the point 1 are known to be exact; the rest always steps.

use crate::Sign;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A closed interval of reals, possibly unbounded, possibly empty. Bounds are never NaN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    lo: f64,
    hi: f64,
}

/// Never more than the exact `a + b`, and equal to it when it is a double.
#[inline]
fn sum_down(a: f64, b: f64) -> f64 {
    let s = a + b;
    if !s.is_finite() {
        return if s.is_nan() { f64::NEG_INFINITY } else { s.next_down() };
    }
    // Knuth's two_sum: `error` is the exact s' − s (sums of doubles do not underflow); it is not finite only next
    // to the overflow threshold, where the comparison fails and we step.
    let b_part = s - a;
    let error = (a - (s - b_part)) + (b - b_part);
    if error >= 0.0 { s } else { s.next_down() }
}

/// Never more than the exact `a · b`; 0 · ∞ is 0, as for bounds of sets.
#[inline]
fn product_down(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 {
        0.0
    } else if a == 1.0 {
        b
    } else if b == 1.0 {
        a
    } else {
        (a * b).next_down()
    }
}

/// Never more than the exact `a / b`, b ≠ 0; ∞/∞ is 0 (the other corners then carry the extremes).
#[inline]
fn quotient_down(a: f64, b: f64) -> f64 {
    if a == 0.0 || (a.is_infinite() && b.is_infinite()) {
        0.0
    } else if b == 1.0 {
        a
    } else {
        (a / b).next_down()
    }
}

impl Interval {
    /// The empty set.
    pub const EMPTY: Interval = Interval { lo: f64::INFINITY, hi: f64::NEG_INFINITY };
    /// All reals.
    pub const ENTIRE: Interval = Interval { lo: f64::NEG_INFINITY, hi: f64::INFINITY };
    /// Exactly 0.
    pub const ZERO: Interval = Interval { lo: 0.0, hi: 0.0 };
    /// Exactly 1.
    pub const ONE: Interval = Interval { lo: 1.0, hi: 1.0 };

    /// All reals from `lo` to `hi`: empty when `lo > hi`, all reals when a bound is NaN.
    #[inline]
    pub fn new(lo: f64, hi: f64) -> Interval {
        if lo <= hi {
            // An infinite bound means unbounded on that side; a set of reals cannot be the point ∞.
            Interval { lo: lo.min(f64::MAX), hi: hi.max(f64::MIN) }
        } else if lo > hi {
            Interval::EMPTY
        } else {
            Interval::ENTIRE
        }
    }

    /// The single number `value`.
    #[inline]
    pub fn point(value: f64) -> Interval {
        Interval::new(value, value)
    }

    /// `value` ± `radius`, rounded outward; all reals when the radius is NaN.
    #[inline]
    pub fn around(value: f64, radius: f64) -> Interval {
        Interval::point(value) + Interval::new(-radius, radius)
    }

    /// Least member; +∞ when empty.
    #[inline]
    pub fn lo(self) -> f64 {
        self.lo
    }

    /// Greatest member; −∞ when empty.
    #[inline]
    pub fn hi(self) -> f64 {
        self.hi
    }

    /// True for the empty set.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.lo > self.hi
    }

    /// True when neither bound is infinite and the set is not empty.
    #[inline]
    pub fn is_bounded(self) -> bool {
        self.lo.is_finite() && self.hi.is_finite()
    }

    /// True when `value` is a member.
    #[inline]
    pub fn contains(self, value: f64) -> bool {
        self.lo <= value && value <= self.hi
    }

    /// True when every member of `other` is a member.
    #[inline]
    pub fn encloses(self, other: Interval) -> bool {
        other.is_empty() || (self.lo <= other.lo && other.hi <= self.hi)
    }

    /// hi − lo, never less than the exact width; 0 when empty.
    #[inline]
    pub fn width(self) -> f64 {
        if self.is_empty() { 0.0 } else { -sum_down(self.lo, -self.hi) }
    }

    /// A finite double inside the set (inside its hull with rounding); 0 when empty.
    #[inline]
    pub fn middle(self) -> f64 {
        if self.is_empty() || self == Interval::ENTIRE {
            return 0.0;
        }
        let (lo, hi) = (self.lo.max(f64::MIN), self.hi.min(f64::MAX));
        let sum = lo + hi;
        let middle = if sum.is_finite() { 0.5 * sum } else { 0.5 * lo + 0.5 * hi };
        middle.clamp(lo, hi)
    }

    /// Never less than the greatest |x|; 0 when empty.
    #[inline]
    pub fn magnitude(self) -> f64 {
        if self.is_empty() { 0.0 } else { self.lo.abs().max(self.hi.abs()) }
    }

    /// Never more than the least |x|; 0 when empty or when 0 is a member.
    #[inline]
    pub fn mignitude(self) -> f64 {
        if self.is_empty() { 0.0 } else { self.lo.max(-self.hi).max(0.0) }
    }

    /// Sign shared by all members; none when they differ or the set is empty.
    #[inline]
    pub fn sign(self) -> Option<Sign> {
        if self.is_empty() {
            None
        } else if self.lo > 0.0 {
            Some(Sign::Positive)
        } else if self.hi < 0.0 {
            Some(Sign::Negative)
        } else if self.lo == 0.0 && self.hi == 0.0 {
            Some(Sign::Zero)
        } else {
            None
        }
    }

    /// Smallest interval containing both.
    #[inline]
    #[must_use]
    pub fn hull(self, other: Interval) -> Interval {
        Interval { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    /// Common members.
    #[inline]
    #[must_use]
    pub fn intersect(self, other: Interval) -> Interval {
        let (lo, hi) = (self.lo.max(other.lo), self.hi.min(other.hi));
        if lo <= hi { Interval { lo, hi } } else { Interval::EMPTY }
    }

    /// |x|
    #[inline]
    #[must_use]
    pub fn abs(self) -> Interval {
        if self.is_empty() { self } else { Interval { lo: self.mignitude(), hi: self.magnitude() } }
    }

    /// The lesser of x and y, for every pair.
    #[inline]
    #[must_use]
    pub fn min(self, other: Interval) -> Interval {
        if self.is_empty() || other.is_empty() {
            return Interval::EMPTY;
        }
        Interval { lo: self.lo.min(other.lo), hi: self.hi.min(other.hi) }
    }

    /// The greater of x and y, for every pair.
    #[inline]
    #[must_use]
    pub fn max(self, other: Interval) -> Interval {
        -(-self).min(-other)
    }

    /// x², tighter than `x * x` when 0 is inside.
    #[inline]
    #[must_use]
    pub fn square(self) -> Interval {
        let a = self.abs();
        if a.is_empty() {
            return a;
        }
        Interval { lo: product_down(a.lo, a.lo).max(0.0), hi: -product_down(-a.hi, a.hi) }
    }

    /// √x over the members that have a root; empty when none has.
    #[inline]
    #[must_use]
    pub fn sqrt(self) -> Interval {
        let domain = self.intersect(Interval { lo: 0.0, hi: f64::INFINITY });
        if domain.is_empty() {
            return domain;
        }
        // A correctly rounded root is off by less than one step; 0, and 1 are exact.
        let step = |x: f64, s: fn(f64) -> f64| if x == 0.0 || x == 1.0 { x } else { s(x.sqrt()) };
        Interval { lo: step(domain.lo, f64::next_down).max(0.0), hi: step(domain.hi, f64::next_up) }
    }

    /// xⁿ, tight also for even n with 0 inside; x⁰ is 1.
    #[must_use]
    pub fn powi(self, n: u32) -> Interval {
        if self.is_empty() {
            return self;
        }
        if n == 0 {
            return Interval::ONE;
        }
        // Both bounds of |x|ⁿ come from the bounds of |x|: the power is monotone there.
        let power_down = |x: f64| (1..n).fold(x, |p, _| product_down(p, x).max(0.0));
        let power_up = |x: f64| (1..n).fold(x, |p, _| -product_down(-p, x));
        let odd = n % 2 == 1;
        if odd && self.lo < 0.0 {
            let lo = -power_up(-self.lo);
            let hi = if self.hi < 0.0 { -power_down(-self.hi) } else { power_up(self.hi) };
            return Interval { lo, hi };
        }
        let a = self.abs();
        Interval { lo: power_down(a.lo), hi: power_up(a.hi) }
    }

    /// All x with x·d = n for some n in `self` and d in `divisor`, as at most two intervals (the second, or both,
    /// may be empty). Unlike `/` this keeps the gap when 0 lies inside the divisor.
    pub fn divide_extended(self, divisor: Interval) -> [Interval; 2] {
        if self.is_empty() || divisor.is_empty() {
            return [Interval::EMPTY; 2];
        }
        if !divisor.contains(0.0) {
            return [self / divisor, Interval::EMPTY];
        }
        if self.contains(0.0) {
            return [Interval::ENTIRE, Interval::EMPTY];
        }
        if self.hi < 0.0 {
            let [a, b] = (-self).divide_extended(-divisor);
            return [a, b];
        }
        // Here n ≥ lo > 0 and d runs through 0: quotients reach from lo/d.hi up and from lo/d.lo down.
        let above = if divisor.hi > 0.0 {
            Interval { lo: quotient_down(self.lo, divisor.hi).max(0.0), hi: f64::INFINITY }
        } else {
            Interval::EMPTY
        };
        let below = if divisor.lo < 0.0 {
            Interval { lo: f64::NEG_INFINITY, hi: -quotient_down(self.lo, -divisor.lo).max(0.0) }
        } else {
            Interval::EMPTY
        };
        if below.is_empty() { [above, below] } else { [below, above] }
    }

    /// Half of every member.
    #[inline]
    #[must_use]
    pub fn half(self) -> Interval {
        self * Interval::point(0.5)
    }

    /// Splits at the middle; a point or the empty set gives itself twice.
    #[must_use]
    pub fn bisect(self) -> (Interval, Interval) {
        if self.is_empty() {
            return (self, self);
        }
        let middle = self.middle();
        (Interval { lo: self.lo, hi: middle }, Interval { lo: middle, hi: self.hi })
    }
}

impl From<f64> for Interval {
    fn from(value: f64) -> Interval {
        Interval::point(value)
    }
}

impl Neg for Interval {
    type Output = Interval;
    #[inline]
    fn neg(self) -> Interval {
        Interval { lo: -self.hi, hi: -self.lo }
    }
}

impl Add for Interval {
    type Output = Interval;
    #[inline]
    fn add(self, other: Interval) -> Interval {
        if self.is_empty() || other.is_empty() {
            return Interval::EMPTY;
        }
        Interval { lo: sum_down(self.lo, other.lo), hi: -sum_down(-self.hi, -other.hi) }
    }
}

impl Sub for Interval {
    type Output = Interval;
    #[inline]
    fn sub(self, other: Interval) -> Interval {
        self + (-other)
    }
}

impl Mul for Interval {
    type Output = Interval;
    #[inline]
    fn mul(self, other: Interval) -> Interval {
        if self.is_empty() || other.is_empty() {
            return Interval::EMPTY;
        }
        let (a, b) = (self, other);
        if a.lo >= 0.0 && b.lo >= 0.0 {
            return Interval { lo: product_down(a.lo, b.lo).max(0.0), hi: -product_down(-a.hi, b.hi) };
        }
        if a == Interval::ONE {
            return b;
        }
        if b == Interval::ONE {
            return a;
        }
        // x·y is linear in each factor, so its extremes are at the four corners.
        outward([
            corner_product(a.lo, b.lo),
            corner_product(a.lo, b.hi),
            corner_product(a.hi, b.lo),
            corner_product(a.hi, b.hi),
        ])
    }
}

impl Div for Interval {
    type Output = Interval;
    /// All quotients; the hull of `divide_extended` when 0 is in the divisor.
    #[inline]
    fn div(self, other: Interval) -> Interval {
        if self.is_empty() || other.is_empty() {
            return Interval::EMPTY;
        }
        if other.contains(0.0) {
            let [a, b] = self.divide_extended(other);
            return a.hull(b);
        }
        let (a, b) = (self, other);
        if b == Interval::ONE {
            return a;
        }
        // x/y is monotone in x and in y while y keeps its sign: extremes at the four corners.
        outward([
            corner_quotient(a.lo, b.lo),
            corner_quotient(a.lo, b.hi),
            corner_quotient(a.hi, b.lo),
            corner_quotient(a.hi, b.hi),
        ])
    }
}

/// a · b rounded, exactly 0 only when a factor is; an underflow to 0 becomes the smallest double of its sign, which
/// is within one step of the exact value.
#[inline]
fn corner_product(a: f64, b: f64) -> f64 {
    let product = a * b;
    if product == 0.0 || product.is_nan() {
        return if a == 0.0 || b == 0.0 { 0.0 } else { f64::from_bits(1).copysign(product) };
    }
    product
}

/// a / b rounded for b ≠ 0, exactly 0 only when a is; ∞/∞ is 0: the other corners then carry the extremes.
#[inline]
fn corner_quotient(a: f64, b: f64) -> f64 {
    let quotient = a / b;
    if quotient == 0.0 || quotient.is_nan() {
        return if a == 0.0 || quotient.is_nan() { 0.0 } else { f64::from_bits(1).copysign(quotient) };
    }
    quotient
}

/// The hull of values known to one step, an exact 0 staying 0.
#[inline]
fn outward(corners: [f64; 4]) -> Interval {
    let [a, b, c, d] = corners;
    let lo = a.min(b).min(c.min(d));
    let hi = a.max(b).max(c.max(d));
    Interval {
        lo: if lo == 0.0 { 0.0 } else { lo.next_down() },
        hi: if hi == 0.0 { 0.0 } else { hi.next_up() },
    }
}
