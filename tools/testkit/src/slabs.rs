//! Exact truths about {x : minᵢ ≤ nᵢ·x ≤ maxᵢ}: all vertices by brute force over triples of planes.

use crate::rational::{Rational, Vector, add, cross, dot, exact, scale, vector};
use num_traits::Zero;

/// Every vertex of the polytope, exactly; none if it is empty or unbounded without corners.
pub fn vertices(directions: &[[f64; 3]], min: &[f64], max: &[f64]) -> Vec<Vector> {
    let n: Vec<Vector> = directions.iter().map(|d| vector(*d)).collect();
    let ends: Vec<[Rational; 2]> = min.iter().zip(max).map(|(a, b)| [exact(*a), exact(*b)]).collect();
    let inside = |x: &Vector| {
        n.iter().zip(&ends).all(|(n, [low, high])| {
            let along = dot(n, x);
            *low <= along && along <= *high
        })
    };
    let mut found = Vec::new();
    for i in 0..n.len() {
        for j in 0..i {
            for k in 0..j {
                let [ij, jk, ki] = [cross(&n[i], &n[j]), cross(&n[j], &n[k]), cross(&n[k], &n[i])];
                let determinant = dot(&n[i], &jk);
                if determinant.is_zero() {
                    continue;
                }
                for sides in 0..8_usize {
                    let end = |at: usize, bit: usize| &ends[at][sides >> bit & 1] / &determinant;
                    let x =
                        add(&add(&scale(&end(i, 0), &jk), &scale(&end(j, 1), &ki)), &scale(&end(k, 2), &ij));
                    if inside(&x) && !found.contains(&x) {
                        found.push(x);
                    }
                }
            }
        }
    }
    found
}
