//! Polynomials with integer coefficients up to a positive factor: remainders, common divisors and Sturm's counting.
//! References: Basu, Pollack, Roy, *Algorithms in Real Algebraic Geometry*, 2.2 (Sturm, Tarski).

use crate::dyadic::integer_sign;
use crate::{Dyadic, ExactPolynomial, Polynomial, Sign};
use dashu_int::ops::{Abs, Gcd};
use dashu_int::{IBig, UBig};

/// A polynomial times an unknown positive number: signs and roots are those of the original. Lowest power first,
/// no leading zeros, coefficients without common divisor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct IntegerPolynomial {
    coefficients: Vec<IBig>,
}

impl IntegerPolynomial {
    pub(crate) fn new(mut coefficients: Vec<IBig>) -> IntegerPolynomial {
        while coefficients.last().is_some_and(IBig::is_zero) {
            coefficients.pop();
        }
        let content = coefficients.iter().fold(UBig::ZERO, |g, c| if c.is_zero() { g } else { gcd(g, c) });
        if content > UBig::ONE {
            let content = IBig::from(content);
            for c in &mut coefficients {
                *c = &*c / &content;
            }
        }
        IntegerPolynomial { coefficients }
    }

    /// The same signs and roots as `exact`.
    pub(crate) fn of(exact: &ExactPolynomial) -> IntegerPolynomial {
        let least = exact.coefficients().iter().filter(|c| !c.is_zero()).map(|c| c.parts().1).min();
        let least = least.unwrap_or(0);
        let integers = exact.coefficients().iter().map(|c| {
            let (mantissa, exponent) = c.parts();
            if c.is_zero() { IBig::ZERO } else { mantissa << usize::try_from(exponent - least).unwrap_or(0) }
        });
        IntegerPolynomial::new(integers.collect())
    }

    /// The same polynomial with coefficients rounded outward.
    pub(crate) fn enclosure(&self) -> Polynomial {
        let exact = |c: &IBig| Dyadic::from_parts(c.clone(), 0).enclosure();
        Polynomial::new(self.coefficients.iter().map(exact).collect())
    }

    /// Degree; 0 for constants and the zero polynomial.
    pub(crate) fn degree(&self) -> usize {
        self.coefficients.len().saturating_sub(1)
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.coefficients.is_empty()
    }

    /// Sign at m·2ᵉ: Σ cᵢmⁱ·2^(e·i), made integral by 2^(−e·n) when e < 0.
    pub(crate) fn sign_at(&self, t: &Dyadic) -> Sign {
        let (mantissa, exponent) = t.parts();
        let shift = usize::try_from(exponent.unsigned_abs()).unwrap_or(0);
        if exponent >= 0 {
            let t = mantissa << shift;
            let value = self.coefficients.iter().rev().fold(IBig::ZERO, |value, c| value * &t + c);
            return integer_sign(&value);
        }
        // Horner with the denominator multiplied in step by step: value = value·m + c·2^(shift·k).
        let mut value = IBig::ZERO;
        for (k, c) in self.coefficients.iter().rev().enumerate() {
            value = value * mantissa + (c << (shift * k));
        }
        integer_sign(&value)
    }

    pub(crate) fn derivative(&self) -> IntegerPolynomial {
        let terms = self.coefficients.iter().enumerate().skip(1).map(|(i, c)| c * IBig::from(i));
        IntegerPolynomial::new(terms.collect())
    }

    pub(crate) fn times(&self, other: &IntegerPolynomial) -> IntegerPolynomial {
        if self.is_zero() || other.is_zero() {
            return IntegerPolynomial { coefficients: Vec::new() };
        }
        let mut product = vec![IBig::ZERO; self.coefficients.len() + other.coefficients.len() - 1];
        for (i, a) in self.coefficients.iter().enumerate() {
            for (j, b) in other.coefficients.iter().enumerate() {
                product[i + j] += a * b;
            }
        }
        IntegerPolynomial::new(product)
    }

    fn negated(mut self) -> IntegerPolynomial {
        for c in &mut self.coefficients {
            *c = -std::mem::take(c);
        }
        self
    }

