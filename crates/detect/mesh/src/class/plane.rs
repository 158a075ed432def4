//! A plane with one body on its one side and the other on its other side.

use super::touches::Touches;
use super::walls::SIDES;
use crate::space::{Space, Spot};
use kontakt_answers::Side;
use kontakt_math::Sign;

/// Most pairs of touching faces whose planes are tried.
const TRIED: usize = 16;

/// Whether the plane of a touching face has all of A's faces on its one closed side and all of B's on the other: a proof that
/// the bodies have no common interior, and quick where parts rest face on face. `false` proves nothing.
pub(super) fn separates(space: &Space, touches: &Touches) -> bool {
    let pairs: Vec<_> = touches.cutting().collect();
    let step = pairs.len().div_ceil(TRIED).max(1);
    pairs.iter().step_by(step).any(|pair| {
        [(Side::A, pair.a), (Side::B, pair.b)].into_iter().any(|(side, face)| {
            let [p, q, r] = space.corners(side, face);
            let height = |spot: &Spot| space.orient(&p, &q, &r, spot);
            let mut sides = [Sign::Zero; 2];
            SIDES.into_iter().all(|body| one_sided(space, body, &height, &mut sides[body as usize]))
                && sides[0].times(sides[1]) == Sign::Negative
        })
    })
}

/// Whether all faces of a body lie on one closed side of a plane, and on which.
fn one_sided(space: &Space, body: Side, height: &impl Fn(&Spot) -> Sign, side: &mut Sign) -> bool {
    let faces = space.mesh(body).faces();
    let mut seen = vec![false; faces.vertices().len()];
    faces.triangles().as_flattened().iter().all(|&v| {
        if std::mem::replace(&mut seen[v as usize], true) {
            return true;
        }
        let sign = height(&space.spot(body, faces.vertices()[v as usize]));
        if *side == Sign::Zero {
            *side = sign;
        }
        sign == Sign::Zero || sign == *side
    })
}
