//! A binary tree that was joined from the leaves up, used as a splitting rule: every split undoes joins.

use super::rule::{Rule, Split, SplitSet};
use std::ops::Range;

/// Joins of clusters of faces. A node below `leaves` is a single face; node `leaves + i` is what the i-th join made.
#[derive(Clone, Debug)]
pub(super) struct Joins {
    leaves: usize,
    /// The two nodes of each join, and the size (any measure that says what to open first) of their union.
    joins: Vec<([u32; 2], f64)>,
}

impl Joins {
    pub(super) fn new(leaves: usize) -> Joins {
        Joins { leaves, joins: Vec::with_capacity(leaves.saturating_sub(1)) }
    }

    /// Joins two nodes that were not joined before and gives the new one.
    pub(super) fn join(&mut self, a: u32, b: u32, size: f64) -> u32 {
        self.joins.push(([a, b], size));
        (self.leaves + self.joins.len() - 1) as u32
    }
}

/// Joins, ready to be undone: the faces below every node have consecutive ranks.
pub(super) struct Dendrogram {
    tree: Joins,
    /// Place of each face in the order of the leaves, from left to right.
    ranks: Vec<u32>,
    /// The ranks below each join.
    ranges: Vec<Range<u32>>,
    /// The node that each node was joined into; the root's own number for the root.
    parents: Vec<u32>,
}

impl Dendrogram {
    /// For joins that made one tree of all leaves.
    pub(super) fn new(tree: Joins) -> Dendrogram {
        let count = tree.leaves + tree.joins.len();
        let mut sizes = vec![1_u32; count];
        for (i, ([a, b], _)) in tree.joins.iter().enumerate() {
            sizes[tree.leaves + i] = sizes[*a as usize] + sizes[*b as usize];
        }
        let mut starts = vec![0_u32; count];
        let mut parents: Vec<u32> = (0..count as u32).collect();
        // The last join is the root; joins stand after what they join.
        for (i, ([a, b], _)) in tree.joins.iter().enumerate().rev() {
            let joined = tree.leaves + i;
            starts[*a as usize] = starts[joined];
            starts[*b as usize] = starts[joined] + sizes[*a as usize];
            parents[*a as usize] = joined as u32;
            parents[*b as usize] = joined as u32;
        }
        let ranges = (tree.leaves..count).map(|n| starts[n]..starts[n] + sizes[n]).collect();
        starts.truncate(tree.leaves);
        Dendrogram { tree, ranks: starts, ranges, parents }
    }

    /// Ranks below a node.
    fn range(&self, node: u32) -> Range<u32> {
        match (node as usize).checked_sub(self.tree.leaves) {
            Some(join) => self.ranges[join].clone(),
            None => self.ranks[node as usize]..self.ranks[node as usize] + 1,
        }
    }

    /// The node over exactly these faces, if there is one: the ancestor of that size of any of them.
    fn node_over(&self, faces: &[u32]) -> Option<u32> {
        let mut node = *faces.first()?;
        while self.range(node).len() < faces.len() {
            let parent = self.parents[node as usize];
            if parent == node {
                return None;
            }
            node = parent;
        }
        let range = self.range(node);
        let same =
            range.len() == faces.len() && faces.iter().all(|f| range.contains(&self.ranks[*f as usize]));
        same.then_some(node)
    }

    /// The two below a node and its size; `None` for a face.
    fn opened(&self, node: u32) -> Option<&([u32; 2], f64)> {
        (node as usize).checked_sub(self.tree.leaves).map(|join| &self.tree.joins[join])
    }
}

impl Rule for Dendrogram {
    /// Opens the largest node until there are enough; a set that is no node of the tree cannot be split.
    fn split(&self, set: &SplitSet<'_>, parts: usize) -> Option<Split> {
        let mut nodes = vec![self.node_over(set.faces)?];
        while nodes.len() < parts {
            let size = |i: &usize| self.opened(nodes[*i]).map_or(-1.0, |(_, size)| *size);
            let largest = (0..nodes.len()).rev().max_by(|a, b| size(a).total_cmp(&size(b)))?;
            let Some(([a, b], _)) = self.opened(nodes[largest]) else { break };
            nodes[largest] = *a;
            nodes.push(*b);
        }
        let mut starts: Vec<u32> = nodes.iter().map(|n| self.range(*n).start).collect();
        starts.sort_unstable();
        let label = |face: &u32| {
            let rank = self.ranks[*face as usize];
            (starts.partition_point(|start| *start <= rank) - 1) as u8
        };
        Some(Split::from(set.faces.iter().map(label).collect::<Vec<u8>>()))
    }
}
