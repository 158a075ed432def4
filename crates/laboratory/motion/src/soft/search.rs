//! Times at which the volume seems to vanish.

use super::Motion;

/// Steps of bisection and of regula falsi.
const STEPS: usize = 60;

/// The thesis's search: the end of time goes down in tenths until the sign differs from that at 0, then halves.
pub(super) fn bisection(motion: &Motion) -> Option<f64> {
    let at_start = motion.volume(0.0);
    let mut hi =
        (0..=10).rev().map(|tenth| f64::from(tenth) / 10.0).find(|t| at_start * motion.volume(*t) <= 0.0)?;
    let mut lo = 0.0;
    if at_start == 0.0 {
        return Some(0.0);
    }
    for _ in 0..STEPS {
        let middle = 0.5 * (lo + hi);
        if at_start * motion.volume(middle) <= 0.0 { hi = middle } else { lo = middle }
    }
    Some(hi)
}

/// The root of the line through both ends of a piece of time.
pub(super) fn linear(motion: &Motion, lo: f64, hi: f64) -> Option<f64> {
    let (a, b) = (motion.volume(lo), motion.volume(hi));
    if a * b > 0.0 {
        return None;
    }
    Some(if a == b { lo } else { lo + (hi - lo) * (a / (a - b)) })
}

/// Regula falsi with Illinois's halving, which does not stick at an end.
pub(super) fn regula_falsi(motion: &Motion, lo: f64, hi: f64) -> Option<f64> {
    let (mut lo, mut hi) = (lo, hi);
    let (mut a, mut b) = (motion.volume(lo), motion.volume(hi));
    if a * b > 0.0 {
        return None;
    }
    let mut side = 0;
    for _ in 0..STEPS {
        if a == 0.0 {
            return Some(lo);
        }
        if b == 0.0 || hi - lo <= f64::EPSILON {
            return Some(hi);
        }
        let t = lo + (hi - lo) * (a / (a - b));
        let value = motion.volume(t);
        if value * a <= 0.0 {
            (hi, b) = (t, value);
            a = if side == -1 { 0.5 * a } else { a };
            side = -1;
        } else {
            (lo, a) = (t, value);
            b = if side == 1 { 0.5 * b } else { b };
            side = 1;
        }
    }
    Some(lo + (hi - lo) * (a / (a - b)))
}

/// Roots of the parabola through start, middle and end, increasing.
pub(super) fn quadratic(motion: &Motion) -> Vec<f64> {
    let (a, m, b) = (motion.volume(0.0), motion.volume(0.5), motion.volume(1.0));
    // a + (4m − 3a − b)·t + 2(a − 2m + b)·t²
    super::cubic::roots([a, 4.0 * m - 3.0 * a - b, 2.0 * (a - 2.0 * m + b), 0.0])
}
