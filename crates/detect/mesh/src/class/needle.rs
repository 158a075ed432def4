//! Faces without an area, segments and points: whether they lie inside another body's solid.
//!
//! A needle is cut where it meets the faces of the other body; between two cuts it lies on one side of each face, or along it.
//! What runs along a face is neither inside nor outside. Faces of the other body without an area do not matter: they
//! change no parity.

use super::classes::Touches;
use super::sheet::Parts;
use super::tiles::{ascending, axis_with_area, steepest};
use crate::mesh::untouched_pieces;
use crate::space;
use crate::space::{Space, Spot, crossing, plane_through};
use kontakt_answers::Side;
use kontakt_math::Sign;

/// Enters where the needles of `side` lie to the solid of the other body, which is closed.
pub(super) fn enter(space: &Space, touches: &Touches, side: Side, parts: &mut Parts) {
    let mesh = space.mesh(side);
    let needles = mesh.solid().needles(mesh);
    if needles.is_empty() {
        return;
    }
    let is_needle = |face: u32| needles.binary_search(&face).is_ok();
    let mut see = |spot: &Spot| {
        let inside = space::is_odd(space, side.other(), spot);
        parts.inside |= inside;
        parts.outside |= !inside;
    };
    // Of a piece that has faces with an area these tell where it is.
    for piece in untouched_pieces(mesh, |face| touches.touched(side, face)) {
        if piece.iter().all(|&face| is_needle(face)) {
            see(&space.corners(side, piece[0])[0]);
        }
    }
    for face in touches.faces(side).filter(|&face| is_needle(face)) {
        let walls: Vec<[Spot; 3]> = touches
            .of(side, face)
            .map(|other| space.corners(side.other(), other))
            .filter(|corners| axis_with_area(space, corners).is_some())
            .collect();
        for spot in samples(space, &space.corners(side, face), &walls) {
            if !walls.iter().any(|corners| space::on_face(space, &spot, corners)) {
                see(&spot);
            }
        }
    }
}

/// Whether all needles of `side` are covered by faces of the other body.
pub(super) fn covered(space: &Space, touches: &Touches, side: Side) -> bool {
    let mesh = space.mesh(side);
    mesh.solid().needles(mesh).iter().all(|&face| {
        let corners = space.corners(side, face);
        // Needles across have only a point in common.
        let in_line = |others: &[Spot; 3]| others.iter().all(|other| is_line(space, &corners, other));
        let walls: Vec<[Spot; 3]> = touches
            .of(side, face)
            .map(|other| space.corners(side.other(), other))
            .filter(|others| axis_with_area(space, others).is_some() || in_line(others))
            .collect();
        samples(space, &corners, &walls)
            .iter()
            .all(|spot| walls.iter().any(|corners| space::on_face(space, spot, corners)))
    })
}

/// Whether a point is on the line of a needle.
fn is_line(space: &Space, [a, b, c]: &[Spot; 3], spot: &Spot) -> bool {
    (0..3).all(|axis| [(a, b), (b, c)].into_iter().all(|(p, q)| space.turn(axis, p, q, spot) == Sign::Zero))
}

/// A point of each part into which faces cut a needle.
fn samples(space: &Space, corners: &[Spot; 3], walls: &[[Spot; 3]]) -> Vec<Spot> {
    let [a, b, c] = corners;
    let longest = [[a, b], [b, c], [c, a]].into_iter().find_map(|[p, q]| {
        let axis = steepest(space, [p, q])?;
        let ends = ascending(space, axis, [p, q]);
        // The third corner is between the ends.
        let holds =
            |r: &Spot| space.compare(axis, &ends[0], r).is_le() && space.compare(axis, r, &ends[1]).is_le();
        corners.iter().all(holds).then_some((axis, ends))
    });
    let Some((axis, [low, high])) = longest else { return vec![a.clone()] };
    let mut cuts = vec![low.clone(), high.clone()];
    for wall in walls {
        cut(space, [&low, &high], wall, &mut cuts);
    }
    let within = |x: &Spot| space.compare(axis, &low, x).is_le() && space.compare(axis, x, &high).is_le();
    cuts.retain(within);
    cuts.sort_by(|p, q| space.compare(axis, p, q));
    cuts.dedup_by(|p, q| space.compare(axis, p, q).is_eq());
    cuts.windows(2).map(|pair| middle(space, &pair[0], &pair[1])).collect()
}

/// Where the line of a needle from p to q enters or leaves a face; maybe more points of the line.
fn cut(space: &Space, [p, q]: [&Spot; 2], corners: &[Spot; 3], into: &mut Vec<Spot>) {
    let [a, b, c] = corners;
    let sides = [p, q].map(|end| space.orient(a, b, c, end));
    if sides[0].times(sides[1]) == Sign::Negative {
        let plane = plane_through(&space.exact(a), &space.exact(b), &space.exact(c));
        into.push(crossing(&plane, &space.exact(p), &space.exact(q)));
    }
    if sides != [Sign::Zero; 2] {
        return;
    }
    // In the plane of the face: cut by its edges. A face without an area is in line.
    let Some(axis) = axis_with_area(space, corners) else {
        into.extend_from_slice(corners);
        return;
    };
    for (v, w) in [(a, b), (b, c), (c, a)] {
        let turns = [p, q].map(|end| space.turn(axis, v, w, end));
        if turns[0].times(turns[1]) == Sign::Negative {
            let (from, to) = (space.turn_value(axis, v, w, p), space.turn_value(axis, v, w, q));
            let (p, q) = (space.exact(p), space.exact(q));
            into.push(Spot::made(std::array::from_fn(|i| &(&to * &p[i]) - &(&from * &q[i]))));
        } else if turns == [Sign::Zero; 2] {
            into.extend([v.clone(), w.clone()]);
        }
    }
}

/// (p + q)/2
fn middle(space: &Space, p: &Spot, q: &Spot) -> Spot {
    let (p, q) = (space.exact(p), space.exact(q));
    let weight = &p[3] * &q[3];
    Spot::made(std::array::from_fn(|i| {
        if i == 3 { &weight + &weight } else { &(&p[i] * &q[3]) + &(&q[i] * &p[3]) }
    }))
}
