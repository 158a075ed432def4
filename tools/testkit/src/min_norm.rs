//! Exact distance of convex hulls: the point of least norm of a polytope, by Wolfe's algorithm (1976) in rationals.

use crate::rational::{Rational, Vector, add, dot, scale, sub, vector};
use num_traits::{One, ToPrimitive, Zero};

/// The point of conv(`points`) nearest to the origin, exactly.
///
/// # Panics
/// If there are no points.
pub fn min_norm_point(points: &[Vector]) -> Vector {
    let start = points.iter().min_by_key(|p| dot(p, p)).expect("a polytope needs points");
    wolfe(start.clone(), |x| points.iter().min_by_key(|p| dot(p, x)).expect("not empty").clone())
}

/// The point of conv(a) − conv(b) nearest to the origin, exactly, without forming all differences.
///
/// # Panics
/// If there are no points.
pub fn nearest_difference(a: &[Vector], b: &[Vector]) -> Vector {
    let start = sub(&a[0], &b[0]);
    wolfe(start, |x| {
        let from = a.iter().min_by_key(|p| dot(p, x)).expect("not empty");
        let to = b.iter().max_by_key(|p| dot(p, x)).expect("not empty");
        sub(from, to)
    })
}

/// `lowest(x)` is a point of the polytope with the least x·p.
fn wolfe(start: Vector, lowest: impl Fn(&Vector) -> Vector) -> Vector {
    let mut corral = vec![(start, Rational::one())];
    loop {
        let x = combination(&corral);
        let lowest = lowest(&x);
        if dot(&lowest, &x) >= dot(&x, &x) {
            return x;
        }
        corral.push((lowest, Rational::zero()));
        loop {
            let target = affine_minimiser(&corral);
            if target.iter().all(|w| *w > Rational::zero()) {
                for ((_, weight), new) in corral.iter_mut().zip(target) {
                    *weight = new;
                }
                break;
            }
            // Go towards the affine minimiser until the first weight vanishes, and drop its point.
            let step = corral
                .iter()
                .zip(&target)
                .filter(|((_, old), new)| *new < old)
                .map(|((_, old), new)| old / (old - new))
                .min()
                .expect("some weight falls")
                .min(Rational::one());
            for ((_, weight), new) in corral.iter_mut().zip(&target) {
                *weight = &*weight + &step * (new - &*weight);
            }
            corral.retain(|(_, weight)| *weight > Rational::zero());
        }
    }
}

/// The exact squared distance of the convex hulls of two point sets (0 when they meet).
pub fn hull_distance_squared(a: &[[f64; 3]], b: &[[f64; 3]]) -> Rational {
    let a: Vec<Vector> = a.iter().map(|p| vector(*p)).collect();
    let b: Vec<Vector> = b.iter().map(|p| vector(*p)).collect();
    let difference: Vec<Vector> = a.iter().flat_map(|p| b.iter().map(move |q| sub(p, q))).collect();
    let nearest = min_norm_point(&difference);
    dot(&nearest, &nearest)
}

/// Whether `value²` is at most `squared`, exactly.
pub fn at_most_root(value: f64, squared: &Rational) -> bool {
    let value = crate::rational::exact(value);
    value <= Rational::zero() || &value * &value <= *squared
}

/// The square root, rounded to a double (for tightness checks, not for proofs).
pub fn root(squared: &Rational) -> f64 {
    squared.to_f64().unwrap_or(f64::NAN).sqrt()
}

fn combination(corral: &[(Vector, Rational)]) -> Vector {
    corral.iter().map(|(p, w)| scale(w, p)).reduce(|a, b| add(&a, &b)).expect("not empty")
}

/// Weights (sum 1, any sign) of the point of least norm in the affine hull of affinely independent points.
///
/// Stationarity: p·pᵢ is the same for all i, where p = Σ wⱼpⱼ. So Σⱼ (pᵢ − p₀)·pⱼ wⱼ = 0 for i > 0, and Σ wⱼ = 1.
fn affine_minimiser(corral: &[(Vector, Rational)]) -> Vec<Rational> {
    let n = corral.len();
    let mut rows: Vec<Vec<Rational>> = (1..n)
        .map(|i| {
            let direction = sub(&corral[i].0, &corral[0].0);
            let mut row: Vec<Rational> = corral.iter().map(|(p, _)| dot(&direction, p)).collect();
            row.push(Rational::zero());
            row
        })
        .collect();
    rows.push(vec![Rational::one(); n + 1]);
    for column in 0..n {
        let pivot = (column..n).find(|r| !rows[*r][column].is_zero()).expect("affinely independent");
        rows.swap(column, pivot);
        let inverse = rows[column][column].recip();
        let pivot_row: Vec<Rational> = rows[column].iter().map(|v| v * &inverse).collect();
        for (r, row) in rows.iter_mut().enumerate() {
            if r != column && !row[column].is_zero() {
                let factor = row[column].clone();
                for (value, pivot_value) in row.iter_mut().zip(&pivot_row) {
                    *value = &*value - &factor * pivot_value;
                }
            }
        }
        rows[column] = pivot_row;
    }
    rows.into_iter().map(|row| row[n].clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rational::integer;

    #[test]
    fn corner_edge_face_and_overlap() {
        let square = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [2.0, 2.0, 0.0]];
        assert_eq!(hull_distance_squared(&square, &[[1.0, 0.5, 3.0]]), integer(9));
        assert_eq!(hull_distance_squared(&square, &[[1.0, -1.0, 1.0]]), integer(2));
        assert_eq!(hull_distance_squared(&square, &[[3.0, 3.0, 1.0]]), integer(3));
        assert_eq!(hull_distance_squared(&square, &[[1.0, 1.0, -1.0], [1.0, 1.0, 1.0]]), integer(0));
    }
}
