//! What a query answers.

use kontakt_answers::{Feature, Range};
use kontakt_math::DVec3;

/// Whether the bodies ever meet. Exact: neither a contact is missed nor one invented, for the doubles given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// No common point at any time in [0, 1].
    Free,
    /// A common point at some time, first in `FirstContact::time`.
    Contact(FirstContact),
}

/// The first contact. Time is certified; places and normal are rounded values at the middle of the bounds of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FirstContact {
    /// Contains the exact first time of contact. **Never late**: there is no contact before its lower end.
    pub time: Range,
    /// Shares of the four points: vertex–face 1 and the face's barycentric coordinates; edge–edge those of each edge.
    /// Every side's sum to 1. Points off the touching feature have exactly 0.
    pub shares: [f64; 4],
    /// Unit normal from A (vertex, first edge) to B (face, second edge); zero where nothing defines one.
    pub normal: DVec3,
    /// What touches on A, by point indices of the query. Exact.
    pub feature_a: Feature,
    /// What touches on B, by point indices of the query; a face has index 0.
    pub feature_b: Feature,
}

/// Which stage of the cascade decided a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// One direction separates the bodies at all times, or the points are never coplanar.
    Filter,
    /// Subdivision of time in doubles with error bounds.
    Subdivision,
    /// Exact signs at algebraic times.
    Exact,
}

/// A verdict and how it was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// The exact verdict.
    pub verdict: Verdict,
    /// Who decided.
    pub stage: Stage,
}

impl Verdict {
    /// True when the bodies meet.
    pub fn is_contact(&self) -> bool {
        matches!(self, Verdict::Contact(_))
    }

    /// The first contact, if there is one.
    pub fn contact(&self) -> Option<&FirstContact> {
        match self {
            Verdict::Free => None,
            Verdict::Contact(contact) => Some(contact),
        }
    }
}
