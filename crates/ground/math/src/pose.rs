//! A rigid placement: unit quaternion and translation, named `a_from_b` where it maps B's coordinates to A's.

use glam::{DMat3, DQuat, DVec3};
use thiserror::Error;

/// What is wrong with the numbers given for a pose.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum PoseError {
    /// A component is NaN or infinite.
    #[error("pose has a component that is not finite")]
    NotFinite,
    /// The quaternion is too far from unit length to be a rounding matter.
    #[error("quaternion has length {length}, not 1 (within 1e-3)")]
    NotUnit {
        /// Length found.
        length: f64,
    },
}

/// A rigid map x ↦ R(q/|q|)·x + t. The quaternion stored is finite and of unit length to rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    rotation: DQuat,
    translation: DVec3,
}

impl Pose {
    /// The map that changes nothing.
    pub const IDENTITY: Pose = Pose { rotation: DQuat::IDENTITY, translation: DVec3::ZERO };

    /// A pose from a quaternion within 1e-3 of unit length (it is normalised) and a translation.
    pub fn new(rotation: DQuat, translation: DVec3) -> Result<Pose, PoseError> {
        if !rotation.is_finite() || !translation.is_finite() {
            return Err(PoseError::NotFinite);
        }
        let length = rotation.length();
        if (length - 1.0).abs() > 1e-3 {
            return Err(PoseError::NotUnit { length });
        }
        Ok(Pose { rotation: rotation.normalize(), translation })
    }

    /// The unit quaternion.
    pub fn rotation(&self) -> DQuat {
        self.rotation
    }

    /// Where the origin goes.
    pub fn translation(&self) -> DVec3 {
        self.translation
    }

    /// The rotation as a matrix.
    pub fn matrix(&self) -> DMat3 {
        DMat3::from_quat(self.rotation)
    }

    /// Image of a point, rounded to nearest.
    pub fn apply(&self, point: DVec3) -> DVec3 {
        self.rotation * point + self.translation
    }

    /// Image of a direction, rounded to nearest.
    pub fn rotate(&self, direction: DVec3) -> DVec3 {
        self.rotation * direction
    }

    /// The map back.
    #[must_use]
    pub fn inverse(&self) -> Pose {
        let back = self.rotation.conjugate();
        Pose { rotation: back, translation: -(back * self.translation) }
    }

    /// `a_from_b.then_from(b_from_c)` is `a_from_c`.
    #[must_use]
    pub fn then_from(&self, b_from_c: &Pose) -> Pose {
        Pose {
            rotation: (self.rotation * b_from_c.rotation).normalize(),
            translation: self.apply(b_from_c.translation),
        }
    }
}
