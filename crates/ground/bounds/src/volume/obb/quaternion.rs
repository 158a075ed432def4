//! Oriented box kept with a quaternion: 10 numbers instead of 15.

use super::{Obb, SquareObb, columns};
use crate::turn::Turn;
use kontakt_math::round::{add_up, dot_error};
use kontakt_math::{DQuat, DVec3, Pose, U};

/// The box with centre, exact axes R(q/|q|) and half extents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QuaternionObb {
    /// Centre.
    pub centre: DVec3,
    /// Unit quaternion, to rounding.
    pub rotation: DQuat,
    /// Half of the edge lengths, none negative.
    pub half_extents: DVec3,
}

impl QuaternionObb {
    /// `false` is a proof that the boxes are disjoint.
    pub fn may_overlap(&self, other: &QuaternionObb) -> bool {
        SquareObb::of(&Obb::from(self)).may_overlap(&SquareObb::of(&Obb::from(other)))
    }
}

/// The rotation with its proven error; the identity for a quaternion that is none.
fn turn_of(rotation: DQuat) -> Turn {
    Turn::of(&Pose::new(rotation, DVec3::ZERO).unwrap_or(Pose::IDENTITY))
}

impl From<&Obb> for QuaternionObb {
    /// Encloses the box. Proof: a point c + Σ sⱼaⱼ has the coordinates Σ sⱼ(rᵢ·aⱼ) in the exact axes rᵢ, and rᵢ is
    /// within √3·error of the computed column mᵢ.
    fn from(obb: &Obb) -> Self {
        let square = SquareObb::of(obb).into_obb();
        let [x, y, _] = columns(&square.axes);
        let right_handed = kontakt_math::DMat3::from_cols(x, y, x.cross(y));
        let pose =
            Pose::new(DQuat::from_mat3(&right_handed).normalize(), DVec3::ZERO).unwrap_or(Pose::IDENTITY);
        let turn = Turn::of(&pose);
        let half_extents = columns(&turn.matrix).map(|m| {
            columns(&square.axes).into_iter().zip(square.half_extents.to_array()).fold(0.0, |sum, (a, h)| {
                let along = m.dot(a).abs() + dot_error(m, a) + 1.8 * turn.error;
                if h == 0.0 || (turn.error == 0.0 && m.dot(a) == 0.0) {
                    sum
                } else {
                    add_up(sum, (h * along).next_up())
                }
            })
        });
        QuaternionObb {
            centre: square.centre,
            rotation: pose.rotation(),
            half_extents: DVec3::from_array(half_extents),
        }
    }
}

impl From<&QuaternionObb> for Obb {
    /// Encloses the box: extents grow by 1.01·Σh·|Δa|, the error of the axes (see `Obb::transformed`). Normalising
    /// the quaternion once more turns it by at most 2u, the matrix by 8u.
    fn from(b: &QuaternionObb) -> Self {
        let turn = turn_of(b.rotation);
        let grow = 1.02 * b.half_extents.element_sum() * (1.8 * (turn.error + 8.0 * U));
        let half_extents =
            if turn.error == 0.0 { b.half_extents } else { b.half_extents.map(|h| add_up(h, grow)) };
        Obb { centre: b.centre, axes: turn.matrix, half_extents }
    }
}
