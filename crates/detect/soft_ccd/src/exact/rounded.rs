//! Exact polynomials rounded to doubles with proven bounds: most signs and times need no more.
//!
//! u = 2⁻⁵³. A coefficient is the exact one times a power of two that all share, with a relative error of at most 1.1u
//! (`Whole::leading`); those that are not zero have sizes in [2⁻⁹⁰⁰, 2¹²⁸], so none is lost to underflow, and times are in
//! [0, 1]. A product may underflow then, by 2⁻¹⁰⁷⁵ each, a dozen of them by less than `f64::MIN_POSITIVE`, which is added to
//! every bound.

use super::whole::Whole;
use kontakt_math::{Sign, U};

/// Least power of two that a coefficient may be away from the largest.
const SPREAD: i64 = -900;
/// Parts by which `around` widens: enough for values with a relative error of 6u (and u for the widening itself).
const WIDENING: f64 = 8.0 * U;

/// c₀ + c₁t + c₂t² + c₃t³, rounded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rounded([f64; 4]);

impl Rounded {
    /// A polynomial of degree 3 or less, rounded; none where its coefficients differ too much in size.
    pub(super) fn of<W: Whole>(p: &[W]) -> Option<Rounded> {
        Rounded::with_exponent(p).map(|(rounded, _)| rounded)
    }

    /// The same and the power of two it was divided by.
    fn with_exponent<W: Whole>(p: &[W]) -> Option<(Rounded, i64)> {
        let mut heads = [(0.0, 0); 4];
        let mut largest = i64::MIN;
        for (head, c) in heads.iter_mut().zip(p) {
            *head = c.leading();
            if head.0 != 0.0 {
                largest = largest.max(head.1);
            }
        }
        let mut rounded = [0.0; 4];
        for (c, (head, exponent)) in rounded.iter_mut().zip(heads) {
            if head != 0.0 {
                *c = head * power_of_two(exponent - largest)?;
            }
        }
        Some((Rounded(rounded), largest))
    }

    /// The value at a time in [0, 1] and a bound of its error.
    ///
    /// Horner: a term has at most 6 roundings beside the coefficient's own 1.1u: below 8u of the sum of sizes, whose own
    /// rounding is of second order; 12 taken.
    fn value(&self, t: f64) -> (f64, f64) {
        let [d, c, b, a] = self.0;
        let value = ((a * t + b) * t + c) * t + d;
        let sizes = ((a.abs() * t + b.abs()) * t + c.abs()) * t + d.abs();
        (value, 12.0 * U * sizes + f64::MIN_POSITIVE)
    }

    /// The sign at a time in [0, 1], where doubles prove one.
    pub(super) fn sign_at(&self, t: f64) -> Option<Sign> {
        let (value, error) = self.value(t);
        certain(value, value, error)
    }

    /// The sign a quadratic has all over [lo, hi] within [0, 1], where doubles prove one: that of its Bernstein coefficients
    /// c₀ + c₁(x+y)/2 + c₂xy for x, y among the ends.
    ///
    /// A term has at most 4 roundings beside the coefficient's own: below 6u of the sum of sizes, which is largest at hi;
    /// 8 taken.
    pub(super) fn sign_over(&self, lo: f64, hi: f64) -> Option<Sign> {
        let [c, b, a, _] = self.0;
        let blossom = |x: f64, y: f64| c + (b * (0.5 * (x + y)) + a * (x * y));
        let (first, middle, last) = (blossom(lo, lo), blossom(lo, hi), blossom(hi, hi));
        let sizes = c.abs() + (b.abs() * hi + a.abs() * (hi * hi));
        let error = 8.0 * U * sizes + f64::MIN_POSITIVE;
        certain(first.min(middle).min(last), first.max(middle).max(last), error)
    }

    /// A narrow bracket inside [lo, hi] at whose ends a cubic provably has the given sign and the opposite one; none where
    /// doubles do not prove that.
    pub(super) fn bracket(&self, lo: f64, hi: f64, sign_at_lo: Sign) -> Option<(f64, f64)> {
        let t = self.estimate(lo, hi, sign_at_lo == Sign::Negative);
        let [_, c, b, a] = self.0;
        let slope = (3.0 * a * t + 2.0 * b) * t + c;
        // Beyond twice the error over the slope the sign should be certain.
        let reach = 2.5 * self.value(t).1 / slope.abs();
        let mut radius = reach.max(f64::EPSILON * t);
        for _ in 0..4 {
            let (x, y) = ((t - radius).max(lo), (t + radius).min(hi));
            if self.sign_at(x) == Some(sign_at_lo) && self.sign_at(y) == Some(sign_at_lo.opposite()) {
                return Some((x, y));
            }
            radius *= 16.0;
        }
        None
    }

