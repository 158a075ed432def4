//! Earliest contact of two moving rigid bodies, both moving, any rotation. **Never late**: before the time reported the motion is
//! proven free; by the end of the time's range contact is proven. What cannot be told in doubles is said to be undecided.
//!
//! How: B is seen from A. Pairs of boxes of the two hierarchies are followed through time (`sweep`): for each pair the span of time
//! in which they can meet is cut short by planes that keep them apart, boxes are opened and time is divided until
//! pairs of triangles are left, whose first contact is enclosed by planes fixed to one of them (`triangles`). Ways of points between
//! two times are bounded by their bend, with a proof for every kind of motion. Bodies of few corners are followed by planes between
//! all of them first (`convoy`), which for convex ones leads straight to the contact. What is left open of motions that are rational
//! in time (rest, straight travel, nlerp) is decided by exact polynomials (`rational`). Convex shapes are followed by planes
//! proven with support points (`shape`).
//!
//! ```
//! use kontakt_answers::Impact;
//! use kontakt_math::{DVec3, Motion, Pose};
//! use kontakt_mesh::Mesh;
//! use kontakt_rigid_ccd::{MotionQuery, MovingMesh, MotionOptions};
//! use kontakt_shapes::FaceSet;
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
//! let faces = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
//! let body = Mesh::new(FaceSet::from_triangles(corners, faces)?)?;
//! let rest = Motion::Rest(Pose::IDENTITY);
//! let start = Pose::from_axis_angle(DVec3::Z, 0.3, DVec3::new(5.0, 0.1, 0.2))?;
//! let end = Pose::from_axis_angle(DVec3::Z, 2.5, DVec3::new(-5.0, 0.0, 0.0))?;
//! let motion = Motion::slerp(start, end, DVec3::ZERO)?;
//! let options = MotionOptions { tolerance: 1e-9, ..MotionOptions::default() };
//! let (a, b) = (MovingMesh { mesh: &body, motion: &rest }, MovingMesh { mesh: &body, motion: &motion });
//! let answer = MotionQuery::new().impact(a, b, &options);
//! assert!(matches!(answer, Impact::Contact { time, .. } if time.width() <= 1e-9), "{answer:?}");
//! # Ok(())
//! # }
//! ```

mod agenda;
mod asker;
mod budget;
mod clearance;
mod convoy;
mod course;
#[cfg(test)]
mod dice;
mod exact;
mod initial;
mod leave;
mod leaves;
mod leg;
mod legs;
mod meshes;
mod moving;
mod normal;
mod order;
mod outcome;
mod pair;
pub mod path;
mod rational;
mod report;
mod search;
mod shape;
mod simplex;
mod slab;
mod span;
mod sweep;
mod triangles;

pub use asker::MotionQuery;
pub use clearance::ClearanceOptions;
pub use convoy::has_planes;
pub use meshes::ImpactSearch;
pub use moving::{MotionOptions, MovingMesh};
pub use shape::MovingShape;
