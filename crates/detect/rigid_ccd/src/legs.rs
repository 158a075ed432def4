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
use kontakt_schedule::Ledger;
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
    /// Proven free before this time; to be continued.
    Paused(f64),
}

/// How bodies lie at the beginning.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Start {
    /// As the query at rest tells of all their parts.
    Known(Initial),
    /// It cannot tell.
    Unknown,
    /// To be continued.
    Paused,
}

/// What is known when a leg is entered.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Entered {
    /// They are **proven apart** where it begins, none inside the other, and free before this time.
    Apart(f64),
    /// The same, and all that there is to know of the leg is known.
    Settled,
    /// They may touch, or one may be inside the other.
    Unknown,
    /// To be continued; **proven apart** up to this time, if to any.
    Paused(Option<f64>),
}

/// What is known of the beginning of a leg.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Before {
    /// They touch there.
    pub(crate) touching: bool,
    /// They are proven free before this time.
    pub(crate) free_until: f64,
}

/// Two bodies of a kind, and what is known of the leg they are on. All work is entered in a ledger; those that cannot be left and taken
/// up again do not look whether it is spent.
pub(crate) trait Bodies {
    /// Enters a leg.
    fn enter(&mut self, span: [f64; 2], budget: &mut Budget, ledger: &mut Ledger) -> Entered;

    /// How they lie at the very beginning.
    fn start(&mut self, budget: &Budget, ledger: &mut Ledger) -> Start;

    /// The first contact on the leg entered, where `before` tells what is known of its beginning.
    fn first_contact(&mut self, before: Before, budget: &mut Budget, ledger: &mut Ledger) -> Reached;
}

/// When two bodies first meet.
pub(crate) fn impact(bodies: &mut impl Bodies, motions: [&Motion; 2], options: &MotionOptions) -> Impact {
    let mut passage = Passage::new(motions, options);
    passage.go_on(bodies, &mut Ledger::unlimited());
    passage.impact()
}

/// How far two bodies have been followed on their way.
#[derive(Clone, Debug)]
pub(crate) struct Passage {
    /// The legs are between these times.
    times: Vec<f64>,
    leg: usize,
    stage: Stage,
    /// The leg is being entered.
    entering: bool,
    /// How they start, once that is known.
    initial: Option<Initial>,
    budget: Budget,
    /// Proven.
    free_until: f64,
    answer: Option<Impact>,
}

/// What is to be done next.
#[derive(Clone, Copy, Debug)]
enum Stage {
    Enter,
    Start,
    FirstContact,
}

impl Passage {
    pub(crate) fn new(motions: [&Motion; 2], options: &MotionOptions) -> Passage {
        Passage::in_memory(motions, options, Vec::new())
    }

    /// The same in the memory of another's times.
    pub(crate) fn in_memory(motions: [&Motion; 2], options: &MotionOptions, mut times: Vec<f64>) -> Passage {
        put_times(motions, &mut times);
        Passage {
            times,
            leg: 0,
            stage: Stage::Enter,
            entering: false,
            initial: None,
            budget: Budget::new(options.most_work, options.deadline),
            free_until: 0.0,
            answer: None,
        }
    }

    /// The memory of its times; it is of no use afterwards.
    pub(crate) fn take_times(&mut self) -> Vec<f64> {
        std::mem::take(&mut self.times)
    }

    /// Begins where bodies are still known to be apart, as they are at all times before, none inside the other.
    pub(crate) fn skip_to(&mut self, t: f64) {
        if (0.0..1.0).contains(&t) {
            self.leg = self.times.partition_point(|&knot| knot <= t).saturating_sub(1);
            (self.initial, self.free_until) = (Some(Initial::Separate), t);
        }
    }

    pub(crate) fn is_done(&self) -> bool {
        self.answer.is_some()
    }

    /// What is known, in the end the answer.
    pub(crate) fn impact(&self) -> Impact {
        let so_far = Impact::Undecided { initial: self.initial, free_until: self.free_until };
        self.answer.unwrap_or(so_far)
    }

    /// Goes on, with the bodies of the beginning, as long as there is something in the ledger.
    pub(crate) fn go_on(&mut self, bodies: &mut impl Bodies, ledger: &mut Ledger) {
        while self.answer.is_none() && !ledger.is_spent() {
            match self.stage {
                Stage::Enter => self.enter(bodies, ledger),
                Stage::Start => self.start(bodies, ledger),
                Stage::FirstContact => self.first_contact(bodies, ledger),
            }
        }
    }

