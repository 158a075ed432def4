//! Are the answers right? Decided in rationals, with double-double numbers as a filter; no product code.

pub(crate) mod convex_truth;
pub(crate) mod inside;
pub(crate) mod smallest_sphere;
pub(crate) mod tight_box;
pub(crate) mod triangle_pair;
pub(crate) mod twin;
