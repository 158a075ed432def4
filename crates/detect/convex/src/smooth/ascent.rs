//! The way uphill: directions in which the gap f(n) is larger, up to a local maximum.

use super::pair::{Pair, Plane, View, tangents};
use kontakt_math::DVec3;

/// A direction and what is seen along it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stand {
    pub(super) n: DVec3,
    pub(super) view: View,
    /// f(n)
    pub(super) gap: f64,
}

impl Stand {
    /// At a direction of any length; none for one without direction.
    #[inline]
    pub(super) fn new(pair: &Pair, direction: DVec3) -> Option<Stand> {
        let n = unit(direction)?;
        let view = pair.look(n);
        Some(Stand { n, view, gap: view.w.dot(n) })
    }
}

/// The direction scaled to length 1 (to 2u); none for zero, infinite and NaN.
#[inline]
pub(super) fn unit(v: DVec3) -> Option<DVec3> {
    let squared = v.length_squared();
    if squared > 1e-280 && squared < 1e280 {
        return Some(v / squared.sqrt());
    }
    let most = v.abs().max_element();
    if !(most > 0.0 && most.is_finite()) {
        return None;
    }
    let scaled = v / most;
    Some(scaled / scaled.length())
}

/// Newton's method with damping on the sphere: up to a local maximum of the gap where the support functions are smooth.
/// Near n + δ the gap is about f + τ·δ − ½δᵀ(H + f)δ, with τ the part of w across n.
pub(super) fn climb(pair: &Pair, start: Stand, steps: usize) -> Stand {
    let mut here = start;
    let mut damping = 0.0;
    for _ in 0..steps {
        let (e, f) = tangents(here.n);
        let slope = (here.view.w.dot(e), here.view.w.dot(f));
        let steepness = (slope.0 * slope.0 + slope.1 * slope.1).sqrt();
        if steepness <= 0.125 * pair.noise {
            break;
        }
        let curve = pair.bends(&here.view, here.n, e, f).total().plus(here.gap);
        let Some(next) = uphill(pair, &here, curve, slope, &mut damping, (e, f)) else { break };
        let small = (next.n - here.n).length_squared() < 1e-30;
        here = next;
        if small {
            break;
        }
    }
    here
}

/// One damped step to a larger gap; none where no step gains.
fn uphill(
    pair: &Pair,
    here: &Stand,
    curve: Plane,
    slope: (f64, f64),
    damping: &mut f64,
    (e, f): (DVec3, DVec3),
) -> Option<Stand> {
    let (low, high) = curve.eigenvalues();
    let steepness = (slope.0 * slope.0 + slope.1 * slope.1).sqrt();
    // Positive definite, and no step of more than about a radian.
    let floor = (0.7 * steepness).max(1e-12 * high.abs()).max(pair.noise);
    for _ in 0..24 {
        let more = damping.max(if low < floor { floor - low } else { 0.0 });
        let (x, y) = curve.plus(more).solve(slope.0, slope.1);
        let next = Stand::new(pair, here.n + e * x + f * y)?;
        // Within rounding equal is good enough for a last short step.
        if next.gap > here.gap || (x * x + y * y < 1e-12 && next.gap > here.gap - pair.noise) {
            *damping = 0.1 * more;
            if *damping < 1e-3 * low.abs() {
                *damping = 0.0;
            }
            return Some(next);
        }
        *damping = (4.0 * more).max(0.5 * high.abs()).max(steepness);
    }
    None
}
