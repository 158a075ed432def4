//! Whether two bodies have a common point.

use std::ops::ControlFlow;

use crate::asker::{MeshQuery, in_other_order};
use crate::face::Between;
use crate::face_pair::FacePair;
use crate::mesh::PlacedMesh;
use crate::walk::descent::{Bodies, descend};
use crate::walk::leaves::Leaves;
use kontakt_schedule::{Deadline, Expired};

impl MeshQuery {
    /// A pair of triangles with a common point, or a proof that there is none: **exact**, touching counts. Which of many
    /// pairs is reported depends on the two bodies and poses only; with the bodies in the other order it is the same pair,
    /// swapped.
    pub fn any_contact(&mut self, a: PlacedMesh, b: PlacedMesh) -> Option<FacePair> {
        if in_other_order(a, b) {
            return self.any_contact_of(b, a).map(FacePair::swapped);
        }
        self.any_contact_of(a, b)
    }

    /// The same, looked for until the asker's deadline.
    pub fn contact(&mut self, a: PlacedMesh, b: PlacedMesh) -> Result<Option<FacePair>, Expired> {
        if in_other_order(a, b) {
            return Ok(self.contact_until(b, a, self.deadline)?.map(FacePair::swapped));
        }
        self.contact_until(a, b, self.deadline)
    }

    /// The same, in the order given.
    pub(crate) fn any_contact_of(&mut self, a: PlacedMesh, b: PlacedMesh) -> Option<FacePair> {
        self.contact_until(a, b, Deadline::NEVER).ok().flatten()
    }

    /// The same, looked for until a deadline.
    pub(crate) fn contact_until(
        &mut self,
        a: PlacedMesh,
        b: PlacedMesh,
        deadline: Deadline,
    ) -> Result<Option<FacePair>, Expired> {
        let between = Between::new(a.pose, b.pose);
        let MeshQuery { isa, visits, open, desk, .. } = self;
        let bodies = Bodies { isa: *isa, between: &between, a: a.mesh, b: b.mesh };
        let mut leaves = Leaves::new(&bodies, desk);
        let found = |pair, _| ControlFlow::Break(Ok(pair));
        let mut pacer = deadline.pacer();
        let ended = descend(&bodies, open, visits, true, |x, y, visits| {
            if let Err(expired) = pacer.tick() {
                return ControlFlow::Break(Err(expired));
            }
            leaves.add(x, y, visits, found)?;
            leaves.decide(visits, found)
        });
        ended.transpose()
    }
}
