//! Rational B-splines.

mod curve;
pub(crate) mod grid;
mod insert;
mod knots;
pub(crate) mod net;
pub(crate) mod patch;
mod quadric;
mod second_form;
mod surface;

use kontakt_math::{DVec3, IntervalVector};

pub use curve::NurbsCurve;
pub use surface::NurbsSurface;

/// Why numbers are no B-spline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NurbsError {
    /// A degree is zero or above [`MOST_DEGREE`].
    #[error("degree {0} is not between 1 and {MOST_DEGREE}")]
    Degree(usize),
    /// Too few control points for the degree.
    #[error("{points} control points are too few for degree {degree}")]
    Points {
        /// How many there are, along one parameter.
        points: usize,
        /// The degree along it.
        degree: usize,
    },
    /// The number of knots is not that of points + degree + 1.
    #[error("{knots} knots where {needed} are needed")]
    Knots {
        /// How many there are.
        knots: usize,
        /// How many there should be.
        needed: usize,
    },
    /// A knot is less than the one before it.
    #[error("knot {0} is less than the one before it")]
    Descending(usize),
    /// A knot is repeated so often that the curve falls apart, or the domain has no length.
    #[error("knot {0} is repeated too often")]
    Repeated(usize),
    /// A coordinate, weight or knot is not a finite number.
    #[error("number {0} is not finite")]
    NotFinite(usize),
    /// A weight is zero or negative.
    #[error("weight {0} is not positive")]
    Weight(usize),
    /// Rows of control points have different lengths, or there are not as many weights as points.
    #[error("the grid of control points or weights is ragged")]
    Ragged,
}

/// Highest degree taken: CAD systems write up to 25.
pub const MOST_DEGREE: usize = 32;

/// A point times its weight, and the weight.
#[derive(Clone, Copy, Debug)]
struct Homogeneous {
    point: DVec3,
    weight: f64,
}

impl Homogeneous {
    const ZERO: Homogeneous = Homogeneous { point: DVec3::ZERO, weight: 0.0 };

    fn add(&mut self, point: DVec3, factor: f64) {
        self.point += point * factor;
        self.weight += factor;
    }

    fn mix(&mut self, other: &Homogeneous, factor: f64) {
        self.point += other.point * factor;
        self.weight += other.weight * factor;
    }
}

/// Weights as they are kept: none where all are equal.
fn checked(points: &[DVec3], weights: Option<Vec<f64>>) -> Result<Vec<f64>, NurbsError> {
    if let Some(index) = points.iter().position(|point| !point.is_finite()) {
        return Err(NurbsError::NotFinite(index));
    }
    let weights = weights.unwrap_or_default();
    if !weights.is_empty() && weights.len() != points.len() {
        return Err(NurbsError::Ragged);
    }
    if let Some(index) = weights.iter().position(|weight| !weight.is_finite()) {
        return Err(NurbsError::NotFinite(index));
    }
    if let Some(index) = weights.iter().position(|&weight| weight <= 0.0) {
        return Err(NurbsError::Weight(index));
    }
    let all_equal = weights.windows(2).all(|pair| pair[0] == pair[1]);
    Ok(if all_equal { Vec::new() } else { weights })
}

/// The hulls of ranges, one a place of the arrays.
fn hulls<const N: usize>(parts: impl Iterator<Item = [IntervalVector; N]>) -> [IntervalVector; N] {
    let hull = |a: IntervalVector, b: IntervalVector| {
        IntervalVector::new(a.x.hull(b.x), a.y.hull(b.y), a.z.hull(b.z))
    };
    parts.reduce(|a, b| std::array::from_fn(|i| hull(a[i], b[i]))).unwrap_or([IntervalVector::cube(0.0); N])
}
