//! A plane that proves that two bodies have no common interior.

use super::classes::{Look, look_at_face};
use super::touches::Touches;
use super::walls::SIDES;
use crate::mesh::untouched_pieces;
use crate::space::{Space, Spot};
use kontakt_answers::Side;
use kontakt_math::Sign;

/// Most pairs of touching faces whose planes are tried.
const TRIED: usize = 16;

/// Whether the plane of a touching face proves that the bodies have no common interior, which is quick where parts rest face on face:
/// all of A is on its one closed side and all of B on its other, or one body rests on the other like a bolt's head on a plate, its shaft
/// in a hole beyond the plane ([`rests`]). `false` proves nothing.
pub(super) fn separates(space: &Space, touches: &Touches) -> bool {
    let pairs: Vec<_> = touches.cutting().collect();
    let step = pairs.len().div_ceil(TRIED).max(1);
    pairs.iter().step_by(step).any(|pair| {
        [(Side::A, pair.a), (Side::B, pair.b)].into_iter().any(|(side, face)| {
            let [p, q, r] = space.corners(side, face);
            let height = |spot: &Spot| space.orient(&p, &q, &r, spot);
            match SIDES.map(|body| one_sided(space, body, &height)) {
                [Some(a), Some(b)] => a.times(b) == Sign::Negative,
                [Some(own), None] => own != Sign::Zero && rests(space, touches, Side::A, own, &height),
                [None, Some(own)] => own != Sign::Zero && rests(space, touches, Side::B, own, &height),
                [None, None] => false,
            }
        })
    })
}

/// The closed side of a plane on which all faces of a body lie; zero where they lie in it, `None` where there are some on both.
fn one_sided(space: &Space, body: Side, height: &impl Fn(&Spot) -> Sign) -> Option<Sign> {
    let faces = space.mesh(body).faces();
    let mut seen = vec![false; faces.vertices().len()];
    let mut side = Sign::Zero;
    let all = faces.triangles().as_flattened().iter().all(|&v| {
        if std::mem::replace(&mut seen[v as usize], true) {
            return true;
        }
        let sign = height(&space.spot(body, faces.vertices()[v as usize]));
        if side == Sign::Zero {
            side = sign;
        }
        sign == Sign::Zero || sign == side
    });
    all.then_some(side)
}

/// Whether a body `flat`, all of which lies *below* a plane (on its closed side `below`), has no common interior with the other one, and
/// no face of either lies in the other's open solid, by these conditions: the faces of `flat` are one simple surface, no face of the other
/// is without an area; faces of the other that touch `flat` lie above (on the other closed side); the other's untouched faces lie outside
/// the open solid of `flat`; faces of `flat` lie outside the other's, but for those in the plane. `false` proves nothing.
///
/// **Why.** The open solid of `flat` is strictly below the plane. By the second and third conditions no face of the other goes
/// through it, so each connected part K of it is inside the other or outside as a whole. K is bounded and cannot be closed by the plane
/// alone: a 2-cell of a face of `flat` not in the plane borders it. By the last condition that is outside the other solid, and so is K.
/// Every face of a simple surface has its solid on one side: none lies in the other's open solid then.
///
/// **One look a piece.** Untouched faces that hang together by vertices are in one part of space. So are, strictly below the plane, faces of
/// `flat` not in the plane: there no face of the other meets them, since those that touch `flat` are above. That holds across
/// common vertices, even of the plane: a face of the other at such a vertex touches `flat`, so near it nothing is below the plane but
/// faces of `flat`, each with points there.
fn rests(space: &Space, touches: &Touches, flat: Side, below: Sign, height: &impl Fn(&Spot) -> Sign) -> bool {
    let other = flat.other();
    let (own, others) = (space.mesh(flat), space.mesh(other));
    let is_above = |face: u32| space.corners(other, face).iter().all(|spot| height(spot) != below);
    let plain = || own.is_simple_surface() && others.solid().needles(others).is_empty();
    if !(touches.faces(other).all(is_above) && plain()) {
        return false;
    }
    let in_plane = |face: u32| space.corners(flat, face).iter().all(|spot| height(spot) == Sign::Zero);
    let is_outside = |side: Side, piece: &[u32]| {
        let within = |look: &Look| look.odd[side.other() as usize];
        piece.iter().find_map(|&face| any_look(space, touches, side, face)).is_none_or(|look| !within(&look))
    };
    untouched_pieces(others, |face| touches.touched(other, face)).iter().all(|piece| is_outside(other, piece))
        && untouched_pieces(own, in_plane).iter().all(|piece| is_outside(flat, piece))
}

/// A look at some 2-cell of a face; `None` where it has no area.
fn any_look(space: &Space, touches: &Touches, side: Side, face: u32) -> Option<Look> {
    let mut found = None;
    look_at_face(space, touches, side, face, |look| {
        found = Some(look);
        false
    });
    found
}
