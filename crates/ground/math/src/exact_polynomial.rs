//! Polynomials with exact dyadic coefficients: what the algebra of doubles gives before any rounding.

use crate::{Dyadic, Expansion, Interval, Polynomial, Sign};
use std::ops::{Add, Mul, Sub};

/// Σ cᵢtⁱ with exact coefficients, lowest power first, without leading zeros.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExactPolynomial {
    coefficients: Vec<Dyadic>,
}

impl ExactPolynomial {
    /// From coefficients, lowest power first.
    pub fn new(mut coefficients: Vec<Dyadic>) -> ExactPolynomial {
        while coefficients.last().is_some_and(Dyadic::is_zero) {
            coefficients.pop();
        }
        ExactPolynomial { coefficients }
    }

    /// From doubles, lowest power first; none when one is not finite.
    pub fn from_doubles(coefficients: &[f64]) -> Option<ExactPolynomial> {
        let exact: Option<Vec<Dyadic>> = coefficients.iter().map(|&c| Dyadic::new(c)).collect();
        exact.map(ExactPolynomial::new)
    }

    /// Coefficients, lowest power first, the last not zero; none for the zero polynomial.
    pub fn coefficients(&self) -> &[Dyadic] {
        &self.coefficients
    }

    /// True for the zero polynomial.
    pub fn is_zero(&self) -> bool {
        self.coefficients.is_empty()
    }

    /// Exact value at t.
    pub fn evaluate(&self, t: &Dyadic) -> Dyadic {
        self.coefficients.iter().rev().fold(Dyadic::ZERO, |value, c| &(&value * t) + c)
    }

    /// Exact sign at t.
    pub fn sign_at(&self, t: &Dyadic) -> Sign {
        self.evaluate(t).sign()
    }

    /// p′
    #[must_use]
    pub fn derivative(&self) -> ExactPolynomial {
        let scaled = |(i, c): (usize, &Dyadic)| &Dyadic::from_parts(i.into(), 0) * c;
        ExactPolynomial::new(self.coefficients.iter().enumerate().skip(1).map(scaled).collect())
    }

    /// The same polynomial with coefficients rounded outward.
    pub fn enclosure(&self) -> Polynomial {
        Polynomial::new(self.coefficients.iter().map(Dyadic::enclosure).collect())
    }

    fn combine(&self, other: &ExactPolynomial, f: impl Fn(&Dyadic, &Dyadic) -> Dyadic) -> ExactPolynomial {
        let length = self.coefficients.len().max(other.coefficients.len());
        let get = |p: &ExactPolynomial, i: usize| p.coefficients.get(i).cloned().unwrap_or(Dyadic::ZERO);
        ExactPolynomial::new((0..length).map(|i| f(&get(self, i), &get(other, i))).collect())
    }
}

impl Add for &ExactPolynomial {
    type Output = ExactPolynomial;
    fn add(self, other: &ExactPolynomial) -> ExactPolynomial {
        self.combine(other, |a, b| a + b)
    }
}

impl Sub for &ExactPolynomial {
    type Output = ExactPolynomial;
    fn sub(self, other: &ExactPolynomial) -> ExactPolynomial {
        self.combine(other, |a, b| a - b)
    }
}

impl Mul for &ExactPolynomial {
    type Output = ExactPolynomial;
    fn mul(self, other: &ExactPolynomial) -> ExactPolynomial {
        if self.is_zero() || other.is_zero() {
            return ExactPolynomial { coefficients: Vec::new() };
        }
        let mut product = vec![Dyadic::ZERO; self.coefficients.len() + other.coefficients.len() - 1];
        for (i, a) in self.coefficients.iter().enumerate() {
            for (j, b) in other.coefficients.iter().enumerate() {
                product[i + j] = &product[i + j] + &(a * b);
            }
        }
        ExactPolynomial::new(product)
    }
}

/// Exact sign of Σ cᵢtⁱ (lowest power first) at a double; `Zero` when a number is not finite. Cascade: intervals,
/// then expansions, then integers of any size where those would over- or underflow.
pub fn sign_at_double(coefficients: &[f64], t: f64) -> Sign {
    if !t.is_finite() || coefficients.iter().any(|c| !c.is_finite()) {
        return Sign::Zero;
    }
    let range = Polynomial::from_doubles(coefficients).evaluate(Interval::point(t));
    if let Some(sign) = range.sign() {
        return sign;
    }
    let horner = coefficients.iter().rev().try_fold(Expansion::default(), |value, &c| {
        value.scale(t)?.add(&Expansion::new(c)?).map(|sum| sum.compress())
    });
    if let Some(value) = horner {
        return value.sign();
    }
    let exact = ExactPolynomial::new(coefficients.iter().map(|&c| Dyadic::of_finite(c)).collect());
    exact.sign_at(&Dyadic::of_finite(t))
}
