//! Bounding volumes: one file a volume, all behind [`Bound`] and [`Support`].
//!
//! A new volume is one file in `volume/` and one entry in [`volume`]'s list.

pub mod bound;
pub mod closest;
pub mod probe;
mod search;
pub mod separation;
pub mod sets;
pub mod volume;

pub use bound::{Bound, FitError, Measure, Objective, Support};
pub use probe::Probe;
pub use volume::{Aabb, Cone, Cylinder, Obb, Prism, Shell, Sphere, Zonotope};
