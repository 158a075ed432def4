//! Bernstein forms of one value in two parameters, and their products: doubles with a proven bound of their error.

use super::MOST_DEGREE;
use super::net::Net;
use kontakt_math::U;

const UNDERFLOW: f64 = f64::MIN_POSITIVE;

/// Σ bᵢⱼ Bᵢ(u) Bⱼ(v) over the unit square; exact coefficients lie within `error` of those held.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    degrees: [usize; 2],
    values: Vec<f64>,
    error: f64,
}

impl Grid {
    /// One coordinate of a net, or its weight.
    pub(crate) fn of(net: &Net, c: usize) -> Grid {
        let values = net.values().iter().map(|value| value[c]).collect();
        Grid { degrees: net.degrees(), values, error: net.errors()[c] }
    }

    /// One everywhere, written in given degrees: a factor that raises degrees.
    pub(crate) fn one(degrees: [usize; 2]) -> Grid {
        Grid { degrees, values: vec![1.0; (degrees[0] + 1) * (degrees[1] + 1)], error: 0.0 }
    }

    fn size(&self) -> f64 {
        self.values.iter().fold(0.0, |most: f64, value| most.max(value.abs()))
    }

    /// The product, or none where its degree is too high.
    ///
    /// Coefficient (k, l) is the mean of the products Xᵢⱼ Yₖ₋ᵢ,ₗ₋ⱼ with weights C(a,i)C(c,k−i)/C(a+c,k) along u and the same along v.
    /// Error: each product errs by that of either times the size of the other, and the product of both; a weight's binomials are exact doubles, so that it takes five operations,
    /// and the product and the sums of n terms n + 1 more, each a rounding of at most the product of the sizes.
    pub(crate) fn times(&self, other: &Grid) -> Option<Grid> {
        let degrees: [usize; 2] = std::array::from_fn(|i| self.degrees[i] + other.degrees[i]);
        if degrees.iter().any(|&degree| degree > MOST_DEGREE) {
            return None;
        }
        let [along_u, along_v] = [0, 1].map(|i| means(self.degrees[i], other.degrees[i]));
        let across = degrees[1] + 1;
        let (width, other_width) = (self.degrees[1] + 1, other.degrees[1] + 1);
        let mut values = vec![0.0; (degrees[0] + 1) * across];
        for i in 0..=self.degrees[0] {
            for k in 0..=other.degrees[0] {
                let weight = along_u[i][k];
                let row = &mut values[(i + k) * across..(i + k + 1) * across];
                let ones = &self.values[i * width..(i + 1) * width];
                let others = &other.values[k * other_width..(k + 1) * other_width];
                for (j, one) in ones.iter().enumerate() {
                    let one = weight * one;
                    for ((sum, other), mean) in row[j..].iter_mut().zip(others).zip(&along_v[j]) {
                        *sum += one * (mean * other);
                    }
                }
            }
        }
        let terms = (0..2).map(|i| self.degrees[i].min(other.degrees[i]) + 1).product::<usize>();
        let (mx, my, ex, ey) = (self.size(), other.size(), self.error, other.error);
        let inexact = ex * my + ey * mx + ex * ey;
        let error = (inexact + (terms + 16) as f64 * U * mx * my) * (1.0 + 64.0 * U) + UNDERFLOW;
        Some(Grid { degrees, values, error })
    }

    /// The sum with `factor` times another of the same degrees.
    #[must_use]
    pub(crate) fn plus(mut self, other: &Grid, factor: f64) -> Grid {
        let (mx, my) = (self.size(), other.size() * factor.abs());
        for (value, other) in self.values.iter_mut().zip(&other.values) {
            *value += factor * other;
        }
        let inexact = self.error + other.error * factor.abs();
        self.error = (inexact + 3.0 * U * (mx + my)) * (1.0 + 16.0 * U) + UNDERFLOW;
        self
    }

    /// **Never less** than this over another, which is above zero and of the same degrees, anywhere; none where the other may not be.
    ///
    /// With r the greatest ratio of coefficients, Σ bᵢ Bᵢ ≤ r Σ cᵢ Bᵢ, as all cᵢ are above zero.
    pub(crate) fn greatest_ratio(&self, other: &Grid) -> Option<f64> {
        let ratios = self.values.iter().zip(&other.values).map(|(one, other_value)| {
            let (above, below) = ((one + self.error).max(0.0), other_value - other.error);
            (below > 0.0).then(|| above / below * (1.0 + 8.0 * U))
        });
        ratios.reduce(|a, b| Some(a?.max(b?)))?
    }

