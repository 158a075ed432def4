//! Names of groups and bodies in a world, and what a world refuses.

use kontakt_math::MotionError;
use thiserror::Error;

/// A group or a body of a [`World`](crate::World). Of one that is removed it stays unknown for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId {
    pub(super) slot: u32,
    pub(super) generation: u32,
}

impl NodeId {
    pub(super) fn index(self) -> usize {
        self.slot as usize
    }
}

/// Why a world refuses a call. It is then as if the call had not been made.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum WorldError {
    /// It was never there, or is removed.
    #[error("there is no such group or body; it may have been removed")]
    Unknown,
    /// Names are what reports and rules go by.
    #[error("there is already a group or body named `{name}`")]
    NameTaken {
        /// Which one.
        name: String,
    },
    /// Only groups have members.
    #[error("`{name}` is a body; only groups have members")]
    NotAGroup {
        /// Which one.
        name: String,
    },
    /// A group would hang below itself.
    #[error("`{name}` cannot become a member of `{parent}`, which hangs below it")]
    Cycle {
        /// What was to be moved.
        name: String,
        /// Below what.
        parent: String,
    },
    /// Placed one after the other, poses leave the doubles.
    #[error("`{name}` would be placed beyond the range of doubles")]
    OutOfRange {
        /// What.
        name: String,
    },
    /// A motion that starts elsewhere would be a jump.
    #[error("the motion of `{name}` does not start where it is")]
    StartsElsewhere {
        /// What was to move.
        name: String,
    },
    /// A body cannot follow two motions.
    #[error("`{name}` is moved already by `{other}`, above or below it; a body follows one motion in a step")]
    MovedTwice {
        /// What was to move.
        name: String,
        /// What moves already.
        other: String,
    },
    /// A law of motion known only to the caller has no poses to stop at.
    #[error("`{name}` cannot follow a motion given as a law; record it as a path of poses")]
    Law {
        /// What was to move.
        name: String,
    },
    /// Its poses make no path.
    #[error("the motion of `{name}`: {problem}")]
    Motion {
        /// What was to move.
        name: String,
        /// Why.
        problem: MotionError,
    },
    /// Boxes have 30 bits for their names.
    #[error("more bodies than there are names for")]
    TooMany,
}
