//! Many k-DOPs of one direction set against one.

use super::hits::Hits;
use super::intervals::Intervals;
use crate::isa::Isa;
use crate::volume::KDop;

/// k-DOPs in blocks of eight, in double precision. A bit not set is a proof of disjointness; the test over the k/2
/// common directions is conservative, not exact, for k > 6.
#[derive(Clone, Debug)]
pub struct KDopBatch<const PAIRS: usize>(Intervals<PAIRS>);

impl<const PAIRS: usize> KDopBatch<PAIRS> {
    /// Packs the volumes.
    pub fn new(dops: &[KDop<PAIRS>]) -> Self {
        KDopBatch(Intervals::new(dops.iter().map(|d| (d.min, d.max))))
    }

    /// How many volumes.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Which members may overlap the query.
    pub fn hits(&self, query: &KDop<PAIRS>, hits: &mut Hits) {
        self.hits_with(Isa::best(), query, hits);
    }

    /// [`hits`](Self::hits) on a chosen instruction set; plain Rust where the processor lacks it.
    pub fn hits_with(&self, isa: Isa, query: &KDop<PAIRS>, hits: &mut Hits) {
        self.0.hits(isa, &query.min, &query.max, hits);
    }
}
