//! Elementary functions between two rationals, by partial sums of their alternating series.

use crate::rational::{Rational, integer};

/// Enough for 1e-20 at |x| ≤ 10 (sine, cosine) and |x| ≤ ½ (arc tangent).
const TERMS: i64 = 40;

/// Lower and upper bound of Σ (−1)ᵏ·x^(first+2k)/(first+2k)!, two consecutive partial sums.
fn alternating(x: &Rational, first: i64) -> (Rational, Rational) {
    let square = x * x;
    let mut term = if first == 0 { integer(1) } else { x.clone() };
    let mut sum = integer(0);
    let mut before = integer(0);
    for k in 0..TERMS {
        before.clone_from(&sum);
        sum += &term;
        let n = first + 2 * k;
        term = -term * &square / integer((n + 1) * (n + 2));
    }
    if sum < before { (sum, before) } else { (before, sum) }
}

/// sin x lies between the two, for |x| ≤ 10.
pub fn sin_between(x: &Rational) -> (Rational, Rational) {
    alternating(x, 1)
}

/// cos x lies between the two, for |x| ≤ 10.
pub fn cos_between(x: &Rational) -> (Rational, Rational) {
    alternating(x, 0)
}

/// arctan x lies between the two. Arguments above ½ are reduced by the addition theorem.
pub fn atan_between(x: &Rational) -> (Rational, Rational) {
    if *x < integer(0) {
        let (lo, hi) = atan_between(&-x);
        return (-hi, -lo);
    }
    if *x > Rational::new(1.into(), 2.into()) {
        // arctan x = arctan ½ + arctan((x − ½)/(1 + x/2))
        let half = Rational::new(1.into(), 2.into());
        let rest = (x - &half) / (integer(1) + x * &half);
        let ((a, b), (c, d)) = (atan_between(&half), atan_between(&rest));
        return (a + c, b + d);
    }
    let square = x * x;
    let mut power = x.clone();
    let mut sum = integer(0);
    let mut before = integer(0);
    for k in 0..TERMS {
        before.clone_from(&sum);
        let term = &power / integer(2 * k + 1);
        sum = if k % 2 == 0 { sum + term } else { sum - term };
        power *= &square;
    }
    if sum < before { (sum, before) } else { (before, sum) }
}
