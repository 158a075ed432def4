//! Pairs with a curved core: ellipsoid, cylinder, cone, a user's set, against anything with a support map.
//!
//! The signed separation of two convex sets is the largest gap f(n) = min over B of n·x − max over A of n·x over all unit
//! vectors n. Every n proves a lower bound. For separate sets a pair of points proves the upper one (`nearest`); for
//! overlapping ones a cover of the sphere of directions does (`cells`).

mod active;
mod ascent;
mod axial;
pub(crate) mod body;
mod cap;
mod cells;
mod doubt;
mod enclosure;
pub(crate) mod glance;
mod model;
mod nearest;
mod pair;
mod parallel;
mod quadric;
mod scale;
mod simpler;
mod simplex;
mod summit;

#[doc(hidden)]
pub use simplex::nearest_weights;

use crate::gjk::{self, Cut};
use crate::{Answer, Method, Shape, Verdict, Warm, depth};
use ascent::Stand;
use cap::Cap;
use doubt::Sight;
use kontakt_answers::Range;
use kontakt_math::round::{add_down, add_up};
use kontakt_math::{Between, DVec3, U};
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

/// An angle that is good enough without further proof.
const FINE: f64 = 1e-9;

/// How two bodies lie to each other whose cores have support maps (no half-space, no union: those are `Undecided`
/// here). `direction` is a hint, from A to B in A's frame, zero when there is none; it is replaced by the one found.
///
/// The ends of the separation err outward only. `Touching` means that they include zero and are a rounding apart.
pub fn answer(a: &Shape, b: &Shape, between: &Between, direction: &mut DVec3, want: Want) -> Answer {
    answer_by(a, b, between, direction, (want, Method::Default))
}

/// The same; only the default method takes a closed form for bodies that are parallel.
pub(crate) fn answer_by(
    a: &Shape,
    b: &Shape,
    between: &Between,
    direction: &mut DVec3,
    how: (Want, Method),
) -> Answer {
    let (simple_a, simple_b) = (simpler::simpler(a), simpler::simpler(b));
    let (a, b) = (simple_a.as_ref().unwrap_or(a), simple_b.as_ref().unwrap_or(b));
    if simpler::is_polytopal(a) && simpler::is_polytopal(b) {
        return polytopal(a, b, between, direction);
    }
    match scale::factor_for(a, b, between) {
        None => curved([a, b], [a, b], between, direction, how, 1.0),
        Some(factor) => match (scale::scaled(a, factor), scale::scaled(b, factor)) {
            (Some(core_a), Some(core_b)) => {
                curved([a, b], [&core_a, &core_b], between, direction, how, factor)
            }
            _ => Answer::undecided(),
        },
    }
}

/// The answer for `shapes` by the cores of `models`, which are larger by `scale`.
fn curved(
    shapes: [&Shape; 2],
    models: [&Shape; 2],
    between: &Between,
    direction: &mut DVec3,
    (want, method): (Want, Method),
    scale: f64,
) -> Answer {
    let [a, b] = shapes;
    let pair = Pair::new(models[0].core(), models[1].core(), between, scale);
    let Some(pair) = pair.filter(|pair| pair.size.is_finite() && pair.noise.is_finite()) else {
        return Answer::undecided();
    };
    let total = total_down(a, b) * scale;
    let parallel = if method == Method::Default { parallel::separation(&pair) } else { None };
    let is_parallel = parallel.is_some();
    let mut found = parallel.unwrap_or_else(|| cores(&pair, *direction, want, total));
    if !is_parallel && *direction != DVec3::ZERO && found.lo - total <= 8.0 * pair.noise {
        // Near the border the hint must have no say.
        found = cores(&pair, DVec3::ZERO, want, total);
    }
    *direction = found.normal;
    found.scaled_by(1.0 / scale).grown(a, b, pair.size / scale, between)
}

