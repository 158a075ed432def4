//! Queries between two bodies made of unstructured faces, each at a pose, and on one such body.

pub mod mesh;

pub use mesh::{Mesh, MeshError, Placed};
