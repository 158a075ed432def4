//! One pair asked about a step, bit by bit, with a sound verdict at any moment.

use super::cache::PairState;
use super::report::{Mode, PairVerdict, StepOptions};
use kontakt_answers::{Initial, Range};
use kontakt_math::round::add_up;
use kontakt_pair::{DistanceSearch, ImpactSearch, Moving, Placed, Query};
use kontakt_rigid_ccd::MotionOptions;
use kontakt_schedule::{Task, Work};

/// Longest wait until a distance is measured again.
const MOST_PATIENCE: u8 = 16;
/// After every so many units of work of a search its bounds are looked at, neither sooner nor later: so that what is known does not depend on
/// how units are portioned out.
const PORTION: u64 = 16;

/// How an answer came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    /// By the distance known before.
    KeptGap,
    /// By the distance measured now.
    Measured,
    /// By following the motions.
    Followed,
}

/// A pair on its way through a step.
pub(super) struct Pursuit<'a> {
    bodies: [Moving<'a>; 2],
    mode: Mode,
    motion: MotionOptions,
    /// **Never less** than how much closer the bodies can come.
    travel: f64,
    /// What is known of the pair where the step *begins*.
    pub(super) state: PairState,
    pub(super) verdict: PairVerdict,
    pub(super) by: By,
    /// How much it matters beside others.
    pub(super) weight: f64,
    stage: Stage,
    /// Units that the stage has had.
    units: u64,
}

#[derive(Debug)]
enum Stage {
    /// How far apart they are where the step begins: bodies apart by more than both can travel do not meet.
    Measure(Box<DistanceSearch>),
    /// Whether they are apart where the step ends.
    AtEnd(Box<DistanceSearch>),
    /// When they first meet.
    Follow(Box<ImpactSearch>),
    Done,
}

impl<'a> Pursuit<'a> {
    /// Two bodies, of which points travel no farther than `travels`.
    pub(super) fn new(
        [a, b]: [Moving<'a>; 2],
        travels: [f64; 2],
        mut state: PairState,
        options: &StepOptions,
    ) -> Pursuit<'a> {
        let travel = add_up(travels[0], travels[1]);
        let placed = |moving: Moving<'a>, t: f64| Placed::new(moving.body, moving.motion.pose_at(t));
        let search = |t: f64| Box::new(DistanceSearch::new(placed(a, t), placed(b, t)));
        let kept = options.mode == Mode::Continuous && state.gap > travel;
        let mut pursuit = Pursuit {
            bodies: [a, b],
            mode: options.mode,
            motion: options.motion,
            travel,
            state,
            verdict: PairVerdict::Undecided { free_until: 0.0, at_end: None },
            by: By::KeptGap,
            weight: 1.0,
            stage: Stage::Done,
            units: 0,
        };
        if kept {
            pursuit.verdict = PairVerdict::Free { initial: Initial::Separate };
        } else if options.mode != Mode::Continuous {
            pursuit.state = PairState::default();
            pursuit.by = By::Followed;
            pursuit.stage = Stage::AtEnd(search(1.0));
        } else if state.wait == 0 && travel.is_finite() {
            pursuit.stage = Stage::Measure(search(0.0));
        } else {
            state.wait = state.wait.saturating_sub(1);
            pursuit.state = state;
            pursuit.follow();
        }
        pursuit
    }

    pub(super) fn is_done(&self) -> bool {
        matches!(self.stage, Stage::Done)
    }

    /// To the end.
    pub(super) fn finish(&mut self, query: &mut Query) {
        while !self.is_done() {
            self.work(query, PORTION);
        }
    }

    fn follow(&mut self) {
        (self.by, self.units) = (By::Followed, 0);
        self.stage = Stage::Follow(Box::new(ImpactSearch::new(self.bodies[0], self.bodies[1], &self.motion)));
    }

    /// What a distance at the beginning tells so far.
    fn measured(&mut self, range: Range, done: bool) {
        self.state.gap = self.state.gap.max(range.lo());
        if range.lo() > self.travel && done {
            self.state.patience = 0;
            self.verdict = PairVerdict::Free { initial: Initial::Separate };
            (self.by, self.stage) = (By::Measured, Stage::Done);
        } else if done || range.hi() <= self.travel {
            self.state.patience = (2 * self.state.patience).clamp(1, MOST_PATIENCE);
            self.state.wait = self.state.patience;
            self.follow();
        } else if range.lo() > self.travel {
            // Free already; the rest of the work finds out for how many steps to come.
            self.verdict = PairVerdict::Free { initial: Initial::Separate };
        }
    }

    /// What a distance at the end tells so far.
    fn at_end(&mut self, range: Range, done: bool) {
        let meets = range.hi() <= 0.0;
        if range.lo() > 0.0 {
            (self.verdict, self.stage) = (PairVerdict::ClearAtEnd, Stage::Done);
        } else if (meets || done) && self.mode == Mode::Mixed {
            self.follow();
        } else if meets {
            let time = Range::new(0.0, 1.0).unwrap_or(Range::ZERO);
            self.verdict = PairVerdict::Contact { initial: None, time, contact: None };
            self.stage = Stage::Done;
        } else {
            self.verdict = PairVerdict::Undecided { free_until: 0.0, at_end: Some(range) };
            if done {
                self.stage = Stage::Done;
            }
        }
    }
}

impl Task<Query> for Pursuit<'_> {
    fn work(&mut self, query: &mut Query, units: u64) -> Work {
        let mut left = units;
        while left > 0 && !self.is_done() {
            let portion = left.min(PORTION - self.units % PORTION);
            self.units += portion;
            let whole = self.units % PORTION == 0;
            let work = match &mut self.stage {
                Stage::Measure(search) => {
                    let work = search.work(query, portion);
                    let range = search.proximity().range;
                    if whole || work.done {
                        self.measured(range, work.done);
                    }
                    work
                }
                Stage::AtEnd(search) => {
                    let work = search.work(query, portion);
                    let range = search.proximity().range;
                    if whole || work.done {
                        self.at_end(range, work.done);
                    }
                    work
                }
                Stage::Follow(search) => {
                    let work = search.work(query, portion);
                    self.verdict = search.impact().into();
                    if work.done {
                        self.stage = Stage::Done;
                    }
                    work
                }
                Stage::Done => Work::NONE,
            };
            left -= work.units.clamp(1, left);
        }
        Work { units: units - left, done: self.is_done() }
    }

    fn weight(&self) -> f64 {
        self.weight
    }

    /// What is proven free for the least time is the most urgent.
    fn urgency(&self) -> f64 {
        -self.verdict.free_until()
    }
}
