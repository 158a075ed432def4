//! The question about two bodies, brought where doubles are fine: both near the origin, A's frame the world's.

use crate::face::Between;
use crate::mesh::{Mesh, PlacedMesh};
use crate::space::{Space, Spot, exact};
use kontakt_math::expansion::two_sum;
use kontakt_math::round::length_up;
use kontakt_math::{DMat3, DQuat, DVec3, Pose, U};

/// Two bodies, A at rest. They lie to each other as the given ones do, but for a displacement of B's points by `slack` at most.
///
/// **Why that is enough.** If a translation τ separates the bodies here, then τ and the displacement δ (the same for all points
/// but for a turn by roundings, which is counted in) separate the given ones: the depth is 1-Lipschitz in B's place. So bounds
/// here, moved apart by `slack`, are bounds there.
pub(super) struct Scene<'a> {
    pub(super) a: &'a Mesh,
    pub(super) b: &'a Mesh,
    /// A from B.
    pub(super) pose: Pose,
    /// **Never less** than how far a point of B here is from where it is there. 0 where all is exact.
    pub(super) slack: f64,
    /// World from A as given, and the point of its frame that is the origin here.
    given: Pose,
    origin: DVec3,
}

impl<'a> Scene<'a> {
    /// `None` beyond the range of doubles.
    pub(super) fn new(a: PlacedMesh<'a>, b: PlacedMesh<'a>) -> Option<Scene<'a>> {
        let ((near_a, origin_a), (near_b, origin_b)) = (a.mesh.near(), b.mesh.near());
        let between = Between::new(a.pose, b.pose);
        // Where B's origin is, exactly; then rounded.
        let place = between.exact_b(origin_b);
        let from = |k: usize| &place[k] - &(&exact(origin_a[k]) * &place[3]);
        let offset = [from(0), from(1), from(2), place[3].clone()];
        let mut shift = DVec3::from_array([0, 1, 2].map(|k: usize| offset[k].quotient(&offset[3])));
        let is_exact = (0..3).all(|k| &exact(shift[k]) * &offset[3] == offset[k]);
        let mut slack = 0.0;
        if !is_exact {
            (shift, slack) = Spot::made(offset).rounded();
        }
        let (turn, error) = turn(&between, &a.pose, &b.pose);
        let reach = || near_b.faces().vertices().iter().map(|x| x.abs().element_sum()).fold(0.0, f64::max);
        if error > 0.0 {
            slack = (slack + error * reach()) * (1.0 + 4.0 * U);
        }
        let pose = Pose::new(turn, shift).ok()?;
        let scene = Scene { a: near_a, b: near_b, pose, slack, given: a.pose, origin: origin_a };
        slack.is_finite().then_some(scene)
    }

    pub(super) fn space(&self) -> Space<'a> {
        Space::new(Between::new(Pose::IDENTITY, self.pose), self.a, self.b)
    }

    /// B moved by a translation, and its length rounded up: the one that the rounded place stands for.
    pub(super) fn moved(&self, push: DVec3) -> Option<(PlacedMesh<'a>, f64)> {
        let from = self.pose.translation();
        let place = from + push;
        let pose = Pose::new(self.pose.given_rotation(), place).ok()?;
        let is_sum = (0..3).all(|k| two_sum(from[k], push[k]).1 == 0.0);
        let length = if is_sum && push.abs().max_element() == push.abs().element_sum() {
            push.abs().max_element()
        } else {
            // The difference rounds by u of itself, its length by a few u more.
            length_up(place - from) * (1.0 + 4.0 * f64::EPSILON)
        };
        Some((PlacedMesh::new(self.b, pose), length))
    }

    /// A point of this frame in the world, to rounding.
    pub(super) fn to_world(&self, point: DVec3) -> DVec3 {
        self.given.apply(point + self.origin)
    }

    /// A direction of this frame in the world, to rounding.
    pub(super) fn direction(&self, direction: DVec3) -> DVec3 {
        self.given.rotate(direction)
    }
}

/// The rotation from B's frame to A's, and **never less** than how far it takes a point from its exact place, divided by the point's
/// distance from the origin.
///
/// Bodies turned alike or by quarters of a turn: exact. What is that but for roundings is taken for it: edges that are parallel
/// then are so for any rotation of both. Else each component of the product of the quaternions errs by 4u, which turns it by 16u; a pose
/// means q/|q|, so its length does not matter.
fn turn(between: &Between, a: &Pose, b: &Pose) -> (DQuat, f64) {
    let (q_a, q_b) = (a.given_rotation(), b.given_rotation());
    if q_a == q_b || q_a == -q_b {
        return (DQuat::IDENTITY, 0.0);
    }
    let matrix = between.turn();
    let plain = DMat3::from_cols_array(&matrix.to_cols_array().map(f64::round));
    let off: f64 = (matrix - plain).to_cols_array().iter().map(|c| c.abs()).sum();
    if off < 1e-12 {
        let turn = DQuat::from_mat3(&plain);
        let again = Between::new(Pose::IDENTITY, Pose::new(turn, DVec3::ZERO).unwrap_or(Pose::IDENTITY));
        if again.turn() == plain && again.turn_error() <= 2.0 * U {
            // Of quarters of a turn the error is that of the last sum, which is not made here.
            let error = if between.turn_error() <= 2.0 * U { 0.0 } else { between.turn_error() };
            return (turn, off + error);
        }
    }
    ((q_a.conjugate() * q_b).normalize(), 32.0 * U)
}
