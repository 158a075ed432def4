//! Distance of two triangles with the points where it is.

use kontakt_math::Between;
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
/// passes through a face they are the same. Every candidate is a pair of points of the triangles, hence never too near.
pub fn distance(a: [DVec3; 3], b: [DVec3; 3]) -> FaceDistance {
    let local = Local::new(a, b);
    let found = nearest(local.a, local.b, local.size);
    local.back(&found)
}

/// Two triangles relative to a corner, so that a place far away costs no accuracy, and brought to a moderate size by a
/// power of two if need be.
pub(super) struct Local {
    pub(super) a: [DVec3; 3],
    pub(super) b: [DVec3; 3],
    /// At least every coordinate.
    pub(super) size: f64,
    origin: DVec3,
    /// Lengths here times these two factors are lengths there.
    up: [f64; 2],
}

impl Local {
    #[inline]
    pub(super) fn new(a: [DVec3; 3], b: [DVec3; 3]) -> Local {
        let origin = a[0];
        let (a, b) = (a.map(|x| x - origin), b.map(|x| x - origin));
        let size = a.iter().chain(&b).fold(0.0, |size: f64, x| size.max(x.abs().max_element()));
        let local = Local { a, b, size, origin, up: [1.0; 2] };
        if !(TINY..=HUGE).contains(&size) && size > 0.0 && size.is_finite() {
            return local.rescaled();
        }
        local
    }

    /// Brings the size near 1. The power of two rounds nothing but what is negligible beside the size.
    #[cold]
    fn rescaled(self) -> Local {
        let exponent = i32::try_from((self.size.to_bits() >> 52) & 0x7ff).unwrap_or(0) - 1023;
        let power = |e: i32| 2.0_f64.powi(e);
        let (down, rest) = (power(-exponent / 2), power(-exponent - -exponent / 2));
        let scaled = |t: [DVec3; 3]| t.map(|x| x * down * rest);
        let up = [power(exponent / 2), power(exponent - exponent / 2)];
        Local { a: scaled(self.a), b: scaled(self.b), size: 2.0, up, ..self }
    }

    /// A length there, rounded.
    pub(super) fn length(&self, length: f64) -> f64 {
        length * self.up[0] * self.up[1]
    }

    /// A length there brought here, rounded.
    pub(super) fn inward(&self, length: f64) -> f64 {
        length / self.up[0] / self.up[1]
    }

    #[inline]
    pub(super) fn back(&self, found: &Nearest) -> FaceDistance {
        let back = |x: DVec3| x * self.up[0] * self.up[1] + self.origin;
        FaceDistance {
            squared: self.length(self.length(found.squared)),
            point_a: back(found.point_a),
            point_b: back(found.point_b),
        }
    }
}

/// Below this size squares of squares leave the normal doubles…
const TINY: f64 = 1e-60;
/// …and above this they overflow.
const HUGE: f64 = 1e60;

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

/// Nearest pair of points so far.
pub(super) struct Nearest {
    pub(super) squared: f64,
    pub(super) point_a: DVec3,
    pub(super) point_b: DVec3,
    /// Normal to the features they lie on: a better direction than the gap where that is tiny. Zero for parallel edges.
    pub(super) normal: DVec3,
}

impl Nearest {
    #[inline]
    fn take(&mut self, point_a: DVec3, point_b: DVec3, normal: DVec3) -> bool {
        let squared = point_a.distance_squared(point_b);
        if squared < self.squared {
            *self = Nearest { squared, point_a, point_b, normal };
            true
        } else {
            false
        }
    }
}

