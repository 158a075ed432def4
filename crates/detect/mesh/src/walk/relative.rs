//! Where B's packed coordinates lie in A's.

use kontakt_math::round::length_up;
use kontakt_math::{DMat3, DVec3, Pose};

use crate::mesh::Placed;

/// 2⁻⁵³.
const U: f64 = f64::EPSILON / 2.0;
/// Bodies farther apart than this many times their sizes are *far*.
const FAR: f64 = 64.0;
/// Largest exponent of the ratio of sizes that single precision is asked to handle.
const MOST_RATIO: i32 = 50;

/// The map from B's packed coordinates to A's, y = `scale`·R·x + `shift`, as far as it is known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Relative {
    /// Rotation, rounded: every entry is within 2⁻⁴⁵ of the exact one.
    pub(crate) turn: DMat3,
    /// The same in single precision, `[row][column]`.
    pub(crate) turn_single: [[f32; 3]; 3],
    /// 2^(exponent of B − exponent of A), exact.
    pub(crate) scale: f64,
    /// Image of B's packed origin in A's packed coordinates.
    pub(crate) shift: DVec3,
    /// **Never too small**: how far `shift` may be from the exact image, in A's packed units.
    pub(crate) shift_error: f64,
}

/// How two bodies lie to each other at first sight.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sight {
    /// Near enough and of sizes alike enough for single precision.
    Near(Relative),
    /// Proven to be apart, by more than all their sizes.
    Far(Relative),
    /// Sizes beyond comparison or coordinates beyond doubles: no box is a help.
    Blind,
}

impl Sight {
    /// Compares two bodies at their poses.
    pub(crate) fn of(a: Placed, b: Placed) -> Sight {
        let (origin, error) = image(a.pose, b.pose, b.mesh.tree().origin());
        let ratio = b.mesh.tree().exponent() - a.mesh.tree().exponent();
        let offset = origin - a.mesh.tree().origin();
        let error = error + 2.0 * U * length_up(offset);
        let unit = -a.mesh.tree().exponent();
        let (shift, shift_error) = (scaled(offset, unit), 1.001 * scaled(DVec3::splat(error), unit).x);
        if ratio.abs() > MOST_RATIO || !shift.is_finite() || !shift_error.is_finite() {
            return Sight::Blind;
        }
        let turn = a.pose.matrix().transpose() * b.pose.matrix();
        let rows = turn.transpose();
        let turn_single = [rows.x_axis, rows.y_axis, rows.z_axis].map(|row| row.to_array().map(|x| x as f32));
        let scale = power(ratio);
        let relative = Relative { turn, turn_single, scale, shift, shift_error };
        let sizes = 1.0 + scale;
        if shift_error > sizes {
            Sight::Blind
        } else if length_up(shift) > FAR * sizes {
            Sight::Far(relative)
        } else {
            Sight::Near(relative)
        }
    }
}

/// x of B's frame in A's frame, and a bound of its error: Rₐ⁻¹(R_b·x + t_b − t_a).
///
/// `apply_error` bounds the first step. The difference rounds by u a component. The second rotation is that of a
/// conjugate quaternion without translation, to which the proof of `apply_error` applies as well: 40u of the length.
fn image(a: Pose, b: Pose, x: DVec3) -> (DVec3, f64) {
    let from_a = b.apply(x) - a.translation();
    let image = a.rotation().conjugate() * from_a;
    (image, 1.001 * (b.apply_error(x) + 42.0 * U * length_up(from_a)) + f64::MIN_POSITIVE)
}

/// 2^exponent, or 0 or infinity beyond the doubles.
fn power(exponent: i32) -> f64 {
    2.0_f64.powi(exponent)
}

/// x·2^exponent; in two steps, so that no step but the last can leave the doubles.
fn scaled(x: DVec3, exponent: i32) -> DVec3 {
    x * power(exponent / 2) * power(exponent - exponent / 2)
}
