//! What one query leaves for the next one about the same pair of bodies.

use crate::difference::Spot;
use kontakt_math::DVec3;

/// The last separating direction and the vertices that were nearest. Only a hint: any content gives the same verdict, and
/// numbers that differ within their certified bounds. `Default` is cold.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Warm {
    /// From the difference's nearest point to the origin, that is from A to B, in A's frame; zero when cold.
    pub direction: DVec3,
    /// How many queries so far had to be answered in exact numbers.
    pub exact: u32,
    pub(crate) pairs: [[u32; 2]; 3],
    pub(crate) count: u8,
}

impl Warm {
    /// Vertices of A and of B in the last nearest simplex.
    #[inline]
    pub fn pairs(&self) -> &[[u32; 2]] {
        &self.pairs[..usize::from(self.count).min(3)]
    }

    /// Keeps what a query found, if it is of use.
    #[inline]
    pub(crate) fn keep(&mut self, direction: DVec3, spots: &[Spot]) {
        if !direction.is_finite() {
            return;
        }
        self.direction = direction;
        self.count = spots.len().min(3) as u8;
        for (pair, spot) in self.pairs.iter_mut().zip(spots) {
            *pair = [spot.a, spot.b];
        }
    }
}
