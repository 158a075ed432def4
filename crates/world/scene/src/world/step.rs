//! One step: bodies that move are found, bounded, paired, asked about, and brought as far as they are free.

// The stages, each over plain lists:
// 1 move    `movers`: a motion for every body below a moved group
// 2 bound   a box around each for the whole step, into the broad phase
// 3 pair    near pairs of boxes with a mover, those of one moved group and those filtered out left aside
// 4 ask     `ask`: every pair, in parallel, each from what is kept of it (`pursuit`); within a budget, in portions by a policy
// 5 settle  `settle`: earliest contact per group, groups stopped in the order of time, pairs of stopped groups asked again
// 6 keep    new places, and what is known of pairs there

use super::World;
use super::ask::{Answer, StepClock, counts};
use super::cache::PairState;
use super::course::Course;
use super::desk::{Desk, Ways};
use super::member::Member;
use super::node::{NodeId, WorldError};
use super::report::{GroupReport, PairReport, Response, StepError, StepOptions, StepReport};
use super::settle::Settling;
use kontakt_math::Motion;
use kontakt_math::round::{add_down, add_up};
use rayon::prelude::*;

/// Fewest boxes that a thread is given at once.
const BOXES_A_THREAD: usize = 16;

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
        self.step_into(options, &mut report)?;
        Ok(report)
    }

    /// The same into a report that is kept. On one thread, and without a budget, a step of meshes in which nothing meets takes no memory once
    /// steps before have taken as much.
    pub fn step_into(&mut self, options: &StepOptions, report: &mut StepReport) -> Result<(), StepError> {
        report.clear();
        let clock = StepClock::start(options.budget.as_ref());
        let mut groups = std::mem::take(&mut self.moves);
        let mut desk = self.desk.take().unwrap_or_default();
        let taken = self.step_at(&mut desk, &groups, (options, &clock), report);
        self.desk = Some(desk);
        if taken.is_ok() {
            groups.clear();
        }
        self.moves = groups;
        taken
    }

    fn step_at(
        &mut self,
        desk: &mut Desk,
        groups: &[MovedGroup],
        (options, clock): (&StepOptions, &StepClock),
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        self.find_movers(desk, groups, report);
        self.bound(desk);
        if let Err(error) = self.find_candidates(desk) {
            self.forget(&desk.movers);
            let put = desk.movers.iter().filter(|mover| mover.group.is_none()).map(|mover| mover.body);
            self.changed.extend(put);
            return Err(error.into());
        }
        self.ask_all(desk, options, clock);
        report.counts = counts(&desk.answers, desk.movers.len());
        let mut settling = Settling::new(self, groups, desk, clock);
        settling.find_earliest();
        if options.response == Response::Stop {
            report.counts.asked_again = settling.stop(options);
        }
        self.tell(desk, groups, options, report);
        self.keep(desk, options);
        if options.response != Response::Stay {
            self.bring(desk, groups, &report.quarantined);
        }
        self.forget(&desk.movers);
        Ok(())
    }

    /// A motion for every body below a moved group, and for those put elsewhere the place where they are.
    fn find_movers(&mut self, desk: &mut Desk, groups: &[MovedGroup], report: &mut StepReport) {
        let Desk { movers, ways, bodies: changed, .. } = desk;
        movers.clear();
        for (place, group) in groups.iter().enumerate() {
            if self.add_members(group, place as u32, ways, movers).is_err() {
                report.quarantined.push(self.tree.id(group.slot));
            }
        }
        for (mover, of) in movers.iter().enumerate() {
            if let Some(member) = self.member_mut(of.body) {
                member.mover = Some(mover as u32);
            }
        }
        changed.clear();
        std::mem::swap(&mut self.changed, changed);
        for &body in changed.iter() {
            let Some((slot, None)) = self.member(body).map(|member| (member.slot, member.mover)) else {
                continue;
            };
            let motion = Motion::Rest(self.tree.world(slot));
            if let Some(member) = self.member_mut(body) {
                member.mover = Some(movers.len() as u32);
            }
            movers.push(Mover { body, group: None, motion, travel: 0.0 });
        }
    }

    /// The bodies below a group, with their motions; none of them where one would leave the doubles.
    pub(super) fn add_members(
        &self,
        group: &MovedGroup,
        place: u32,
        ways: &mut Ways,
        movers: &mut Vec<Mover>,
    ) -> Result<(), WorldError> {
        let Ways { places, all, own } = ways;
        all.clear();
        for &pose in group.course.poses() {
            self.tree.put_places_below(group.slot, pose, places)?;
            all.extend_from_slice(places);
        }
        let (nodes, before) = (places.len(), movers.len());
        let group_from_world = self.tree.world(group.slot).inverse();
        for at in 0..nodes {
            let slot = all[at].0;
            let Some((body, member)) = self.tree.body(slot).and_then(|body| Some((body, self.member(body)?)))
            else {
                continue;
            };
            own.clear();
            own.extend(all.iter().skip(at).step_by(nodes).map(|(_, pose)| *pose));
            // It starts where it really is.
            own[0] = self.tree.world(slot);
            let body_from_group = own[0].inverse().then_from(&group_from_world.inverse());
            let motion = match group.course.motion(own, &body_from_group) {
                Ok(motion) => motion,
                Err(problem) => {
                    movers.truncate(before);
                    let name = self.tree.name(group.slot).to_owned();
                    return Err(WorldError::Motion { name, problem });
                }
            };
            let travel = member.travel(&motion);
            movers.push(Mover { body, group: Some(place), motion, travel });
        }
        Ok(())
    }

    /// Boxes for the whole step.
    fn bound(&mut self, desk: &mut Desk) {
        let Desk { movers, swept, bodies, .. } = desk;
        let of = |mover: &Mover| Some(self.member(mover.body)?.roomy_box(&mover.motion));
        swept.clear();
        if rayon::current_num_threads() == 1 {
            swept.extend(movers.iter().map(of));
        } else {
            movers.par_iter().with_min_len(BOXES_A_THREAD).map(of).collect_into_vec(swept);
        }
        bodies.clear();
        std::mem::swap(&mut self.swept, bodies);
        for &body in bodies.iter() {
            let rests = self.member(body).filter(|member| member.mover.is_none());
            if let Some((id, around)) = rests.map(|member| (member.box_id, member.around)) {
                self.put_box(id, around);
            }
        }
        for (mover, swept) in movers.iter().zip(swept) {
            if let (Some(id), Some(swept)) = (self.member(mover.body).map(|member| member.box_id), swept) {
                self.put_box(id, *swept);
                self.swept.push(mover.body);
            }
        }
    }

    /// Near pairs that are to be looked at.
    fn find_candidates(&mut self, desk: &mut Desk) -> Result<(), kontakt_broad::TooManyPairs> {
        self.rank();
        let Desk { movers, candidates, .. } = desk;
        let World { broad, cache, members, by_box, tree, filter, ranks, .. } = self;
        let pairs = broad.update()?.pairs;
        let body = |id: kontakt_broad::BoxId| by_box[id.index()];
        let member = |id| members[body(id) as usize].as_ref();
        cache.renew(pairs, |pair| pair.iter().any(|&id| member(id).is_none_or(|member| member.changed)));
        candidates.clear();
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
                *cache.state_mut(place) = PairState::UNKNOWN;
                continue;
            }
            let mut bodies = [body(x), body(y)];
            bodies.sort_unstable_by_key(|&body| ranks[body as usize]);
            candidates.push(Candidate { place: place as u32, bodies });
        }
        candidates.sort_unstable_by_key(|pair| pair.bodies.map(|body| ranks[body as usize]));
        Ok(())
    }

    /// What was found, in the order of names.
    fn tell(&self, desk: &Desk, groups: &[MovedGroup], options: &StepOptions, report: &mut StepReport) {
        let outcome = &desk.outcome;
        let pairs = desk.candidates.iter().zip(&desk.answers);
        report.pairs.extend(pairs.map(|(candidate, answer)| {
            let [a, b] = candidate.bodies.map(|body| self.node_of(body));
            PairReport { a, b, verdict: answer.verdict }
        }));
        for (place, group) in groups.iter().enumerate() {
            let (free_until, met) = outcome.earliest[place];
            let first_met = outcome.stopped_by[place].or(met).map(|pair| pair.map(|body| self.node_of(body)));
            let node = self.tree.id(group.slot);
            let stays = options.response == Response::Stay || report.quarantined.contains(&node);
            let reached = if stays { 0.0 } else { outcome.reached[place] };
            report.groups.push(GroupReport { node, reached, free_until, first_met });
        }
        report.groups.sort_unstable_by(|x, y| self.name(x.node).cmp(self.name(y.node)));
        report.quarantined.sort_unstable_by(|x, y| self.name(*x).cmp(self.name(*y)));
    }

    /// Everything where it has come to.
    fn bring(&mut self, desk: &mut Desk, groups: &[MovedGroup], quarantined: &[NodeId]) {
        let Desk { outcome, ways, .. } = desk;
        for (group, &reached) in groups.iter().zip(&outcome.reached) {
            if reached <= 0.0 || quarantined.contains(&self.tree.id(group.slot)) {
                continue;
            }
            let end = if reached < 1.0 { group.course.stopped_at(reached).end() } else { group.course.end() };
            if self.tree.put_places_below(group.slot, end, &mut ways.places).is_ok() {
                self.tree.bring(group.slot, &ways.places);
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

    /// What is known of pairs where the bodies are now: what is proven of where they end, or the distance at the beginning less what they
    /// can have come closer.
    fn keep(&mut self, desk: &Desk, options: &StepOptions) {
        let Desk { candidates, answers, movers, outcome, .. } = desk;
        for (pair, (candidate, answer)) in candidates.iter().zip(answers).enumerate() {
            let less = self.less_travel(candidate, movers, answer);
            let state = match outcome.gaps_at_end[pair] {
                _ if options.response == Response::Stay => answer.state,
                Some(gap) => answer.state.apart_by(gap.max(less)),
                None => PairState { gap: less, apart: less > 0.0, ..answer.state },
            };
            *self.cache.state_mut(candidate.place as usize) = state;
        }
        for mover in movers {
            if let Some(member) = self.member_mut(mover.body) {
                member.changed = false;
            }
        }
    }

    /// **Never more** than the distance of a pair where its bodies end, by that where they began.
    fn less_travel(&self, candidate: &Candidate, movers: &[Mover], answer: &Answer) -> f64 {
        let mover = |body: u32| movers.get(self.member(body)?.mover? as usize);
        let [a, b] = candidate.bodies.map(|body| mover(body).map_or(0.0, |mover| mover.travel));
        add_down(answer.state.gap, -add_up(a, b)).max(0.0)
    }

    fn node_of(&self, body: u32) -> NodeId {
        let slot = self.members[body as usize].as_ref().map_or(0, |member| member.slot);
        self.tree.id(slot)
    }
}
