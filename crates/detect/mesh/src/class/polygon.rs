//! Faces of more than three corners that cross, wherever they are cut into triangles.
//!
//! Two triangles do not cross where one passes through the other's edge. If that edge is a diagonal of a polygon, the faces do
//! cross, and with another diagonal the triangles would.

use super::tiles::{ascending, axis_with_area, steepest};
use crate::face_pair::FacePair;
use crate::space::{Space, Spot, crossing, plane_through};
use kontakt_answers::Side;
use kontakt_math::Sign;
use std::collections::BTreeSet;

/// Whether two faces of touching triangles cross, one of them with more than three corners.
pub(super) fn cross(space: &Space, pairs: &[FacePair]) -> bool {
    let [a, b] = [Side::A, Side::B].map(|side| space.mesh(side).faces());
    if a.is_plain_triangles() && b.is_plain_triangles() {
        return false;
    }
    let of = |pair: &FacePair| (a.face_of_triangle(pair.a as usize), b.face_of_triangle(pair.b as usize));
    let faces: BTreeSet<(usize, usize)> =
        pairs.iter().map(of).filter(|&(f, g)| a.face(f).len() > 3 || b.face(g).len() > 3).collect();
    faces.into_iter().any(|(f, g)| meet(space, f, g).unwrap_or(false))
}

/// Whether the insides of two faces meet in planes that cross. Each face meets the other's plane in a chord; both are on the
/// line of the two planes. `None` when one has no chord through its inside.
fn meet(space: &Space, f: usize, g: usize) -> Option<bool> {
    let planes = [triangle(space, Side::A, f)?, triangle(space, Side::B, g)?];
    let [p, q] = [chord(space, Side::A, f, &planes[1])?, chord(space, Side::B, g, &planes[0])?];
    let axis = steepest(space, p.each_ref())?;
    let [p, q] = [p, q].map(|ends| ascending(space, axis, ends.each_ref()));
    Some(space.compare(axis, &p[0], &q[1]).is_lt() && space.compare(axis, &q[0], &p[1]).is_lt())
}

/// A triangle with an area of a face.
fn triangle(space: &Space, side: Side, face: usize) -> Option<[Spot; 3]> {
    let mut triangles = space.mesh(side).faces().triangles_of_face(face);
    triangles.find_map(|t| {
        let corners = space.corners(side, t as u32);
        axis_with_area(space, &corners).map(|_| corners)
    })
}

/// The ends of what a convex face has in common with a plane that it has corners on both sides of.
fn chord(space: &Space, side: Side, face: usize, [a, b, c]: &[Spot; 3]) -> Option<[Spot; 2]> {
    let faces = space.mesh(side).faces();
    let corners: Vec<Spot> =
        faces.face(face).iter().map(|&v| space.spot(side, faces.vertices()[v as usize])).collect();
    let sides: Vec<Sign> = corners.iter().map(|corner| space.orient(a, b, c, corner)).collect();
    if !(sides.contains(&Sign::Positive) && sides.contains(&Sign::Negative)) {
        return None;
    }
    let plane = plane_through(&space.exact(a), &space.exact(b), &space.exact(c));
    let mut met = Vec::with_capacity(2);
    for k in 0..corners.len() {
        let next = (k + 1) % corners.len();
        if sides[k] == Sign::Zero {
            met.push(corners[k].clone());
        } else if sides[k].times(sides[next]) == Sign::Negative {
            met.push(crossing(&plane, &space.exact(&corners[k]), &space.exact(&corners[next])));
        }
    }
    let [first, .., last] = met.as_slice() else { return None };
    Some([first.clone(), last.clone()])
}
