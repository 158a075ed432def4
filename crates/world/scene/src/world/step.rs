//! One step: bodies that move are found, bounded, paired, asked about, and brought as far as they are free.

// The stages, each over plain lists:
// 1 move    `movers`: a motion for every body below a moved group
// 2 bound   a box around each for the whole step, into the broad phase
// 3 pair    near pairs of boxes with a mover, those of one moved group and those filtered out left aside
// 4 ask     `pursuit`: every pair, in parallel, each from what is kept of it; within a budget, in portions by a policy
// 5 settle  `settle`: earliest contact per group, groups stopped in the order of time, pairs of stopped groups asked again
// 6 keep    new places, and what is known of pairs there

use super::World;
use super::cache::PairState;
use super::course::Course;
use super::member::Member;
use super::node::{NodeId, WorldError};
use super::pursuit::{By, Pursuit, Runner};
use super::report::{
    GroupReport, PairReport, PairVerdict, Response, StepBudget, StepCounts, StepError, StepOptions,
    StepReport,
};
use super::settle::Settling;
use kontakt_math::round::{add_down, add_up};
use kontakt_math::{DVec3, Motion, Pose};
use kontakt_pair::{Moving, Query};
use kontakt_schedule::{Budget, Deadline, nearness, run_parallel};
use rayon::prelude::*;

/// A group, or a body by itself, that moves in this step.
#[derive(Debug)]
pub(super) struct MovedGroup {
    /// Its place in the tree.
    pub(super) slot: u32,
    /// As asked for.
    pub(super) course: Course,
}

/// A body that moves in this step.
#[derive(Debug)]
pub(super) struct Mover {
    pub(super) body: u32,
    /// Its group's place among those that move; none of bodies that were only put elsewhere.
    pub(super) group: Option<u32>,
    pub(super) motion: Motion,
    /// **Never less** than how far its points travel.
    pub(super) travel: f64,
}

/// A pair to be looked at.
#[derive(Debug)]
pub(super) struct Candidate {
    /// Its place in the cache.
    pub(super) place: u32,
    /// Both bodies, that with the lesser name first.
    pub(super) bodies: [u32; 2],
}

impl World {
    /// Takes one step: every group that was given a motion ([`World::set_motion`]) moves as the options say; then no motion is left.
    /// All threads of the pool it is called in are used.
    pub fn step(&mut self, options: &StepOptions) -> Result<StepReport, StepError> {
        let mut report = StepReport::default();
        let clock = StepClock::start(options.budget.as_ref());
        let groups = std::mem::take(&mut self.moves);
        let mut movers = self.movers(&groups, &mut report);
        self.bound(&movers);
        let candidates = match self.pair(&movers) {
            Ok(candidates) => candidates,
            Err(error) => {
                self.forget(&movers);
                self.changed =
                    movers.iter().filter(|mover| mover.group.is_none()).map(|mover| mover.body).collect();
                self.moves = groups;
                return Err(error.into());
            }
        };
        let answers = self.ask_all(&candidates, &movers, options, &clock);
        report.counts = counts(&answers, movers.len());
        let verdicts: Vec<PairVerdict> = answers.iter().map(|answer| answer.verdict).collect();
        let mut settling = Settling::new(self, &groups, &candidates, verdicts.clone());
        let earliest = settling.earliest_per_group(&movers);
        if options.response == Response::Stop {
            report.counts.asked_again = settling.stop(&mut movers, options, clock.deadline);
        }
        let (reached, stopped_by) = settling.outcome();
        self.report_pairs(&candidates, &verdicts, &mut report);
        for (place, group) in groups.iter().enumerate() {
            let (free_until, met) = earliest[place];
            let first_met = stopped_by[place].or(met).map(|pair| pair.map(|body| self.node_of(body)));
            let node = self.tree.id(group.slot);
            let stays = options.response == Response::Stay || report.quarantined.contains(&node);
            let reached = if stays { 0.0 } else { reached[place] };
            report.groups.push(GroupReport { node, reached, free_until, first_met });
        }
        report.groups.sort_by(|x, y| self.name(x.node).cmp(self.name(y.node)));
        report.quarantined.sort_by(|x, y| self.name(*x).cmp(self.name(*y)));
        self.keep(&candidates, &answers, &movers, &reached, options);
        if options.response != Response::Stay {
            self.bring(&groups, &reached, &report.quarantined);
        }
        self.forget(&movers);
        Ok(report)
    }

