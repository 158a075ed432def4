//! The coordinates in which the filters compute: points scaled by a power of two and moved to the middle of their
//! box, so that each coordinate is within [−1, 1] and filters neither overflow nor suffer from a far origin.

use kontakt_math::DVec3;

/// Maps points to the filter's coordinates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    scale: f64,
    origin: DVec3,
    /// Half extents of the box of all points, in filter coordinates.
    pub(crate) half_extents: DVec3,
}

impl Frame {
    /// A frame for all points between the corners `min` and `max`.
    pub(crate) fn new(min: DVec3, max: DVec3) -> Frame {
        // Halved first: max − min itself may overflow.
        let half = (max * 0.5 - min * 0.5).max_element();
        let exponent = if half > 0.0 { half.log2().floor().clamp(-1000.0, 1022.0) as i32 } else { 0 };
        // Twice the half extent is left as room, so that |local| ≤ 1 also after rounding.
        let scale = 2.0_f64.powi((-exponent - 2).clamp(-1020, 1000));
        let (low, high) = (min * scale, max * scale);
        Frame { scale, origin: low * 0.5 + high * 0.5, half_extents: high * 0.5 - low * 0.5 }
    }

    /// The power of two that lengths are multiplied by.
    pub(crate) fn scale(&self) -> f64 {
        self.scale
    }

    /// The point times the power of two: exact unless a coordinate underflows.
    #[inline(always)]
    pub(crate) fn scaled(&self, point: DVec3) -> DVec3 {
        point * self.scale
    }

    /// The point in filter coordinates: each within [−1/2, 1/2] (to rounding), wrong by at most u = 2⁻⁵³ (and underflow).
    #[inline(always)]
    pub(crate) fn local(&self, point: DVec3) -> DVec3 {
        self.scaled(point) - self.origin
    }
}
