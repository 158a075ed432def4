//! How large a packed hierarchy is.

use super::Packed;
use super::node::Child;

/// Numbers of nodes, leaves and levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Counts {
    /// Wide nodes.
    pub nodes: usize,
    /// Leaves, all lanes that lead to triangles.
    pub leaves: usize,
    /// Most nodes on a way from the root to a leaf.
    pub depth: usize,
    /// Most triangles of a leaf.
    pub largest_leaf: usize,
}

impl Packed {
    /// Counts nodes, leaves and levels.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts { nodes: self.nodes.len(), ..Counts::default() };
        // Children come after their parent, so one pass sees each node's level before its children's.
        let mut levels = vec![1_usize; self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate() {
            let parent = levels[index];
            counts.depth = counts.depth.max(parent);
            for child in node.children() {
                match child {
                    Child::Inner(inner) => {
                        if let Some(level) = levels.get_mut(inner as usize) {
                            *level = parent + 1;
                        }
                    }
                    Child::Leaf { count, .. } => {
                        counts.leaves += 1;
                        counts.largest_leaf = counts.largest_leaf.max(count as usize);
                    }
                    Child::Empty => {}
                }
            }
        }
        counts
    }
}
