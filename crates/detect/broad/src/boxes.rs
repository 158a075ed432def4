//! Boxes in single precision.

use crate::Frame;
use crate::ends::Ends;
use kontakt_bounds::Aabb;
use thiserror::Error;

/// Why boxes cannot be searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BoxError {
    /// A coordinate is NaN or infinite.
    #[error("box {index} has a coordinate that is not finite")]
    NotFinite {
        /// 0-based.
        index: usize,
    },
    /// A lower end lies above its upper end.
    #[error("box {index} is inside out")]
    InsideOut {
        /// 0-based.
        index: usize,
    },
    /// Ids are 32 bits wide.
    #[error("more boxes than 32-bit ids can name")]
    TooMany,
}

/// Boxes mapped into a frame. Two of them meet there if they meet at all (see [`Frame`]); the other way round holds up to the
/// resolution of single precision.
#[derive(Clone, Debug)]
pub struct Boxes {
    frame: Frame,
    pub(crate) ends: Vec<Ends>,
}

impl Boxes {
    /// Maps the boxes; ids are their places in the order given.
    pub fn new(frame: Frame, boxes: impl IntoIterator<Item = Aabb>) -> Result<Boxes, BoxError> {
        let boxes = boxes.into_iter();
        let mut all = Boxes { frame, ends: Vec::with_capacity(boxes.size_hint().0) };
        for (index, b) in boxes.enumerate() {
            if !b.min.is_finite() || !b.max.is_finite() {
                return Err(BoxError::NotFinite { index });
            }
            if !b.min.cmple(b.max).all() {
                return Err(BoxError::InsideOut { index });
            }
            if index >= u32::MAX as usize {
                return Err(BoxError::TooMany);
            }
            all.ends.push(Ends::of(frame, &b));
        }
        Ok(all)
    }

    /// How many boxes.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The frame they are in.
    pub fn frame(&self) -> Frame {
        self.frame
    }

    /// Whether box `a` of these meets box `b` of `others`, as a search finds it: errs to `true` by less than the frame's
    /// resolution. Both in one frame; `false` for ids that do not exist.
    pub fn meet(&self, a: usize, others: &Boxes, b: usize) -> bool {
        matches!((self.ends.get(a), others.ends.get(b)), (Some(a), Some(b)) if a.meets(b))
    }
}
