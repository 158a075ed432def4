//! Real algebraic numbers: a root of a polynomial in an interval that holds no other, and exact signs there.

use crate::integer_polynomial::IntegerPolynomial;
use crate::{Dyadic, ExactPolynomial, Interval, Polynomial, Sign};
use std::cmp::Ordering;
use std::sync::Arc;

/// A real number known exactly: a dyadic rational, or the only root of a polynomial between two dyadic rationals.
#[derive(Clone, Debug)]
pub struct AlgebraicNumber {
    form: Form,
}

#[derive(Clone, Debug)]
enum Form {
    Point(Dyadic),
    Root(Bracket),
}

/// The polynomial changes its sign once between `lo` and `hi`, from `sign_at_lo`, and vanishes at neither.
#[derive(Clone, Debug)]
struct Bracket {
    polynomial: Arc<IntegerPolynomial>,
    enclosure: Arc<Polynomial>,
    lo: Dyadic,
    hi: Dyadic,
    sign_at_lo: Sign,
}

impl AlgebraicNumber {
    /// A dyadic rational.
    pub fn point(value: Dyadic) -> AlgebraicNumber {
        AlgebraicNumber { form: Form::Point(value) }
    }

    /// The root between `lo` and `hi`; the caller has proven that it is the only one, and that signs at the ends are
    /// opposite.
    pub(crate) fn bracketed(
        polynomial: Arc<IntegerPolynomial>,
        enclosure: Arc<Polynomial>,
        lo: Dyadic,
        hi: Dyadic,
    ) -> AlgebraicNumber {
        let sign_at_lo = polynomial.sign_at(&lo);
        AlgebraicNumber { form: Form::Root(Bracket { polynomial, enclosure, lo, hi, sign_at_lo }) }
    }

    /// Contains the number.
    pub fn bounds(&self) -> Interval {
        match &self.form {
            Form::Point(value) => value.enclosure(),
            Form::Root(root) => root.bounds(),
        }
    }

    /// The number itself when it is known to be a dyadic rational.
    pub fn as_point(&self) -> Option<&Dyadic> {
        match &self.form {
            Form::Point(value) => Some(value),
            Form::Root(_) => None,
        }
    }

    /// Narrows `bounds` to at most `width`, or to two neighbouring doubles if that is wider. Bounded work: every
    /// step halves the bracket.
    pub fn refine(&mut self, width: f64) {
        loop {
            let Form::Root(root) = &mut self.form else { return };
            let bounds = root.bounds();
            if bounds.width() <= width || bounds.lo().next_up() >= bounds.hi() {
                return;
            }
            if let Some(value) = root.halve() {
                self.form = Form::Point(value);
                return;
            }
        }
    }

    /// Exact sign of `g` at this number.
    pub fn sign_of(&self, g: &ExactPolynomial) -> Sign {
        match &self.form {
            Form::Point(value) => g.sign_at(value),
            Form::Root(root) => {
                // Filter: an enclosure of all values over the bracket. Then Tarski's count, whose only root is ours.
                if let Some(sign) = g.enclosure().evaluate(root.bounds()).sign() {
                    return sign;
                }
                root.exact_sign(&IntegerPolynomial::of(g))
            }
        }
    }

    /// How often `p` has this number as a root: 0 when it is none, and for the zero polynomial.
    pub fn multiplicity_in(&self, p: &ExactPolynomial) -> u32 {
        let mut derivative = p.clone();
        let mut multiplicity = 0;
        while !derivative.is_zero() && self.sign_of(&derivative) == Sign::Zero {
            multiplicity += 1;
            derivative = derivative.derivative();
        }
        multiplicity
    }

    /// Exact order of two numbers.
    pub fn compare(&self, other: &AlgebraicNumber) -> Ordering {
        match (&self.form, &other.form) {
            (Form::Point(a), Form::Point(b)) => a.cmp(b),
            (_, Form::Root(root)) => self.compare_to_root(root),
            (Form::Root(root), Form::Point(_)) => other.compare_to_root(root).reverse(),
        }
    }

    fn compare_to_root(&self, root: &Bracket) -> Ordering {
        if self.side_of(&root.lo) != Ordering::Greater {
            return Ordering::Less;
        }
        if self.side_of(&root.hi) != Ordering::Less {
            return Ordering::Greater;
        }
        // Inside the bracket the polynomial keeps the sign of `lo` until the root.
        let sign = match &self.form {
            Form::Point(value) => root.polynomial.sign_at(value),
            Form::Root(own) => own.exact_sign(&root.polynomial),
        };
        match sign {
            Sign::Zero => Ordering::Equal,
            sign if sign == root.sign_at_lo => Ordering::Less,
            _ => Ordering::Greater,
        }
    }

    /// Exact order of this number and a dyadic rational.
    pub fn side_of(&self, value: &Dyadic) -> Ordering {
        match &self.form {
            Form::Point(own) => own.cmp(value),
            Form::Root(root) => {
                if value <= &root.lo {
                    return Ordering::Greater;
                }
                if value >= &root.hi {
                    return Ordering::Less;
                }
                match root.polynomial.sign_at(value) {
                    Sign::Zero => Ordering::Equal,
                    sign if sign == root.sign_at_lo => Ordering::Greater,
                    _ => Ordering::Less,
                }
            }
        }
    }
}

impl Bracket {
    fn bounds(&self) -> Interval {
        self.lo.enclosure().hull(self.hi.enclosure())
    }

    /// Σ sign g over the roots in the bracket is the sign at the only one.
    fn exact_sign(&self, g: &IntegerPolynomial) -> Sign {
        match self.polynomial.tarski(g, &self.lo, &self.hi).cmp(&0) {
            Ordering::Less => Sign::Negative,
            Ordering::Equal => Sign::Zero,
            Ordering::Greater => Sign::Positive,
        }
    }

    /// Keeps the half that holds the root; returns the middle when that is the root.
    fn halve(&mut self) -> Option<Dyadic> {
        let middle = (&self.lo + &self.hi).half();
        let fast = self.enclosure.evaluate(middle.enclosure()).sign();
        match fast.unwrap_or_else(|| self.polynomial.sign_at(&middle)) {
            Sign::Zero => return Some(middle),
            sign if sign == self.sign_at_lo => self.lo = middle,
            _ => self.hi = middle,
        }
        None
    }
}
