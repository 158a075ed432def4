//! The list of volumes, one file each.

mod aabb;
pub(crate) mod axial;
mod cone;
mod cylinder;
mod directions;
mod hull;
mod kdop;
mod lss;
mod obb;
mod prism;
mod rss;
mod shell;
mod slab;
mod sphere;
mod swept;
mod zonotope;

pub use aabb::{Aabb, CentreRadiusAabb, MinWidthsAabb, Passage};
pub use cone::Cone;
pub use cylinder::Cylinder;
pub use directions::DirectionSet;
pub use hull::HullVolume;
pub use kdop::{Dop6, Dop8, Dop10, Dop12, Dop14, Dop18, Dop20, Dop24, Dop26, KDop};
pub use lss::Lss;
pub use obb::{Obb, ObbPlane, ObbSlab, QuaternionObb, SquareObb, TwoAxesObb};
pub use prism::Prism;
pub use rss::Rss;
pub use shell::Shell;
pub use slab::SlabVolume;
pub use sphere::Sphere;
pub use zonotope::Zonotope;
