//! The only root of a cubic between two moments, and exact signs at it.

use super::instant::OutOfDigits;
use super::polynomial::{Cubic, Moment, Quadratic, degree, sign_at, value_at_ratio};
use super::rounded::Rounded;
use super::whole::Whole;
use kontakt_math::Sign;
use std::cmp::Ordering;

/// A cubic that has one root in (lo, hi), a simple one, and vanishes at neither end.
#[derive(Clone, Debug)]
pub(super) struct Isolated<W> {
    pub(super) cubic: Cubic<W>,
    pub(super) lo: Moment<W>,
    pub(super) hi: Moment<W>,
    pub(super) sign_at_lo: Sign,
}

/// What `Isolated::within` found.
pub(super) enum Found<W> {
    Root(Isolated<W>),
    /// The root is this moment.
    Moment(Moment<W>),
}

impl<W: Whole> Isolated<W> {
    /// The only root of a cubic in the open interval from lo to hi, a simple one; the cubic may vanish at the ends, but has
    /// the given sign next to lo.
    pub(super) fn within(
        cubic: &Cubic<W>,
        [lo, hi]: [Moment<W>; 2],
        sign_at_lo: Sign,
    ) -> Result<Found<W>, OutOfDigits> {
        let mut root = Isolated { cubic: cubic.clone(), lo, hi, sign_at_lo };
        let rounded = Rounded::of(cubic);
        let ends = root.lo.as_double().zip(root.hi.as_double());
        if let (Some(rounded), Some((lo, hi))) = (&rounded, ends) {
            // Signs proven at both ends: the root is between them, and no end is a root.
            if let Some((lo, hi)) = rounded.bracket(lo, hi, sign_at_lo) {
                (root.lo, root.hi) = (Moment::of(lo), Moment::of(hi));
                return Ok(Found::Root(root));
            }
            root.narrow(rounded.estimate(lo, hi, sign_at_lo == Sign::Negative));
        }
        // An end may be another root; move it away.
        loop {
            let at_ends = [sign_at(cubic, &root.lo), sign_at(cubic, &root.hi)];
            if !at_ends.contains(&Sign::Zero) {
                return Ok(Found::Root(root));
            }
            if let Some(middle) = root.halve()? {
                return Ok(Found::Moment(middle));
            }
        }
    }

    /// The root against a moment.
    pub(super) fn compare_to(&self, moment: &Moment<W>) -> Ordering {
        if moment.minus(&self.lo) != Sign::Positive {
            return Ordering::Greater;
        }
        if self.hi.minus(moment) != Sign::Positive {
            return Ordering::Less;
        }
        match sign_at(&self.cubic, moment) {
            Sign::Zero => Ordering::Equal,
            sign if sign == self.sign_at_lo => Ordering::Greater,
            _ => Ordering::Less,
        }
    }

    /// Halves the interval; the middle when that is the root, then nothing changes.
    fn halve(&mut self) -> Result<Option<Moment<W>>, OutOfDigits> {
        let middle = Moment::between(&self.lo, &self.hi);
        if middle.scale > W::DEPTH {
            return Err(OutOfDigits);
        }
        match sign_at(&self.cubic, &middle) {
            Sign::Zero => return Ok(Some(middle)),
            sign if sign == self.sign_at_lo => self.lo = middle,
            _ => self.hi = middle,
        }
        Ok(None)
    }

    /// Narrows the interval around a guess of the root, if the guess is good.
    fn narrow(&mut self, guess: f64) {
        const RADIUS: f64 = 1.0 / (1_u64 << 40) as f64;
        // Multiples of 2⁻⁴² keep the numbers short.
        let grid = (1_u64 << 42) as f64;
        let lo = ((guess - RADIUS) * grid).floor() / grid;
        let hi = ((guess + RADIUS) * grid).ceil() / grid;
        for (time, wanted) in [(lo, Ordering::Greater), (hi, Ordering::Less)] {
            if !(0.0..=1.0).contains(&time) {
                continue;
            }
            let moment = Moment::of(time);
            if self.compare_to(&moment) == wanted && self.holds(&moment) {
                if wanted == Ordering::Greater { self.lo = moment } else { self.hi = moment }
            }
        }
    }

    /// True strictly between the ends.
    fn holds(&self, moment: &Moment<W>) -> bool {
        moment.minus(&self.lo) == Sign::Positive && self.hi.minus(moment) == Sign::Positive
    }

