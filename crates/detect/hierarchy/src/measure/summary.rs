//! One number for many: mean or maximum.

/// How the values of several nodes become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Summary {
    /// Arithmetic mean.
    #[default]
    Mean,
    /// Largest value.
    Max,
}

impl Summary {
    /// Mean or largest of the values; 0 of none.
    pub fn of(self, values: impl IntoIterator<Item = f64>) -> f64 {
        let both = MeanMax::of(values);
        match self {
            Summary::Mean => both.mean,
            Summary::Max => both.max,
        }
    }
}

/// Mean and maximum together.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct MeanMax {
    /// Arithmetic mean, to rounding.
    pub mean: f64,
    /// Largest value.
    pub max: f64,
}

impl MeanMax {
    /// Of values that are not negative; both 0 for none.
    pub fn of(values: impl IntoIterator<Item = f64>) -> MeanMax {
        // A running mean: no sum to overflow.
        let mut count = 0.0;
        let (mut mean, mut max) = (0.0_f64, 0.0_f64);
        for value in values {
            count += 1.0;
            mean = if value.is_finite() { mean + (value - mean) / count } else { value };
            max = max.max(value);
        }
        MeanMax { mean: if max.is_finite() { mean } else { max }, max }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_and_maxima() {
        assert_eq!(MeanMax::of([1.0, 2.0, 6.0]), MeanMax { mean: 3.0, max: 6.0 });
        assert_eq!(MeanMax::of([]), MeanMax { mean: 0.0, max: 0.0 });
        assert_eq!(Summary::Mean.of([f64::MAX, f64::MAX]), f64::MAX);
        assert_eq!(Summary::Max.of([1.0, f64::INFINITY, 2.0]), f64::INFINITY);
        assert_eq!(Summary::Mean.of([1.0, f64::INFINITY, 2.0]), f64::INFINITY);
    }
}
