//! Two convex shapes: which part of the room answers.

use crate::gjk::Cut;
use crate::method::opinion_in_world;
use crate::{Answer, Asker, Core, Shape, Verdict, Want, Warm, depth, gjk, manifold, smooth};
use kontakt_answers::{Contact, Range};
use kontakt_math::{Between, Chain};

/// What the last question was about, and what it leaves for the next one about the same two shapes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Memory {
    /// Addresses of the shapes. An address that was given to another shape since only makes a bad hint.
    about: [usize; 2],
    warm: Warm,
}

impl Memory {
    /// The hint for a question about these shapes; cold when the last one was about others.
    fn of(&mut self, a: &Shape, b: &Shape) -> &mut Warm {
        let about = [std::ptr::from_ref(a).addr(), std::ptr::from_ref(b).addr()];
        if self.about != about {
            *self = Memory { about, warm: Warm::default() };
        }
        &mut self.warm
    }
}

/// Whether the core is the hull of points.
pub(crate) fn is_polytopal(core: &Core) -> bool {
    matches!(core, Core::Point | Core::Segment(_) | Core::Triangle(_) | Core::Box(_) | Core::Hull(_))
}

impl Asker {
    /// The answer about two leaves of unions, each placed by poses one after another; without memory.
    pub(crate) fn pair(
        &mut self,
        [a, b]: [&Shape; 2],
        [chain_a, chain_b]: [&Chain; 2],
        want: Want,
    ) -> Answer {
        self.memory = Memory::default();
        self.convex(a, b, &Between::of_chains(chain_a, chain_b), want)
    }

    /// The contacts that describe how two shapes meet, given the answer about them.
    pub(crate) fn contacts(
        [a, b]: [&Shape; 2],
        [chain_a, chain_b]: [&Chain; 2],
        answer: &Answer,
        gap: f64,
    ) -> Vec<Contact> {
        manifold::contacts(a, b, &Between::of_chains(chain_a, chain_b), answer, gap)
    }

    /// The answer about two convex shapes. A method for study is heard, and its verdict compared with the certified one.
    pub(crate) fn convex(&mut self, a: &Shape, b: &Shape, between: &Between, want: Want) -> Answer {
        let answer = self.certified(a, b, between, want);
        if self.method().is_certified() {
            return answer;
        }
        let Some(opinion) = self.method().opinion(a, b, between) else { return answer };
        self.tally.count(opinion.ending);
        let says_apart = opinion.verdict == Verdict::Separate;
        self.contradictions += u64::from(says_apart != (answer.verdict == Verdict::Separate));
        if want == Want::Contact && answer.verdict == Verdict::Overlapping && !says_apart {
            return opinion_in_world(&opinion, between);
        }
        answer
    }

    fn certified(&mut self, a: &Shape, b: &Shape, between: &Between, want: Want) -> Answer {
        let warm = self.memory.of(a, b);
        if is_polytopal(a.core()) && is_polytopal(b.core()) {
            return polytopal(a, b, between, warm, want);
        }
        smooth::answer(a, b, between, &mut warm.direction, want)
    }
}

/// GJK decides; where the cores meet and the depth is wanted, that is asked for next.
fn polytopal(a: &Shape, b: &Shape, between: &Between, warm: &mut Warm, want: Want) -> Answer {
    match gjk::separation(a, b, between, warm) {
        Cut::Apart(answer) => answer,
        Cut::CoresMeet { verdict, .. } if want != Want::Contact => met(verdict),
        Cut::CoresMeet { verdict, .. } => {
            let answer = depth::penetration(a, b, between, warm).unwrap_or_else(|| met(verdict));
            debug_assert_eq!(answer.verdict, verdict, "GJK and depth decide alike");
            answer
        }
        Cut::NotPolytopal => Answer::undecided(),
    }
}

/// Bodies known to meet, and nothing else.
fn met(verdict: Verdict) -> Answer {
    let below = |hi: f64| Range::new(f64::NEG_INFINITY, hi).unwrap_or(Range::ZERO);
    let separation = match verdict {
        Verdict::Touching => Range::ZERO,
        _ => below(-f64::from_bits(1)),
    };
    Answer { verdict, separation, ..Answer::undecided() }
}
