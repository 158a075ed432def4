//! Proof of a penetration depth: cells that cover all directions, each with an upper bound of the gap in it.

use super::ascent::Stand;
use super::body::U;
use super::cap::Cap;
use super::model::Model;
use super::pair::{Pair, tangents};
use super::quadric::{Cells8, LANES, Quadric};
use super::summit::summit;
use kontakt_math::DVec3;

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

/// Finds the largest (negative) gap over all directions and proves it, with at most `budget` cells.
pub(super) fn deepest(pair: &Pair, start: Stand, budget: usize) -> Deepest {
    let mut search = Search {
        pair,
        quadric: Quadric::new(pair),
        caps: Caps::new(pair, start),
        ceiling: f64::NEG_INFINITY,
        spread: 0.0,
        next: Vec::new(),
    };
    let mut level: Vec<Cell> = Cell::roots().to_vec();
    let mut seen = 0;
    // Coarse cells first, so that what the budget leaves is evenly fine.
    while !level.is_empty() {
        let last = seen >= budget || level[0].half < 1e-9;
        seen += level.len();
        search.level(&level, last);
        std::mem::swap(&mut level, &mut search.next);
        search.next.clear();
    }
    search.caps.conclude(pair, search.ceiling, search.spread)
}

struct Search<'p, 'b> {
    pair: &'p Pair<'b>,
    /// For two ellipsoids.
    quadric: Option<Quadric>,
    caps: Caps,
    /// What cells that were given up leave open.
    ceiling: f64,
    spread: f64,
    next: Vec<Cell>,
}

impl Search<'_, '_> {
    fn level(&mut self, level: &[Cell], last: bool) {
        let Some(quadric) = self.quadric.clone() else {
            for cell in level {
                let direction = cell.centre();
                let Some(stand) = Stand::new(self.pair, direction) else { continue };
                let r = cell.radius(direction.length());
                let bound = highest_within(self.pair, &stand, r, self.enough());
                self.settle(cell, direction, stand.gap, r, bound, last);
            }
            return;
        };
        for chunk in level.chunks(LANES) {
            let mut batch = Cells8::default();
            for i in 0..LANES {
                let cell = chunk[i.min(chunk.len() - 1)];
                let centre = cell.centre();
                (batch.x[i], batch.y[i], batch.z[i]) = (centre.x, centre.y, centre.z);
                batch.half_diagonal[i] = cell.half * std::f64::consts::SQRT_2;
            }
            quadric.bound(&mut batch);
            for (i, cell) in chunk.iter().enumerate() {
                self.settle(cell, batch.centre(i), batch.gap[i], batch.radius[i], batch.bound[i], last);
            }
        }
    }

    /// A cell with no gap above this is done.
    fn enough(&self) -> f64 {
        self.caps.best().stand.gap - self.pair.noise
    }

    /// A cell with its bound: done, given up or split.
    fn settle(&mut self, cell: &Cell, direction: DVec3, gap: f64, r: f64, bound: f64, last: bool) {
        if bound <= self.enough() {
            return;
        }
        let n = direction / direction.length();
        if self.caps.close(n, r) {
            return;
        }
        if last {
            self.ceiling = self.ceiling.max(bound);
            self.spread = self.spread.max(angle(self.caps.best().stand.n, n) + 2.0 * r);
            return;
        }
        if gap > self.caps.best().stand.gap
            && let Some(stand) = Stand::new(self.pair, direction)
        {
            self.caps.consider(self.pair, stand);
        }
        if bound > self.enough() && !self.caps.close(n, r) {
            self.next.extend(cell.quarters());
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

    fn close(&self, n: DVec3, r: f64) -> bool {
        self.caps.iter().any(|cap| (cap.stand.n - n).length() + r <= cap.radius)
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

    fn conclude(&self, pair: &Pair, ceiling: f64, spread: f64) -> Deepest {
        let best = self.best().clone();
        let mut ceiling = ceiling.max(best.stand.gap);
        let mut spread = spread;
        for cap in &self.caps {
            ceiling = ceiling.max(cap.ceiling);
            if cap.ceiling >= best.stand.gap - 2.0 * pair.noise {
                spread = spread.max(angle(best.stand.n, cap.stand.n) + cap.spread);
            }
        }
        Deepest { best, ceiling, spread }
    }
}
