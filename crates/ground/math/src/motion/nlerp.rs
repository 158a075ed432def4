//! Straight travel of a pivot with a normalised linear blend of quaternions about it (nlerp).

use super::error::MotionError;
use super::law::{MotionLaw, clamped_time, ordered_span, sound_bound};
use super::norm_bound::product_up;
use super::slerp::{straight_enclosure, straight_pose};
use super::turn::{Travel, Turn};
use crate::{Interval, IntervalPose, IntervalQuaternion, Pose};
use glam::DVec3;

/// The pivot goes straight; the orientation is the direction of (1−t)·q0 + t·q1: the arc of [`super::Slerp`] with
/// another timing, and every point's path is rational in t.
///
/// q0 and q1 are the quaternions **as given**, the second times the double nearest to the ratio of their lengths (as computed, off
/// by less than 8 units of roundoff): so the path is rational in exact numbers too. Bounds allow for that ratio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nlerp {
    pub(super) start: Pose,
    pub(super) end: Pose,
    pub(super) pivot: DVec3,
    pub(super) turn: Turn,
    pub(super) travel: Travel,
    /// Never less than |q1 − q0|² of the unit quaternions, and at most 2 up to rounding.
    pub(super) gap_squared: f64,
}

impl Nlerp {
    /// From pose to pose about `pivot` (body coordinates).
    pub fn new(start: Pose, end: Pose, pivot: DVec3) -> Result<Nlerp, MotionError> {
        if !pivot.is_finite() {
            return Err(MotionError::NotFinite { what: "pivot" });
        }
        let turn = Turn::between(&start, &end);
        let minus = -Interval::ONE;
        let gap = IntervalQuaternion::blend(&turn.unit_end, Interval::ONE, &turn.unit_start, minus);
        let gap_squared = gap.length_squared().hi();
        Ok(Nlerp { start, end, pivot, turn, travel: Travel::of(&start, &end, pivot, &turn), gap_squared })
    }

    /// The poses it leads from and to.
    pub fn ends(&self) -> (Pose, Pose) {
        (self.start, self.end)
    }

    /// The quaternions p, q as given and the factor s of (1−t)·p + t·s·q, whose direction **is** the orientation at t.
    ///
    /// s·|q|/|p| is within 8u of 1: a length errs by 3u (sum of squares 4u, halved by the root, and the root's u), the
    /// quotient by u; scaling by the largest coordinate rounds each by u.
    pub fn exact_blend(&self) -> (glam::DQuat, glam::DQuat, f64) {
        let (from, last) = (self.start.given_rotation(), self.end.given_rotation());
        let to = if self.start.rotation().dot(self.end.rotation()) < 0.0 { -last } else { last };
        if from == to {
            return (from, to, 1.0);
        }
        let length = |q: glam::DQuat| {
            let largest = q.to_array().iter().fold(0.0_f64, |largest, c| largest.max(c.abs()));
            (largest, (q * (1.0 / largest)).to_array().iter().map(|c| c * c).sum::<f64>().sqrt())
        };
        let ((size_from, from_length), (size_to, to_length)) = (length(from), length(to));
        let ratio = (size_from / size_to) * (from_length / to_length);
        (from, to, ratio)
    }

    /// Start and end quaternion with the signs that make the turn short, as stored (unit to rounding), and the pivot.
    pub fn blend_ends(&self) -> (glam::DQuat, glam::DQuat, DVec3) {
        (self.turn.from, self.turn.to, self.pivot)
    }

    /// The point that goes straight, in body coordinates.
    pub fn pivot(&self) -> DVec3 {
        self.pivot
    }

    /// Contains the true poses at all times of `t` within [0, 1].
    pub fn enclosure(&self, t: Interval) -> IntervalPose {
        let weight = t * self.doubt();
        let rotation =
            IntervalQuaternion::blend(&self.turn.unit_start, Interval::ONE - t, &self.turn.unit_end, weight);
        straight_enclosure(&self.start, &self.end, self.pivot, rotation, t)
    }

    /// Contains s·|q|/|p| of [`Self::exact_blend`]; exactly 1 where nothing turns.
    fn doubt(&self) -> Interval {
        let slack = 8.0 * f64::EPSILON;
        if self.turn.half_angle == Interval::ZERO {
            return Interval::ONE;
        }
        Interval::new(1.0 - slack, 1.0 + slack)
    }

    /// Never more than |(1−t)·q0 + t·q1| of unit quaternions.
    ///
    /// Proof: for unit quaternions |(1−t)q0 + tq1|² = 1 − t(1−t)|q1−q0|². Five roundings of values in [0, 1] are
    /// below 3·2⁻⁵² in the result, which is at least ½ (the turn is the short one).
    fn blend_length_down(&self, t: f64) -> f64 {
        let square = 1.0 - t * (1.0 - t) * self.gap_squared - 8.0 * f64::EPSILON;
        square.max(0.49).sqrt() * (1.0 - f64::EPSILON)
    }
}

impl MotionLaw for Nlerp {
    fn pose_at(&self, t: f64) -> Pose {
        let t = clamped_time(t);
        if t == 0.0 || t == 1.0 {
            return if t == 0.0 { self.start } else { self.end };
        }
        straight_pose(&self.travel, self.pivot, self.turn.from * (1.0 - t) + self.turn.to * t, t, &self.start)
    }

    fn displacement_bound(&self, centre: DVec3, radius: f64, t0: f64, t1: f64) -> f64 {
        let (t0, t1) = ordered_span(t0, t1);
        let dt = if t0 == t1 { return 0.0 } else { (t1 - t0).next_up().min(1.0) };
        // Half the angle ψ turned between t0 and t1 is that between Q(t0) and Q(t1), and Q(t0)∧Q(t1) = (t1−t0)·q0∧q1,
        // so sin ψ = (t1−t0)·sin θ/(|Q(t0)||Q(t1)|). The chord is 2ρ·sin ψ, growing with the span since ψ ≤ θ ≤ π/2,
        // whence also sin ψ ≤ sin θ
        // (up to the 2⁻¹⁰⁰ of `Turn::share`).
        let lengths = self.blend_length_down(t0) * self.blend_length_down(t1);
        // q1 may be longer or shorter by 8ε: 24ε in the quotient. The arc stays that between q0 and q1.
        let share = (dt / lengths * (1.0 + 32.0 * f64::EPSILON)).min(1.0 + f64::EPSILON);
        let chord = product_up(2.0 * self.turn.swing(centre, radius, self.pivot), share);
        sound_bound(self.travel.with_chord(dt, chord))
    }

    fn bow_bound(&self, centre: DVec3, radius: f64, t0: f64, t1: f64) -> f64 {
        if self.turn.half_angle.hi() <= 0.0 {
            return 0.0;
        }
        // The turn's rate is not constant: as for any motion, by what the point moves in either half of the time.
        let (t0, t1) = ordered_span(t0, t1);
        let middle = 0.5 * t0 + 0.5 * t1;
        let before = self.displacement_bound(centre, radius, t0, middle);
        sound_bound(before.max(self.displacement_bound(centre, radius, middle, t1)))
    }

    fn enclosure_at(&self, t: f64) -> IntervalPose {
        self.enclosure(Interval::point(clamped_time(t)))
    }
}
