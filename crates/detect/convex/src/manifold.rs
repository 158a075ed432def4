//! Where two bodies meet: as many points as describe a contact of faces or edges.

use crate::Answer;
use kontakt_answers::Contact;

/// The contact of two bodies, in world coordinates.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifold {
    /// Verdict, signed separation, normal and the deepest (or nearest) pair of points.
    pub answer: Answer,
    /// The points where the bodies are closer than the gap asked for: corners of the common part of two faces, ends of the
    /// common part of two edges, else the one pair of `answer`. Empty when the bodies are farther apart than the gap.
    pub contacts: Vec<Contact>,
    /// For each contact the parts that meet, counted over all leaves of a union; 0 for a body that is no union.
    pub parts: Vec<[u32; 2]>,
}
