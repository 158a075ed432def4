//! The list of volumes, one file each.

mod aabb;
mod directions;
mod kdop;
mod lss;
mod obb;
mod rss;
mod slab;
mod sphere;
mod swept;

pub use aabb::{Aabb, CentreRadiusAabb, MinWidthsAabb, Passage};
pub use directions::DirectionSet;
pub use kdop::{Dop6, Dop8, Dop10, Dop12, Dop14, Dop18, Dop20, Dop24, Dop26, KDop};
pub use lss::Lss;
pub use obb::{Obb, ObbPlane, ObbSlab, QuaternionObb, SquareObb, TwoAxesObb};
pub use rss::Rss;
pub use slab::SlabVolume;
pub use sphere::Sphere;
