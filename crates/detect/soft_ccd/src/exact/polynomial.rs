//! Polynomials of small degree with integer coefficients, lowest power first, and their exact signs.

use super::rounded::bracket_of_ratio;
use super::whole::Whole;
use kontakt_math::Sign;

/// c₀ + c₁t + c₂t²
pub(super) type Quadratic<W> = [W; 3];
/// c₀ + c₁t + c₂t² + c₃t³
pub(super) type Cubic<W> = [W; 4];

/// A time numerator/2^scale.
#[derive(Clone, Debug)]
pub(super) struct Moment<W> {
    pub(super) numerator: W,
    pub(super) scale: u32,
}

impl<W: Whole> Moment<W> {
    /// The exact value of a double in [0, 1].
    pub(super) fn of(time: f64) -> Moment<W> {
        let bits = time.to_bits();
        let biased = (bits >> 52) as u32 & 0x7FF;
        let fraction = bits & ((1 << 52) - 1);
        if biased == 0 && fraction == 0 {
            return Moment { numerator: W::zero(), scale: 0 };
        }
        let (magnitude, scale) =
            if biased == 0 { (fraction, 1074) } else { (fraction | 1 << 52, 1075 - biased.min(1075)) };
        let drop = magnitude.trailing_zeros().min(scale);
        Moment { numerator: W::shifted((magnitude >> drop).cast_signed(), 0), scale: scale - drop }
    }

    /// The same time as a double, if it is one of those with a denominator of at most 2⁵³.
    pub(super) fn as_double(&self) -> Option<f64> {
        let (head, exponent) = self.numerator.leading();
        (self.scale <= 53 && exponent == 0).then(|| head / (1_u64 << self.scale) as f64)
    }

    /// Bounds of a moment in [0, 1].
    pub(super) fn bracket(&self) -> (f64, f64) {
        let around = || bracket_of_ratio(&self.numerator, &W::shifted(1, self.scale));
        self.as_double().map_or_else(around, |t| (t, t))
    }

    /// Sign of the difference to another.
    pub(super) fn minus(&self, other: &Moment<W>) -> Sign {
        self.numerator.shift(other.scale).minus(&other.numerator.shift(self.scale)).sign()
    }

    /// Halfway between two.
    pub(super) fn between(a: &Moment<W>, b: &Moment<W>) -> Moment<W> {
        let scale = a.scale.max(b.scale);
        let sum = a.numerator.shift(scale - a.scale).plus(&b.numerator.shift(scale - b.scale));
        Moment { numerator: sum, scale: scale + 1 }
    }
}

/// Degree; 0 for constants, zero included.
pub(super) fn degree<W: Whole>(p: &[W]) -> usize {
    p.iter().rposition(|c| !c.is_zero()).unwrap_or(0)
}

/// True for the zero polynomial.
pub(super) fn vanishes<W: Whole>(p: &[W]) -> bool {
    p.iter().all(Whole::is_zero)
}

/// The value at numerator/denominator, times denominatorⁿ for n = degree bound: exact sign for denominator > 0.
pub(super) fn value_at_ratio<W: Whole>(p: &[W], numerator: &W, denominator: &W) -> W {
    let mut value = W::zero();
    let mut power = W::shifted(1, 0);
    for c in p.iter().rev() {
        value = value.times(numerator).plus(&c.times(&power));
        power = power.times(denominator);
    }
    value
}

/// Exact sign at a moment.
pub(super) fn sign_at<W: Whole>(p: &[W], t: &Moment<W>) -> Sign {
    let mut value = W::zero();
    let mut shift = 0;
    for c in p.iter().rev() {
        value = value.times(&t.numerator).plus(&c.shift(shift));
        shift += t.scale;
    }
    value.sign()
}

/// Bernstein coefficients on [0, 1] of a cubic, times 3.
pub(super) fn cubic_to_bernstein<W: Whole>(p: &Cubic<W>) -> [W; 4] {
    let first = p[0].multiple(3);
    let second = first.plus(&p[1]);
    let third = second.plus(&p[1]).plus(&p[2]);
    let last = p[0].plus(&p[1]).plus(&p[2]).plus(&p[3]).multiple(3);
    [first, second, third, last]
}

/// Sign changes, zeros skipped.
pub(super) fn sign_changes(signs: impl IntoIterator<Item = Sign>) -> usize {
    let mut changes = 0;
    let mut before = Sign::Zero;
    for sign in signs {
        if sign.times(before) == Sign::Negative {
            changes += 1;
        }
        if sign != Sign::Zero {
            before = sign;
        }
    }
    changes
}
