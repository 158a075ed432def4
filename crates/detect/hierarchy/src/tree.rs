//! The laboratory's tree: one volume a node, any number of children.

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

/// A volume around all triangles below.
#[derive(Clone, Debug, PartialEq)]
pub struct Node<B> {
    /// **Encloses** every triangle below.
    pub volume: B,
    /// Children or triangles.
    pub content: Content,
}

/// A hierarchy over the triangles of one body, in the body's frame. Node 0 is the root; every triangle is in exactly one
/// leaf, and the triangles below a node are a contiguous part of `order`.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree<B> {
    /// The root first, siblings side by side.
    pub nodes: Vec<Node<B>>,
    /// Triangle ids, in the order of the leaves.
    pub order: Vec<u32>,
}
