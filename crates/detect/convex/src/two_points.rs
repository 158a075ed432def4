//! Two cores that are points: spheres and rounded points, whose orientation does not matter.

use crate::{Answer, PlacedShape, Verdict};
use kontakt_answers::Range;
use kontakt_math::U;

/// Distances whose squares are far from the ends of the range of doubles.
const TAME: std::ops::Range<f64> = 1e-100..1e100;

/// The answer about two balls, if doubles tell the verdict. A difference of single points leaves GJK nothing to iterate and the
/// rotations nothing to turn, so this is its whole run.
///
/// Errors, to first order in u. Each coordinate of d = t − s errs by u relative, so d by u|d| in length and in angle. |d|² errs by 2u
/// more from d and 3u from its own operations, its root by half of that and u: 4u relative; here 8u. The quotient d/|d| errs by
/// 1 + 4 + 1 = 6u in length, in angle by 2u; here 8u. The sum of four radii errs by 3u; here 4u. A surface point
/// s + r·n errs by u|s + r·n| + r(9u); `point_error` is the sum for both with 16u. Every operation gives the same doubles, up to
/// sign, for the bodies in the other order.
#[inline]
pub(crate) fn answer(a: &PlacedShape, b: &PlacedShape) -> Option<Answer> {
    let (s, t) = (a.pose.translation(), b.pose.translation());
    let offset = t - s;
    let length = offset.length_squared().sqrt();
    if !TAME.contains(&length) {
        return None;
    }
    let ([r, margin_a], [q, margin_b]) = (a.shape.radii(), b.shape.radii());
    let (radius_a, radius_b) = (r + margin_a, q + margin_b);
    let radii = radius_a + radius_b;
    let lo = (length * (1.0 - 8.0 * U) - radii * (1.0 + 4.0 * U)).next_down();
    let hi = (length * (1.0 + 8.0 * U) - radii * (1.0 - 4.0 * U)).next_up();
    let verdict = Verdict::of_bounds(lo, hi)?;
    let normal = offset / length;
    let (point_a, point_b) = (s + normal * radius_a, t - normal * radius_b);
    let sizes = (point_a.abs() + point_b.abs()).element_sum() + radii;
    Some(Answer {
        verdict,
        separation: Range::new(lo, hi).ok()?,
        normal,
        normal_error: 8.0 * U,
        point_a,
        point_b,
        point_error: sizes * (16.0 * U),
    })
}
