//! Validated plain data: bodies made of unstructured planar convex faces.
//!
//! A [`FaceSet`] is what every later room works on. It may have cracks, duplicates and degenerate faces; the
//! [`HalfEdges`] view joins what can be joined and [`Topology`] says what is missing.

pub mod body;
pub mod chord_error;
pub mod components;
mod convex_cut;
mod disjoint_sets;
mod ear_clip;
mod edge_table;
pub mod error;
pub mod face_list;
pub mod face_set;
pub mod half_edge;
pub mod make;
pub mod mass;
pub mod memory;
pub mod point_index;
mod polygon;
mod sweep;
pub mod tetrahedra;
pub mod topology;

pub use body::Body;
pub use chord_error::{estimate_chord_error, estimate_chord_error_in_steps, estimate_chord_errors};
pub use disjoint_sets::DisjointSets;
pub use error::FaceSetError;
pub use face_list::FaceList;
pub use face_set::{FaceSet, PolygonParts};
pub use half_edge::HalfEdges;
pub use mass::MassProperties;
pub use tetrahedra::{Tetrahedra, TetrahedraError};
pub use topology::Topology;
