//! Whether two bodies have a common point.

use std::ops::ControlFlow;

use crate::asker::Asker;
use crate::face::{Between, meeting};
use crate::mesh::Placed;
use crate::pairs::FacePair;
use crate::walk::descent::{corners, descend};

impl Asker {
    /// A pair of triangles with a common point, or a proof that there is none: **exact**, touching counts. Which of many
    /// pairs is reported depends on the two bodies and poses only; with the bodies in the other order it is the same pair,
    /// swapped.
    pub fn any_contact(&mut self, a: Placed, b: Placed) -> Option<FacePair> {
        let between = Between::new(a.pose, b.pose);
        let Asker { visits, open, .. } = self;
        descend(&between, a.mesh, b.mesh, open, visits, |x, y, visits| {
            for i in x.first..x.first + x.count {
                for j in y.first..y.first + y.count {
                    let (p, q) = (a.mesh.tree().order()[i as usize], b.mesh.tree().order()[j as usize]);
                    if meeting(&between, corners(a.mesh, i), corners(b.mesh, j), visits).meets() {
                        return ControlFlow::Break(FacePair { a: p, b: q });
                    }
                }
            }
            ControlFlow::Continue(())
        })
    }
}
