//! Where a ray meets one triangle.

use super::line_side::{line_side, turn};
use kontakt_math::predicates::{orient2d, orient3d};
use kontakt_math::{DVec2, DVec3, Sign};

/// The parameter t ≥ 0, to rounding, of the first point of the closed triangle on the ray; `None` when there is none. That
/// there is one is decided exactly, for triangles seen edge-on and without area too.
pub(crate) fn parameter(origin: DVec3, direction: DVec3, [a, b, c]: [DVec3; 3]) -> Option<f64> {
    let sides = [(a, b), (b, c), (c, a)].map(|(from, to)| line_side(direction, origin, from, to));
    let (left, right) = (sides.contains(&Sign::Positive), sides.contains(&Sign::Negative));
    if left && right {
        return None;
    }
    if !(left || right) {
        return edge_on(origin, direction, [a, b, c]);
    }
    // The line crosses the triangle's plane at one point of the triangle. direction·normal is the sum of the three
    // determinants whose signs are `sides`, so it has their sign. (a−o)·normal is `orient3d`.
    let facing = if left { Sign::Positive } else { Sign::Negative };
    let ahead = orient3d(a, b, c, origin);
    if ahead.times(facing) == Sign::Negative {
        return None;
    }
    if ahead == Sign::Zero {
        return Some(0.0);
    }
    Some(plane_parameter(origin, direction, [a, b, c]))
}

/// t at which the line meets the triangle's plane, to rounding; never negative: the caller knows its sign.
fn plane_parameter(origin: DVec3, direction: DVec3, [a, b, c]: [DVec3; 3]) -> f64 {
    let (p, q, r) = (a - origin, b - origin, c - origin);
    // Weights of the corners at the hit: the three determinants. They lose nothing when the triangle is far from the origin
    // of coordinates, and their sum is direction·normal.
    let weights = [q.cross(r), r.cross(p), p.cross(q)].map(|v| v.dot(direction));
    let sum = weights[0] + weights[1] + weights[2];
    let hit = (p * weights[0] + q * weights[1] + r * weights[2]) / sum;
    let t = hit.dot(direction) / direction.length_squared();
    if t.is_finite() {
        return t.max(0.0);
    }
    // Beyond the range of products: the same with everything scaled to size 1.
    let size = p.abs().max(q.abs()).max(r.abs()).max_element();
    let reach = direction.abs().max_element();
    let normal = ((q - p) / size).cross((r - p) / size);
    let t = (p / size).dot(normal) / (direction / reach).dot(normal) * (size / reach);
    if t.is_finite() { t.max(0.0) } else { 0.0 }
}

/// The ray and the triangle lie in one plane (or the triangle has no area): the first common point, decided in the
/// projection along an axis that keeps them apart.
fn edge_on(origin: DVec3, direction: DVec3, corners: [DVec3; 3]) -> Option<f64> {
    // A view along an axis in which a corner is off the ray's line (exactly): the common plane's normal then has a part
    // along that axis, and the view is one-to-one on the plane. Without one all corners are on the line, and any view that
    // does not look along it will do.
    let flat = |v: DVec3, drop: usize| DVec2::new(v[(drop + 1) % 3], v[(drop + 2) % 3]);
    let sides = |drop: usize| corners.map(|c| turn(flat(direction, drop), flat(origin, drop), flat(c, drop)));
    let drop = (0..3)
        .find(|&drop| sides(drop) != [Sign::Zero; 3])
        .or_else(|| (0..3).find(|&drop| flat(direction, drop) != DVec2::ZERO))?;
    let (o, d, side) = (flat(origin, drop), flat(direction, drop), sides(drop));
    let points = corners.map(|c| flat(c, drop));
    let mut first: Option<f64> = None;
    let mut take = |t: f64| first = Some(first.map_or(t, |best: f64| best.min(t)));
    for k in 0..3 {
        let (i, j) = (k, (k + 1) % 3);
        if side[i] == Sign::Zero {
            // On the ray's line. Ahead when the difference along a coordinate has the sign of the direction.
            let axis = usize::from(d.x.abs() < d.y.abs());
            let t = (points[i][axis] - o[axis]) / d[axis];
            if t >= 0.0 {
                take(t);
            } else if side[j] == Sign::Zero && (points[j][axis] - o[axis]) / d[axis] >= 0.0 {
                take(0.0);
            }
        } else if side[i].times(side[j]) == Sign::Negative {
            // t = (p−o)×(q−p) / d×(q−p)
            let (ahead, facing) = (orient2d(points[i], points[j], o), turn(d, points[i], points[j]));
            if ahead.times(facing) != Sign::Negative {
                let edge = points[j] - points[i];
                let t = (points[i] - o).perp_dot(edge) / d.perp_dot(edge);
                take(if t.is_finite() { t.max(0.0) } else { 0.0 });
            }
        }
    }
    let inside = || {
        let round = [0, 1, 2].map(|k| orient2d(points[k], points[(k + 1) % 3], o));
        !(round.contains(&Sign::Positive) && round.contains(&Sign::Negative))
            && round.iter().any(|s| *s != Sign::Zero)
    };
    if first.is_some() && inside() { Some(0.0) } else { first }
}
