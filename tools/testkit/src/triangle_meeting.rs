//! How two closed triangles meet, in rationals: one is clipped by the half-spaces whose intersection the other is.

use crate::rational::{Rational, Vector, add, cross, dot, integer, scale, sign, sub};
use num_traits::Zero;

/// How two triangles meet. Insides are relative interiors: a triangle without its rim, a segment without its ends, a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TriangleMeeting {
    /// No common point.
    Apart,
    /// Common points, none of the following.
    Touching,
    /// The insides meet, and both together span space.
    Crossing,
    /// Both have an area, lie in one plane, and the insides meet.
    Coplanar,
}

/// Classifies two triangles, degenerate ones included.
///
/// Where the insides of two convex sets meet, their intersection is the inside of the intersection; so any inner point of the
/// intersection, such as a mean of all its corners, tells whether they do.
pub fn triangle_meeting(a: &[Vector; 3], b: &[Vector; 3]) -> TriangleMeeting {
    let common = intersection(a, b);
    if common.is_empty() {
        return TriangleMeeting::Apart;
    }
    let half = integer(1) / integer(2);
    let middle = common.iter().skip(1).fold(common[0].clone(), |middle, p| scale(&half, &add(&middle, p)));
    let inner = [a, b].into_iter().all(|t| is_inside(t, &middle));
    let both: Vec<Vector> = a.iter().chain(b).cloned().collect();
    match (inner, dimension(&both), dimension(a), dimension(b)) {
        (true, 3, _, _) => TriangleMeeting::Crossing,
        (true, 2, 2, 2) => TriangleMeeting::Coplanar,
        _ => TriangleMeeting::Touching,
    }
}

/// The corners of the intersection, in order, maybe repeated; none when the triangles are apart.
pub fn intersection(a: &[Vector; 3], b: &[Vector; 3]) -> Vec<Vector> {
    let (mut spaces, flat) = half_spaces(b);
    // The flat directions bound on both sides.
    spaces.extend(flat.into_iter().flat_map(|s| [s.clone(), s.reversed()]));
    let mut polygon = a.to_vec();
    for space in &spaces {
        polygon = clip(&polygon, space);
    }
    polygon
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

/// normal·x ≥ offset
#[derive(Clone, Debug)]
struct HalfSpace {
    normal: Vector,
    offset: Rational,
}

impl HalfSpace {
    fn through(normal: Vector, point: &Vector) -> HalfSpace {
        let offset = dot(&normal, point);
        HalfSpace { normal, offset }
    }

    fn reversed(&self) -> HalfSpace {
        HalfSpace { normal: scale(&integer(-1), &self.normal), offset: -&self.offset }
    }

    fn depth(&self, x: &Vector) -> Rational {
        dot(&self.normal, x) - &self.offset
    }
}

/// A triangle as the half-spaces of its rim within the planes of its affine hull.
fn half_spaces(t: &[Vector; 3]) -> (Vec<HalfSpace>, Vec<HalfSpace>) {
    let axis = |i: usize| -> Vector { std::array::from_fn(|j| integer(i64::from(i == j))) };
    match dimension(t) {
        2 => {
            let normal = cross(&sub(&t[1], &t[0]), &sub(&t[2], &t[0]));
            let rim = (0..3)
                .map(|i| HalfSpace::through(cross(&normal, &sub(&t[(i + 1) % 3], &t[i])), &t[i]))
                .collect();
            (rim, vec![HalfSpace::through(normal, &t[0])])
        }
        1 => {
            let (first, last) = (t.iter().min().unwrap_or(&t[0]), t.iter().max().unwrap_or(&t[0]));
            let along = sub(last, first);
            let flat = (0..3).map(|i| HalfSpace::through(cross(&along, &axis(i)), first)).collect();
            let start = HalfSpace::through(along.clone(), first);
            (vec![start, HalfSpace::through(along, last).reversed()], flat)
        }
        _ => (Vec::new(), (0..3).map(|i| HalfSpace::through(axis(i), &t[0])).collect()),
    }
}

/// The part of a convex polygon (or segment, or point) within a half-space (Sutherland and Hodgman).
fn clip(polygon: &[Vector], space: &HalfSpace) -> Vec<Vector> {
    let mut kept = Vec::new();
    for (i, here) in polygon.iter().enumerate() {
        let next = &polygon[(i + 1) % polygon.len()];
        let (from, to) = (space.depth(here), space.depth(next));
        if sign(&from) >= 0 {
            kept.push(here.clone());
        }
        if sign(&from) * sign(&to) < 0 {
            let share = &from / (&from - &to);
            kept.push(add(here, &scale(&share, &sub(next, here))));
        }
    }
    kept.dedup();
    kept
}

/// Whether a point of the triangle is off its rim.
fn is_inside(t: &[Vector; 3], x: &Vector) -> bool {
    half_spaces(t).0.iter().all(|space| sign(&space.depth(x)) > 0)
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
        for (other, class) in [
            (&wall, TriangleMeeting::Crossing),
            (&above, TriangleMeeting::Touching),
            (&beside, TriangleMeeting::Coplanar),
            (&off, TriangleMeeting::Apart),
            (&needle, TriangleMeeting::Crossing),
        ] {
            assert_eq!(triangle_meeting(&floor, other), class);
            assert_eq!(triangle_meeting(other, &floor), class);
        }
        assert_eq!(triangle_meeting(&needle, &needle), TriangleMeeting::Touching);
    }
}
