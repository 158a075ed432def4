//! What a volume must know to be swept.

use super::ball_around;
use crate::bound::Support;
use crate::volume::{Aabb, KDop, Obb, SlabVolume, Sphere};
use kontakt_math::DMat3;

/// A volume that can be swept along a motion.
pub trait Sweepable: Support + Sized {
    /// A ball around the volume, in its own coordinates.
    fn ball(&self) -> Sphere {
        ball_around(self)
    }

    /// Axes of the volume's own frame (orthonormal to rounding), from which an oriented box takes its orientation.
    fn own_axes(&self) -> DMat3 {
        DMat3::IDENTITY
    }
}

impl Sweepable for Sphere {
    fn ball(&self) -> Sphere {
        *self
    }
}

impl Sweepable for Aabb {}

impl Sweepable for Obb {
    fn own_axes(&self) -> DMat3 {
        self.axes
    }
}

impl<const PAIRS: usize> Sweepable for KDop<PAIRS> {}

impl Sweepable for SlabVolume {}
