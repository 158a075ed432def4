//! One step: bodies that move are found, bounded, paired, asked about, and brought as far as they are free.

// The stages, each over plain lists:
// 1 move    `movers`: a motion for every body below a moved group
// 2 bound   a box around each for the whole step, into the broad phase
// 3 pair    near pairs of boxes with a mover, those of one moved group and those filtered out left aside
// 4 ask     every pair, in parallel, each from what is kept of it
// 5 settle  `settle`: earliest contact per group, groups stopped in the order of time, pairs of stopped groups asked again
// 6 keep    new places, and what is known of pairs there

use super::World;
use super::ask::{Answer, By, ask};
use super::course::Course;
use super::member::Member;
use super::node::{NodeId, WorldError};
use super::report::{
    GroupReport, PairReport, PairVerdict, Response, StepCounts, StepError, StepOptions, StepReport,
};
use super::settle::Settling;
use kontakt_math::round::{add_down, add_up};
use kontakt_math::{Motion, Pose};
use kontakt_pair::{Moving, Query};
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
        let answers = self.ask_all(&candidates, &movers, options);
        report.counts = counts(&answers, movers.len());
        let verdicts: Vec<PairVerdict> = answers.iter().map(|answer| answer.verdict).collect();
        let mut settling = Settling::new(self, &groups, &candidates, verdicts.clone());
        let earliest = settling.earliest_per_group(&movers);
        if options.response == Response::Stop {
            report.counts.asked_again = settling.stop(&mut movers, options);
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
        self.keep(&candidates, &answers, &movers, options);
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
        for (place, &[x, y]) in cache.pairs().iter().enumerate() {
            let (Some(a), Some(b)) = (member(x), member(y)) else { continue };
            let group = |member: &Member| movers.get(member.mover? as usize)?.group;
            let moves = a.mover.is_some() || b.mover.is_some();
            let together = group(a).is_some() && group(a) == group(b);
            if !moves || together || !filter.looks_at(tree, [a.layers, b.layers], [a.slot, b.slot]) {
                continue;
            }
            let mut bodies = [body(x), body(y)];
            bodies.sort_by_key(|&body| ranks[body as usize]);
            candidates.push(Candidate { place: place as u32, bodies });
        }
        candidates.sort_by_key(|pair| pair.bodies.map(|body| ranks[body as usize]));
        Ok(candidates)
    }

    fn ask_all(&self, candidates: &[Candidate], movers: &[Mover], options: &StepOptions) -> Vec<Answer> {
        let asked = |query: &mut Query, candidate: &Candidate| {
            self.ask(query, candidate, movers, self.cache.state(candidate.place as usize), options)
        };
        candidates.par_iter().with_min_len(4).map_init(Query::new, |query, pair| asked(query, pair)).collect()
    }

    /// Asks about a pair as it moves now.
    pub(super) fn ask(
        &self,
        query: &mut Query,
        candidate: &Candidate,
        movers: &[Mover],
        state: super::cache::PairState,
        options: &StepOptions,
    ) -> Answer {
        let [a, b] = candidate.bodies.map(|body| self.members[body as usize].as_ref());
        let (Some(a), Some(b)) = (a, b) else {
            let verdict = PairVerdict::Undecided { free_until: 0.0 };
            return Answer { verdict, state, by: By::Followed };
        };
        let rests = [a, b].map(|member| Motion::Rest(self.tree.world(member.slot)));
        let mover = |member: &Member| member.mover.and_then(|mover| movers.get(mover as usize));
        let motions = [
            mover(a).map_or(&rests[0], |mover| &mover.motion),
            mover(b).map_or(&rests[1], |mover| &mover.motion),
        ];
        let travels = [a, b].map(|member| mover(member).map_or(0.0, |mover| mover.travel));
        let moving = [Moving::new(&a.body, motions[0]), Moving::new(&b.body, motions[1])];
        ask(query, moving, travels, state, options)
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

    /// What is known of pairs where the bodies are now.
    fn keep(
        &mut self,
        candidates: &[Candidate],
        answers: &[Answer],
        movers: &[Mover],
        options: &StepOptions,
    ) {
        for (candidate, answer) in candidates.iter().zip(answers) {
            let travel = |body: u32| {
                let mover = self.member(body).and_then(|member| movers.get(member.mover? as usize));
                mover.filter(|_| options.response != Response::Stay).map_or(0.0, |mover| mover.travel)
            };
            let moved = add_up(travel(candidate.bodies[0]), travel(candidate.bodies[1]));
            let state = self.cache.state_mut(candidate.place as usize);
            *state = answer.state;
            state.gap = add_down(state.gap, -moved).max(0.0);
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

fn counts(answers: &[Answer], moved: usize) -> StepCounts {
    let by = |way: By| answers.iter().filter(|answer| answer.by == way).count();
    StepCounts {
        moved,
        candidates: answers.len(),
        kept_apart: by(By::KeptGap),
        measured: by(By::Measured),
        asked_again: 0,
    }
}
