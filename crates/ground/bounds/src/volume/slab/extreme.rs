//! The extreme point of {x : minᵢ ≤ nᵢ·x ≤ maxᵢ} along a direction, by a dual simplex walk over three slabs at a time.
//!
//! Weak duality certifies whatever the walk ends with: if d = Σ μᵢnᵢ + r, then for every x of the set
//! d·x ≤ Σ μᵢ·(maxᵢ or minᵢ by the sign of μᵢ) + |r|₁·|x|∞. The walk only decides how tight the bound is.

use crate::volume::DirectionSet;
use kontakt_math::round::{add_up, mul_up};
use kontakt_math::{DMat3, DVec3};

const U: f64 = f64::EPSILON / 2.0;
/// More steps than a walk over the standard sets ever takes; a safeguard against cycling.
const MOST_STEPS: usize = 64;

/// Slabs along a direction set that bounds space.
#[derive(Clone, Copy)]
pub(crate) struct Slabs<'a> {
    pub(crate) set: &'a DirectionSet,
    pub(crate) min: &'a [f64],
    pub(crate) max: &'a [f64],
}

/// Where a walk ended: three slabs, the multipliers that combine their directions to the one asked for, the vertex.
struct Vertex {
    indices: [usize; 3],
    multipliers: DVec3,
    point: DVec3,
}

impl Slabs<'_> {
    /// **Never less** than the maximum of direction · x; infinite where the slabs do not bound it.
    pub(crate) fn reach(&self, direction: DVec3) -> f64 {
        let directions = self.set.directions();
        if let Some(i) = directions.iter().position(|n| *n == direction) {
            return self.max[i];
        }
        if let Some(i) = directions.iter().position(|n| *n == -direction) {
            return -self.min[i];
        }
        if direction == DVec3::ZERO {
            return 0.0;
        }
        let Some(vertex) = self.walk(direction) else { return f64::INFINITY };
        let mut sum = 0.0;
        let mut rest = direction;
        let mut magnitude = direction.abs();
        for (&i, mu) in vertex.indices.iter().zip(vertex.multipliers.to_array()) {
            let end = if mu > 0.0 { self.max[i] } else { self.min[i] };
            if mu != 0.0 {
                sum = add_up(sum, mul_up(mu, end));
            }
            rest -= directions[i] * mu;
            magnitude += directions[i].abs() * mu.abs();
        }
        // The computed rest errs by less than 6u of the magnitudes it is summed from.
        let residual = (rest.abs() + magnitude * (8.0 * U)).element_sum() + f64::from_bits(64);
        let slack = mul_up(residual, self.set.farthest_coordinate(self.min, self.max));
        let reach = add_up(sum, slack);
        if reach.is_nan() { f64::INFINITY } else { reach }
    }

    /// A point of the set, to rounding, farthest along the direction; the origin for an unbounded set.
    pub(crate) fn farthest(&self, direction: DVec3) -> DVec3 {
        let direction = if direction == DVec3::ZERO { DVec3::X } else { direction };
        self.walk(direction).map_or(DVec3::ZERO, |v| v.point)
    }

    /// Dual simplex: the multipliers always combine to the direction with signs that make a bound; the slab violated
    /// most by the present vertex enters, and the one whose multiplier reaches zero first leaves.
    fn walk(&self, direction: DVec3) -> Option<Vertex> {
        let mut vertex = self.vertex(self.set.basis()?, direction)?;
        let directions = self.set.directions();
        for _ in 0..MOST_STEPS {
            let Some((entering, upper)) = self.worst_violation(vertex.point) else { break };
            let signed = if upper { directions[entering] } else { -directions[entering] };
            let columns = vertex.indices.map(|i| directions[i]);
            let alpha = solve(columns, signed);
            // Multipliers and coefficients relative to the signed directions of the basis.
            let ratio = |j: usize| {
                let sign = if vertex.multipliers[j] < 0.0 { -1.0 } else { 1.0 };
                let along = alpha[j] * sign;
                if along > 1e-12 { vertex.multipliers[j].abs() / along } else { f64::INFINITY }
            };
            let leaving = (0..3).min_by(|&i, &j| ratio(i).total_cmp(&ratio(j)))?;
            if ratio(leaving) == f64::INFINITY {
                break;
            }
            let mut indices = vertex.indices;
            indices[leaving] = entering;
            match self.vertex_with_sign(indices, direction, leaving, upper) {
                Some(next) => vertex = next,
                None => break,
            }
        }
        Some(vertex)
    }

    fn vertex(&self, indices: [usize; 3], direction: DVec3) -> Option<Vertex> {
        self.vertex_with_sign(indices, direction, 3, true)
    }

    /// The vertex of three slabs. A multiplier of zero leaves the side open: `upper` decides for slot `fresh`.
    fn vertex_with_sign(
        &self,
        indices: [usize; 3],
        direction: DVec3,
        fresh: usize,
        upper: bool,
    ) -> Option<Vertex> {
        let directions = self.set.directions();
        let columns = indices.map(|i| directions[i]);
        let multipliers = solve(columns, direction);
        let ends: [f64; 3] = std::array::from_fn(|j| {
            let high = if j == fresh && multipliers[j].abs() < 1e-12 { upper } else { multipliers[j] >= 0.0 };
            if high { self.max[indices[j]] } else { self.min[indices[j]] }
        });
        let rows = DMat3::from_cols(columns[0], columns[1], columns[2]).transpose();
        let point = rows.inverse() * DVec3::from_array(ends);
        (multipliers.is_finite() && point.is_finite()).then_some(Vertex { indices, multipliers, point })
    }

    /// The slab farthest exceeded by the point and whether at its upper end.
    fn worst_violation(&self, point: DVec3) -> Option<(usize, bool)> {
        let mut worst = None;
        let mut largest = 0.0;
        for (i, n) in self.set.directions().iter().enumerate() {
            let along = n.dot(point);
            let tolerance = 32.0 * U * n.abs().dot(point.abs());
            for (excess, upper) in [(along - self.max[i], true), (self.min[i] - along, false)] {
                let excess = (excess - tolerance) / n.length();
                if excess > largest {
                    (largest, worst) = (excess, Some((i, upper)));
                }
            }
        }
        worst
    }
}

/// Coefficients of `vector` in three independent columns.
fn solve(columns: [DVec3; 3], vector: DVec3) -> DVec3 {
    let [a, b, c] = columns;
    let determinant = a.dot(b.cross(c));
    DVec3::new(vector.dot(b.cross(c)), vector.dot(c.cross(a)), vector.dot(a.cross(b))) / determinant
}
