//! A box in single precision.

use crate::Frame;
use kontakt_bounds::Aabb;

/// The ends of a box along three axes, in a frame (see [`Frame`]).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ends {
    /// Lower ends.
    pub low: [f32; 3],
    /// Upper ends, at or above the lower ones.
    pub high: [f32; 3],
}

impl Ends {
    /// Where there is no box: meets nothing, since its lower ends lie above every number and its upper ends below.
    pub const NONE: Ends = Ends { low: [f32::INFINITY; 3], high: [f32::NEG_INFINITY; 3] };

    /// The box in a frame. Two boxes that meet still do there, because the map of a frame is monotone.
    #[inline]
    pub fn of(frame: Frame, b: &Aabb) -> Ends {
        let (min, max) = (b.min.to_array(), b.max.to_array());
        Ends {
            low: std::array::from_fn(|k| frame.map(k, min[k])),
            high: std::array::from_fn(|k| frame.map(k, max[k])),
        }
    }

    /// Whether this is a box, not [`Ends::NONE`].
    #[inline]
    pub fn exists(&self) -> bool {
        self.low[0] <= self.high[0]
    }

    /// Whether the two have a point in common.
    #[inline]
    pub fn meets(&self, other: &Ends) -> bool {
        let mut all = true;
        for k in 0..3 {
            all &= self.low[k] <= other.high[k] && other.low[k] <= self.high[k];
        }
        all
    }

    /// Whether `other` lies in this box.
    #[inline]
    pub fn encloses(&self, other: &Ends) -> bool {
        let mut all = true;
        for k in 0..3 {
            all &= self.low[k] <= other.low[k] && other.high[k] <= self.high[k];
        }
        all
    }

    /// The smallest box around both.
    #[inline]
    #[must_use]
    pub fn around(&self, other: &Ends) -> Ends {
        Ends {
            low: std::array::from_fn(|k| self.low[k].min(other.low[k])),
            high: std::array::from_fn(|k| self.high[k].max(other.high[k])),
        }
    }

    /// The axes in another order.
    #[inline]
    pub(crate) fn along(&self, axes: [usize; 3]) -> Ends {
        Ends { low: axes.map(|k| self.low[k]), high: axes.map(|k| self.high[k]) }
    }
}