    /// The root between two times by bisection and Newton; no proof.
    pub(super) fn estimate(&self, mut lo: f64, mut hi: f64, rising: bool) -> f64 {
        let [d, c, b, a] = self.0;
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
}

/// Positive where the least value exceeds the error, negative where the largest is below it.
fn certain(least: f64, largest: f64, error: f64) -> Option<Sign> {
    if least > error {
        Some(Sign::Positive)
    } else if largest < -error {
        Some(Sign::Negative)
    } else {
        None
    }
}

/// 2^exponent for exponents from `SPREAD` to 0, and up to 900.
fn power_of_two(exponent: i64) -> Option<f64> {
    (SPREAD..=-SPREAD).contains(&exponent).then(|| f64::from_bits((1023 + exponent).cast_unsigned() << 52))
}

/// Bounds of a time in [0, 1] from a value with a relative error of at most 6u.
fn around(value: f64) -> (f64, f64) {
    (value * (1.0 - WIDENING), (value * (1.0 + WIDENING)).min(1.0))
}

/// Bounds of numerator/denominator, a fraction in [0, 1].
///
/// Two coefficients' errors and that of a quotient: below 4u.
pub(super) fn bracket_of_ratio<W: Whole>(numerator: &W, denominator: &W) -> (f64, f64) {
    let ((n, from_n), (d, from_d)) = (numerator.leading(), denominator.leading());
    if n == 0.0 {
        return (0.0, 0.0);
    }
    power_of_two(from_n - from_d).map_or((0.0, 1.0), |power| around(n / d * power))
}

/// Bounds of the root (−b ± √D)/(2a) of c + bt + at² that lies in (0, 1), for a > 0 and D = b² − 4ac > 0.
///
/// With s = |b| + √D that is s/(2a) where the root is the upper one and b ≤ 0; else it is 2|c|/s, since the product of the
/// roots is c/a and the lower root is positive only for b < 0. Nothing cancels: D errs by 1.1u, √D by 1.6u, s by 2.6u and the
/// quotient by 4.7u.
pub(super) fn bracket_of_surd<W: Whole>(quadratic: &[W; 3], discriminant: &W, upper: bool) -> (f64, f64) {
    let bracket = || {
        let (Rounded([c, b, a, _]), exponent) = Rounded::with_exponent(quadratic)?;
        let (head, from) = discriminant.leading();
        let sum = b.abs() + (head * power_of_two(from - 2 * exponent)?).sqrt();
        Some(around(if upper && b <= 0.0 { sum / (2.0 * a) } else { 2.0 * c.abs() / sum }))
    };
    bracket().unwrap_or((0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::super::instant::Instant;
    use super::super::polynomial::Moment;
    use super::*;
    use dashu_int::IBig;
    use std::cmp::Ordering;
    use testkit::Generator;

    /// A whole number of up to the given number of bits, often fewer.
    fn whole(g: &mut Generator, bits: u32) -> IBig {
        let high = IBig::from(((g.unit() - 0.5) * f64::powi(2.0, 53)) as i64) << 53;
        let number = high + IBig::from((g.unit() * f64::powi(2.0, 53)) as i64);
        number >> (106 - 1 - g.index(bits as usize).min(104))
    }

    /// Polynomials that vanish exactly at a double have no certain sign there: their rounded values are pure error. All error
    /// constants are needed: a tenth of any loses signs here.
    #[test]
    fn no_sign_is_certain_at_a_root() {
        let mut g = Generator::free(31);
        let mut pure_error = 0;
        for _ in 0..20_000 {
            let time = g.unit();
            let root = Moment::<IBig>::of(time);
            let (n, d) = (root.numerator, IBig::from(1) << root.scale as usize);
            let [a, b, c] = [whole(&mut g, 90), whole(&mut g, 90), whole(&mut g, 90)];
            // (dt − n)(a + bt) and (dt − n)(a + bt + ct²)
            let quadratic = [-&n * &a, &d * &a - &n * &b, &d * &b];
            let cubic = [-&n * &a, &d * &a - &n * &b, &d * &b - &n * &c, &d * &c];
            let [q, f] = [Rounded::of(&quadratic), Rounded::of(&cubic)].map(|p| p.expect("sizes are alike"));
            assert_eq!(q.sign_at(time).or(f.sign_at(time)), None, "{time} {cubic:?}");
            assert_eq!(q.sign_over(time, time), None, "{time} {quadratic:?}");
            pure_error += usize::from(f.value(time).0 != 0.0);
        }
        assert!(pure_error > 10_000, "{pure_error}");
    }

    /// Brackets of fractions and of roots of quadratics hold them, also where −b + √D cancels, and are narrow.
    #[test]
    fn brackets_hold_their_times() {
        let mut g = Generator::free(32);
        let mut seen = [0; 2];
        for _ in 0..20_000 {
            let [n, m] = [whole(&mut g, 100), whole(&mut g, 100)];
            let [d, e] =
                [whole(&mut g, 100), whole(&mut g, 60)].map(|x| if x < IBig::from(0) { -x } else { x });
            if n <= IBig::from(0) || n >= d || e == IBig::from(0) {
                continue;
            }
            // (dt − n)(et − m): the bracket of the root n/d must hold it, whichever of the two it is.
            let quadratic = [&n * &m, -(&d * &m) - &n * &e, &d * &e];
            let (left, right) = (&n * &e, &d * &m);
            let discriminant = (&left - &right) * (&left - &right);
            if discriminant == IBig::from(0) {
                continue;
            }
            let upper = left > right;
            seen[usize::from(upper)] += 1;
            let ratio = Instant::ratio(n, d);
            for (lo, hi) in [ratio.bracket(), bracket_of_surd(&quadratic, &discriminant, upper)] {
                assert!(ratio.compare_exactly(lo) != Ordering::Less, "{lo} {quadratic:?}");
                assert!(ratio.compare_exactly(hi) != Ordering::Greater, "{hi} {quadratic:?}");
                assert!(hi - lo <= 10.0 * f64::EPSILON * hi);
            }
        }
        assert!(seen.iter().all(|&count| count > 1000), "{seen:?}");
    }
}
