//! Downhill to the nearest parameters, in plain doubles: nothing here is certified.

use crate::jet::CurveJet;
use crate::jet::SurfaceJet;
use kontakt_math::DVec3;

/// Enough for Newton's method from any start on a grid; a singular place converges slowly and is left where it is.
const ROUNDS: usize = 60;

/// A place on a curve or a surface and the square of its distance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found<P> {
    pub(super) at: P,
    pub(super) gap_sq: f64,
}

/// The nearer one, where there is any.
pub(super) fn nearer<P>(one: Option<Found<P>>, other: Option<Found<P>>) -> Option<Found<P>> {
    match (one, other) {
        (Some(one), Some(other)) => Some(if other.gap_sq < one.gap_sq { other } else { one }),
        (one, other) => one.or(other),
    }
}

/// From a start down to a local minimum of |C(t) − p| within a domain; none where numbers are not finite.
pub(super) fn on_curve(
    jet: impl Fn(f64) -> CurveJet,
    p: DVec3,
    start: f64,
    [lo, hi]: [f64; 2],
) -> Option<Found<f64>> {
    let mut t = start.clamp(lo, hi);
    let mut here = jet(t);
    let mut gap_sq = (here.point - p).length_squared();
    for _ in 0..ROUNDS {
        let away = here.point - p;
        let (slope, square) = (away.dot(here.d1), here.d1.length_squared());
        // Newton's step where the square of the distance is convex, else Gauss's, which is always downhill.
        let bend = square + away.dot(here.d2);
        let step = -slope / if bend > 0.0 { bend } else { square };
        if !step.is_finite() {
            break;
        }
        let Some((next, jet, less)) = shorter(
            |part| {
                let next = (t + step * part).clamp(lo, hi);
                let jet = jet(next);
                (next, jet, (jet.point - p).length_squared())
            },
            |&(next, _, less)| less < gap_sq && next != t,
        ) else {
            break;
        };
        (t, here, gap_sq) = (next, jet, less);
    }
    gap_sq.is_finite().then_some(Found { at: t, gap_sq })
}

/// From a start down to a local minimum of |S(u, v) − p| within a domain; none where numbers are not finite.
pub(super) fn on_surface(
    jet: impl Fn(f64, f64) -> SurfaceJet,
    p: DVec3,
    start: [f64; 2],
    domain: [[f64; 2]; 2],
) -> Option<Found<[f64; 2]>> {
    let held =
        |at: [f64; 2]| -> [f64; 2] { std::array::from_fn(|i| at[i].clamp(domain[i][0], domain[i][1])) };
    let mut at = held(start);
    let mut here = jet(at[0], at[1]);
    let mut gap_sq = (here.point - p).length_squared();
    for _ in 0..ROUNDS {
        let step = step(&here, p, at, domain);
        let Some((next, jet, less)) = shorter(
            |part| {
                let next = held([at[0] + step[0] * part, at[1] + step[1] * part]);
                let jet = jet(next[0], next[1]);
                (next, jet, (jet.point - p).length_squared())
            },
            |&(next, _, less)| less < gap_sq && next != at,
        ) else {
            break;
        };
        (at, here, gap_sq) = (next, jet, less);
    }
    gap_sq.is_finite().then_some(Found { at, gap_sq })
}

/// As [`on_curve`], over the joints of parts: at a kink downhill may go on in the next part.
pub(super) fn over_parts(
    jet: impl Fn(f64) -> CurveJet,
    p: DVec3,
    start: f64,
    parts: &[[f64; 2]],
) -> Option<Found<f64>> {
    let mut part = holding(parts, start);
    let mut best = on_curve(&jet, p, start, parts[part])?;
    // A start at a joint belongs to both of its parts.
    if let Some(before) = neighbours(parts, part, start).next()
        && let Some(found) = on_curve(&jet, p, start, parts[before])
        && found.gap_sq < best.gap_sq
    {
        (part, best) = (before, found);
    }
    for _ in 0..parts.len() {
        let next = neighbours(parts, part, best.at).find_map(|next| {
            let found = on_curve(&jet, p, best.at, parts[next])?;
            (found.gap_sq < best.gap_sq).then_some((next, found))
        });
        let Some((next, found)) = next else { break };
        (part, best) = (next, found);
    }
    Some(best)
}

