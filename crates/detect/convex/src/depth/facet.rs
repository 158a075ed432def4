//! The facet of the difference that the descent ended at: a better normal, certified bounds, witness points.

use super::Scaled;
use super::descent::Reach;
use super::surface::Surface;
use super::witness::{mix, point_error};
use crate::difference::Spot;
use crate::difference::corners::Corners;
use crate::facet::Facet;
use kontakt_math::{DVec2, DVec3, U};
use std::f64::consts::PI;

/// Points that a facet's extent is measured with.
const MOST_POINTS: usize = 24;

/// Completes what the descent found. `proved`: the surface goes around the origin.
pub(crate) fn complete(pair: &Scaled<'_>, surface: &Surface, reach: &Reach, proved: bool) -> Facet {
    let reach = polish(pair, reach);
    let normal = reach.normal;
    let (error, size) = (pair.error, pair.size);
    // The vertex found is the farthest but for the roundings of A's products (2·4u|a|) and B's (2·62u|b|, of the direction
    // turned back, within twice `error`); its place errs by `error`, the product and the normal's length by 8u|w|.
    let high = reach.height + 4.0 * error + 16.0 * U * size;
    // Places err by `error`, products and the normals' lengths by 8u|w|.
    let slack = error + 12.0 * U * size;
    let mut bounds = Bounds { low: f64::INFINITY, least: f64::INFINITY };
    let mut points = Points::default();
    let mut home = ([reach.corners[0]; 3], [1.0, 0.0, 0.0], f64::NEG_INFINITY);
    let (x_axis, y_axis) = normal.any_orthonormal_pair();
    for face in surface.faces_up_to(high + slack) {
        let along = surface.least_along(face, normal);
        bounds.low = bounds.low.min(surface.near(face).max(along));
        bounds.least = bounds.least.min(along);
        let corners = surface.corners(face);
        let seen = |spot: &Spot| DVec2::new(x_axis.dot(spot.w), y_axis.dot(spot.w));
        let flat = [seen(&corners[0]), seen(&corners[1]), seen(&corners[2])];
        for y in flat {
            points.push(y);
        }
        let weights = weights_of_origin(flat);
        let least = weights[0].min(weights[1]).min(weights[2]);
        // Other facets may be as near: the foot is in a face that looks our way.
        if least > home.2 && surface.normal(face).dot(normal) > 0.5 {
            home = (corners, weights, least);
        }
    }
    let low = if proved { bounds.low - slack } else { f64::NEG_INFINITY };
    let normal_error =
        if proved { angle_bound(bounds.least - slack, high, points.inradius() - slack) } else { PI };
    let mut facet = Facet {
        normal,
        normal_error,
        low: low.min(high) / pair.scale,
        high: high / pair.scale,
        point_a: DVec3::ZERO,
        point_b: DVec3::ZERO,
        point_error: f64::INFINITY,
    };
    let weights = share(home.1);
    (facet.point_a, facet.point_b) = mix(pair.pair, &home.0, &weights);
    facet.point_error = point_error(pair.pair, &facet, [reach.top.a, reach.top.b]);
    facet
}

/// What is known when no facet was found: only that the depth is no more than the reach along `normal`.
pub(crate) fn incomplete(pair: &Scaled<'_>, normal: DVec3) -> Facet {
    let [spot, back] = [normal, -normal].map(|n| pair.support(n));
    let (height, depth) = (normal.dot(spot.w), -normal.dot(back.w));
    let (normal, height, spot) = if depth < height { (-normal, depth, back) } else { (normal, height, spot) };
    let high = height + 4.0 * pair.error + 16.0 * U * pair.size;
    Facet {
        normal,
        normal_error: PI,
        low: f64::NEG_INFINITY,
        high: high.max(0.0) / pair.scale,
        point_a: pair.pair.a.corner(spot.a),
        point_b: pair.pair.b.corner(spot.b),
        point_error: f64::INFINITY,
    }
}

struct Bounds {
    /// Least distance of a face that may hold the depth's foot.
    low: f64,
    /// Least normal · corner of such faces.
    least: f64,
}

/// **Never less** than the angle φ between our normal n and an exact one m; all lengths certified.
///
/// The foot d·m of the depth, d ≤ `high`, has the ray along m in common with one of the faces at hand, whose point on
/// that ray is no farther than d; n·x ≥ `least` on these faces, so cos φ ≥ least/high: φ ≤ α. Further the faces' corners x,
/// seen along n, surround the foot of n with an inner radius ρ; all of them obey m·x ≤ d. With x = h·n + y and y towards
/// m's tilt: h cos φ + ρ sin φ ≤ high, h ≥ least, so ρ sin φ ≤ high − least + high(1 − cos φ) ≤ high − least + high·αφ/2.
fn angle_bound(least: f64, high: f64, inner_radius: f64) -> f64 {
    if !(least > 0.0 && high > 0.0) {
        return PI;
    }
    let gap = ((high - least) / high).max(0.0);
    // acos(1 − g) ≤ √(2g)·(1 + g) for g ≤ 1; 8u cover the roundings.
    let wide = (2.0 * gap).sqrt() * (1.0 + gap) * (1.0 + 1e-9) + 8.0 * U;
    // sin φ ≥ 0.99 φ for φ ≤ 0.2
    let lever = 0.99 * inner_radius - 0.5 * high * wide;
    if wide < 0.2 && lever > 0.0 {
        wide.min((high - least) / lever * (1.0 + 1e-9) + 8.0 * U)
    } else {
        wide.min(PI)
    }
}

