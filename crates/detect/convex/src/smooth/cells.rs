//! Proof of a penetration depth: cells that cover all directions, each with an upper bound of the gap in it.

use super::ascent::Stand;
use super::cap::Cap;
use super::model::Model;
use super::pair::{Pair, tangents};
use super::quadric::{Cells8, LANES, Quadric};
use super::summit::summit;
use kontakt_math::{DVec3, U};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A square of a cube's face around the sphere of directions.
#[derive(Clone, Copy, Debug)]
struct Cell {
    face: u8,
    x: f64,
    y: f64,
    half: f64,
}

impl Cell {
    fn roots() -> [Cell; 24] {
        std::array::from_fn(|i| {
            let side = |bit: usize| if i & bit == 0 { -0.5 } else { 0.5 };
            Cell { face: (i / 4) as u8, x: side(1), y: side(2), half: 0.5 }
        })
    }

    fn centre(&self) -> DVec3 {
        let (x, y) = (self.x, self.y);
        let v = match self.face >> 1 {
            0 => DVec3::new(1.0, x, y),
            1 => DVec3::new(y, 1.0, x),
            _ => DVec3::new(x, y, 1.0),
        };
        if self.face & 1 == 0 { v } else { -v }
    }

    /// **Never less** than the distance of a unit vector in the cell from the unit vector of the centre. A point p of the
    /// face's plane moves its unit vector by at most |dp|/|p|, and |p| ≥ max(1, |centre| − half diagonal).
    fn radius(&self, length: f64) -> f64 {
        let diagonal = self.half * std::f64::consts::SQRT_2;
        diagonal / (length - diagonal).max(1.0) * (1.0 + 16.0 * U) + 8.0 * U
    }

    fn quarters(&self) -> [Cell; 4] {
        let half = 0.5 * self.half;
        [(-half, -half), (half, -half), (-half, half), (half, half)].map(|(dx, dy)| Cell {
            face: self.face,
            x: self.x + dx,
            y: self.y + dy,
            half,
        })
    }
}

/// The outcome of a search over all directions.
#[derive(Clone, Debug)]
pub(super) struct Deepest {
    /// The direction of the largest gap found.
    pub(super) best: Cap,
    /// No direction has a larger gap than this (computed, noise not added).
    pub(super) ceiling: f64,
    /// **Never less** than the angle between the best direction and a maximum.
    pub(super) spread: f64,
}

/// Cells at most in one proof.
const BUDGET: usize = 20_000;
/// More cells of one size than this show that many directions are alike. The normal will not be told then, and the depth
/// only by splitting what leaves the most open.
const MANY: usize = 1_000;
/// Cells are not split further than this.
const LEAST: f64 = 1e-9;
/// A bound that is above the gap by no more noises than this is good enough.
const CLOSE: f64 = 16.0;

/// Finds the largest (negative) gap over all directions and proves it, as well as the budget lets it. No gap is larger than `known`:
/// where that is as good as reached, only the spread is left to find out.
pub(super) fn deepest(pair: &Pair, start: Stand, known: f64) -> Deepest {
    let mut search =
        Search { pair, quadric: Quadric::new(pair), caps: Caps::new(pair, start), seen: 0, open: Vec::new() };
    search.look_at(&Cell::roots());
    while search.may_split_all() {
        let level: Vec<Cell> = search.open.drain(..).flat_map(|open| open.cell.quarters()).collect();
        search.look_at(&level);
    }
    let mut open = BinaryHeap::from(std::mem::take(&mut search.open));
    search.split_worst(&mut open, known);
    search.caps.conclude(pair, open.iter())
}

/// A cell that may hold a larger gap than any found.
#[derive(Clone, Copy, Debug)]
struct Open {
    cell: Cell,
    /// Unit vector of the centre.
    n: DVec3,
    /// No direction in the cell is farther from n.
    r: f64,
    /// No gap in the cell is larger.
    bound: f64,
}

