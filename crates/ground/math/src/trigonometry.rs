//! Enclosures of sine, cosine and arc tangent, proven from their series alone: no trust in a platform's library.

use crate::Interval;

/// First 33 bits of π/2, exact as a double.
pub(crate) const HALF_PI_HEAD: f64 = f64::from_bits(0x3FF9_21FB_5440_0000);
/// π/2 − `HALF_PI_HEAD` to the nearest double; the true remainder lies between its neighbours.
pub(crate) const HALF_PI_TAIL: f64 = f64::from_bits(0x3DD0_B461_1A62_6331);

/// An interval of a few units in the last place around π/2.
pub fn half_pi() -> Interval {
    Interval::point(HALF_PI_HEAD) + half_pi_tail()
}

fn half_pi_tail() -> Interval {
    Interval::new(HALF_PI_TAIL.next_down(), HALF_PI_TAIL.next_up())
}

/// Contains sin x for every x in the argument.
pub fn sin(x: Interval) -> Interval {
    if x.is_empty() {
        return x;
    }
    if x.lo() == x.hi() {
        return sin_point(x.lo());
    }
    let unit = Interval::new(-1.0, 1.0);
    if !x.is_bounded() || x.width() > 6.0 {
        return unit;
    }
    // Between extrema sine is monotone, so its range is spanned by the ends and the extrema inside. Extrema are at
    // (2m+1)·π/2: maxima for even m, minima for odd m.
    let mut range = sin_point(x.lo()).hull(sin_point(x.hi()));
    let quarter = x / half_pi();
    if reaches(quarter, 1.0) {
        range = range.hull(Interval::ONE);
    }
    if reaches(quarter, 3.0) {
        range = range.hull(-Interval::ONE);
    }
    range.intersect(unit)
}

/// Contains cos x for every x in the argument.
pub fn cos(x: Interval) -> Interval {
    if x.lo() == x.hi() {
        return cos_point(x.lo());
    }
    // cos x = 1 − 2 sin²(x/2) keeps the full accuracy of small arguments, unlike a shift by π/2.
    let half = sin(x.half());
    let by_half = Interval::ONE - Interval::point(2.0) * half.square();
    if x.magnitude() <= 1.0 { by_half } else { by_half.intersect(sin(x + half_pi())) }
}

/// Whether a number `phase + 4m` may lie in `quarter`.
fn reaches(quarter: Interval, phase: f64) -> bool {
    let turns = (quarter - Interval::point(phase)) / Interval::point(4.0);
    // Beyond 2⁵³ doubles are integers and floor tells nothing; the caller's width check keeps this honest: the
    // interval then has more than one integer or its ends are wide in `sin_point` anyway.
    turns.lo().ceil() <= turns.hi().floor()
}

/// sin of one double.
fn sin_point(x: f64) -> Interval {
    reduced(x, 0.0)
}

/// cos of one double: the sine a quarter turn later.
fn cos_point(x: f64) -> Interval {
    reduced(x, 1.0)
}

/// sin(x + quarters·π/2): x − k·π/2 is enclosed, and the series of the quadrant evaluated there.
fn reduced(x: f64, quarters: f64) -> Interval {
    let unit = Interval::new(-1.0, 1.0);
    if x.abs() > 1e12 {
        return unit;
    }
    let quadrant = (x / std::f64::consts::FRAC_PI_2).round();
    let k = Interval::point(quadrant);
    let rest = if quadrant == 0.0 {
        Interval::point(x)
    } else {
        (Interval::point(x) - k * Interval::point(HALF_PI_HEAD)) - k * half_pi_tail()
    };
    if rest.magnitude() > 1.0 {
        return unit;
    }
    let phase = (quadrant + quarters).rem_euclid(4.0);
    let value = if phase == 0.0 || phase == 2.0 { sin_series(rest) } else { cos_series(rest) };
    if phase >= 2.0 { -value } else { value }.intersect(unit)
}

