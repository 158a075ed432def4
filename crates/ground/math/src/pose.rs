//! A rigid placement: unit quaternion and translation, named `a_from_b` where it maps B's coordinates to A's.

use crate::pose_error::PoseError;
use crate::rotation::{self, FixedAngles};
use crate::round::{U, length_up};
use glam::{DMat3, DQuat, DVec3};

/// A rigid map x ↦ R(q/|q|)·x + t, where q is the quaternion **as given**: normalising it in doubles would turn it by a
/// rounding, and exact answers are about the map that was asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// As given: finite, within 1e-3 of unit length. Its direction is the truth.
    given: DQuat,
    /// `given` scaled to unit length, rounded.
    rotation: DQuat,
    translation: DVec3,
}

impl Pose {
    /// The map that changes nothing.
    pub const IDENTITY: Pose =
        Pose { given: DQuat::IDENTITY, rotation: DQuat::IDENTITY, translation: DVec3::ZERO };

    /// A pose from a quaternion within 1e-3 of unit length (it is normalised) and a translation.
    pub fn new(rotation: DQuat, translation: DVec3) -> Result<Pose, PoseError> {
        if !rotation.is_finite() || !translation.is_finite() {
            return Err(PoseError::NotFinite);
        }
        let length = rotation.length();
        if (length - 1.0).abs() > 1e-3 {
            return Err(PoseError::NotUnit { length });
        }
        Ok(Pose { given: rotation, rotation: rotation.normalize(), translation })
    }

    /// A pose that turns by `angle` (radians, right-handed) about `axis` (any length but zero), then translates.
    pub fn from_axis_angle(axis: DVec3, angle: f64, translation: DVec3) -> Result<Pose, PoseError> {
        Pose::new(rotation::quaternion_from_axis_angle(axis, angle)?, translation)
    }

    /// A pose that turns by R = Rz(α)·Ry(β)·Rx(γ), then translates.
    pub fn from_fixed_angles(angles: FixedAngles, translation: DVec3) -> Result<Pose, PoseError> {
        Pose::new(rotation::quaternion_from_fixed_angles(angles)?, translation)
    }

    /// A pose from a rotation matrix (orthonormal within 1e-3, not mirroring) and a translation.
    pub fn from_matrix(matrix: DMat3, translation: DVec3) -> Result<Pose, PoseError> {
        Pose::new(rotation::quaternion_from_matrix(matrix)?, translation)
    }

    /// Unit axis and angle in [0, π] of the rotation; axis x for none.
    pub fn axis_angle(&self) -> (DVec3, f64) {
        rotation::axis_angle_of(self.rotation)
    }

    /// Fixed angles of the rotation, β in [−π/2, π/2].
    pub fn fixed_angles(&self) -> FixedAngles {
        rotation::fixed_angles_of(self.rotation)
    }

    /// The quaternion as given, within 1e-3 of unit length: the exact map turns by q/|q| of this one.
    #[inline]
    pub fn given_rotation(&self) -> DQuat {
        self.given
    }

    /// The unit quaternion, rounded.
    #[inline]
    pub fn rotation(&self) -> DQuat {
        self.rotation
    }

    /// Where the origin goes.
    #[inline]
    pub fn translation(&self) -> DVec3 {
        self.translation
    }

    /// The rotation as a matrix.
    pub fn matrix(&self) -> DMat3 {
        DMat3::from_quat(self.rotation)
    }

    /// Image of a point, rounded to nearest.
    #[inline]
    pub fn apply(&self, point: DVec3) -> DVec3 {
        self.rotation * point + self.translation
    }

    /// **Never too small**: at least the distance of `apply(point)` from the exact image under the map of q/|q| and
    /// t; infinite where `apply` overflows.
    ///
    /// Proof, first order in u, for x(w²−b²) + 2b(b·x) + 2w(b×x) as `glam` evaluates it, with |q|² = 1 + δ:
    /// the three terms have errors of at most 5u|x|, 8u|x| and 5u|x|, the two sums add 3u|x|; the exact value is
    /// (1+δ)Rx, and normalising leaves |δ| ≤ 11u (dot 4u, root 3u, reciprocal 4u, product 5u for the length). Its last
    /// product rounds each component by u relative, which turns q by at most u and R by 2u: 2u|x|. The sum
    /// with t adds u(|x|+|t|). Together 35u|x| + u|t|; second-order terms and the rounding of the bound itself fit into
    /// 40u|x| + 2u|t|, and all underflows into the smallest normal double.
    pub fn apply_error(&self, point: DVec3) -> f64 {
        if !self.apply(point).is_finite() {
            return f64::INFINITY;
        }
        length_up(point) * (40.0 * U) + length_up(self.translation) * (2.0 * U) + f64::MIN_POSITIVE
    }

    /// Image of a direction, rounded to nearest.
    #[inline]
    pub fn rotate(&self, direction: DVec3) -> DVec3 {
        self.rotation * direction
    }

    /// The map back, rounded.
    #[must_use]
    pub fn inverse(&self) -> Pose {
        let back = self.rotation.conjugate();
        Pose { given: back, rotation: back, translation: -(back * self.translation) }
    }

    /// `a_from_b.then_from(b_from_c)` is `a_from_c`, rounded.
    #[must_use]
    pub fn then_from(&self, b_from_c: &Pose) -> Pose {
        let rotation = (self.rotation * b_from_c.rotation).normalize();
        Pose { given: rotation, rotation, translation: self.apply(b_from_c.translation) }
    }
}
