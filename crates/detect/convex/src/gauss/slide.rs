//! A first guess of the depth, from above.

use crate::difference::corners::Many;
use crate::difference::{Difference, Pair, Spot};
use kontakt_math::DVec3;

/// Steps taken.
pub(super) const STEPS: usize = 3;

/// Slides a direction over the unit sphere to where the difference reaches less; how little it reached on the way, and the
/// vertices seen.
///
/// Along n the difference reaches h = n·w, w its vertex there, and h changes as the part of w across n. Its second
/// derivative is that of a ball of the given radius, radius − h, so a step of Newton divides by that.
#[inline(always)]
pub(super) fn slide(pair: &Pair<'_, Many<'_>, Many<'_>>, start: DVec3, radius: f64) -> (f64, [Spot; STEPS]) {
    let mut normal = start;
    let (mut least, mut stride) = (f64::INFINITY, 1.0);
    let mut seen = [Spot::default(); STEPS];
    for spot in &mut seen {
        *spot = pair.support(normal);
        let vertex = spot.w;
        let height = normal.dot(vertex);
        least = least.min(height);
        let across = vertex - normal * height;
        let bend = (radius - height).max(0.2 * radius);
        normal = (normal - across * (stride / bend)).normalize_or(start);
        // Vertices take turns: shorter steps settle.
        stride *= 0.8;
    }
    (least, seen)
}