    fn enter(&mut self, bodies: &mut impl Bodies, ledger: &mut Ledger) {
        let (from, to) = (self.times[self.leg], self.times[self.leg + 1]);
        ledger.spend(u64::from(!self.entering));
        let entered = bodies.enter([from, to], &mut self.budget, ledger);
        if self.leg == 0 && !matches!(entered, Entered::Unknown | Entered::Paused(None)) {
            self.initial = Some(Initial::Separate);
        }
        if let Entered::Apart(until) | Entered::Paused(Some(until)) = entered {
            self.free_until = self.free_until.max(until);
        }
        self.entering = matches!(entered, Entered::Paused(_));
        if self.entering {
            return;
        }
        self.stage = if self.initial.is_none() { Stage::Start } else { Stage::FirstContact };
        // What is known is told at once: nothing more is to be paid for it.
        if matches!(entered, Entered::Settled) {
            self.first_contact(bodies, ledger);
        }
    }

    fn start(&mut self, bodies: &mut impl Bodies, ledger: &mut Ledger) {
        match bodies.start(&self.budget, ledger) {
            Start::Paused => {}
            Start::Unknown => self.answer = Some(Impact::Undecided { initial: None, free_until: 0.0 }),
            Start::Known(Initial::Overlapping) => {
                let initial = Initial::Overlapping;
                self.answer = Some(Impact::Contact { initial, time: Range::ZERO, contact: None });
            }
            Start::Known(state) => (self.initial, self.stage) = (Some(state), Stage::FirstContact),
        }
    }

    fn first_contact(&mut self, bodies: &mut impl Bodies, ledger: &mut Ledger) {
        let initial = self.initial.unwrap_or(Initial::Separate);
        let touching = self.leg == 0 && initial == Initial::Touching;
        let before = Before { touching, free_until: self.free_until };
        match bodies.first_contact(before, &mut self.budget, ledger) {
            Reached::End => {
                self.leg += 1;
                self.free_until = self.free_until.max(self.times[self.leg]);
                self.stage = Stage::Enter;
                if self.leg + 1 >= self.times.len() {
                    self.answer = Some(Impact::Free { initial });
                }
            }
            Reached::Contact { lo, hi, contact } => {
                let time = Range::new(lo, hi).unwrap_or(Range::ZERO);
                self.answer = Some(Impact::Contact { initial, time, contact });
            }
            Reached::Open(free_until) => {
                self.answer = Some(Impact::Undecided { initial: Some(initial), free_until });
            }
            Reached::Paused(free_until) => self.free_until = self.free_until.max(free_until),
        }
    }
}

/// The times between which both motions are smooth: knots of paths.
fn put_times(motions: [&Motion; 2], times: &mut Vec<f64>) {
    times.clear();
    times.extend([0.0, 1.0]);
    for motion in motions {
        times.extend(motion.knots());
    }
    times.sort_unstable_by(f64::total_cmp);
    times.dedup();
}

/// Both motions between two such times.
pub(crate) fn leg<'a>(a: MovingMesh<'a>, b: MovingMesh<'a>, span: [f64; 2]) -> Leg<'a> {
    leg_of([a.motion, b.motion], span, [a.mesh.tree().origin(), b.mesh.tree().origin()])
}

/// The same for any bodies; `origins` lie on or near them, in their frames.
pub(crate) fn leg_of<'a>(motions: [&'a Motion; 2], span: [f64; 2], origins: [DVec3; 2]) -> Leg<'a> {
    let course = |motion: &'a Motion| {
        let knots = motion.knots();
        let piece = knots.partition_point(|&knot| knot <= span[0]).saturating_sub(1);
        match (motion.segment(piece), knots.get(piece..=piece + 1)) {
            (Some(segment), Some(&[from, to])) => Course::new(Cow::Owned(segment), from, to),
            // Poses recorded at one time only.
            _ if matches!(motion, Motion::Path(_)) => {
                Course::new(Cow::Owned(Motion::Rest(motion.pose_at(span[0]))), 0.0, 1.0)
            }
            _ => Course::new(Cow::Borrowed(motion), 0.0, 1.0),
        }
    };
    Leg::new(course(motions[0]), course(motions[1]), span, origins)
}