    /// A motion for every body below a moved group, and for those put elsewhere the place where they are.
    fn movers(&mut self, groups: &[MovedGroup], report: &mut StepReport) -> Vec<Mover> {
        let mut movers = Vec::new();
        for (place, group) in groups.iter().enumerate() {
            match self.members(group, place as u32) {
                Ok(members) => movers.extend(members),
                Err(_) => report.quarantined.push(self.tree.id(group.slot)),
            }
        }
        for mover in 0..movers.len() as u32 {
            let mover_of: &Mover = &movers[mover as usize];
            if let Some(member) = self.member_mut(mover_of.body) {
                member.mover = Some(mover);
            }
        }
        let changed = std::mem::take(&mut self.changed);
        for body in changed {
            let Some((slot, None)) = self.member(body).map(|member| (member.slot, member.mover)) else {
                continue;
            };
            let motion = Motion::Rest(self.tree.world(slot));
            if let Some(member) = self.member_mut(body) {
                member.mover = Some(movers.len() as u32);
            }
            movers.push(Mover { body, group: None, motion, travel: 0.0 });
        }
        movers
    }

    /// The bodies below a group, with their motions.
    pub(super) fn members(&self, group: &MovedGroup, place: u32) -> Result<Vec<Mover>, WorldError> {
        let name = || self.tree.name(group.slot).to_owned();
        let mut ways: Vec<(u32, Vec<Pose>)> = Vec::new();
        for (knot, &pose) in group.course.poses().iter().enumerate() {
            for (at, (slot, place)) in self.tree.places_below(group.slot, pose)?.into_iter().enumerate() {
                match knot {
                    // It starts where it really is.
                    0 => ways.push((slot, vec![self.tree.world(slot)])),
                    _ => ways[at].1.push(place),
                }
            }
        }
        let group_from_world = self.tree.world(group.slot).inverse();
        let mut movers = Vec::new();
        for (slot, poses) in ways {
            let Some((body, member)) = self.tree.body(slot).and_then(|body| Some((body, self.member(body)?)))
            else {
                continue;
            };
            let body_from_group = poses[0].inverse().then_from(&group_from_world.inverse());
            let motion = group
                .course
                .motion(&poses, &body_from_group)
                .map_err(|problem| WorldError::Motion { name: name(), problem })?;
            let travel = member.travel(&motion);
            movers.push(Mover { body, group: Some(place), motion, travel });
        }
        Ok(movers)
    }

    /// Boxes for the whole step.
    fn bound(&mut self, movers: &[Mover]) {
        let swept = |mover: &Mover| Some(self.member(mover.body)?.roomy_box(&mover.motion));
        let swept: Vec<_> = movers.par_iter().with_min_len(16).map(swept).collect();
        for body in std::mem::take(&mut self.swept) {
            let rests = self.member(body).filter(|member| member.mover.is_none());
            if let Some((id, around)) = rests.map(|member| (member.box_id, member.around)) {
                self.put_box(id, around);
            }
        }
        for (mover, swept) in movers.iter().zip(swept) {
            if let (Some(id), Some(swept)) = (self.member(mover.body).map(|member| member.box_id), swept) {
                self.put_box(id, swept);
                self.swept.push(mover.body);
            }
        }
    }

