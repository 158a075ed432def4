//! The pivot search (Gärtner 1999; Fischer and Gärtner 2003 for balls): settle a ball on a sample, then walk over all
//! data block by block; whoever sticks out joins the support. What a block reached is remembered with the centre
//! it was measured from, so that later walks look again only at blocks that could reach out of the new ball.

use super::certificate;
use super::double_double::DoubleDouble;
use super::sites::{self, Sites};
use super::support::{self, Held};
use crate::ball::Sphere;
use kontakt_math::{DVec3, U};

/// Sites a block: some kilobytes, so that its farthest one is found again in cache.
const BLOCK: usize = 128;
/// Sites of the first guess.
const SAMPLE: usize = 256;
/// A pivot search that needs more steps than this is going in circles.
const MOST_PIVOTS: usize = 100_000;
/// Relative overhang that the search in plain doubles ignores.
const ROUGH: f64 = 1e-11;
/// Relative overhang that the search in double-doubles ignores. The certificate loses up to 40u and the measured reach up
/// to 7u to rounding, so less could not be told from noise.
const PRECISE: f64 = 64.0 * U;

/// What the search found.
pub(super) struct Found {
    /// Centre.
    pub centre: DVec3,
    /// **Never less** than the exact reach of any site from the centre.
    pub reach_above: f64,
    /// **Never more** than the radius of the smallest ball.
    pub radius_below: f64,
    /// Indices of the sites that hold the ball.
    pub support: Vec<usize>,
}

/// How much arithmetic a pivot spends, from little to much. Going in circles with one leads to the next.
#[derive(Clone, Copy, PartialEq)]
enum Effort {
    /// Plain doubles.
    Rough,
    /// The support is chosen in doubles and solved in double-doubles.
    Mixed,
    /// The support is chosen and solved in double-doubles.
    Full,
    /// Rounding, not geometry, decides by now: keep the ball as it is.
    Done,
}

/// The ball held by the current support.
struct Basis {
    members: Vec<usize>,
    centre: DVec3,
    radius_below: f64,
    /// Sites may reach this far without being asked to join.
    limit: f64,
}

struct Search<'a, S: Sites + ?Sized> {
    sites: &'a S,
    basis: Basis,
    /// Sites that matter: the sample and all that ever stuck out.
    active: Vec<(usize, Sphere)>,
    /// Supports seen, to notice going in circles.
    history: Vec<Vec<usize>>,
    effort: Effort,
}

/// Smallest ball of `sites` (at least one), from the guess that `warm` supports it.
/// `None` when a number is not finite, overflows, or is too small for squares.
pub(super) fn search<S: Sites + ?Sized>(sites: &S, warm: &[usize]) -> Option<Found> {
    let first = warm.first().copied().unwrap_or(0);
    let mut search = Search {
        sites,
        basis: Basis { members: vec![first], centre: DVec3::ZERO, radius_below: 0.0, limit: 0.0 },
        active: Vec::with_capacity(SAMPLE + warm.len() + 64),
        history: Vec::new(),
        effort: Effort::Rough,
    };
    search.sample(warm);
    search.solve_again();
    search.settle();
    if search.effort == Effort::Rough {
        search.spend_more();
        search.settle();
    }
    let reach_above = search.cover()?;
    let Basis { members, centre, radius_below, .. } = search.basis;
    // Squares of distances around this radius are far from under- and overflow: ±330 binary places.
    let tame = (1e-99..1e99).contains(&reach_above);
    tame.then_some(Found { centre, reach_above, radius_below, support: members })
}

