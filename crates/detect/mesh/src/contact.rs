//! Whether two bodies have a common point.

use std::ops::ControlFlow;

use crate::asker::Asker;
use crate::mesh::Placed;
use crate::pairs::FacePair;
use crate::walk::descent::descend;
use crate::walk::stand_in;

impl Asker {
    /// A pair of triangles with a common point, or a proof that there is none: **exact**, touching counts. Which of many
    /// pairs is reported depends on the two bodies and poses only; with the bodies in the other order it is the same pair,
    /// swapped.
    pub fn any_contact(&mut self, a: Placed, b: Placed) -> Option<FacePair> {
        let Asker { visits, open, .. } = self;
        descend(a, b, open, visits, |x, y, visits| {
            for i in x.first..x.first + x.count {
                for j in y.first..y.first + y.count {
                    visits.face_tests += 1;
                    let (p, q) = (a.mesh.tree().order()[i as usize], b.mesh.tree().order()[j as usize]);
                    if stand_in::meet(a, p, b, q) {
                        return ControlFlow::Break(FacePair { a: p, b: q });
                    }
                }
            }
            ControlFlow::Continue(())
        })
    }
}
