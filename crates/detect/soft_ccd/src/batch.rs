//! Many queries at once: the filter over lanes, then the cascade for what it leaves open.

mod kernel;
mod lanes;
#[cfg(target_arch = "x86_64")]
mod lanes_x86;
mod simd;

use crate::doubles::Margins;
use crate::{Kind, Query, touches};
use kernel::Block;
use kontakt_bounds::batch::Isa;
use kontakt_math::DVec3;
use lanes::BLOCK;

/// Queries of one kind, their coordinates stored by lanes.
#[derive(Clone, Debug)]
pub struct Batch {
    kind: Kind,
    blocks: Vec<Block>,
    len: usize,
}

impl Batch {
    /// An empty batch.
    pub fn new(kind: Kind) -> Batch {
        Batch { kind, blocks: Vec::new(), len: 0 }
    }

    /// Adds a query; one of the other kind is refused with `false`.
    pub fn push(&mut self, query: &Query) -> bool {
        if query.kind() != self.kind {
            return false;
        }
        let lane = self.len % BLOCK;
        if lane == 0 {
            self.blocks.push([[0.0; BLOCK]; 24]);
        }
        if let Some(block) = self.blocks.last_mut() {
            for (p, point) in query.start().iter().chain(&query.end()).enumerate() {
                for (k, x) in point.to_array().into_iter().enumerate() {
                    block[3 * p + k][lane] = x;
                }
            }
        }
        self.len += 1;
        true
    }

    /// Number of queries.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True without queries.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Removes all queries and keeps the memory.
    pub fn clear(&mut self) {
        self.blocks.clear();
        self.len = 0;
    }

    /// Query `i`, if there is one.
    pub fn get(&self, i: usize) -> Option<Query> {
        if i >= self.len {
            return None;
        }
        let block = &self.blocks[i / BLOCK];
        let point = |p: usize| DVec3::from_array([0, 1, 2].map(|k| block[3 * p + k][i % BLOCK]));
        Query::new(self.kind, [0, 1, 2, 3].map(point), [4, 5, 6, 7].map(point)).ok()
    }

    /// Replaces `open` by the indices of the queries that are not proven free of contact, increasing. Errs to "open" only:
    /// every other query is free.
    pub fn filter(&self, open: &mut Vec<u32>) {
        self.filter_with(Isa::best(), open);
    }

    /// `filter` with a chosen instruction set; the portable one where the processor lacks it.
    pub fn filter_with(&self, isa: Isa, open: &mut Vec<u32>) {
        self.filter_by(isa, &Margins::PROVEN, open);
    }

    fn filter_by(&self, isa: Isa, margins: &Margins, open: &mut Vec<u32>) {
        open.clear();
        let mut first = 0;
        simd::for_each_block(isa, self.kind, &self.blocks, margins, |mut bits| {
            while bits != 0 {
                let id = first + bits.trailing_zeros() as usize;
                if id < self.len {
                    open.push(id as u32);
                }
                bits &= bits - 1;
            }
            first += BLOCK;
        });
    }

    /// Replaces `hits` by the indices of the queries in contact, increasing. Exact.
    pub fn touching(&self, hits: &mut Vec<u32>) {
        self.filter(hits);
        hits.retain(|&i| self.get(i as usize).is_some_and(|query| touches(&query)));
    }
}