    /// Near pairs that are to be looked at.
    fn pair(&mut self, movers: &[Mover]) -> Result<Vec<Candidate>, kontakt_broad::TooManyPairs> {
        self.rank();
        let World { broad, cache, members, by_box, tree, filter, ranks, .. } = self;
        let pairs = broad.update()?.pairs;
        let body = |id: kontakt_broad::BoxId| by_box[id.index()];
        let member = |id| members[body(id) as usize].as_ref();
        cache.renew(pairs, |pair| pair.iter().any(|&id| member(id).is_none_or(|member| member.changed)));
        let mut candidates = Vec::new();
        for place in 0..cache.pairs().len() {
            let [x, y] = cache.pairs()[place];
            let (Some(a), Some(b)) = (member(x), member(y)) else { continue };
            let group = |member: &Member| movers.get(member.mover? as usize)?.group;
            let moves = a.mover.is_some() || b.mover.is_some();
            let together = group(a).is_some() && group(a) == group(b);
            if !moves {
                continue;
            }
            if together || !filter.looks_at(tree, [a.layers, b.layers], [a.slot, b.slot]) {
                // It moves and nobody asks how far: what was known of it no longer holds.
                *cache.state_mut(place) = PairState::default();
                continue;
            }
            let mut bodies = [body(x), body(y)];
            bodies.sort_by_key(|&body| ranks[body as usize]);
            candidates.push(Candidate { place: place as u32, bodies });
        }
        candidates.sort_by_key(|pair| pair.bodies.map(|body| ranks[body as usize]));
        Ok(candidates)
    }

    fn ask_all(
        &self,
        candidates: &[Candidate],
        movers: &[Mover],
        options: &StepOptions,
        clock: &StepClock,
    ) -> Vec<Answer> {
        let rests = self.rests(candidates);
        let begin = |place: usize| {
            let (candidate, rests) = (&candidates[place], &rests[place]);
            let state = self.cache.state(candidate.place as usize);
            self.pursuit(candidate, movers, rests, state, options)
        };
        let Some(budget) = options.budget else {
            let finished = |query: &mut Query, place: usize| {
                let mut pursuit = begin(place);
                if let Some(pursuit) = &mut pursuit {
                    pursuit.finish(query);
                }
                Answer::of(pursuit.as_ref())
            };
            let places = (0..candidates.len()).into_par_iter().with_min_len(4);
            return places.map_init(Query::new, finished).collect();
        };
        let mut pursuits: Vec<Option<Pursuit>> = (0..candidates.len()).map(begin).collect();
        for (pursuit, candidate) in pursuits.iter_mut().zip(candidates) {
            let weight = self.weight(candidate, budget.viewer);
            if let Some(pursuit) = pursuit {
                pursuit.weight = weight;
            }
        }
        let mut open: Vec<&mut Pursuit> =
            pursuits.iter_mut().flatten().filter(|pursuit| !pursuit.is_done()).collect();
        let mut desks: Vec<Query> = (0..rayon::current_num_threads()).map(|_| Query::new()).collect();
        run_parallel(&mut open, &mut desks, budget.policy, clock.for_asking(budget.budget));
        pursuits.iter().map(|pursuit| Answer::of(pursuit.as_ref())).collect()
    }

    /// Where the bodies of pairs are while they rest.
    fn rests(&self, candidates: &[Candidate]) -> Vec<[Motion; 2]> {
        candidates.iter().map(|candidate| candidate.bodies.map(|body| self.rest(body))).collect()
    }

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

