//! k-DOP in the plane: the common part of k/2 strips along fixed directions of small integers.

use crate::{FlatBound, FlatHull, FlatMeasure, FlatPose, FlatSupport, check_flat_points, lifted, polygon};
use kontakt_bounds::FitError;
use kontakt_math::round::{add_down, add_up, dot_down, dot_up, length_up, mul_up};
use kontakt_math::{DVec2, U};

/// The set {x : minᵢ ≤ nᵢ·x ≤ maxᵢ} for `PAIRS` = k/2 directions; k = 4, 6, 8, 12 or 16.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlatKDop<const PAIRS: usize> {
    /// Lower ends, in the order of the directions.
    pub min: [f64; PAIRS],
    /// Upper ends, in the order of the directions.
    pub max: [f64; PAIRS],
}

const fn v(x: i8, y: i8) -> DVec2 {
    DVec2::new(x as f64, y as f64)
}

impl<const PAIRS: usize> FlatKDop<PAIRS> {
    const KNOWN: () = assert!(matches!(PAIRS, 2 | 3 | 4 | 6 | 8), "k must be 4, 6, 8, 12 or 16");

    /// The directions: (1, 0) first, then by angle, about evenly spread over the half circle.
    pub fn directions() -> &'static [DVec2] {
        const { Self::KNOWN };
        match PAIRS {
            2 => const { &[v(1, 0), v(0, 1)] },
            3 => const { &[v(1, 0), v(1, 2), v(-1, 2)] },
            4 => const { &[v(1, 0), v(1, 1), v(0, 1), v(-1, 1)] },
            6 => const { &[v(1, 0), v(2, 1), v(1, 2), v(0, 1), v(-1, 2), v(-2, 1)] },
            _ => const { &[v(1, 0), v(2, 1), v(1, 1), v(1, 2), v(0, 1), v(-1, 2), v(-1, 1), v(-2, 1)] },
        }
    }

    /// Never less than |x|∞ on the set: from x = n₀·x and y = (n₁·x − n₁ₓx)/n₁ᵧ, where |n₁ᵧ| ≥ 1.
    fn farthest_coordinate(&self) -> f64 {
        let size = |i: usize| self.min[i].abs().max(self.max[i].abs());
        let across = Self::directions()[1].x.abs();
        add_up(size(1), mul_up(across, size(0))).max(size(0))
    }

    /// Corners, to nearest, counter-clockwise; at least one. Of all crossings of two border lines those are taken that
    /// exceed no strip by more than rounding; should there be none, the one that exceeds least.
    pub fn corners(&self) -> Vec<DVec2> {
        let n = Self::directions();
        let excess = |x: DVec2| {
            (0..PAIRS).map(|i| (n[i].dot(x) - self.max[i]).max(self.min[i] - n[i].dot(x))).fold(0.0, f64::max)
        };
        let mut crossings: Vec<(f64, DVec2)> = Vec::new();
        for j in 0..PAIRS {
            for i in 0..j {
                let determinant = n[i].perp_dot(n[j]);
                for (p, q) in [
                    (self.min[i], self.min[j]),
                    (self.min[i], self.max[j]),
                    (self.max[i], self.min[j]),
                    (self.max[i], self.max[j]),
                ] {
                    // x with nᵢ·x = p and nⱼ·x = q.
                    let x = (n[j].perp() * (-p / determinant)) + n[i].perp() * (q / determinant);
                    crossings.push((excess(x), x));
                }
            }
        }
        let least = crossings.iter().map(|c| c.0).fold(f64::INFINITY, f64::min);
        let tolerance = least.max(16.0 * U * self.farthest_coordinate());
        let kept: Vec<DVec2> = crossings.into_iter().filter(|c| c.0 <= tolerance).map(|c| c.1).collect();
        FlatHull::fit(&kept).map_or(kept, |hull| hull.corners().to_vec())
    }

    /// Bound of d·x by the two directions i and j: if d = λnᵢ + μnⱼ + r, then d·x ≤ λ·end + μ·end + |r|₁·|x|∞.
    fn bound_by(&self, d: DVec2, i: usize, j: usize) -> f64 {
        let (p, q) = (Self::directions()[i], Self::directions()[j]);
        let determinant = p.perp_dot(q);
        let (a, b) = (d.perp_dot(q) / determinant, p.perp_dot(d) / determinant);
        let term = |mu: f64, k: usize| {
            if mu == 0.0 { 0.0 } else { mul_up(mu, if mu > 0.0 { self.max[k] } else { self.min[k] }) }
        };
        let rest = (d - p * a - q * b).abs() + (d.abs() + p.abs() * a.abs() + q.abs() * b.abs()) * (6.0 * U);
        let sum = add_up(term(a, i), term(b, j));
        let slack = mul_up(rest.element_sum() + f64::from_bits(64), self.farthest_coordinate());
        let bound = add_up(sum, slack);
        if bound.is_nan() { f64::INFINITY } else { bound }
    }
}

