//! Bounding volumes: one file a volume, all behind [`Bound`] and [`Support`].
//!
//! A new volume is one file in `volume/` and one entry in [`volume`]'s list.

pub mod bound;
pub mod hull;
pub mod min_box;
pub mod volume;

pub use bound::{Bound, FitError, Measure, Objective, Support};
pub use hull::{Hull, HullEdge, convex_hull};
pub use min_box::{BoxMethod, BoxRequest, SmallestBox, smallest_box};
pub use volume::{Aabb, Obb, Sphere};
