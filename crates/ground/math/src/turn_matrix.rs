//! Rotation matrices of quaternions of any length, and those that round nothing.

use crate::{DMat3, DQuat, DVec3};

/// R(q/|q|) for any q but zero, off by at most 36u (the argument stands at `Rounded::new` in `between.rs`).
#[inline]
pub(crate) fn rotation_matrix(q: DQuat) -> DMat3 {
    let s = 2.0 / (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    let (xx, yy, zz) = (q.x * q.x, q.y * q.y, q.z * q.z);
    let (xy, xz, yz) = (q.x * q.y, q.x * q.z, q.y * q.z);
    let (wx, wy, wz) = (q.w * q.x, q.w * q.y, q.w * q.z);
    DMat3::from_cols(
        DVec3::new(1.0 - s * (yy + zz), s * (xy + wz), s * (xz - wy)),
        DVec3::new(s * (xy - wz), 1.0 - s * (xx + zz), s * (yz + wx)),
        DVec3::new(s * (xz + wy), s * (yz - wx), 1.0 - s * (xx + yy)),
    )
}

/// Whether the rotation takes axes to axes: one, two or all four components equal in size, the others zero.
#[inline]
pub(crate) fn turns_by_quarters(q: DQuat) -> bool {
    let sizes = q.to_array().map(f64::abs);
    let size = sizes[0].max(sizes[1]).max(sizes[2]).max(sizes[3]);
    sizes.iter().all(|&c| c == 0.0 || c == size)
        && matches!(sizes.iter().filter(|&&c| c != 0.0).count(), 1 | 2 | 4)
}

/// The exact matrix of a rotation that takes axes to axes; `None` for all others.
pub(crate) fn quarter_turns(q: DQuat) -> Option<DMat3> {
    // With components 0 and ±1 and |q|² = 1, 2 or 4 the formulas round nothing.
    let signs = q.to_array().map(|c| if c == 0.0 { 0.0 } else { 1.0_f64.copysign(c) });
    turns_by_quarters(q).then(|| rotation_matrix(DQuat::from_array(signs)))
}
