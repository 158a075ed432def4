//! A time known exactly: a fraction, a root of a quadratic, or the only root of a cubic in an interval; and bounds of it in
//! doubles, which settle most questions.

use super::isolated::Isolated;
use super::polynomial::{Moment, Quadratic, value_at_ratio};
use super::rounded::{Rounded, bracket_of_ratio, bracket_of_surd};
use super::whole::Whole;
use kontakt_math::Sign;
use std::cmp::Ordering;

/// The capacity of the numbers in use does not suffice; larger ones will do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OutOfDigits;

/// An exactly known time in [0, 1].
#[derive(Clone, Debug)]
pub(super) struct Instant<W> {
    form: Form<W>,
    /// The time is in [lo, hi].
    lo: f64,
    hi: f64,
}

#[derive(Clone, Debug)]
enum Form<W> {
    /// numerator/denominator, denominator > 0.
    Ratio { numerator: W, denominator: W },
    /// (−g₁ ± √D)/(2g₂) for the quadratic g with D = g₁² − 4g₀g₂ > 0, g₂ > 0; `upper` takes the plus.
    Surd { quadratic: Quadratic<W>, discriminant: W, upper: bool },
    /// The only root of a cubic between two moments.
    Isolated(Isolated<W>),
}

impl<W: Whole> Instant<W> {
    /// The start of time.
    pub(super) fn start() -> Instant<W> {
        Instant::dyadic(Moment { numerator: W::zero(), scale: 0 })
    }

    /// The end of time.
    pub(super) fn end() -> Instant<W> {
        Instant::dyadic(Moment { numerator: W::shifted(1, 0), scale: 0 })
    }

    /// A moment in [0, 1].
    pub(super) fn dyadic(moment: Moment<W>) -> Instant<W> {
        let (lo, hi) = moment.bracket();
        let form = Form::Ratio { numerator: moment.numerator, denominator: W::shifted(1, moment.scale) };
        Instant { form, lo, hi }
    }

    /// numerator/denominator in [0, 1], denominator > 0.
    pub(super) fn ratio(numerator: W, denominator: W) -> Instant<W> {
        let (lo, hi) = bracket_of_ratio(&numerator, &denominator);
        Instant { form: Form::Ratio { numerator, denominator }, lo, hi }
    }

    /// The root (−g₁ ± √D)/(2g₂) in (0, 1) of a quadratic g with D = g₁² − 4g₀g₂ > 0, g₂ > 0; `upper` takes the plus.
    pub(super) fn surd(quadratic: Quadratic<W>, discriminant: W, upper: bool) -> Instant<W> {
        let (lo, hi) = bracket_of_surd(&quadratic, &discriminant, upper);
        Instant { form: Form::Surd { quadratic, discriminant, upper }, lo, hi }
    }

    /// The root of a cubic.
    pub(super) fn isolated(root: Isolated<W>) -> Instant<W> {
        let (lo, hi) = (root.lo.bracket().0, root.hi.bracket().1);
        Instant { form: Form::Isolated(root), lo, hi }
    }

    /// Bounds in doubles.
    pub(super) fn bracket(&self) -> (f64, f64) {
        (self.lo, self.hi)
    }

    /// Exact sign of a quadratic at this time.
    pub(super) fn sign_of(&self, q: &Quadratic<W>) -> Sign {
        let in_doubles = Rounded::of(q).and_then(|rounded| rounded.sign_over(self.lo, self.hi));
        in_doubles.unwrap_or_else(|| self.exact_sign_of(q))
    }

    fn exact_sign_of(&self, q: &Quadratic<W>) -> Sign {
        match &self.form {
            Form::Ratio { numerator, denominator } => value_at_ratio(q, numerator, denominator).sign(),
            Form::Surd { quadratic, discriminant, upper } => sign_at_surd(q, quadratic, discriminant, *upper),
            Form::Isolated(root) => root.sign_of(q),
        }
    }

    /// This time against a double in [0, 1].
    pub(super) fn compare_to(&self, time: f64) -> Ordering {
        if time < self.lo {
            return Ordering::Greater;
        }
        if time > self.hi {
            return Ordering::Less;
        }
        self.compare_exactly(time)
    }

    /// The same without a look at the bounds in doubles.
    pub(super) fn compare_exactly(&self, time: f64) -> Ordering {
        let moment = Moment::of(time);
        if let Form::Isolated(root) = &self.form {
            return root.compare_to(&moment);
        }
        let difference = [moment.numerator.negated(), W::shifted(1, moment.scale), W::zero()];
        order(self.exact_sign_of(&difference))
    }

    /// Exact order of two times neither of which is the root of a cubic; such a root counts as equal where the bounds in
    /// doubles do not tell.
    pub(super) fn compare(&self, other: &Instant<W>) -> Ordering {
        if self.hi < other.lo {
            return Ordering::Less;
        }
        if self.lo > other.hi {
            return Ordering::Greater;
        }
        match &other.form {
            Form::Ratio { numerator, denominator } => {
                order(self.sign_of(&[numerator.negated(), denominator.clone(), W::zero()]))
            }
            Form::Surd { quadratic, upper, .. } => {
                // g₂ > 0: between its roots g is negative, and −g₁/(2g₂) lies halfway between them.
                let from_middle = self.sign_of(&[quadratic[1].clone(), quadratic[2].shift(1), W::zero()]);
                let value = self.sign_of(quadratic);
                match (upper, from_middle) {
                    (true, Sign::Positive) => order(value),
                    (true, _) => Ordering::Less,
                    (false, Sign::Negative) => order(value).reverse(),
                    (false, _) => Ordering::Greater,
                }
            }
            Form::Isolated(_) => Ordering::Equal,
        }
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
