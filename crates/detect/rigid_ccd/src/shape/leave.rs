//! Convex shapes that touch at the beginning: a proof that they leave each other at once.

// The answer at rest tells a unit normal n within an angle ε of an exact one m, along which the gap at the beginning is not
// negative (for polytopes and spheres exactly; else not less than the lower end of the certified separation, which is how touching is
// told there). The gap of other unit directions differs by at most |m − n| times the largest distance of points, so along m it
// is at least g(1) − ε·D at the end of a span, and (see `pursuit`) at least λ(g(1) − ε·D − q) on the way.

use super::pursuit::Pursuit;
use kontakt_convex::{Answer, Verdict};
use kontakt_math::DVec3;

/// Spans tried, each a quarter of the one before.
const MOST_SPANS: i32 = 24;

/// Until when two pieces that touch at the beginning of the leg are proven to have left each other; `normal` is the
/// answer's, in the frame of the pursuit. `None` where that cannot be proven.
pub(super) fn free_until(pursuit: &Pursuit, answer: &Answer, normal: DVec3) -> Option<f64> {
    if answer.verdict == Verdict::Overlapping || answer.verdict == Verdict::Undecided {
        return None;
    }
    // What is only known to stay near its straight way may come back at once.
    if !pursuit.leg.is_smooth() {
        return None;
    }
    let normal = pursuit.a.wall.map_or(normal.normalize_or_zero(), |wall| wall.normal);
    // Turning the normal into the frame rounds by a few units in the last place. A wall's own is exact.
    let angle = if pursuit.a.wall.is_some() { 0.0 } else { answer.normal_error + 64.0 * f64::EPSILON };
    let touch = (-answer.separation.lo()).max(0.0);
    if normal == DVec3::ZERO || angle.is_nan() || angle >= 1.0 || !touch.is_finite() {
        return None;
    }
    let (start, mut span) = (pursuit.leg.start, pursuit.leg.end - pursuit.leg.start);
    for _ in 0..MOST_SPANS {
        let until = start + span;
        if until <= start {
            return None;
        }
        let lost = angle * pursuit.spread(until) * (1.0 + 1e-9) + touch;
        if pursuit.gap_along(normal, until) > lost + pursuit.bend_between(start, until) {
            return Some(until);
        }
        span *= 0.25;
    }
    None
}
