//! Certified separation of two compact convex sets known only through [`Support`].
//!
//! The search (Gilbert, Johnson, Keerthi 1988: nearest point of the difference A − B to the origin) may go astray
//! by rounding without harm: what it finds counts only after the proof `a.reach(d) + b.reach(−d) < 0`, rounded upward.

use crate::bound::Support;
use crate::closest::closest_to_origin;
use kontakt_math::DVec3;
use kontakt_math::round::{add_up, length_up};

/// A proof that two sets are disjoint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Separation {
    /// Points from the first set to the second; unit length to rounding.
    pub direction: DVec3,
    /// **Never more** than the exact distance of the sets, and positive.
    pub gap: f64,
}

/// More than any polytope pair in double precision needs; smooth sets stop by [`CLOSE_ENOUGH`] earlier.
const MAX_ITERATIONS: usize = 128;
/// Relative distance of lower and upper bound at which the search ends.
const CLOSE_ENOUGH: f64 = 1e-12;
/// Iterations that do not come nearer to the origin after which rounding is the only thing left.
const MAX_STALLS: usize = 3;

/// The largest certified gap found, or `None` when the sets may overlap (within rounding of touching included).
pub fn separate<A: Support + ?Sized, B: Support + ?Sized>(a: &A, b: &B) -> Option<Separation> {
    search(a, b, false)
}

/// A direction `d` with `max d·x over a < min d·x over b`, proven; `None` when the sets may overlap.
pub fn separating_direction<A: Support + ?Sized, B: Support + ?Sized>(a: &A, b: &B) -> Option<DVec3> {
    search(a, b, true).map(|found| found.direction)
}

/// `false` is a proof that the sets are disjoint.
pub fn may_overlap<A: Support + ?Sized, B: Support + ?Sized>(a: &A, b: &B) -> bool {
    search(a, b, true).is_none()
}

/// **Never more** than the exact distance of the two sets; 0 when they may overlap. For polytopes normally within
/// 1e-10 of the distance, relative to their size.
pub fn gap_below<A: Support + ?Sized, B: Support + ?Sized>(a: &A, b: &B) -> f64 {
    search(a, b, false).map_or(0.0, |found| found.gap)
}

/// The gap that `direction` proves, or `None`.
///
/// Proof: for x in A and y in B, d·(y − x) ≥ −(`a.reach(d)` + `b.reach(−d)`) =: s, and |y − x| ≥ d·(y − x)/|d|. The sum is
/// rounded upward (so s downward), |d| upward, the quotient downward. NaN (overflow) fails every comparison.
pub(crate) fn certified_gap<A: Support + ?Sized, B: Support + ?Sized>(
    a: &A,
    b: &B,
    direction: DVec3,
) -> Option<f64> {
    let sum = add_up(a.reach(direction), b.reach(-direction));
    if sum < 0.0 {
        let gap = (-sum / length_up(direction)).next_down();
        // Positive though it may underflow: the sets are disjoint.
        if gap.is_finite() { Some(gap.max(f64::from_bits(1))) } else { None }
    } else {
        None
    }
}

/// Unit vector along `v` to rounding, or `None` for zero and for what is not finite.
fn unit(v: DVec3) -> Option<DVec3> {
    let size = v.abs().max_element();
    if !(size > 0.0 && size.is_finite()) {
        return None;
    }
    let exponent_free = v / size;
    Some(exponent_free / exponent_free.length())
}

fn search<A: Support + ?Sized, B: Support + ?Sized>(a: &A, b: &B, any_will_do: bool) -> Option<Separation> {
    let mut best: Option<Separation> = None;
    let mut simplex: Vec<DVec3> = Vec::with_capacity(4);
    let mut nearest = a.centre() - b.centre();
    let mut nearest_length = f64::INFINITY;
    let mut stalls = 0;
    for _ in 0..MAX_ITERATIONS {
        let direction = match unit(-nearest) {
            Some(direction) => direction,
            None if simplex.is_empty() => DVec3::X,
            None => break,
        };
        let best_gap = best.map_or(0.0, |found| found.gap);
        match certified_gap(a, b, direction) {
            Some(gap) if gap > best_gap => {
                best = Some(Separation { direction, gap });
                if any_will_do || gap >= nearest_length * (1.0 - CLOSE_ENOUGH) {
                    break;
                }
            }
            _ => {}
        }
        let corner = a.farthest(direction) - b.farthest(-direction);
        if !corner.is_finite() || simplex.contains(&corner) {
            break;
        }
        simplex.push(corner);
        let Some(found) = closest_to_origin(&simplex) else { break };
        let mut weights = found.weights.iter();
        simplex.retain(|_| weights.next().is_some_and(|w| *w > 0.0));
        // The certified gap may fall on the way, the distance from the origin does not, but for rounding.
        if found.distance >= nearest_length {
            stalls += 1;
            if stalls > MAX_STALLS {
                break;
            }
        }
        nearest_length = nearest_length.min(found.distance);
        nearest = found.point;
    }
    best
}

/// A point of the convex set, to rounding, nearest to `to` (that is `to` itself when it lies inside).
///
/// It is a convex combination of points that [`Support::farthest`] returned, so its distance from the set is a few
/// roundings of the set's coordinates, wherever the search ends.
pub fn nearest_point<S: Support + ?Sized>(set: &S, to: DVec3) -> DVec3 {
    let mut corners: Vec<DVec3> = Vec::with_capacity(4);
    let mut nearest = set.farthest(to - set.centre());
    let mut nearest_length = f64::INFINITY;
    corners.push(nearest);
    for _ in 0..MAX_ITERATIONS {
        let Some(direction) = unit(to - nearest) else { break };
        let corner = set.farthest(direction);
        if corners.contains(&corner) || !corner.is_finite() {
            break;
        }
        corners.push(corner);
        let relative: Vec<DVec3> = corners.iter().map(|c| *c - to).collect();
        let Some(found) = closest_to_origin(&relative) else { return to };
        let candidate: DVec3 = corners.iter().zip(found.weights).map(|(c, w)| *c * w).sum();
        if found.distance >= nearest_length {
            break;
        }
        nearest = candidate;
        nearest_length = found.distance;
        let mut weights = found.weights.iter();
        corners.retain(|_| weights.next().is_some_and(|w| *w > 0.0));
    }
    nearest
}
