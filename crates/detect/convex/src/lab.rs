//! Methods to compare with: they return their own verdict, count their failures, and always end.

pub mod bodies;
pub mod chung_wang;
pub mod contact;
pub mod every_axis;
pub mod libccd;
pub mod polyhedron;
pub mod tetrahedron;
pub mod v_clip;
