//! The smallest ball around at most five balls of which one is known to touch it: the step of the pivot search.
//!
//! For a subset T with base ball q, edges eⱼ = pⱼ − q, radius differences δⱼ = ρⱼ − `ρ_q` and the unknowns x = c − q and
//! s = R − `ρ_q`, tangency |pⱼ − c| = R − ρⱼ for all of T and |x| = s give the linear equations
//! eⱼ·x = (|eⱼ|² − δⱼ²)/2 + s·δⱼ, and x must lie in the span of the edges, x = Σ wⱼ eⱼ. With the Gram matrix G this is
//! w = u + s·v, G u = a, G v = δ, aⱼ = (|eⱼ|² − δⱼ²)/2, and |x|² = s² becomes (1 − v·δ)s² − 2(u·δ)s − u·a = 0.
//!
//! All subsets with q are tried and the centre that minimises F(c) = max |pᵢ − c| + ρᵢ over all five is taken, so
//! a bad solution of a nearly degenerate subset can only lose, never mislead.

use super::double_double::Scalar;
use crate::ball::Sphere;
use kontakt_math::DVec3;

/// Balls in one step: four of the old support and the new one.
pub(super) const MOST: usize = 5;

/// A candidate for the smallest ball: its centre and how the supporting balls hold it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    /// Which of the balls given hold it; bit i stands for ball i.
    pub members: u8,
    /// Centre, rounded to nearest.
    pub centre: DVec3,
    /// For each ball given: (p − c)/|p − c| to rounding; zero for those that do not hold.
    pub pulls: [DVec3; MOST],
    /// For each ball given: weight in Σ λᵢ·pullᵢ ≈ 0, not negative.
    pub weights: [f64; MOST],
}

/// Smallest ball of `balls` (1..=5) under the condition that the last one touches it; finite coordinates assumed.
pub(super) fn hold<T: Scalar>(balls: &[Sphere]) -> Held {
    let star = Star::<T>::new(balls);
    let mut best = star.solve(0);
    // Large subsets are the likelier ones.
    for subset in (1..1_u8 << star.edges).rev() {
        star.improve(&mut best, subset);
        if best.is_optimal() {
            break;
        }
    }
    star.held(&best)
}

/// Like [`hold`], when all of the balls are expected to hold: tries only the whole set, and the rest if that fails.
pub(super) fn hold_all<T: Scalar>(balls: &[Sphere]) -> Held {
    let star = Star::<T>::new(balls);
    let mut whole = star.solve(0);
    star.improve(&mut whole, (1 << star.edges) - 1);
    if usize::from(whole.subset.count_ones() as u8) == star.edges && whole.least_weight > 0.0 {
        star.held(&whole)
    } else {
        hold::<T>(balls)
    }
}

/// The balls seen from the last one, scaled by a power of two to about unit size.
struct Star<T> {
    /// Number of edges: balls without the base.
    edges: usize,
    base: Sphere,
    scale: f64,
    edge: [[T; 3]; 4],
    gram: [[T; 4]; 4],
    /// ρⱼ − `ρ_base`.
    delta: [T; 4],
    /// Whether all of these are zero.
    equal_radii: bool,
}

/// Solution for one subset of the edges.
#[derive(Clone, Copy)]
struct Candidate<T> {
    subset: u8,
    x: [T; 3],
    /// Largest |pᵢ − c| + ρᵢ − `ρ_base` over all balls.
    reach: f64,
    reach_rest: f64,
    weight: [f64; 4],
    base_weight: f64,
    least_weight: f64,
}

impl<T: Scalar> Candidate<T> {
    /// Whether it holds firmly and nobody sticks out of it: then it is the smallest ball, to working precision.
    fn is_optimal(&self) -> bool {
        let radius = dot(&self.x, &self.x).sqrt();
        let high = radius.to_f64();
        let overhang = (self.reach - high) + self.reach_rest - (radius - T::from_f64(high)).to_f64();
        self.least_weight > 0.0 && overhang <= T::TIE * self.reach
    }
}

