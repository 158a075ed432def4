//! Octants of a cube (thesis 3.2.1): with spheres, Palmer and Grimsdale's sphere tree.

use super::{Method, Rule, Split, SplitSet};
use crate::build::morton;
use crate::build::workpiece::Workpiece;

/// Children of a node at most.
const CHILDREN: usize = 8;

pub(super) const METHODS: &[Method] =
    &[Method::new("octree", "octants of the body's cube (thesis 3.2.1)", |w| Box::new(Octree::new(w)))
        .with_own_arity(CHILDREN)];

/// The octree of the body's cube: a node's faces go to the octants in which their middles lie, up to eight, whatever arity
/// was asked for. Levels with a single occupied octant are skipped; every face belongs to one octant only.
struct Octree {
    /// Three bits a level, the octants of the whole cube highest.
    codes: Vec<u64>,
}

impl Octree {
    /// For a body.
    fn new(workpiece: &Workpiece<'_>) -> Octree {
        Octree { codes: morton::codes(workpiece) }
    }
}

impl Rule for Octree {
    fn split(&self, set: &SplitSet<'_>, _parts: usize) -> Option<Split> {
        let code = |face: &u32| self.codes[*face as usize];
        let first = code(&set.faces[0]);
        let differing = set.faces.iter().fold(0, |bits, face| bits | (code(face) ^ first));
        let highest = 63_u32.checked_sub(differing.leading_zeros())?;
        let level = highest / 3 * 3;
        Some(Split::from(set.faces.iter().map(|face| (code(face) >> level & 7) as u8).collect::<Vec<u8>>()))
    }
}
