//! From axes to a box that holds every point in exact arithmetic.

use crate::volume::Obb;
use kontakt_math::round::{dot_error, length_up};
use kontakt_math::{DMat3, DVec3};

/// u = 2⁻⁵³.
const UNIT: f64 = f64::EPSILON / 2.0;

/// The box with these axes (orthonormal to rounding) around the points: each point lies in the exact set
/// {c + Σ sᵢaᵢ : |sᵢ| ≤ hᵢ}, and |aᵢ·(p − c)| ≤ hᵢ also when evaluated in doubles.
///
/// Proof. Let x = p − c exactly, A the matrix of axes, s = A⁻¹x. From Aᵀx = (AᵀA)s follows
/// |s − Aᵀx| ≤ ε|s| with ε ≥ the Frobenius norm of `AᵀA − 1`, and |s| ≤ |x|/√(1−ε) ≤ (1+ε)|x|. The
/// computed aᵢ·x differs from the exact one by the rounding of p − c (at most u·Σ|aᵢⱼxⱼ|) and of the dot product (`dot_error` = 4u·Σ|aᵢⱼxⱼ|). So twice
/// `dot_error` plus 1.1ε|x| on top of the largest computed |aᵢ·x| bounds all |sᵢ|, and the computed value as well.
pub(super) fn enclose(points: &[DVec3], axes: DMat3) -> Obb {
    let Some(&first) = points.first() else {
        return Obb { centre: DVec3::ZERO, axes, half_extents: DVec3::ZERO };
    };
    let columns = [axes.x_axis, axes.y_axis, axes.z_axis];
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for &p in points {
        // Halved against overflow; all that matters here is a good centre.
        let x = p * 0.5 - first * 0.5;
        let along = DVec3::from_array(columns.map(|a| a.dot(x)));
        low = low.min(along);
        high = high.max(along);
    }
    let centre = first + axes * (low + high);
    let skew = skewness(columns);
    let mut half_extents = DVec3::ZERO;
    let mut farthest = 0.0_f64;
    for &p in points {
        let x = p - centre;
        farthest = farthest.max(length_up(x));
        let reach =
            columns.map(|a| if x == DVec3::ZERO { 0.0 } else { a.dot(x).abs() + 2.0 * dot_error(a, x) });
        half_extents = half_extents.max(DVec3::from_array(reach));
    }
    half_extents += DVec3::splat(1.1 * skew * farthest);
    let half_extents = half_extents.to_array().map(|h| if h > 0.0 { h.next_up() } else { 0.0 });
    Obb { centre, axes, half_extents: DVec3::from_array(half_extents) }
}

/// Never less than the Frobenius norm of `AᵀA − 1`; exactly zero for signed permutations of the coordinate axes.
fn skewness(columns: [DVec3; 3]) -> f64 {
    let is_coordinate = |a: DVec3| a.abs().element_sum() == 1.0 && a.abs().max_element() == 1.0;
    if columns.into_iter().all(is_coordinate) {
        return 0.0;
    }
    let mut square = 0.0;
    for (i, a) in columns.into_iter().enumerate() {
        for (j, b) in columns.into_iter().enumerate() {
            let entry = a.dot(b) - if i == j { 1.0 } else { 0.0 };
            // 5u covers the rounding of the dot product of two unit vectors.
            square += (entry.abs() + 5.0 * UNIT) * (entry.abs() + 5.0 * UNIT);
        }
    }
    square.sqrt() * (1.0 + 16.0 * UNIT)
}