fn dot<T: Scalar>(a: &[T; 3], b: &[T; 3]) -> T {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

impl<T: Scalar> Star<T> {
    fn new(balls: &[Sphere]) -> Self {
        let zero = T::from_f64(0.0);
        let edges = balls.len().saturating_sub(1).min(MOST - 1);
        let base = balls.get(edges).copied().unwrap_or(Sphere { centre: DVec3::ZERO, radius: 0.0 });
        let size = balls[..edges].iter().fold(0.0_f64, |size, ball| {
            let edge = ball.centre - base.centre;
            size.max(edge.abs().max_element()).max((ball.radius - base.radius).abs())
        });
        let scale = power_of_two_near(size);
        let shrink = T::from_f64(1.0 / scale);
        let equal_radii = balls[..edges].iter().all(|ball| ball.radius == base.radius);
        let mut star = Star {
            edges,
            base,
            scale,
            edge: [[zero; 3]; 4],
            gram: [[zero; 4]; 4],
            delta: [zero; 4],
            equal_radii,
        };
        for (j, ball) in balls[..edges].iter().enumerate() {
            let (p, q) = (ball.centre.to_array(), base.centre.to_array());
            star.edge[j] = std::array::from_fn(|k| T::difference(p[k], q[k]) * shrink);
            star.delta[j] = T::difference(ball.radius, base.radius) * shrink;
        }
        for i in 0..edges {
            for j in 0..=i {
                star.gram[i][j] = dot(&star.edge[i], &star.edge[j]);
                star.gram[j][i] = star.gram[i][j];
            }
        }
        star
    }

    /// Takes the better of `best` and the solutions for `subset`: the smaller reach, and among equals the one that is
    /// held most firmly (on cospherical input many subsets give the same ball, but only some have the centre inside).
    fn improve(&self, best: &mut Candidate<T>, subset: u8) {
        let candidate = self.solve(subset);
        let (old, new) = ((best.reach, best.reach_rest), (candidate.reach, candidate.reach_rest));
        let difference = (new.0 - old.0) + (new.1 - old.1);
        let tie = T::TIE * (old.0.abs() + new.0.abs() + 2.0 * self.base.radius / self.scale);
        let firmer = candidate.least_weight > best.least_weight;
        if difference < -tie || (difference <= tie && firmer) {
            *best = candidate;
        }
    }

    /// The ball held by the base and `subset`; infinite reach when there is none.
    fn solve(&self, subset: u8) -> Candidate<T> {
        let zero = T::from_f64(0.0);
        let mut index = [0_usize; 4];
        let mut count = 0;
        for j in 0..self.edges {
            if subset & (1 << j) != 0 {
                index[count] = j;
                count += 1;
            }
        }
        let index = &index[..count];
        let none = Candidate {
            subset,
            x: [zero; 3],
            reach: f64::INFINITY,
            reach_rest: 0.0,
            weight: [0.0; 4],
            base_weight: 1.0,
            least_weight: -1.0,
        };
        if index.is_empty() {
            let x = [zero; 3];
            let (reach, reach_rest) = self.reach(&x);
            return Candidate { x, reach, reach_rest, least_weight: 1.0, ..none };
        }
        let Some(factors) = self.factor(index) else { return none };
        let half = T::from_f64(0.5);
        let a: [T; 3] = std::array::from_fn(|k| match index.get(k) {
            Some(&j) => (self.gram[j][j] - self.delta[j] * self.delta[j]) * half,
            None => zero,
        });
        let delta: [T; 3] = std::array::from_fn(|k| index.get(k).map_or(zero, |&j| self.delta[j]));
        let u = factors.solve(&a);
        let v = if self.equal_radii { delta } else { factors.solve(&delta) };
        let mut best = none;
        for s in roots(T::from_f64(1.0) - dot(&v, &delta), dot(&u, &delta), dot(&u, &a)) {
            let w: [T; 3] = std::array::from_fn(|k| u[k] + s * v[k]);
            let mut x = [zero; 3];
            for (k, &j) in index.iter().enumerate() {
                for (sum, edge) in x.iter_mut().zip(&self.edge[j]) {
                    *sum = *sum + w[k] * *edge;
                }
            }
            let (reach, reach_rest) = self.reach(&x);
            if reach < best.reach {
                let base_weight = (T::from_f64(1.0) - (w[0] + w[1] + w[2])).to_f64();
                let mut weight = [0.0; 4];
                for (k, &j) in index.iter().enumerate() {
                    weight[j] = w[k].to_f64();
                }
                let least_weight = index.iter().fold(base_weight, |least, &j| least.min(weight[j]));
                best = Candidate { subset, x, reach, reach_rest, weight, base_weight, least_weight };
            }
        }
        best
    }

    /// `LDLᵀ` of the Gram matrix of the chosen edges; `None` when they are linearly dependent to working precision.
    fn factor(&self, index: &[usize]) -> Option<Factors<T>> {
        let zero = T::from_f64(0.0);
        if index.len() > 3 {
            return None;
        }
        let mut factors = Factors { count: index.len(), lower: [[zero; 3]; 3], pivot: [zero; 3] };
        for (r, &i) in index.iter().enumerate() {
            let mut pivot = self.gram[i][i];
            for (c, &j) in index[..r].iter().enumerate() {
                let mut sum = self.gram[i][j];
                for k in 0..c {
                    sum = sum - factors.lower[r][k] * factors.lower[c][k] * factors.pivot[k];
                }
                let entry = sum / factors.pivot[c];
                factors.lower[r][c] = entry;
                pivot = pivot - entry * entry * factors.pivot[c];
            }
            // A NaN pivot is refused as well: only a proven positive one passes.
            let enough = pivot.to_f64() > T::DEGENERATE * self.gram[i][i].to_f64();
            if !enough {
                return None;
            }
            factors.pivot[r] = pivot;
        }
        Some(factors)
    }

    /// max |pᵢ − c| + ρᵢ − `ρ_base` over all balls, as a double and the rest of it.
    fn reach(&self, x: &[T; 3]) -> (f64, f64) {
        let mut most = dot(x, x).sqrt();
        for (edge, delta) in self.edge[..self.edges].iter().zip(&self.delta) {
            let offset = std::array::from_fn(|k| edge[k] - x[k]);
            let reach = dot(&offset, &offset).sqrt() + *delta;
            if (reach - most).to_f64() > 0.0 {
                most = reach;
            }
        }
        let high = most.to_f64();
        let rest = (most - T::from_f64(high)).to_f64();
        if high.is_finite() { (high, rest) } else { (f64::INFINITY, 0.0) }
    }

    fn held(&self, candidate: &Candidate<T>) -> Held {
        let base = self.base.centre.to_array();
        let centre = std::array::from_fn(|k| candidate.x[k].offset_from(base[k], self.scale));
        let mut held = Held {
            members: 1 << self.edges,
            centre: DVec3::from_array(centre),
            pulls: [DVec3::ZERO; MOST],
            weights: [0.0; MOST],
        };
        // Balanced are Σ wᵢ(pᵢ − c) = 0, hence the unit pulls with weights wᵢ|pᵢ − c|.
        let mut pull = |i: usize, offset: [T; 3], weight: f64| {
            let offset = DVec3::from_array(offset.map(T::to_f64));
            let length = offset.length();
            if length > 0.0 {
                held.pulls[i] = offset / length;
                held.weights[i] = (weight * length).max(0.0);
            }
        };
        pull(self.edges, candidate.x.map(|x| -x), candidate.base_weight);
        for j in 0..self.edges {
            if candidate.subset & (1 << j) != 0 {
                pull(j, std::array::from_fn(|k| self.edge[j][k] - candidate.x[k]), candidate.weight[j]);
            }
        }
        held.members |= candidate.subset;
        held
    }
}

struct Factors<T> {
    count: usize,
    lower: [[T; 3]; 3],
    pivot: [T; 3],
}

impl<T: Scalar> Factors<T> {
    fn solve(&self, right: &[T; 3]) -> [T; 3] {
        let mut y = *right;
        for r in 0..self.count {
            for c in 0..r {
                y[r] = y[r] - self.lower[r][c] * y[c];
            }
        }
        for (entry, pivot) in y.iter_mut().zip(&self.pivot).take(self.count) {
            *entry = *entry / *pivot;
        }
        for r in (0..self.count).rev() {
            for below in r + 1..self.count {
                y[r] = y[r] - self.lower[below][r] * y[below];
            }
        }
        y
    }
}

/// The roots s ≥ 0 of A s² − 2B s − C = 0 that are finite, without cancellation.
fn roots<T: Scalar>(a: T, b: T, c: T) -> impl Iterator<Item = T> {
    let discriminant = b * b + a * c;
    let real = discriminant.to_f64() >= 0.0;
    let root = discriminant.sqrt();
    let sum = if b.to_f64() >= 0.0 { b + root } else { b - root };
    [sum / a, -(c / sum)].into_iter().filter(move |s| {
        let s = s.to_f64();
        real && s >= 0.0 && s.is_finite()
    })
}

/// A power of two within a factor 2 of `size`, kept where it and its reciprocal are normal; 1 for zero.
pub(super) fn power_of_two_near(size: f64) -> f64 {
    let exponent = (size.to_bits() >> 52) & 0x7ff;
    if size == 0.0 || exponent == 0x7ff {
        return 1.0;
    }
    f64::from_bits(exponent.clamp(23, 2023) << 52)
}

#[cfg(test)]
mod tests {
    use super::super::double_double::DoubleDouble;
    use super::*;

    #[test]
    fn four_corners_of_a_regular_tetrahedron_hold_together() {
        let corners = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
        let balls = corners.map(|p| Sphere { centre: DVec3::from_array(p), radius: 0.0 });
        let held = hold::<DoubleDouble>(&balls);
        assert_eq!(held.members, 0b1111);
        assert!(held.centre.length() < 1e-31);
        let balance: DVec3 = (0..4).map(|i| held.weights[i] * held.pulls[i]).sum();
        assert!(balance.length() < 1e-15);
    }

    #[test]
    fn two_unequal_balls_are_tangent_from_inside() {
        let balls = [
            Sphere { centre: DVec3::new(-3.0, 0.0, 0.0), radius: 1.0 },
            Sphere { centre: DVec3::new(3.0, 0.0, 0.0), radius: 2.0 },
        ];
        let held = hold::<f64>(&balls);
        assert_eq!(held.members, 0b11);
        assert!((held.centre - DVec3::new(0.5, 0.0, 0.0)).length() < 1e-15);
    }

    #[test]
    fn a_ball_that_swallows_the_rest_stands_alone() {
        let balls = [
            Sphere { centre: DVec3::new(0.5, 0.0, 0.0), radius: 0.5 },
            Sphere { centre: DVec3::ZERO, radius: 3.0 },
        ];
        let held = hold::<DoubleDouble>(&balls);
        assert_eq!((held.members, held.centre), (0b10, DVec3::ZERO));
    }
}
