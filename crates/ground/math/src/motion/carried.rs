//! A body fixed to a moving carrier: all members of a group keep their places relative to one another.

use super::Motion;
use super::law::{MotionLaw, sound_radius};
use super::norm_bound::sum_up;
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
}

impl MotionLaw for Carried {
    fn pose_at(&self, t: f64) -> Pose {
        self.carrier.pose_at(t).then_from(&self.carrier_from_body)
    }

    fn displacement_bound(&self, centre: DVec3, radius: f64, t0: f64, t1: f64) -> f64 {
        // The ball seen in the carrier's frame, grown by the rounding of its centre.
        let seen = self.carrier_from_body.apply(centre);
        let error = self.carrier_from_body.apply_error(centre);
        self.carrier.displacement_bound(seen, sum_up(sound_radius(radius), error), t0, t1)
    }

    fn enclosure_at(&self, t: f64) -> IntervalPose {
        self.carrier.enclosure_at(t).then_from(&IntervalPose::point(&self.carrier_from_body))
    }
}
