//! Which of two bodies is A: told by what they are and how they move, so that the order in which they are given does not matter.

use crate::moving::MovingMesh;
use kontakt_math::{DVec3, Motion, Pose};
use std::cmp::Ordering;

/// Whether the second of two meshes goes first. A body at rest goes first (it is a good frame to look from), then the smaller one.
pub(crate) fn other_order_of_meshes([a, b]: [&MovingMesh; 2]) -> bool {
    let motions = [a.motion, b.motion];
    let rest = rests(motions);
    if rest != Ordering::Equal || std::ptr::eq(a.mesh, b.mesh) {
        return rest.then_with(|| places(motions)) == Ordering::Greater;
    }
    let (x, y) = (a.mesh.faces(), b.mesh.faces());
    (x.triangles().len().cmp(&y.triangles().len()))
        .then_with(|| x.vertices().len().cmp(&y.vertices().len()))
        .then_with(|| points(x.vertices(), y.vertices()))
        .then_with(|| x.triangles().cmp(y.triangles()))
        .then_with(|| places(motions))
        == Ordering::Greater
}

/// A body at rest first.
pub(crate) fn rests([a, b]: [&Motion; 2]) -> Ordering {
    let moves = |motion: &Motion| !matches!(motion, Motion::Rest(_));
    moves(a).cmp(&moves(b))
}

/// By first, last and middle place: motions that agree in all three are taken for the same.
pub(crate) fn places([a, b]: [&Motion; 2]) -> Ordering {
    [0.0, 1.0, 0.5].into_iter().fold(Ordering::Equal, |order, t| {
        order.then_with(|| numbers(&of_pose(&a.pose_at(t)), &of_pose(&b.pose_at(t))))
    })
}

fn of_pose(pose: &Pose) -> [f64; 7] {
    let ([x, y, z], [qx, qy, qz, qw]) = (pose.translation().to_array(), pose.given_rotation().to_array());
    [x, y, z, qx, qy, qz, qw]
}

/// Lexicographic.
pub(crate) fn points(a: &[DVec3], b: &[DVec3]) -> Ordering {
    let mut differ = a.iter().zip(b).map(|(x, y)| numbers(&x.to_array(), &y.to_array()));
    differ.find(|order| order.is_ne()).unwrap_or(a.len().cmp(&b.len()))
}

/// Lexicographic.
pub(crate) fn numbers(a: &[f64], b: &[f64]) -> Ordering {
    a.iter().zip(b).map(|(x, y)| x.total_cmp(y)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}
