//! Where two bodies touch at a known time and by known points, or are nearest at a known time: shares and normal, rounded.

use crate::closest::shortest;
use crate::exact::Carriers;
use crate::{FirstContact, Kind, Query};
use kontakt_answers::{Feature, Range};
use kontakt_math::DVec3;

/// Vectors shorter than this have no direction, where the longest edge is about 1.
const CLEAR: f64 = 1e-12;

/// The contact at `time`, carried by `carriers`.
pub(crate) fn place(query: &Query, time: Range, carriers: Carriers) -> FirstContact {
    let edges = edges_at(query, 0.5 * (time.lo() + time.hi()));
    let shares = shares(query.kind(), &edges, carriers);
    let normal = normal(query, &edges, &shares);
    let (feature_a, feature_b) = match query.kind() {
        Kind::VertexFace => (Feature::Vertex(0), feature(carriers, &[1, 2, 3])),
        Kind::EdgeEdge => (feature(carriers, &[0, 1]), feature(carriers, &[2, 3])),
    };
    FirstContact { time, shares, normal, feature_a, feature_b }
}

/// Shares of the nearest points of a pair at time t and the unit normal from the one to the other, rounded; where they are one but for
/// rounding, the pair's own normal, or zero where nothing defines one.
pub fn nearest(query: &Query, t: f64) -> ([f64; 4], DVec3) {
    place_near(query, t)
}

/// Shares and normal of the nearest points at t. The normal points from the one to the other, unless they are one but for rounding.
pub(crate) fn place_near(query: &Query, t: f64) -> ([f64; 4], DVec3) {
    let edges = edges_at(query, t);
    let nearest = shortest(query.kind(), edges);
    let apart = nearest.difference.length() > CLEAR;
    let normal = if apart { nearest.difference.normalize() } else { normal(query, &edges, &nearest.shares) };
    (nearest.shares, normal)
}

/// The points of both bodies with these shares at t.
pub(crate) fn points_at(query: &Query, t: f64, shares: &[f64; 4]) -> [DVec3; 2] {
    let [a, b, c, d] = [0, 1, 2, 3].map(|i| (query.start()[i] * (1.0 - t) + query.end()[i] * t) * shares[i]);
    match query.kind() {
        Kind::VertexFace => [a, b + c + d],
        Kind::EdgeEdge => [a + b, c + d],
    }
}

/// e₁, e₂, e₃ at t, all times one positive number that keeps squares and cubes in range.
fn edges_at(query: &Query, t: f64) -> [DVec3; 3] {
    // Halved, since a difference of doubles may overflow.
    let at = |i: usize| query.start()[i] * (0.5 * (1.0 - t)) + query.end()[i] * (0.5 * t);
    scaled([1, 2, 3].map(|i| at(i) - at(0)))
}

fn scaled(vectors: [DVec3; 3]) -> [DVec3; 3] {
    let largest = vectors.iter().fold(0.0, |m: f64, v| m.max(v.abs().max_element()));
    if largest == 0.0 { vectors } else { vectors.map(|v| v / largest) }
}

fn has(carriers: Carriers, i: usize) -> bool {
    carriers.0 >> i & 1 == 1
}

/// The feature spanned by the carriers among some points.
fn feature(carriers: Carriers, points: &[usize]) -> Feature {
    let mut present = points.iter().filter(|&&i| has(carriers, i)).map(|&i| i as u32);
    match (present.next(), present.next(), present.next()) {
        (Some(a), None, _) => Feature::Vertex(a),
        (Some(a), Some(b), None) => Feature::edge(a, b),
        _ => Feature::Face(0),
    }
}

/// Shares of the four points in the common point.
fn shares(kind: Kind, edges: &[DVec3; 3], carriers: Carriers) -> [f64; 4] {
    let points = [DVec3::ZERO, edges[0], edges[1], edges[2]];
    let [a, b]: [&[usize]; 2] = match kind {
        Kind::VertexFace => [&[0], &[1, 2, 3]],
        Kind::EdgeEdge => [&[0, 1], &[2, 3]],
    };
    let present =
        |side: &[usize]| -> Vec<usize> { side.iter().copied().filter(|&i| has(carriers, i)).collect() };
    let (a, b) = (present(a), present(b));
    let mut shares = [0.0; 4];
    let mut along = |p: usize, i: usize, j: usize| {
        let edge = points[j] - points[i];
        let s = (points[p] - points[i]).dot(edge) / edge.length_squared();
        let s = if s.is_nan() { 0.5 } else { s.clamp(0.0, 1.0) };
        shares[p] = 1.0;
        shares[i] = 1.0 - s;
        shares[j] = s;
    };
    match (a.as_slice(), b.as_slice()) {
        (&[p], &[i, j]) | (&[i, j], &[p]) => along(p, i, j),
        (&[p], &[q]) => {
            shares[p] = 1.0;
            shares[q] = 1.0;
        }
        _ => return full_shares(kind, edges),
    }
    shares
}

/// Shares when all four points carry: the affine dependence of `exact::radon`, projected on its own direction.
fn full_shares(kind: Kind, [e1, e2, e3]: &[DVec3; 3]) -> [f64; 4] {
    let weights = [e2.cross(*e3), e3.cross(*e1), e1.cross(*e2)];
    let safe = |x: f64| if x.is_nan() { 0.5 } else { x.clamp(0.0, 1.0) };
    match kind {
        Kind::VertexFace => {
            let normal = weights[0] + weights[1] + weights[2];
            let [a, b, c] = weights.map(|w| safe(w.dot(normal) / normal.length_squared()));
            let sum = a + b + c;
            [1.0, a / sum, b / sum, c / sum]
        }
        Kind::EdgeEdge => {
            let normal = e1.cross(*e3 - *e2);
            let s = safe(weights[0].dot(normal) / normal.length_squared());
            let r = safe(-weights[2].dot(normal) / normal.length_squared());
            [1.0 - s, s, 1.0 - r, r]
        }
    }
}

/// Unit normal from A to B: along it A moves towards B at the contact.
fn normal(query: &Query, [e1, e2, e3]: &[DVec3; 3], shares: &[f64; 4]) -> DVec3 {
    let halved = |i: usize| query.end()[i] * 0.5 - query.start()[i] * 0.5;
    let moved = [0, 1, 2, 3].map(|i| halved(i) * shares[i]);
    let (speed, across, along) = match query.kind() {
        Kind::VertexFace => {
            (moved[0] - (moved[1] + moved[2] + moved[3]), (*e2 - *e1).cross(*e3 - *e1), *e2 - *e1)
        }
        Kind::EdgeEdge => ((moved[0] + moved[1]) - (moved[2] + moved[3]), e1.cross(*e3 - *e2), *e1),
    };
    let [speed, ..] = scaled([speed, DVec3::ZERO, DVec3::ZERO]);
    // A flat triangle or parallel edges have no normal of their own: then the motion across the line they lie on.
    let line = along.normalize_or_zero();
    let candidates = [across, speed - line * speed.dot(line), speed];
    let clear = |v: &DVec3| v.length() > CLEAR;
    let normal = candidates.into_iter().find(clear).unwrap_or(DVec3::ZERO).normalize_or_zero();
    if normal.dot(speed) < 0.0 { -normal } else { normal }
}
