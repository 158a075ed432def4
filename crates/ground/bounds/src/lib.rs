//! Bounding volumes: one file a volume, all behind [`Bound`] and [`Support`].
//!
//! A new volume is one file in `volume/` and one entry in [`volume`]'s list.

pub mod bound;
pub mod min_ball;
pub mod volume;

pub use bound::{Bound, FitError, Measure, Objective, Support};
pub use min_ball::{MinBall, min_ball, min_ball_from, min_ball_of_balls, min_ball_of_balls_from};
pub use volume::{Aabb, Obb, Sphere};
