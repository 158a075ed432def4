//! Whether two triangles are closer than a length, in exact arithmetic.

use kontakt_answers::Limit;
use kontakt_math::exact_map::exact_point;
use kontakt_math::exact_vector::{Vector, cross, dot, exact, sub};
use kontakt_math::{Between, DVec3, Dyadic, Sign};

/// Whether the distance of the exact images of a triangle of A and one of B, which have no common point, is on the near side of a
/// limit ≥ 0: **exact**.
///
/// The distance is attained by two corners, a corner and an inner point of an edge or of the face, or inner points of two edges,
/// where the line between them is perpendicular to that edge, face, or both edges; and any such pair of points is at least as
/// far apart. Triangles without area have their corners and edges only.
pub(crate) fn closer(between: &Between, a: [DVec3; 3], b: [DVec3; 3], limit: Limit) -> bool {
    let images = b.map(|x| between.exact_b(x));
    let weight = images[0][3].clone();
    let own = a.map(|x| {
        let [x, y, z, _] = exact_point(x);
        [&x * &weight, &y * &weight, &z * &weight]
    });
    let images = images.map(|[x, y, z, _]| [x, y, z]);
    let scaled = &exact(limit.length()) * &weight;
    let bar = Bar { squared: &scaled * &scaled, counts: matches!(limit, Limit::AtMost(_)) };
    let [p, q] = [Triangle::new(own), Triangle::new(images)];
    bar.corners(&p, &q) || bar.faces(&p, &q) || bar.faces(&q, &p) || bar.edges(&p, &q)
}

/// In A's frame times the weight that all exact points of B have.
struct Triangle {
    corners: [Vector; 3],
    /// From each corner to the next.
    edges: [Vector; 3],
}

impl Triangle {
    fn new(corners: [Vector; 3]) -> Triangle {
        let edges = [0, 1, 2].map(|k| sub(&corners[(k + 1) % 3], &corners[k]));
        Triangle { corners, edges }
    }
}

struct Bar {
    squared: Dyadic,
    /// Whether a distance equal to it is on the near side.
    counts: bool,
}

impl Bar {
    /// Whether numerator/denominator, a square, is on the near side; the denominator is positive.
    fn exceeds(&self, numerator: &Dyadic, denominator: &Dyadic) -> bool {
        let most = &self.squared * denominator;
        if self.counts { *numerator <= most } else { *numerator < most }
    }

    /// Corners of the one with corners and edges of the other, both ways.
    fn corners(&self, p: &Triangle, q: &Triangle) -> bool {
        let beside_edges = |corner: &Vector, of: &Triangle| {
            of.corners.iter().zip(&of.edges).any(|(from, edge)| {
                let r = sub(corner, from);
                let (along, square, length) = (dot(&r, edge), dot(edge, edge), dot(&r, &r));
                if inner(&along, &square) {
                    self.exceeds(&(&(&length * &square) - &(&along * &along)), &square)
                } else {
                    // Then an end is nearest: this one, or the next edge's.
                    self.exceeds(&length, &exact(1.0))
                }
            })
        };
        p.corners.iter().any(|x| beside_edges(x, q)) || q.corners.iter().any(|x| beside_edges(x, p))
    }

    /// Inner points of edges.
    fn edges(&self, p: &Triangle, q: &Triangle) -> bool {
        let passing = |from: &Vector, d: &Vector, to: &Vector, e: &Vector| {
            let (r, n) = (sub(to, from), cross(d, e));
            let square = dot(&n, &n);
            let height = dot(&r, &n);
            inner(&dot(&cross(&r, e), &n), &square)
                && inner(&dot(&cross(&r, d), &n), &square)
                && self.exceeds(&(&height * &height), &square)
        };
        (0..9).any(|k| {
            let (i, j) = (k / 3, k % 3);
            passing(&p.corners[i], &p.edges[i], &q.corners[j], &q.edges[j])
        })
    }

    /// Corners of the one over the inside of the other.
    fn faces(&self, points: &Triangle, face: &Triangle) -> bool {
        let (e, f) = (&face.edges[0], &sub(&face.corners[2], &face.corners[0]));
        let n = cross(e, f);
        let square = dot(&n, &n);
        points.corners.iter().any(|corner| {
            let r = sub(corner, &face.corners[0]);
            let (s, t, height) = (dot(&cross(&r, f), &n), dot(&cross(e, &r), &n), dot(&r, &n));
            s.sign() == Sign::Positive
                && t.sign() == Sign::Positive
                && &s + &t < square
                && self.exceeds(&(&height * &height), &square)
        })
    }
}

/// 0 < x < whole
fn inner(x: &Dyadic, whole: &Dyadic) -> bool {
    x.sign() == Sign::Positive && x < whole
}
