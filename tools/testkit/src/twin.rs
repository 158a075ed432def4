//! Double-double numbers: about 31 digits, for references and for filters in front of rationals.

use crate::rational::{Rational, exact};
use num_traits::ToPrimitive;
use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// An unevaluated sum of two doubles, the second at most half an ulp of the first. Each operation is good to a few 2⁻¹⁰⁴ of
/// its result, as long as nothing overflows or underflows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Twin {
    /// The double nearest to the sum.
    pub high: f64,
    /// What is left.
    pub low: f64,
}

/// A vector of them.
pub type TwinVector = [Twin; 3];

impl Twin {
    /// Nothing.
    pub const ZERO: Twin = Twin { high: 0.0, low: 0.0 };
    /// One.
    pub const ONE: Twin = Twin { high: 1.0, low: 0.0 };

    /// The nearest twin.
    pub fn near(value: &Rational) -> Twin {
        let high = value.to_f64().unwrap_or(0.0);
        Twin { high, low: (value - exact(high)).to_f64().unwrap_or(0.0) }
    }

    /// The exact value.
    pub fn exact(self) -> Rational {
        exact(self.high) + exact(self.low)
    }

    /// √self of a number that is not negative.
    #[must_use]
    pub fn sqrt(self) -> Twin {
        if self.high <= 0.0 {
            return Twin::ZERO;
        }
        // One step of Newton's method on a double with 53 good bits.
        let root = Twin::from(self.high.sqrt());
        root + (self - root * root) / (root + root)
    }

    /// |self|
    #[must_use]
    pub fn abs(self) -> Twin {
        if self.high < 0.0 { -self } else { self }
    }

    /// The larger one.
    #[must_use]
    pub fn max(self, other: Twin) -> Twin {
        if self < other { other } else { self }
    }

    /// The smaller one.
    #[must_use]
    pub fn min(self, other: Twin) -> Twin {
        if other < self { other } else { self }
    }
}

impl From<f64> for Twin {
    fn from(value: f64) -> Twin {
        Twin { high: value, low: 0.0 }
    }
}

impl PartialOrd for Twin {
    fn partial_cmp(&self, other: &Twin) -> Option<Ordering> {
        match self.high.partial_cmp(&other.high) {
            Some(Ordering::Equal) => self.low.partial_cmp(&other.low),
            order => order,
        }
    }
}

impl Neg for Twin {
    type Output = Twin;

    fn neg(self) -> Twin {
        Twin { high: -self.high, low: -self.low }
    }
}

impl Add for Twin {
    type Output = Twin;

    fn add(self, other: Twin) -> Twin {
        let (sum, error) = two_sum(self.high, other.high);
        let (low, rest) = two_sum(self.low, other.low);
        let first = renormalised(sum, error + low);
        renormalised(first.high, first.low + rest)
    }
}

impl Sub for Twin {
    type Output = Twin;

    fn sub(self, other: Twin) -> Twin {
        self + -other
    }
}

impl Mul for Twin {
    type Output = Twin;

    fn mul(self, other: Twin) -> Twin {
        let (product, error) = two_product(self.high, other.high);
        renormalised(product, error + (self.high * other.low + self.low * other.high))
    }
}

impl Div for Twin {
    type Output = Twin;

    fn div(self, other: Twin) -> Twin {
        let first = self.high / other.high;
        let rest = self - other * Twin::from(first);
        let second = rest.high / other.high;
        let rest = rest - other * Twin::from(second);
        renormalised(first, second) + Twin::from(rest.high / other.high)
    }
}

fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_part = sum - a;
    let a_part = sum - b_part;
    (sum, (a - a_part) + (b - b_part))
}

/// Dekker's product with Veltkamp's splitting: as fast everywhere, with fused instructions or without.
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let split = |x: f64| {
        let carried = 134_217_729.0 * x;
        let high = carried - (carried - x);
        (high, x - high)
    };
    let product = a * b;
    let ((a_high, a_low), (b_high, b_low)) = (split(a), split(b));
    (product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low)
}

fn renormalised(high: f64, low: f64) -> Twin {
    let sum = high + low;
    Twin { high: sum, low: low - (sum - high) }
}

/// From three doubles.
pub fn twins(v: [f64; 3]) -> TwinVector {
    v.map(Twin::from)
}

/// The nearest doubles.
pub fn rounded(v: &TwinVector) -> [f64; 3] {
    v.map(|x| x.high)
}

/// a + b
pub fn plus(a: &TwinVector, b: &TwinVector) -> TwinVector {
    std::array::from_fn(|k| a[k] + b[k])
}

/// a − b
pub fn minus(a: &TwinVector, b: &TwinVector) -> TwinVector {
    std::array::from_fn(|k| a[k] - b[k])
}

/// s·a
pub fn times(s: Twin, a: &TwinVector) -> TwinVector {
    a.map(|x| s * x)
}

/// a · b
pub fn inner(a: &TwinVector, b: &TwinVector) -> Twin {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// a × b
pub fn outer(a: &TwinVector, b: &TwinVector) -> TwinVector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// |a|
pub fn length(a: &TwinVector) -> Twin {
    inner(a, a).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Generator;
    use crate::rational::abs;

    #[test]
    fn operations_are_good_to_thirty_digits() {
        let mut random = Generator::free(5);
        let mut number = || Twin::from(random.coordinate()) + Twin::from(1e-17 * random.coordinate());
        for _ in 0..300 {
            let (a, b) = (number(), number());
            let (x, y) = (a.exact(), b.exact());
            let near = |found: Twin, truth: Rational| {
                abs(&(found.exact() - &truth)) <= abs(&truth) * exact(1e-30) + exact(1e-34)
            };
            assert!(near(a + b, &x + &y) && near(a - b, &x - &y));
            assert!(near(a * b, &x * &y) && near(a / b, &x / &y));
            let root = a.abs().sqrt();
            assert!(near(root * root, abs(&x)));
        }
    }
}
