//! A whole motion, leg by leg: one rule for how it starts and one way to put legs together, whatever the bodies are made of.

// The rule. Bodies that are proven apart where the motion begins (a plane between all of them, so that none is inside the other)
// start separate. Of all others the *query at rest* tells how the whole bodies lie, every part of them:
// - overlapping, one inside the other included: contact at 0;
// - touching: the first leg may leave the touch, which is then no contact;
// - not to be told: undecided from 0 on.

use crate::budget::Budget;
use crate::course::Course;
use crate::leg::Leg;
use crate::moving::{MotionOptions, MovingMesh};
use kontakt_answers::{Contact, Impact, Initial, Range};
use kontakt_math::{DVec3, Motion};
use std::borrow::Cow;

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
pub(crate) fn impact(bodies: &mut impl Bodies, motions: [&Motion; 2], options: &MotionOptions) -> Impact {
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

/// The times between which both motions are smooth: knots of paths.
pub(crate) fn times(motions: [&Motion; 2]) -> Vec<f64> {
    let mut times = vec![0.0, 1.0];
    for motion in motions {
        if let Motion::Path(path) = motion {
            times.extend(path.knots());
        }
    }
    times.sort_by(f64::total_cmp);
    times.dedup();
    times
}

/// Both motions between two such times.
pub(crate) fn leg<'a>(a: MovingMesh<'a>, b: MovingMesh<'a>, span: [f64; 2]) -> Leg<'a> {
    leg_of([a.motion, b.motion], span, [a.mesh.tree().origin(), b.mesh.tree().origin()])
}

/// The same for any bodies; `origins` lie on or near them, in their frames.
pub(crate) fn leg_of<'a>(motions: [&'a Motion; 2], span: [f64; 2], origins: [DVec3; 2]) -> Leg<'a> {
    let course = |motion: &'a Motion| match motion {
        Motion::Path(path) => {
            let piece = path.knots().partition_point(|&knot| knot <= span[0]).saturating_sub(1);
            match (path.segment(piece), path.knots().get(piece..=piece + 1)) {
                (Some(segment), Some(&[from, to])) => Course::new(Cow::Owned(segment), from, to),
                _ => Course::new(Cow::Owned(Motion::Rest(motion.pose_at(span[0]))), 0.0, 1.0),
            }
        }
        _ => Course::new(Cow::Borrowed(motion), 0.0, 1.0),
    };
    Leg::new(course(motions[0]), course(motions[1]), span, origins)
}
