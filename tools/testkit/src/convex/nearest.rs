//! The point of a convex set nearest to the origin, by Wolfe's algorithm in double-doubles.

use crate::twin::{Twin, TwinVector, inner, length, minus, outer, plus, times};

/// What is known of the point of a set nearest to the origin.
#[derive(Clone, Copy, Debug)]
pub struct Nearest {
    /// A point of the set (up to rounding).
    pub point: TwinVector,
    /// Its distance from the origin: an upper bound.
    pub upper: Twin,
    /// A lower bound, from a plane that has the whole set behind it; may be negative.
    pub lower: Twin,
}

/// Enough for polytopes of any size here; round bodies need a few dozen.
const ROUNDS: usize = 400;

/// Wolfe's algorithm with a support map: `lowest(x)` is a point of the set with the least x·p. Stops when the bounds are
/// `precision` apart, or when rounding lets nothing improve.
pub fn nearest(
    start: TwinVector,
    precision: f64,
    mut lowest: impl FnMut(&TwinVector) -> TwinVector,
) -> Nearest {
    let mut corral = vec![(start, Twin::ONE)];
    let mut best = Nearest { point: start, upper: length(&start), lower: Twin::from(f64::NEG_INFINITY) };
    for _ in 0..ROUNDS {
        let x = combination(&corral);
        let distance = length(&x);
        if distance < best.upper {
            best.point = x;
            best.upper = distance;
        }
        if distance.high <= precision {
            return best;
        }
        let across = sharpened(&x, &corral);
        let p = lowest(&across);
        best.lower = best.lower.max(inner(&across, &p) / length(&across));
        if (best.upper - best.lower).high <= precision || corral.iter().any(|(q, _)| *q == p) {
            return best;
        }
        corral.push((p, Twin::ZERO));
        if !descend(&mut corral) {
            return best;
        }
    }
    best
}

/// `x` made orthogonal to the corral's edges once more. Near the origin x keeps few digits, and a direction that is off by 1e-15
/// would spoil the lower bound by that part of the set's size.
fn sharpened(x: &TwinVector, corral: &[(TwinVector, Twin)]) -> TwinVector {
    let better = match corral {
        [(p, _), (q, _)] => {
            let edge = minus(q, p);
            minus(x, &times(inner(x, &edge) / inner(&edge, &edge), &edge))
        }
        [(p, _), (q, _), (r, _)] => {
            let normal = outer(&minus(q, p), &minus(r, p));
            if inner(&normal, x) < Twin::ZERO { normal.map(|c| -c) } else { normal }
        }
        _ => *x,
    };
    let usable = length(&better).high;
    if usable > 0.0 && usable.is_finite() { better } else { *x }
}

fn combination(corral: &[(TwinVector, Twin)]) -> TwinVector {
    corral.iter().fold([Twin::ZERO; 3], |sum, (p, w)| plus(&sum, &times(*w, p)))
}

/// Moves the weights to the nearest point of the corral's hull and drops points of weight 0; false if rounding forbids it.
fn descend(corral: &mut Vec<(TwinVector, Twin)>) -> bool {
    while corral.len() > 1 {
        let Some(target) = affine_minimiser(corral) else { return false };
        if target.iter().all(|w| *w > Twin::ZERO) {
            corral.iter_mut().zip(target).for_each(|((_, weight), new)| *weight = new);
            return true;
        }
        let falling = corral.iter().zip(&target).enumerate().filter(|(_, (_, new))| **new <= Twin::ZERO);
        let steps = falling.map(|(i, ((_, old), new))| (i, *old / (*old - *new)));
        let first =
            steps.filter(|(_, step)| step.high.is_finite()).reduce(|a, b| if b.1 < a.1 { b } else { a });
        let Some((gone, step)) = first else { return false };
        for ((_, weight), new) in corral.iter_mut().zip(&target) {
            *weight = *weight + step * (*new - *weight);
        }
        corral.remove(gone);
        corral.retain(|(_, weight)| *weight > Twin::ZERO);
    }
    if let [(_, weight)] = corral.as_mut_slice() {
        *weight = Twin::ONE;
    }
    !corral.is_empty()
}

/// Weights of the point of least norm in the affine hull: with p₀ and the differences eᵢ = pᵢ − p₀ it is p₀ + Σ wᵢeᵢ where
/// Σⱼ eᵢ·eⱼ wⱼ = −eᵢ·p₀; none if the differences are dependent to working precision.
fn affine_minimiser(corral: &[(TwinVector, Twin)]) -> Option<Vec<Twin>> {
    let (base, rest) = corral.split_first()?;
    let n = rest.len();
    if n > 3 {
        return None;
    }
    let edges: Vec<TwinVector> = rest.iter().map(|(p, _)| minus(p, &base.0)).collect();
    let mut rows: Vec<Vec<Twin>> = edges
        .iter()
        .map(|e| edges.iter().map(|f| inner(e, f)).chain([-inner(e, &base.0)]).collect())
        .collect();
    for column in 0..n {
        let pivot =
            (column..n).max_by(|&r, &s| rows[r][column].high.abs().total_cmp(&rows[s][column].high.abs()))?;
        rows.swap(column, pivot);
        if rows[column][column].high == 0.0 {
            return None;
        }
        for row in column + 1..n {
            let factor = rows[row][column] / rows[column][column];
            let pivot_row = rows[column].clone();
            for (entry, above) in rows[row].iter_mut().zip(&pivot_row).skip(column) {
                *entry = *entry - factor * *above;
            }
        }
    }
    let mut weights = vec![Twin::ZERO; n];
    for row in (0..n).rev() {
        let known = (row + 1..n).fold(rows[row][n], |sum, k| sum - rows[row][k] * weights[k]);
        weights[row] = known / rows[row][row];
    }
    let first = weights.iter().fold(Twin::ONE, |sum, w| sum - *w);
    let all: Vec<Twin> = [first].into_iter().chain(weights).collect();
    all.iter().all(|w| w.high.is_finite()).then_some(all)
}
