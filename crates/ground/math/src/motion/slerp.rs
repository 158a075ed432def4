//! Straight travel of a pivot with a turn at constant rate about it (slerp).

use super::error::MotionError;
use super::law::{MotionLaw, clamped_time, ordered_span, sound_bound};
use super::norm_bound::product_up;
use super::turn::{Travel, Turn};
use crate::trigonometry::sinc;
use crate::{Interval, IntervalPose, IntervalQuaternion, IntervalVector, Pose};
use glam::DVec3;

/// The pivot goes straight from its first to its last place at constant speed; the orientation follows the
/// shortest great arc at constant rate. Of the two arcs of a half turn the quaternions' signs pick one: the sign of
/// their rounded dot product decides, 0 counting as positive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slerp {
    pub(super) start: Pose,
    pub(super) end: Pose,
    pub(super) pivot: DVec3,
    pub(super) turn: Turn,
    pub(super) travel: Travel,
}

impl Slerp {
    /// From pose to pose about `pivot` (body coordinates).
    pub fn new(start: Pose, end: Pose, pivot: DVec3) -> Result<Slerp, MotionError> {
        if !pivot.is_finite() {
            return Err(MotionError::NotFinite { what: "pivot" });
        }
        let turn = Turn::between(&start, &end);
        Ok(Slerp { start, end, pivot, turn, travel: Travel::of(&start, &end, pivot, &turn) })
    }

    /// The point that goes straight, in body coordinates.
    pub fn pivot(&self) -> DVec3 {
        self.pivot
    }

    /// Contains the true poses at all times of `t` within [0, 1].
    pub fn enclosure(&self, t: Interval) -> IntervalPose {
        let rest = Interval::ONE - t;
        let angle = self.turn.half_angle;
        // sin(aθ)/θ = a·sinc(aθ): the common factor sin θ/θ only scales the quaternion, and a vanishing θ does no harm.
        let rotation = IntervalQuaternion::blend(
            &self.turn.unit_start,
            rest * sinc(rest * angle),
            &self.turn.unit_end,
            t * sinc(t * angle),
        );
        straight_enclosure(&self.start, &self.end, self.pivot, rotation, t)
    }
}

impl MotionLaw for Slerp {
    fn pose_at(&self, t: f64) -> Pose {
        let t = clamped_time(t);
        if t == 0.0 || t == 1.0 {
            return if t == 0.0 { self.start } else { self.end };
        }
        let (p, q) = (self.turn.from, self.turn.to);
        let angle = self.turn.half_angle.middle();
        // Below 1e-9 both weights equal the straight ones to the last bit.
        let (a, b) = if angle < 1e-9 { (1.0 - t, t) } else { (((1.0 - t) * angle).sin(), (t * angle).sin()) };
        straight_pose(&self.travel, self.pivot, p * a + q * b, t, &self.start)
    }

    fn displacement_bound(&self, centre: DVec3, radius: f64, t0: f64, t1: f64) -> f64 {
        let (t0, t1) = ordered_span(t0, t1);
        let dt = if t0 == t1 { return 0.0 } else { (t1 - t0).next_up().min(1.0) };
        // The chord between two times of a turn at rate 2θ is 2ρ·sin(dt·θ), and grows with their distance
        // because dt·θ ≤ π/2; `swing` is ρ·sin θ.
        let chord = product_up(2.0 * self.turn.swing(centre, radius, self.pivot), self.turn.share(dt));
        sound_bound(self.travel.with_chord(dt, chord))
    }

    fn bow_bound(&self, centre: DVec3, radius: f64, t0: f64, t1: f64) -> f64 {
        let (t0, t1) = ordered_span(t0, t1);
        let dt = if t0 == t1 { return 0.0 } else { (t1 - t0).next_up().min(1.0) };
        // The pivot's part is straight at constant speed.
        self.turn.bow(self.turn.swing(centre, radius, self.pivot), dt)
    }

    fn enclosure_at(&self, t: f64) -> IntervalPose {
        self.enclosure(Interval::point(clamped_time(t)))
    }
}

/// Pose with the pivot on its straight way and the orientation given (any length), rounded.
pub(super) fn straight_pose(travel: &Travel, pivot: DVec3, q: glam::DQuat, t: f64, start: &Pose) -> Pose {
    let place = travel.ends[0].lerp(travel.ends[1], t);
    let about_origin = Pose::new(q.normalize(), DVec3::ZERO).unwrap_or(*start);
    let translation = place - about_origin.rotate(pivot);
    Pose::new(about_origin.rotation(), translation).unwrap_or(*start)
}

/// Poses with the pivot on its straight way and one of the orientations given.
pub(super) fn straight_enclosure(
    start: &Pose,
    end: &Pose,
    pivot: DVec3,
    rotation: IntervalQuaternion,
    t: Interval,
) -> IntervalPose {
    let from = IntervalVector::point(start.translation());
    let to = IntervalVector::point(end.translation());
    if pivot == DVec3::ZERO {
        return IntervalPose { rotation, translation: from.scale(Interval::ONE - t) + to.scale(t) };
    }
    let body = IntervalVector::point(pivot);
    let p0 = IntervalPose::point(start).apply(body);
    let p1 = IntervalPose::point(end).apply(body);
    let place = p0.scale(Interval::ONE - t) + p1.scale(t);
    IntervalPose { rotation, translation: place - rotation.rotate(body) }
}
