//! All pairs of faces that have a common point.

use std::ops::ControlFlow;

use crate::asker::MeshQuery;
use crate::face::{Between, Touch};
use crate::face_pair::{FacePair, Touching};
use crate::mesh::PlacedMesh;
use crate::walk::descent::{Bodies, descend};
use crate::walk::leaves::Leaves;

impl MeshQuery {
    /// Every pair of triangles with a common point, sorted; triangles are closed sets, so touching counts. **Exact**: the
    /// truth is about the exact images of the given coordinates under the given poses. Where the asker's limits end the search
    /// these are some of them, see [`pairs_complete`](MeshQuery::pairs_complete).
    pub fn all_pairs(&mut self, a: PlacedMesh, b: PlacedMesh) -> &[FacePair] {
        let mut pairs = std::mem::take(&mut self.pairs);
        self.find_pairs(a, b, &mut pairs, |pair, _| pair);
        sort(&mut pairs, triangles(a, b), |pair| *pair);
        self.pairs = pairs;
        &self.pairs
    }

    /// The same, with what they have in common.
    pub(crate) fn touching(&mut self, a: PlacedMesh, b: PlacedMesh) -> Touching {
        let mut found = Vec::new();
        self.find_pairs(a, b, &mut found, |pair, touch| (pair, touch));
        sort(&mut found, triangles(a, b), |found| found.0);
        Touching {
            pairs: found.iter().map(|found| found.0).collect(),
            kinds: found.iter().map(|found| found.1).collect(),
        }
    }

    /// Makes a list of what `entry` says of all pairs, in any order.
    fn find_pairs<T>(
        &mut self,
        a: PlacedMesh,
        b: PlacedMesh,
        list: &mut Vec<T>,
        entry: impl Fn(FacePair, Touch) -> T,
    ) {
        list.clear();
        let between = Between::new(a.pose, b.pose);
        let MeshQuery { isa, visits, open, desk, max_pairs, deadline, .. } = self;
        let bodies = Bodies { isa: *isa, between: &between, a: a.mesh, b: b.mesh };
        let mut leaves = Leaves::new(&bodies, desk);
        // A pair found may have cost as much as many leaves that turn out to be apart.
        let (mut pacer, mut pacer_of_pairs) = (deadline.pacer(), deadline.pacer());
        let mut found = |pair, touch| {
            if list.len() >= *max_pairs || pacer_of_pairs.tick().is_err() {
                return ControlFlow::Break(());
            }
            list.push(entry(pair, touch));
            ControlFlow::Continue(())
        };
        let ended = descend(&bodies, open, visits, false, |x, y, visits| {
            if pacer.tick().is_err() {
                return ControlFlow::Break(());
            }
            leaves.add(x, y, visits, &mut found)
        });
        self.pairs_complete = ended.is_none() && leaves.decide(visits, &mut found).is_continue();
    }

    /// Whether the last [`all_pairs`](MeshQuery::all_pairs) found all pairs: neither the deadline passed nor were there more than
    /// `max_pairs`.
    pub fn pairs_complete(&self) -> bool {
        self.pairs_complete
    }
}

/// How many triangles two bodies have.
fn triangles(a: PlacedMesh, b: PlacedMesh) -> [usize; 2] {
    [a.mesh, b.mesh].map(|mesh| mesh.faces().triangles().len())
}

/// Sorts by pairs. Where there are more of them than triangles they are counted into place, by `b`, then by `a`.
fn sort<T: Copy>(list: &mut [T], triangles: [usize; 2], pair: impl Fn(&T) -> FacePair) {
    if list.len() < 2 * (triangles[0] + triangles[1]) {
        list.sort_unstable_by_key(pair);
        return;
    }
    let mut other = list.to_vec();
    count_into_place(list, &mut other, triangles[1], |entry| pair(entry).b);
    count_into_place(&other, list, triangles[0], |entry| pair(entry).a);
}

/// The entries of `from` in the order of their keys (below `keys`); equal ones stay in order.
fn count_into_place<T: Copy>(from: &[T], into: &mut [T], keys: usize, key: impl Fn(&T) -> u32) {
    let mut starts = vec![0_u32; keys + 1];
    for entry in from {
        starts[key(entry) as usize + 1] += 1;
    }
    for k in 0..keys {
        starts[k + 1] += starts[k];
    }
    for entry in from {
        let place = &mut starts[key(entry) as usize];
        into[*place as usize] = *entry;
        *place += 1;
    }
}
