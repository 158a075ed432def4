//! A quick oriented box around points: the best of the coordinate axes and the points' principal axes.

use super::{Obb, SquareObb};
use crate::bound::{Bound, FitError, check_points};
use kontakt_math::{DMat3, DVec3};

/// Encloses every point; the smaller of two candidates by volume, then by surface (for flat sets).
pub(super) fn quick_fit(points: &[DVec3]) -> Result<Obb, FitError> {
    check_points(points)?;
    let upright = Obb::enclosing(DMat3::IDENTITY, points)?;
    let tilted = Obb::enclosing(principal_axes(points), points)?;
    let size = |b: &Obb| (b.measure().volume, b.measure().surface);
    Ok(if size(&tilted) < size(&upright) { tilted } else { upright })
}

/// Eigenvectors of the covariance of the points, orthonormal to rounding.
fn principal_axes(points: &[DVec3]) -> DMat3 {
    let (low, high) = points.iter().fold((points[0], points[0]), |(l, h), p| (l.min(*p), h.max(*p)));
    let middle = low * 0.5 + high * 0.5;
    let scale = (high * 0.5 - low * 0.5).max_element();
    if scale <= 0.0 || !scale.is_finite() {
        return DMat3::IDENTITY;
    }
    let count = points.len() as f64;
    let scaled = |p: &DVec3| (*p - middle) / scale;
    let mean = points.iter().map(scaled).sum::<DVec3>() / count;
    let mut covariance = [[0.0; 3]; 3];
    for p in points {
        let d = scaled(p) - mean;
        for i in 0..3 {
            for j in 0..3 {
                covariance[i][j] += d[i] * d[j] / count;
            }
        }
    }
    let axes = jacobi_vectors(covariance);
    // Left to itself Jacobi is orthonormal to a few units; the check makes it certain.
    let unit = Obb { centre: DVec3::ZERO, axes, half_extents: DVec3::ZERO };
    SquareObb::of(&unit).into_obb().axes
}

/// Eigenvectors (columns) of a symmetric matrix by cyclic Jacobi rotations, right-handed.
fn jacobi_vectors(mut m: [[f64; 3]; 3]) -> DMat3 {
    let mut v = [DVec3::X, DVec3::Y, DVec3::Z];
    for _ in 0..24 {
        for (p, q) in [(0, 1), (1, 2), (0, 2)] {
            if m[p][q] == 0.0 {
                continue;
            }
            let theta = (m[q][q] - m[p][p]) / (2.0 * m[p][q]);
            let tangent = theta.signum() / (theta.abs() + theta.mul_add(theta, 1.0).sqrt());
            let cosine = 1.0 / tangent.mul_add(tangent, 1.0).sqrt();
            let sine = tangent * cosine;
            for row in &mut m {
                (row[p], row[q]) = (cosine * row[p] - sine * row[q], sine * row[p] + cosine * row[q]);
            }
            let (row_p, row_q) = (m[p], m[q]);
            m[p] = std::array::from_fn(|k| cosine * row_p[k] - sine * row_q[k]);
            m[q] = std::array::from_fn(|k| sine * row_p[k] + cosine * row_q[k]);
            (v[p], v[q]) = (v[p] * cosine - v[q] * sine, v[p] * sine + v[q] * cosine);
        }
    }
    let (a, b) = (v[0].normalize(), v[1].normalize());
    DMat3::from_cols(a, b, a.cross(b))
}
