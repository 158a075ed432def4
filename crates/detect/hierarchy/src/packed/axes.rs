//! The principal axes of a symmetric matrix, single precision rows orthonormal to 2⁻²⁰.

use super::lane::STRAIGHT;
use kontakt_math::DVec3;

/// A symmetric 3 × 3 matrix: xx, yy, zz, xy, xz, yz.
pub(crate) type Symmetric = [f64; 6];

/// Unit eigenvectors as rows, the largest eigenvalue first, right-handed. Straight axes if the matrix is 0 or not finite.
///
/// Jacobi's rotations: they converge quadratically, eight rounds reach rounding for 3 × 3.
pub(crate) fn principal_axes(matrix: Symmetric) -> [[f32; 3]; 3] {
    let size = matrix.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    if !(size > 0.0 && size.is_finite()) {
        return STRAIGHT;
    }
    let [xx, yy, zz, xy, xz, yz] = matrix.map(|x| x / size);
    let mut a = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
    let mut v = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for _ in 0..8 {
        if a[0][1].abs() + a[0][2].abs() + a[1][2].abs() < 1e-9 {
            break;
        }
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            rotate(&mut a, &mut v, p, q);
        }
    }
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| a[j][j].total_cmp(&a[i][i]));
    let row = |i: usize| DVec3::new(v[0][order[i]], v[1][order[i]], v[2][order[i]]);
    let third = row(0).cross(row(1));
    frame(row(0), third).unwrap_or(STRAIGHT)
}

/// Right-handed axes with the first along `first` and the third as near to `third` as a right angle allows; none if the two
/// are parallel or not finite.
///
/// Orthonormal in double precision (to 2⁻⁴⁰, as the directions enclose at least 1e-3) before they are rounded, so each entry
/// is within 2⁻²⁵·(1 + 2⁻¹⁰) of an orthonormal matrix, and an entry of A·Aᵀ − I is at most 2·√3·2⁻²⁵·1.01 < 2⁻²³.
pub(crate) fn frame(first: DVec3, third: DVec3) -> Option<[[f32; 3]; 3]> {
    let first = first.normalize_or_zero();
    let third = third.normalize_or_zero();
    let third = third - first * first.dot(third);
    if !(third.length_squared() > 1e-6 && third.is_finite()) {
        return None;
    }
    let third = third.normalize();
    let second = third.cross(first);
    Some([first, second, third].map(|r| r.to_array().map(|x| x as f32)))
}

/// One rotation that makes a[p][q] = 0.
fn rotate(a: &mut [[f64; 3]; 3], v: &mut [[f64; 3]; 3], p: usize, q: usize) {
    if a[p][q] == 0.0 {
        return;
    }
    let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    let t = if theta.abs() < 1e150 {
        theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt())
    } else {
        0.5 / theta
    };
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    for row in a.iter_mut() {
        (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
    }
    let (above, below) = (a[p], a[q]);
    a[p] = std::array::from_fn(|k| c * above[k] - s * below[k]);
    a[q] = std::array::from_fn(|k| s * above[k] + c * below[k]);
    for row in v.iter_mut() {
        (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_orthonormal_and_sorted() {
        for matrix in [
            [1.0, 2.0, 3.0, 0.5, -0.25, 0.75],
            [1.0, 1.0, 1.0, 0.0, 0.0, 0.0],
            [0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            [1e-300, 1e-305, 1e-290, 1e-298, 0.0, 1e-299],
            [1.0, 1.0, 1.0, 1.0, 1.0, 1.0],
            [f64::NAN; 6],
        ] {
            let axes = principal_axes(matrix);
            for i in 0..3 {
                for j in 0..3 {
                    let dot: f64 = (0..3).map(|k| f64::from(axes[i][k]) * f64::from(axes[j][k])).sum();
                    let want = if i == j { 1.0 } else { 0.0 };
                    assert!((dot - want).abs() <= f64::powi(2.0, -21), "{matrix:?} {axes:?}");
                }
            }
        }
        let axes = principal_axes([1.0, 4.0, 2.0, 0.0, 0.0, 0.0]);
        assert_eq!(axes[0].map(f32::abs), [0.0, 1.0, 0.0]);
        assert_eq!(axes[1].map(f32::abs), [0.0, 0.0, 1.0]);
    }
}
