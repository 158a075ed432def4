//! Two trees at two poses, walked together in every way of the VR thesis (4.3): which node of a pair is expanded, which
//! pair comes next, and what is kept for the next step.
//!
//! What happens at a pair of faces is the caller's business, given as a closure; this room knows volumes only.

mod agenda;
mod anchors;
mod contact;
mod distance;
mod expansion;
mod front;
mod placed;

pub use agenda::Order;
pub use anchors::Above;
pub use contact::{Walked, face_pairs};
pub use distance::{DistanceGoal, DistanceWalked, distance};
pub use expansion::Expansion;
pub use front::{Front, FrontCounts};
pub use placed::PlacedTree;

/// How two trees are walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Strategy {
    /// Which node of a pair is replaced by its children.
    pub expansion: Expansion,
    /// Which pair comes next.
    pub order: Order,
}

/// A node of the first tree and one of the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodePair {
    /// Node of the first tree.
    pub a: u32,
    /// Node of the second tree.
    pub b: u32,
}

impl NodePair {
    const ROOTS: NodePair = NodePair { a: 0, b: 0 };
}
