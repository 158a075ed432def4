//! Places of vertices that several threads write, each to its own.

use kontakt_math::DVec3;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Coordinates as bits. Elements of one colour share no vertex, so no two threads ever write the same place and relaxed order is
/// enough; the join between two colours orders the rest. On common machines a relaxed access is a plain one.
#[derive(Debug, Default)]
pub(crate) struct Places(Vec<[AtomicU64; 3]>);

impl Places {
    pub(crate) fn new(places: &[DVec3]) -> Places {
        Places(places.iter().map(|p| p.to_array().map(|c| AtomicU64::new(c.to_bits()))).collect())
    }

    #[inline(always)]
    pub(crate) fn get(&self, vertex: u32) -> DVec3 {
        let [x, y, z] = &self.0[vertex as usize];
        let of = |bits: &AtomicU64| f64::from_bits(bits.load(Relaxed));
        DVec3::new(of(x), of(y), of(z))
    }

    #[inline(always)]
    pub(crate) fn set(&self, vertex: u32, p: DVec3) {
        for (bits, c) in self.0[vertex as usize].iter().zip(p.to_array()) {
            bits.store(c.to_bits(), Relaxed);
        }
    }

    #[inline(always)]
    pub(crate) fn add(&self, vertex: u32, by: DVec3) {
        self.set(vertex, self.get(vertex) + by);
    }
}
