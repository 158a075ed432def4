//! How much a reader may do: entities may refer to one another so that a small file unfolds to an endless model.

use super::loss::Why;
use crate::error::Problem;
use kontakt_schedule::{Deadline, Expired};
use std::cell::Cell;

/// Steps between two looks at the clock.
const STRIDE: u64 = 1 << 14;

/// Work that is left, in elements: references followed, list entries, control points.
pub(crate) struct Budget {
    left: Cell<u64>,
    next_look: Cell<u64>,
    deadline: Deadline,
    expired: Cell<Option<Expired>>,
}

impl Budget {
    /// For a file of so many bytes. An element of a model takes tens of bytes in its file, so that honest files stay below even where
    /// many faces share their surfaces.
    pub(crate) fn new(bytes: usize, deadline: Deadline) -> Budget {
        let left = (bytes as u64).saturating_mul(2).saturating_add(1 << 20);
        let next_look = left.saturating_sub(STRIDE);
        Budget { left: left.into(), next_look: next_look.into(), deadline, expired: None.into() }
    }

    /// Takes so much of it.
    #[inline]
    pub(crate) fn spend(&self, elements: usize) -> Result<(), Why> {
        let left = self.left.get().saturating_sub(elements as u64);
        self.left.set(left);
        if left > self.next_look.get() { Ok(()) } else { self.look(left) }
    }

    #[cold]
    fn look(&self, left: u64) -> Result<(), Why> {
        self.next_look.set(left.saturating_sub(STRIDE));
        if let Err(expired) = self.deadline.check() {
            self.expired.set(Some(expired));
            self.left.set(0);
        }
        if self.left.get() == 0 { Err(Why::Exhausted) } else { Ok(()) }
    }

    /// What ended the reading, if anything did.
    pub(crate) fn problem(&self) -> Option<Problem> {
        if let Some(expired) = self.expired.get() {
            return Some(Problem::Expired(expired));
        }
        let text = "references unfold to far more than the size of the file";
        (self.left.get() == 0).then(|| Problem::TooMany(text.into()))
    }
}