/// Cores that are polytopes after all.
fn polytopal(a: &Shape, b: &Shape, between: &Between, direction: &mut DVec3) -> Answer {
    let mut warm = Warm { direction: *direction, ..Warm::default() };
    let answer = match gjk::separation(a, b, between, &mut warm) {
        Cut::Apart(answer) => answer,
        _ => depth::penetration(a, b, between, &mut warm).unwrap_or_else(Answer::undecided),
    };
    *direction = warm.direction;
    answer
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

fn cores(pair: &Pair, hint: DVec3, want: Want, total: f64) -> Cores {
    let near = nearest::nearest(pair, hint);
    let known = of_nearest(pair, &near);
    if near.stand.gap > pair.noise {
        return if want == Want::Verdict || known.normal_error < FINE {
            known
        } else {
            refined(pair, &near, known)
        };
    }
    // Bodies that touch up to rounding: the bounds stay as they are, and more work is for the normal alone. So the verdict is the
    // same whatever is asked.
    let is_tight = known.hi - known.lo <= 16.0 * pair.noise;
    if want != Want::Contact && (known.hi < total || is_tight) {
        return known;
    }
    if is_tight && let Some((normal, normal_error)) = parallel::corner_normal(pair) {
        return Cores { normal, normal_error, ..known };
    }
    let (mut known, mut start) = (known, near.stand);
    if let Some((axis, off)) = axial::common_axis(pair)
        && off <= 16.0 * pair.noise
        && let Some((stand, ceiling)) = axial::highest_on_meridian(pair, axis)
    {
        if !is_tight {
            known.lo = known.lo.max(stand.gap - pair.noise);
            known.hi = known.hi.min(ceiling + 2.0 * off + pair.noise);
        }
        if stand.n.cross(axis).length() > 1e-3 {
            // All directions around the axis are alike.
            let points = (stand.view.a.point, stand.view.b_in_a);
            let (normal_error, point_error) = (std::f64::consts::PI, 2.0 * pair.size);
            return Cores { normal: stand.n, normal_error, points, point_error, ..known };
        }
        if stand.gap > start.gap {
            start = stand;
        }
    }
    let deep = cells::deepest(pair, start, known.hi);
    if !is_tight
        && deep.ceiling + pair.noise >= total
        && deep.ceiling - deep.best.stand.gap > 64.0 * pair.noise
    {
        // The verdict is at stake: four points around the origin prove that the cores overlap.
        let enclosed = enclosure::enclosed(pair, [near.stand.n, deep.best.stand.n], near.points);
        if enclosed > 0.0 {
            known.hi = known.hi.min(pair.noise - enclosed);
        }
    }
    let stand = deep.best.stand;
    let (lo, hi) = if is_tight {
        (known.lo, known.hi)
    } else {
        ((stand.gap - pair.noise).max(known.lo), (deep.ceiling + pair.noise).min(known.hi))
    };
    let normal_error = deep.spread.min(std::f64::consts::PI);
    let points = deep.best.points;
    let point_error = Sight::new(pair, &stand).points(points, normal_error, lo, hi);
    Cores { lo, hi, normal: stand.n, normal_error, points, point_error }
}

/// A better normal and its points for separate cores, where the pieces they rest on prove it.
///
/// Where the gap is positive, it has only one maximum on the sphere (it is concave along directions of any length), so what a
/// cap knows of its own maximum holds for the only one.
fn refined(pair: &Pair, near: &Nearest, known: Cores) -> Cores {
    let active = near.active();
    let Some(stand) = Stand::new(pair, active.n).filter(|stand| stand.gap >= near.stand.gap - pair.noise)
    else {
        return known;
    };
    let cap = Cap::new(pair, stand, &active);
    if cap.radius == 0.0 || cap.spread >= known.normal_error {
        return known;
    }
    let apart = (cap.points.1 - cap.points.0).length();
    let points = if apart <= near.upper + pair.noise { cap.points } else { known.points };
    let point_error = Sight::new(pair, &stand).points(points, cap.spread, known.lo, known.hi);
    Cores { normal: stand.n, normal_error: cap.spread, points, point_error, ..known }
}

/// Bounds from the nearest points.
fn of_nearest(pair: &Pair, near: &Nearest) -> Cores {
    let lo = near.stand.gap - pair.noise;
    let hi = if near.enclosed > 0.0 { pair.noise - near.enclosed } else { near.upper + pair.noise };
    let apart = lo > 0.0;
    let sight = Sight::new(pair, &near.stand);
    let normal_error = if apart { sight.angle_of_separate(lo, hi) } else { std::f64::consts::PI };
    let point_error = sight.points(near.points, normal_error, lo, hi);
    Cores { lo, hi, normal: near.stand.n, normal_error, points: near.points, point_error }
}

impl Cores {
    /// In other units; a power of two.
    fn scaled_by(self, unit: f64) -> Cores {
        if unit == 1.0 {
            return self;
        }
        // What underflows is off by less than the smallest double.
        let (tiny, (a, b)) = (f64::from_bits(1), self.points);
        Cores {
            lo: self.lo * unit - tiny,
            hi: self.hi * unit + tiny,
            points: (a * unit, b * unit),
            point_error: self.point_error * unit + 4.0 * tiny,
            ..self
        }
    }

    /// The cores grown by their balls, in the world.
    fn grown(&self, a: &Shape, b: &Shape, size: f64, between: &Between) -> Answer {
        let lo = add_down(self.lo, -total_up(a, b));
        let hi = add_up(self.hi, -total_down(a, b)).max(lo);
        let is_thin = hi - lo <= 1e-9 * (size + total_up(a, b));
        let straddling = if is_thin { Verdict::Touching } else { Verdict::Undecided };
        let verdict = Verdict::of_bounds(lo, hi).unwrap_or(straddling);
        let [pose_a, _] = between.poses();
        let sum = |[p, q]: [f64; 2]| p + q;
        let point_a = self.points.0 + self.normal * sum(a.radii());
        let point_b = self.points.1 - self.normal * sum(b.radii());
        let swing = total_up(a, b) * (self.normal_error + 8.0 * U);
        // The error grows with the length of what is placed.
        let placing = 2.0 * pose_a.apply_error(point_a.abs().max(point_b.abs()));
        Answer {
            verdict,
            separation: Range::new(lo, hi).unwrap_or(Range::ZERO),
            normal: pose_a.rotate(self.normal),
            normal_error: (self.normal_error + 64.0 * U).min(std::f64::consts::PI),
            point_a: pose_a.apply(point_a),
            point_b: pose_a.apply(point_b),
            point_error: self.point_error + swing + placing,
        }
    }
}
