//! Numbers, poses and motions: everything certified in kontakt stands on this room.
//!
//! `f64` throughout; vectors come from `glam`, re-exported here so that all rooms use one version.

pub mod pose;
pub mod predicates;
pub mod round;

pub use glam::{DMat2, DMat3, DQuat, DVec2, DVec3};
pub use pose::{Pose, PoseError};
pub use predicates::Sign;
