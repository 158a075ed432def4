//! Halves of the Morton curve (Lauterbach et al. 2009): quick to build, whatever the faces.

use super::{Method, Rule, Split, SplitSet};
use crate::build::halving::in_halves;
use crate::build::morton;
use crate::build::workpiece::Workpiece;

pub(super) const METHODS: &[Method] =
    &[Method::new("linear", "halves of the Morton curve", |w| Box::new(Linear::new(w)))];

/// Splits at the highest bit in which the codes of the faces' middles differ.
struct Linear {
    codes: Vec<u64>,
}

impl Linear {
    /// For a body.
    fn new(workpiece: &Workpiece<'_>) -> Linear {
        Linear { codes: morton::codes(workpiece) }
    }
}

impl Rule for Linear {
    fn split(&self, set: &SplitSet<'_>, parts: usize) -> Option<Split> {
        in_halves(set, parts, |half| {
            let code = |face: &u32| self.codes[*face as usize];
            let first = code(&half.faces[0]);
            let differing = half.faces.iter().fold(0, |bits, face| bits | (code(face) ^ first));
            let highest = 63_u32.checked_sub(differing.leading_zeros())?;
            Some(half.faces.iter().map(|face| code(face) >> highest & 1 == 1).collect())
        })
    }
}
