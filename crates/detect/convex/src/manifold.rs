//! Where two bodies meet: as many points as describe a contact of faces or edges.
//!
//! Along the certified normal each body shows a facet: the corners of one of its faces (or an edge, or a corner) that reach as
//! far as the other body does. The two facets are projected along the normal; the corners of their common part are the
//! contacts, named by what meets there, so that they can be followed from step to step.

mod clip;
mod facet;
mod lift;
mod meeting;

pub(crate) use meeting::contacts;

use crate::Answer;
use kontakt_answers::Contact;

/// The contact of two bodies, in world coordinates.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifold {
    /// Verdict, signed separation, normal and the deepest (or nearest) pair of points.
    pub answer: Answer,
    /// The points where the bodies are closer than the gap asked for: corners of the common part of two faces, ends of the
    /// common part of two edges, else the one pair of `answer`. Empty when the bodies are farther apart than the gap.
    ///
    /// Each depth bounds the exact distance, along the normal, of the two surfaces at the place of the contact.
    pub contacts: Vec<Contact>,
    /// For each contact the parts that meet, counted over all leaves of a union; 0 for a body that is no union.
    pub parts: Vec<[u32; 2]>,
}

impl Manifold {
    /// The same seen with the bodies in the other order.
    #[must_use]
    pub fn swapped(self) -> Manifold {
        Manifold {
            answer: self.answer.swapped(),
            contacts: self.contacts.into_iter().map(Contact::swapped).collect(),
            parts: self.parts.into_iter().map(|[a, b]| [b, a]).collect(),
        }
    }
}
