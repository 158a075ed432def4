//! Bernstein form on [0, 1]: the values lie between the least and the greatest coefficient, and the roots are no
//! more than the coefficients' sign changes.

use crate::{Interval, Sign};

/// Σ bᵢ·C(n,i)·tⁱ(1−t)ⁿ⁻ⁱ for every choice of bᵢ in its interval. Operations only ever enclose.
#[derive(Clone, Debug, PartialEq)]
pub struct Bernstein {
    coefficients: Vec<Interval>,
}

impl Bernstein {
    /// From Bernstein coefficients; none at all is the zero polynomial.
    pub fn new(coefficients: Vec<Interval>) -> Bernstein {
        let coefficients = if coefficients.is_empty() { vec![Interval::ZERO] } else { coefficients };
        Bernstein { coefficients }
    }

    /// From power-basis coefficients a: bᵢ = Σⱼ C(i,j)/C(n,j)·aⱼ.
    ///
    /// By forward differences of the scaled coefficients aⱼ/C(n,j), which are the differences of b at 0: n rounds of
    /// additions.
    pub(crate) fn from_power(power: &[Interval]) -> Bernstein {
        let n = power.len().saturating_sub(1);
        let mut scaled: Vec<Interval> = power.to_vec();
        let mut binomial = 1.0;
        for (j, a) in scaled.iter_mut().enumerate() {
            // C(n,j) is exact as a double up to n = 56; beyond that the enclosure of the quotient would be off by
            // the binomial's own rounding, so it gets an interval as well.
            let exact = binomial < 9e15;
            let divisor =
                if exact { Interval::point(binomial) } else { Interval::around(binomial, binomial * 1e-12) };
            *a = *a / divisor;
            binomial = (binomial * (n - j) as f64 / (j + 1) as f64).round();
        }
        for round in (0..n).rev() {
            for j in round..n {
                scaled[j + 1] = scaled[j + 1] + scaled[j];
            }
        }
        Bernstein::new(scaled)
    }

    /// The coefficients.
    pub fn coefficients(&self) -> &[Interval] {
        &self.coefficients
    }

    /// Contains every value on [0, 1].
    pub fn range(&self) -> Interval {
        self.coefficients.iter().fold(Interval::EMPTY, |hull, &b| hull.hull(b))
    }

    /// Contains the values at every t in the argument, by de Casteljau.
    pub fn evaluate(&self, t: Interval) -> Interval {
        let rest = Interval::ONE - t;
        let mut row = self.coefficients.clone();
        for length in (1..row.len()).rev() {
            for i in 0..length {
                row[i] = row[i] * rest + row[i + 1] * t;
            }
        }
        // Within [0, 1] the values are convex combinations of the coefficients and stay in their hull.
        if Interval::new(0.0, 1.0).encloses(t) { row[0].intersect(self.range()) } else { row[0] }
    }

    /// The same polynomial over [0, ½] and over [½, 1], each as a form on its own [0, 1].
    pub fn split(&self) -> (Bernstein, Bernstein) {
        let mut row = self.coefficients.clone();
        let mut left = Vec::with_capacity(row.len());
        left.push(row[0]);
        for length in (1..row.len()).rev() {
            for i in 0..length {
                row[i] = midpoint(row[i], row[i + 1]);
            }
            left.push(row[0]);
        }
        // After the triangle's rows have shrunk in place, `row` holds its right edge from middle to end.
        (Bernstein { coefficients: left }, Bernstein { coefficients: row })
    }

    /// The derivative, of one degree less.
    #[must_use]
    pub fn derivative(&self) -> Bernstein {
        let n = Interval::point((self.coefficients.len() - 1) as f64);
        Bernstein::new(self.coefficients.windows(2).map(|pair| (pair[1] - pair[0]) * n).collect())
    }

    /// True when all values on [0, 1] share a sign other than zero.
    pub(crate) fn has_no_root(&self) -> bool {
        matches!(self.range().sign(), Some(Sign::Positive | Sign::Negative))
    }

    /// True when there is provably exactly one root in [0, 1], it is simple and inside.
    ///
    /// Either by Descartes (one sign change among coefficients of certain sign) or because the ends have opposite
    /// signs and the derivative has no root.
    pub fn has_one_root(&self) -> bool {
        let first = self.coefficients[0].sign();
        let last = self.coefficients[self.coefficients.len() - 1].sign();
        let (Some(first), Some(last)) = (first, last) else { return false };
        if first.times(last) != Sign::Negative {
            return false;
        }
        self.sign_changes() == Some(1) || self.derivative().has_no_root()
    }

    /// Number of sign changes of the coefficients, zeros skipped; none when a sign is unknown.
    pub fn sign_changes(&self) -> Option<usize> {
        let mut changes = 0;
        let mut before = Sign::Zero;
        for b in &self.coefficients {
            let sign = b.sign()?;
            if sign.times(before) == Sign::Negative {
                changes += 1;
            }
            if sign != Sign::Zero {
                before = sign;
            }
        }
        Some(changes)
    }
}

/// (a + b)/2: the sum is enclosed, halving is exact but for the smallest doubles, where `half` steps outward.
fn midpoint(a: Interval, b: Interval) -> Interval {
    let sum = a + b;
    let exact = |x: f64| x == 0.0 || (x.is_finite() && x.abs() > 4.0 * f64::MIN_POSITIVE);
    if exact(sum.lo()) && exact(sum.hi()) {
        Interval::new(0.5 * sum.lo(), 0.5 * sum.hi())
    } else {
        sum.half()
    }
}
