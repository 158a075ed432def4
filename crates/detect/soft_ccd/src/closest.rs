//! The shortest difference between a point and a triangle or between two segments at one time, rounded.

use crate::Kind;
use kontakt_math::DVec3;

/// A short difference b − a of points of the bodies: a combination with shares in [0, 1], so never shorter than the distance but
/// for rounding; the shortest but for rounding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shortest {
    pub(crate) difference: DVec3,
    /// Shares of the four points; those of each body sum to 1.
    pub(crate) shares: [f64; 4],
}

/// The shortest difference, given the edges eᵢ = xᵢ − x₀.
pub(crate) fn shortest(kind: Kind, [e1, e2, e3]: [DVec3; 3]) -> Shortest {
    let origin = DVec3::ZERO;
    match kind {
        Kind::VertexFace => {
            let side = |a: DVec3, b: DVec3, shares: fn(f64) -> [f64; 4]| {
                let (difference, s) = to_segment(origin, a, b);
                Shortest { difference, shares: shares(s) }
            };
            let rim = [
                side(e1, e2, |s| [1.0, 1.0 - s, s, 0.0]),
                side(e2, e3, |s| [1.0, 0.0, 1.0 - s, s]),
                side(e3, e1, |s| [1.0, s, 0.0, 1.0 - s]),
            ];
            least(rim, to_inside(e1, e2, e3))
        }
        Kind::EdgeEdge => {
            let end = |p: DVec3, [a, b]: [DVec3; 2], sign: f64, shares: fn(f64) -> [f64; 4]| {
                let (difference, s) = to_segment(p, a, b);
                Shortest { difference: difference * sign, shares: shares(s) }
            };
            let (first, second) = ([origin, e1], [e2, e3]);
            let ends = [
                end(origin, second, 1.0, |s| [1.0, 0.0, 1.0 - s, s]),
                end(e1, second, 1.0, |s| [0.0, 1.0, 1.0 - s, s]),
                end(e2, first, -1.0, |s| [1.0 - s, s, 1.0, 0.0]),
                end(e3, first, -1.0, |s| [1.0 - s, s, 0.0, 1.0]),
            ];
            least(ends, between_insides(e1, e2, e3))
        }
    }
}

fn least<const N: usize>(ends: [Shortest; N], inside: Option<Shortest>) -> Shortest {
    let first = (f64::INFINITY, Shortest { difference: DVec3::ZERO, shares: ends[0].shares });
    let all = ends.into_iter().chain(inside).map(|one| (one.difference.length_squared(), one));
    all.fold(first, |a, b| if b.0 < a.0 { b } else { a }).1
}

/// From p to the nearest point of the segment, and the share of its end.
fn to_segment(p: DVec3, a: DVec3, b: DVec3) -> (DVec3, f64) {
    let edge = b - a;
    let s = (p - a).dot(edge) / edge.length_squared();
    // NaN for a segment of no length.
    let s = if s > 0.0 { s.min(1.0) } else { 0.0 };
    ((a - p) * (1.0 - s) + (b - p) * s, s)
}

/// From the origin to its projection on the triangle's plane, if that is inside.
fn to_inside(a: DVec3, b: DVec3, c: DVec3) -> Option<Shortest> {
    let normal = (b - a).cross(c - a);
    let [p, q, r] = [b.cross(c), c.cross(a), a.cross(b)].map(|w| w.dot(normal) / normal.length_squared());
    let inside = [p, q, r].iter().all(|s| (0.0..=1.0).contains(s));
    inside.then(|| Shortest { difference: a * p + b * q + c * r, shares: [1.0, p, q, r] })
}

/// Between the nearest points of the lines of both edges, if those are on the edges.
fn between_insides(u: DVec3, c: DVec3, d: DVec3) -> Option<Shortest> {
    let v = d - c;
    let normal = u.cross(v);
    let square = normal.length_squared();
    let (s, r) = (c.cross(v).dot(normal) / square, c.cross(u).dot(normal) / square);
    let inside = (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&r);
    inside.then(|| Shortest { difference: c * (1.0 - r) + d * r - u * s, shares: [1.0 - s, s, 1.0 - r, r] })
}
