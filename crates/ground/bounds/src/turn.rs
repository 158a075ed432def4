//! A rotation matrix with a proven bound of its error, for carrying volumes from frame to frame.

use kontakt_math::{DMat3, DVec3, Pose, U};

/// The matrix of a pose's rotation and how far each entry may be from the exact R(q/|q|).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn {
    pub(crate) matrix: DMat3,
    /// Bound of the error of every entry.
    pub(crate) error: f64,
    pub(crate) translation: DVec3,
}

impl Turn {
    /// Proof of the bound (u = 2⁻⁵³): `Pose` stores q normalised, so |q|² = 1 + ε with |ε| ≤ 12u (squared sum 4u,
    /// root 3u, reciprocal 4u, product 5u relative a component). The exact entries are 1 − 2(y²+z²)/|q|² and
    /// 2(xy ± wz)/|q|²; leaving out 1/|q|² costs at most 2|ε| ≤ 24u on the diagonal and |ε| beside it; the
    /// products and sums add at most 6u. 32u covers both. With a single non-zero component of q the rotation is
    /// a half turn or none, the squares of which are known: then the matrix is set exactly.
    pub(crate) fn of(pose: &Pose) -> Turn {
        let q = pose.rotation();
        let translation = pose.translation();
        let exact =
            |diagonal: DVec3| Turn { matrix: DMat3::from_diagonal(diagonal), error: 0.0, translation };
        match [q.x != 0.0, q.y != 0.0, q.z != 0.0, q.w != 0.0] {
            [false, false, false, _] => exact(DVec3::ONE),
            [true, false, false, false] => exact(DVec3::new(1.0, -1.0, -1.0)),
            [false, true, false, false] => exact(DVec3::new(-1.0, 1.0, -1.0)),
            [false, false, true, false] => exact(DVec3::new(-1.0, -1.0, 1.0)),
            _ => Turn { matrix: pose.matrix(), error: 32.0 * U, translation },
        }
    }

    /// Image of a point and a bound of the error of each of its components.
    ///
    /// Proof: three products and three additions a component err by at most 4u of the sum of absolute values s
    /// (plus underflow, covered by the last term); the matrix itself adds `error`·|p|₁. The factors 6u and
    /// (1 + 16u) leave room for the rounding of this bound.
    pub(crate) fn image(&self, point: DVec3) -> (DVec3, DVec3) {
        let image = self.matrix * point + self.translation;
        let abs_matrix = self.abs_matrix();
        let s = abs_matrix * point.abs() + self.translation.abs();
        let from_matrix = self.error * (point.abs().element_sum() * (1.0 + 16.0 * U));
        let exact_shift = self.error == 0.0 && self.translation == DVec3::ZERO;
        if exact_shift {
            return (image, DVec3::ZERO);
        }
        (image, s * (6.0 * U) + DVec3::splat(from_matrix + f64::from_bits(64)))
    }

    /// The direction turned back, d ↦ Rᵀd, and a bound of the error of each component.
    pub(crate) fn back(&self, direction: DVec3) -> (DVec3, f64) {
        let back = self.matrix.transpose() * direction;
        if self.error == 0.0 {
            return (back, 0.0);
        }
        // Entries are at most 1 + error, so the three-term sums err by 4u·|d|₁ at most.
        (back, (self.error + 5.0 * U) * direction.abs().element_sum() + f64::from_bits(64))
    }

    /// Absolute values of the entries.
    pub(crate) fn abs_matrix(&self) -> DMat3 {
        DMat3::from_cols(self.matrix.x_axis.abs(), self.matrix.y_axis.abs(), self.matrix.z_axis.abs())
    }
}
