//! Polynomials of small degree with integer coefficients, lowest power first, and their exact signs.

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

/// The derivative's sign is needed nowhere; the Bernstein coefficients on [lo, hi], each times one positive number, are.
///
/// For p = c₀ + c₁t + c₂t² on [l, h]: p(l), (blossom p)(l, h), p(h).
pub(super) fn quadratic_on<W: Whole>(p: &Quadratic<W>, lo: &Moment<W>, hi: &Moment<W>) -> [Sign; 3] {
    let scale = lo.scale.max(hi.scale);
    let l = lo.numerator.shift(scale - lo.scale);
    let h = hi.numerator.shift(scale - hi.scale);
    let blossom = |x: &W, y: &W| {
        // 2·(c₀ + c₁(x+y)/2 + c₂xy) over the denominator 2^(2·scale).
        let constant = p[0].shift(2 * scale + 1);
        let linear = p[1].times(&x.plus(y)).shift(scale);
        constant.plus(&linear).plus(&p[2].times(&x.times(y)).shift(1)).sign()
    };
    [blossom(&l, &l), blossom(&l, &h), blossom(&h, &h)]
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

/// Coefficients as doubles over a common power of two, rounded; all zero only for the zero polynomial.
pub(super) fn rounded<W: Whole>(p: &[W]) -> [f64; 4] {
    let mut heads = [(0.0, 0_i64); 4];
    let mut largest = i64::MIN;
    for (head, c) in heads.iter_mut().zip(p) {
        *head = c.leading();
        if head.0 != 0.0 {
            largest = largest.max(head.1);
        }
    }
    heads.map(
        |(head, exponent)| {
            if head == 0.0 { 0.0 } else { head * f64::powi(2.0, (exponent - largest).max(-1000) as i32) }
        },
    )
}
