//! Two faces: how their exact images meet, what they have in common, how far apart they are.
//!
//! The truth is the exact image of the given doubles under R(q/|q|)·x + t of both poses. Everything is done in A's frame:
//! [`Between`] brings points of B there, rounded with a certified error or as exact homogeneous points.

mod between;
mod corners;
mod exact_map;
mod meeting;
mod special;

pub use between::Between;
pub use corners::{Corner, Corners};
pub use meeting::{Meeting, meeting};
