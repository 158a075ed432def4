//! Affine placement of a node.

use super::document::Node;
use super::turn::{Turn, exact_linear, exact_rotation};
use crate::error::Problem;
use kontakt_math::{DMat3, DQuat, DVec3};

/// How far from 1 the length of a rotation may be; it is normalised then.
const ROTATION_SLACK: f64 = 1e-3;

/// x ↦ linear · x + shift.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement {
    linear: DMat3,
    shift: DVec3,
}

impl Placement {
    pub(super) const IDENTITY: Placement = Placement { linear: DMat3::IDENTITY, shift: DVec3::ZERO };

    /// Of a node in its parent, and what its rotation was taken as.
    pub(super) fn of(node: &Node) -> Result<(Placement, Turn), Problem> {
        match node.matrix {
            Some(matrix) => Placement::of_matrix(&matrix),
            None => Placement::of_parts(node),
        }
    }

    fn of_matrix(m: &[f64; 16]) -> Result<(Placement, Turn), Problem> {
        if [m[3], m[7], m[11], m[15]] != [0.0, 0.0, 0.0, 1.0] {
            return Err(Problem::malformed("the last row of the matrix is not 0 0 0 1"));
        }
        let column = |i: usize| DVec3::new(m[4 * i], m[4 * i + 1], m[4 * i + 2]);
        let (linear, turn) = exact_linear(DMat3::from_cols(column(0), column(1), column(2)));
        Ok((Placement { linear, shift: column(3) }, turn))
    }

    /// Of translation, rotation and scale.
    fn of_parts(node: &Node) -> Result<(Placement, Turn), Problem> {
        let rotation = DQuat::from_array(node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]));
        let length = rotation.length();
        let is_unit = (length - 1.0).abs() <= ROTATION_SLACK;
        if !is_unit {
            return Err(Problem::malformed(format!("the rotation has length {length}, not 1")));
        }
        // Exact for the common rotations by nothing and by half a turn, whose length is 1 exactly.
        let rotation = if length == 1.0 { rotation } else { rotation / length };
        let scale = DVec3::from(node.scale.unwrap_or([1.0; 3]));
        let (turned, turn) = exact_rotation(DMat3::from_quat(rotation));
        let linear =
            DMat3::from_cols(turned.x_axis * scale.x, turned.y_axis * scale.y, turned.z_axis * scale.z);
        Ok((Placement { linear, shift: node.translation.unwrap_or([0.0; 3]).into() }, turn))
    }

    /// This placement of what `inner` has placed. Matrices with one entry ±1 a column only move and negate numbers: their chains round
    /// nothing but sums of shifts.
    pub(super) fn of_inner(&self, inner: &Placement) -> Placement {
        Placement { linear: self.linear * inner.linear, shift: self.apply(inner.shift) }
    }

    pub(super) fn apply(&self, point: DVec3) -> DVec3 {
        self.linear * point + self.shift
    }

    /// Whether right-handed becomes left-handed. The columns are brought near 1 first, so that no size underflows.
    pub(super) fn mirrors(&self) -> bool {
        let unit = |column: DVec3| {
            let size = column.abs().max_element();
            if size > 0.0 { column / size } else { column }
        };
        let [x, y, z] = [self.linear.x_axis, self.linear.y_axis, self.linear.z_axis].map(unit);
        x.cross(y).dot(z) < 0.0
    }
}
