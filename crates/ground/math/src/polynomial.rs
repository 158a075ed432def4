//! Polynomials in the power basis with interval coefficients: the fast, enclosing form.

use crate::{Bernstein, Interval};

/// Σ cᵢtⁱ for every choice of cᵢ in its interval, lowest power first. Values only ever enclose.
#[derive(Clone, Debug, PartialEq)]
pub struct Polynomial {
    coefficients: Vec<Interval>,
}

impl Polynomial {
    /// From coefficients, lowest power first; none at all is the zero polynomial.
    pub fn new(coefficients: Vec<Interval>) -> Polynomial {
        Polynomial { coefficients }
    }

    /// From coefficients known exactly; NaN counts as unknown (all reals).
    pub fn from_doubles(coefficients: &[f64]) -> Polynomial {
        Polynomial { coefficients: coefficients.iter().map(|&c| Interval::point(c)).collect() }
    }

    /// Coefficients, lowest power first.
    pub fn coefficients(&self) -> &[Interval] {
        &self.coefficients
    }

    /// Contains p(t) for every t in the argument: what Horner's scheme and the mean value theorem both allow.
    pub fn evaluate(&self, t: Interval) -> Interval {
        let direct = self.horner(t);
        if t.lo() == t.hi() || !t.is_bounded() {
            return direct;
        }
        // Mean value theorem, for every choice of coefficients: p(t) = p(m) + p'(τ)(t − m) with τ in the argument.
        let middle = Interval::point(t.middle());
        let centred = self.horner(middle) + self.derivative().horner(t) * (t - middle);
        direct.intersect(centred)
    }

    fn horner(&self, t: Interval) -> Interval {
        self.coefficients.iter().rev().fold(Interval::ZERO, |value, &c| value * t + c)
    }

    /// p′
    #[must_use]
    pub fn derivative(&self) -> Polynomial {
        let scaled = |(i, &c): (usize, &Interval)| c * Interval::point(i as f64);
        Polynomial { coefficients: self.coefficients.iter().enumerate().skip(1).map(scaled).collect() }
    }

    /// The same polynomial in the Bernstein basis of [0, 1].
    pub fn to_bernstein(&self) -> Bernstein {
        Bernstein::from_power(&self.coefficients)
    }
}
