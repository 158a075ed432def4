//! The runtime form: wide nodes with their own axes and single-precision boxes.

mod axes;
mod build;
mod counts;
mod error;
mod fit;
mod lane;
mod map;
mod node;
mod orient;
mod parallel;
mod points;
mod scale;
mod shape;
mod stored;
mod validate;
mod vector;
mod walk;

pub use counts::Counts;
pub use error::{BuildError, Flaw};
pub use map::{IntoAxes, PackedMap};
pub use node::{Child, WIDTH, WideNode};

use scale::Scale;

use kontakt_math::DVec3;

/// A hierarchy ready for queries. It holds no coordinates of the mesh; queries get those beside it.
///
/// *Packed coordinates* are (x − `origin`)·2^−`exponent` of the body's frame, so that every vertex lies within ±1 and
/// neither a place of 10¹² nor a size of 10³⁰⁰ does harm to single precision. The slots below a node are one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Packed {
    /// Origin of packed coordinates in the body's frame.
    pub(crate) origin: DVec3,
    /// Packed coordinates are scaled by 2^−exponent.
    pub(crate) exponent: i32,
    /// The root first; children after their parent.
    pub(crate) nodes: Vec<WideNode>,
    /// Triangle id of each slot; a leaf is a run of slots.
    pub(crate) order: Vec<u32>,
    /// The vertices of the triangle in each slot: `triangles[order[slot]]`, side by side for the cache.
    pub(crate) corners: Vec<[u32; 3]>,
}

impl Packed {
    /// Origin of packed coordinates in the body's frame.
    pub fn origin(&self) -> DVec3 {
        self.origin
    }

    /// Packed coordinates are scaled by 2^−exponent.
    pub fn exponent(&self) -> i32 {
        self.exponent
    }

    /// The nodes, the root first.
    pub fn nodes(&self) -> &[WideNode] {
        &self.nodes
    }

    /// Triangle id of each slot.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// The vertex indices of the triangle in each slot.
    pub fn corners(&self) -> &[[u32; 3]] {
        &self.corners
    }

    /// The map to packed coordinates.
    pub(crate) fn scale(&self) -> Scale {
        Scale::new(self.origin, self.exponent)
    }

    /// Bytes on the heap.
    pub fn heap_bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<WideNode>()
            + self.order.capacity() * size_of::<u32>()
            + self.corners.capacity() * size_of::<[u32; 3]>()
    }
}
