//! Trees of bounding volumes over faces.
//!
//! [`Packed`] is what the queries walk: nodes of eight children with single-precision boxes rounded outward, tested by SIMD. A tree
//! of any other builder becomes one by [`Packed::from_shape`].

mod faces;
mod large_pages;
mod levels;
mod nearest;
pub mod packed;
pub mod store;

pub use faces::Faces;
pub use levels::{LevelMeasures, MeanMax};
pub use nearest::PackedFaces;
pub use packed::{BuildError, Flaw, Packed, PackedMap, WideNode};
