//! All pairs of faces within a distance of each other.

use std::ops::ControlFlow;

use crate::asker::MeshQuery;
use crate::face::Between;
use crate::face_pair::NearPair;
use crate::mesh::PlacedMesh;
use crate::walk::descent::Bodies;
use crate::walk::gathering::Gathering;

impl MeshQuery {
    /// Adds to `pairs` every pair of triangles whose distance is at most `distance`, and perhaps some that are a little farther
    /// apart, sorted. **None is missed** if it answers `true`; `false` where there are more than `most`, and then those added are of
    /// no use. With a distance that is negative or NaN there are none.
    pub fn near_pairs(
        &mut self,
        a: PlacedMesh,
        b: PlacedMesh,
        distance: f64,
        most: usize,
        pairs: &mut Vec<NearPair>,
    ) -> bool {
        if distance.is_nan() || distance < 0.0 {
            return true;
        }
        let between = Between::new(a.pose, b.pose);
        let MeshQuery { isa, visits, nearing, desk, .. } = self;
        let bodies = Bodies { isa: *isa, between: &between, a: a.mesh, b: b.mesh };
        let from = pairs.len();
        // What is as far apart as the distance counts as near.
        let ended =
            Gathering { bodies, agenda: nearing.lend(), desk, visits }.gather(distance.next_up(), |pair| {
                pairs.push(pair);
                if pairs.len() - from > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
        pairs[from..].sort_unstable_by_key(|near| near.pair);
        ended.is_continue()
    }
}
