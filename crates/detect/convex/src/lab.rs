//! Methods to compare with: they return their own verdict, count their failures, and always end.

pub mod bodies;
pub mod contact;
pub mod every_axis;
pub mod libccd;
pub mod tetrahedron;
