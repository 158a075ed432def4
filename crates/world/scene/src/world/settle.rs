//! Groups brought up to their contacts, in the order of contact times.

// Why the end of a continuous step is proven free. Every pair is proven free before its `free_until` for the courses it was asked with.
// The earliest of these times that is not the end belongs to some pair; its groups are stopped a little before it, and every pair of
// theirs is asked again with the course cut short, whose last pose is the doubles that will be stored. When no pair has a time before
// the end, all courses are proven free to their ends. It ends: each round cuts a course shorter, and one that was cut `CUTS` times
// stands still; pairs of which neither moves are as they were.
//
// The order of time is right: what is stopped at t moves as before up to t, so no answer about times before t changes but for roundings,
// and those are asked again.

use super::World;
use super::member::holds;
use super::report::{PairVerdict, StepOptions};
use super::step::{Candidate, MovedGroup, Mover};
use kontakt_pair::Query;

/// So often is a course cut before it stands still.
const CUTS: u32 = 8;

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

    /// Stops groups until nothing meets; says how many pairs were asked again.
    pub(super) fn stop(&mut self, movers: &mut [Mover], options: &StepOptions) -> usize {
        let mut asked = 0;
        let mut settled = vec![false; self.candidates.len()];
        while let Some(pair) = self.earliest(&settled) {
            let t = self.verdicts[pair].free_until();
            let mut any = false;
            for group in self.groups_of(pair, movers).into_iter().flatten() {
                if self.reached[group as usize] <= 0.0 || self.reached[group as usize] < t {
                    continue;
                }
                any = true;
                self.cut(group, t, pair, movers);
                for other in 0..self.candidates.len() {
                    if self.groups_of(other, movers).contains(&Some(group)) {
                        self.ask_again(other, movers, options);
                        asked += 1;
                    }
                }
            }
            // Neither moves any more: they began as they are.
            settled[pair] = !any;
        }
        asked
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
    fn cut(&mut self, group: u32, t: f64, pair: usize, movers: &mut [Mover]) {
        let at = group as usize;
        self.cuts[at] += 1;
        self.stopped_by[at] = Some(self.candidates[pair].bodies);
        // From the second time on ever more room: the first was not enough.
        let room = [0.0, 1e-12, 1e-9, 1e-7, 1e-5, 1e-3, 0.03, 0.5].get(self.cuts[at] as usize - 1);
        let stop = room.map_or(0.0, |room| (t * (1.0 - room)).min(self.reached[at]));
        self.reached[at] = if self.cuts[at] > CUTS || !self.moves_to(group, stop, movers) {
            self.moves_to(group, 0.0, movers);
            0.0
        } else {
            stop
        };
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

    fn ask_again(&mut self, pair: usize, movers: &[Mover], options: &StepOptions) {
        let candidate = &self.candidates[pair];
        let state = super::cache::PairState {
            gap: self.world.cache.state(candidate.place as usize).gap,
            wait: 1,
            patience: 1,
        };
        let answer = self.world.ask(&mut self.query, candidate, movers, state, options);
        self.verdicts[pair] = answer.verdict;
    }
}
