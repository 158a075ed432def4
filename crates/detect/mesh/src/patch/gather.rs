//! Which pairs of faces hang together, and what they have in common.

use crate::mesh::Mesh;
use crate::pairs::FacePair;
use crate::relation::Sets;
use kontakt_math::DVec3;
use std::collections::{BTreeMap, HashSet};

/// What one pair of faces has in common, in A's frame.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) pair: FacePair,
    /// One point, the two ends of a segment, or the corners of a convex polygon.
    pub(super) points: Vec<DVec3>,
    pub(super) middle: DVec3,
    pub(super) area: f64,
    pub(super) length: f64,
    /// Outward unit normals of the two faces.
    pub(super) normal_a: DVec3,
    pub(super) normal_b: DVec3,
    low: DVec3,
    high: DVec3,
}

impl Piece {
    pub(super) fn new(pair: FacePair, points: Vec<DVec3>, normal_a: DVec3, normal_b: DVec3) -> Piece {
        let low = points.iter().fold(DVec3::INFINITY, |m, p| m.min(*p));
        let high = points.iter().fold(DVec3::NEG_INFINITY, |m, p| m.max(*p));
        let mut middle = points.iter().sum::<DVec3>() / points.len().max(1) as f64;
        let (mut area, mut length) = (0.0, 0.0);
        match points.as_slice() {
            [p, q] => length = p.distance(*q),
            [first, rest @ ..] if rest.len() > 1 => {
                let mut centre = DVec3::ZERO;
                for w in rest.windows(2) {
                    let part = (w[0] - *first).cross(w[1] - *first).length() * 0.5;
                    area += part;
                    centre += part * (*first + w[0] + w[1]) / 3.0;
                }
                if area > 0.0 {
                    middle = centre / area;
                }
            }
            _ => {}
        }
        Piece { pair, points, middle, area, length, normal_a, normal_b, low, high }
    }

    fn meets(&self, other: &Piece) -> bool {
        let size = (self.high - self.low).max(other.high - other.low).max_element()
            + 1e-3 * self.low.abs().max(self.high.abs()).max_element();
        let slack = DVec3::splat(1e-9 * size);
        (self.low - slack).cmple(other.high).all() && (self.high + slack).cmpge(other.low).all()
    }
}

/// Groups of pieces that hang together, each ascending, by their first piece.
pub(super) fn groups(a: &Mesh, b: &Mesh, pieces: &[Piece]) -> Vec<Vec<usize>> {
    // Two pairs are neighbours when they share a vertex in both bodies: nine keys a pair.
    let mut keys: Vec<(u32, u32, u32)> = Vec::with_capacity(9 * pieces.len());
    for (k, piece) in pieces.iter().enumerate() {
        for v in a.faces().triangles()[piece.pair.a as usize] {
            for w in b.faces().triangles()[piece.pair.b as usize] {
                keys.push((a.solid().place(v), b.solid().place(w), k as u32));
            }
        }
    }
    keys.sort_unstable();
    keys.dedup();
    let mut sets = Sets::new(pieces.len());
    for same in keys.chunk_by(|p, q| (p.0, p.1) == (q.0, q.1)) {
        for (i, p) in same.iter().enumerate() {
            for q in &same[i + 1..] {
                if sets.root(p.2) != sets.root(q.2) && pieces[p.2 as usize].meets(&pieces[q.2 as usize]) {
                    sets.join(p.2, q.2);
                }
            }
        }
    }
    let mut lists: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for k in 0..pieces.len() {
        lists.entry(sets.root(k as u32)).or_default().push(k);
    }
    lists.into_values().collect()
}

/// The pieces that are segments, each place once: an edge on a face belongs to both faces at the edge.
pub(super) fn distinct_segments(pieces: &[&Piece]) -> HashSet<usize> {
    let low = pieces.iter().fold(DVec3::INFINITY, |m, p| m.min(p.low));
    let size = pieces.iter().fold(DVec3::NEG_INFINITY, |m, p| m.max(p.high)) - low;
    let step = (size.max_element() * 1e-7).max(f64::MIN_POSITIVE);
    let cell = |p: DVec3| ((p - low) / step).round().to_array().map(|x| x as i64);
    let mut seen = HashSet::new();
    let mut kept = HashSet::new();
    for (k, piece) in pieces.iter().enumerate() {
        if let [p, q] = piece.points.as_slice() {
            let (p, q) = (cell(*p), cell(*q));
            if seen.insert((p.min(q), p.max(q))) {
                kept.insert(k);
            }
        }
    }
    kept
}

/// Up to `most` common points: the one nearest to the centre, then always the one farthest from those before.
pub(super) fn spread(pieces: &[&Piece], centre: DVec3, most: usize) -> Vec<(DVec3, FacePair)> {
    let points: Vec<(DVec3, FacePair)> = pieces
        .iter()
        .flat_map(|piece| piece.points.iter().copied().chain([piece.middle]).map(|p| (p, piece.pair)))
        .collect();
    let near = |p: &&(DVec3, FacePair), q: &&(DVec3, FacePair)| {
        p.0.distance_squared(centre).total_cmp(&q.0.distance_squared(centre))
    };
    let Some(first) = points.iter().min_by(near) else { return Vec::new() };
    let mut chosen = vec![*first];
    let mut gaps: Vec<f64> = points.iter().map(|p| p.0.distance_squared(first.0)).collect();
    while chosen.len() < most {
        let Some(k) = (0..points.len()).max_by(|&i, &j| gaps[i].total_cmp(&gaps[j]).then(j.cmp(&i))) else {
            break;
        };
        if gaps[k] <= 0.0 {
            break;
        }
        chosen.push(points[k]);
        for (gap, p) in gaps.iter_mut().zip(&points) {
            *gap = gap.min(p.0.distance_squared(points[k].0));
        }
    }
    chosen
}
