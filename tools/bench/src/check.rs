//! Are the answers right? Decided in rationals, with double-double numbers as a filter; no product code.

pub mod inside;
pub mod smallest_sphere;
pub mod tight_box;
pub mod twin;