impl<const PAIRS: usize> FlatSupport for FlatKDop<PAIRS> {
    fn farthest(&self, direction: DVec2) -> DVec2 {
        let along = |p: &DVec2| direction.dot(*p);
        self.corners().into_iter().max_by(|p, q| along(p).total_cmp(&along(q))).unwrap_or(DVec2::ZERO)
    }

    /// The least of the bounds by any two directions: by duality the exact maximum but for rounding.
    fn reach(&self, direction: DVec2) -> f64 {
        let along = |sense: DVec2| Self::directions().iter().position(|n| *n == sense);
        if let Some(i) = along(direction) {
            return self.max[i];
        }
        if let Some(i) = along(-direction) {
            return -self.min[i];
        }
        let pairs = (0..PAIRS).flat_map(|j| (0..j).map(move |i| (i, j)));
        pairs.map(|(i, j)| self.bound_by(direction, i, j)).fold(f64::INFINITY, f64::min)
    }

    fn centre(&self) -> DVec2 {
        let corners = self.corners();
        let share = 1.0 / corners.len() as f64;
        corners.into_iter().map(|p| p * share).sum()
    }
}

impl<const PAIRS: usize> FlatBound for FlatKDop<PAIRS> {
    const NAME: &'static str = match PAIRS {
        2 => "flat kdop4",
        3 => "flat kdop6",
        4 => "flat kdop8",
        6 => "flat kdop12",
        _ => "flat kdop16",
    };

    fn fit(points: &[DVec2]) -> Result<Self, FitError> {
        check_flat_points(points)?;
        let n = Self::directions();
        let low = |i: usize| {
            points.iter().map(|p| dot_down(lifted(n[i]), lifted(*p))).fold(f64::INFINITY, f64::min)
        };
        let high = |i: usize| {
            points.iter().map(|p| dot_up(lifted(n[i]), lifted(*p))).fold(f64::NEG_INFINITY, f64::max)
        };
        Ok(FlatKDop { min: std::array::from_fn(low), max: std::array::from_fn(high) })
    }

    fn merge(&self, other: &Self) -> Self {
        FlatKDop {
            min: std::array::from_fn(|i| self.min[i].min(other.min[i])),
            max: std::array::from_fn(|i| self.max[i].max(other.max[i])),
        }
    }

    /// Proof: n·(Rx + t) = (Rᵀn)·x + n·t; the direction turned back errs by `turn_error`·|n|₁ a component.
    fn transformed(&self, a_from_b: &FlatPose) -> Self {
        let ends = |n: DVec2| {
            let back = a_from_b.rotate_back(n);
            let error = a_from_b.turn_error() * n.abs().element_sum();
            let slack = if error == 0.0 { 0.0 } else { mul_up(2.1 * error, self.farthest_coordinate()) };
            let (n, t) = (lifted(n), lifted(a_from_b.translation()));
            let high = add_up(add_up(self.reach(back), slack), dot_up(n, t));
            let low = add_down(-add_up(self.reach(-back), slack), dot_down(n, t));
            (low, high)
        };
        let n = Self::directions();
        let ends: [(f64, f64); PAIRS] = std::array::from_fn(|i| ends(n[i]));
        FlatKDop { min: ends.map(|e| e.0), max: ends.map(|e| e.1) }
    }

    fn measure(&self) -> FlatMeasure {
        let corners = self.corners();
        if corners.iter().any(|c| !c.is_finite()) {
            return FlatMeasure { area: f64::INFINITY, perimeter: f64::INFINITY, diameter: f64::INFINITY };
        }
        FlatMeasure {
            area: polygon::area(&corners),
            perimeter: polygon::perimeter(&corners),
            diameter: polygon::diameter(&corners),
        }
    }

    fn contains(&self, point: DVec2) -> bool {
        let p = lifted(point);
        Self::directions()
            .iter()
            .zip(self.min.iter().zip(&self.max))
            .all(|(n, (min, max))| dot_down(lifted(*n), p) <= *max && dot_up(lifted(*n), p) >= *min)
    }

    /// Over the k/2 common directions: conservative, not exact, for k > 4.
    fn may_overlap(&self, other: &Self) -> bool {
        !(0..PAIRS).any(|i| self.min[i] > other.max[i] || other.min[i] > self.max[i])
    }

    fn gap_below(&self, other: &Self) -> f64 {
        Self::directions().iter().enumerate().fold(0.0, |gap, (i, n)| {
            let apart = add_down(other.min[i], -self.max[i]).max(add_down(self.min[i], -other.max[i]));
            if apart > 0.0 { gap.max((apart / length_up(lifted(*n))).next_down()) } else { gap }
        })
    }
}