    /// Nothing, in given degrees.
    pub(crate) fn zero(degrees: [usize; 2]) -> Grid {
        Grid { degrees, values: vec![0.0; (degrees[0] + 1) * (degrees[1] + 1)], error: 0.0 }
    }

    pub(crate) fn degrees(&self) -> [usize; 2] {
        self.degrees
    }

    /// Four of the same degrees as one net.
    pub(crate) fn bundled(grids: [&Grid; 4]) -> Net {
        let at = |i: usize| grids.map(|grid| grid.values[i]);
        let values = (0..grids[0].values.len()).map(at).collect();
        Net::from_parts(grids[0].degrees, values, grids.map(|grid| grid.error))
    }

    /// Two of the same degrees as one net.
    pub(crate) fn paired(&self, other: &Grid) -> Net {
        let values = self.values.iter().zip(&other.values).map(|(&a, &b)| [a, b, 0.0, 0.0]).collect();
        Net::from_parts(self.degrees, values, [self.error, other.error, 0.0, 0.0])
    }
}

/// Weights C(a,i)C(c,k)/C(a+c,i+k): row i, place k. Binomials up to C(32,16) < 2³⁰ are exact doubles.
fn means(a: usize, c: usize) -> Vec<Vec<f64>> {
    let (one, other, sum) = (binomials(a), binomials(c), binomials(a + c));
    let weight = |i: usize, k: usize| one[i] * other[k] / sum[i + k];
    (0..=a).map(|i| (0..=c).map(|k| weight(i, k)).collect()).collect()
}

fn binomials(n: usize) -> Vec<f64> {
    let mut row = vec![1.0];
    for k in 0..n {
        // C(n,k)(n−k) is below 2³⁵ and divisible by k + 1.
        row.push(row[k] * (n - k) as f64 / (k + 1) as f64);
    }
    row
}

#[cfg(test)]
mod tests {
    use super::{Grid, binomials};
    use testkit::Rational;
    use testkit::rational::{abs, exact, integer};

    fn random(rng: &mut fastrand::Rng, degrees: [usize; 2]) -> Grid {
        let count = (degrees[0] + 1) * (degrees[1] + 1);
        let values = (0..count).map(|_| (rng.f64() - 0.5) * 2.0_f64.powi(rng.i32(-3..4))).collect();
        Grid { degrees, values, error: 0.0 }
    }

    /// Coefficient (k, l) of the product, from the definition.
    fn coefficient(a: &Grid, b: &Grid, [k, l]: [usize; 2]) -> Rational {
        let weight = |along: usize, i: usize, k: usize| {
            let (n, m) = (a.degrees[along], b.degrees[along]);
            exact(binomials(n)[i]) * exact(binomials(m)[k - i]) / exact(binomials(n + m)[k])
        };
        let within = |along: usize, i: usize, k: usize| i <= k && k - i <= b.degrees[along];
        let mut sum = integer(0);
        for i in (0..=a.degrees[0]).filter(|&i| within(0, i, k)) {
            for j in (0..=a.degrees[1]).filter(|&j| within(1, j, l)) {
                let one = exact(a.values[i * (a.degrees[1] + 1) + j]);
                let other = exact(b.values[(k - i) * (b.degrees[1] + 1) + l - j]);
                sum += weight(0, i, k) * weight(1, j, l) * one * other;
            }
        }
        sum
    }

    #[test]
    fn products_and_sums_err_by_no_more_than_they_say() {
        let mut rng = fastrand::Rng::with_seed(81);
        for _ in 0..40 {
            let [p, q] = [rng.usize(0..6), rng.usize(0..6)];
            let [r, s] = [rng.usize(0..6), rng.usize(0..6)];
            let (a, b, c) = (random(&mut rng, [p, q]), random(&mut rng, [r, s]), random(&mut rng, [r, s]));
            let ab = a.times(&b).expect("low degrees");
            // (ab) + f(ac), where ac carries an error of its own.
            let factor = rng.f64() * 3.0;
            let ac = a.times(&c).expect("low degrees");
            let sum = ab.clone().plus(&ac, factor);
            for k in 0..=p + r {
                for l in 0..=q + s {
                    let at = k * (q + s + 1) + l;
                    let (one, other) = (coefficient(&a, &b, [k, l]), coefficient(&a, &c, [k, l]));
                    assert!(abs(&(exact(ab.values[at]) - &one)) <= exact(ab.error));
                    let both = one + exact(factor) * other;
                    assert!(abs(&(exact(sum.values[at]) - both)) <= exact(sum.error));
                }
            }
        }
    }

    #[test]
    fn degrees_too_high_are_refused() {
        let high = Grid::one([20, 1]);
        assert!(high.times(&high).is_none());
        assert_eq!(binomials(32)[16], 601_080_390.0);
    }
}
