//! Whether a tree is what [`Tree`] promises, for the faces it stands on.

use crate::{Content, Tree};
use kontakt_bounds::Bound;
use kontakt_hierarchy::Faces;
use thiserror::Error;

/// The first thing found wrong with a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TreeFlaw {
    /// A tree without nodes over triangles.
    #[error("the tree has no nodes for {triangles} triangles")]
    NoRoot {
        /// How many triangles the body has.
        triangles: usize,
    },
    /// More nodes than 32 bits count.
    #[error("the tree has too many nodes")]
    TooMany,
    /// Children that are missing, come before their parent, or are not the next ones: shared, unreachable or in a cycle.
    #[error("node {node} has children {first}..{first}+{count}, which are missing, shared or not after it")]
    Children {
        /// The parent.
        node: u32,
        /// Its first child.
        first: u32,
        /// How many it claims.
        count: u32,
    },
    /// A node that no other node has as child.
    #[error("node {node} has no parent")]
    Orphan {
        /// The node.
        node: u32,
    },
    /// A leaf without triangles, beyond the order's end, or not where its left neighbour ends.
    #[error("leaf {node} has slots {first}..{first}+{count}, not the next ones of the order")]
    Slots {
        /// The leaf.
        node: u32,
        /// Its first slot.
        first: u32,
        /// How many it claims.
        count: u32,
    },
    /// The order lacks triangles, repeats or invents one.
    #[error("slot {slot} of the order is missing, repeated or no triangle")]
    Order {
        /// Place in the order.
        slot: usize,
    },
    /// A volume that does not hold a vertex of a triangle below.
    #[error("node {node} does not enclose triangle {triangle}")]
    Outside {
        /// The node.
        node: u32,
        /// The triangle.
        triangle: u32,
    },
}

impl<B: Bound> Tree<B> {
    /// Checks structure and enclosure.
    ///
    /// Enclosure is asked of [`Bound::contains`] for every corner of every triangle below a node, exactly as stored: no
    /// tolerance is added here. `contains` itself errs to `true` by a few roundings of the coordinates (axis-aligned boxes
    /// not at all), so a volume that misses a corner by that little is not found out; volumes from `fit`, `merge` and
    /// `transformed` contain their points exactly. Of a volume that is not convex (the shell) only the corners are
    /// checked. The work is triangles times depth.
    pub fn validate(&self, faces: Faces) -> Result<(), TreeFlaw> {
        self.validate_structure(faces.triangles.len())?;
        for (id, (node, slots)) in self.nodes.iter().zip(self.slots()).enumerate() {
            for triangle in &self.order[slots.start as usize..slots.end as usize] {
                if faces.corners(*triangle).iter().any(|corner| !node.volume.contains(*corner)) {
                    return Err(TreeFlaw::Outside { node: id as u32, triangle: *triangle });
                }
            }
        }
        Ok(())
    }
}

impl<B> Tree<B> {
    /// Checks everything but the volumes, for a body with so many triangles.
    pub fn validate_structure(&self, triangles: usize) -> Result<(), TreeFlaw> {
        if self.nodes.is_empty() {
            return if triangles == 0 && self.order.is_empty() {
                Ok(())
            } else {
                Err(TreeFlaw::NoRoot { triangles })
            };
        }
        if u32::try_from(self.nodes.len()).is_err() {
            return Err(TreeFlaw::TooMany);
        }
        self.validate_links()?;
        self.validate_slots()?;
        self.validate_order(triangles)
    }

    /// Every node but the root is the child of exactly one node, which comes before it.
    ///
    /// Parents before children exclude cycles; being named exactly once makes it a tree with one root.
    fn validate_links(&self) -> Result<(), TreeFlaw> {
        let mut named = vec![false; self.nodes.len()];
        for (id, node) in self.nodes.iter().enumerate() {
            let Content::Inner { first, count } = node.content else { continue };
            let flaw = TreeFlaw::Children { node: id as u32, first, count };
            let end = first.checked_add(count).ok_or(flaw)?;
            let children = named.get_mut(first as usize..end as usize).ok_or(flaw)?;
            if count == 0 || first as usize <= id || children.contains(&true) {
                return Err(flaw);
            }
            children.fill(true);
        }
        match named.iter().skip(1).position(|named| !named) {
            Some(at) => Err(TreeFlaw::Orphan { node: at as u32 + 1 }),
            None => Ok(()),
        }
    }

    /// The leaves, met from the root with siblings from first to last, have consecutive slots.
    fn validate_slots(&self) -> Result<(), TreeFlaw> {
        let mut next = 0;
        let mut open = vec![0];
        while let Some(id) = open.pop() {
            match self.node(id).content {
                Content::Inner { first, count } => open.extend((first..first + count).rev()),
                Content::Leaf { first, count } => {
                    let end = first.checked_add(count).filter(|end| *end as usize <= self.order.len());
                    match end {
                        Some(end) if count > 0 && first == next => next = end,
                        _ => return Err(TreeFlaw::Slots { node: id, first, count }),
                    }
                }
            }
        }
        if next as usize == self.order.len() { Ok(()) } else { Err(TreeFlaw::Order { slot: next as usize }) }
    }

    /// The order is a permutation of the triangle ids.
    fn validate_order(&self, triangles: usize) -> Result<(), TreeFlaw> {
        let mut seen = vec![false; triangles];
        for (slot, triangle) in self.order.iter().enumerate() {
            match seen.get_mut(*triangle as usize) {
                Some(seen) if !*seen => *seen = true,
                _ => return Err(TreeFlaw::Order { slot }),
            }
        }
        if self.order.len() == triangles { Ok(()) } else { Err(TreeFlaw::Order { slot: self.order.len() }) }
    }
}
