//! Certified bounds of the distance of two triangles.

use super::corners::Corners;
use super::distance::{FaceDistance, Local, Nearest, nearest};
use super::meeting::classify;
use kontakt_answers::{Range, Visits};
use kontakt_math::DVec3;
use kontakt_math::{Between, U};

/// The distance of the exact images of a triangle of A (in A's frame) and one of B (in B's) lies in the range, which is
/// [0, 0] exactly when they meet; the points (in A's frame, rounded) are where it is about attained.
pub fn distance_range(
    between: &Between,
    a: [DVec3; 3],
    b: [DVec3; 3],
    visits: &mut Visits,
) -> (Range, FaceDistance) {
    let mut corners = Corners::new(between, a, b);
    visits.face_tests += 1;
    let local = Local::new(a, [3, 4, 5].map(|corner| corners.placed(corner)));
    let found = nearest(local.a, local.b, local.size);
    let error = local.inward(corners.error()).next_up();
    let (lo, hi) = bounds(&local, &found, error);
    let mut distance = local.back(&found);
    if lo.is_nan() || lo <= 0.0 {
        let meet = classify(&mut corners).meets();
        visits.exact_tests += corners.exact_signs();
        if meet {
            distance.squared = 0.0;
            return (Range::ZERO, distance);
        }
    }
    // Powers of two; only what leaves the normal doubles rounds.
    let (lo, hi) = (local.length(lo).next_down().max(0.0), local.length(hi).next_up());
    let unknown = (0.0, f64::INFINITY);
    let (lo, hi) = if lo <= hi { (lo, hi) } else { unknown };
    (Range::new(lo, hi).unwrap_or(Range::ZERO), distance)
}

/// Lower and upper bound of the distance for corners of B that are off by at most `error`.
///
/// Above: the points found are combinations of corners with weights in [0, 1], evaluated with errors below 10u·S a coordinate
/// (S = size; u·S for the corner relative to the origin, 2u·S for an edge, 2u·S for its multiple, u·S for the sum, twice), so
/// within 18u·S of the triangles each; 64u·S covers both with the rounding of |gap| aside, which is below 4u relative.
///
/// Below: for any direction w the distance is at least (min over B of w·x − max over A of w·x)/|w|. The corners err by
/// 1.8u·S in length, the dot products by 3u·1.8S|w|, the difference and the quotient by 5u relative of at most 3.5S|w|: together
/// (3.6 + 10.8 + 17.5)u·S ≤ 32u·S, here 40u·S.
fn bounds(local: &Local, found: &Nearest, error: f64) -> (f64, f64) {
    let slack = local.size * U;
    let hi = found.squared.sqrt() * (1.0 + 4.0 * U) + (64.0 * slack + error);
    let normal = |t: &[DVec3; 3]| (t[1] - t[0]).cross(t[2] - t[0]);
    let gap = found.point_b - found.point_a;
    let directions = [gap, found.normal, normal(&local.a), normal(&local.b)];
    let separation = directions.into_iter().map(|w| separation(local, w)).fold(0.0, f64::max);
    (separation - (40.0 * slack + error), hi)
}

/// How far the triangles are apart along ±w, rounded; not positive if they are not, or w is zero.
fn separation(local: &Local, w: DVec3) -> f64 {
    let ends = |t: &[DVec3; 3]| {
        let [x, y, z] = t.map(|corner| w.dot(corner));
        (x.min(y).min(z), x.max(y).max(z))
    };
    let ((low_a, high_a), (low_b, high_b)) = (ends(&local.a), ends(&local.b));
    let square = w.length_squared();
    // Also false for NaN. Sizes are moderate: a smaller square has lost bits to underflow.
    if square > 1e-280 { (low_b - high_a).max(low_a - high_b) / square.sqrt() } else { 0.0 }
}
