//! Many axis-aligned boxes against one.

use super::hits::Hits;
use super::intervals::Intervals;
use crate::isa::Isa;
use crate::volume::Aabb;

/// Axis-aligned boxes in blocks of eight, in double precision: every answer is exact.
#[derive(Clone, Debug)]
pub struct AabbBatch(Intervals<3>);

impl AabbBatch {
    /// Packs the boxes.
    pub fn new(boxes: &[Aabb]) -> AabbBatch {
        AabbBatch(Intervals::new(boxes.iter().map(|b| (b.min.to_array(), b.max.to_array()))))
    }

    /// How many boxes.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Which members overlap or touch the query.
    pub fn hits(&self, query: &Aabb, hits: &mut Hits) {
        self.hits_with(Isa::best(), query, hits);
    }

    /// [`hits`](Self::hits) on a chosen instruction set; plain Rust where the processor lacks it.
    pub fn hits_with(&self, isa: Isa, query: &Aabb, hits: &mut Hits) {
        self.0.hits(isa, &query.min.to_array(), &query.max.to_array(), hits);
    }
}