    /// Remainder on division by `other` (not zero), times a positive number.
    ///
    /// Each step replaces r by |l|·r − sgn(l)·lead(r)·tᵏ·other, l the leading coefficient of `other`: the leading
    /// terms cancel and the factor |l| is positive.
    fn remainder(&self, other: &IntegerPolynomial) -> IntegerPolynomial {
        let Some(lead) = other.coefficients.last() else { return self.clone() };
        let positive = integer_sign(lead) == Sign::Positive;
        let size = lead.clone().abs();
        let mut rest = self.coefficients.clone();
        while rest.len() >= other.coefficients.len() {
            let shift = rest.len() - other.coefficients.len();
            let Some(top) = rest.pop() else { break };
            let top = if positive { top } else { -top };
            for c in &mut rest {
                *c *= &size;
            }
            for (i, c) in other.coefficients[..other.degree()].iter().enumerate() {
                rest[shift + i] -= &top * c;
            }
            while rest.last().is_some_and(IBig::is_zero) {
                rest.pop();
            }
        }
        IntegerPolynomial::new(rest)
    }

    /// Greatest common divisor, up to a factor.
    pub(crate) fn common_divisor(&self, other: &IntegerPolynomial) -> IntegerPolynomial {
        let (mut a, mut b) = (self.clone(), other.clone());
        while !b.is_zero() {
            let rest = a.remainder(&b);
            a = b;
            b = rest;
        }
        a
    }

    /// The polynomial with the same roots, each simple, up to a factor of either sign.
    pub(crate) fn square_free(&self) -> IntegerPolynomial {
        let divisor = self.common_divisor(&self.derivative());
        if divisor.degree() == 0 { self.clone() } else { self.quotient(&divisor) }
    }

    /// Quotient by a divisor that leaves no remainder, up to a positive factor.
    fn quotient(&self, divisor: &IntegerPolynomial) -> IntegerPolynomial {
        let Some(lead) = divisor.coefficients.last() else { return self.clone() };
        let positive = integer_sign(lead) == Sign::Positive;
        let size = lead.clone().abs();
        let mut rest = self.coefficients.clone();
        let mut quotient = Vec::new();
        while rest.len() >= divisor.coefficients.len() {
            let shift = rest.len() - divisor.coefficients.len();
            let Some(top) = rest.pop() else { break };
            let top = if positive { top } else { -top };
            for c in rest.iter_mut().chain(&mut quotient) {
                *c *= &size;
            }
            for (i, c) in divisor.coefficients[..divisor.degree()].iter().enumerate() {
                rest[shift + i] -= &top * c;
            }
            quotient.push(top);
        }
        quotient.reverse();
        IntegerPolynomial::new(quotient)
    }

    /// Σ sign(g(x)) over the distinct roots x of `self` in the open interval (a, b), at whose ends `self` must not
    /// vanish (Tarski); with g = 1 the number of roots (Sturm).
    pub(crate) fn tarski(&self, g: &IntegerPolynomial, a: &Dyadic, b: &Dyadic) -> i64 {
        let chain = RemainderChain::new(self.clone(), self.derivative().times(g));
        chain.sign_changes(a) - chain.sign_changes(b)
    }
}

fn gcd(g: UBig, c: &IBig) -> UBig {
    if g.is_zero() { c.clone().abs().try_into().unwrap_or(UBig::ONE) } else { g.gcd(c) }
}

/// The signed remainder sequence p, q, −rem(p, q), …
#[derive(Clone, Debug)]
pub(crate) struct RemainderChain {
    members: Vec<IntegerPolynomial>,
}

impl RemainderChain {
    fn new(p: IntegerPolynomial, q: IntegerPolynomial) -> RemainderChain {
        let mut members = vec![p, q];
        while let [.., a, b] = members.as_slice() {
            if b.is_zero() {
                members.pop();
                break;
            }
            let next = a.remainder(b).negated();
            members.push(next);
        }
        RemainderChain { members }
    }

    /// Sturm's chain: for square-free p the number of roots in (a, b] is `sign_changes(a) − sign_changes(b)`.
    pub(crate) fn sturm(p: &IntegerPolynomial) -> RemainderChain {
        RemainderChain::new(p.clone(), p.derivative())
    }

    /// Sign changes along the chain at t, zeros skipped.
    pub(crate) fn sign_changes(&self, t: &Dyadic) -> i64 {
        let mut changes = 0;
        let mut before = Sign::Zero;
        for member in &self.members {
            let sign = member.sign_at(t);
            if sign.times(before) == Sign::Negative {
                changes += 1;
            }
            if sign != Sign::Zero {
                before = sign;
            }
        }
        changes
    }
}