/// Tries the normals of the features that the facet's corners belong to; keeps the one along which the difference is
/// lowest.
fn polish(pair: &Scaled<'_>, reach: &Reach) -> Reach {
    let [p, q, r] = reach.corners;
    let at_a = |spot: &Spot| pair.pair.a.corner(spot.a);
    let at_b = |spot: &Spot| pair.pair.b.corner(spot.b);
    let (a1, a2) = (at_a(&q) - at_a(&p), at_a(&r) - at_a(&p));
    let (b1, b2) = (at_b(&q) - at_b(&p), at_b(&r) - at_b(&p));
    let turn = pair.pair.between.turn();
    let mut best = Reach { height: f64::INFINITY, ..*reach };
    let mut consider = |axis: DVec3| {
        let Some(mut normal) = unit(axis) else { return };
        if normal.dot(reach.normal) < 0.0 {
            normal = -normal;
        }
        let top = pair.support(normal);
        let height = normal.dot(top.w);
        if height < best.height {
            best = Reach { normal, height, top, corners: reach.corners };
        }
    };
    let (same_a, same_b) = (p.a == q.a && q.a == r.a, p.b == q.b && q.b == r.b);
    if p.a != q.a && q.a != r.a && r.a != p.a {
        consider(a1.cross(a2));
    }
    if p.b != q.b && q.b != r.b && r.b != p.b {
        consider(turn * b1.cross(b2));
    }
    if !same_a && !same_b {
        // The two edges with the widest angle between them.
        let mut widest = (0.0, DVec3::ZERO);
        for v in [b1, b2, b2 - b1] {
            if v == DVec3::ZERO {
                continue;
            }
            let turned = turn * v;
            for u in [a1, a2, a2 - a1] {
                let axis = u.cross(turned);
                let squared = axis.length_squared();
                if squared > 0.0 {
                    let sine = squared / (u.length_squared() * v.length_squared());
                    if sine > widest.0 {
                        widest = (sine, axis);
                    }
                }
            }
        }
        consider(widest.1);
    }
    // To rounding the features' normal is as low as the triangle's own.
    if best.height <= reach.height + 64.0 * U * pair.size { best } else { *reach }
}

/// The unit vector along `axis`, whatever its length but zero.
fn unit(axis: DVec3) -> Option<DVec3> {
    let most = axis.abs().max_element();
    (most > 0.0 && most < f64::INFINITY).then(|| (axis / most).normalize())
}

/// Barycentric coordinates of the origin in a triangle of the plane; −∞ for a triangle without area.
fn weights_of_origin([p, q, r]: [DVec2; 3]) -> [f64; 3] {
    let area = (q - p).perp_dot(r - p);
    if area == 0.0 {
        return [f64::NEG_INFINITY; 3];
    }
    [q.perp_dot(r) / area, r.perp_dot(p) / area, p.perp_dot(q) / area]
}

/// Weights cut to be not negative, with sum 1.
fn share(weights: [f64; 3]) -> [f64; 3] {
    let weights = DVec3::from_array(weights).max(DVec3::ZERO);
    let total = weights.element_sum();
    if total > 0.0 && total < f64::INFINITY { (weights / total).to_array() } else { [1.0, 0.0, 0.0] }
}

/// Points of the plane around the origin.
struct Points {
    list: [DVec2; MOST_POINTS],
    count: usize,
}

impl Default for Points {
    fn default() -> Self {
        Points { list: [DVec2::ZERO; MOST_POINTS], count: 0 }
    }
}

impl Points {
    /// Adds a point unless it is there already; too many are dropped, which makes the inner radius no greater.
    fn push(&mut self, y: DVec2) {
        if self.count < MOST_POINTS && !self.list[..self.count].contains(&y) {
            self.list[self.count] = y;
            self.count += 1;
        }
    }

    /// **Never more** than the radius of the greatest disc about the origin within the points' hull, to rounding;
    /// negative or zero if there is none.
    ///
    /// Every edge of the hull has all points to its left, if only to rounding; further pairs of points that pass can
    /// but lower the result.
    fn inradius(&self) -> f64 {
        let points = &self.list[..self.count];
        let most = points.iter().map(|y| y.length_squared()).fold(0.0, f64::max);
        let slack = -1e-12 * most;
        let mut least = f64::INFINITY;
        for (i, p) in points.iter().enumerate() {
            for (j, q) in points.iter().enumerate() {
                let side = *q - *p;
                if i != j && points.iter().all(|x| side.perp_dot(*x - *p) >= slack) {
                    least = least.min(p.perp_dot(*q) / side.length());
                }
            }
        }
        if least < f64::INFINITY { least } else { 0.0 }
    }
}
