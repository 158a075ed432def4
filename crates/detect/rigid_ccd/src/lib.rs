//! Earliest contact of two moving rigid bodies, both moving, any rotation. **Never late**: before the time reported the motion is
//! proven free; by the end of the time's range contact is proven. What cannot be told in doubles is said to be undecided.
//!
//! How: B is seen from A. Pairs of boxes of the two hierarchies are followed through time (`sweep`): for each pair the span of time
//! in which they can meet is cut short by planes that keep them apart, boxes are opened and time is divided until
//! pairs of triangles are left, whose first contact is enclosed by planes fixed to one of them (`triangles`). Ways of points between
//! two times are bounded by their bend, with a proof for every kind of motion.

mod agenda;
mod asker;
mod clearance;
mod convoy;
mod course;
mod exact;
mod initial;
pub mod lab;
mod leave;
mod leaves;
mod leg;
mod pair;
mod report;
mod search;
mod simplex;
mod slab;
mod sweep;
mod triangles;

pub use asker::{Asker, Moving, Options};
pub use clearance::ClearanceOptions;
