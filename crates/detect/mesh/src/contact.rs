//! Whether two bodies have a common point.

use std::ops::ControlFlow;

use crate::asker::{Asker, in_other_order};
use crate::face::Between;
use crate::mesh::Placed;
use crate::pairs::FacePair;
use crate::walk::descent::descend;
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
        let mut leaves = Leaves::new(*isa, desk, &between, a.mesh, b.mesh);
        descend(*isa, &between, a.mesh, b.mesh, open, visits, |x, y, visits| {
            leaves.meetings(x, y, visits, ControlFlow::Break)
        })
    }
}
