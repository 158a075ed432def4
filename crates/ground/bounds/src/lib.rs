//! Bounding volumes: one file a volume, all behind [`Bound`] and [`Support`].
//!
//! A new volume is one file in `volume/` and one line in the list of `any`.

mod any;
mod ball;
pub mod batch;
pub mod bound;
pub mod closest;
mod fit;
pub mod hausdorff;
pub mod hull;
mod isa;
pub mod min_ball;
mod min_box;
#[doc(hidden)]
pub mod outward;
pub mod probe;
mod search;
pub mod separation;
pub mod sets;
pub mod sweep;
mod turn;
pub mod volume;
mod widest;

pub use any::{AnyVolume, VolumeKind};
pub use bound::{Bound, FitError, Measure, Objective, Parameter, Support};
pub use fit::{FitRequest, Fitted};
pub use hull::{Hull, HullEdge, convex_hull};
pub use min_ball::{MinBall, min_ball, min_ball_from, min_ball_of_balls, min_ball_of_balls_from};
pub use min_box::{BoxCounts, BoxMethod, BoxRequest, NoGap, SmallestBox, smallest_box};
pub use probe::Probe;
pub use volume::{
    Aabb, CentreRadiusAabb, Cone, Cylinder, DirectionSet, Dop6, Dop8, Dop10, Dop12, Dop14, Dop18, Dop20,
    Dop24, Dop26, HullVolume, KDop, Lss, MinWidthsAabb, Obb, ObbPlane, ObbSlab, Passage, Prism,
    QuaternionObb, Rss, Shell, SlabVolume, Sphere, SquareObb, TwoAxesObb, Zonotope,
};
