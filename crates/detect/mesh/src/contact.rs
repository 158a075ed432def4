//! Whether two bodies have a common point.

use std::ops::ControlFlow;

use crate::asker::{Asker, in_other_order};
use crate::face::Between;
use crate::mesh::Placed;
use crate::pairs::FacePair;
use crate::walk::descent::{Bodies, descend};
use crate::walk::leaves::Leaves;

impl Asker {
    /// A pair of triangles with a common point, or a proof that there is none: **exact**, touching counts. Which of many
    /// pairs is reported depends on the two bodies and poses only; with the bodies in the other order it is the same pair,
    /// swapped.
    pub fn any_contact(&mut self, a: Placed, b: Placed) -> Option<FacePair> {
        if in_other_order(a, b) {
            return self.any_contact_of(b, a).map(FacePair::swapped);
        }
        self.any_contact_of(a, b)
    }

    /// The same, in the order given.
    pub(crate) fn any_contact_of(&mut self, a: Placed, b: Placed) -> Option<FacePair> {
        let between = Between::new(a.pose, b.pose);
        let Asker { isa, visits, open, desk, .. } = self;
        let bodies = Bodies { isa: *isa, between: &between, a: a.mesh, b: b.mesh };
        let mut leaves = Leaves::new(&bodies, desk);
        descend(&bodies, open, visits, true, |x, y, visits| {
            leaves.add(x, y, visits, ControlFlow::Break)?;
            leaves.decide(visits, ControlFlow::Break)
        })
    }
}
