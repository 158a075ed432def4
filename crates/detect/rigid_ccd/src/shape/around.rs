//! The parts of a shape around the place of a contact, for its normal: see `normal`.

use super::piece::Piece;
use crate::normal::SLACK;
use kontakt_convex::{ConvexQuery, Shape, Want};
use kontakt_math::{Between, DMat3, DQuat, DVec3, Pose};

/// The pieces of a body that are within `reach` of a place.
pub(super) struct Parts<'s> {
    pieces: &'s [Piece<'s>],
    pub(super) near: Vec<usize>,
    /// In the body's frame.
    place: DVec3,
    reach: f64,
    /// From the body's frame to that of the directions asked about.
    turn: DMat3,
}

impl<'s> Parts<'s> {
    /// `turn` leads from the body's frame to that of the directions asked about; `known` is one of the pieces.
    pub(super) fn new(
        asker: &mut ConvexQuery,
        pieces: &'s [Piece<'s>],
        known: usize,
        (place, reach): (DVec3, f64),
        turn: DMat3,
    ) -> Parts<'s> {
        let mut near = vec![known];
        near.extend((0..pieces.len()).filter(|&i| i != known && is_near(asker, &pieces[i], place, reach)));
        Parts { pieces, near, place, reach, turn }
    }

    /// How far the highest of them is above the plane across a direction through the place, beside its size.
    pub(super) fn above(&self, n: DVec3) -> f64 {
        let own = self.turn.transpose() * n;
        let highest = |&i: &usize| {
            let piece = &self.pieces[i];
            if let Some(wall) = piece.wall {
                return (own - wall.normal).length() - SLACK;
            }
            let size = piece.radius + piece.round[1];
            let height = own.dot(piece.farthest(own) - self.place) + piece.round[1];
            (height - 2.0 * self.reach) / size - SLACK
        };
        self.near.iter().map(highest).fold(f64::NEG_INFINITY, f64::max)
    }
}

fn is_near(asker: &mut ConvexQuery, piece: &Piece, place: DVec3, reach: f64) -> bool {
    if let Some(wall) = piece.wall {
        return wall.normal.dot(place) - wall.offset - piece.round[1] <= reach;
    }
    if place.distance(piece.centre) > (piece.radius + piece.round[1] + reach) * (1.0 + 1e-9) {
        return false;
    }
    let (Some((shape, pose)), Ok(at)) = (piece.placed(), Pose::new(DQuat::IDENTITY, place)) else {
        return false;
    };
    asker.convex(&Shape::point(), &shape, &Between::new(at, pose), Want::Distance).separation.lo() <= reach
}
