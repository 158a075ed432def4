//! Numbers, poses and motions: everything certified in kontakt stands on this room.
//!
//! `f64` throughout; vectors come from `glam`, re-exported here so that all rooms use one version.

pub mod dyadic;
pub mod interval;
pub mod interval_pose;
pub mod interval_vector;
pub mod motion;
pub mod pose;
pub mod predicates;
pub mod round;
pub mod trigonometry;

pub use dyadic::Dyadic;
pub use glam::{DMat2, DMat3, DQuat, DVec2, DVec3};
pub use interval::Interval;
pub use interval_pose::{IntervalPose, IntervalQuaternion};
pub use interval_vector::IntervalVector;
pub use motion::{Interpolation, Motion, MotionError, MotionLaw};
pub use pose::{Pose, PoseError};
pub use predicates::Sign;
