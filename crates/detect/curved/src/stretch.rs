//! A stretch of an edge.

use crate::brep::Edge;
use crate::sliver::Sliver;

/// A stretch of an edge along a side of a patch: from its first corner to its second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stretch {
    /// Which edge.
    pub(crate) edge: u32,
    /// Its parameter at the first corner.
    pub(crate) from: f64,
    /// Its parameter at the second.
    pub(crate) to: f64,
    /// What the face has beside it.
    pub(crate) sliver: Sliver,
}

impl Stretch {
    /// **Never less** than the distance of the edge from its chord.
    pub(crate) fn sagitta(&self, edges: &[Edge]) -> f64 {
        edges[self.edge as usize].curve.sagitta(self.from.min(self.to), self.from.max(self.to))
    }

    /// **Never less** than how far what the face has beside its chord is from the chord.
    pub(crate) fn reach(&self, edges: &[Edge]) -> f64 {
        let Sliver { sagittas, off } = self.sliver;
        if sagittas == 0.0 { off } else { sagittas * self.sagitta(edges) + off }
    }

    /// Up to the middle, and on from it.
    pub(crate) fn halves(side: Option<Stretch>) -> [Option<Stretch>; 2] {
        let halves = side.map(|side| {
            let middle = 0.5 * (side.from + side.to);
            (Stretch { to: middle, ..side }, Stretch { from: middle, ..side })
        });
        [halves.map(|h| h.0), halves.map(|h| h.1)]
    }
}
