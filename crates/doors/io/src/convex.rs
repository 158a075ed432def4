//! Convex shapes, and lists of pairs of them, as JSON.

mod fields;
mod pairs;
mod shape;
mod single;

pub use pairs::{ConvexPair, read_convex_pairs, read_convex_pairs_bytes, read_convex_pairs_until};
pub use single::{read_convex_shape, read_convex_shape_bytes, read_convex_shape_until};
