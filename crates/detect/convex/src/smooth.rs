//! Pairs with a curved core: ellipsoid, cylinder, cone, a user's set, against anything with a support map.
//!
//! The signed separation of two convex sets is the largest gap f(n) = min over B of n·x − max over A of n·x over all unit
//! vectors n. Every n proves a lower bound. For separate sets a pair of points proves the upper one ([`nearest`]); for
//! overlapping ones a cover of the sphere of directions does ([`cells`]).

mod active;
mod ascent;
mod body;
mod cap;
mod cells;
mod nearest;
mod pair;
mod simplex;
mod summit;

use crate::{Answer, Shape, Verdict};
use kontakt_answers::Range;
use kontakt_math::round::{add_down, add_up};
use kontakt_math::{Between, DVec3};
use nearest::Nearest;
use pair::Pair;

/// How much of an answer is asked for. The verdict is the same for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    /// Only the verdict; bounds as they come.
    Verdict,
    /// The distance of separate bodies; of others the verdict.
    Distance,
    /// Distance or depth, with normal and points.
    Contact,
}

/// Cells of directions at most in the proof of one depth.
const CELLS: usize = 20_000;

/// How two bodies lie to each other whose cores have support maps (no half-space, no union: those are `Undecided`
/// here). `direction` is a hint, from A to B in A's frame, zero when there is none; it is replaced by the one found.
///
/// The ends of the separation err outward only. `Touching` means that they include zero and are a rounding apart.
pub fn answer(a: &Shape, b: &Shape, between: &Between, direction: &mut DVec3, want: Want) -> Answer {
    let Some(pair) = Pair::new(a.core(), b.core(), between).filter(|pair| pair.size.is_finite()) else {
        return undecided();
    };
    let mut found = cores(&pair, *direction, want);
    if *direction != DVec3::ZERO && found.lo - total_down(a, b) <= 8.0 * pair.noise {
        // Near the border the hint must have no say.
        found = cores(&pair, DVec3::ZERO, want);
    }
    *direction = found.normal;
    found.grown(a, b, &pair, between)
}

fn undecided() -> Answer {
    Answer {
        verdict: Verdict::Undecided,
        separation: Range::new(f64::NEG_INFINITY, f64::INFINITY).unwrap_or(Range::ZERO),
        normal: DVec3::Z,
        normal_error: std::f64::consts::PI,
        point_a: DVec3::ZERO,
        point_b: DVec3::ZERO,
        point_error: f64::INFINITY,
    }
}

fn total_down(a: &Shape, b: &Shape) -> f64 {
    let ([p, q], [r, s]) = (a.radii(), b.radii());
    add_down(add_down(p, q), add_down(r, s))
}

fn total_up(a: &Shape, b: &Shape) -> f64 {
    let ([p, q], [r, s]) = (a.radii(), b.radii());
    add_up(add_up(p, q), add_up(r, s))
}

/// What is known of the cores, in A's frame; certified.
#[derive(Clone, Debug)]
struct Cores {
    lo: f64,
    hi: f64,
    normal: DVec3,
    normal_error: f64,
    points: (DVec3, DVec3),
    point_error: f64,
}

fn cores(pair: &Pair, hint: DVec3, want: Want) -> Cores {
    let near = nearest::nearest(pair, hint);
    let apart = near.upper - near.stand.gap;
    let overlap = near.enclosed > pair.noise;
    if near.stand.gap > pair.noise || apart <= 4.0 * pair.noise || (overlap && want != Want::Contact) {
        return of_nearest(pair, &near);
    }
    let deep = cells::deepest(pair, near.stand, CELLS);
    let stand = deep.best.stand;
    let known = of_nearest(pair, &near);
    Cores {
        lo: (stand.gap - pair.noise).max(known.lo),
        hi: (deep.ceiling + pair.noise).min(known.hi),
        normal: stand.n,
        normal_error: deep.spread.min(std::f64::consts::PI),
        points: deep.best.points,
        point_error: f64::INFINITY,
    }
}

/// Bounds from the nearest points.
///
/// The angle: the nearest point w of B − A to the origin has n·w ≥ lo and |w| ≤ hi, so its angle to n has at least the
/// cosine lo/hi.
fn of_nearest(pair: &Pair, near: &Nearest) -> Cores {
    let lo = near.stand.gap - pair.noise;
    let hi = if near.enclosed > 0.0 { pair.noise - near.enclosed } else { near.upper + pair.noise };
    let normal_error = if lo > 0.0 {
        // 1 − cos = (hi − lo)/hi; sin²(φ/2) is half of that.
        2.0 * ((0.5 * (hi - lo) / hi).sqrt() * (1.0 + 1e-15)).min(1.0).asin()
    } else {
        std::f64::consts::PI
    };
    Cores { lo, hi, normal: near.stand.n, normal_error, points: near.points, point_error: f64::INFINITY }
}

impl Cores {
    /// The cores grown by their balls, in the world.
    fn grown(&self, a: &Shape, b: &Shape, pair: &Pair, between: &Between) -> Answer {
        let lo = add_down(self.lo, -total_up(a, b));
        let hi = add_up(self.hi, -total_down(a, b)).max(lo);
        let verdict = if lo > 0.0 {
            Verdict::Separate
        } else if hi < 0.0 {
            Verdict::Overlapping
        } else if hi - lo <= 1e-9 * (pair.size + total_up(a, b)) {
            Verdict::Touching
        } else {
            Verdict::Undecided
        };
        let [pose_a, _] = between.poses();
        let sum = |[p, q]: [f64; 2]| p + q;
        let point_a = self.points.0 + self.normal * sum(a.radii());
        let point_b = self.points.1 - self.normal * sum(b.radii());
        Answer {
            verdict,
            separation: Range::new(lo, hi).unwrap_or(Range::ZERO),
            normal: pose_a.rotate(self.normal),
            normal_error: (self.normal_error + 64.0 * body::U).min(std::f64::consts::PI),
            point_a: pose_a.apply(point_a),
            point_b: pose_a.apply(point_b),
            point_error: self.point_error,
        }
    }
}
