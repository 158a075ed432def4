//! All pairs of faces that have a common point.

use std::ops::ControlFlow;

use crate::asker::Asker;
use crate::face::Between;
use crate::mesh::Placed;
use crate::walk::descent::{Bodies, descend};
use crate::walk::leaves::Leaves;

/// A triangle of the one body and one of the other. Ordered by `a`, then by `b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FacePair {
    /// Triangle id in the first body.
    pub a: u32,
    /// Triangle id in the second body.
    pub b: u32,
}

impl FacePair {
    /// The same pair seen with the bodies in the other order.
    #[must_use]
    pub fn swapped(self) -> FacePair {
        FacePair { a: self.b, b: self.a }
    }
}

impl Asker {
    /// Every pair of triangles with a common point, sorted; triangles are closed sets, so touching counts. **Exact**: the
    /// truth is about the exact images of the given coordinates under the given poses. Where the asker's limits end the search
    /// these are some of them, see [`pairs_complete`](Asker::pairs_complete).
    pub fn all_pairs(&mut self, a: Placed, b: Placed) -> &[FacePair] {
        self.pairs.clear();
        let between = Between::new(a.pose, b.pose);
        let Asker { isa, visits, open, desk, pairs, max_pairs, deadline, .. } = self;
        let bodies = Bodies { isa: *isa, between: &between, a: a.mesh, b: b.mesh };
        let mut leaves = Leaves::new(&bodies, desk);
        let mut found = |pair| {
            if pairs.len() >= *max_pairs {
                return ControlFlow::Break(());
            }
            pairs.push(pair);
            ControlFlow::Continue(())
        };
        let mut pacer = deadline.pacer();
        let ended = descend(&bodies, open, visits, false, |x, y, visits| {
            if pacer.tick().is_err() {
                return ControlFlow::Break(());
            }
            leaves.add(x, y, visits, &mut found)
        });
        let ended = ended.is_some() || leaves.decide(visits, &mut found).is_break();
        sort(pairs, [a.mesh, b.mesh].map(|mesh| mesh.faces().triangles().len()));
        self.pairs_complete = !ended;
        &self.pairs
    }

    /// Whether the last [`all_pairs`](Asker::all_pairs) found all pairs: neither the deadline passed nor were there more than
    /// `max_pairs`.
    pub fn pairs_complete(&self) -> bool {
        self.pairs_complete
    }
}

/// Sorts pairs. Where there are more of them than triangles they are counted into place, by `b`, then by `a`.
fn sort(pairs: &mut [FacePair], triangles: [usize; 2]) {
    if pairs.len() < 2 * (triangles[0] + triangles[1]) {
        pairs.sort_unstable();
        return;
    }
    let mut other = vec![FacePair { a: 0, b: 0 }; pairs.len()];
    count_into_place(pairs, &mut other, triangles[1], |pair| pair.b);
    count_into_place(&other, pairs, triangles[0], |pair| pair.a);
}

/// The pairs of `from` in the order of their keys (below `keys`); equal ones stay in order.
fn count_into_place(from: &[FacePair], into: &mut [FacePair], keys: usize, key: impl Fn(&FacePair) -> u32) {
    let mut starts = vec![0_u32; keys + 1];
    for pair in from {
        starts[key(pair) as usize + 1] += 1;
    }
    for k in 0..keys {
        starts[k + 1] += starts[k];
    }
    for pair in from {
        let place = &mut starts[key(pair) as usize];
        into[*place as usize] = *pair;
        *place += 1;
    }
}
