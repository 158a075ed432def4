//! The extreme point of {x : minᵢ ≤ nᵢ·x ≤ maxᵢ} along a direction, by a dual simplex walk over three slabs at a time.
//!
//! Weak duality certifies whatever the walk ends with: if d = Σ μᵢnᵢ + r, then for every x of the set
//! d·x ≤ Σ μᵢ·(maxᵢ or minᵢ by the sign of μᵢ) + |r|₁·|x|∞. The walk only decides how tight the bound is.

use crate::bound::Parameter;
use crate::volume::DirectionSet;
use kontakt_math::round::{add_up, mul_up};
use kontakt_math::{DMat3, DVec3, U};

/// More steps than a walk over the standard sets ever takes; a safeguard against cycling.
const MOST_STEPS: usize = 64;

/// Slabs along a direction set that bounds space.
#[derive(Clone, Copy)]
pub(crate) struct Slabs<'a> {
    pub(crate) set: &'a DirectionSet,
    pub(crate) min: &'a [f64],
    pub(crate) max: &'a [f64],
}

/// One side of a slab.
#[derive(Clone, Copy)]
struct Side {
    index: usize,
    upper: bool,
}

impl Side {
    fn sign(self) -> f64 {
        if self.upper { 1.0 } else { -1.0 }
    }
}

/// Where a walk stands: three sides, the multipliers that combine their directions to the one asked for, the vertex.
struct Vertex {
    sides: [Side; 3],
    multipliers: DVec3,
    point: DVec3,
}

impl Slabs<'_> {
    /// Directions and the two ends along each.
    pub(crate) fn parameters(&self) -> Vec<(&'static str, Parameter)> {
        vec![
            ("directions", Parameter::Vectors(self.set.directions().to_vec())),
            ("min", Parameter::Numbers(self.min.to_vec())),
            ("max", Parameter::Numbers(self.max.to_vec())),
        ]
    }

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
        for (i, mu) in vertex.sides.map(|s| s.index).into_iter().zip(vertex.multipliers.to_array()) {
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

    /// Dual simplex: the multipliers always combine to the direction with signs that fit the sides; the side violated
    /// most by the present vertex enters (after some steps the first one, which cannot cycle), and the one whose
    /// multiplier reaches zero first leaves.
    fn walk(&self, direction: DVec3) -> Option<Vertex> {
        let directions = self.set.directions();
        let indices = self.set.basis()?;
        let start = solve(indices.map(|i| directions[i]), direction);
        let sides = std::array::from_fn(|j| Side { index: indices[j], upper: start[j] >= 0.0 });
        let mut vertex = self.vertex(sides, direction)?;
        for step in 0..MOST_STEPS {
            let Some(entering) = self.violated(vertex.point, step > MOST_STEPS / 2) else { break };
            let columns = vertex.sides.map(|s| directions[s.index]);
            let alpha = solve(columns, directions[entering.index] * entering.sign());
            let ratio = |j: usize| {
                let sign = vertex.sides[j].sign();
                let along = alpha[j] * sign;
                if along > 1e-12 { (vertex.multipliers[j] * sign).max(0.0) / along } else { f64::INFINITY }
            };
            let leaving = (0..3).min_by(|&i, &j| ratio(i).total_cmp(&ratio(j)))?;
            if ratio(leaving) == f64::INFINITY {
                break;
            }
            let mut sides = vertex.sides;
            sides[leaving] = entering;
            match self.vertex(sides, direction) {
                Some(next) => vertex = next,
                None => break,
            }
        }
        Some(vertex)
    }

    /// The common point of three sides.
    fn vertex(&self, sides: [Side; 3], direction: DVec3) -> Option<Vertex> {
        let columns = sides.map(|s| self.set.directions()[s.index]);
        let multipliers = solve(columns, direction);
        let ends = sides.map(|s| if s.upper { self.max[s.index] } else { self.min[s.index] });
        let rows = DMat3::from_cols(columns[0], columns[1], columns[2]).transpose();
        let point = rows.inverse() * DVec3::from_array(ends);
        (multipliers.is_finite() && point.is_finite()).then_some(Vertex { sides, multipliers, point })
    }

    /// The side farthest exceeded by the point, or the first one.
    fn violated(&self, point: DVec3, first: bool) -> Option<Side> {
        let mut worst = None;
        let mut largest = 0.0;
        for (index, n) in self.set.directions().iter().enumerate() {
            let along = n.dot(point);
            let tolerance = 32.0 * U * n.abs().dot(point.abs());
            for (excess, upper) in [(along - self.max[index], true), (self.min[index] - along, false)] {
                if excess - tolerance > largest {
                    (largest, worst) = (excess - tolerance, Some(Side { index, upper }));
                    if first {
                        return worst;
                    }
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
