//! A rational B-spline curve.

use super::NurbsError;
use super::knots::Knots;
use super::patch::Patch;
use crate::jet::CurveJet;
use kontakt_math::{DVec3, Interval, IntervalVector};

/// A rational B-spline curve; weights are above zero.
#[derive(Clone, Debug, PartialEq)]
pub struct NurbsCurve {
    knots: Knots,
    points: Vec<DVec3>,
    /// Empty where all are one.
    weights: Vec<f64>,
    /// Its polynomial pieces, one a span; they follow from the rest.
    pieces: Vec<Patch>,
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
        let pieces = pieces(&knots, &points, &weights);
        Ok(NurbsCurve { knots, points, weights, pieces })
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

    /// Weights of the control points; none where all are equal.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// All knots with their repetitions.
    pub fn knots(&self) -> &[f64] {
        self.knots.values()
    }

    /// The distinct knots of the domain, its ends among them: between two neighbours the curve is smooth.
    pub fn breaks(&self) -> &[f64] {
        self.knots.breaks()
    }

    /// The parts of the domain in which the first derivative does not jump, each up to the last double of it.
    pub(crate) fn smooth_parts(&self) -> Vec<[f64; 2]> {
        self.knots.smooth_parts()
    }

    /// Point and derivatives; outside of the domain the first or last piece goes on.
    pub fn jet(&self, t: f64) -> CurveJet {
        let span = self.knots.span(t);
        let basis = self.knots.basis(span, t);
        let mut sums = [super::Homogeneous::ZERO; 3];
        for offset in 0..=self.degree() {
            let at = span - self.degree() + offset;
            let weight = self.weights.get(at).copied().unwrap_or(1.0);
            let factors = [basis.value[offset], basis.first[offset], basis.second[offset]];
            for (sum, factor) in sums.iter_mut().zip(factors) {
                sum.add(self.points[at], weight * factor);
            }
        }
        let [a, d1, d2] = sums;
        let point = a.point / a.weight;
        let first = (d1.point - point * d1.weight) / a.weight;
        let second = (d2.point - first * (2.0 * d1.weight) - point * d2.weight) / a.weight;
        CurveJet { point, d1: first, d2: second }
    }
}

impl NurbsCurve {
    /// Never less than |C″| over a range, each piece taken for itself: at a knot where the second derivative jumps, that of the pieces
    /// that the range reaches.
    pub fn second_bound(&self, t: [f64; 2]) -> f64 {
        self.reached(t).map(|piece| piece.second_bounds([t, [0.0; 2]])[0]).fold(0.0, f64::max)
    }

    /// Contains all points and first derivatives over a range, each piece taken for itself. Infinite only where numbers overflow.
    pub fn range_over(&self, t: [f64; 2]) -> [IntervalVector; 2] {
        let parts = self.reached(t).map(|piece| {
            let [point, slope, _] = piece.ranges([t, [0.0; 2]]);
            [point, slope]
        });
        super::hulls(parts)
    }

    /// Contains all points, first and second derivatives over a range, each piece taken for itself.
    pub fn second_range_over(&self, t: [f64; 2]) -> [IntervalVector; 3] {
        let parts = self.reached(t).map(|piece| {
            let [point, slope, _, bend, _, _] = piece.second_ranges([t, [0.0; 2]]);
            [point, slope, bend]
        });
        super::hulls(parts)
    }

    /// **Never less** than the distance of any point over a range from a place; none where that is not known.
    pub(crate) fn most_distance(&self, from: DVec3, t: [f64; 2]) -> Option<f64> {
        let parts = self.reached(t).map(|piece| {
            let [start, end] = piece.spans()[0];
            piece.most_distance(from, [[t[0].max(start), t[1].min(end)], [0.0; 2]])
        });
        parts.reduce(|a, b| Some(a?.max(b?)))?
    }

    fn reached(&self, t: [f64; 2]) -> impl Iterator<Item = &Patch> {
        self.pieces[self.knots.reached(t)].iter()
    }

    /// Each polynomial piece as a curve of its own, which goes on as it does beyond its ends.
    pub(crate) fn split_pieces(&self) -> Vec<NurbsCurve> {
        let degree = self.degree();
        let alone = |piece: &Patch| {
            let [[start, end], _] = piece.spans();
            let knots = [vec![start; degree + 1], vec![end; degree + 1]].concat();
            let (points, weights) = piece.controls();
            let weights = if self.weights.is_empty() { Vec::new() } else { weights };
            // Bounds are those of the piece itself; only plain evaluation goes by the rounded points.
            let knots = Knots::new(degree, knots, degree + 1).ok()?;
            Some(NurbsCurve { knots, points, weights, pieces: vec![piece.clone()] })
        };
        self.pieces.iter().filter_map(alone).collect()
    }

    /// Its polynomial pieces.
    pub(crate) fn pieces(&self) -> &[Patch] {
        &self.pieces
    }

    /// Contains all points over a range.
    pub fn point_over(&self, t: Interval) -> IntervalVector {
        self.range_over([t.lo(), t.hi()])[0]
    }
}

fn pieces(knots: &Knots, points: &[DVec3], weights: &[f64]) -> Vec<Patch> {
    let flat = vec![vec![1.0]];
    knots
        .spans()
        .map(|span| {
            let held = span - knots.degree()..=span;
            let rows = knots.bezier_rows(span);
            let of = [knots.values()[span], knots.values()[span + 1]];
            Patch::new(&points[held.clone()], weights.get(held), [&rows, &flat], [of, [0.0, 1.0]])
        })
        .collect()
}
