//! Two shapes that are no unions: which part of the room answers.

use crate::{Answer, Asker, Shape};
use kontakt_answers::Contact;
use kontakt_math::{Between, Chain};

/// How much of an answer is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    /// Only the verdict.
    Verdict,
    /// Distance and nearest points of separate bodies.
    Distance,
    /// Distance or depth, with points.
    Contact,
}

impl Asker {
    /// The answer about two shapes, each placed by poses one after another.
    pub(crate) fn pair(
        &mut self,
        [a, b]: [&Shape; 2],
        [chain_a, chain_b]: [&Chain; 2],
        want: Want,
    ) -> Answer {
        let between = Between::of_chains(chain_a, chain_b);
        self.convex(a, b, &between, want)
    }

    /// The answer about two convex shapes.
    pub(crate) fn convex(&mut self, _a: &Shape, _b: &Shape, _between: &Between, _want: Want) -> Answer {
        Answer::undecided()
    }

    /// The contacts that describe how two shapes meet.
    pub(crate) fn contacts(
        &mut self,
        [_a, _b]: [&Shape; 2],
        [_chain_a, _chain_b]: [&Chain; 2],
        answer: &Answer,
        _gap: f64,
    ) -> Vec<Contact> {
        vec![(*answer).into()]
    }
}
