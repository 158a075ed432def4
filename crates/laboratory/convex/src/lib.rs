//! Methods for convex bodies to compare with: they return their own verdict, count their failures, and always end.
//!
//! A [`StudyAsker`] hears one of them beside the certified answer of `kontakt-convex`.

mod asker;
pub mod bodies;
pub mod chung_wang;
pub mod contact;
pub mod epa;
pub mod every_axis;
pub mod libccd;
mod method;
pub mod mpr;
pub mod polyhedron;
pub mod tetrahedron;
pub mod v_clip;

pub use asker::StudyAsker;
pub use method::StudyMethod;
