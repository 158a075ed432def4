//! How two closed triangles meet, in rationals: one triangle is clipped by the other's plane and sides.
//!
//! The classes are told apart by dimension alone. With relative interiors (a triangle without its rim, a segment without its ends,
//! a point): they meet or not; the affine hull of both has dimension three or less.

use crate::rational::{Rational, Vector, add, cross, dot, integer, scale, sign, sub};
use num_traits::{One, Zero};

/// How two triangles meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TriangleMeeting {
    /// No common point.
    Apart,
    /// Common points, none of the following.
    Touching,
    /// The relative interiors meet, and both together span space.
    Crossing,
    /// Both have an area, lie in one plane, and the relative interiors meet.
    Coplanar,
}

/// Classifies by linear programming: weights α, β ≥ 0 with Σα = Σβ = 1 and Σαᵢaᵢ = Σβⱼbⱼ. The largest common lower bound of all
/// weights is positive iff the relative interiors meet; any solution at all is a common point.
pub fn triangle_meeting(a: &[Vector; 3], b: &[Vector; 3]) -> TriangleMeeting {
    match largest_margin(a, b) {
        None => TriangleMeeting::Apart,
        Some(margin) => {
            let inner = margin > Rational::zero();
            let both: Vec<Vector> = a.iter().chain(b).cloned().collect();
            match (inner, dimension(&both), dimension(a), dimension(b)) {
                (true, 3, _, _) => TriangleMeeting::Crossing,
                (true, 2, 2, 2) => TriangleMeeting::Coplanar,
                _ => TriangleMeeting::Touching,
            }
        }
    }
}

/// Dimension of the affine hull.
pub fn dimension(points: &[Vector]) -> usize {
    let mut basis: Vec<Vector> = Vec::new();
    for point in &points[1..] {
        let edge = sub(point, &points[0]);
        let independent = match basis.as_slice() {
            [] => edge.iter().any(|x| !x.is_zero()),
            [u] => cross(u, &edge).iter().any(|x| !x.is_zero()),
            [u, v] => !dot(&cross(u, v), &edge).is_zero(),
            _ => false,
        };
        if independent {
            basis.push(edge);
        }
    }
    basis.len()
}

/// Maximises m over α = m + α', β = m + β', α', β', m ≥ 0 by enumeration of basic solutions; `None` when there is no solution.
///
/// Seven unknowns, five equations (three coordinates, two sums), some of them maybe dependent: the optimum is at a point where
/// at most rank-many unknowns are positive.
fn largest_margin(a: &[Vector; 3], b: &[Vector; 3]) -> Option<Rational> {
    let column = |p: &Vector, side: usize| -> Vec<Rational> {
        let factor = if side == 0 { integer(1) } else { integer(-1) };
        let mut rows: Vec<Rational> = scale(&factor, p).to_vec();
        rows.push(if side == 0 { Rational::one() } else { Rational::zero() });
        rows.push(if side == 1 { Rational::one() } else { Rational::zero() });
        rows
    };
    let mut columns: Vec<Vec<Rational>> =
        a.iter().map(|p| column(p, 0)).chain(b.iter().map(|p| column(p, 1))).collect();
    let sum = (0..5).map(|r| columns.iter().map(|c| c[r].clone()).sum()).collect();
    columns.push(sum);
    let right = [0, 0, 0, 1, 1].map(integer);
    let mut best: Option<Rational> = None;
    for chosen in 1_u32..128 {
        if chosen.count_ones() > 5 {
            continue;
        }
        let used: Vec<usize> = (0..7).filter(|i| chosen >> i & 1 == 1).collect();
        let Some(solution) = unique_solution(&columns, &used, &right) else { continue };
        if solution.iter().any(|x| *x < Rational::zero()) {
            continue;
        }
        let margin = used.iter().position(|&i| i == 6).map_or_else(Rational::zero, |at| solution[at].clone());
        best = Some(best.map_or(margin.clone(), |old| old.max(margin)));
    }
    best
}

/// Solves Σ xᵢ·columnᵢ = right over the used columns; `None` if they are dependent or there is no solution.
fn unique_solution(
    columns: &[Vec<Rational>],
    used: &[usize],
    right: &[Rational; 5],
) -> Option<Vec<Rational>> {
    let mut rows: Vec<Vec<Rational>> = (0..5)
        .map(|r| used.iter().map(|&i| columns[i][r].clone()).chain([right[r].clone()]).collect())
        .collect();
    for at in 0..used.len() {
        let pivot = (at..5).find(|&r| sign(&rows[r][at]) != 0)?;
        rows.swap(at, pivot);
        let pivot_row: Vec<Rational> = rows[at].iter().map(|x| x / &rows[at][at]).collect();
        for (r, row) in rows.iter_mut().enumerate() {
            if r != at && !row[at].is_zero() {
                let factor = row[at].clone();
                for (x, p) in row.iter_mut().zip(&pivot_row) {
                    *x -= &factor * p;
                }
            }
        }
        rows[at] = pivot_row;
    }
    let consistent = rows[used.len()..].iter().all(|row| row[used.len()].is_zero());
    consistent.then(|| (0..used.len()).map(|r| rows[r][used.len()].clone()).collect())
}

/// The mean of three points.
pub fn centroid(t: &[Vector; 3]) -> Vector {
    scale(&(integer(1) / integer(3)), &add(&add(&t[0], &t[1]), &t[2]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rational::vector;

    fn triangle(points: [[f64; 3]; 3]) -> [Vector; 3] {
        points.map(vector)
    }

    #[test]
    fn one_of_each_class() {
        let floor = triangle([[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]]);
        let wall = triangle([[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [2.0, 1.0, 1.0]]);
        let above = triangle([[1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [2.0, 1.0, 1.0]]);
        let beside = triangle([[1.0, 1.0, 0.0], [9.0, 1.0, 0.0], [2.0, 7.0, 0.0]]);
        let off = triangle([[1.0, 1.0, 1.0], [9.0, 1.0, 1.0], [2.0, 7.0, 1.0]]);
        let needle = triangle([[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 0.0]]);
        assert_eq!(triangle_meeting(&floor, &wall), TriangleMeeting::Crossing);
        assert_eq!(triangle_meeting(&floor, &above), TriangleMeeting::Touching);
        assert_eq!(triangle_meeting(&floor, &beside), TriangleMeeting::Coplanar);
        assert_eq!(triangle_meeting(&floor, &off), TriangleMeeting::Apart);
        assert_eq!(triangle_meeting(&floor, &needle), TriangleMeeting::Crossing);
        assert_eq!(triangle_meeting(&needle, &needle), TriangleMeeting::Touching);
    }
}