impl Ord for Open {
    fn cmp(&self, other: &Open) -> Ordering {
        self.bound.total_cmp(&other.bound)
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Open) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Open {
    fn eq(&self, other: &Open) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Open {}

struct Search<'p, 'b> {
    pair: &'p Pair<'b>,
    /// For two ellipsoids.
    quadric: Option<Quadric>,
    caps: Caps,
    /// Cells looked at.
    seen: usize,
    /// Those of them that are not done.
    open: Vec<Open>,
}

impl Search<'_, '_> {
    fn look_at(&mut self, cells: &[Cell]) {
        self.seen += cells.len();
        let Some(quadric) = self.quadric.clone() else {
            for cell in cells {
                let direction = cell.centre();
                let Some(stand) = Stand::new(self.pair, direction) else { continue };
                let r = cell.radius(direction.length());
                let bound = highest_within(self.pair, &stand, r, self.caps.enough(self.pair));
                self.settle(*cell, direction, stand.gap, r, bound);
            }
            return;
        };
        for chunk in cells.chunks(LANES) {
            let mut batch = Cells8::default();
            for i in 0..LANES {
                let cell = chunk[i.min(chunk.len() - 1)];
                let centre = cell.centre();
                (batch.x[i], batch.y[i], batch.z[i]) = (centre.x, centre.y, centre.z);
                batch.half_diagonal[i] = cell.half * std::f64::consts::SQRT_2;
            }
            quadric.bound(&mut batch);
            for (i, cell) in chunk.iter().enumerate() {
                self.settle(*cell, batch.centre(i), batch.gap[i], batch.radius[i], batch.bound[i]);
            }
        }
    }

    /// A cell with its bound: done, or open after a look for something higher from there.
    fn settle(&mut self, cell: Cell, direction: DVec3, gap: f64, r: f64, bound: f64) {
        let bound = if bound.is_nan() { f64::INFINITY } else { bound };
        let open = Open { cell, n: direction / direction.length(), r, bound };
        if self.caps.is_done(self.pair, &open) {
            return;
        }
        if gap > self.caps.best().stand.gap
            && let Some(stand) = Stand::new(self.pair, direction)
        {
            self.caps.consider(self.pair, stand);
        }
        if !self.caps.is_done(self.pair, &open) {
            self.open.push(open);
        }
    }

    /// Whether the open cells, all of one size, are worth to be split all.
    fn may_split_all(&self) -> bool {
        let is_large = self.open.first().is_some_and(|open| open.cell.half >= LEAST);
        is_large && 4 * self.open.len() <= MANY && self.seen < BUDGET
    }

    /// Splits the cell that leaves the most open, again and again.
    fn split_worst(&mut self, open: &mut BinaryHeap<Open>, known: f64) {
        // Where directions are alike, the curvature across them must not be taken for that along them.
        self.quadric = None;
        while self.seen < BUDGET
            && let Some(worst) = open.pop()
        {
            let fine = self.caps.best().stand.gap + CLOSE * self.pair.noise;
            if worst.bound.min(known) <= fine || worst.cell.half < LEAST {
                open.push(worst);
                return;
            }
            self.look_at(&worst.cell.quarters());
            open.extend(self.open.drain(..));
        }
    }
}

/// **Never less** than the angle between unit vectors.
fn angle(a: DVec3, b: DVec3) -> f64 {
    2.0 * (0.5 * (a - b).length() * (1.0 + 8.0 * U)).min(1.0).asin() + 16.0 * U
}

/// **Never less** than the gap (as computed; noise apart) at any unit vector within r of the stand's direction.
fn highest_within(pair: &Pair, stand: &Stand, r: f64, enough: f64) -> f64 {
    let n = stand.n;
    let (e, f) = tangents(n);
    let mut model = Model::new(pair, &stand.view, n, (e, f), r);
    let (mut bound, mut top) = model.highest(pair.noise, r);
    if pair.is_smooth() {
        return bound;
    }
    // Where the model is highest another piece may be lower: blend it in.
    for _ in 0..3 {
        if bound <= enough {
            break;
        }
        let view = pair.look((n + e * top.0 + f * top.1).normalize());
        let other = Model::new(pair, &pair.look_again(&view, n), n, (e, f), r);
        let Some(t) = model.evener(&other) else { break };
        let blended = model.blend(&other, t);
        let (lower, place) = blended.highest(pair.noise, r);
        if lower.is_nan() || lower >= bound {
            break;
        }
        (model, bound, top) = (blended, lower, place);
    }
    bound
}

/// The maxima found so far, each with the neighbourhood in which it is known to be the only one.
struct Caps {
    caps: Vec<Cap>,
    best: usize,
}

impl Caps {
    fn new(pair: &Pair, start: Stand) -> Caps {
        Caps { caps: vec![summit(pair, start)], best: 0 }
    }

    fn best(&self) -> &Cap {
        &self.caps[self.best]
    }

    /// A cell with no gap above this is done.
    fn enough(&self, pair: &Pair) -> f64 {
        self.best().stand.gap - pair.noise
    }

    /// Whether a cell holds nothing higher than what is known.
    fn is_done(&self, pair: &Pair, open: &Open) -> bool {
        open.bound <= self.enough(pair)
            || self.caps.iter().any(|cap| (cap.stand.n - open.n).length() + open.r <= cap.radius)
    }

    /// Climbs from a stand that looks as if it led to something new.
    fn consider(&mut self, pair: &Pair, stand: Stand) {
        let promising = stand.gap > self.best().stand.gap;
        if !promising || self.caps.len() >= 16 {
            return;
        }
        let cap = summit(pair, stand);
        let top = cap.stand.gap;
        self.caps.push(cap);
        if top > self.best().stand.gap {
            self.best = self.caps.len() - 1;
        }
    }

    fn conclude<'o>(&self, pair: &Pair, left: impl Iterator<Item = &'o Open>) -> Deepest {
        let best = self.best().clone();
        let mut ceiling = best.stand.gap;
        let mut spread: f64 = 0.0;
        for open in left.filter(|open| !self.is_done(pair, open)) {
            ceiling = ceiling.max(open.bound);
            spread = spread.max(angle(best.stand.n, open.n) + 2.0 * open.r);
        }
        for cap in &self.caps {
            ceiling = ceiling.max(cap.ceiling);
            if cap.ceiling >= best.stand.gap - 2.0 * pair.noise {
                spread = spread.max(angle(best.stand.n, cap.stand.n) + cap.spread);
            }
        }
        Deepest { best, ceiling, spread }
    }
}
