//! Bounding volumes: one file a volume, all behind [`Bound`] and [`Support`].
//!
//! A new volume is one file in `volume/` and one entry in [`volume`]'s list.

pub mod bound;
pub mod closest;
pub mod probe;
pub mod separation;
pub mod volume;

pub use bound::{Bound, FitError, Measure, Objective, Support};
pub use probe::Probe;
pub mod flat;

pub use flat::{FlatBound, FlatMeasure, FlatPose, FlatSupport};
pub use volume::{Aabb, Obb, Sphere};
