//! Open bodies: which parts of a sheet lie inside a solid, and whether two sheets are one.

use super::classes::{Touches, look_at_face};
use super::piece::untouched_pieces;
use super::spot::Space;
use kontakt_answers::Side;

/// Where parts of a sheet with an area lie to a solid.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Parts {
    pub(crate) inside: bool,
    pub(crate) outside: bool,
}

/// The parts of the sheet `side`; the other body is a solid.
pub(crate) fn parts(space: &Space, touches: &Touches, side: Side) -> Parts {
    let solid = side.other() as usize;
    let mut parts = Parts::default();
    let see = |face: u32, parts: &mut Parts| {
        let mut seen = false;
        look_at_face(space, touches, side, face, |look| {
            seen = true;
            // On an odd covering the solid's boundary, on an even one (a double wall) inside or outside.
            if look.covering[solid] % 2 == 0 {
                parts.inside |= look.odd[solid];
                parts.outside |= !look.odd[solid];
            }
            !(parts.inside && parts.outside)
        });
        seen
    };
    for piece in untouched_pieces(space.mesh(side), |face| touches.touched(side, face)) {
        // All of a piece lies on one side; the first face with an area tells which.
        piece.iter().any(|&face| see(face, &mut parts));
    }
    for face in touches.faces(side) {
        if parts.inside && parts.outside {
            break;
        }
        see(face, &mut parts);
    }
    parts
}

/// Whether two sheets cover the same set, up to parts without area.
pub(crate) fn same(space: &Space, touches: &Touches) -> bool {
    [Side::A, Side::B].into_iter().all(|side| {
        let other = side.other() as usize;
        (0..space.mesh(side).faces().triangles().len() as u32).all(|face| {
            let mut covered = true;
            let mut seen = touches.touched(side, face);
            look_at_face(space, touches, side, face, |look| {
                seen = true;
                covered = look.covering[other] > 0;
                covered
            });
            covered && seen
        })
    })
}
