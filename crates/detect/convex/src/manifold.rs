//! Where two bodies meet: as many points as describe a contact of faces or edges.
//!
//! Along the certified normal each body shows a facet: the corners of one of its faces (or an edge, or a corner) that reach as
//! far as the other body does. The two facets are projected along the normal; the corners of their common part are the
//! contacts, named by what meets there, so that they can be followed from step to step.

mod clip;
mod facet;
mod lift;
mod meeting;

pub(crate) use meeting::{Scratch, contacts};

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

impl Default for Manifold {
    /// Of nothing: room for contacts to come.
    fn default() -> Manifold {
        Manifold { answer: Answer::undecided(), contacts: Vec::new(), parts: Vec::new() }
    }
}

impl Manifold {
    /// No more than `count` of the contacts: the deepest, then again and again the one farthest from those taken. For solvers that
    /// want four; the choice is steady while the contacts are.
    #[must_use]
    pub fn at_most(self, count: usize) -> Manifold {
        if self.contacts.len() <= count {
            return self;
        }
        let place = |k: usize| self.contacts[k].point_a;
        let mut taken: Vec<usize> = Vec::with_capacity(count);
        // For each contact the distance to the nearest one taken; of the first one the depth counts.
        let mut merit: Vec<f64> = self.contacts.iter().map(|contact| contact.depth.hi()).collect();
        for _ in 0..count {
            let left = (0..merit.len()).filter(|k| !taken.contains(k));
            let Some(next) = left.max_by(|&p, &q| merit[p].total_cmp(&merit[q]).then(q.cmp(&p))) else {
                break;
            };
            for (k, merit) in merit.iter_mut().enumerate() {
                let apart = place(k).distance(place(next));
                *merit = if taken.is_empty() { apart } else { merit.min(apart) };
            }
            taken.push(next);
        }
        Manifold {
            contacts: taken.iter().map(|&k| self.contacts[k]).collect(),
            parts: taken.iter().map(|&k| self.parts[k]).collect(),
            ..self
        }
    }

    /// The same seen with the bodies in the other order.
    #[must_use]
    pub fn swapped(mut self) -> Manifold {
        self.answer = self.answer.swapped();
        for contact in &mut self.contacts {
            *contact = contact.swapped();
        }
        for parts in &mut self.parts {
            parts.swap(0, 1);
        }
        self
    }
}
