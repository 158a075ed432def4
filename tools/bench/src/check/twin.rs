//! Double-double numbers: about 31 digits, for filters in front of rationals.

use num_traits::ToPrimitive;
use testkit::rational::{Rational, exact};

/// An unevaluated sum of two doubles, the second at most half an ulp of the first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Twin {
    /// The double nearest to the sum.
    pub(crate) high: f64,
    /// What is left.
    pub(crate) low: f64,
}

impl Twin {
    /// The nearest twin.
    pub(crate) fn near(value: &Rational) -> Self {
        let high = nearest(value);
        Twin { high, low: nearest(&(value - exact(high))) }
    }

    /// self − other
    pub(crate) fn minus(self, other: Twin) -> Twin {
        self.plus(Twin { high: -other.high, low: -other.low })
    }

    /// self + other
    pub(crate) fn plus(self, other: Twin) -> Twin {
        let (sum, error) = two_sum(self.high, other.high);
        let (low, rest) = two_sum(self.low, other.low);
        let first = renormalised(sum, error + low);
        renormalised(first.high, first.low + rest)
    }

    /// self²
    pub(crate) fn squared(self) -> Twin {
        let product = self.high * self.high;
        let error = self.high.mul_add(self.high, -product);
        renormalised(product, 2.0f64.mul_add(self.high * self.low, error))
    }
}

impl From<f64> for Twin {
    fn from(value: f64) -> Self {
        Twin { high: value, low: 0.0 }
    }
}

/// |p − centre|², wrong by at most [`squared_distance_error`].
pub(crate) fn squared_distance(p: [f64; 3], centre: &[Twin; 3]) -> Twin {
    let [x, y, z]: [Twin; 3] = std::array::from_fn(|i| Twin::from(p[i]).minus(centre[i]).squared());
    x.plus(y).plus(z)
}

/// Bounds the error of [`squared_distance`] for points not farther than `radius` from `centre`.
///
/// With S = |centre| + radius, a coordinate difference errs by less than 2^-100 S, its square by 2^-99 S², and the
/// sum of three by less than 2^-96 S² ≈ 1.3e-29 S².
pub(crate) fn squared_distance_error(radius: f64, centre: &[Twin; 3]) -> f64 {
    let scale = radius + centre.iter().map(|c| c.high.abs()).sum::<f64>();
    2e-29 * scale * scale
}

/// The double nearest to a rational; 0 if it is out of range, which coordinates of these tests never are.
pub(crate) fn nearest(value: &Rational) -> f64 {
    value.to_f64().unwrap_or(0.0)
}

fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_part = sum - a;
    let a_part = sum - b_part;
    (sum, (a - a_part) + (b - b_part))
}

fn renormalised(high: f64, low: f64) -> Twin {
    let sum = high + low;
    Twin { high: sum, low: low - (sum - high) }
}

#[cfg(test)]
mod tests {
    use super::{Twin, nearest, squared_distance, squared_distance_error};
    use testkit::generate::Generator;
    use testkit::rational::{Rational, dot, exact, sub, vector};

    #[test]
    fn squared_distances_are_as_good_as_promised() {
        let mut random = Generator::free(7);
        for _ in 0..300 {
            let (p, c) = (random.point(), random.point());
            let tail: [f64; 3] = random.point().map(|x| x * 1e-18);
            let centre: [Rational; 3] = std::array::from_fn(|i| exact(c[i]) + exact(tail[i]));
            let offset = sub(&vector(p), &centre);
            let truth = dot(&offset, &offset);
            let twins = centre.map(|x| Twin::near(&x));
            let found = squared_distance(p, &twins);
            let error = nearest(&(exact(found.high) + exact(found.low) - &truth));
            assert!(error.abs() <= squared_distance_error(nearest(&truth).sqrt(), &twins), "{error:e}");
        }
    }
}
