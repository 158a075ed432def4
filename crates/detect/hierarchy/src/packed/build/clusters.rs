//! Small groups of neighbours on the curve: what the crown of the tree is divided by.

use super::split::Item;
use crate::packed::parallel::{chunks, run};
use crate::packed::vector::{Bounds, Vector};
use std::ops::Range;

/// Most triangles of a cluster.
const CLUSTER: usize = 32;

/// A run of triangles on the curve with the box around them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cluster {
    pub(super) bounds: Bounds,
    pub(super) first: u32,
    pub(super) count: u32,
}

impl Item for Cluster {
    #[inline(always)]
    fn bounds(&self) -> Bounds {
        self.bounds
    }

    #[inline(always)]
    fn weight(&self) -> u32 {
        self.count
    }
}

impl Cluster {
    pub(super) fn range(&self) -> Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

/// Cuts the sorted triangles (code << 32 | id) into clusters, each cut where the codes differ most.
pub(super) fn clusters(
    sorted: &[u64],
    points: &[Vector],
    triangles: &[[u32; 3]],
    threads: usize,
) -> Vec<Cluster> {
    let mut ends = Vec::with_capacity(sorted.len() / (CLUSTER / 2) + 1);
    let mut start = 0;
    while start < sorted.len() {
        let end = best_end(sorted, start);
        ends.push((start as u32, end as u32));
        start = end;
    }
    let made = run(threads, &chunks(ends.len(), threads), |part| {
        let around = |&(first, end): &(u32, u32)| {
            let ids = sorted[first as usize..end as usize].iter().map(|e| *e as u32);
            let bounds = ids.fold(Bounds::EMPTY, |all, id| {
                all.join(Bounds::of(&triangles[id as usize].map(|v| points[v as usize])))
            });
            Cluster { bounds, first, count: end - first }
        };
        ends[part.clone()].iter().map(around).collect::<Vec<_>>()
    });
    made.concat()
}

/// The end of the cluster that begins at `start`: of the second half of the places allowed, the one at the largest step of
/// the curve.
fn best_end(sorted: &[u64], start: usize) -> usize {
    if sorted.len() - start <= CLUSTER {
        return sorted.len();
    }
    let step = |end: usize| (sorted[end] ^ sorted[end - 1]) >> 32;
    let (mut best, mut largest) = (start + CLUSTER, step(start + CLUSTER));
    for end in (start + CLUSTER / 2..start + CLUSTER).rev() {
        // Steps compare by their highest bit.
        if step(end) & !largest > largest {
            (best, largest) = (end, step(end));
        }
    }
    best
}
