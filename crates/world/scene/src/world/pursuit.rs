//! One pair asked about a step, bit by bit, with a sound verdict at any moment.

use super::cache::PairState;
use super::report::{Mode, PairVerdict, StepOptions};
use kontakt_answers::{Initial, Range};
use kontakt_math::round::{add_down, add_up};
use kontakt_math::{DVec3, Motion};
use kontakt_pair::{DistanceSearch, ImpactSearch, Moving, Placed, Query};
use kontakt_rigid_ccd::MotionOptions;
use kontakt_schedule::{Task, Work};

/// Longest wait until a distance is measured again.
const MOST_PATIENCE: u8 = 16;
/// Most distances measured in a step.
const MOST_SAMPLES: usize = 6;
/// Bodies nearer than this part of what they travel are not told by distances.
const HOPELESS: f64 = 0.06;
/// A distance is known well enough when its lower bound is this part of its upper one.
const CLOSE: f64 = 0.75;
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

/// A body on its motion, and a ball around it in its own frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Runner<'a> {
    pub(super) moving: Moving<'a>,
    pub(super) ball: (DVec3, f64),
    /// **Never less** than how far its points travel in the whole step.
    pub(super) travel: f64,
}

impl<'a> Runner<'a> {
    fn travel_between(&self, from: f64, to: f64) -> f64 {
        match self.moving.motion {
            Motion::Rest(_) => 0.0,
            motion => motion.displacement_bound(self.ball.0, self.ball.1, from, to),
        }
    }

    /// **Never less** than how far the pose at a time, being rounded, puts its points off.
    fn rounding_at(&self, t: f64) -> f64 {
        self.moving.motion.rounding_at(t, self.ball.0, self.ball.1)
    }

    fn placed(&self, t: f64) -> Placed<'a> {
        Placed::new(self.moving.body, self.moving.motion.pose_at(t))
    }
}

/// A pair on its way through a step.
pub(super) struct Pursuit<'a> {
    runners: [Runner<'a>; 2],
    mode: Mode,
    motion: MotionOptions,
    /// **Never less** than how much closer the bodies can come.
    travel: f64,
    /// What is known of the pair where the step *begins*.
    pub(super) state: PairState,
    /// **Never more** than the distance where the step *ends*, if that was measured.
    pub(super) gap_at_end: Option<f64>,
    pub(super) verdict: PairVerdict,
    pub(super) by: By,
    /// How much it matters beside others.
    pub(super) weight: f64,
    /// Distances at times, each never too large, by time.
    samples: Vec<Sample>,
    stage: Stage,
    /// Units that the stage has had.
    units: u64,
}

#[derive(Clone, Copy, Debug)]
struct Sample {
    t: f64,
    gap: f64,
}

#[derive(Debug)]
enum Stage {
    /// How far apart they are at a time: bodies apart by more than both can travel do not meet.
    Measure(f64, Box<DistanceSearch>),
    /// Whether they are apart where the step ends.
    AtEnd(Box<DistanceSearch>),
    /// When they first meet.
    Follow(Box<ImpactSearch>),
    Done,
}

/// Whether two bodies at rest are proven apart; stops as soon as that is known.
pub(super) fn are_apart(query: &mut Query, a: Placed, b: Placed) -> bool {
    let mut search = DistanceSearch::new(a, b);
    while !search.is_done() && search.any_contact().is_none() {
        search.work(query, PORTION);
    }
    search.any_contact() == Some(false)
}

