//! Why a body cannot be dragged.

use thiserror::Error;

/// Why a body cannot be dragged.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum DragError {
    /// It is inside something where it starts.
    #[error("the dragged body overlaps `{obstacle}` where it starts")]
    StartsInside {
        /// The name of what it overlaps.
        obstacle: String,
    },
    /// It starts so near something that nothing is proven.
    #[error("whether the dragged body overlaps `{obstacle}` where it starts cannot be told: {problem}")]
    StartUnclear {
        /// The name of what it is near.
        obstacle: String,
        /// What is in the way of an answer.
        problem: &'static str,
    },
    /// It has no faces and no leaves, or none of finite size.
    #[error("the dragged body has no finite size")]
    NoSize,
    /// A skin, stiffness or limit that is not positive and finite.
    #[error("{what} is {value}; it must be finite and above 0")]
    NotPositive {
        /// Which one.
        what: &'static str,
        /// What was given.
        value: f64,
    },
    /// A skin too thin for doubles at that place.
    #[error("a skin of {skin} is too thin: places there are only known to {rounding}")]
    SkinTooThin {
        /// What was given or chosen.
        skin: f64,
        /// How far places may be off.
        rounding: f64,
    },
    /// A skin thinner than the deviation of triangles from the faces that they stand for.
    #[error(
        "a skin of {skin} is too thin beside the deviation {deviation} of triangles from curved faces: give {least} or more"
    )]
    SkinBelowDeviation {
        /// What was given.
        skin: f64,
        /// That of both bodies together.
        deviation: f64,
        /// What would do.
        least: f64,
    },
}
