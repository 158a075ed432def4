//! Distance of two triangles with the points where it is.

use super::between::Between;
use kontakt_math::DVec3;

/// How far two triangles are apart, and where: all in A's frame, rounded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FaceDistance {
    /// |`point_b` − `point_a`|²: for triangles that meet a rounding beside their sizes, not always 0.
    pub squared: f64,
    /// On A's triangle, to rounding.
    pub point_a: DVec3,
    /// On B's triangle, to rounding.
    pub point_b: DVec3,
}

/// The distance of a triangle of A (in A's frame) and one of B (in B's).
pub fn distance_between(between: &Between, a: [DVec3; 3], b: [DVec3; 3]) -> FaceDistance {
    distance(a, b.map(|x| between.b_in_a(x)))
}

/// The distance of two triangles in one frame: accurate to about 10⁻¹⁵ of their sizes and distance, degenerate ones
/// included. Not NaN for any finite corners whose differences do not overflow.
///
/// The nearest points are a corner and its foot inside the other face, or lie on two edges; where an edge
/// passes through a face the distance is 0. Every candidate is a pair of points of the triangles, hence never too near.
pub fn distance(a: [DVec3; 3], b: [DVec3; 3]) -> FaceDistance {
    // Relative to a corner, so that a place far away costs no accuracy.
    let origin = a[0];
    let (a, b) = (a.map(|x| x - origin), b.map(|x| x - origin));
    let size = a.iter().chain(&b).fold(0.0, |size: f64, x| size.max(x.abs().max_element()));
    if !(TINY..=HUGE).contains(&size) && size > 0.0 && size.is_finite() {
        return rescaled(origin, a, b, size);
    }
    let found = nearest(a, b, size);
    FaceDistance { point_a: found.point_a + origin, point_b: found.point_b + origin, ..found }
}

/// Below this size squares of squares leave the normal doubles…
const TINY: f64 = 1e-60;
/// …and above this they overflow.
const HUGE: f64 = 1e60;

/// Brings the size near 1 by a power of two, which rounds nothing but what is negligible beside the size.
#[cold]
fn rescaled(origin: DVec3, a: [DVec3; 3], b: [DVec3; 3], size: f64) -> FaceDistance {
    let exponent = i32::try_from((size.to_bits() >> 52) & 0x7ff).unwrap_or(0) - 1023;
    let power = |e: i32| 2.0_f64.powi(e);
    let (down, rest) = (power(-exponent / 2), power(-exponent - -exponent / 2));
    let (up, more) = (power(exponent / 2), power(exponent - exponent / 2));
    let found = nearest(a.map(|x| x * down * rest), b.map(|x| x * down * rest), 2.0);
    let back = |x: DVec3| x * up * more + origin;
    FaceDistance {
        squared: found.squared * up * more * up * more,
        point_a: back(found.point_a),
        point_b: back(found.point_b),
    }
}

/// A triangle with what every feature needs.
struct Face {
    corners: [DVec3; 3],
    /// From corner i to corner i + 1.
    edges: [DVec3; 3],
    normal: DVec3,
    normal_squared: f64,
}

impl Face {
    #[inline]
    fn new(corners: [DVec3; 3]) -> Face {
        let [p, q, r] = corners;
        let edges = [q - p, r - q, p - r];
        let normal = edges[0].cross(edges[1]);
        Face { corners, edges, normal, normal_squared: normal.length_squared() }
    }

    /// Heights of three points over the plane, in units of |normal|.
    #[inline]
    fn heights(&self, points: &[DVec3; 3]) -> [f64; 3] {
        points.map(|x| self.normal.dot(x - self.corners[0]))
    }

    /// The foot of a point on the plane, as a combination of corners, if it is inside.
    #[inline]
    fn foot(&self, x: DVec3) -> Option<DVec3> {
        let [p, u, v] = [self.corners[0], self.edges[0], -self.edges[2]];
        let offset = x - p;
        let s = offset.cross(v).dot(self.normal);
        let t = u.cross(offset).dot(self.normal);
        if s >= 0.0 && t >= 0.0 && s + t <= self.normal_squared && self.normal_squared > 0.0 {
            let (s, t) = (s / self.normal_squared, t / self.normal_squared);
            let foot = p + u * s + v * t;
            // Once more from there: the error of s and t is relative to a shorter vector. It must not lead outside.
            let rest = x - foot;
            let ds = rest.cross(v).dot(self.normal) / self.normal_squared;
            let dt = u.cross(rest).dot(self.normal) / self.normal_squared;
            let (s, t) = ((s + ds).clamp(0.0, 1.0), (t + dt).clamp(0.0, 1.0));
            Some(if s + t <= 1.0 { p + u * s + v * t } else { foot })
        } else {
            None
        }
    }
}

