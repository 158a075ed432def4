//! The least distance of two bodies on their way, as certified bounds.

use crate::asker::MotionQuery;
use crate::moving::MovingMesh;
use crate::span::Span;
use kontakt_answers::Range;
use kontakt_math::order::ByRank;
use kontakt_math::round::length_up;
use kontakt_math::{DVec3, Motion, Pose};
use kontakt_mesh::{Mesh, PlacedMesh};
use std::collections::BinaryHeap;

/// How exactly and with how much work to bound the least distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClearanceOptions {
    /// Largest width of the bounds, in units of length.
    pub tolerance: f64,
    /// Most distances at rest to be computed; the bounds are wider when they do not suffice.
    pub most_distances: u32,
}

impl Default for ClearanceOptions {
    fn default() -> ClearanceOptions {
        ClearanceOptions { tolerance: 1e-3, most_distances: 4096 }
    }
}

impl MotionQuery {
    /// **Certified** bounds of the least distance of the two bodies' faces over t in [0, 1]; the time at which the upper one is
    /// attained, to rounding. Wider than asked for where the work does not suffice.
    ///
    /// Proof: moving the points of A by at most r and those of B by at most s changes a distance by at most r + s, so that over a span
    /// it is at least that at the middle less both bodies' deviations from the middle. Spans are divided where this is least.
    pub fn least_clearance(
        &mut self,
        a: MovingMesh,
        b: MovingMesh,
        options: &ClearanceOptions,
    ) -> (Range, f64) {
        let moved = |at: f64, start: f64, end: f64| {
            let of = |body: MovingMesh| {
                let (centre, radius) = ball(body.mesh);
                body.motion.deviation_bound(centre, radius, at, start, end)
            };
            of(a) + of(b)
        };
        least(options, |t| self.distance_at(a, b, t), moved)
    }

    /// The distance at a time: that of the rounded poses, give and take their rounding.
    pub(crate) fn distance_at(&mut self, a: MovingMesh, b: MovingMesh, t: f64) -> Range {
        let (pose_a, pose_b) = (a.motion.pose_at(t), b.motion.pose_at(t));
        let found = self
            .at_rest_mut()
            .distance(PlacedMesh::new(a.mesh, pose_a), PlacedMesh::new(b.mesh, pose_b))
            .range;
        loosened(found, rounding(a, &pose_a, t) + rounding(b, &pose_b, t))
    }
}

/// Bounds of a distance that may be off by an error.
pub(crate) fn loosened(found: Range, error: f64) -> Range {
    let (lo, hi) = ((found.lo() - error).next_down().max(0.0), (found.hi() + error).next_up());
    if error == 0.0 { found } else { Range::new(lo, hi).unwrap_or(Range::ZERO) }
}

/// A ball around a body, in its frame.
fn ball(mesh: &Mesh) -> (DVec3, f64) {
    (mesh.tree().origin(), 1.7321 * 2.0_f64.powi(mesh.tree().exponent()))
}

/// Bounds of the least value of a distance over [0, 1] and the time of the upper one. `distance` encloses it at a time;
/// `moved(at, start, end)` is never less than what it may change between `at` and any time of the span.
pub(crate) fn least(
    options: &ClearanceOptions,
    mut distance: impl FnMut(f64) -> Range,
    moved: impl Fn(f64, f64, f64) -> f64,
) -> (Range, f64) {
    let mut best = (f64::INFINITY, 0.0);
    let mut spans = BinaryHeap::from([ByRank(Span::whole(f64::NEG_INFINITY, ()))]);
    for t in [0.0, 1.0] {
        let hi = distance(t).hi();
        if hi < best.0 {
            best = (hi, t);
        }
    }
    let mut left = options.most_distances;
    let mut least = 0.0_f64;
    while let Some(ByRank(span)) = spans.pop() {
        least = span.least.max(0.0);
        let Some(middle) = span.middle() else { break };
        // Also ends for NaN.
        if left == 0 || best.0 - least <= options.tolerance.max(0.0) || best.0 <= 0.0 {
            break;
        }
        left -= 1;
        let found = distance(middle);
        if found.hi() < best.0 {
            best = (found.hi(), middle);
        }
        spans.extend(span.halves(middle, found, |start, end| moved(middle, start, end)).map(ByRank));
    }
    (Range::new(least.min(best.0), best.0).unwrap_or(Range::ZERO), best.1)
}

/// **Never too small**: how far the rounded pose may place a point of the body from where the motion does.
pub(crate) fn rounding(body: MovingMesh, pose: &Pose, t: f64) -> f64 {
    rounding_within(body.motion, ball(body.mesh), pose, t)
}

/// **Never too small**: how far the rounded pose may place a point of a ball of the body from where the motion does. At the
/// beginning of all motions but carried ones and users' own the pose is the truth.
pub(crate) fn rounding_within(motion: &Motion, (centre, radius): (DVec3, f64), pose: &Pose, t: f64) -> f64 {
    let exact = t == 0.0 && !matches!(motion, Motion::Carried(_) | Motion::Law(_));
    if matches!(motion, Motion::Rest(_)) || exact {
        return 0.0;
    }
    let reach = (length_up(centre) + radius) * (1.0 + 1e-12);
    let truth = motion.placement_at(t);
    let turned = pose.matrix() - truth.turn;
    let columns = [turned.x_axis, turned.y_axis, turned.z_axis].map(length_up);
    // The pose's own matrix is off by less than 64 units in the last place.
    let turn = length_up(DVec3::from_array(columns)) + truth.turn_error + 64.0 * f64::EPSILON;
    (turn * reach + length_up(pose.translation() - truth.shift) * (1.0 + 1e-12) + truth.shift_error)
        * (1.0 + 1e-9)
}
