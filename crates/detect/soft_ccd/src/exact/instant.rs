//! A time known exactly: a fraction, a root of a quadratic, or the only root of a cubic in an interval.

use super::polynomial::{
    Cubic, Moment, Quadratic, degree, quadratic_on, rounded, sign_at, sign_changes, value_at_ratio, vanishes,
};
use super::whole::Whole;
use kontakt_math::Sign;
use std::cmp::Ordering;

/// The capacity of the numbers in use does not suffice; larger ones will do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OutOfDigits;

/// An exactly known time.
#[derive(Clone, Debug)]
pub(super) enum Instant<W> {
    /// numerator/denominator, denominator > 0.
    Ratio { numerator: W, denominator: W },
    /// (−g₁ ± √D)/(2g₂) for the quadratic g with D = g₁² − 4g₀g₂ > 0, g₂ > 0; `upper` takes the plus.
    Surd { quadratic: Quadratic<W>, discriminant: W, upper: bool },
    /// The only root of the cubic between two moments.
    Isolated(Isolated<W>),
}

/// A cubic that has one root in (lo, hi), a simple one, and vanishes at neither end.
#[derive(Clone, Debug)]
pub(super) struct Isolated<W> {
    pub(super) cubic: Cubic<W>,
    pub(super) lo: Moment<W>,
    pub(super) hi: Moment<W>,
    pub(super) sign_at_lo: Sign,
}

impl<W: Whole> Instant<W> {
    /// An integer.
    pub(super) fn whole(value: i64) -> Instant<W> {
        Instant::Ratio { numerator: W::shifted(value, 0), denominator: W::shifted(1, 0) }
    }

    /// Exact sign of a quadratic at this time.
    pub(super) fn sign_of(&mut self, q: &Quadratic<W>) -> Result<Sign, OutOfDigits> {
        match self {
            Instant::Ratio { numerator, denominator } => Ok(value_at_ratio(q, numerator, denominator).sign()),
            Instant::Surd { quadratic, discriminant, upper } => {
                Ok(sign_at_surd(q, quadratic, discriminant, *upper))
            }
            Instant::Isolated(root) => root.sign_of(q),
        }
    }

    /// This time against a double in [0, 1].
    pub(super) fn compare_to(&mut self, time: f64) -> Result<Ordering, OutOfDigits> {
        let moment = Moment::of(time);
        if moment.scale > W::DEPTH {
            return Err(OutOfDigits);
        }
        if let Instant::Isolated(root) = self {
            return Ok(root.compare_to(&moment));
        }
        let difference = [moment.numerator.negated(), W::shifted(1, moment.scale), W::zero()];
        Ok(order(self.sign_of(&difference)?))
    }

    /// Exact order of two times neither of which is the root of a cubic; such a root counts as equal.
    pub(super) fn compare(&mut self, other: &Instant<W>) -> Result<Ordering, OutOfDigits> {
        match other {
            Instant::Ratio { numerator, denominator } => {
                let difference = [numerator.negated(), denominator.clone(), W::zero()];
                Ok(order(self.sign_of(&difference)?))
            }
            Instant::Surd { quadratic, upper, .. } => {
                // g₂ > 0: between its roots g is negative, and −g₁/(2g₂) lies halfway between them.
                let from_middle = self.sign_of(&[quadratic[1].clone(), quadratic[2].shift(1), W::zero()])?;
                let value = self.sign_of(quadratic)?;
                Ok(match (upper, from_middle) {
                    (true, Sign::Positive) => order(value),
                    (true, _) => Ordering::Less,
                    (false, Sign::Negative) => order(value).reverse(),
                    (false, _) => Ordering::Greater,
                })
            }
            Instant::Isolated(_) => Ok(Ordering::Equal),
        }
    }