impl<'a> Pursuit<'a> {
    pub(super) fn new(runners: [Runner<'a>; 2], mut state: PairState, options: &StepOptions) -> Pursuit<'a> {
        let travel = add_up(runners[0].travel, runners[1].travel);
        let mut pursuit = Pursuit {
            runners,
            mode: options.mode,
            motion: options.motion,
            travel,
            state,
            gap_at_end: None,
            verdict: PairVerdict::Undecided { free_until: 0.0, at_end: None },
            by: By::KeptGap,
            weight: 1.0,
            samples: Vec::new(),
            stage: Stage::Done,
            units: 0,
        };
        if options.mode != Mode::Continuous {
            pursuit.state = PairState::default();
            pursuit.by = By::Followed;
            pursuit.stage = Stage::AtEnd(pursuit.distance_at(1.0));
        } else if state.gap > travel {
            pursuit.verdict = PairVerdict::Free { initial: Initial::Separate };
        } else if state.wait == 0 && travel.is_finite() {
            pursuit.by = By::Measured;
            if state.gap > 0.0 {
                pursuit.samples.push(Sample { t: 0.0, gap: state.gap });
                pursuit.measure(1.0);
            } else {
                pursuit.measure(0.0);
            }
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

    fn distance_at(&self, t: f64) -> Box<DistanceSearch> {
        Box::new(DistanceSearch::new(self.runners[0].placed(t), self.runners[1].placed(t)))
    }

    fn measure(&mut self, t: f64) {
        (self.units, self.stage) = (0, Stage::Measure(t, self.distance_at(t)));
    }

    fn follow(&mut self) {
        (self.by, self.units) = (By::Followed, 0);
        let [a, b] = self.runners.map(|runner| runner.moving);
        self.stage = Stage::Follow(Box::new(ImpactSearch::new(a, b, &self.motion)));
    }

    /// Distances do not tell: the next times are not worth a try.
    fn give_up_measuring(&mut self) {
        self.state.patience = (2 * self.state.patience).clamp(1, MOST_PATIENCE);
        self.state.wait = self.state.patience;
        self.follow();
    }

    /// What a distance at a time tells so far.
    fn measured(&mut self, t: f64, range: Range, done: bool) {
        // Hopeless: so near that only the motions themselves tell.
        if range.hi() <= self.travel * HOPELESS {
            self.state.gap = if t == 0.0 { range.lo() } else { self.state.gap };
            return self.give_up_measuring();
        }
        if !done && range.lo() < CLOSE * range.hi() {
            return;
        }
        // The distance is that at the rounded poses; of the true ones it is less by what these are off at most.
        let off = add_up(self.runners[0].rounding_at(t), self.runners[1].rounding_at(t));
        let gap = add_down(range.lo(), -off).max(0.0);
        if t == 0.0 {
            self.state.gap = gap;
        }
        if t == 1.0 {
            self.gap_at_end = Some(gap);
        }
        let place = self.samples.partition_point(|sample| sample.t < t);
        self.samples.insert(place, Sample { t, gap });
        self.go_on_measuring();
    }

    /// Proven free, or where to measure next.
    ///
    /// Proof: between two samples, up to a time m the bodies come closer than the first distance by no more than both travel from there to
    /// m, and after m than the second by no more than both travel from m to there. (Travel is a bound for all times between.)
    fn go_on_measuring(&mut self) {
        if self.samples.len() == 1 {
            // One alone tells if nothing travels farther than it.
            if self.samples[0].gap > self.travel {
                return self.proven_free();
            }
            return self.measure(1.0);
        }
        let travel = |from: f64, to: f64| {
            add_up(self.runners[0].travel_between(from, to), self.runners[1].travel_between(from, to))
        };
        let mut open = None;
        for pair in self.samples.windows(2) {
            let [a, b] = [pair[0], pair[1]];
            let middle = (a.t + (b.t - a.t) * (a.gap / (a.gap + b.gap))).clamp(a.t, b.t);
            if !(a.gap > travel(a.t, middle) && b.gap > travel(middle, b.t)) {
                open = Some((middle, a, b));
                break;
            }
        }
        match open {
            None => self.proven_free(),
            Some((middle, a, b)) => {
                let inside = a.t < middle && middle < b.t;
                let near = a.gap.min(b.gap) <= self.travel * HOPELESS;
                if self.samples.len() < MOST_SAMPLES && inside && !near {
                    self.measure(middle);
                } else {
                    self.give_up_measuring();
                }
            }
        }
    }

    fn proven_free(&mut self) {
        self.state.patience = 0;
        self.verdict = PairVerdict::Free { initial: Initial::Separate };
        self.stage = Stage::Done;
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
            let whole = self.units.is_multiple_of(PORTION);
            let work = match &mut self.stage {
                Stage::Measure(t, search) => {
                    let work = search.work(query, portion);
                    let (t, range) = (*t, search.proximity().range);
                    if whole || work.done {
                        self.measured(t, range, work.done);
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
