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
    /// truth is about the exact images of the given coordinates under the given poses.
    pub fn all_pairs(&mut self, a: Placed, b: Placed) -> &[FacePair] {
        self.pairs.clear();
        let between = Between::new(a.pose, b.pose);
        let Asker { isa, visits, open, desk, pairs, .. } = self;
        let bodies = Bodies { isa: *isa, between: &between, a: a.mesh, b: b.mesh };
        let mut leaves = Leaves::new(&bodies, desk);
        let mut found = |pair| {
            pairs.push(pair);
            ControlFlow::<()>::Continue(())
        };
        descend(&bodies, open, visits, false, |x, y, visits| leaves.add(x, y, visits, &mut found));
        let _ = leaves.decide(visits, &mut found);
        pairs.sort_unstable();
        &self.pairs
    }
}
