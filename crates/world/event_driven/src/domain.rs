//! Where a gas is: a box from the origin, with walls or without ends.

use kontakt_math::DVec3;

/// What is at both ends of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Boundary {
    /// What leaves at one end enters at the other.
    Periodic,
    /// Smooth walls.
    Wall,
}

/// A box from the origin to its size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Domain {
    /// Its sides.
    pub size: DVec3,
    /// What is at their ends.
    pub boundary: [Boundary; 3],
}

impl Domain {
    /// Without ends.
    pub fn periodic(size: DVec3) -> Domain {
        Domain { size, boundary: [Boundary::Periodic; 3] }
    }

    /// With walls all around.
    pub fn walled(size: DVec3) -> Domain {
        Domain { size, boundary: [Boundary::Wall; 3] }
    }

    pub(crate) fn is_periodic(&self, axis: usize) -> bool {
        self.boundary[axis] == Boundary::Periodic
    }

    /// A difference of two places, taken to the nearest images.
    pub(crate) fn nearest_image(&self, mut d: DVec3) -> DVec3 {
        for axis in 0..3 {
            if self.is_periodic(axis) {
                let side = self.size[axis];
                d[axis] -= side * (d[axis] / side).round();
            }
        }
        d
    }
}

/// The name of an axis.
pub(crate) fn axis_name(axis: usize) -> char {
    ['x', 'y', 'z'][axis]
}
