//! A small world of soft balls of several sizes, as roundings make it: pairs push each other apart one after the other, so any other
//! order, a stale copy or a lost pair gives other bits. Built from the room's parts as a real solver is.

use kontakt_distributed::{
    Change, Comm, CommError, Cut, Extent, Grid, Placed, Plan, Record, Territory, Weights,
};
use kontakt_math::DVec3;
use std::collections::BTreeMap;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ball {
    pub(crate) id: u64,
    pub(crate) radius: f64,
    pub(crate) at: DVec3,
    pub(crate) velocity: DVec3,
}

const DT: f64 = 0.02;
const SWEEPS: u32 = 3;

impl Ball {
    pub(crate) fn some(random: &mut fastrand::Rng, count: u64) -> Vec<Ball> {
        let mut number = |most: f64| (random.f64() * 2.0 - 1.0) * most;
        (0..count)
            .map(|k| Ball {
                id: k * 3 + 1,
                radius: if k % 20 == 0 { 1.3 } else { 0.3 + 0.1 * number(1.0) },
                at: DVec3::new(number(4.0), number(2.5), number(2.5)),
                velocity: DVec3::new(number(3.0), number(3.0), number(3.0)),
            })
            .collect()
    }

    pub(crate) fn record(&self) -> Record {
        let words = [[self.radius, 0.0, 0.0], self.at.to_array(), self.velocity.to_array()];
        Record { id: self.id, bytes: words.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect() }
    }

    pub(crate) fn read(record: &Record) -> Ball {
        let x: Vec<f64> =
            record.bytes.chunks(8).map(|word| f64::from_le_bytes(word.try_into().unwrap())).collect();
        Ball {
            id: record.id,
            radius: x[0],
            at: DVec3::from_slice(&x[3..]),
            velocity: DVec3::from_slice(&x[6..]),
        }
    }

    fn extent(&self) -> Extent {
        Extent::new(self.at - self.radius, self.at + self.radius).unwrap()
    }

    fn placed(&self) -> Placed {
        Placed { extent: self.extent(), record: self.record() }
    }
}

/// One rank's part of the world.
pub(crate) struct Part {
    pub(crate) own: Vec<Ball>,
    cut: Cut,
    grid: Grid,
    pub(crate) step: u64,
    pub(crate) cuts: u32,
    pub(crate) most_ghosts: usize,
}

impl Part {
    /// Balls may lie on any rank.
    pub(crate) fn new(comm: &dyn Comm, balls: Vec<Ball>, step: u64) -> Part {
        let cut = Cut::even(comm.size());
        Part { own: balls, cut, grid: Grid::new(0.4).unwrap(), step, cuts: 0, most_ghosts: 0 }
    }

    pub(crate) fn advance(&mut self, comm: &dyn Comm) -> Result<(), CommError> {
        let extents: Vec<Extent> = self.own.iter().map(Ball::extent).collect();
        let territory = Territory::new(comm, self.grid, self.cut.clone(), &extents)?;
        let home = territory.migrate(comm, self.own.iter().map(Ball::placed).collect())?;
        let ghosts = territory.ghosts(comm, &home)?;
        self.most_ghosts = self.most_ghosts.max(ghosts.len());
        let own = home.iter().map(|placed| placed.record.id).collect::<Vec<_>>();
        let mut all: Vec<Ball> =
            home.iter().chain(&ghosts).map(|placed| Ball::read(&placed.record)).collect();
        all.sort_by_key(|ball| ball.id);

        let pairs = pairs_of(&territory, &all, comm.rank());
        let mut changes = Vec::new();
        for (&(colour, _), list) in &pairs {
            for k in list.iter().flat_map(|&(a, b)| [a, b]) {
                changes.push(Change { colour, id: all[k].id, readers: territory.readers(&all[k].extent()) });
            }
        }
        let ids: Vec<u64> = all.iter().map(|ball| ball.id).collect();
        let plan = Plan::agree(comm, &changes, &ids)?;
        let colours: Vec<u32> = (0..64).collect();
        for _ in 0..SWEEPS {
            for &colour in &colours {
                for (_, list) in pairs.range((colour, 0)..(colour + 1, 0)) {
                    for &(a, b) in list {
                        push(&mut all, a, b);
                    }
                }
                let now = all.clone();
                let get = |at: usize| now[at].velocity.to_array().map(f64::to_bits);
                plan.exchange(comm, colour, get, |at, bits: [u64; 3]| {
                    all[at].velocity = bits.map(f64::from_bits).into();
                })?;
            }
        }
        for ball in &mut all {
            ball.velocity -= ball.at * (0.5 * DT);
            ball.at += ball.velocity * DT;
        }
        all.retain(|ball| own.binary_search(&ball.id).is_ok());
        self.own = all;
        self.step += 1;
        self.balance(comm, &territory)
    }

    fn balance(&mut self, comm: &dyn Comm, territory: &Territory) -> Result<(), CommError> {
        if !self.step.is_multiple_of(4) {
            return Ok(());
        }
        // Balls have moved: first home, so that weights lie on the owners of their cells.
        let placed = self.own.iter().map(Ball::placed).collect();
        let home = territory.migrate(comm, placed)?;
        self.own = home.iter().map(|placed| Ball::read(&placed.record)).collect();
        let weights: Vec<(u64, u64)> = home.iter().map(|placed| (key(territory, placed), 1)).collect();
        let weights: &Weights = &weights;
        if let Some(cut) = self.cut.rebalanced(comm, weights)? {
            self.cut = cut;
            self.cuts += 1;
        }
        Ok(())
    }
}

fn key(territory: &Territory, placed: &Placed) -> u64 {
    let level = territory.grid.level(&placed.extent);
    territory.grid.cell(level, (placed.extent.min + placed.extent.max) * 0.5).key()
}

type Pairs = BTreeMap<(u32, u64), Vec<(usize, usize)>>;

/// Pairs of the cells that a rank owns, by colour and cell, by ids within.
fn pairs_of(territory: &Territory, all: &[Ball], rank: usize) -> Pairs {
    let mut pairs = Pairs::new();
    for b in 0..all.len() {
        for a in 0..b {
            let Some(cell) = territory.cell_of_pair(&all[a].extent(), &all[b].extent()) else { continue };
            if territory.owner(cell) == rank {
                pairs.entry((cell.level * 8 + cell.colour(), cell.key())).or_default().push((a, b));
            }
        }
    }
    for list in pairs.values_mut() {
        list.sort_unstable();
    }
    pairs
}

fn push(all: &mut [Ball], a: usize, b: usize) {
    let (way, reach) = (all[b].at - all[a].at, all[a].radius + all[b].radius);
    let gap = way.length() - reach;
    if gap >= 0.0 {
        return;
    }
    let normal = way.normalize_or_zero();
    let speed = (all[b].velocity - all[a].velocity).dot(normal);
    let want = -0.3 * gap / DT;
    if speed < want {
        let (ma, mb) = (all[a].radius.powi(3), all[b].radius.powi(3));
        let push = 0.8 * (want - speed) * ma * mb / (ma + mb);
        all[a].velocity -= normal * (push / ma);
        all[b].velocity += normal * (push / mb);
    }
}

/// The same for any split: the sum of the hashes of the balls.
pub(crate) fn hash(comm: &dyn Comm, own: &[Ball]) -> Result<u64, CommError> {
    let one = |ball: &Ball| {
        let record = ball.record();
        record.bytes.iter().fold(record.id ^ 0xcbf2_9ce4_8422_2325, |sum, &byte| {
            (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    };
    comm.sum_u64(own.iter().map(one).fold(0, u64::wrapping_add))
}
