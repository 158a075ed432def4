//! The laboratory's tree: one volume a node, any number of children.

mod arrange;

pub use arrange::{ArrangeError, Part};

use std::ops::Range;

/// What is below a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// The children are `nodes[first..first + count]`, all after their parent.
    Inner {
        /// Index of the first child.
        first: u32,
        /// How many, at least one.
        count: u32,
    },
    /// The triangles are `order[first..first + count]`.
    Leaf {
        /// Place of the first.
        first: u32,
        /// How many, at least one.
        count: u32,
    },
}

impl Content {
    /// Whether triangles are below directly.
    pub fn is_leaf(self) -> bool {
        matches!(self, Content::Leaf { .. })
    }

    /// Ids of the children; none for a leaf.
    pub fn children(self) -> Range<u32> {
        match self {
            Content::Inner { first, count } => first..first + count,
            Content::Leaf { .. } => 0..0,
        }
    }
}

/// A volume around all triangles below.
#[derive(Clone, Debug, PartialEq)]
pub struct Node<B> {
    /// **Encloses** every triangle below.
    pub volume: B,
    /// Children or triangles.
    pub content: Content,
}

/// A hierarchy over the triangles of one body, in the body's frame. Node 0 is the root; every triangle is in exactly one
/// leaf, and the triangles below a node are a contiguous part of `order`, those of siblings one after the other. A body
/// without triangles has a tree without nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree<B> {
    /// The root first, siblings side by side.
    pub nodes: Vec<Node<B>>,
    /// Triangle ids, in the order of the leaves.
    pub order: Vec<u32>,
}

impl<B> Tree<B> {
    /// Of a body without triangles.
    pub const EMPTY: Tree<B> = Tree { nodes: Vec::new(), order: Vec::new() };

    /// One leaf with all triangles.
    pub fn leaf(volume: B, order: Vec<u32>) -> Tree<B> {
        let count = order.len() as u32;
        Tree { nodes: vec![Node { volume, content: Content::Leaf { first: 0, count } }], order }
    }

    /// A node by id.
    pub fn node(&self, id: u32) -> &Node<B> {
        &self.nodes[id as usize]
    }

    /// Ids of a node's children; none for a leaf.
    pub fn children(&self, id: u32) -> Range<u32> {
        self.node(id).content.children()
    }

    /// Whether triangles are directly below the node.
    pub fn is_leaf(&self, id: u32) -> bool {
        self.node(id).content.is_leaf()
    }

    /// Ids and triangles of all leaves, in the order of their ids.
    pub fn leaves(&self) -> impl Iterator<Item = (u32, &[u32])> {
        self.nodes.iter().enumerate().filter_map(|(id, node)| match node.content {
            Content::Leaf { first, count } => {
                Some((id as u32, &self.order[first as usize..(first + count) as usize]))
            }
            Content::Inner { .. } => None,
        })
    }

    /// The triangles of a leaf; none of an inner node.
    pub fn triangles(&self, id: u32) -> &[u32] {
        match self.node(id).content {
            Content::Leaf { first, count } => &self.order[first as usize..(first + count) as usize],
            Content::Inner { .. } => &[],
        }
    }

    /// All triangles below a node, in the order of the leaves.
    pub fn triangles_below(&self, id: u32) -> &[u32] {
        let end = |mut id: u32, last: bool| loop {
            match self.node(id).content {
                Content::Inner { first, count } => id = if last { first + count - 1 } else { first },
                Content::Leaf { first, count } => return if last { first + count } else { first } as usize,
            }
        };
        &self.order[end(id, false)..end(id, true)]
    }

    /// The part of `order` below each node, for all nodes at once.
    pub fn slots(&self) -> Vec<Range<u32>> {
        let mut slots: Vec<Range<u32>> = vec![0..0; self.nodes.len()];
        for (id, node) in self.nodes.iter().enumerate().rev() {
            slots[id] = match node.content {
                Content::Inner { first, count } => {
                    slots[first as usize].start..slots[(first + count) as usize - 1].end
                }
                Content::Leaf { first, count } => first..first + count,
            };
        }
        slots
    }

