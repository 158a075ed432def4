//! Bodies and motions of the product's own types, for the tests, examples and benchmarks of several crates. Oracles are in `testkit`,
//! which knows no product type.
#![allow(clippy::missing_panics_doc, reason = "bodies made here are sound; a panic is a failed test")]

#[cfg(feature = "assembly")]
pub mod assembly;
pub mod convex;
#[cfg(feature = "boxes")]
pub mod kept_boxes;
#[cfg(feature = "moving")]
pub mod moving;
