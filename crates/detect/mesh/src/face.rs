//! Two faces: how their exact images meet, what they have in common, how far apart they are.
//!
//! The truth is the exact image of the given doubles under R(q/|q|)·x + t of both poses. Everything is done in A's frame:
//! [`Between`] brings points of B there, rounded with a certified error or as exact homogeneous points.

mod apex;
mod batch;
mod closer;
mod common;
mod corners;
mod distance;
mod distance_range;
mod gap_batch;
mod lanes;
#[cfg(target_arch = "x86_64")]
mod lanes_x86;
mod meet_batch;
mod meeting;
mod octet;
mod quick;
mod special;

pub(crate) use apex::{Touch, only_there, shared_corner};
pub(crate) use batch::Batch;
pub(crate) use closer::closer;
pub use common::{Common, common_points};
pub use corners::{Corner, Corners};
pub use distance::{FaceDistance, distance, distance_between};
pub use distance_range::distance_range;
pub use gap_batch::{Gaps, gap_batch};
pub(crate) use gap_batch::{Lengths, lengths_of};
pub use kontakt_math::Between;
pub(crate) use meet_batch::meetings;
pub use meet_batch::{Verdicts, meet_batch};
pub use meeting::{Meeting, meeting};
pub(crate) use octet::Close;
pub use octet::Octet;
