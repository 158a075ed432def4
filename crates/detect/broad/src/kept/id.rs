//! The name of a kept box.

/// The name of a box in a [`BroadPhase`](crate::BroadPhase). Names are small numbers: that of a removed box is given out again after the
/// update that has reported its lost pairs, the smallest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct BoxId(pub(crate) u32);

impl BoxId {
    /// As an index of the caller's own lists.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
