//! Faces without a solid behind them: which parts of them lie inside another's solid, and whether two sheets are one.

use super::classes::{Look, Touches, look_at_face};
use super::needle;
use super::walls::SIDES;
use crate::mesh::untouched_pieces;
use crate::space::Space;
use kontakt_answers::Side;

/// Whether parts of faces lie in an open solid, and whether parts lie off it and its faces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) inside: bool,
    pub(crate) outside: bool,
}

impl Parts {
    /// Enters a 2-cell. On an odd covering it is on the solid's boundary, on an even one (a double wall) inside or outside.
    pub(super) fn enter(&mut self, look: Look, solid: Side) {
        let solid = solid as usize;
        if look.covering[solid].is_multiple_of(2) {
            self.inside |= look.odd[solid];
            self.outside |= !look.odd[solid];
        }
    }

    /// Both are known to be so.
    pub(super) fn complete(self) -> bool {
        self.inside && self.outside
    }
}

/// The parts with an area of the open body `side`; the other body is closed.
pub(crate) fn parts(space: &Space, touches: &Touches, side: Side) -> Parts {
    let mut parts = Parts::default();
    let see = |face: u32, parts: &mut Parts| {
        let mut seen = false;
        look_at_face(space, touches, side, face, |look| {
            seen = true;
            parts.enter(look, side.other());
            !parts.complete()
        });
        seen
    };
    for piece in untouched_pieces(space.mesh(side), |face| touches.touched(side, face)) {
        // All of a piece lies on one side; the first face with an area tells which.
        piece.iter().any(|&face| see(face, &mut parts));
    }
    for face in touches.faces(side) {
        if parts.complete() {
            break;
        }
        see(face, &mut parts);
    }
    parts
}

/// Whether some part of a closed body's faces has its solid on one side.
pub(crate) fn has_volume(space: &Space, touches: &Touches, side: Side) -> bool {
    (0..space.mesh(side).faces().triangles().len() as u32).any(|face| {
        let mut odd = false;
        look_at_face(space, touches, side, face, |look| {
            odd = look.covering[side as usize] % 2 == 1;
            !odd
        });
        odd
    })
}

/// Whether two sheets cover the same set.
pub(crate) fn same(space: &Space, touches: &Touches) -> bool {
    SIDES.into_iter().all(|side| {
        let other = side.other() as usize;
        (0..space.mesh(side).faces().triangles().len() as u32).all(|face| {
            let mut covered = true;
            look_at_face(space, touches, side, face, |look| {
                covered = look.covering[other] > 0;
                covered
            });
            covered
        }) && needle::covered(space, touches, side)
    })
}