    /// Distance of each node from the root.
    pub fn depths(&self) -> Vec<u32> {
        let mut depths = vec![0; self.nodes.len()];
        for (id, node) in self.nodes.iter().enumerate() {
            let below = depths[id] + 1;
            for child in node.content.children() {
                depths[child as usize] = below;
            }
        }
        depths
    }

    /// The parent of each node; the root is its own.
    pub fn parents(&self) -> Vec<u32> {
        let mut parents = vec![0; self.nodes.len()];
        for (id, node) in self.nodes.iter().enumerate() {
            for child in node.content.children() {
                parents[child as usize] = id as u32;
            }
        }
        parents
    }

    /// Ids of the nodes at each depth, from the root down; siblings are side by side.
    pub fn levels(&self) -> Vec<Vec<u32>> {
        let mut levels: Vec<Vec<u32>> = Vec::new();
        for (id, depth) in self.depths().into_iter().enumerate() {
            if levels.len() <= depth as usize {
                levels.resize_with(depth as usize + 1, Vec::new);
            }
            levels[depth as usize].push(id as u32);
        }
        levels
    }

    /// How many levels there are: 1 for a single leaf.
    pub fn depth(&self) -> u32 {
        self.depths().into_iter().max().map_or(0, |deepest| deepest + 1)
    }

    /// The same tree with other volumes, made from its own. To walk trees of different kinds against each other, turn
    /// both into trees of [`AnyVolume`](kontakt_bounds::AnyVolume).
    pub fn map<C>(&self, mut volume: impl FnMut(&B) -> C) -> Tree<C> {
        let nodes =
            self.nodes.iter().map(|node| Node { volume: volume(&node.volume), content: node.content });
        Tree { nodes: nodes.collect(), order: self.order.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A root over a leaf {7, 3} and an inner node over the leaves {5} and {1, 0}.
    fn small() -> Tree<&'static str> {
        let node = |volume, content| Node { volume, content };
        Tree {
            nodes: vec![
                node("root", Content::Inner { first: 1, count: 2 }),
                node("left", Content::Leaf { first: 0, count: 2 }),
                node("right", Content::Inner { first: 3, count: 2 }),
                node("one", Content::Leaf { first: 2, count: 1 }),
                node("two", Content::Leaf { first: 3, count: 2 }),
            ],
            order: vec![7, 3, 5, 1, 0],
        }
    }

    #[test]
    fn what_is_where() {
        let tree = small();
        assert_eq!(tree.depths(), [0, 1, 1, 2, 2]);
        assert_eq!(tree.parents(), [0, 0, 0, 2, 2]);
        assert_eq!(tree.levels(), [vec![0], vec![1, 2], vec![3, 4]]);
        assert_eq!(tree.depth(), 3);
        assert_eq!(tree.triangles_below(0), [7, 3, 5, 1, 0]);
        assert_eq!(tree.triangles_below(2), [5, 1, 0]);
        assert_eq!(tree.slots(), [0..5, 0..2, 2..5, 2..3, 3..5]);
        assert_eq!(tree.triangles(4), [1, 0]);
        assert_eq!(tree.triangles(2), [0_u32; 0]);
        assert_eq!(tree.leaves().map(|(id, t)| (id, t.len())).collect::<Vec<_>>(), [(1, 2), (3, 1), (4, 2)]);
        assert_eq!(tree.map(|name| name.len()).node(2).volume, 5);
    }

    #[test]
    fn no_triangles_no_nodes() {
        let tree = Tree::<f64>::EMPTY;
        assert_eq!((tree.depth(), tree.levels().len(), tree.leaves().count()), (0, 0, 0));
    }
}