    /// A pair as it moves now.
    pub(super) fn pursuit<'a>(
        &'a self,
        candidate: &Candidate,
        movers: &'a [Mover],
        rests: &'a [Motion; 2],
        state: PairState,
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
        Some(Pursuit::new([runner(0), runner(1)], state, options))
    }

    fn report_pairs(&self, candidates: &[Candidate], verdicts: &[PairVerdict], report: &mut StepReport) {
        report.pairs.extend(candidates.iter().zip(verdicts).map(|(candidate, &verdict)| {
            let [a, b] = candidate.bodies.map(|body| self.node_of(body));
            PairReport { a, b, verdict }
        }));
    }

    /// Everything where it has come to.
    fn bring(&mut self, groups: &[MovedGroup], reached: &[f64], quarantined: &[NodeId]) {
        for (place, group) in groups.iter().enumerate() {
            if reached[place] <= 0.0 || quarantined.contains(&self.tree.id(group.slot)) {
                continue;
            }
            let course = group.course.stopped_at(reached[place]);
            let end = course.poses()[course.poses().len() - 1];
            if let Ok(places) = self.tree.places_below(group.slot, end) {
                self.tree.bring(group.slot, &places);
            }
        }
    }

    /// No body moves any more; their boxes are those of where they are.
    fn forget(&mut self, movers: &[Mover]) {
        for mover in movers {
            let Some(member) = self.member(mover.body) else { continue };
            let pose = self.tree.world(member.slot);
            let around = member.box_at(pose);
            if let Some(member) = self.member_mut(mover.body) {
                member.around = around;
                member.mover = None;
            }
        }
    }

    /// What is known of pairs where the bodies are now: where both are at the end of what was asked for, the distance there; else that at
    /// the beginning less what they can have come closer.
    fn keep(
        &mut self,
        candidates: &[Candidate],
        answers: &[Answer],
        movers: &[Mover],
        reached: &[f64],
        options: &StepOptions,
    ) {
        for (candidate, answer) in candidates.iter().zip(answers) {
            let mover = |body: u32| movers.get(self.member(body)?.mover? as usize);
            let stays = options.response == Response::Stay;
            let travel = |body: u32| mover(body).filter(|_| !stays).map_or(0.0, |mover| mover.travel);
            let moved = add_up(travel(candidate.bodies[0]), travel(candidate.bodies[1]));
            let at_end = |body: u32| {
                let group = mover(body).and_then(|mover| mover.group);
                group.is_none_or(|group| reached[group as usize] >= 1.0)
            };
            let all_at_end = !stays && candidate.bodies.into_iter().all(at_end);
            let less = add_down(answer.state.gap, -moved).max(0.0);
            let gap = answer.gap_at_end.filter(|_| all_at_end).map_or(less, |gap| gap.max(less));
            *self.cache.state_mut(candidate.place as usize) = PairState { gap, ..answer.state };
        }
        for mover in movers {
            if let Some(member) = self.member_mut(mover.body) {
                member.changed = false;
            }
        }
    }

    fn node_of(&self, body: u32) -> NodeId {
        let slot = self.members[body as usize].as_ref().map_or(0, |member| member.slot);
        self.tree.id(slot)
    }
}

/// What came out of asking about a pair.
struct Answer {
    verdict: PairVerdict,
    /// What is known of the pair where the step begins.
    state: PairState,
    /// A distance where it ends, as it was asked for.
    gap_at_end: Option<f64>,
    by: By,
    finished: bool,
}

impl Answer {
    /// Nothing is known of a pair without bodies.
    fn of(pursuit: Option<&Pursuit>) -> Answer {
        let verdict = PairVerdict::Undecided { free_until: 0.0, at_end: None };
        let unknown = Answer {
            verdict,
            state: PairState::default(),
            gap_at_end: None,
            by: By::Followed,
            finished: false,
        };
        pursuit.map_or(unknown, |pursuit| Answer {
            verdict: pursuit.verdict,
            state: pursuit.state,
            gap_at_end: pursuit.gap_at_end,
            by: pursuit.by,
            finished: pursuit.is_done(),
        })
    }
}

/// When a step ends.
struct StepClock {
    deadline: Deadline,
}

impl StepClock {
    /// The share of the time that is left for stopping groups.
    const SETTLING: f64 = 0.25;

    fn start(budget: Option<&StepBudget>) -> StepClock {
        let deadline = match budget.map(|budget| budget.budget) {
            Some(Budget::Time(time)) => Deadline::after(time),
            _ => Deadline::NEVER,
        };
        StepClock { deadline }
    }

    /// What asking may take of a budget.
    fn for_asking(&self, budget: Budget) -> Budget {
        match (budget, self.deadline.left()) {
            (Budget::Time(whole), Some(left)) => {
                Budget::Time(left.saturating_sub(whole.mul_f64(StepClock::SETTLING)))
            }
            (budget, _) => budget,
        }
    }
}

fn counts(answers: &[Answer], moved: usize) -> StepCounts {
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
