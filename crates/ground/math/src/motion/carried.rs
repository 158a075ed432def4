//! A body fixed to a moving carrier: all members of a group keep their places relative to one another.

use super::Motion;
use super::law::{MotionLaw, sound_radius};
use super::norm_bound::{product_up, sum_up};
use super::placement::Placement;
use super::rates::StraightPoint;
use crate::round::{U, length_up};
use crate::turn_matrix::rotation_matrix;
use crate::{IntervalPose, Pose};
use glam::DVec3;

/// The motion of a body that is carried: its pose in the carrier's frame does not change. Interpolating each
/// member's own poses instead would tear a group apart (VR 5.3 against 7.2.1).
#[derive(Clone, Debug)]
pub struct Carried {
    carrier: Motion,
    carrier_from_body: Pose,
}

impl Carried {
    /// A body at `carrier_from_body` in the frame of a carrier that moves by `carrier`.
    pub fn new(carrier: Motion, carrier_from_body: Pose) -> Carried {
        Carried { carrier, carrier_from_body }
    }

    /// The motion of what it is fixed to.
    pub fn carrier(&self) -> &Motion {
        &self.carrier
    }

    /// The motion between two knots of the carrier's.
    pub(super) fn segment(&self, index: usize) -> Option<Motion> {
        self.carrier.segment(index).map(|segment| segment.carrying(self.carrier_from_body))
    }

    /// A ball of the body in the carrier's frame, grown by the rounding of its centre.
    pub(super) fn seen(&self, centre: DVec3, radius: f64) -> (DVec3, f64) {
        let error = self.carrier_from_body.apply_error(centre);
        (self.carrier_from_body.apply(centre), sum_up(sound_radius(radius), error))
    }

    /// The carrier's straight point as one of the body: being rounded it is a little off and circles about it, so its way is off the
    /// straight one by no more than that.
    pub(super) fn straight_point(&self) -> Option<StraightPoint> {
        let StraightPoint { point: there, ends, error } = self.carrier.straight_point()?;
        let pose = &self.carrier_from_body;
        let point = pose.rotation().conjugate() * (there - pose.translation());
        let off = sum_up(length_up(pose.apply(point) - there) * (1.0 + 4.0 * U), pose.apply_error(point));
        Some(StraightPoint { point, ends, error: sum_up(error, off) })
    }

    /// Where the body is.
    ///
    /// Error, for matrices T of the carrier (off by e) and B of the body (off by 40u, see `Placement::at_rest`), both of norm 1 up to
    /// that: TB is off by e + 40u and its rounding, less than 24u; T·b by e|b|, with the sum by less than 24u of all lengths more. The
    /// factor covers products of errors.
    pub(super) fn placement(&self, t: f64) -> Placement {
        const MORE: f64 = 1.0 + 1e-6;
        let carrier = self.carrier.placement_at(t);
        let offset = self.carrier_from_body.translation();
        let lengths = offset.abs().element_sum() + carrier.shift.abs().element_sum();
        Placement {
            turn: carrier.turn * rotation_matrix(self.carrier_from_body.given_rotation()),
            shift: carrier.turn * offset + carrier.shift,
            turn_error: (carrier.turn_error + 64.0 * U) * MORE,
            shift_error: sum_up(
                carrier.shift_error,
                product_up(carrier.turn_error, length_up(offset)) + 24.0 * U * lengths,
            ) * MORE,
        }
    }
}

impl MotionLaw for Carried {
    fn pose_at(&self, t: f64) -> Pose {
        self.carrier.pose_at(t).then_from(&self.carrier_from_body)
    }

    fn displacement_bound(&self, centre: DVec3, radius: f64, t0: f64, t1: f64) -> f64 {
        let (centre, radius) = self.seen(centre, radius);
        self.carrier.displacement_bound(centre, radius, t0, t1)
    }

    fn bow_bound(&self, centre: DVec3, radius: f64, t0: f64, t1: f64) -> f64 {
        let (centre, radius) = self.seen(centre, radius);
        self.carrier.bow_bound(centre, radius, t0, t1)
    }

    fn enclosure_at(&self, t: f64) -> IntervalPose {
        self.carrier.enclosure_at(t).then_from(&IntervalPose::point(&self.carrier_from_body))
    }
}
