//! All pairs of faces that have a common point.

use crate::asker::Asker;
use crate::mesh::Placed;
use crate::walk::stand_in;

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
        for i in 0..a.mesh.faces().triangles().len() as u32 {
            for j in 0..b.mesh.faces().triangles().len() as u32 {
                self.visits.face_tests += 1;
                if stand_in::meet(a, i, b, j) {
                    self.pairs.push(FacePair { a: i, b: j });
                }
            }
        }
        &self.pairs
    }
}
