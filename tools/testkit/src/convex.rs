//! References for pairs of convex bodies: exact verdicts, distances and depths to thirty digits, for bodies given as plain
//! numbers.

pub mod body;
pub mod certify;
pub mod exact;
pub mod facets;
pub mod half_space;
pub mod inner;
pub mod nearest;
pub mod pairs;
pub mod truth;

pub use body::{Body, Core, Posed};
pub use truth::{Side, Truth, truth};
