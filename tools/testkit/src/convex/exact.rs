//! The verdict on two polytopes with radii in rationals: final, and slow.

use super::body::{Body, Core, exact_points, exact_radius};
use super::truth::Side;
use crate::min_norm::nearest_difference;
use crate::rational::{Rational, Vector, cross, dot, sub};
use num_traits::Zero;

/// Whether the cores' difference grown by all radii has the origin outside, on its boundary, or inside.
pub fn exact_side(a: &Body, b: &Body) -> Side {
    let (points_a, points_b) = (exact_points(a), exact_points(b));
    let radius = exact_radius(a, b);
    let nearest = nearest_difference(&points_a, &points_b);
    let squared = dot(&nearest, &nearest);
    if squared > Rational::zero() {
        return match squared.cmp(&(&radius * &radius)) {
            std::cmp::Ordering::Greater => Side::Apart,
            std::cmp::Ordering::Equal => Side::Touching,
            std::cmp::Ordering::Less => Side::Overlapping,
        };
    }
    if radius > Rational::zero() {
        return Side::Overlapping;
    }
    if on_boundary(a, b, &points_a, &points_b) { Side::Touching } else { Side::Overlapping }
}

/// The exact squared distance of the cores.
pub fn core_distance_squared(a: &Body, b: &Body) -> Rational {
    let nearest = nearest_difference(&exact_points(a), &exact_points(b));
    dot(&nearest, &nearest)
}

/// Whether the origin, which is in A − B, is on its boundary: some direction a facet can have reaches exactly 0, or A − B
/// lies in a line, so that no such direction exists.
fn on_boundary(a: &Body, b: &Body, points_a: &[Vector], points_b: &[Vector]) -> bool {
    let (edges_a, edges_b) = (edges(a, points_a), edges(b, points_b));
    let crossing = edges_a.iter().flat_map(|e| edges_b.iter().map(move |f| cross(e, f)));
    let normals = faces(a, points_a).into_iter().chain(faces(b, points_b)).chain(crossing);
    let mut any = false;
    for n in normals {
        if n.iter().all(Zero::is_zero) {
            continue;
        }
        any = true;
        let range = |points: &[Vector]| {
            let along: Vec<Rational> = points.iter().map(|p| dot(&n, p)).collect();
            (along.iter().min().cloned(), along.into_iter().max())
        };
        let ((a_low, a_high), (b_low, b_high)) = (range(points_a), range(points_b));
        if a_high == b_low || b_high == a_low {
            return true;
        }
    }
    !any
}

fn edges(body: &Body, points: &[Vector]) -> Vec<Vector> {
    match &body.core {
        Core::Points { edges, .. } => edges.iter().map(|[i, j]| sub(&points[*j], &points[*i])).collect(),
        _ => Vec::new(),
    }
}

fn faces(body: &Body, points: &[Vector]) -> Vec<Vector> {
    match &body.core {
        Core::Points { faces, .. } => faces
            .iter()
            .map(|[i, j, k]| cross(&sub(&points[*j], &points[*i]), &sub(&points[*k], &points[*i])))
            .collect(),
        _ => Vec::new(),
    }
}
