//! The least distance of two moving shapes, as certified bounds.

use super::{MovingShape, resolved};
use crate::asker::MotionQuery;
use crate::clearance::{ClearanceOptions, least, loosened, rounding_within};
use kontakt_answers::Range;
use kontakt_convex::PlacedShape;
use kontakt_math::round::length_up;
use kontakt_math::{DVec3, Pose};

/// A ball around a body in its frame; none for half-spaces.
fn ball(body: &MovingShape) -> Option<(DVec3, f64)> {
    let whole = resolved(body.shape);
    let pieces = MovingShape { shape: &whole, ..*body }.pieces();
    let centre = pieces.first()?.centre;
    let mut radius = 0.0_f64;
    for piece in &pieces {
        if piece.wall.is_some() {
            return None;
        }
        radius = radius.max(length_up(piece.centre - centre) + piece.radius + piece.round[1]);
    }
    Some((centre, radius * (1.0 + 1e-9)))
}

impl MotionQuery {
    /// **Certified** bounds of the least distance of two moving shapes over t in [0, 1], and the time at which the upper one is
    /// attained, to rounding. Wider than asked for where the work does not suffice.
    ///
    /// Of a half-space those points count that are where the other body is: a point x of the other body that moves by r, and the
    /// point of the half-space's frame at the same place that moves by s, change their distance by at most r + s.
    pub fn least_clearance_of_shapes(
        &mut self,
        a: MovingShape,
        b: MovingShape,
        options: &ClearanceOptions,
    ) -> (Range, f64) {
        let balls = [ball(&a), ball(&b)];
        let bodies = [a, b];
        // In the frame of body k at a time: its own ball, or that of the other body.
        let seen = |k: usize, poses: &[Pose; 2]| match (balls[k], balls[1 - k]) {
            (Some(own), _) => own,
            (None, Some((centre, radius))) => {
                let place = poses[1 - k].apply(centre);
                let own = poses[k].inverse().apply(place);
                let error = 1e-12 * (length_up(place) + length_up(own) + length_up(poses[k].translation()));
                (own, (radius + error) * (1.0 + 1e-9))
            }
            (None, None) => (DVec3::ZERO, f64::INFINITY),
        };
        let poses = |t: f64| bodies.map(|body| body.motion.pose_at(t));
        let at_rest = &mut self.shapes_at_rest;
        let distance = |t: f64| {
            let poses = poses(t);
            let placed = [0, 1].map(|k: usize| PlacedShape::new(bodies[k].shape, poses[k]));
            let found = at_rest.distance(placed[0], placed[1]).distance();
            let error = |k: usize| rounding_within(bodies[k].motion, seen(k, &poses), &poses[k], t);
            loosened(found, (0..2).map(error).sum())
        };
        let moved = |middle: f64, start: f64, end: f64| {
            let poses = poses(middle);
            let of = |k: usize| {
                let (centre, radius) = seen(k, &poses);
                bodies[k].motion.deviation_bound(centre, radius, middle, start, end)
            };
            of(0) + of(1)
        };
        least(options, distance, moved)
    }
}
