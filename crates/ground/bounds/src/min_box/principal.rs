//! Principal directions: covariance of points and of a surface, and its axes.

use crate::hull::Hull;
use kontakt_math::{DMat3, DVec3};

/// v·vᵀ
fn square(v: DVec3) -> DMat3 {
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}

/// Covariance of points.
pub(super) fn point_covariance(points: impl Iterator<Item = DVec3> + Clone) -> DMat3 {
    let count = points.clone().count().max(1) as f64;
    let mean = points.clone().sum::<DVec3>() / count;
    points.map(|p| square(p - mean)).fold(DMat3::ZERO, |sum, m| sum + m) * (1.0 / count)
}

/// Covariance of the points of the hull's surface, uniformly weighted by area. `vertices` are the hull's.
///
/// A triangle of area A with centroid m and corners p, q, r has ∫xxᵀ = A/12·(9mmᵀ + ppᵀ + qqᵀ + rrᵀ).
pub(super) fn surface_covariance(hull: &Hull, vertices: &[DVec3]) -> DMat3 {
    let (mut area, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
    for corners in hull.triangles() {
        let [p, q, r] = corners.map(|v| vertices[v as usize]);
        let a = 0.5 * (q - p).cross(r - p).length();
        let mean = (p + q + r) / 3.0;
        area += a;
        first += mean * a;
        second += (square(mean) * 9.0 + square(p) + square(q) + square(r)) * (a / 12.0);
    }
    if area > 0.0 {
        second * (1.0 / area) - square(first / area)
    } else {
        point_covariance(vertices.iter().copied())
    }
}

/// Eigenvectors of a symmetric matrix as columns, by Jacobi's rotations: right-handed, eigenvalues ascending.
pub(super) fn principal_axes(matrix: DMat3) -> DMat3 {
    let (mut m, mut axes) = (matrix, DMat3::IDENTITY);
    for _ in 0..32 {
        let off = [(0, 1), (0, 2), (1, 2)].map(|(i, j)| (m.col(j)[i].abs(), i, j));
        let (size, i, j) = off.into_iter().fold(off[0], |a, b| if b.0 > a.0 { b } else { a });
        if size <= 1e-300 || size <= 1e-18 * (m.x_axis.x.abs() + m.y_axis.y.abs() + m.z_axis.z.abs()) {
            break;
        }
        let theta = 0.5 * (2.0 * m.col(j)[i]).atan2(m.col(j)[j] - m.col(i)[i]);
        let mut turn = DMat3::IDENTITY;
        let (s, c) = theta.sin_cos();
        turn.col_mut(i)[i] = c;
        turn.col_mut(j)[j] = c;
        turn.col_mut(j)[i] = s;
        turn.col_mut(i)[j] = -s;
        m = turn.transpose() * m * turn;
        axes *= turn;
    }
    let mut order = [(m.x_axis.x, 0), (m.y_axis.y, 1), (m.z_axis.z, 2)];
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    orthonormal(axes.col(order[0].1), axes.col(order[1].1))
}

/// A right-handed orthonormal frame with its first axis along `first` and its second towards `second`; coordinate
/// axes stand in for what is too short to tell.
pub(super) fn orthonormal(first: DVec3, second: DVec3) -> DMat3 {
    let a = first.try_normalize().unwrap_or(DVec3::X);
    let lateral = second - a * a.dot(second);
    let b = if lateral.length_squared() > 1e-24 * second.length_squared() {
        // Twice: the first difference may have cancelled.
        let b = lateral.normalize_or_zero();
        (b - a * a.dot(b)).normalize_or_zero()
    } else {
        DVec3::ZERO
    };
    let b = if b == DVec3::ZERO { a.any_orthonormal_vector() } else { b };
    DMat3::from_cols(a, b, a.cross(b))
}
