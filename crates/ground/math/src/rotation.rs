//! Rotations written as axis and angle, as three fixed angles and as a matrix, to and from unit quaternions
//! (VR appendix A, with its errors corrected: quaternion diagonal 2(q0²+qi²)/|q|² − 1, angles XYZ *fixed*).

use crate::pose_error::PoseError;
use glam::{DMat3, DQuat, DVec3};

/// Rotation about the fixed axes x, y, z in turn: R = Rz(`alpha`)·Ry(`beta`)·Rx(`gamma`), radians.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FixedAngles {
    /// Last, about z.
    pub alpha: f64,
    /// Second, about y; in [−π/2, π/2] when computed.
    pub beta: f64,
    /// First, about x.
    pub gamma: f64,
}

/// Unit quaternion of a turn by `angle` (radians, right-handed) about `axis`, which may have any length but zero.
pub fn quaternion_from_axis_angle(axis: DVec3, angle: f64) -> Result<DQuat, PoseError> {
    if !axis.is_finite() || !angle.is_finite() {
        return Err(PoseError::NotFinite);
    }
    let largest = axis.abs().max_element();
    if largest == 0.0 {
        return Err(PoseError::ZeroAxis);
    }
    // Divided by the largest component first, so that its square neither over- nor underflows.
    let direction = (axis / largest).normalize();
    let (sine, cosine) = (0.5 * angle).sin_cos();
    let v = direction * sine;
    Ok(DQuat::from_xyzw(v.x, v.y, v.z, cosine).normalize())
}

/// Unit axis and angle in [0, π] of a unit quaternion; the identity gets the axis x. At π both directions of the
/// axis are right and the one stored in the quaternion is returned.
pub fn axis_angle_of(q: DQuat) -> (DVec3, f64) {
    let q = if q.w < 0.0 { -q } else { q };
    let v = DVec3::new(q.x, q.y, q.z);
    let largest = v.abs().max_element();
    if largest == 0.0 {
        return (DVec3::X, 0.0);
    }
    let scaled = v / largest;
    let length = scaled.length();
    (scaled / length, 2.0 * (length * largest).atan2(q.w))
}

/// Unit quaternion of three fixed angles.
pub fn quaternion_from_fixed_angles(angles: FixedAngles) -> Result<DQuat, PoseError> {
    let FixedAngles { alpha, beta, gamma } = angles;
    let z = quaternion_from_axis_angle(DVec3::Z, alpha)?;
    let y = quaternion_from_axis_angle(DVec3::Y, beta)?;
    let x = quaternion_from_axis_angle(DVec3::X, gamma)?;
    Ok((z * y * x).normalize())
}

/// Fixed angles of a unit quaternion, beta in [−π/2, π/2].
///
/// Where cos β = 0 only α ∓ γ is determined. The textbook formulas then take both from noise; here γ is read from
/// Rz(−α)·R = Ry(β)·Rx(γ), whose middle row (0, cos γ, −sin γ) never degenerates, so whatever α was found, the
/// three angles together give the rotation back.
pub fn fixed_angles_of(q: DQuat) -> FixedAngles {
    let r = DMat3::from_quat(q);
    let beta = (-r.x_axis.z).atan2(r.x_axis.x.hypot(r.x_axis.y));
    let alpha = r.x_axis.y.atan2(r.x_axis.x);
    let (sine, cosine) = alpha.sin_cos();
    let middle_row = |column: DVec3| cosine * column.y - sine * column.x;
    let gamma = (-middle_row(r.z_axis)).atan2(middle_row(r.y_axis));
    FixedAngles { alpha, beta, gamma }
}

/// Unit quaternion of a rotation matrix, which must be orthonormal within 1e-3 (entries of `RᵀR − I`) and not mirror.
///
/// Of the four ways to start (from the trace or from one diagonal entry) the one with the largest square is taken:
/// it is at least 1/4, so a turn by π loses nothing.
pub fn quaternion_from_matrix(r: DMat3) -> Result<DQuat, PoseError> {
    if !r.is_finite() {
        return Err(PoseError::NotFinite);
    }
    let error = r.transpose() * r - DMat3::IDENTITY;
    let deviation = [error.x_axis, error.y_axis, error.z_axis].map(|c| c.abs().max_element());
    let deviation = deviation.into_iter().fold(0.0, f64::max);
    // Squares on the diagonal cannot cancel: an overflow shows as an infinite deviation.
    if !deviation.is_finite() || deviation > 1e-3 {
        return Err(PoseError::NotOrthonormal { deviation });
    }
    if r.determinant() < 0.0 {
        return Err(PoseError::Mirrors);
    }
    let (m00, m11, m22) = (r.x_axis.x, r.y_axis.y, r.z_axis.z);
    let sums = DVec3::new(r.y_axis.x + r.x_axis.y, r.z_axis.y + r.y_axis.z, r.x_axis.z + r.z_axis.x);
    let differences = DVec3::new(r.y_axis.z - r.z_axis.y, r.z_axis.x - r.x_axis.z, r.x_axis.y - r.y_axis.x);
    // Four times the squares of w, x, y, z.
    let squares =
        [1.0 + m00 + m11 + m22, 1.0 + m00 - m11 - m22, 1.0 - m00 + m11 - m22, 1.0 - m00 - m11 + m22];
    let largest = squares.iter().copied().fold(0.0, f64::max);
    let q = if squares[0] == largest {
        DQuat::from_xyzw(differences.x, differences.y, differences.z, largest)
    } else if squares[1] == largest {
        DQuat::from_xyzw(largest, sums.x, sums.z, differences.x)
    } else if squares[2] == largest {
        DQuat::from_xyzw(sums.x, largest, sums.y, differences.y)
    } else {
        DQuat::from_xyzw(sums.z, sums.y, largest, differences.z)
    };
    Ok(q.normalize())
}
