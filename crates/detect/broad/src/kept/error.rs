//! What a kept set refuses.

use super::id::BoxId;
use thiserror::Error;

/// Why a kept set refuses a call. It is then as if the call had not been made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum KeptError {
    /// No box has this name: it was never given out, or the box is removed.
    #[error("there is no box {}", .0.0)]
    Unknown(BoxId),
    /// A coordinate is NaN.
    #[error("a coordinate of the box is NaN")]
    NotANumber,
    /// A lower end lies above its upper end.
    #[error("the box is inside out")]
    InsideOut,
    /// Names have 30 bits.
    #[error("more boxes than there are names")]
    TooMany,
    /// A ray without a direction, or from nowhere.
    #[error("the ray starts or points nowhere: {0}")]
    NoRay(&'static str),
}

/// More pairs than a set may keep. They can still be counted and visited one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("more than {limit} pairs of boxes are near each other")]
pub struct TooManyPairs {
    /// How many it may keep.
    pub limit: usize,
}
