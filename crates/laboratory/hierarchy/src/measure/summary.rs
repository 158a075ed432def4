//! One number for many: mean or maximum.

use kontakt_hierarchy::MeanMax;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_and_maxima() {
        assert_eq!(Summary::Mean.of([1.0, 2.0, 6.0]), 3.0);
        assert_eq!(Summary::Max.of([]), 0.0);
        assert_eq!(Summary::Mean.of([f64::MAX, f64::MAX]), f64::MAX);
        assert_eq!(Summary::Max.of([1.0, f64::INFINITY, 2.0]), f64::INFINITY);
        assert_eq!(Summary::Mean.of([1.0, f64::INFINITY, 2.0]), f64::INFINITY);
    }
}