    /// A double near this time, clamped to [0, 1]; good to a few units in the last place unless ill-conditioned.
    pub(super) fn estimate(&self) -> f64 {
        let estimate = match self {
            Instant::Ratio { numerator, denominator } => {
                let (n, n_exponent) = numerator.leading();
                let (d, d_exponent) = denominator.leading();
                n / d * f64::powi(2.0, (n_exponent - d_exponent).clamp(-1100, 1000) as i32)
            }
            Instant::Surd { quadratic, discriminant, upper } => {
                let [_, b, a, _] = rounded(quadratic);
                // The discriminant over the same power of two, squared.
                let scale = quadratic.iter().map(Whole::leading).filter(|c| c.0 != 0.0).map(|c| c.1).max();
                let (head, exponent) = discriminant.leading();
                let exponent = exponent - 2 * scale.unwrap_or(0);
                let root = (head * f64::powi(2.0, exponent.clamp(-1000, 900) as i32)).sqrt();
                let root = if *upper { root } else { -root };
                (root - b) / (2.0 * a)
            }
            Instant::Isolated(root) => root.estimate(),
        };
        if estimate.is_nan() { 0.5 } else { estimate.clamp(0.0, 1.0) }
    }
}

fn order(sign: Sign) -> Ordering {
    match sign {
        Sign::Negative => Ordering::Less,
        Sign::Zero => Ordering::Equal,
        Sign::Positive => Ordering::Greater,
    }
}

/// Sign of q at r = (−g₁ ± √D)/(2g₂), g₂ > 0.
///
/// g₂·q = q₂·g + αt + β with α = g₂q₁ − q₂g₁, β = g₂q₀ − q₂g₀, so g₂·q(r) = αr + β = (2g₂β − αg₁ ± α√D)/(2g₂).
fn sign_at_surd<W: Whole>(q: &Quadratic<W>, g: &Quadratic<W>, discriminant: &W, upper: bool) -> Sign {
    let alpha = g[2].times(&q[1]).minus(&q[2].times(&g[1]));
    let beta = g[2].times(&q[0]).minus(&q[2].times(&g[0]));
    let plain = g[2].times(&beta).shift(1).minus(&alpha.times(&g[1]));
    let (a, b) = (plain.sign(), if upper { alpha.sign() } else { alpha.sign().opposite() });
    match (a, b) {
        (Sign::Zero, sign) | (sign, Sign::Zero) => sign,
        (a, b) if a == b => a,
        // Opposite signs: the larger square wins, D is not a square of a rational or the comparison still holds.
        (a, b) => match plain.square().minus(&alpha.square().times(discriminant)).sign() {
            Sign::Positive => a,
            Sign::Zero => Sign::Zero,
            Sign::Negative => b,
        },
    }
}

impl<W: Whole> Isolated<W> {
    fn compare_to(&self, moment: &Moment<W>) -> Ordering {
        let before = |a: &Moment<W>, b: &Moment<W>| {
            a.numerator.shift(b.scale).minus(&b.numerator.shift(a.scale)).sign() != Sign::Positive
        };
        if before(moment, &self.lo) {
            return Ordering::Greater;
        }
        if before(&self.hi, moment) {
            return Ordering::Less;
        }
        match sign_at(&self.cubic, moment) {
            Sign::Zero => Ordering::Equal,
            sign if sign == self.sign_at_lo => Ordering::Greater,
            _ => Ordering::Less,
        }
    }

    /// Halves the interval; true when the middle is the root, then nothing changes.
    pub(super) fn halve(&mut self) -> Result<bool, OutOfDigits> {
        let middle = Moment::between(&self.lo, &self.hi);
        if middle.scale > W::DEPTH {
            return Err(OutOfDigits);
        }
        match sign_at(&self.cubic, &middle) {
            Sign::Zero => return Ok(true),
            sign if sign == self.sign_at_lo => self.lo = middle,
            _ => self.hi = middle,
        }
        Ok(false)
    }

    /// Narrows the interval around a guess of the root, if the guess is good.
    pub(super) fn narrow(&mut self) {
        const RADIUS: f64 = 1.0 / (1_u64 << 40) as f64;
        let guess = self.estimate();
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
        let difference = |a: &Moment<W>, b: &Moment<W>| {
            a.numerator.shift(b.scale).minus(&b.numerator.shift(a.scale)).sign()
        };
        difference(moment, &self.lo) == Sign::Positive && difference(&self.hi, moment) == Sign::Positive
    }

