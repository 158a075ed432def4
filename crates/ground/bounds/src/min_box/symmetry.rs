//! The 24 rotations of a cube: the same box, its axes named otherwise.

use kontakt_math::{DMat3, DVec3};

/// The Rodrigues vector of the box's orientation with the least angle: in the fundamental domain, to rounding.
pub(super) fn least_turn(axes: DMat3) -> DVec3 {
    let columns = [axes.x_axis, axes.y_axis, axes.z_axis];
    let mut best = (f64::NEG_INFINITY, DMat3::IDENTITY);
    for (i, j) in [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)] {
        for signs in [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]] {
            let (a, b) = (columns[i] * signs[0], columns[j] * signs[1]);
            let named = DMat3::from_cols(a, b, a.cross(b));
            let trace = named.x_axis.x + named.y_axis.y + named.z_axis.z;
            if trace > best.0 {
                best = (trace, named);
            }
        }
    }
    let (trace, m) = best;
    DVec3::new(m.y_axis.z - m.z_axis.y, m.z_axis.x - m.x_axis.z, m.x_axis.y - m.y_axis.x) / (1.0 + trace)
}
