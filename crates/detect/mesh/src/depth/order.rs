//! Which of two bodies is taken first, whichever way they are given.

use super::outline::{compare, outline};
use crate::face::Between;
use crate::mesh::{Mesh, Outline, PlacedMesh};
use kontakt_math::DVec3;
use std::cmp::Ordering;

/// Whether two bodies are to be taken in the other order, so that bounds do not depend on the order they are given in, to the last
/// bit. Compared are sets of points and places, never numbers of vertices or faces: only the very same body at the very same pose
/// keeps the order given. Bodies alike are told apart by how they lie to each other, not by where both of them are.
pub(super) fn in_other_order(a: PlacedMesh, b: PlacedMesh) -> bool {
    let size = |body: &PlacedMesh| body.mesh.faces().triangles().len();
    size(&b)
        .cmp(&size(&a))
        .then_with(|| lists(hull(a.mesh), hull(b.mesh)))
        .then_with(|| by_offset(a, b))
        .then_with(|| lists(&places(&a), &places(&b)))
        .then_with(|| lists(&corners(a.mesh), &corners(b.mesh)))
        .is_gt()
}

fn hull(mesh: &Mesh) -> &[DVec3] {
    let (near, _) = mesh.near();
    outline(near).map_or(&[], Outline::vertices)
}

fn lists(a: &[DVec3], b: &[DVec3]) -> Ordering {
    let first = a.iter().zip(b).map(|(&p, &q)| compare(p, q)).find(|order| order.is_ne());
    first.unwrap_or(a.len().cmp(&b.len()))
}

/// By where each lies seen from the other, as far as that is more than roundings.
fn by_offset(a: PlacedMesh, b: PlacedMesh) -> Ordering {
    let between = Between::new(a.pose, b.pose);
    let (there, back) = (between.shift(), between.swapped().shift());
    let noise = 1e-9 * (there.abs() + back.abs()).max_element();
    let apart = (0..3).find(|&k| (there[k] - back[k]).abs() > noise);
    apart.map_or(Ordering::Equal, |k| there[k].total_cmp(&back[k]))
}

fn places(body: &PlacedMesh) -> [DVec3; 3] {
    let q = body.pose.given_rotation();
    [body.pose.translation(), q.xyz(), DVec3::splat(q.w)]
}

/// The corners of all faces: of each face in order, and the faces in order.
fn corners(mesh: &Mesh) -> Vec<DVec3> {
    let faces = mesh.faces();
    let mut triangles: Vec<[DVec3; 3]> = (0..faces.triangles().len())
        .map(|face| {
            let mut corners = faces.triangle_points(face);
            corners.sort_by(|&p, &q| compare(p, q));
            corners
        })
        .collect();
    triangles.sort_by(|s, t| lists(s, t));
    triangles.into_flattened()
}
