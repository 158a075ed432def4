//! Trees of bounding volumes over faces.
//!
//! Two forms. [`Tree`] is the laboratory's: any volume, any number of children, readable at every step; builders in
//! `build`, measures in `measure`, traversals in `walk`. [`Packed`] is what the queries of `kontakt-mesh` use: nodes of
//! eight children with single-precision boxes rounded outward, tested by SIMD. Every tree converts to the packed form.

pub mod build;
pub mod faces;
mod large_pages;
pub mod measure;
pub mod nearest;
pub mod packed;
pub mod refit;
pub mod store;
pub mod tree;
pub mod validate;
pub mod walk;

pub use faces::Faces;
pub use nearest::PackedFaces;
pub use packed::{BuildError, Flaw, Packed, PackedMap, WideNode};
pub use refit::RefitInner;
pub use tree::{ArrangeError, Content, Node, Part, Tree};
pub use validate::TreeFlaw;
