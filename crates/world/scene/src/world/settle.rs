//! Groups brought up to their contacts, in the order of contact times.

// Why a continuous step ends free. Every pair is proven free before its `free_until` for the courses it was asked with. The earliest of
// these times belongs to some pair; its groups are stopped before it, with some room (the skin). Of every pair of a group that was stopped at t:
// - if the other body rests from t on, the pair was proven free up to t, and nothing moves after it: what is left is that the pose
//   stored is rounded, and the distance of the bodies at the stored poses is asked, which must be above 0;
// - if it moves on, the pair is asked again, with the course cut short.
// When no pair has a time before the end, all courses are free to their ends. It ends: each round cuts a course shorter, and one that was cut
// `CUTS` times stands still; pairs of which neither moves are as they were.
//
// The order of time is right: what is stopped at t moves as before up to t, so no answer about times before t changes.
//
// Without the skin the next step would begin with gaps of the size of roundings, which no search in doubles can tell from contact.

use super::World;
use super::ask::{Answer, StepClock};
use super::cache::PairState;
use super::desk::{Desk, Outcome, Ways};
use super::member::holds;
use super::pursuit::{Spare, gap_at_rest};
use super::report::{Mode, PairVerdict, StepOptions};
use super::step::{Candidate, MovedGroup, Mover};
use kontakt_answers::Initial;
use kontakt_math::round::{add_down, add_up};
use kontakt_pair::{Placed, Query};
use kontakt_rigid_ccd::MotionOptions;
use kontakt_schedule::Deadline;

/// So often is a course cut before it stands still.
const CUTS: u32 = 8;
/// The skin, as a part of a body's size.
const SKIN: f64 = 1e-6;

/// The state of a step between asking and moving.
pub(super) struct Settling<'a> {
    world: &'a World,
    groups: &'a [MovedGroup],
    candidates: &'a [Candidate],
    answers: &'a [Answer],
    movers: &'a mut Vec<Mover>,
    outcome: &'a mut Outcome,
    ways: &'a mut Ways,
    query: &'a mut Query,
    /// As far as they are asked again.
    verdicts: Vec<PairVerdict>,
    cuts: Vec<u32>,
    deadline: Deadline,
    /// Units of work left.
    left: u64,
}

