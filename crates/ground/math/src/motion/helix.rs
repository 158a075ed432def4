//! A screw given by its line, angle and advance: any number of turns.

use super::error::MotionError;
use super::law::{MotionLaw, clamped_time, ordered_span, sound_bound, sound_radius};
use super::norm_bound::{NormBound, product_up, sum_up};
use super::screw::{Rounded, hypotenuse_up};
use crate::trigonometry::{cos, sin, sin_up};
use crate::{Interval, IntervalPose, IntervalQuaternion, IntervalVector, Pose};
use glam::{DQuat, DVec3};

/// Turn about a line fixed in the world by an angle of any size, and travel along it, both at constant rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Helix {
    pub(super) start: Pose,
    pub(super) point: DVec3,
    pub(super) axis: IntervalVector,
    /// The same.
    pub(super) rounded_axis: Rounded,
    pub(super) angle: f64,
    pub(super) advance: f64,
    /// Distance of the body point x from the line.
    pub(super) distance: NormBound,
}

impl Helix {
    /// From pose `start`: turn by `angle` (radians, right-handed) about the world line through `point` along
    /// `direction` (any length but 0) and advance along it.
    pub fn new(
        start: Pose,
        point: DVec3,
        direction: DVec3,
        angle: f64,
        advance: f64,
    ) -> Result<Helix, MotionError> {
        let finite = [
            (point.is_finite(), "axis point"),
            (direction.is_finite(), "axis direction"),
            (angle.is_finite(), "angle"),
            (advance.is_finite(), "advance"),
        ];
        if let Some((_, what)) = finite.into_iter().find(|(ok, _)| !ok) {
            return Err(MotionError::NotFinite { what });
        }
        let length = IntervalVector::point(direction).length();
        if length.lo() <= 0.0 {
            return Err(MotionError::ZeroAxis);
        }
        let exact = IntervalVector::point(direction);
        let axis = IntervalVector::new(exact.x / length, exact.y / length, exact.z / length);
        let columns = IntervalQuaternion::point(start.given_rotation()).columns().map(|c| axis.cross(c));
        let offset = axis.cross(IntervalVector::point(start.translation()) - IntervalVector::point(point));
        let distance = NormBound::new(columns, offset);
        Ok(Helix { start, point, axis, rounded_axis: Rounded::of(axis), angle, advance, distance })
    }

    /// By how much it turns, in radians.
    pub fn angle(&self) -> f64 {
        self.angle
    }

    /// Contains the true poses at all times of `t` within [0, 1].
    pub fn enclosure(&self, t: Interval) -> IntervalPose {
        let half = t * Interval::point(self.angle).half();
        let turn = IntervalQuaternion { v: self.axis.scale(sin(half)), w: cos(half) };
        let arm = IntervalVector::point(self.start.translation()) - IntervalVector::point(self.point);
        let along = self.axis.scale(t * Interval::point(self.advance));
        IntervalPose {
            rotation: turn.product(&IntervalQuaternion::point(self.start.given_rotation())),
            translation: IntervalVector::point(self.point) + turn.rotate(arm) + along,
        }
    }
}

impl MotionLaw for Helix {
    fn pose_at(&self, t: f64) -> Pose {
        let t = clamped_time(t);
        if t == 0.0 {
            return self.start;
        }
        let axis = self.axis.middle();
        let turn = DQuat::from_axis_angle(axis.normalize_or_zero(), self.angle * t).normalize();
        let arm = self.start.translation() - self.point;
        let translation = self.point + turn * arm + axis * (t * self.advance);
        Pose::new((turn * self.start.rotation()).normalize(), translation).unwrap_or(self.start)
    }

    fn displacement_bound(&self, centre: DVec3, radius: f64, t0: f64, t1: f64) -> f64 {
        let (t0, t1) = ordered_span(t0, t1);
        let dt = if t0 == t1 { return 0.0 } else { (t1 - t0).next_up().min(1.0) };
        // A point at distance ρ from the line moves by dt·h along it and by the chord 2ρ·sin(dt·φ/2) across, which
        // grows up to half a turn and is at most 2ρ after it.
        let half_angle = product_up(dt, 0.5 * self.angle.abs());
        let sine = if half_angle == 0.0 { 0.0 } else { sin_up(half_angle) };
        let reach = sum_up(self.distance.at(centre), sound_radius(radius));
        let chord = if sine == 0.0 { 0.0 } else { product_up(2.0 * reach, sine) };
        sound_bound(hypotenuse_up(product_up(dt, self.advance.abs()), chord))
    }

    fn bow_bound(&self, centre: DVec3, radius: f64, t0: f64, t1: f64) -> f64 {
        let (t0, t1) = ordered_span(t0, t1);
        let dt = if t0 == t1 { return 0.0 } else { (t1 - t0).next_up().min(1.0) };
        // Linear interpolation errs by at most |x″|/8 = ρφ²/8 (see `Turn::bow`); beyond a turn a point and a place on its
        // chord are both within ρ of the axis.
        let turned = product_up(dt, self.angle.abs());
        let reach = sum_up(self.distance.at(centre), sound_radius(radius));
        sound_bound(product_up(reach, product_up(turned, 0.125 * turned).min(2.0)))
    }

    fn enclosure_at(&self, t: f64) -> IntervalPose {
        self.enclosure(Interval::point(clamped_time(t)))
    }
}