/// Nested Taylor factor 1 − z/(n(n+1))·(1 − z/((n+2)(n+3))·(…)) with z = r² ≤ 1, closed by [0, 1].
///
/// Proof: each nested factor is an alternating series 1 − z/(…) + … with terms of decreasing size, so it lies in
/// [0, 1]; replacing the innermost one by [0, 1] and evaluating outward in intervals encloses the value.
fn nested(z: Interval, first: u32) -> Interval {
    let mut factor = Interval::new(0.0, 1.0);
    for step in (0..9).rev() {
        let n = f64::from(first + 2 * step);
        factor = Interval::ONE - z * factor / Interval::point(n * (n + 1.0));
    }
    factor
}

fn sin_series(r: Interval) -> Interval {
    r * nested(r.square(), 2)
}

fn cos_series(r: Interval) -> Interval {
    nested(r.square(), 1)
}

/// Contains sin x / x (1 at 0) for every x in the argument.
pub fn sinc(x: Interval) -> Interval {
    if x.is_empty() {
        return x;
    }
    let x = x.abs();
    if x.hi() <= 1.0 { nested(x.square(), 2).intersect(Interval::new(0.0, 1.0)) } else { wide_sinc(x) }
}

fn wide_sinc(x: Interval) -> Interval {
    // Below 1 the series, above 1 the quotient; sin x / x never leaves [−1, 1].
    let small = x.intersect(Interval::new(0.0, 1.0));
    let large = x.intersect(Interval::new(1.0, f64::INFINITY));
    let low = if small.is_empty() { small } else { nested(small.square(), 2) };
    let high = if large.is_empty() { large } else { sin(large) / large };
    low.hull(high).intersect(Interval::new(-1.0, 1.0))
}

/// Contains arctan x for every x in the argument.
pub fn atan(x: Interval) -> Interval {
    if x.is_empty() {
        return x;
    }
    // The arc tangent is increasing.
    Interval::new(atan_point(x.lo()).lo(), atan_point(x.hi()).hi())
}

fn atan_point(x: f64) -> Interval {
    if x < 0.0 {
        return -atan_point(-x);
    }
    if x.is_infinite() {
        return half_pi();
    }
    if x > 1.0 {
        return half_pi() - atan_small(Interval::ONE / Interval::point(x));
    }
    atan_small(Interval::point(x))
}

/// arctan for arguments within [0, 1].
///
/// Halving, arctan y = 2·arctan(y/(1+√(1+y²))), three times brings y below tan(π/32) < 0.0985; there the series
/// Σ(−1)ⁿ y²ⁿ⁺¹/(2n+1) alternates with decreasing terms, so the tail after n terms lies between 0 and its first.
fn atan_small(x: Interval) -> Interval {
    let mut y = x;
    for _ in 0..3 {
        y = y / (Interval::ONE + (Interval::ONE + y.square()).sqrt());
    }
    let z = y.square();
    let mut sum = Interval::new(0.0, 1.0 / 19.0_f64).hull(Interval::point((1.0_f64 / 19.0).next_up()));
    for n in (0..9).rev() {
        let odd = f64::from(2 * n + 1);
        sum = Interval::ONE / Interval::point(odd) - z * sum;
    }
    Interval::point(8.0) * (y * sum)
}

/// Never less than sin z, for z ≥ 0; a fast polynomial above the sine, at most 4·10⁻⁶ too large up to π/2, 1 beyond.
///
/// Proof: the Taylor polynomial of degree 9 ends with a positive term and exceeds the sine for every z ≥ 0. Its
/// factors lie in [1/3, 1] for z < 1.57, each is computed with a relative error below 4u, and there are five of
/// them, nested with weights below 1: the total is below 16u, which the last factor covers. From there on we return 1.
#[inline]
pub fn sin_up(z: f64) -> f64 {
    if z >= 1.57 {
        return 1.0;
    }
    let square = z * z;
    let inner = 1.0 - square / 42.0 * (1.0 - square / 72.0);
    let value = z * (1.0 - square / 6.0 * (1.0 - square / 20.0 * inner));
    (value * (1.0 + 16.0 * f64::EPSILON)).next_up().min(1.0)
}
