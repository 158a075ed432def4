//! Whether of two overlapping solids one goes through the other.
//!
//! **Definition.** A is pierced into pieces by B when A ∖ B has at least two connected pieces that border one connected part of A's
//! surface. Bodies are *piercing* when A is pierced by B or B by A, else *protruding*. A rod through a plate pierces: the
//! plate cuts it in two; a peg in a blind hole protrudes.
//!
//! **Where the faces cross in general position** (no pair only touches, both bodies have two faces at every edge) the pieces are
//! found exactly: the border of a piece of A ∖ B consists of parts of A's surface outside B and parts of B's surface inside
//! A, glued along the curves in which the surfaces cross. Two parts of one connected surface of A border the same
//! piece exactly when they are glued so: that surface avoids the (open) piece, so it lies in one component of the piece's
//! complement, whose border is connected. (A curve that stays inside one face which other curves cross is not
//! glued; that can only matter when curves are nested in one triangle.)
//!
//! **Where faces touch** without crossing, or a crossed edge has more than two faces, the parts are told apart by the vertices off the other body, joined along edges off it.

use super::classes::Touches;
use super::curves::Curves;
use super::parity::{self, Directions};
use super::piece::Sets;
use super::spot::Space;
use crate::face::{Meeting, meeting};
use crate::pairs::FacePair;
use kontakt_answers::{Overlap, Side, Visits};
use kontakt_math::DVec3;
use std::collections::{BTreeMap, BTreeSet};

/// The kind of overlap of two solids that overlap.
pub(crate) fn kind(space: &Space, touches: &Touches, pairs: &[FacePair]) -> Overlap {
    let pierced = Curves::new(space, pairs).and_then(|curves| curves.pierced(space)).unwrap_or_else(|| {
        [Side::A, Side::B].into_iter().any(|side| pierced_by_vertices(space, touches, side))
    });
    if pierced { Overlap::Piercing } else { Overlap::Protruding }
}

/// Whether a vertex of one body is inside the other, whose faces it is not on.
pub(crate) fn vertex_inside(space: &Space, side: Side, vertex: u32) -> bool {
    let spot = space.spot(side, space.mesh(side).faces().vertices()[vertex as usize]);
    let mut directions = Directions::new();
    loop {
        if let Some(found) = parity::along(space, side.other(), &spot, directions.next()) {
            return found.odd;
        }
    }
}

/// The connected parts of a body's surface: a root for each place.
pub(crate) fn surfaces(space: &Space, side: Side) -> Sets {
    let mesh = space.mesh(side);
    let mut sets = Sets::new(mesh.faces().vertices().len());
    for triangle in mesh.faces().triangles() {
        let [a, b, c] = triangle.map(|v| mesh.solid().place(v));
        sets.join(a, b);
        sets.join(b, c);
    }
    sets
}

fn pierced_by_vertices(space: &Space, touches: &Touches, side: Side) -> bool {
    let mesh = space.mesh(side);
    let place = |v: u32| mesh.solid().place(v);
    let mut visits = Visits::default();
    let mut met = |face: u32, from: u32, to: u32| {
        let [p, q] = [from, to].map(|v| mesh.faces().vertices()[v as usize]);
        touches.of(side, face).any(|other| {
            let other = space.mesh(side.other()).faces().triangle_points(other as usize);
            let segment = [p, q, q];
            let (a, b) = if side == Side::A { (segment, other) } else { (other, segment) };
            meeting(&space.between, a, b, &mut visits) != Meeting::Apart
        })
    };
    let vertices = mesh.faces().vertices().len();
    let mut sets = Sets::new(vertices);
    let mut used = vec![false; vertices];
    let mut on_other = vec![false; vertices];
    for (face, triangle) in mesh.faces().triangles().iter().enumerate() {
        let face = face as u32;
        for k in 0..3 {
            let (v, w) = (triangle[k], triangle[(k + 1) % 3]);
            used[place(v) as usize] = true;
            if !touches.touched(side, face) || !met(face, v, w) {
                sets.join(place(v), place(w));
            } else if met(face, v, v) {
                on_other[place(v) as usize] = true;
            }
        }
    }
    let mut surfaces = surfaces(space, side);
    let mut outside: BTreeMap<u32, bool> = BTreeMap::new();
    let mut parts: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for v in 0..vertices as u32 {
        if !used[v as usize] || on_other[v as usize] {
            continue;
        }
        let root = sets.root(v);
        if *outside.entry(root).or_insert_with(|| !vertex_inside(space, side, v)) {
            parts.entry(surfaces.root(v)).or_default().insert(root);
        }
    }
    parts.values().any(|part| part.len() > 1)
}

/// The points of an edge.
pub(crate) fn edge_points(space: &Space, side: Side, edge: [u32; 2]) -> [DVec3; 2] {
    edge.map(|v| space.mesh(side).faces().vertices()[v as usize])
}