/// As [`on_surface`], over the joints of parts along u and v.
pub(super) fn over_cells(
    jet: impl Fn(f64, f64) -> SurfaceJet,
    p: DVec3,
    start: [f64; 2],
    parts: &[Vec<[f64; 2]>; 2],
) -> Option<Found<[f64; 2]>> {
    let mut cell: [usize; 2] = std::array::from_fn(|i| holding(&parts[i], start[i]));
    let of = |cell: [usize; 2]| [parts[0][cell[0]], parts[1][cell[1]]];
    let mut best = on_surface(&jet, p, start, of(cell))?;
    for _ in 0..parts[0].len() * parts[1].len() {
        let beside =
            (0..2).flat_map(|i| neighbours(&parts[i], cell[i], best.at[i]).map(move |next| (i, next)));
        let next = beside.collect::<Vec<_>>().into_iter().find_map(|(i, next)| {
            let mut other = cell;
            other[i] = next;
            let found = on_surface(&jet, p, best.at, of(other))?;
            (found.gap_sq < best.gap_sq).then_some((other, found))
        });
        let Some((next, found)) = next else { break };
        (cell, best) = (next, found);
    }
    Some(best)
}

/// The last part that begins no later than a value.
fn holding(parts: &[[f64; 2]], value: f64) -> usize {
    parts.partition_point(|part| part[0] <= value).saturating_sub(1)
}

/// The parts that a value at an end of its own part lies next to.
fn neighbours(parts: &[[f64; 2]], part: usize, at: f64) -> impl Iterator<Item = usize> {
    let [lo, hi] = parts[part];
    let before = (at <= lo && part > 0).then(|| part - 1);
    let after = (at >= hi && part + 1 < parts.len()).then_some(part + 1);
    before.into_iter().chain(after)
}

/// The first of the whole step, a quarter of it and so on that is good.
fn shorter<T>(at: impl Fn(f64) -> T, good: impl Fn(&T) -> bool) -> Option<T> {
    (0..8).map(|k| at(0.25_f64.powi(k))).find(good)
}

/// Newton's step for half the square of the distance, or Gauss's where that is not convex. A parameter at an end of its domain that
/// would leave it stays.
fn step(jet: &SurfaceJet, p: DVec3, at: [f64; 2], domain: [[f64; 2]; 2]) -> [f64; 2] {
    let away = jet.point - p;
    let slope = [away.dot(jet.du), away.dot(jet.dv)];
    let stays = |i: usize| {
        let [lo, hi] = domain[i];
        (at[i] <= lo && slope[i] > 0.0) || (at[i] >= hi && slope[i] < 0.0)
    };
    let gauss = [jet.du.length_squared(), jet.du.dot(jet.dv), jet.dv.length_squared()];
    let newton = [gauss[0] + away.dot(jet.duu), gauss[1] + away.dot(jet.duv), gauss[2] + away.dot(jet.dvv)];
    let alone = |i: usize| {
        let (full, safe) = (newton[2 * i], gauss[2 * i]);
        -slope[i] / if full > 0.0 { full } else { safe.max(f64::MIN_POSITIVE) }
    };
    match [stays(0), stays(1)] {
        [true, true] => [0.0; 2],
        [true, false] => [0.0, alone(1)],
        [false, true] => [alone(0), 0.0],
        [false, false] => {
            solve(newton, slope).or_else(|| solve(gauss, slope)).unwrap_or([alone(0), alone(1)])
        }
    }
}

/// −H⁻¹g for a symmetric H that is positive definite by more than rounding.
fn solve([a, b, c]: [f64; 3], g: [f64; 2]) -> Option<[f64; 2]> {
    let det = a * c - b * b;
    let step = [(b * g[1] - c * g[0]) / det, (b * g[0] - a * g[1]) / det];
    (a > 0.0 && det > 1e-12 * a * c && step.iter().all(|x| x.is_finite())).then_some(step)
}