/// The nearest points of two triangles; `size`: at least every coordinate.
pub(super) fn nearest(corners_a: [DVec3; 3], corners_b: [DVec3; 3], size: f64) -> Nearest {
    let (a, b) = (Face::new(corners_a), Face::new(corners_b));
    let mut best =
        Nearest { squared: f64::INFINITY, point_a: corners_a[0], point_b: corners_b[0], normal: DVec3::ZERO };
    let (over_a, over_b) = (a.heights(&b.corners), b.heights(&a.corners));

    // A corner over the inside of a face is nearest only if all corners are on one side and it is the lowest; then
    // its height is the distance.
    if let Some([corner, foot]) = lowest_over(&a, over_a, &b) {
        best.take(foot, corner, a.normal);
        return best;
    }
    if let Some([corner, foot]) = lowest_over(&b, over_b, &a) {
        best.take(corner, foot, b.normal);
        return best;
    }

    // How far a dot product of a gap with an edge may be off: the gap errs by a few u·size.
    let noise = 32.0 * f64::EPSILON * size * size;
    // Begin with the edges that face each other.
    let across = b.corners[0] + b.corners[1] + b.corners[2] - (a.corners[0] + a.corners[1] + a.corners[2]);
    let first_a = farthest(&a.corners, -across) + 1;
    let first_b = farthest(&b.corners, across) + 1;
    for i in [first_a % 3, (first_a + 1) % 3, (first_a + 2) % 3] {
        for j in [first_b % 3, (first_b + 1) % 3, (first_b + 2) % 3] {
            let (p, q, n) = between_edges(a.corners[i], a.edges[i], b.corners[j], b.edges[j]);
            if best.take(p, q, n) {
                // The nearest pair of all, if the third corners lie beyond the planes through p and q, clearly: between
                // nearly parallel faces a gap of rounding size may have any direction.
                let gap = q - p;
                let beyond_a = gap.dot(a.corners[(i + 2) % 3] - p) <= -noise;
                let beyond_b = gap.dot(b.corners[(j + 2) % 3] - q) >= noise;
                if beyond_a && beyond_b {
                    return best;
                }
            }
        }
    }
    // No certificate: they may pass through each other.
    if let Some([x, foot]) = pierced(&a, over_a, &b) {
        best.take(foot, x, a.normal);
    }
    if let Some([x, foot]) = pierced(&b, over_b, &a) {
        best.take(x, foot, b.normal);
    }
    best
}

/// The corner farthest in a direction.
#[inline]
fn farthest(corners: &[DVec3; 3], direction: DVec3) -> usize {
    let [x, y, z] = corners.map(|corner| direction.dot(corner));
    if x >= y && x >= z {
        0
    } else if y >= z {
        1
    } else {
        2
    }
}

/// The lowest corner of `other` and its foot, if all are on one side of the face's plane and the foot is inside.
#[inline]
fn lowest_over(face: &Face, heights: [f64; 3], other: &Face) -> Option<[DVec3; 2]> {
    let [x, y, z] = heights;
    if !((x > 0.0 && y > 0.0 && z > 0.0) || (x < 0.0 && y < 0.0 && z < 0.0)) {
        return None;
    }
    let [x, y, z] = heights.map(f64::abs);
    let lowest = if x <= y && x <= z {
        0
    } else if y <= z {
        1
    } else {
        2
    };
    let corner = other.corners[lowest];
    face.foot(corner).map(|foot| [corner, foot])
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

/// Nearest points of the segments p + s·d and q + t·e, 0 ≤ s, t ≤ 1, and d×e; either may be a point.
///
/// Where the lines' nearest points are inside both segments they are found by cross products: for nearly parallel segments
/// that errs by u/sin, dot products by u/sin². Dividing by zero gives NaN, which `unit` takes to 0: then any value is
/// right.
#[inline]
fn between_edges(p: DVec3, d: DVec3, q: DVec3, e: DVec3) -> (DVec3, DVec3, DVec3) {
    #[expect(clippy::manual_clamp, reason = "takes NaN to 0")]
    let unit = |x: f64| x.max(0.0).min(1.0);
    let r = q - p;
    let n = d.cross(e);
    let (dd, ee, de) = (d.length_squared(), e.length_squared(), d.dot(e));
    let (dr, er) = (d.dot(r), e.dot(r));
    let mut s = unit(r.cross(e).dot(n) / n.length_squared());
    let t_free = (s * de - er) / ee;
    let t = unit(t_free);
    if t != t_free {
        s = unit((dr + t * de) / dd);
    }
    (p + d * s, q + e * t, n)
}
