//! What may be wrong with the numbers of a pose.

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
    /// The columns of a matrix are too far from orthonormal to be a rounding matter.
    #[error(
        "matrix is not orthonormal: an entry of RᵀR differs from the identity by {deviation} (limit 1e-3)"
    )]
    NotOrthonormal {
        /// Largest difference found.
        deviation: f64,
    },
    /// The matrix is orthonormal but left-handed.
    #[error("matrix mirrors: its determinant is negative")]
    Mirrors,
    /// A turn about an axis of length zero.
    #[error("axis of rotation has length zero")]
    ZeroAxis,
}
