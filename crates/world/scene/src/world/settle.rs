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
use super::member::holds;
use super::report::{Mode, PairVerdict, StepOptions};
use super::step::{Candidate, MovedGroup, Mover};
use kontakt_answers::Initial;
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
    verdicts: Vec<PairVerdict>,
    /// How far each group goes along its course.
    reached: Vec<f64>,
    /// The bodies that stopped it.
    stopped_by: Vec<Option<[u32; 2]>>,
    cuts: Vec<u32>,
    query: Query,
}

impl<'a> Settling<'a> {
    pub(super) fn new(
        world: &'a World,
        groups: &'a [MovedGroup],
        candidates: &'a [Candidate],
        verdicts: Vec<PairVerdict>,
    ) -> Settling<'a> {
        let count = groups.len();
        Settling {
            world,
            groups,
            candidates,
            verdicts,
            reached: vec![1.0; count],
            stopped_by: vec![None; count],
            cuts: vec![0; count],
            query: Query::new(),
        }
    }

    /// Of each group the time before which it is free, and the bodies of the pair that it may meet then.
    pub(super) fn earliest_per_group(&self, movers: &[Mover]) -> Vec<(f64, Option<[u32; 2]>)> {
        let mut earliest = vec![(1.0, None); self.groups.len()];
        for (pair, verdict) in self.verdicts.iter().enumerate() {
            if !verdict.is_contact_or_open() {
                continue;
            }
            for group in self.groups_of(pair, movers).into_iter().flatten() {
                let (time, met) = &mut earliest[group as usize];
                if met.is_none() || verdict.free_until() < *time {
                    (*time, *met) = (verdict.free_until(), Some(self.candidates[pair].bodies));
                }
            }
        }
        earliest
    }

    /// How far each group goes, and what stops it.
    pub(super) fn outcome(self) -> (Vec<f64>, Vec<Option<[u32; 2]>>) {
        (self.reached, self.stopped_by)
    }

    /// Stops groups until nothing meets; says how many pairs were asked again. After the deadline all that are concerned stand still.
    pub(super) fn stop(&mut self, movers: &mut [Mover], options: &StepOptions, deadline: Deadline) -> usize {
        let mut asked = 0;
        let mut settled = vec![false; self.candidates.len()];
        let by_group = self.pairs_by_group(movers);
        while let Some(pair) = self.earliest(&settled) {
            let t = self.verdicts[pair].free_until();
            let mut any = false;
            for group in self.groups_of(pair, movers).into_iter().flatten() {
                if self.reached[group as usize] <= 0.0 || self.reached[group as usize] < t {
                    continue;
                }
                any = true;
                if deadline.has_passed() {
                    self.stand_still(group, pair, &by_group, movers);
                    continue;
                }
                self.cut(group, t, pair, movers, options);
                for &other in &by_group[group as usize] {
                    self.ask_again(other, group, movers, options, deadline);
                    asked += 1;
                }
            }
            // Neither moves any more: they began as they are.
            settled[pair] = !any;
        }
        asked
    }

    /// The pairs of each group.
    fn pairs_by_group(&self, movers: &[Mover]) -> Vec<Vec<usize>> {
        let mut pairs = vec![Vec::new(); self.groups.len()];
        for pair in 0..self.candidates.len() {
            for group in self.groups_of(pair, movers).into_iter().flatten() {
                pairs[group as usize].push(pair);
            }
        }
        pairs
    }

    /// A group stays where it was, and with it all that move and were asked about with it, and so on: nothing needs to be asked, since all
    /// stand as they stood.
    fn stand_still(&mut self, group: u32, pair: usize, by_group: &[Vec<usize>], movers: &mut [Mover]) {
        let mut open = vec![(group, pair)];
        while let Some((group, pair)) = open.pop() {
            if self.reached[group as usize] <= 0.0 {
                continue;
            }
            self.reached[group as usize] = 0.0;
            self.stopped_by[group as usize] = Some(self.candidates[pair].bodies);
            self.moves_to(group, 0.0, movers);
            for &pair in &by_group[group as usize] {
                open.extend(self.groups_of(pair, movers).into_iter().flatten().map(|other| (other, pair)));
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
    fn groups_of(&self, pair: usize, movers: &[Mover]) -> [Option<u32>; 2] {
        self.candidates[pair]
            .bodies
            .map(|body| movers.get(self.world.member(body)?.mover? as usize).and_then(|mover| mover.group))
    }

    /// Stops a group before a time.
    fn cut(&mut self, group: u32, t: f64, pair: usize, movers: &mut [Mover], options: &StepOptions) {
        let at = group as usize;
        self.stopped_by[at] = Some(self.candidates[pair].bodies);
        // From the second time on ever more room: the first was not enough.
        let room = self.room(pair, movers, options) * 4.0_f64.powi(self.cuts[at].cast_signed());
        self.cuts[at] += 1;
        let stop = (t - room).clamp(0.0, self.reached[at]);
        self.reached[at] = if self.cuts[at] > CUTS || !self.moves_to(group, stop, movers) {
            self.moves_to(group, 0.0, movers);
            0.0
        } else {
            stop
        };
    }

    /// The time in which the bodies of a pair come closer by no more than the skin, if they travel evenly; at least that of some roundings.
    fn room(&self, pair: usize, movers: &[Mover], options: &StepOptions) -> f64 {
        let bodies = self.candidates[pair].bodies.map(|body| self.world.member(body));
        let travel: f64 = bodies
            .iter()
            .flatten()
            .filter_map(|member| movers.get(member.mover? as usize))
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
    fn moves_to(&self, group: u32, stop: f64, movers: &mut [Mover]) -> bool {
        let whole = &self.groups[group as usize];
        let cut = MovedGroup { slot: whole.slot, course: whole.course.stopped_at(stop) };
        let Ok(members) = self.world.members(&cut, group) else { return false };
        for new in members {
            let Some(member) = self.world.member(new.body) else { return false };
            let inside = self
                .world
                .broad
                .get(member.box_id)
                .is_some_and(|b| holds(&b, &member.swept_box(&new.motion)));
            let Some(mover) = member.mover.and_then(|mover| movers.get_mut(mover as usize)) else {
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
    fn ask_again(
        &mut self,
        pair: usize,
        group: u32,
        movers: &[Mover],
        options: &StepOptions,
        deadline: Deadline,
    ) {
        let stop = self.reached[group as usize];
        let mut others = self.groups_of(pair, movers).into_iter().flatten().filter(|&other| other != group);
        let other_rests = others.all(|other| self.reached[other as usize] <= stop);
        let candidate = &self.candidates[pair];
        if options.mode == Mode::Continuous && other_rests && self.verdicts[pair].free_until() >= stop {
            let end = |body: u32| {
                let member = self.world.member(body)?;
                let mover = member.mover.and_then(|mover| movers.get(mover as usize));
                let pose =
                    mover.map_or(self.world.tree.world(member.slot), |mover| mover.motion.pose_at(1.0));
                Some(Placed::new(&member.body, pose))
            };
            if let (Some(a), Some(b)) = (end(candidate.bodies[0]), end(candidate.bodies[1]))
                && self.query.distance(a, b).range.lo() > 0.0
            {
                self.verdicts[pair] = PairVerdict::Free { initial: Initial::Separate };
                return;
            }
        }
        if deadline.has_passed() {
            self.verdicts[pair] = PairVerdict::Undecided { free_until: 0.0, at_end: None };
            return;
        }
        let gap = self.world.cache.state(candidate.place as usize).gap;
        let state = super::cache::PairState { gap, wait: 1, patience: 1 };
        let rests = candidate.bodies.map(|body| self.world.rest(body));
        let motion = MotionOptions { deadline, ..options.motion };
        let options = &StepOptions { motion, ..*options };
        if let Some(mut pursuit) = self.world.pursuit(candidate, movers, &rests, state, options) {
            pursuit.finish(&mut self.query);
            self.verdicts[pair] = pursuit.verdict;
        }
    }
}
