//! Boxes about the patches of a body, in a binary tree.

use kontakt_math::DVec3;

/// A box by its middle and half of its sides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    pub(crate) middle: DVec3,
    pub(crate) half: DVec3,
}

/// A node: a box about patches, and either two nodes or one patch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) block: Block,
    pub(crate) kind: Kind,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// The numbers of two nodes.
    Inner([u32; 2]),
    /// The number of a patch.
    Leaf(u32),
}

/// The root is the last node.
#[derive(Debug)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    /// Over boxes that are given by their lowest and highest corners.
    pub(crate) fn new(boxes: &[[DVec3; 2]]) -> Tree {
        let mut order: Vec<u32> = (0..boxes.len() as u32).collect();
        let mut tree = Tree { nodes: Vec::with_capacity(2 * boxes.len()) };
        if !boxes.is_empty() {
            tree.build(boxes, &mut order);
        }
        tree
    }

    pub(crate) fn root(&self) -> Option<u32> {
        self.nodes.len().checked_sub(1).map(|last| last as u32)
    }

    /// All nodes, children before their parents.
    pub(crate) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    pub(crate) fn node(&self, index: u32) -> &Node {
        &self.nodes[index as usize]
    }

    /// Halves by number along the longest side, so that the depth is the logarithm of the number.
    fn build(&mut self, boxes: &[[DVec3; 2]], order: &mut [u32]) -> u32 {
        let (low, high) = order.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), &k| {
            let [a, b] = boxes[k as usize];
            (low.min(a), high.max(b))
        });
        let block = Block { middle: 0.5 * (low + high), half: 0.5 * (high - low) };
        let kind = if let [one] = order {
            Kind::Leaf(*one)
        } else {
            let axis = block.half.max_position();
            let middle = |k: u32| boxes[k as usize][0][axis] + boxes[k as usize][1][axis];
            let half = order.len() / 2;
            order.select_nth_unstable_by(half, |&a, &b| middle(a).total_cmp(&middle(b)).then(a.cmp(&b)));
            let (one, other) = order.split_at_mut(half);
            Kind::Inner([self.build(boxes, one), self.build(boxes, other)])
        };
        self.nodes.push(Node { block, kind });
        self.nodes.len() as u32 - 1
    }
}
