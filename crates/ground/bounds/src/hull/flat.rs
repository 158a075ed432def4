//! Hulls of point sets that do not span space: a point, a segment, a planar polygon.

use super::Hull;
use kontakt_math::predicates::{Sign, orient2d};
use kontakt_math::{DVec2, DVec3};
use std::cmp::Ordering;

/// Order by x, then y, then z.
pub(super) fn lexicographic(a: DVec3, b: DVec3) -> Ordering {
    let key = |v: DVec3| v.to_array();
    key(a).partial_cmp(&key(b)).unwrap_or(Ordering::Equal)
}

/// The projection along one coordinate axis, keeping orientation: (y,z), (z,x) or (x,y).
fn project(v: DVec3, dropped: usize) -> DVec2 {
    match dropped {
        0 => DVec2::new(v.y, v.z),
        1 => DVec2::new(v.z, v.x),
        _ => DVec2::new(v.x, v.y),
    }
}

/// The first coordinate along which the triangle projects to one that is not degenerate, and that one's
/// orientation; `None` exactly when the three points are collinear.
pub(super) fn orientation(a: DVec3, b: DVec3, c: DVec3) -> Option<(usize, Sign)> {
    (0..3).rev().find_map(|dropped| {
        let sign = orient2d(project(a, dropped), project(b, dropped), project(c, dropped));
        (sign != Sign::Zero).then_some((dropped, sign))
    })
}

/// The hull of equal points.
pub(super) fn point_hull(index: usize) -> Hull {
    Hull::assemble(0, vec![index as u32], vec![0], Vec::new(), &[])
}

/// The hull of collinear points, given the lexicographically least and greatest (which are its ends).
pub(super) fn segment_hull(least: usize, greatest: usize) -> Hull {
    let ends = vec![least.min(greatest) as u32, least.max(greatest) as u32];
    Hull::assemble(1, ends, vec![0], Vec::new(), &[])
}

/// The hull of coplanar points, not all collinear: Andrew's monotone chain with exact turns in the projection
/// along the coordinate `dropped`, which is one-to-one on the plane.
pub(super) fn polygon_hull(points: &[DVec3], dropped: usize) -> Hull {
    let flat = |i: u32| project(points[i as usize], dropped);
    let mut order: Vec<u32> = (0..points.len() as u32).collect();
    order.sort_by(|&i, &j| {
        let (a, b) = (flat(i).to_array(), flat(j).to_array());
        a.partial_cmp(&b).unwrap_or(Ordering::Equal).then(i.cmp(&j))
    });
    order.dedup_by(|later, earlier| flat(*later) == flat(*earlier));
    let chain = |indices: &mut dyn Iterator<Item = u32>| {
        let mut turn: Vec<u32> = Vec::new();
        for i in indices {
            while let [.., a, b] = turn[..] {
                if orient2d(flat(a), flat(b), flat(i)) == Sign::Positive {
                    break;
                }
                turn.pop();
            }
            turn.push(i);
        }
        turn.pop();
        turn
    };
    let mut ring = chain(&mut order.iter().copied());
    ring.extend(chain(&mut order.iter().rev().copied()));

    let mut vertices = ring.clone();
    vertices.sort_unstable();
    let position = |i: &u32| vertices.binary_search(i).unwrap_or(0) as u32;
    let front: Vec<u32> = ring.iter().map(position).collect();
    let n = front.len();
    let mut loops = front.clone();
    loops.extend(front.iter().rev());
    let across = [vec![1; n], vec![0; n]].concat();
    Hull::assemble(2, vertices, vec![0, n as u32, 2 * n as u32], loops, &across)
}
