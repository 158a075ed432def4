//! Numbers, poses and motions: everything certified in kontakt stands on this room.
//!
//! `f64` throughout; vectors come from `glam`, re-exported here so that all rooms use one version.

mod algebraic;
mod bernstein;
pub mod between;
mod chain;
mod dyadic;
pub mod exact_map;
pub mod exact_number;
pub mod exact_polynomial;
pub mod exact_vector;
pub mod expansion;
mod integer_polynomial;
mod interval;
mod interval_pose;
mod interval_vector;
pub mod motion;
pub mod order;
mod polynomial;
mod pose;
mod pose_error;
pub mod predicates;
pub mod roots;
pub mod rotation;
pub mod round;
mod sign;
pub mod trigonometry;
mod turn_matrix;

pub use algebraic::AlgebraicNumber;
pub use bernstein::Bernstein;
pub use between::Between;
pub use chain::Chain;
pub use dyadic::Dyadic;
pub use exact_polynomial::ExactPolynomial;
pub use expansion::Expansion;
pub use glam::{DMat2, DMat3, DQuat, DVec2, DVec3};
pub use interval::Interval;
pub use interval_pose::{IntervalPose, IntervalQuaternion};
pub use interval_vector::IntervalVector;
pub use motion::{Interpolation, Motion, MotionError, MotionLaw};
pub use polynomial::Polynomial;
pub use pose::Pose;
pub use pose_error::PoseError;
pub use rotation::FixedAngles;
pub use round::U;
pub use sign::Sign;
