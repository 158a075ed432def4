//! Rigid motions over t in [0, 1]: where a body is at t, and how far any of its points can have moved.
//!
//! One file a kind. All bounds are about the ideal motion, are rounded outward, and hold for every angle.
//!
//! ```
//! use kontakt_math::{DQuat, DVec3, Motion, Pose};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let start = Pose::IDENTITY;
//! let end = Pose::from_axis_angle(DVec3::Z, 1.0, DVec3::new(3.0, 0.0, 0.0))?;
//! let motion = Motion::slerp(start, end, DVec3::ZERO)?;
//! // A ball of radius ½ around (0, 1, 0) on the body, in the first tenth of the motion:
//! let reach = motion.displacement_bound(DVec3::Y, 0.5, 0.0, 0.1);
//! assert!(reach < 0.3 + 1.5 * 0.1 + 1e-12);
//! # Ok(())
//! # }
//! ```

mod carried;
mod error;
mod helix;
mod law;
mod nlerp;
mod norm_bound;
mod path;
mod placement;
mod rates;
mod screw;
mod slerp;
mod turn;

pub use carried::Carried;
pub use error::MotionError;
pub use helix::Helix;
pub use law::MotionLaw;
pub use nlerp::Nlerp;
pub use path::{Interpolation, Path};
pub use placement::Placement;
pub use rates::{Rates, StraightPoint};
pub use screw::Screw;
pub use slerp::Slerp;

use crate::{Interval, IntervalPose, IntervalVector, Pose};
use glam::DVec3;
use std::sync::Arc;

/// A rigid motion over t in [0, 1]. Times outside are clamped; NaN counts as "anywhere" in bounds and as 0 in poses.
#[derive(Clone, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "plain data that is copied; behind a box every place would cost one more step"
)]
pub enum Motion {
    /// A body that stays where it is.
    Rest(Pose),
    /// A pivot goes straight, the orientation turns at constant rate.
    Slerp(Slerp),
    /// A pivot goes straight, the orientation is a normalised blend.
    Nlerp(Nlerp),
    /// The screw between two poses.
    Screw(Screw),
    /// A screw of any number of turns about a given line.
    Helix(Helix),
    /// Recorded poses, joined piece by piece.
    Path(Arc<Path>),
    /// The motion of a body that is fixed to a moving one.
    Carried(Arc<Carried>),
    /// A user's motion.
    Law(Arc<dyn MotionLaw>),
}

impl Motion {
    /// Straight travel of `pivot` (body coordinates) with slerp about it.
    pub fn slerp(start: Pose, end: Pose, pivot: DVec3) -> Result<Motion, MotionError> {
        Slerp::new(start, end, pivot).map(Motion::Slerp)
    }

    /// Straight travel of `pivot` (body coordinates) with normalised lerp about it.
    pub fn nlerp(start: Pose, end: Pose, pivot: DVec3) -> Result<Motion, MotionError> {
        Nlerp::new(start, end, pivot).map(Motion::Nlerp)
    }

    /// The screw from pose to pose, by the shorter turn.
    pub fn screw(start: Pose, end: Pose) -> Motion {
        Motion::Screw(Screw::new(start, end))
    }

    /// A turn of any angle (radians) about the world line through `point` along `direction`, with advance along it.
    pub fn helix(
        start: Pose,
        point: DVec3,
        direction: DVec3,
        angle: f64,
        advance: f64,
    ) -> Result<Motion, MotionError> {
        Helix::new(start, point, direction, angle, advance).map(Motion::Helix)
    }

    /// A recorded path.
    pub fn path(times: Vec<f64>, poses: Vec<Pose>, how: Interpolation) -> Result<Motion, MotionError> {
        Path::new(times, poses, how).map(|path| Motion::Path(Arc::new(path)))
    }

    /// A user's motion.
    pub fn law(law: impl MotionLaw + 'static) -> Motion {
        Motion::Law(Arc::new(law))
    }

    /// The motion of a body fixed at `carrier_from_body` to a carrier that moves by `self`: members of a group share
    /// the carrier's motion and stay rigid to one another.
    #[must_use]
    pub fn carrying(&self, carrier_from_body: Pose) -> Motion {
        Motion::Carried(Arc::new(Carried::new(self.clone(), carrier_from_body)))
    }

    /// The times between which the motion is smooth, ends included; empty where it is so all along or does not tell.
    pub fn knots(&self) -> &[f64] {
        match self {
            Motion::Path(path) => path.knots(),
            Motion::Carried(carried) => carried.carrier().knots(),
            _ => &[],
        }
    }

