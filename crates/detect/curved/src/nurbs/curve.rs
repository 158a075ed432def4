//! A rational B-spline curve.

use super::NurbsError;
use super::knots::Knots;
use crate::curve::CurveJet;
use kontakt_math::DVec3;

/// A rational B-spline curve; weights are above zero.
#[derive(Clone, Debug, PartialEq)]
pub struct NurbsCurve {
    knots: Knots,
    points: Vec<DVec3>,
    /// Empty where all are one.
    weights: Vec<f64>,
}

impl NurbsCurve {
    /// From a degree, all knots with their repetitions, control points, and weights (or none).
    pub fn new(
        degree: usize,
        knots: Vec<f64>,
        points: Vec<DVec3>,
        weights: Option<Vec<f64>>,
    ) -> Result<NurbsCurve, NurbsError> {
        let knots = Knots::new(degree, knots, points.len())?;
        let weights = super::checked(&points, weights)?;
        Ok(NurbsCurve { knots, points, weights })
    }

    /// Where the parameter runs.
    pub fn domain(&self) -> [f64; 2] {
        self.knots.domain()
    }

    /// The degree.
    pub fn degree(&self) -> usize {
        self.knots.degree()
    }

    /// Control points.
    pub fn points(&self) -> &[DVec3] {
        &self.points
    }

    /// Point and derivatives; outside of the domain the first or last piece goes on.
    pub fn jet(&self, t: f64) -> CurveJet {
        let span = self.knots.span(t);
        let basis = self.knots.basis(span, t);
        let mut sums = [super::Homogeneous::ZERO; 3];
        for (offset, values) in basis.iter().enumerate() {
            let at = span - self.degree() + offset;
            let weight = self.weights.get(at).copied().unwrap_or(1.0);
            for (sum, value) in sums.iter_mut().zip(values) {
                sum.add(self.points[at], weight * value);
            }
        }
        let [a, d1, d2] = sums;
        let point = a.point / a.weight;
        let first = (d1.point - point * d1.weight) / a.weight;
        let second = (d2.point - first * (2.0 * d1.weight) - point * d2.weight) / a.weight;
        CurveJet { point, d1: first, d2: second }
    }
}
