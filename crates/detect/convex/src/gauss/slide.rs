//! A first guess of the depth, from above.

use crate::difference::corners::Many;
use crate::difference::{Difference, Pair};
use kontakt_math::DVec3;

/// Steps taken.
const STEPS: usize = 5;

/// Slides a direction over the unit sphere to where the difference reaches less; how little it reached on the way.
///
/// Along n the difference reaches h = n·w, w its vertex there, and h changes as the part of w across n. Its second
/// derivative is that of a ball of the given radius, radius − h, so a step of Newton divides by that.
pub(super) fn slide(pair: &Pair<'_, Many<'_>, Many<'_>>, start: DVec3, radius: f64) -> f64 {
    let mut normal = start;
    let (mut least, mut stride) = (f64::INFINITY, 1.0);
    for _ in 0..STEPS {
        let vertex = pair.support(normal).w;
        let height = normal.dot(vertex);
        least = least.min(height);
        let across = vertex - normal * height;
        let bend = (radius - height).max(0.2 * radius);
        normal = (normal - across * (stride / bend)).normalize_or(start);
        // Vertices take turns: shorter steps settle.
        stride *= 0.8;
    }
    least
}
