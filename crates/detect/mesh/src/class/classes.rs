//! Which parts two closed bodies have: common, of A only, of B only.
//!
//! **Why looking at faces suffices.** Let `O_A` and `O_B` be the open sets of points with odd parity. All faces together cut space
//! into open cells in which both parities are constant. Every bounded cell has a 2-cell of some face on its border, so the
//! classes (in A, in B) that occur are those on the two sides of the faces' 2-cells (and of the unbounded cell, which is in
//! neither). On a 2-cell covered by `m` faces of a body the body's parity changes from side to side exactly when `m` is odd.
//! Faces that have no common point with the other body and hang together by common vertices lie in one cell of the other
//! body's parity: one look at each such piece is enough, where a 2-cell with odd covering is found on it. All other
//! faces are cut by everything that meets them, and every 2-cell is looked at.

use super::cells;
use super::sheet::Parts;
use super::touches::corner_places;
use super::trace::View;
use crate::face::{only_there, shared_corner};
use crate::mesh::Mesh;
use crate::mesh::untouched_pieces;
use crate::solo::Solo;
use crate::space::{self, Directions};
use crate::space::{Space, Spot};
use kontakt_answers::Side;
use kontakt_math::DVec3;
use std::collections::BTreeSet;

pub(crate) use super::touches::Touches;

/// Which classes of points occur.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Classes {
    /// In both.
    pub(crate) both: bool,
    /// In A, not in B.
    pub(crate) only_a: bool,
    /// In B, not in A.
    pub(crate) only_b: bool,
    /// Where the faces of A lie to the open solid of B, and the other way round.
    pub(crate) faces: [Parts; 2],
}

impl Classes {
    fn enter(&mut self, in_a: bool, in_b: bool) {
        self.both |= in_a && in_b;
        self.only_a |= in_a && !in_b;
        self.only_b |= in_b && !in_a;
    }

    pub(crate) fn complete(self) -> bool {
        self.both && self.only_a && self.only_b
    }
}

/// A look at one 2-cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    /// Where the one side is, in A's frame.
    pub(crate) direction: DVec3,
    /// Parities (A, B) on the one side.
    pub(crate) odd: [bool; 2],
    /// Faces of (A, B) that cover the cell.
    pub(crate) covering: [u32; 2],
}

impl Look {
    /// Enters what a 2-cell of a face of `side` shows.
    fn enter(self, side: Side, classes: &mut Classes) {
        classes.faces[side as usize].enter(self, side.other());
        let [a, b] = self.odd;
        classes.enter(a, b);
        classes.enter(a ^ (self.covering[0] % 2 == 1), b ^ (self.covering[1] % 2 == 1));
    }
}

/// Looks at every 2-cell of one face, cut by all faces of both bodies that meet it, until `take` answers false.
pub(crate) fn look_at_face(
    space: &Space,
    touches: &Touches,
    side: Side,
    face: u32,
    mut take: impl FnMut(Look) -> bool,
) {
    let Some(view) = View::new(space, space.corners(side, face)) else { return };
    let mut traces = Vec::new();
    for other in touches.of(side, face) {
        view.traces(space, &space.corners(side.other(), other), &mut traces);
    }
    for other in own_cutting(space.mesh(side), face) {
        view.traces(space, &space.corners(side, other), &mut traces);
    }
    let mut directions = Directions::new();
    cells::sample(space, &view, &traces, |spot| take(look(space, &spot, &mut directions)));
}

/// The faces of a body near one of its own, without twins and those that certainly have one corner and nothing else in common
/// with it.
fn own_cutting(mesh: &Mesh, face: u32) -> Vec<u32> {
    let points = |face: u32| mesh.faces().triangle_points(face as usize);
    let own = points(face);
    let [a, b, c] = own;
    let mut near = Vec::new();
    Solo::new(mesh.tree()).in_box(a.min(b).min(c), a.max(b).max(c), |slot| {
        let other = mesh.tree().order()[slot as usize];
        let corners = points(other);
        if !shared_corner(&own, &corners).is_some_and(|shared| only_there(&own, &corners, shared)) {
            near.push((corner_places(mesh, other), other));
        }
    });
    let itself = corner_places(mesh, face);
    near.sort_unstable();
    near.dedup_by_key(|entry| entry.0);
    near.into_iter().filter(|entry| entry.0 != itself).map(|entry| entry.1).collect()
}

/// Parities and coverings of both bodies about a point that is on no rim of a face: some direction works, because those
/// that meet a rim or run along a face lie in finitely many planes.
pub(crate) fn look(space: &Space, spot: &Spot, directions: &mut Directions) -> Look {
    loop {
        let direction = directions.next();
        let Some(a) = space::along(space, Side::A, spot, direction) else { continue };
        let Some(b) = space::along(space, Side::B, spot, direction) else { continue };
        return Look { direction, odd: [a.odd, b.odd], covering: [a.covering, b.covering] };
    }
}

/// Finds the classes of two closed bodies from all pairs of touching faces; stops as soon as `enough` says so of the classes
/// found so far. `first` is looked at before all others: a face that is likely to show much.
pub(crate) fn classify(
    space: &Space,
    touches: &Touches,
    first: Option<(Side, u32)>,
    enough: impl Fn(Classes) -> bool,
) -> Classes {
    let mut classes = Classes::default();
    let enough = |classes: Classes| enough(classes) || !space.goes_on();
    let see = |side: Side, face: u32, classes: &mut Classes| {
        let mut turned = false;
        look_at_face(space, touches, side, face, |look| {
            look.enter(side, classes);
            turned |= look.covering[side as usize] % 2 == 1;
            !enough(*classes)
        });
        turned
    };
    if let Some((side, face)) = first {
        see(side, face, &mut classes);
        if enough(classes) {
            return classes;
        }
    }
    for side in [Side::A, Side::B] {
        let mesh = space.mesh(side);
        let some;
        let pieces = if touches.is_empty() {
            mesh.solid().pieces(mesh)
        } else {
            some = untouched_pieces(mesh, |face| touches.touched(side, face));
            &some
        };
        for piece in pieces {
            if enough(classes) {
                return classes;
            }
            // One face with odd covering tells all about the piece; twins tell the same.
            let mut seen = BTreeSet::new();
            piece.iter().any(|&face| seen.insert(corner_places(mesh, face)) && see(side, face, &mut classes));
        }
    }
    for side in [Side::A, Side::B] {
        for face in touches.distinct_faces(side) {
            if enough(classes) {
                return classes;
            }
            see(side, face, &mut classes);
        }
    }
    classes
}
