//! What can go wrong with a packed hierarchy.

use super::node::Child;
use kontakt_schedule::Expired;
use thiserror::Error;

/// Why there is no packed hierarchy of these faces.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BuildError {
    /// There is no triangle.
    #[error("there are no triangles to build a hierarchy on")]
    NoTriangles,
    /// Slots have 28 bits.
    #[error("{count} triangles are more than the {} a hierarchy can name", Child::MOST_SLOTS)]
    TooMany {
        /// How many there are.
        count: usize,
    },
    /// The tree to pack, or the faces to refit to, do not belong together.
    #[error("the tree and the faces do not belong together: {what}")]
    Mismatch {
        /// The first contradiction found.
        what: &'static str,
    },
    /// The deadline came first.
    #[error("{0} while its hierarchy was built")]
    Expired(#[from] Expired),
}

/// Why a packed hierarchy is not one of these faces.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Flaw {
    /// There is no node, or the lists have different lengths.
    #[error("{what}")]
    Lists {
        /// Which lists.
        what: &'static str,
    },
    /// A triangle is in no slot or in two.
    #[error("triangle {triangle} is in {times} slots")]
    Permutation {
        /// Its id.
        triangle: u32,
        /// 0, or 2 for more than one.
        times: u32,
    },
    /// A slot's corners are not those of its triangle.
    #[error("slot {slot} has other corners than its triangle")]
    Corners {
        /// The slot.
        slot: u32,
    },
    /// A node's axes are not orthonormal to 2⁻²⁰, or a number is not finite.
    #[error("node {node}: {what}")]
    Numbers {
        /// The node.
        node: u32,
        /// Which numbers.
        what: &'static str,
    },
    /// A lane leads somewhere wrong.
    #[error("node {node}, lane {lane}: {what}")]
    Lane {
        /// The node.
        node: u32,
        /// The lane.
        lane: u32,
        /// What is wrong.
        what: &'static str,
    },
    /// A child does not enclose a triangle below it.
    #[error("node {node}, lane {lane} does not enclose vertex {vertex} of triangle {triangle}")]
    Outside {
        /// The node.
        node: u32,
        /// The lane.
        lane: u32,
        /// The triangle's id.
        triangle: u32,
        /// The vertex.
        vertex: u32,
    },
}
