//! How two bodies of integer triangles lie to each other, from the arrangement of all their face planes.
//!
//! The planes of all faces, and a plane through every rim that lies in none of the others, cut space into convex cells. In each
//! the parities of both bodies are constant, and each part of a plane between two cells (a *panel*) is covered by a
//! body's faces all over or not at all. Every panel has one between two cuts of some line in which two planes meet on its
//! border, so a point in the middle of each such piece of a line, moved a little into the panel and then a little less to
//! either side, visits all panels and all cells. Nothing is moved in numbers: signs are taken in turn of the value at the
//! point, of its change along the first move, of its change along the second.
//!
//! All numbers are integers of 128 bits, and every operation is checked: an oracle that would err stops instead.

mod cells;
mod integers;
mod random;
mod relate;

pub use cells::{Arrangement, Panel};
pub use random::{body, companion};
pub use relate::{ArrangedRelation, is_closed, relation};

/// A point with integer coordinates.
pub type Point = [i64; 3];
/// A triangle, maybe without area.
pub type Triangle = [Point; 3];
