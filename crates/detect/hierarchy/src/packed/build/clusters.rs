//! Small groups of neighbours on the curve: what the crown of the tree is divided by.

use super::split::Item;
use crate::packed::parallel::run;
use crate::packed::vector::{Bounds, Vector};
use std::ops::Range;

/// Most triangles of a cluster.
const CLUSTER: usize = 32;
/// Triangles whose clusters are made at a time.
const STRETCH: usize = 1 << 15;

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
    // No cluster reaches from one stretch into the next, whatever the number of threads.
    let stretches: Vec<usize> = (0..sorted.len()).step_by(STRETCH).collect();
    let made = run(threads, &stretches, |&from| {
        let stretch = &sorted[from..sorted.len().min(from + STRETCH)];
        let mut clusters = Vec::with_capacity(stretch.len() / (CLUSTER / 2) + 1);
        let mut start = 0;
        while start < stretch.len() {
            let end = best_end(stretch, start);
            let ids = stretch[start..end].iter().map(|e| *e as u32);
            let bounds = ids.fold(Bounds::EMPTY, |all, id| {
                all.join(Bounds::of(&triangles[id as usize].map(|v| points[v as usize])))
            });
            clusters.push(Cluster { bounds, first: (from + start) as u32, count: (end - start) as u32 });
            start = end;
        }
        clusters
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
