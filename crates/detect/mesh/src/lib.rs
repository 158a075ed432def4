//! Queries between two bodies made of unstructured faces, each at a pose, and on one such body.

pub mod asker;
pub mod clearance;
pub mod contact;
pub mod distance;
pub mod face;
pub mod mesh;
pub mod pairs;
pub(crate) mod walk;

pub use asker::Asker;
pub use clearance::Within;
pub use distance::Distance;
pub use mesh::{Mesh, MeshError, Placed};
pub use pairs::FacePair;