impl<S: Sites + ?Sized> Search<'_, S> {
    /// Evenly spread sites and the warm ones.
    fn sample(&mut self, warm: &[usize]) {
        let count = self.sites.count();
        let picked = SAMPLE.min(count);
        let spread = (0..picked).map(|i| i * count / picked);
        for index in warm.iter().copied().chain(spread) {
            self.active.push((index, self.sites.ball(index)));
        }
    }

    /// Pivots until no active site sticks out.
    fn settle(&mut self) {
        while self.effort != Effort::Done {
            let mut far = (0, 0.0);
            for (index, ball) in &self.active {
                let reach = sites::reach(ball, self.basis.centre);
                if reach > far.1 {
                    far = (*index, reach);
                }
            }
            if far.1 <= self.basis.limit {
                return;
            }
            self.pivot(far.0);
        }
    }

    /// Lets a site that sticks out join the support; spends more effort when that leads nowhere new.
    fn pivot(&mut self, index: usize) {
        if self.basis.members.contains(&index) || self.history.len() >= MOST_PIVOTS {
            return self.spend_more();
        }
        let mut members = self.basis.members.clone();
        members.push(index);
        let balls = self.balls(&members);
        let held = match self.effort {
            Effort::Full | Effort::Done => support::hold::<DoubleDouble>(&balls),
            Effort::Rough | Effort::Mixed => support::hold::<f64>(&balls),
        };
        let members = holding(&members, &held);
        let mut key = members.clone();
        key.sort_unstable();
        if self.history.contains(&key) {
            return self.spend_more();
        }
        self.history.push(key);
        if self.effort == Effort::Mixed {
            self.basis.members = members;
            self.solve_again();
        } else {
            self.adopt(members, &balls, &held);
        }
    }

    fn spend_more(&mut self) {
        self.effort = match self.effort {
            Effort::Rough => Effort::Mixed,
            Effort::Mixed => Effort::Full,
            Effort::Full | Effort::Done => Effort::Done,
        };
        if self.effort != Effort::Done {
            self.history.clear();
            self.solve_again();
        }
    }

    /// Solves the current support anew with the current effort.
    fn solve_again(&mut self) {
        let members = self.basis.members.clone();
        let balls = self.balls(&members);
        let held = match self.effort {
            Effort::Rough => support::hold_all::<f64>(&balls),
            _ => support::hold_all::<DoubleDouble>(&balls),
        };
        self.adopt(holding(&members, &held), &balls, &held);
    }

    fn balls(&self, members: &[usize]) -> Vec<Sphere> {
        members.iter().map(|&i| self.sites.ball(i)).collect()
    }

    fn adopt(&mut self, members: Vec<usize>, balls: &[Sphere], held: &Held) {
        let tolerance = if self.effort == Effort::Rough { ROUGH } else { PRECISE };
        let radius_below = certificate::radius_below(balls, held);
        // The centre is rounded to doubles, by at most u a coordinate; nothing can be fitted more finely than that.
        let rounding = 4.0 * U * held.centre.abs().max_element();
        let limit = radius_below * (1.0 + tolerance) + rounding;
        self.basis = Basis { members, centre: held.centre, radius_below, limit };
    }

    /// Walks over all blocks until the ball covers them; returns a proven reach of all sites from the final centre.
    fn cover(&mut self) -> Option<f64> {
        let count = self.sites.count();
        let mut walk = Walk { records: vec![(f64::INFINITY, 0); count.div_ceil(BLOCK)], centres: Vec::new() };
        walk.centres.push(self.basis.centre);
        loop {
            let centres_before = walk.centres.len();
            let mut travel = walk.travel(self.basis.centre);
            for block in 0..walk.records.len() {
                if walk.bound(block, &travel) <= self.basis.limit {
                    continue;
                }
                let range = block * BLOCK..count.min((block + 1) * BLOCK);
                let moved = self.cover_block(range, block, &mut walk)?;
                if moved {
                    travel = walk.travel(self.basis.centre);
                }
            }
            if walk.centres.len() == centres_before {
                let reach =
                    (0..walk.records.len()).map(|block| walk.bound(block, &travel)).fold(0.0, f64::max);
                return Some(reach);
            }
        }
    }

    /// Measures one block, and lets its sites join until none sticks out; whether the centre moved.
    fn cover_block(&mut self, range: std::ops::Range<usize>, block: usize, walk: &mut Walk) -> Option<bool> {
        let mut moved = false;
        loop {
            let reach = self.sites.reach_above(range.clone(), self.basis.centre);
            if !reach.is_finite() {
                return None;
            }
            walk.records[block] = (reach, walk.centres.len() - 1);
            if reach <= self.basis.limit || self.effort == Effort::Done {
                return Some(moved);
            }
            let mut far = (range.start, -1.0);
            for index in range.clone() {
                let reach = sites::reach(&self.sites.ball(index), self.basis.centre);
                if reach > far.1 {
                    far = (index, reach);
                }
            }
            self.active.push((far.0, self.sites.ball(far.0)));
            self.pivot(far.0);
            self.settle();
            walk.centres.push(self.basis.centre);
            moved = true;
        }
    }
}

/// Those of the members that hold the ball.
fn holding(members: &[usize], held: &Held) -> Vec<usize> {
    (0..members.len()).filter(|i| held.members & (1 << i) != 0).map(|i| members[i]).collect()
}

/// What is known of each block: how far it reached, from which of the centres so far.
struct Walk {
    records: Vec<(f64, usize)>,
    centres: Vec<DVec3>,
}

impl Walk {
    /// For each earlier centre, never less than its exact distance from `centre`.
    fn travel(&self, centre: DVec3) -> Vec<f64> {
        // The difference is off by u relative, `length_up` rounds up itself.
        let way = |c: &DVec3| {
            let difference = centre - *c;
            if difference == DVec3::ZERO {
                0.0
            } else {
                kontakt_math::round::length_up(difference) * (1.0 + 4.0 * U)
            }
        };
        self.centres.iter().map(way).collect()
    }

    /// Never less than the block's reach now: the triangle inequality |p − c'| ≤ |p − c| + |c − c'|, rounded up.
    fn bound(&self, block: usize, travel: &[f64]) -> f64 {
        let (reach, version) = self.records[block];
        match travel.get(version) {
            Some(0.0) => reach,
            Some(way) => (reach + way).next_up(),
            None => f64::INFINITY,
        }
    }
}
