//! Every pair of a step asked about, in parallel, each from what is kept of it; within a budget, in portions by a policy.

use super::World;
use super::cache::PairState;
use super::desk::Desk;
use super::pursuit::{By, Pursuit, Runner, Spare};
use super::report::{PairVerdict, StepBudget, StepCounts, StepOptions};
use super::step::{Candidate, Mover};
use kontakt_math::{DVec3, Motion, Pose};
use kontakt_pair::{Moving, Query};
use kontakt_rigid_ccd::MotionOptions;
use kontakt_schedule::{Budget, Deadline, nearness, run_parallel};
use rayon::prelude::*;

/// Fewest pairs that a thread is given at once.
const PAIRS_A_THREAD: usize = 4;

/// What came out of asking about a pair.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answer {
    pub(super) verdict: PairVerdict,
    /// What is known of the pair where the step begins.
    pub(super) state: PairState,
    /// Of bodies that are proven apart where it ends, as they were asked to move: **never more** than by how much.
    pub(super) gap_at_end: Option<f64>,
    by: By,
    finished: bool,
}

impl Answer {
    /// Nothing is known of a pair without bodies.
    const UNKNOWN: Answer = Answer {
        verdict: PairVerdict::Undecided { free_until: 0.0, at_end: None },
        state: PairState::UNKNOWN,
        gap_at_end: None,
        by: By::Followed,
        finished: false,
    };

    fn of(pursuit: &Pursuit) -> Answer {
        Answer {
            verdict: pursuit.verdict,
            state: pursuit.state,
            gap_at_end: pursuit.known_at_end(),
            by: pursuit.by,
            finished: pursuit.is_done(),
        }
    }
}

/// When a step ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepClock {
    pub(super) deadline: Deadline,
    /// When asking ends.
    asking: Deadline,
    budget: Option<Budget>,
}

/// The share of a budget that is left for stopping groups: one in so many.
const SETTLING: u32 = 4;

impl StepClock {
    pub(super) fn start(budget: Option<&StepBudget>) -> StepClock {
        let budget = budget.map(|budget| budget.budget);
        let [deadline, asking] = match budget {
            Some(Budget::Time(time)) => [time, time / SETTLING * (SETTLING - 1)].map(Deadline::after),
            _ => [Deadline::NEVER; 2],
        };
        StepClock { deadline, asking, budget }
    }

    /// Units for stopping groups.
    pub(super) fn for_settling(&self) -> u64 {
        match self.budget {
            Some(Budget::Units(units)) => units / u64::from(SETTLING),
            _ => u64::MAX,
        }
    }

    /// What asking may take of a budget.
    fn for_asking(&self, budget: Budget) -> Budget {
        match budget {
            Budget::Time(time) => Budget::Time(self.asking.left().unwrap_or(time)),
            Budget::Units(units) => Budget::Units(units - units / u64::from(SETTLING)),
        }
    }
}

pub(super) fn counts(answers: &[Answer], moved: usize) -> StepCounts {
    let by = |way: By| answers.iter().filter(|answer| answer.by == way).count();
    StepCounts {
        moved,
        candidates: answers.len(),
        kept_apart: by(By::KeptGap),
        measured: by(By::Measured),
        unfinished: answers.iter().filter(|answer| !answer.finished).count(),
        asked_again: 0,
    }
}

