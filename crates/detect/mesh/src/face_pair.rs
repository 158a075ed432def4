//! Pairs of faces of two bodies.

use crate::face::Touch;

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

/// Two triangles near each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearPair {
    /// Which.
    pub pair: FacePair,
    /// **Never more** than their distance; 0 where nothing better is known.
    pub gap: f64,
}

/// All pairs of touching faces of two bodies, and what they have in common: found out once, used for the class and the patches.
pub(crate) struct Touching {
    /// Sorted.
    pub(crate) pairs: Vec<FacePair>,
    pub(crate) kinds: Vec<Touch>,
}
