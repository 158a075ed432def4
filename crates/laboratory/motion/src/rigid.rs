//! Moving rigid meshes: the approximate methods of the VR thesis and plain conservative advancement, with their known misses. Nothing here is
//! certified; [`kontakt_rigid_ccd::MotionQuery::impact`] is.

mod advancement;
mod candidates;
mod features;
mod method;
mod roots;
mod scan;

pub use advancement::{Advance, conservative_advancement};
pub use method::{Method, Opinion};
pub use roots::Roots;
pub use scan::{Approximate, InsideTest, dynamic, mixed};
