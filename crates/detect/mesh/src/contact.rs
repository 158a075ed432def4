//! Whether two bodies have a common point.

use crate::asker::Asker;
use crate::mesh::Placed;
use crate::pairs::FacePair;

impl Asker {
    /// A pair of triangles with a common point, or a proof that there is none: **exact**, touching counts. Which of many
    /// pairs is reported depends on the two bodies and poses only; with the bodies in the other order it is the same pair,
    /// swapped.
    pub fn any_contact(&mut self, a: Placed, b: Placed) -> Option<FacePair> {
        self.all_pairs(a, b).first().copied()
    }
}
