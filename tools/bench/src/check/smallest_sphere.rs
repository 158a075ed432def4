//! The exact smallest enclosing sphere, slowly and surely, to judge everybody's radius by.
//!
//! Start from any few points; take the exact smallest sphere of those; add the point farthest outside; drop what does
//! not support the sphere; repeat. The sphere grows strictly, so no set of supports comes twice, and a sphere that is
//! smallest for some of the points and encloses all of them is smallest for all.

use crate::check::twin::{Twin, nearest, squared_distance, squared_distance_error};
use num_traits::Zero;
use testkit::rational::{Rational, Vector, add, dot, exact, integer, scale, sub, vector};

/// Centre and squared radius, exact.
#[derive(Clone, Debug)]
pub(crate) struct ExactSphere {
    /// Centre.
    pub(crate) centre: Vector,
    /// Squared radius.
    pub(crate) squared_radius: Rational,
}

impl ExactSphere {
    /// `radius / exact radius − 1`, itself good to sixteen digits: with q = r²/R² it is √q − 1 ≈ (q − 1)/2 for the
    /// small differences of interest.
    pub(crate) fn relative_excess(&self, radius: f64) -> f64 {
        if self.squared_radius.is_zero() {
            return radius;
        }
        let radius = exact(radius);
        let q_minus_1 = nearest(&((&radius * &radius - &self.squared_radius) / &self.squared_radius));
        q_minus_1 / (1.0 + (1.0 + q_minus_1).max(0.0).sqrt())
    }
}

/// The smallest sphere of all points. Points closer to its surface than the filter's error (1e-29) count as inside.
pub(crate) fn smallest_sphere(points: &[[f64; 3]]) -> Option<ExactSphere> {
    let mut support = vec![*points.first()?];
    let mut sphere = ExactSphere { centre: vector(support[0]), squared_radius: integer(0) };
    loop {
        let Some(outside) = farthest_outside(points, &sphere) else {
            return Some(sphere);
        };
        support.push(outside);
        (sphere, support) = smallest_of_few(&support)?;
    }
}

fn farthest_outside(points: &[[f64; 3]], sphere: &ExactSphere) -> Option<[f64; 3]> {
    let centre: [Twin; 3] = std::array::from_fn(|i| Twin::near(&sphere.centre[i]));
    let squared_radius = Twin::near(&sphere.squared_radius);
    let rounded = centre.map(|c| c.high);
    let mut farthest = None;
    let mut reach = squared_radius;
    for &p in points {
        let rough: f64 = (0..3).map(|i| (p[i] - rounded[i]) * (p[i] - rounded[i])).sum();
        if rough < reach.high * (1.0 - 1e-12) {
            continue;
        }
        let distance = squared_distance(p, &centre);
        if distance.minus(reach).high > 0.0 {
            reach = distance;
            farthest = Some(p);
        }
    }
    let margin = squared_distance_error(reach.high.sqrt(), &centre);
    farthest.filter(|_| reach.minus(squared_radius).high > margin)
}

/// The smallest sphere of at most five points and those on which it rests: of all spheres around the centres of
/// subsets that contain the rest, the smallest.
fn smallest_of_few(points: &[[f64; 3]]) -> Option<(ExactSphere, Vec<[f64; 3]>)> {
    let mut best: Option<(ExactSphere, Vec<[f64; 3]>)> = None;
    for subset in 1..1_u32 << points.len() {
        let chosen: Vec<[f64; 3]> =
            (0..points.len()).filter(|i| subset >> i & 1 == 1).map(|i| points[i]).collect();
        if chosen.len() > 4 {
            continue;
        }
        let Some(sphere) = circumsphere(&chosen) else { continue };
        let smaller = best.as_ref().is_none_or(|(best, _)| sphere.squared_radius < best.squared_radius);
        if smaller && points.iter().all(|p| contains(&sphere, *p)) {
            best = Some((sphere, chosen));
        }
    }
    best
}

fn contains(sphere: &ExactSphere, p: [f64; 3]) -> bool {
    let offset = sub(&vector(p), &sphere.centre);
    dot(&offset, &offset) <= sphere.squared_radius
}

/// The sphere through all points with its centre in their affine hull: with eᵢ = pᵢ − p₀ and centre p₀ + Σ λⱼ eⱼ,
/// 2 Σ (eᵢ·eⱼ) λⱼ = eᵢ·eᵢ. None if the points are affinely dependent.
fn circumsphere(points: &[[f64; 3]]) -> Option<ExactSphere> {
    let origin = vector(points[0]);
    let edges: Vec<Vector> = points[1..].iter().map(|p| sub(&vector(*p), &origin)).collect();
    let system = edges
        .iter()
        .map(|e| {
            let twice = edges.iter().map(|f| integer(2) * dot(e, f));
            twice.chain([dot(e, e)]).collect()
        })
        .collect();
    let offset = solve(system)?
        .iter()
        .zip(&edges)
        .fold([integer(0), integer(0), integer(0)], |sum, (lambda, e)| add(&sum, &scale(lambda, e)));
    Some(ExactSphere { squared_radius: dot(&offset, &offset), centre: add(&origin, &offset) })
}

/// Gauss elimination on rows `[coefficients…, right side]`.
fn solve(mut rows: Vec<Vec<Rational>>) -> Option<Vec<Rational>> {
    let n = rows.len();
    for column in 0..n {
        let pivot = (column..n).find(|&row| !rows[row][column].is_zero())?;
        rows.swap(column, pivot);
        let lead = rows[column].clone();
        for (index, row) in rows.iter_mut().enumerate() {
            if index != column {
                let factor = &row[column] / &lead[column];
                for (cell, above) in row.iter_mut().zip(&lead).skip(column) {
                    *cell -= &factor * above;
                }
            }
        }
    }
    Some((0..n).map(|i| &rows[i][n] / &rows[i][i]).collect())
}

#[cfg(test)]
mod tests {
    use super::{nearest, smallest_sphere};
    use testkit::generate::Generator;
    use testkit::rational::{dot, sub, vector};

    #[test]
    fn known_spheres() {
        let tetrahedron =
            [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0], [0.1, 0.2, 0.3]];
        let sphere = smallest_sphere(&tetrahedron).unwrap();
        assert_eq!(nearest(&sphere.squared_radius), 3.0);
        assert!(sphere.relative_excess(3.0_f64.sqrt()).abs() < 2e-16);
        assert!((sphere.relative_excess(3.0_f64.sqrt() * 1.25) - 0.25).abs() < 1e-15);
        let flat = smallest_sphere(&[[0.0; 3], [4.0, 0.0, 0.0], [2.0, 1.0, 0.0], [0.0; 3]]).unwrap();
        assert_eq!(nearest(&flat.squared_radius), 4.0);
        assert!(smallest_sphere(&[]).is_none());
    }

    #[test]
    fn every_point_is_inside_and_some_are_on_the_sphere() {
        for seed in 0..20 {
            let mut random = if seed % 2 == 0 { Generator::grid(seed) } else { Generator::free(seed) };
            let points = random.points(60);
            let sphere = smallest_sphere(&points).unwrap();
            let offsets = points.iter().map(|p| sub(&vector(*p), &sphere.centre));
            let touching = offsets.map(|o| dot(&o, &o)).inspect(|d| assert!(*d <= sphere.squared_radius));
            assert!(touching.filter(|d| *d == sphere.squared_radius).count() >= 2);
        }
    }
}
