//! Proof of a penetration depth: cells that cover all directions, each with an upper bound of the gap in it.

use super::ascent::Stand;
use super::body::U;
use super::cap::Cap;
use super::pair::{Pair, Plane, View, tangents};
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
    let mut caps = Caps::new(pair, start);
    for cell in Cell::roots() {
        if let Some(stand) = Stand::new(pair, cell.centre()) {
            caps.consider(pair, stand);
        }
    }
    // A plain queue: coarse cells first, so that what the budget leaves is evenly fine.
    let mut level: Vec<Cell> = Cell::roots().to_vec();
    let mut next = Vec::new();
    let mut seen = 0;
    let mut ceiling = f64::NEG_INFINITY;
    let mut spread: f64 = 0.0;
    while !level.is_empty() {
        let exhausted = seen >= budget;
        for cell in level.drain(..) {
            seen += 1;
            let direction = cell.centre();
            let length = direction.length();
            let Some(stand) = Stand::new(pair, direction) else { continue };
            let r = cell.radius(length);
            let enough = caps.best().stand.gap - pair.noise;
            let bound = highest_within(pair, &stand, r, enough);
            if bound <= enough || caps.close(&stand, r) {
                continue;
            }
            if exhausted || cell.half < 1e-9 {
                ceiling = ceiling.max(bound);
                spread = spread.max(angle(caps.best().stand.n, stand.n) + 2.0 * r);
                continue;
            }
            caps.consider(pair, stand);
            if bound > caps.best().stand.gap - pair.noise && !caps.close(&stand, r) {
                next.extend(cell.quarters());
            }
        }
        std::mem::swap(&mut level, &mut next);
    }
    caps.conclude(pair, ceiling, spread)
}

/// **Never less** than the angle between unit vectors.
fn angle(a: DVec3, b: DVec3) -> f64 {
    2.0 * (0.5 * (a - b).length() * (1.0 + 8.0 * U)).min(1.0).asin() + 16.0 * U
}

/// A quadratic that the gap nowhere exceeds: at a unit vector n + δ with |δ| ≤ r, x the part of δ across n,
/// f ≤ gap + slope·x − ½xᵀ(curve)x. By the bound of [`cap`](super::cap): curve = H + f, with f/(1 − r²/4) where f < 0.
#[derive(Clone, Copy)]
struct Model {
    gap: f64,
    slope: (f64, f64),
    curve: Plane,
}

impl Model {
    #[inline]
    fn new(pair: &Pair, view: &View, n: DVec3, (e, f): (DVec3, DVec3), r: f64) -> Model {
        let gap = view.w.dot(n);
        let fall = if gap < 0.0 { gap / (1.0 - 0.25 * r * r) } else { 0.0 };
        let curve = pair.bends(view, n, e, f).kept(r).plus(fall);
        Model { gap, slope: (view.w.dot(e), view.w.dot(f)), curve }
    }

    /// **Never less** than its maximum over |x| ≤ r (noise of the slope included), and where about that is.
    ///
    /// Proof: for every ν ≥ 0 with curve + ν positive definite, slope·x − ½xᵀ(curve)x ≤ slope·x − ½xᵀ(curve + ν)x + ½νr²
    /// ≤ ½slopeᵀ(curve + ν)⁻¹slope + ½νr². The condition of curve + ν is below 1e9, so its solution is good to 1e-6.
    #[inline]
    fn highest(&self, noise: f64, r: f64) -> (f64, (f64, f64)) {
        let slope = self.slope;
        let squared = slope.0 * slope.0 + slope.1 * slope.1;
        let steepness = squared.sqrt();
        let (low, high) = self.curve.eigenvalues();
        let along = self.curve.form(slope, slope) / (squared + f64::MIN_POSITIVE);
        let least = 1e-9 * (high.abs() + steepness) + noise;
        let nu = (steepness / r - along).max(least - low).max(0.0);
        let (x, y) = self.curve.plus(nu).solve(slope.0, slope.1);
        let rise = 0.5 * (slope.0 * x + slope.1 * y) * (1.0 + 1e-6);
        (self.gap + rise + 0.5 * nu * r * r + noise * r, (x, y))
    }

    /// The weighted mean of two of them: not exceeded either, since the gap is below both.
    fn blend(&self, other: &Model, t: f64) -> Model {
        let mix = |a: f64, b: f64| a + t * (b - a);
        Model {
            gap: mix(self.gap, other.gap),
            slope: (mix(self.slope.0, other.slope.0), mix(self.slope.1, other.slope.1)),
            curve: Plane {
                xx: mix(self.curve.xx, other.curve.xx),
                xy: mix(self.curve.xy, other.curve.xy),
                yy: mix(self.curve.yy, other.curve.yy),
            },
        }
    }
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
        let turn = (other.slope.0 - model.slope.0, other.slope.1 - model.slope.1);
        let squared = turn.0 * turn.0 + turn.1 * turn.1;
        if !(squared > 0.0) {
            break;
        }
        let t = -(model.slope.0 * turn.0 + model.slope.1 * turn.1) / squared;
        let blended = model.blend(&other, t.clamp(0.0, 1.0));
        let (lower, place) = blended.highest(pair.noise, r);
        if !(lower < bound) {
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

    fn close(&self, stand: &Stand, r: f64) -> bool {
        self.caps.iter().any(|cap| (cap.stand.n - stand.n).length() + r <= cap.radius)
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
