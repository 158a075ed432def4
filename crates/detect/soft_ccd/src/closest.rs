//! The shortest difference between a point and a triangle or between two segments at one time, rounded.

use crate::Kind;
use kontakt_math::DVec3;

/// A short difference b − a of points of the bodies, given the edges eᵢ = xᵢ − x₀: a combination with shares in [0, 1], so never
/// shorter than the distance but for rounding; the shortest but for rounding.
pub(crate) fn shortest_difference(kind: Kind, [e1, e2, e3]: [DVec3; 3]) -> DVec3 {
    let origin = DVec3::ZERO;
    match kind {
        Kind::VertexFace => {
            let rim = [to_segment(origin, e1, e2), to_segment(origin, e2, e3), to_segment(origin, e3, e1)];
            shortest(rim.into_iter().chain(to_inside(e1, e2, e3)))
        }
        Kind::EdgeEdge => {
            let ends = [
                to_segment(origin, e2, e3),
                to_segment(e1, e2, e3),
                -to_segment(e2, origin, e1),
                -to_segment(e3, origin, e1),
            ];
            shortest(ends.into_iter().chain(between_insides(e1, e2, e3)))
        }
    }
}

fn shortest(differences: impl Iterator<Item = DVec3>) -> DVec3 {
    let first = (f64::INFINITY, DVec3::ZERO);
    let least =
        differences.map(|v| (v.length_squared(), v)).fold(first, |a, b| if b.0 < a.0 { b } else { a });
    least.1
}

/// From p to the nearest point of the segment.
fn to_segment(p: DVec3, a: DVec3, b: DVec3) -> DVec3 {
    let edge = b - a;
    let s = (p - a).dot(edge) / edge.length_squared();
    // NaN for a segment of no length.
    let s = if s > 0.0 { s.min(1.0) } else { 0.0 };
    (a - p) * (1.0 - s) + (b - p) * s
}

/// From the origin to its projection on the triangle's plane, if that is inside.
fn to_inside(a: DVec3, b: DVec3, c: DVec3) -> Option<DVec3> {
    let normal = (b - a).cross(c - a);
    let shares = [b.cross(c), c.cross(a), a.cross(b)].map(|w| w.dot(normal) / normal.length_squared());
    let inside = shares.iter().all(|s| (0.0..=1.0).contains(s));
    inside.then(|| a * shares[0] + b * shares[1] + c * shares[2])
}

/// Between the nearest points of the lines of both edges, if those are on the edges.
fn between_insides(u: DVec3, c: DVec3, d: DVec3) -> Option<DVec3> {
    let v = d - c;
    let normal = u.cross(v);
    let square = normal.length_squared();
    let (s, r) = (c.cross(v).dot(normal) / square, c.cross(u).dot(normal) / square);
    let inside = (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&r);
    inside.then(|| c * (1.0 - r) + d * r - u * s)
}
