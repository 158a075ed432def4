//! A whole motion, leg by leg: one rule for how it starts and one way to put legs together, whatever the bodies are made of.

// The rule. Bodies that are proven apart where the motion begins (a plane between all of them, so that none is inside the other)
// start separate. Of all others the *query at rest* tells how the whole bodies lie, every part of them:
// - overlapping, one inside the other included: contact at 0;
// - touching: the first leg may leave the touch, which is then no contact;
// - not to be told: undecided from 0 on.

use crate::asker::{Options, times};
use crate::budget::Budget;
use kontakt_answers::{Contact, Impact, Initial, Range};
use kontakt_math::Motion;

/// What a leg brought.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reached {
    /// Proven free to its end.
    End,
    /// Proven free before `lo`, proven to meet by `hi`.
    Contact { lo: f64, hi: f64, contact: Option<Contact> },
    /// Proven free before this time; what comes then is not known.
    Open(f64),
}

/// Two bodies of a kind, and what is known of the leg they are on.
pub(crate) trait Bodies {
    /// Enters a leg. Whether they are **proven apart** where it begins, none inside the other.
    fn enter(&mut self, span: [f64; 2], budget: &mut Budget) -> bool;

    /// How they lie at the very beginning, as the query at rest tells of all their parts; `None` where it cannot.
    fn start(&mut self) -> Option<Initial>;

    /// The first contact on the leg entered; `touching` where they touch at its beginning.
    fn first_contact(&mut self, touching: bool, budget: &mut Budget) -> Reached;
}

/// When two bodies first meet.
pub(crate) fn impact(bodies: &mut impl Bodies, motions: [&Motion; 2], options: &Options) -> Impact {
    let mut budget = Budget::new(options.most_work, options.deadline);
    let mut initial = Initial::Separate;
    let times = times(motions);
    for (leg, span) in times.windows(2).enumerate() {
        let apart = bodies.enter([span[0], span[1]], &mut budget);
        if leg == 0 && !apart {
            match bodies.start() {
                None => return Impact::Undecided { initial: None, free_until: 0.0 },
                Some(Initial::Overlapping) => {
                    let initial = Initial::Overlapping;
                    return Impact::Contact { initial, time: Range::ZERO, contact: None };
                }
                Some(state) => initial = state,
            }
        }
        let touching = leg == 0 && initial == Initial::Touching;
        match bodies.first_contact(touching, &mut budget) {
            Reached::End => {}
            Reached::Contact { lo, hi, contact } => {
                let time = Range::new(lo, hi).unwrap_or(Range::ZERO);
                return Impact::Contact { initial, time, contact };
            }
            Reached::Open(free_until) => return Impact::Undecided { initial: Some(initial), free_until },
        }
    }
    Impact::Free { initial }
}
