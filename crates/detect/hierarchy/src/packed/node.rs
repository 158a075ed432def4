//! One wide node: eight child boxes that share the node's axes.

/// Children a node has room for: the single-precision lanes of AVX2, half a register of AVX-512.
pub const WIDTH: usize = 8;

/// A node whose children's boxes are aligned to the node's own axes. Sharing them costs a little tightness against one
/// orientation a child and makes the test of all children of two nodes (8 × 8 boxes) a matter of one relative rotation.
///
/// Child c **encloses** its triangles: with p = packed coordinates of any of their points and y = axes·(p − origin)
/// (both exact, for the single-precision numbers stored), `|y[k] − centre[k][c]| ≤ half[k][c]` for k = 0, 1, 2. The rows of
/// `axes` are orthonormal up to single-precision rounding: every entry of axes·axesᵀ − I is at most 2⁻²⁰.
/// Empty lanes have `half` = −1 and sort after the used ones.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(16))]
pub struct WideNode {
    /// Centres of the children's boxes, in the node's axes.
    pub centre: [[f32; WIDTH]; 3],
    /// Half extents of the children's boxes; −1 in empty lanes.
    pub half: [[f32; WIDTH]; 3],
    /// Rows: the node's axes in packed coordinates.
    pub axes: [[f32; 3]; 3],
    /// Origin of the node's axes in packed coordinates.
    pub origin: [f32; 3],
    /// What each lane leads to; see [`Child`].
    pub child: [u32; WIDTH],
}

/// What a lane of a node leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Child {
    /// Another node, by index.
    Inner(u32),
    /// A run of at least one slot.
    Leaf {
        /// First slot.
        first: u32,
        /// How many, 1 to [`Child::LARGEST_LEAF`].
        count: u32,
    },
    /// Nothing.
    Empty,
}

impl Child {
    /// Most triangles of a leaf.
    pub const LARGEST_LEAF: u32 = 7;
    /// Most triangles a packed hierarchy can name: slots have 28 bits.
    pub const MOST_SLOTS: usize = 1 << 28;
    const LEAF: u32 = 1 << 31;
    const EMPTY: u32 = 0x7fff_ffff;

    /// Bit 31 marks a leaf, bits 28–30 its count, the rest is the first slot or the node.
    pub fn encode(self) -> u32 {
        match self {
            Child::Inner(node) => node,
            Child::Leaf { first, count } => Child::LEAF | count << 28 | first,
            Child::Empty => Child::EMPTY,
        }
    }

    /// The inverse of [`encode`](Child::encode).
    pub fn decode(code: u32) -> Child {
        if code & Child::LEAF != 0 {
            Child::Leaf { first: code & 0x0fff_ffff, count: code >> 28 & 7 }
        } else if code == Child::EMPTY {
            Child::Empty
        } else {
            Child::Inner(code)
        }
    }
}