    /// The root in doubles by bisection and Newton; no proof.
    fn estimate(&self) -> f64 {
        let [d, c, b, a] = rounded(&self.cubic);
        let value = |m: &Moment<W>| {
            let (head, exponent) = m.numerator.leading();
            head * f64::powi(2.0, (exponent - i64::from(m.scale)).clamp(-1000, 900) as i32)
        };
        let (mut lo, mut hi) = (value(&self.lo), value(&self.hi));
        let rising = self.sign_at_lo == Sign::Negative;
        let mut t = 0.5 * (lo + hi);
        for _ in 0..80 {
            let p = ((a * t + b) * t + c) * t + d;
            if (p > 0.0) == rising {
                hi = t;
            } else {
                lo = t;
            }
            let slope = (3.0 * a * t + 2.0 * b) * t + c;
            let newton = t - p / slope;
            let next = if newton > lo && newton < hi { newton } else { 0.5 * (lo + hi) };
            if p == 0.0 || (next - t).abs() <= 1e-17 {
                break;
            }
            t = next;
        }
        t
    }

    /// Exact sign of a quadratic at the root. First whether it vanishes there, by division; if not, it has a sign on a
    /// small enough interval around the root.
    fn sign_of(&mut self, q: &Quadratic<W>) -> Result<Sign, OutOfDigits> {
        if let Some(sign) = self.sign_on_interval(q) {
            return Ok(sign);
        }
        if self.is_root_of(q) {
            return Ok(Sign::Zero);
        }
        loop {
            if self.halve()? {
                let middle = Moment::between(&self.lo, &self.hi);
                return Ok(sign_at(q, &middle));
            }
            if let Some(sign) = self.sign_on_interval(q) {
                return Ok(sign);
            }
        }
    }

    /// The sign all over the open interval, by Bernstein coefficients.
    fn sign_on_interval(&self, q: &Quadratic<W>) -> Option<Sign> {
        if vanishes(q) {
            return Some(Sign::Zero);
        }
        let signs = quadratic_on(q, &self.lo, &self.hi);
        if sign_changes(signs) > 0 {
            return None;
        }
        // Not all are zero, since q is not; the others agree.
        Some(if signs.contains(&Sign::Positive) { Sign::Positive } else { Sign::Negative })
    }

    /// Whether q (not zero) vanishes at the root. A common root is a root of the remainder of the cubic on division by q,
    /// which is linear: a fraction to try. Where the remainder is zero, q divides the cubic: its roots are roots of the
    /// cubic, simple inside the interval and never at its ends, so q changes sign across the interval or has no root there.
    fn is_root_of(&self, q: &Quadratic<W>) -> bool {
        let f = &self.cubic;
        match degree(q) {
            0 => false,
            1 => self.is_ratio(&q[0].negated(), &q[1], f),
            _ => {
                // q₂f − f₃t·q has degree 2 with lead h₂ = q₂f₂ − f₃q₁; q₂·that − h₂·q is the remainder of q₂²f.
                let h0 = q[2].times(&f[0]);
                let h1 = q[2].times(&f[1]).minus(&f[3].times(&q[0]));
                let h2 = q[2].times(&f[2]).minus(&f[3].times(&q[1]));
                let beta = q[2].times(&h0).minus(&h2.times(&q[0]));
                let alpha = q[2].times(&h1).minus(&h2.times(&q[1]));
                match (alpha.is_zero(), beta.is_zero()) {
                    (true, true) => sign_at(q, &self.lo) != sign_at(q, &self.hi),
                    (true, false) => false,
                    _ => self.is_ratio(&beta.negated(), &alpha, q),
                }
            }
        }
    }

    /// Whether numerator/denominator is the root, given that it is a root of the cubic if it is one of `witness`.
    fn is_ratio(&self, numerator: &W, denominator: &W, witness: &[W]) -> bool {
        let (numerator, denominator) = match denominator.sign() {
            Sign::Negative => (&numerator.negated(), &denominator.negated()),
            _ => (numerator, denominator),
        };
        let side = |m: &Moment<W>| numerator.shift(m.scale).minus(&m.numerator.times(denominator)).sign();
        side(&self.lo) == Sign::Positive
            && side(&self.hi) == Sign::Negative
            && value_at_ratio(witness, numerator, denominator).is_zero()
    }
}
