//! Where a ray meets one triangle.

use super::Ray;
use super::line_side::{line_side, turn};
use super::stretch::Stretch;
use kontakt_math::exact_vector::{cross, dot, exact, sub, vector};
use kontakt_math::predicates::orient2d;
use kontakt_math::{DVec2, DVec3, Dyadic, Sign};

/// The first point of the closed triangle on the ray; `None` when there is none. **Exact**, for triangles seen edge-on and
/// without area too.
pub(super) fn first(ray: Ray, [a, b, c]: [DVec3; 3]) -> Option<Stretch> {
    let sides = [(a, b), (b, c), (c, a)].map(|(from, to)| line_side(ray.direction, ray.origin, from, to));
    let (left, right) = (sides.contains(&Sign::Positive), sides.contains(&Sign::Negative));
    if left && right {
        return None;
    }
    if !(left || right) {
        return edge_on(ray, [a, b, c]);
    }
    // The line crosses the triangle's plane at one point of the triangle: direction·normal is the sum of the three determinants
    // whose signs are `sides`, so it is not zero.
    let [o, d, a, b, c] = [ray.origin, ray.direction, a, b, c].map(vector);
    let normal = cross(&sub(&b, &a), &sub(&c, &a));
    Stretch::of(dot(&sub(&a, &o), &normal), dot(&d, &normal))
}

/// The ray and the triangle lie in one plane (or the triangle has no area): the first common point, decided in the
/// projection along an axis that keeps them apart.
fn edge_on(ray: Ray, corners: [DVec3; 3]) -> Option<Stretch> {
    let Ray { origin, direction } = ray;
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
    let mut first: Option<Stretch> = None;
    let mut take = |at: Option<Stretch>| {
        let nearer = |at: &Stretch| first.as_ref().is_none_or(|best| at.cmp(best).is_lt());
        if let Some(at) = at.filter(nearer) {
            first = Some(at);
        }
    };
    let axis = usize::from(d.x.abs() < d.y.abs());
    for k in 0..3 {
        let (i, j) = (k, (k + 1) % 3);
        if side[i] == Sign::Zero {
            let at = on_line(o[axis], d[axis], points[i][axis]);
            let behind = at.is_none();
            take(at);
            if behind && side[j] == Sign::Zero && on_line(o[axis], d[axis], points[j][axis]).is_some() {
                take(Some(Stretch::nothing()));
            }
        } else if side[i].times(side[j]) == Sign::Negative {
            take(on_edge(o, d, points[i], points[j]));
        }
    }
    let inside = || {
        let round = [0, 1, 2].map(|k| orient2d(points[k], points[(k + 1) % 3], o));
        !(round.contains(&Sign::Positive) && round.contains(&Sign::Negative))
            && round.iter().any(|s| *s != Sign::Zero)
    };
    if first.is_some() && inside() { Some(Stretch::nothing()) } else { first }
}

/// A point on the ray's line by one coordinate, along which the ray moves: t = (p−o)/d.
fn on_line(o: f64, d: f64, p: f64) -> Option<Stretch> {
    Stretch::of(&exact(p) - &exact(o), exact(d))
}

/// Where the ray crosses an edge that has its ends on either side: t = (p−o)×(q−p) / d×(q−p).
fn on_edge(o: DVec2, d: DVec2, p: DVec2, q: DVec2) -> Option<Stretch> {
    let [o, d, p, q] = [o, d, p, q].map(|v| v.to_array().map(exact));
    let minus = |a: &[Dyadic; 2], b: &[Dyadic; 2]| [&a[0] - &b[0], &a[1] - &b[1]];
    let perp = |a: &[Dyadic; 2], b: &[Dyadic; 2]| &(&a[0] * &b[1]) - &(&a[1] * &b[0]);
    let edge = minus(&q, &p);
    Stretch::of(perp(&minus(&p, &o), &edge), perp(&d, &edge))
}
