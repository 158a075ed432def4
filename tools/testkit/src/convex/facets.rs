//! The penetration depth of two polytopes in double-doubles, over all directions a facet of their difference can have.

use super::body::Posed;
use crate::twin::{Twin, TwinVector, inner, length, minus, outer, rounded, times};

/// The least reach of a difference over its facets' directions.
#[derive(Clone, Copy, Debug)]
pub struct Least {
    /// max of n·(a − b) over the difference, n of unit length: the depth if the origin is inside.
    pub reach: Twin,
    /// The true least is within this of `reach`, from below or above.
    pub error: f64,
    /// The direction n in which it is taken.
    pub direction: TwinVector,
    /// The least reach in any direction that differs from `direction` by more than a thousandth of a radian.
    pub rival: f64,
}

/// Directions nearer than this to the best one are no rivals of it.
const SAME_DIRECTION: f64 = 1e-3;

/// All facets of A − B are parallel to a face of A, a face of B, or an edge of each; other directions only reach farther than
/// the nearest facet. So the least over all these directions, both ways, is the depth. None if no direction exists (a
/// difference within a line).
///
/// A double decides who is worth a double-double: with δ = 1e-15·|e||f|/|e×f| the direction errs by less than 4δ, its reach
/// by less than that times the difference's size.
pub fn least_reach(a: &Posed, b: &Posed) -> Option<Least> {
    let (edges_a, edges_b) = (a.edges(), b.edges());
    let crossing = edges_a.iter().flat_map(|e| edges_b.iter().map(move |f| [*e, *f]));
    let spans: Vec<[TwinVector; 2]> = a.faces().into_iter().chain(b.faces()).chain(crossing).collect();
    let size = 4.0 * (a.reach + b.reach);
    let near = Rounded::of(a, b);
    let mut rough: Vec<(f64, f64, usize, bool)> = Vec::new();
    for (i, span) in spans.iter().enumerate() {
        let [e, f] = span.map(|v| rounded(&v));
        let n = cross(e, f);
        let (norm, product) = (norm(n), norm(e) * norm(f));
        if product == 0.0 {
            continue;
        }
        let slack = (4e-15 * product / norm.max(1e-300)) * size + 1e-13 * size;
        if slack > 0.1 * size || norm == 0.0 {
            rough.push((f64::NEG_INFINITY, f64::INFINITY, i, true));
            rough.push((f64::NEG_INFINITY, f64::INFINITY, i, false));
            continue;
        }
        let [up, down] = near.reach(n.map(|x| x / norm));
        rough.push((up - slack, up + slack, i, true));
        rough.push((down - slack, down + slack, i, false));
    }
    let bound = rough.iter().map(|(_, high, ..)| *high).fold(f64::INFINITY, f64::min);
    let mut best: Option<Least> = None;
    let mut found: Vec<(Twin, TwinVector)> = Vec::new();
    for (low, _, i, up) in &rough {
        if *low > bound + 1e-6 * size {
            continue;
        }
        let [e, f] = &spans[*i];
        let n = outer(e, f);
        let norm = length(&n);
        if norm.high == 0.0 {
            continue;
        }
        // The direction errs like the cross product: 2⁻¹⁰⁰ of the factors' lengths over its own.
        let error = 1e-30 * size * (1.0 + length(e).high * length(f).high / norm.high);
        let n = times(if *up { Twin::ONE } else { -Twin::ONE } / norm, &n);
        let reach = inner(&n, &minus(&a.support(&n), &b.support(&n.map(|x| -x))));
        found.push((reach, n));
        if best.is_none_or(|best| reach < best.reach) {
            best = Some(Least { reach, error, direction: n, rival: f64::INFINITY });
        }
    }
    let mut best = best?;
    best.rival = bound + 1e-6 * size;
    for (reach, n) in found {
        let off = norm(rounded(&minus(&n, &best.direction)));
        if off > SAME_DIRECTION {
            best.rival = best.rival.min(reach.high);
        }
    }
    Some(best)
}

struct Rounded {
    a: Vec<[f64; 3]>,
    b: Vec<[f64; 3]>,
}

impl Rounded {
    fn of(a: &Posed, b: &Posed) -> Rounded {
        Rounded { a: a.points.iter().map(rounded).collect(), b: b.points.iter().map(rounded).collect() }
    }

    /// The reach of the difference along n and against it.
    fn reach(&self, n: [f64; 3]) -> [f64; 2] {
        let range = |points: &[[f64; 3]]| {
            points.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), p| {
                let along = n[0] * p[0] + n[1] * p[1] + n[2] * p[2];
                (low.min(along), high.max(along))
            })
        };
        let ((a_low, a_high), (b_low, b_high)) = (range(&self.a), range(&self.b));
        [a_high - b_low, b_high - a_low]
    }
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn norm(v: [f64; 3]) -> f64 {
    (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt()
}