    /// Exact sign of a quadratic q at the root r; nothing is narrowed for it, so the work is bounded.
    ///
    /// Division of the cubic f with remainder: q₂²·f = Q·q + R with Q = q₂f₃t + h₂ and R = αt + β, where
    /// hᵢ = q₂fᵢ − f₃qᵢ₋₁ are the coefficients of q₂f − f₃t·q. At r: Q(r)·q(r) = −R(r), and signs of Q and R at r are
    /// comparisons of r with a fraction. Where Q(r) = 0, r is the fraction at which Q vanishes (its lead q₂f₃ is not zero).
    pub(super) fn sign_of(&self, q: &Quadratic<W>) -> Sign {
        let f = &self.cubic;
        match degree(q) {
            0 => q[0].sign(),
            1 => self.sign_of_linear(&q[0], &q[1]),
            _ => {
                let h0 = q[2].times(&f[0]);
                let h1 = q[2].times(&f[1]).minus(&f[3].times(&q[0]));
                let h2 = q[2].times(&f[2]).minus(&f[3].times(&q[1]));
                let lead = q[2].times(&f[3]);
                match self.sign_of_linear(&h2, &lead) {
                    Sign::Zero => value_at_root(q, &h2, &lead).sign(),
                    quotient => {
                        let beta = q[2].times(&h0).minus(&h2.times(&q[0]));
                        let alpha = q[2].times(&h1).minus(&h2.times(&q[1]));
                        quotient.times(self.sign_of_linear(&beta, &alpha)).opposite()
                    }
                }
            }
        }
    }

    /// Exact sign of a + bt at the root.
    fn sign_of_linear(&self, a: &W, b: &W) -> Sign {
        let at = |m: &Moment<W>| a.shift(m.scale).plus(&b.times(&m.numerator)).sign();
        match (at(&self.lo), at(&self.hi)) {
            (at_lo, at_hi) if at_lo == at_hi => at_lo,
            // Zero at one end only: inside it has the sign of the other.
            (Sign::Zero, sign) | (sign, Sign::Zero) => sign,
            // It vanishes at −a/b inside, where the cubic tells which side the root is on.
            (at_lo, at_hi) => match value_at_root(&self.cubic, a, b).sign() {
                Sign::Zero => Sign::Zero,
                sign if sign == self.sign_at_lo => at_hi,
                _ => at_lo,
            },
        }
    }
}

/// The value at −a/b, b not zero, times a positive number.
fn value_at_root<W: Whole>(p: &[W], a: &W, b: &W) -> W {
    match b.sign() {
        Sign::Negative => value_at_ratio(p, a, &b.negated()),
        _ => value_at_ratio(p, &a.negated(), b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dashu_int::IBig;
    use testkit::Generator;

    fn times(a: &[IBig], b: &[IBig]) -> Vec<IBig> {
        let mut product = vec![IBig::from(0); a.len() + b.len() - 1];
        for (i, x) in a.iter().enumerate() {
            for (j, y) in b.iter().enumerate() {
                product[i + j] += x * y;
            }
        }
        product
    }

    fn quadratic(q: Vec<IBig>) -> Quadratic<IBig> {
        q.try_into().expect("degree 2")
    }

    /// Signs at the root n/d of a cubic against the value there: of quadratics of any kind, of those that share the root or
    /// miss it by next to nothing, and of those by which division leaves a quotient that vanishes at the root.
    #[test]
    fn signs_at_a_root_by_division() {
        let mut g = Generator::free(33);
        let mut seen = [0; 3];
        for _ in 0..2000 {
            let mut whole = |size: f64| IBig::from((g.unit() * size) as i64 - (0.5 * size) as i64);
            let (n, d) = (whole(1e6) + IBig::from(500_001), IBig::from(1_000_003));
            // Through n/d: dt − n. Next to it: the same and a millionth of a millionth.
            let through = [-&n, d.clone()];
            let close = [
                &n * IBig::from(-1_000_000_000_000_i64) + IBig::from(1),
                &d * IBig::from(1_000_000_000_000_i64),
            ];
            let line = [whole(100.0), whole(100.0)];
            let free = [whole(100.0), whole(100.0), whole(100.0)];
            // The other factor has no root in the unit interval.
            let positive = [IBig::from(200), whole(100.0), IBig::from(1) + whole(90.0)];
            let repeated = [
                &positive[0] * IBig::from(2) + IBig::from(3),
                &positive[1] * IBig::from(2),
                &positive[2] * IBig::from(2),
            ];
            let cubic: Cubic<IBig> = times(&through, &repeated).try_into().expect("degree 3");
            if cubic[3].is_zero() {
                continue;
            }
            let ends = [0.0, 1.0].map(Moment::of);
            let found = Isolated::within(&cubic, ends.clone(), Sign::Negative).expect("any depth");
            let Found::Root(narrow) = found else { continue };
            let [lo, hi] = ends;
            let wide = Isolated { cubic, lo, hi, sign_at_lo: Sign::Negative };
            let negative = positive.clone().map(|c| -c);
            let asked = [
                free,
                quadratic(times(&through, &line)),
                quadratic(times(&close, &line)),
                positive,
                negative,
            ];
            for q in &asked {
                let truth = Whole::sign(&value_at_ratio(q, &n, &d));
                seen[match truth {
                    Sign::Negative => 0,
                    Sign::Zero => 1,
                    Sign::Positive => 2,
                }] += 1;
                assert_eq!(narrow.sign_of(q), truth, "{q:?} {narrow:?}");
                assert_eq!(wide.sign_of(q), truth, "{q:?} {wide:?}");
            }
        }
        assert!(seen.iter().all(|&count| count > 500), "{seen:?}");
    }
}
