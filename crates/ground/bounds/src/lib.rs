//! Bounding volumes: one file a volume, all behind [`Bound`] and [`Support`].
//!
//! A new volume is one file in `volume/` and one entry in [`volume`]'s list.

pub mod batch;
pub mod bound;
pub mod flat;
mod turn;
pub mod volume;

pub use bound::{Bound, FitError, Measure, Objective, Support};
pub use flat::{
    FlatBound, FlatHull, FlatKDop, FlatMeasure, FlatPose, FlatSupport, OrientedRectangle, Rectangle,
};
pub use volume::{
    Aabb, CentreRadiusAabb, DirectionSet, Dop6, Dop8, Dop10, Dop12, Dop14, Dop18, Dop20, Dop24, Dop26, KDop,
    MinWidthsAabb, Obb, ObbPlane, ObbSlab, Passage, QuaternionObb, SlabVolume, Sphere, SquareObb, TwoAxesObb,
};
