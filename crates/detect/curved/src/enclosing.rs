//! The smallest volumes about a body's true surfaces: axis-parallel box, ball and box in any orientation, with certified ends.
//!
//! All of them ask one thing, how far a body reaches in a direction or from a point, of its [`Outline`]: the pieces of its boundary where
//! that can be greatest, in a tree that is searched best first and refined where it was asked.
//!
//! **What is certified.** Upper ends hold for every boundary within the model's gaps (`docs/decisions/0019-curved-bodies.md`): no point of
//! any such boundary is outside of the volume. Lower ends come from points that every such boundary has one near to, by no more than what
//! is taken off: no smaller volume holds any such boundary.

mod aabb;
mod apex;
mod ball;
mod cell;
mod clear;
mod crest;
mod obb;
mod outline;
mod placed;
mod ruled;
mod stretch;
mod turned;
mod value;
mod wave;

pub use aabb::Extents;
pub use ball::{BallOptions, EnclosingBall};
pub use obb::{BoxOptions, EnclosingBox};
pub use outline::{Outline, Reach};
pub use placed::{Enclosing, PlacedOutline};
