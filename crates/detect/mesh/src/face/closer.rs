//! Whether two triangles are closer than a length, in exact arithmetic.

use kontakt_math::exact_map::exact_point;
use kontakt_math::{Between, DVec3, Dyadic, Sign};

/// In A's frame times the weight that all exact points of B have.
type Vector = [Dyadic; 3];

/// Whether the distance of the exact images of a triangle of A and one of B, which have no common point, is less than
/// `length` ≥ 0: **exact**.
///
/// The distance is attained by two corners, a corner and an inner point of an edge or of the face, or inner points of two edges,
/// where the line between them is perpendicular to that edge, face, or both edges; and any such pair of points is at least as
/// far apart. Triangles without area have their corners and edges only.
pub(crate) fn closer(between: &Between, a: [DVec3; 3], b: [DVec3; 3], length: f64) -> bool {
    let images = b.map(|x| between.exact_b(x));
    let weight = images[0][3].clone();
    let own = a.map(|x| {
        let [x, y, z, _] = exact_point(x);
        [&x * &weight, &y * &weight, &z * &weight]
    });
    let images = images.map(|[x, y, z, _]| [x, y, z]);
    let [scaled, ..] = exact_point(DVec3::splat(length));
    let scaled = &scaled * &weight;
    let limit = Limit { squared: &scaled * &scaled };
    let [p, q] = [Triangle::new(own), Triangle::new(images)];
    limit.corners(&p, &q) || limit.faces(&p, &q) || limit.faces(&q, &p) || limit.edges(&p, &q)
}

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

struct Limit {
    squared: Dyadic,
}

impl Limit {
    /// Whether numerator/denominator, a square, is less; the denominator is positive.
    fn exceeds(&self, numerator: &Dyadic, denominator: &Dyadic) -> bool {
        *numerator < &self.squared * denominator
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
                    length < self.squared
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

fn sub(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|i| &a[i] - &b[i])
}

fn dot(a: &Vector, b: &Vector) -> Dyadic {
    &(&(&a[0] * &b[0]) + &(&a[1] * &b[1])) + &(&a[2] * &b[2])
}

fn cross(a: &Vector, b: &Vector) -> Vector {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| &(&a[i] * &b[j]) - &(&a[j] * &b[i]))
}
