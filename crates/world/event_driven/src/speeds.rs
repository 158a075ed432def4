//! How fast the spheres of a gas are, and how fast those of a gas in equilibrium would be.

/// Speeds of a gas, as a sample.
#[derive(Clone, Debug, PartialEq)]
pub struct Speeds {
    /// In growing order.
    sorted: Vec<f64>,
    /// Their mean.
    pub mean: f64,
    /// The mean of their squares.
    pub mean_square: f64,
    /// The mean square of what they differ from the mean.
    pub variance: f64,
    /// The middle one.
    pub median: f64,
    /// The third moment about the mean, over the variance to the power of 3/2; 0 where there is no variance.
    pub skewness: f64,
}

impl Speeds {
    /// Of a sample with at least one speed, none of them NaN; all moments of an empty one are NaN.
    pub fn new(speeds: impl Iterator<Item = f64>) -> Speeds {
        let mut sorted: Vec<f64> = speeds.collect();
        sorted.sort_by(f64::total_cmp);
        let count = sorted.len() as f64;
        let mean_of = |f: &dyn Fn(f64) -> f64| sum(sorted.iter().map(|speed| f(*speed))) / count;
        let mean = mean_of(&|v| v);
        let variance = mean_of(&|v| (v - mean) * (v - mean));
        let third = mean_of(&|v| (v - mean).powi(3));
        let middle = |k: usize| sorted.get(k).copied().unwrap_or(f64::NAN);
        Speeds {
            mean,
            mean_square: mean_of(&|v| v * v),
            variance,
            median: f64::midpoint(middle(sorted.len().saturating_sub(1) / 2), middle(sorted.len() / 2)),
            skewness: if variance > 0.0 { third / variance.powf(1.5) } else { 0.0 },
            sorted,
        }
    }

    /// The greatest difference between the share of speeds up to any speed here and in a gas of equal masses in equilibrium that has the mean square `mean_square`: the distance of
    /// Kolmogorov and Smirnov.
    pub fn distance_from_equilibrium(&self, mean_square: f64) -> f64 {
        let count = self.sorted.len() as f64;
        let scale = (mean_square / 3.0).sqrt();
        let distances = self.sorted.iter().enumerate().map(|(below, speed)| {
            let share = maxwell_share(*speed / scale);
            (share - below as f64 / count).abs().max(((below + 1) as f64 / count - share).abs())
        });
        distances.fold(0.0, f64::max)
    }

    /// How many speeds fall into each of so many bins of a width; those beyond are counted in the last.
    pub fn histogram(&self, width: f64, bins: usize) -> Vec<u64> {
        let mut counts = vec![0; bins];
        for speed in &self.sorted {
            let bin = ((speed / width) as usize).min(bins.saturating_sub(1));
            if let Some(count) = counts.get_mut(bin) {
                *count += 1;
            }
        }
        counts
    }
}

/// The share of spheres of a gas in equilibrium whose speed is at most `speed`, in units of √(kT/m): the distribution of Maxwell and Boltzmann.
///
/// With x = v/√2 it is erf x − 2x e^(−x²)/√π, and erf x = 2/√π · e^(−x²) · Σ 2ⁿ x^(2n+1) / (2n+1)!!, whose first term is just what is subtracted:
/// all terms that are left are positive, so nothing cancels.
pub fn maxwell_share(speed: f64) -> f64 {
    let x = speed / std::f64::consts::SQRT_2;
    if x <= 0.0 || x.is_nan() {
        return 0.0;
    }
    // 1 − F is below 1e-20 there.
    if x > 7.0 {
        return 1.0;
    }
    let (mut term, mut sum, mut n) = (x, 0.0, 0.0);
    loop {
        n += 1.0;
        term *= 2.0 * x * x / (2.0 * n + 1.0);
        sum += term;
        // The terms fall by more than a factor of two from here on.
        if 4.0 * x * x < 2.0 * n + 1.0 && term <= sum * 1e-17 {
            break;
        }
    }
    (std::f64::consts::FRAC_2_SQRT_PI * (-x * x).exp() * sum).min(1.0)
}

/// A sum that keeps what rounding takes from it (Neumaier 1974).
fn sum(values: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut lost) = (0.0_f64, 0.0);
    for value in values {
        let next = sum + value;
        lost += if sum.abs() >= value.abs() { (sum - next) + value } else { (value - next) + sum };
        sum = next;
    }
    sum + lost
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the density, integrated by Simpson's rule.
    #[test]
    fn the_share_is_the_integral_of_the_density() {
        let density = |v: f64| (2.0 / std::f64::consts::PI).sqrt() * v * v * (-v * v / 2.0).exp();
        for speed in [1e-3, 0.1, 0.7, 1.0, 1.5382, 2.0, 3.3, 5.0, 8.0] {
            let (steps, mut integral) = (4000, 0.0);
            let h = speed / f64::from(steps);
            for k in 0..=steps {
                let weight = if k == 0 || k == steps { 1.0 } else { f64::from(2 + 2 * (k % 2)) };
                integral += weight * density(f64::from(k) * h) * h / 3.0;
            }
            let share = maxwell_share(speed);
            assert!((share - integral).abs() < 1e-12, "{speed}: {share} {integral}");
        }
        // The thesis's median for a mean square of 100.
        let median = 8.8806 / (100.0_f64 / 3.0).sqrt();
        assert!((maxwell_share(median) - 0.5).abs() < 1e-5);
        assert_eq!([maxwell_share(0.0), maxwell_share(-1.0), maxwell_share(100.0)], [0.0, 0.0, 1.0]);
    }

    #[test]
    fn moments_of_a_small_sample() {
        let speeds = Speeds::new([4.0, 1.0, 1.0, 2.0].into_iter());
        assert_eq!((speeds.mean, speeds.mean_square, speeds.variance, speeds.median), (2.0, 5.5, 1.5, 1.5));
        assert!((speeds.skewness - 1.5 / 1.5_f64.powf(1.5)).abs() < 1e-15);
        assert_eq!(speeds.histogram(1.0, 3), [0, 2, 2]);
        // All of the sample where a sixth of the distribution is, at most.
        let distance = Speeds::new([1.0].into_iter()).distance_from_equilibrium(3.0);
        assert!((distance - (1.0 - maxwell_share(1.0))).abs() < 1e-15);
    }
}