/// Nearest pair so far.
struct Best {
    squared: f64,
    point_a: DVec3,
    point_b: DVec3,
}

impl Best {
    #[inline]
    fn take(&mut self, point_a: DVec3, point_b: DVec3) -> bool {
        let squared = point_a.distance_squared(point_b);
        if squared < self.squared {
            *self = Best { squared, point_a, point_b };
            true
        } else {
            false
        }
    }

    fn found(self) -> FaceDistance {
        FaceDistance { squared: self.squared, point_a: self.point_a, point_b: self.point_b }
    }
}

/// `size`: at least every coordinate.
fn nearest(corners_a: [DVec3; 3], corners_b: [DVec3; 3], size: f64) -> FaceDistance {
    // How far a dot product of a gap with an edge may be off: the gap errs by a few u·size.
    let noise = 32.0 * f64::EPSILON * size * size;
    let (a, b) = (Face::new(corners_a), Face::new(corners_b));
    let mut best = Best { squared: f64::INFINITY, point_a: corners_a[0], point_b: corners_b[0] };
    let (over_a, over_b) = (a.heights(&b.corners), b.heights(&a.corners));

    // Corners over faces. If all corners are on one side and the lowest one's foot is inside, that is the distance.
    for (face, heights, others, swapped) in [(&a, over_a, &b.corners, false), (&b, over_b, &a.corners, true)]
    {
        let [x, y, z] = heights.map(f64::abs);
        let lowest = if x <= y && x <= z {
            0
        } else if y <= z {
            1
        } else {
            2
        };
        let one_side = heights.iter().all(|h| *h > 0.0) || heights.iter().all(|h| *h < 0.0);
        for corner in [lowest, (lowest + 1) % 3, (lowest + 2) % 3] {
            if let Some(foot) = face.foot(others[corner]) {
                let (p, q) = if swapped { (others[corner], foot) } else { (foot, others[corner]) };
                best.take(p, q);
                if one_side && corner == lowest {
                    return best.found();
                }
            }
        }
    }
    for i in 0..3 {
        for j in 0..3 {
            let (p, q) = between_edges(a.corners[i], a.edges[i], b.corners[j], b.edges[j]);
            if best.take(p, q) {
                // The nearest pair of all, if the third corners lie beyond the planes through p and q, clearly: between
                // nearly parallel faces a gap of rounding size may have any direction.
                let gap = q - p;
                let beyond_a = gap.dot(a.corners[(i + 2) % 3] - p) <= -noise;
                let beyond_b = gap.dot(b.corners[(j + 2) % 3] - q) >= noise;
                if beyond_a && beyond_b {
                    return best.found();
                }
            }
        }
    }
    // No certificate: they may pass through each other.
    if let Some([x, foot]) = pierced(&a, over_a, &b) {
        best.take(foot, x);
    }
    if let Some([x, foot]) = pierced(&b, over_b, &a) {
        best.take(x, foot);
    }
    best.found()
}

/// A point of an edge of `other` (with corners at `heights`) in the face's plane, and its foot inside the face.
fn pierced(face: &Face, heights: [f64; 3], other: &Face) -> Option<[DVec3; 2]> {
    (0..3).find_map(|i| {
        let (from, to) = (heights[i], heights[(i + 1) % 3]);
        let crosses = (from >= 0.0 && to < 0.0) || (from <= 0.0 && to > 0.0);
        if !crosses {
            return None;
        }
        let x = other.corners[i] + other.edges[i] * (from / (from - to));
        face.foot(x).map(|foot| [x, foot])
    })
}

/// Nearest points of the segments p + s·d and q + t·e, 0 ≤ s, t ≤ 1; either may be a point.
///
/// Where the lines' nearest points are inside both segments they are found by cross products: for nearly parallel segments
/// that errs by u/sin, dot products by u/sin². Dividing by zero gives NaN, which `unit` takes to 0: then any value is
/// right.
#[inline]
fn between_edges(p: DVec3, d: DVec3, q: DVec3, e: DVec3) -> (DVec3, DVec3) {
    let unit = |x: f64| x.max(0.0).min(1.0);
    let r = q - p;
    let n = d.cross(e);
    let n_squared = n.length_squared();
    let (dd, ee, de) = (d.length_squared(), e.length_squared(), d.dot(e));
    let (dr, er) = (d.dot(r), e.dot(r));
    let mut s = unit(r.cross(e).dot(n) / n_squared);
    let t_free = (s * de - er) / ee;
    let t = unit(t_free);
    if t != t_free {
        s = unit((dr + t * de) / dd);
    }
    (p + d * s, q + e * t)
}
