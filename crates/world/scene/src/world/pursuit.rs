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

/// Searches whose memory the next pair may use.
#[derive(Debug, Default)]
pub(super) struct Spare {
    distance: Option<Box<DistanceSearch>>,
    impact: Option<Box<ImpactSearch>>,
    samples: Vec<Sample>,
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
    /// They are known to be apart before this time.
    from: f64,
    spare: Spare,
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

/// **Never more** than how far two bodies at rest are apart, where that is proven; stops as soon as they are known to be apart at all.
/// Units that this takes are taken off those left; where none are, it ends.
pub(super) fn gap_at_rest(query: &mut Query, a: Placed, b: Placed, left: &mut u64) -> Option<f64> {
    *left = left.saturating_sub(PORTION);
    let gap = query.gap_by_plane(a, b);
    if gap > 0.0 {
        return Some(gap);
    }
    let mut search = DistanceSearch::new(a, b);
    while !search.is_done() && search.any_contact().is_none() && *left > 0 {
        *left -= search.work(query, PORTION.min(*left)).units;
    }
    (search.any_contact() == Some(false)).then(|| search.proximity().range.lo())
}

impl<'a> Pursuit<'a> {
    pub(super) fn new(
        runners: [Runner<'a>; 2],
        mut state: PairState,
        options: &StepOptions,
        (from, mut spare): (f64, Spare),
    ) -> Pursuit<'a> {
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
            samples: std::mem::take(&mut spare.samples),
            stage: Stage::Done,
            units: 0,
            from,
            spare,
        };
        if options.mode != Mode::Continuous {
            pursuit.state = PairState::default();
            pursuit.by = By::Followed;
            let search = pursuit.distance_at(1.0);
            pursuit.enter(Stage::AtEnd(search));
        } else if state.gap > travel {
            pursuit.verdict = PairVerdict::Free { initial: Initial::Separate };
        } else if ImpactSearch::has_planes(runners[0].moving.body, runners[1].moving.body) {
            pursuit.follow();
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

    /// Of bodies that are proven apart where they end: **never more** than by how much. What begins apart and is proven free is so to the end.
    pub(super) fn known_at_end(&self) -> Option<f64> {
        let free = PairVerdict::Free { initial: Initial::Separate };
        let is_free = self.mode == Mode::Continuous && self.verdict == free;
        let less = add_down(self.state.gap, -self.travel).max(0.0);
        is_free.then(|| self.gap_at_end.unwrap_or(0.0).max(less))
    }

    pub(super) fn is_done(&self) -> bool {
        matches!(self.stage, Stage::Done)
    }

    /// To the end.
    pub(super) fn finish(&mut self, query: &mut Query) {
        let mut all = u64::MAX;
        self.finish_within(query, &mut all);
    }

    /// To the end, or as far as units are left.
    pub(super) fn finish_within(&mut self, query: &mut Query, left: &mut u64) {
        while !self.is_done() && *left > 0 {
            let units = self.work(query, *left).units;
            *left -= units;
        }
    }

    /// The memory of its searches.
    pub(super) fn into_spare(mut self) -> Spare {
        self.enter(Stage::Done);
        self.samples.clear();
        Spare { samples: self.samples, ..self.spare }
    }

    fn enter(&mut self, stage: Stage) {
        self.units = 0;
        match std::mem::replace(&mut self.stage, stage) {
            Stage::Measure(_, search) | Stage::AtEnd(search) => self.spare.distance = Some(search),
            Stage::Follow(search) => self.spare.impact = Some(search),
            Stage::Done => {}
        }
    }

    fn distance_at(&mut self, t: f64) -> Box<DistanceSearch> {
        let [a, b] = self.runners.map(|runner| runner.placed(t));
        match self.spare.distance.take() {
            Some(mut search) => {
                search.restart(a, b);
                search
            }
            None => Box::new(DistanceSearch::new(a, b)),
        }
    }

    fn measure(&mut self, t: f64) {
        self.enter(Stage::Done);
        let search = self.distance_at(t);
        self.enter(Stage::Measure(t, search));
    }

    fn follow(&mut self) {
        self.by = By::Followed;
        let [a, b] = self.runners.map(|runner| runner.moving);
        let mut search = match self.spare.impact.take() {
            Some(mut search) => {
                search.restart(a, b, &self.motion);
                search
            }
            None => Box::new(ImpactSearch::new(a, b, &self.motion)),
        };
        if self.state.apart || self.from > 0.0 {
            search.skip_to(self.apart_until().max(self.from));
        }
        if let Some(met) = self.state.met {
            search.expect(met);
        }
        self.enter(Stage::Follow(search));
    }

    /// A time until which bodies that begin apart stay so: that in which they travel less than what is between them, or 0.
    fn apart_until(&self) -> f64 {
        let mut t = self.state.gap / self.travel;
        for _ in 0..MOST_SAMPLES {
            let travel = self.runners.map(|runner| runner.travel_between(0.0, t));
            if t < 1.0 && add_up(travel[0], travel[1]) < self.state.gap {
                return t;
            }
            t *= 0.75;
        }
        0.0
    }

    /// What is left of a distance where poses are rounded at a time.
    fn less_rounding(&self, distance: f64, t: f64) -> f64 {
        let off = add_up(self.runners[0].rounding_at(t), self.runners[1].rounding_at(t));
        add_down(distance, -off).max(0.0)
    }

    /// The search for the first contact is done.
    fn followed(&mut self, gap_at_end: f64, met: Option<[u32; 2]>) {
        self.enter(Stage::Done);
        self.state.met = met;
        if gap_at_end > 0.0 {
            self.gap_at_end = Some(self.less_rounding(gap_at_end, 1.0));
        }
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
            if t == 0.0 && range.lo() > 0.0 {
                self.state = self.state.apart_by(range.lo());
            }
            return self.give_up_measuring();
        }
        if !done && range.lo() < CLOSE * range.hi() {
            return;
        }
        // The distance is that at the rounded poses.
        let gap = self.less_rounding(range.lo(), t);
        if t == 0.0 && gap > 0.0 {
            self.state = self.state.apart_by(gap);
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
        self.enter(Stage::Done);
    }

    /// What a distance at the end tells so far.
    fn at_end(&mut self, range: Range, done: bool) {
        let meets = range.hi() <= 0.0;
        if range.lo() > 0.0 {
            self.verdict = PairVerdict::ClearAtEnd;
            self.enter(Stage::Done);
        } else if (meets || done) && self.mode == Mode::Mixed {
            self.follow();
        } else if meets {
            let time = Range::new(0.0, 1.0).unwrap_or(Range::ZERO);
            self.verdict = PairVerdict::Contact { initial: None, time, contact: None };
            self.enter(Stage::Done);
        } else {
            self.verdict = PairVerdict::Undecided { free_until: 0.0, at_end: Some(range) };
            if done {
                self.enter(Stage::Done);
            }
        }
    }
}

impl Task<Query> for Pursuit<'_> {
    fn work(&mut self, query: &mut Query, units: u64) -> Work {
        let mut left = units;
        while left > 0 && !self.is_done() {
            // Nobody looks at a search for contacts before it is done.
            let most =
                if matches!(self.stage, Stage::Follow(_)) { left } else { PORTION - self.units % PORTION };
            let portion = left.min(most);
            self.units = self.units.saturating_add(portion);
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
                        let (gap, met) = (search.gap_at_end(), search.met());
                        self.followed(gap, met);
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
