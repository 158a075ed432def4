//! Which pieces hang together.

use super::piece::Piece;
use crate::face_pair::FacePair;
use crate::mesh::Mesh;
use kontakt_math::DVec3;
use kontakt_schedule::{Deadline, Expired};
use kontakt_shapes::DisjointSets;

/// Groups of pieces that hang together, each ascending, by their first piece.
pub(super) fn groups(
    [a, b]: [&Mesh; 2],
    pieces: &[Piece],
    deadline: Deadline,
) -> Result<Vec<Vec<usize>>, Expired> {
    // Two pairs are neighbours when they share a vertex in both bodies: nine keys a pair, at a corner just that.
    let mut keys: Vec<(u64, u32)> = Vec::with_capacity(9 * pieces.len());
    let places = |[v, w]: [u32; 2]| u64::from(v) << 32 | u64::from(w);
    for (k, piece) in pieces.iter().enumerate() {
        if let Some(corner) = &piece.corner {
            keys.push((places(corner.places), k as u32));
            continue;
        }
        for v in a.faces().triangles()[piece.pair.a as usize] {
            for w in b.faces().triangles()[piece.pair.b as usize] {
                keys.push((places([a.solid().place(v), b.solid().place(w)]), k as u32));
            }
        }
    }
    keys.sort_unstable();
    keys.dedup();
    let mut sets = DisjointSets::new(pieces.len());
    let mut pacer = deadline.pacer();
    for same in keys.chunk_by(|p, q| p.0 == q.0) {
        let mut neighbours: Vec<u32> = same.iter().map(|key| key.1).collect();
        join_meeting(pieces, &mut neighbours, &mut sets, || pacer.tick())?;
    }
    let mut number = vec![usize::MAX; pieces.len()];
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for k in 0..pieces.len() {
        let group = &mut number[sets.root(k as u32) as usize];
        if *group == usize::MAX {
            *group = groups.len();
            groups.push(Vec::new());
        }
        groups[*group].push(k);
    }
    Ok(groups)
}

/// Pieces that hang together, while the sweep has not passed them all.
struct Cluster {
    members: Vec<u32>,
    low: DVec3,
    high: DVec3,
}

/// Joins all pieces whose boxes meet. Sweep along the axis on which they are spread most: each piece is compared with the clusters
/// that reach it, and with the members of a cluster, the latest first, until one meets. Round a common point that is the first
/// one, so that many pieces there cost one comparison each.
fn join_meeting(
    pieces: &[Piece],
    neighbours: &mut [u32],
    sets: &mut DisjointSets,
    mut tick: impl FnMut() -> Result<(), Expired>,
) -> Result<(), Expired> {
    let at = |k: u32| &pieces[k as usize];
    let low = neighbours.iter().fold(DVec3::INFINITY, |m, &k| m.min(at(k).low));
    let high = neighbours.iter().fold(DVec3::NEG_INFINITY, |m, &k| m.max(at(k).low));
    let axis = (high - low).max_position();
    neighbours.sort_by(|&p, &q| at(p).low[axis].total_cmp(&at(q).low[axis]).then(p.cmp(&q)));
    let meet =
        |low: DVec3, high: DVec3, piece: &Piece| low.cmple(piece.high).all() && high.cmpge(piece.low).all();
    let mut open: Vec<Cluster> = Vec::new();
    for &k in neighbours.iter() {
        let piece = at(k);
        open.retain(|cluster| cluster.high[axis] >= piece.low[axis]);
        let mut mine = Cluster { members: vec![k], low: piece.low, high: piece.high };
        let mut rest = Vec::with_capacity(open.len() + 1);
        for mut cluster in open {
            tick()?;
            let met = meet(cluster.low, cluster.high, piece)
                && cluster.members.iter().rev().any(|&other| meet(at(other).low, at(other).high, piece));
            if met {
                sets.join(k, cluster.members[0]);
                if cluster.members.len() > mine.members.len() {
                    std::mem::swap(&mut cluster.members, &mut mine.members);
                }
                mine.members.append(&mut cluster.members);
                mine.low = mine.low.min(cluster.low);
                mine.high = mine.high.max(cluster.high);
            } else {
                rest.push(cluster);
            }
        }
        rest.push(mine);
        open = rest;
    }
    Ok(())
}

/// The pieces that are segments, each place once, ascending: an edge on a face belongs to both faces at the edge.
pub(super) fn distinct_segments(pieces: &[&Piece]) -> Vec<usize> {
    let low = pieces.iter().fold(DVec3::INFINITY, |m, p| m.min(p.low));
    let size = pieces.iter().fold(DVec3::NEG_INFINITY, |m, p| m.max(p.high)) - low;
    let step = (size.max_element() * 1e-7).max(f64::MIN_POSITIVE);
    let cell = |p: DVec3| ((p - low) / step).round().to_array().map(|x| x as i64);
    let mut segments = Vec::new();
    for (k, piece) in pieces.iter().enumerate() {
        if let [p, q] = piece.points.as_slice() {
            let (p, q) = (cell(*p), cell(*q));
            segments.push((p.min(q), p.max(q), k));
        }
    }
    segments.sort_unstable();
    segments.dedup_by_key(|segment| (segment.0, segment.1));
    let mut kept: Vec<usize> = segments.into_iter().map(|segment| segment.2).collect();
    kept.sort_unstable();
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