impl World {
    /// Fills the answers.
    pub(super) fn ask_all(&self, desk: &mut Desk, options: &StepOptions, clock: &StepClock) {
        let Desk { candidates, movers, rests, answers, query, spare, .. } = desk;
        let (candidates, movers) = (&candidates[..], &movers[..]);
        rests.clear();
        rests.extend(candidates.iter().map(|candidate| candidate.bodies.map(|body| self.rest(body))));
        let rests = &rests[..];
        // What cannot be divided ends when asking does.
        let motion =
            MotionOptions { deadline: options.motion.deadline.earlier(clock.asking), ..options.motion };
        let options = &StepOptions { motion, ..*options };
        let begin = |place: usize, spare: Spare| {
            let state = self.cache.state(candidates[place].place as usize);
            self.pursuit(&candidates[place], movers, &rests[place], (state, 0.0, spare), options)
        };
        if let Some(budget) = options.budget {
            let mut pursuits: Vec<Option<Pursuit>> =
                (0..candidates.len()).map(|place| begin(place, Spare::default())).collect();
            for (pursuit, candidate) in pursuits.iter_mut().zip(candidates) {
                if let Some(pursuit) = pursuit {
                    pursuit.weight = self.weight(candidate, budget.viewer);
                }
            }
            let mut open: Vec<&mut Pursuit> =
                pursuits.iter_mut().flatten().filter(|pursuit| !pursuit.is_done()).collect();
            let mut desks: Vec<Query> = (0..rayon::current_num_threads()).map(|_| Query::new()).collect();
            run_parallel(&mut open, &mut desks, budget.policy, clock.for_asking(budget.budget));
            answers.clear();
            answers
                .extend(pursuits.iter().map(|pursuit| pursuit.as_ref().map_or(Answer::UNKNOWN, Answer::of)));
            return;
        }
        let finished = |(query, spare): &mut (&mut Query, &mut Spare), place: usize| {
            let Some(mut pursuit) = begin(place, std::mem::take(*spare)) else { return Answer::UNKNOWN };
            pursuit.finish(query);
            let answer = Answer::of(&pursuit);
            **spare = pursuit.into_spare();
            answer
        };
        if rayon::current_num_threads() == 1 {
            answers.clear();
            answers
                .extend((0..candidates.len()).map(|place| finished(&mut (&mut *query, &mut *spare), place)));
            return;
        }
        let places = (0..candidates.len()).into_par_iter().with_min_len(PAIRS_A_THREAD);
        let own = || (Query::new(), Spare::default());
        places
            .map_init(own, |(query, spare), place| finished(&mut (query, spare), place))
            .collect_into_vec(answers);
    }

    /// Where a body is while it rests.
    pub(super) fn rest(&self, body: u32) -> Motion {
        Motion::Rest(self.member(body).map_or(Pose::IDENTITY, |member| self.tree.world(member.slot)))
    }

    /// How much a pair matters to a viewer: by how near the nearer of its bodies is, beside its size.
    fn weight(&self, candidate: &Candidate, viewer: Option<DVec3>) -> f64 {
        let Some(viewer) = viewer else { return 1.0 };
        let near = |body: u32| {
            let Some(member) = self.member(body) else { return 0.0 };
            let (centre, size) = (0.5 * member.around.min + 0.5 * member.around.max, member.radius());
            nearness(centre.distance(viewer), if size.is_finite() { size } else { 1.0 })
        };
        near(candidate.bodies[0]).max(near(candidate.bodies[1]))
    }

    /// A pair as it moves now, of which something is known where the step begins, and that it is apart before a time.
    pub(super) fn pursuit<'a>(
        &'a self,
        candidate: &Candidate,
        movers: &'a [Mover],
        rests: &'a [Motion; 2],
        (state, from, spare): (PairState, f64, Spare),
        options: &StepOptions,
    ) -> Option<Pursuit<'a>> {
        let [a, b] = candidate.bodies.map(|body| self.member(body));
        let members = [a?, b?];
        let movers = members.map(|member| member.mover.and_then(|mover| movers.get(mover as usize)));
        let runner = |side: usize| Runner {
            moving: Moving::new(
                &members[side].body,
                movers[side].map_or(&rests[side], |mover| &mover.motion),
            ),
            ball: members[side].ball(),
            travel: movers[side].map_or(0.0, |mover| mover.travel),
        };
        Some(Pursuit::new([runner(0), runner(1)], state, options, (from, spare)))
    }
}