    /// The motion from one of its [`knots`](Motion::knots) to the next, over times of its own from 0 to 1.
    pub fn segment(&self, index: usize) -> Option<Motion> {
        match self {
            Motion::Path(path) => path.segment(index),
            Motion::Carried(carried) => carried.segment(index),
            _ => None,
        }
    }

    fn as_law(&self) -> Option<&dyn MotionLaw> {
        match self {
            Motion::Rest(_) => None,
            Motion::Slerp(motion) => Some(motion),
            Motion::Nlerp(motion) => Some(motion),
            Motion::Screw(motion) => Some(motion),
            Motion::Helix(motion) => Some(motion),
            Motion::Path(motion) => Some(motion.as_ref()),
            Motion::Carried(motion) => Some(motion.as_ref()),
            Motion::Law(motion) => Some(motion.as_ref()),
        }
    }

    /// Pose of the body in the world at `t`, rounded; at 0 and 1 the poses given.
    pub fn pose_at(&self, t: f64) -> Pose {
        match self {
            Motion::Rest(pose) => *pose,
            _ => self.as_law().map_or(Pose::IDENTITY, |law| law.pose_at(law::clamped_time(t))),
        }
    }

    /// Contains the true (unrounded) pose at `t`.
    pub fn enclosure_at(&self, t: f64) -> IntervalPose {
        match self {
            Motion::Rest(pose) => IntervalPose::point(pose),
            _ => self
                .as_law()
                .map_or(IntervalPose::point(&Pose::IDENTITY), |law| law.enclosure_at(law::clamped_time(t))),
        }
    }

    /// **Never too small**: at least the distance of every point of the ball (body coordinates) under [`pose_at`](Motion::pose_at) from where
    /// the true motion has it at `t`; 0 at the ends, whose poses are exact but where a body
    /// is carried.
    ///
    /// Proof: for maps P, Q with rotations R, S: |P(c + y) − Q(c + y)| ≤ |P(c) − Q(c)| + |(R − S)y|, and the norm of a matrix is at most the
    /// sum of the lengths of its columns.
    pub fn rounding_at(&self, t: f64, centre: DVec3, radius: f64) -> f64 {
        let exact_ends = !matches!(self, Motion::Carried(_));
        if exact_ends && (t == 0.0 || t == 1.0) || matches!(self, Motion::Rest(_)) {
            return 0.0;
        }
        let (truth, rounded) = (self.enclosure_at(t), IntervalPose::point(&self.pose_at(t)));
        let body = IntervalVector::point(centre);
        let mut turned = Interval::point(0.0);
        for (own, other) in truth.rotation.columns().into_iter().zip(rounded.rotation.columns()) {
            turned = turned + (own - other).length();
        }
        let off =
            (truth.apply(body) - rounded.apply(body)).length() + turned * Interval::point(radius.max(0.0));
        law::sound_bound(off.hi())
    }

    /// **Never too small**: at least |x(s) − x(r)| for every body point x of the ball around `centre` (body
    /// coordinates; a negative radius counts as 0) and all times s, r in [t0, t1]. Infinite on overflow or NaN.
    pub fn displacement_bound(&self, centre: DVec3, radius: f64, t0: f64, t1: f64) -> f64 {
        let (t0, t1) = law::ordered_span(t0, t1);
        let moved = self.as_law().map_or(0.0, |law| law.displacement_bound(centre, radius, t0, t1));
        law::sound_bound(moved)
    }

    /// **Never too small**: at least |x(s) − x(at)| for every body point x of the ball and all s in [t0, t1]; the
    /// right one to widen a volume placed at time `at`, about half of `displacement_bound` for `at` in the middle.
    pub fn deviation_bound(&self, centre: DVec3, radius: f64, at: f64, t0: f64, t1: f64) -> f64 {
        // Every s lies between `at` and one of the ends.
        let before = self.displacement_bound(centre, radius, at, t0);
        before.max(self.displacement_bound(centre, radius, at, t1))
    }

    /// **Never too small**: at least the distance of x(s) from the segment between x(t0) and x(t1), for every body point x
    /// of the ball and all s in [t0, t1]. Zero for straight travel, of second order in the angle for turns.
    pub fn bow_bound(&self, centre: DVec3, radius: f64, t0: f64, t1: f64) -> f64 {
        let (t0, t1) = law::ordered_span(t0, t1);
        law::sound_bound(self.as_law().map_or(0.0, |law| law.bow_bound(centre, radius, t0, t1)))
    }

    /// `displacement_bound` for every one of the points (body coordinates); 0 for no points.
    pub fn displacement_bound_of_points(&self, points: &[DVec3], t0: f64, t1: f64) -> f64 {
        points.iter().map(|&point| self.displacement_bound(point, 0.0, t0, t1)).fold(0.0, f64::max)
    }
}
