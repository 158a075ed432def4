//! Lists of pairs of convex shapes, as JSON.

mod fields;
mod pairs;
mod shape;

pub use pairs::{ConvexPair, read_convex_pairs, read_convex_pairs_bytes};
