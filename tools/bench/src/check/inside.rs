//! Does a volume contain every point, for the doubles exactly as stored?

use crate::check::twin::{Twin, squared_distance, squared_distance_error};
use testkit::rational::{Rational, abs, cross, dot, exact, sub, vector};

/// How many points are outside the ball, decided exactly.
pub(crate) fn outside_ball(points: &[[f64; 3]], centre: [f64; 3], radius: f64) -> usize {
    let twins = centre.map(Twin::from);
    let squared_radius = Twin::from(radius).squared();
    let margin = squared_distance_error(radius * 1.001, &twins);
    let is_outside = |p: &[f64; 3]| {
        let rough: f64 = (0..3).map(|i| (p[i] - centre[i]) * (p[i] - centre[i])).sum();
        if rough < squared_radius.high * (1.0 - 1e-12) {
            return false;
        }
        if rough > squared_radius.high * (1.0 + 1e-12) {
            return true;
        }
        let excess = squared_distance(*p, &twins).minus(squared_radius).high;
        if excess.abs() > margin {
            return excess > 0.0;
        }
        let offset = sub(&vector(*p), &vector(centre));
        dot(&offset, &offset) > exact(radius) * exact(radius)
    };
    points.iter().filter(|p| is_outside(p)).count()
}

/// How many points are outside {c + Σ sᵢ aᵢ : |sᵢ| ≤ hᵢ}, decided exactly: by Cramer's rule
/// |(p − c)·(aⱼ × aₖ)| ≤ hᵢ |a₀·(a₁ × a₂)| for (i, j, k) = (0, 1, 2) and its rotations.
pub(crate) fn outside_box(
    points: &[[f64; 3]],
    centre: [f64; 3],
    axes: [[f64; 3]; 3],
    half: [f64; 3],
) -> usize {
    let [a, b, c] = axes.map(vector);
    let normals = [cross(&b, &c), cross(&c, &a), cross(&a, &b)];
    let determinant = abs(&dot(&a, &normals[0]));
    let limits: [Rational; 3] = std::array::from_fn(|i| exact(half[i]) * &determinant);
    let exact_centre = vector(centre);
    let is_outside = |p: &[f64; 3]| {
        // Axes are orthonormal to a few ulps, so a coordinate along one of them decides unless it is within 1e-12 of
        // the limit, relative to the size of the numbers that were subtracted.
        let offset: [f64; 3] = std::array::from_fn(|i| p[i] - centre[i]);
        let length: f64 = offset.iter().map(|x| x.abs()).sum();
        let inside = (0..3).all(|i| {
            let along: f64 = (0..3).map(|k| offset[k] * axes[i][k]).sum();
            along.abs() + 1e-12 * length < half[i]
        });
        if inside {
            return false;
        }
        let offset = sub(&vector(*p), &exact_centre);
        normals.iter().zip(&limits).any(|(normal, limit)| abs(&dot(&offset, normal)) > *limit)
    };
    points.iter().filter(|p| is_outside(p)).count()
}

#[cfg(test)]
mod tests {
    use super::{outside_ball, outside_box};

    #[test]
    fn a_ball_that_is_one_ulp_too_small_is_found_out() {
        let points = [[3.0, 4.0, 0.0], [0.0, 0.0, 5.0], [1.0, 1.0, 1.0]];
        assert_eq!(outside_ball(&points, [0.0; 3], 5.0), 0);
        assert_eq!(outside_ball(&points, [0.0; 3], 5.0_f64.next_down()), 2);
        assert_eq!(outside_ball(&points, [0.0; 3], 1.0), 3);
    }

    #[test]
    fn a_box_that_is_one_ulp_too_small_is_found_out() {
        let points = [[1.0, 2.0, 3.0], [-1.0, 0.0, 0.5]];
        let axes = [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]];
        assert_eq!(outside_box(&points, [0.0; 3], axes, [2.0, 3.0, 1.0]), 0);
        assert_eq!(outside_box(&points, [0.0; 3], axes, [2.0, 3.0, 1.0_f64.next_down()]), 2);
        assert_eq!(outside_box(&points, [0.0; 3], axes, [2.0_f64.next_down(), 3.0, 1.0]), 1);
    }
}
