//! From triangles to the hull proper: coplanar triangles become one polygon, and only extreme points stay.

use super::Hull;
use super::frame::Frame;
use super::quick::{NONE, Triangle};
use kontakt_math::DVec3;
use kontakt_math::predicates::{Sign, orient3d};

/// Half-edge k of triangle t, as 3t + k.
fn twin(triangles: &[Triangle], half_edge: usize) -> usize {
    let (t, k) = (half_edge / 3, half_edge % 3);
    let other = triangles[t].across[k] as usize;
    let end = triangles[t].corners[(k + 1) % 3];
    let k = triangles[other].corners.iter().position(|&c| c == end).unwrap_or(0);
    3 * other + k
}

/// The half-edge after this one around its triangle.
fn next(half_edge: usize) -> usize {
    if half_edge % 3 == 2 { half_edge - 2 } else { half_edge + 1 }
}

/// Whether the two triangles at edge k of triangle t bend, decided exactly. (The surface is convex, so: are not
/// coplanar.)
pub(super) fn is_ridge(points: &[DVec3], frame: &Frame, triangles: &[Triangle], t: u32, k: usize) -> bool {
    let back = twin(triangles, 3 * t as usize + k);
    let opposite = points[triangles[back / 3].corners[(back % 3 + 2) % 3] as usize];
    let t = &triangles[t as usize];
    if t.plane.height(frame.local(opposite)).abs() > t.plane.error {
        return true;
    }
    let [a, b, c] = t.corners.map(|i| points[i as usize]);
    orient3d(a, b, c, opposite) != Sign::Zero
}

/// The hull from a closed convex surface. Ridges are the edges where it bends. The faces of the hull are the parts
/// between ridges; a vertex is extreme exactly when three or more ridges meet there (two: inside an edge, none:
/// inside a face).
pub(super) fn merge(points: &[DVec3], frame: &Frame, triangles: &[Triangle]) -> Hull {
    let mut ridge = vec![false; 3 * triangles.len()];
    let mut twins = vec![0_u32; 3 * triangles.len()];
    let mut ridge_starts = Vec::new();
    for half_edge in 0..ridge.len() {
        let t = &triangles[half_edge / 3];
        if !t.alive {
            continue;
        }
        let back = twin(triangles, half_edge);
        twins[half_edge] = back as u32;
        if back > half_edge {
            let bends = is_ridge(points, frame, triangles, half_edge as u32 / 3, half_edge % 3);
            (ridge[half_edge], ridge[back]) = (bends, bends);
        }
        if ridge[half_edge] {
            ridge_starts.push(t.corners[half_edge % 3]);
        }
    }
    let vertices = extreme(ridge_starts);
    walk_faces(triangles, &ridge, &twins, vertices)
}

/// Those vertices that start three or more ridges, ascending.
fn extreme(mut starts: Vec<u32>) -> Vec<u32> {
    starts.sort_unstable();
    starts.chunk_by(|a, b| a == b).filter(|same| same.len() >= 3).map(|same| same[0]).collect()
}

/// Follows the rim of each face once and keeps its extreme vertices.
fn walk_faces(triangles: &[Triangle], ridge: &[bool], twins: &[u32], vertices: Vec<u32>) -> Hull {
    let mut face_of = vec![NONE; ridge.len()];
    let mut starts = vec![0_u32];
    let mut loops = Vec::new();
    let mut leaving = Vec::new();
    for first in 0..ridge.len() {
        if !ridge[first] || face_of[first] != NONE {
            continue;
        }
        let face = starts.len() as u32 - 1;
        let mut half_edge = first;
        loop {
            face_of[half_edge] = face;
            let from = triangles[half_edge / 3].corners[half_edge % 3];
            if let Ok(position) = vertices.binary_search(&from) {
                loops.push(position as u32);
                leaving.push(half_edge);
            }
            half_edge = next(half_edge);
            while !ridge[half_edge] {
                half_edge = next(twins[half_edge] as usize);
            }
            if half_edge == first {
                break;
            }
        }
        starts.push(loops.len() as u32);
    }
    let across: Vec<u32> = leaving.iter().map(|&h| face_of[twins[h] as usize]).collect();
    Hull::assemble(3, vertices, starts, loops, &across)
}