impl<'a> Settling<'a> {
    pub(super) fn new(
        world: &'a World,
        groups: &'a [MovedGroup],
        desk: &'a mut Desk,
        clock: &StepClock,
    ) -> Settling<'a> {
        let Desk { candidates, answers, movers, outcome, ways, query, .. } = desk;
        outcome.begin(groups.len(), answers);
        let (verdicts, cuts) = (Vec::new(), Vec::new());
        let (deadline, left) = (clock.deadline, clock.for_settling());
        Settling {
            world,
            groups,
            candidates,
            answers,
            movers,
            outcome,
            ways,
            query,
            verdicts,
            cuts,
            deadline,
            left,
        }
    }

    /// Of each group the time before which it is free, and the bodies of the pair that it may meet then.
    pub(super) fn find_earliest(&mut self) {
        for (pair, Answer { verdict, .. }) in self.answers.iter().enumerate() {
            if !verdict.is_contact_or_open() {
                continue;
            }
            for group in self.groups_of(pair).into_iter().flatten() {
                let (time, met) = &mut self.outcome.earliest[group as usize];
                if met.is_none() || verdict.free_until() < *time {
                    (*time, *met) = (verdict.free_until(), Some(self.candidates[pair].bodies));
                }
            }
        }
    }

    /// Stops groups until nothing meets; says how many pairs were asked again. Where the time, or the units, are used up all that are concerned
    /// stand still.
    pub(super) fn stop(&mut self, options: &StepOptions) -> usize {
        if !self.answers.iter().any(|answer| answer.verdict.is_contact_or_open()) {
            return 0;
        }
        self.verdicts = self.answers.iter().map(|answer| answer.verdict).collect();
        self.cuts = vec![0; self.groups.len()];
        let mut asked = 0;
        let mut settled = vec![false; self.candidates.len()];
        let by_group = self.pairs_by_group();
        while let Some(pair) = self.earliest(&settled) {
            let t = self.verdicts[pair].free_until();
            let mut any = false;
            for group in self.groups_of(pair).into_iter().flatten() {
                let reached = self.outcome.reached[group as usize];
                if reached <= 0.0 || reached < t {
                    continue;
                }
                any = true;
                if self.is_spent() {
                    self.stand_still(group, pair, &by_group);
                    continue;
                }
                self.cut(group, t, pair, options);
                for &other in &by_group[group as usize] {
                    self.ask_again(other, group, options);
                    asked += 1;
                }
            }
            // Neither moves any more: they began as they are.
            settled[pair] = !any;
        }
        asked
    }

    fn is_spent(&self) -> bool {
        self.left == 0 || self.deadline.has_passed()
    }

    /// The pairs of each group.
    fn pairs_by_group(&self) -> Vec<Vec<usize>> {
        let mut pairs = vec![Vec::new(); self.groups.len()];
        for pair in 0..self.candidates.len() {
            for group in self.groups_of(pair).into_iter().flatten() {
                pairs[group as usize].push(pair);
            }
        }
        pairs
    }

    /// A group stays where it was, and with it all that move and were asked about with it, and so on: nothing needs to be asked, since all
    /// stand as they stood.
    fn stand_still(&mut self, group: u32, pair: usize, by_group: &[Vec<usize>]) {
        let mut open = vec![(group, pair)];
        while let Some((group, pair)) = open.pop() {
            if self.outcome.reached[group as usize] <= 0.0 {
                continue;
            }
            self.outcome.reached[group as usize] = 0.0;
            self.outcome.stopped_by[group as usize] = Some(self.candidates[pair].bodies);
            self.moves_to(group, 0.0);
            for &pair in &by_group[group as usize] {
                self.outcome.gaps_at_end[pair] = None;
                open.extend(self.groups_of(pair).into_iter().flatten().map(|other| (other, pair)));
            }
        }
    }

    /// The pair with the least time before the end; of equals the first by name.
    fn earliest(&self, settled: &[bool]) -> Option<usize> {
        let open = (0..self.verdicts.len())
            .filter(|&pair| !settled[pair] && self.verdicts[pair].is_contact_or_open());
        open.min_by(|&x, &y| self.verdicts[x].free_until().total_cmp(&self.verdicts[y].free_until()))
    }

    /// The groups of a pair's bodies, where they move.
    fn groups_of(&self, pair: usize) -> [Option<u32>; 2] {
        self.candidates[pair].bodies.map(|body| {
            self.movers.get(self.world.member(body)?.mover? as usize).and_then(|mover| mover.group)
        })
    }

    /// Stops a group before a time.
    fn cut(&mut self, group: u32, t: f64, pair: usize, options: &StepOptions) {
        let at = group as usize;
        self.outcome.stopped_by[at] = Some(self.candidates[pair].bodies);
        // From the second time on ever more room: the first was not enough.
        let room = self.room(pair, options) * 4.0_f64.powi(self.cuts[at].cast_signed());
        self.cuts[at] += 1;
        let stop = (t - room).clamp(0.0, self.outcome.reached[at]);
        self.outcome.reached[at] = if self.cuts[at] > CUTS || !self.moves_to(group, stop) {
            self.moves_to(group, 0.0);
            0.0
        } else {
            stop
        };
    }

    /// The time in which the bodies of a pair come closer by no more than the skin, if they travel evenly; at least that of some roundings.
    fn room(&self, pair: usize, options: &StepOptions) -> f64 {
        let bodies = self.candidates[pair].bodies.map(|body| self.world.member(body));
        let travel: f64 = bodies
            .iter()
            .flatten()
            .filter_map(|member| self.movers.get(member.mover? as usize))
            .map(|mover| mover.travel)
            .sum();
        let sizes = bodies.iter().flatten().map(|member| member.radius()).filter(|radius| radius.is_finite());
        let size = sizes.fold(0.0, f64::max);
        let skin = options.skin.unwrap_or(SKIN * size);
        let room = skin / travel;
        if room.is_finite() { room.max(1e-12) } else { 1e-12 }
    }

    /// Gives a group's bodies the motions of a course that stops at a time; false where that leads out of the boxes in which partners were
    /// looked for, or out of the doubles.
    fn moves_to(&mut self, group: u32, stop: f64) -> bool {
        let whole = &self.groups[group as usize];
        let cut = MovedGroup { slot: whole.slot, course: whole.course.stopped_at(stop) };
        let mut members = Vec::new();
        if self.world.add_members(&cut, group, self.ways, &mut members).is_err() {
            return false;
        }
        for new in members {
            let Some(member) = self.world.member(new.body) else { return false };
            let inside = self
                .world
                .broad
                .get(member.box_id)
                .is_some_and(|b| holds(&b, &member.swept_box(&new.motion)));
            let Some(mover) = member.mover.and_then(|mover| self.movers.get_mut(mover as usize)) else {
                return false;
            };
            if !inside {
                return false;
            }
            *mover = new;
        }
        true
    }

    /// Asks about a pair of a group that was just stopped.
    fn ask_again(&mut self, pair: usize, group: u32, options: &StepOptions) {
        let stop = self.outcome.reached[group as usize];
        let mut others = self.groups_of(pair).into_iter().flatten().filter(|&other| other != group);
        let other_rests = others.all(|other| self.outcome.reached[other as usize] <= stop);
        if options.mode == Mode::Continuous && other_rests && self.verdicts[pair].free_until() >= stop {
            let gap = self.gap_at_end(pair);
            if gap.is_some() {
                self.outcome.gaps_at_end[pair] = gap;
                self.verdicts[pair] = PairVerdict::Free { initial: Initial::Separate };
                return;
            }
        }
        let from = if options.mode == Mode::Continuous { self.apart_before(pair, stop) } else { 0.0 };
        self.outcome.gaps_at_end[pair] = None;
        self.verdicts[pair] = PairVerdict::Undecided { free_until: 0.0, at_end: None };
        if self.is_spent() {
            return;
        }
        let candidate = &self.candidates[pair];
        let state = PairState { wait: 1, patience: 1, ..self.known(pair) };
        let rests = candidate.bodies.map(|body| self.world.rest(body));
        let motion =
            MotionOptions { deadline: options.motion.deadline.earlier(self.deadline), ..options.motion };
        let options = &StepOptions { motion, ..*options };
        let known = (state, from, Spare::default());
        if let Some(mut pursuit) = self.world.pursuit(candidate, self.movers, &rests, known, options) {
            pursuit.finish_within(self.query, &mut self.left);
            self.verdicts[pair] = pursuit.verdict;
            self.outcome.gaps_at_end[pair] = pursuit.known_at_end();
        }
    }

    /// The time at which a group was stopped, if a pair of it is proven apart before: up to then all moves as it did; else 0.
    fn apart_before(&self, pair: usize, stop: f64) -> f64 {
        let verdict = &self.verdicts[pair];
        let began_apart = self.known(pair).apart
            || match verdict {
                PairVerdict::Free { initial } => *initial == Initial::Separate,
                PairVerdict::Contact { initial, .. } => *initial == Some(Initial::Separate),
                _ => false,
            };
        if began_apart && verdict.free_until() >= stop { stop } else { 0.0 }
    }

    /// What is known of a pair where the step begins.
    fn known(&self, pair: usize) -> PairState {
        self.answers[pair].state
    }

    /// **Never more** than how far the bodies of a pair are apart where their courses end now; none where they are not proven apart.
    fn gap_at_end(&mut self, pair: usize) -> Option<f64> {
        let [a, b] = self.candidates[pair].bodies.map(|body| {
            let member = self.world.member(body)?;
            Some((member, member.mover.and_then(|mover| self.movers.get(mover as usize))))
        });
        let (a, b) = (a?, b?);
        let travel = |mover: Option<&Mover>| mover.map_or(0.0, |mover| mover.travel);
        let left = add_down(self.known(pair).gap, -add_up(travel(a.1), travel(b.1)));
        if left > 0.0 {
            return Some(left);
        }
        let [a, b] = [a, b].map(|(member, mover)| {
            let rests = || self.world.tree.world(member.slot);
            Placed::new(&member.body, mover.map_or_else(rests, |mover| mover.motion.pose_at(1.0)))
        });
        gap_at_rest(self.query, a, b, &mut self.left)
    }
}
