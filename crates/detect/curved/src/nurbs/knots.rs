//! The knots of a B-spline along one parameter.

use super::{MOST_DEGREE, NurbsError};

/// Knots that ascend, none repeated so often that the curve falls apart inside.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Knots {
    degree: usize,
    values: Vec<f64>,
}

impl Knots {
    pub(super) fn new(degree: usize, values: Vec<f64>, points: usize) -> Result<Knots, NurbsError> {
        if degree == 0 || degree > MOST_DEGREE {
            return Err(NurbsError::Degree(degree));
        }
        if points <= degree {
            return Err(NurbsError::Points { points, degree });
        }
        let needed = points + degree + 1;
        if values.len() != needed {
            return Err(NurbsError::Knots { knots: values.len(), needed });
        }
        if let Some(index) = values.iter().position(|knot| !knot.is_finite()) {
            return Err(NurbsError::NotFinite(index));
        }
        if let Some(index) = values.windows(2).position(|pair| pair[1] < pair[0]) {
            return Err(NurbsError::Descending(index + 1));
        }
        // Inside, one knot `degree + 1` times cuts the curve in two; at the ends that many are usual and more would leave a point unused.
        if let Some(index) = values.windows(degree + 2).position(|run| run[0] == run[degree + 1]) {
            return Err(NurbsError::Repeated(index));
        }
        let inner = degree + 1..points;
        if let Some(index) = inner.clone().find(|&i| i + degree < points && values[i] == values[i + degree]) {
            return Err(NurbsError::Repeated(index));
        }
        if values[degree] >= values[points] {
            return Err(NurbsError::Repeated(degree));
        }
        Ok(Knots { degree, values })
    }

    pub(super) fn degree(&self) -> usize {
        self.degree
    }

    pub(super) fn values(&self) -> &[f64] {
        &self.values
    }

    pub(super) fn points(&self) -> usize {
        self.values.len() - self.degree - 1
    }

    pub(super) fn domain(&self) -> [f64; 2] {
        [self.values[self.degree], self.values[self.points()]]
    }

    /// The last `i` with `values[i] ≤ t` that begins a span of the domain; outside of the domain the nearest span.
    pub(super) fn span(&self, t: f64) -> usize {
        let (first, last) = (self.degree, self.points());
        let after = self.values[first..last].partition_point(|&knot| knot <= t).max(1);
        let span = first + after - 1;
        // Equal knots at the end of the domain begin no span.
        (first..=span).rev().find(|&i| self.values[i] < self.values[i + 1]).unwrap_or(first)
    }
}

impl Knots {
    /// The basis functions that are not zero in a span, each with its first and second derivative at t.
    pub(super) fn basis(&self, span: usize, t: f64) -> Vec<[f64; 3]> {
        let degree = self.degree;
        // Cox–de Boor from degree 0 up: row d holds the d + 1 functions of degree d.
        let raise = |row: &[f64], d: usize, slope: bool| -> Vec<f64> {
            let mut next = vec![0.0; d + 1];
            for (i, &value) in row.iter().enumerate() {
                let low = span + 1 + i - d;
                let (from, to) = (self.values[low], self.values[low + d]);
                let part = value / (to - from);
                if slope {
                    next[i] -= d as f64 * part;
                    next[i + 1] += d as f64 * part;
                } else {
                    next[i] += (to - t) * part;
                    next[i + 1] += (t - from) * part;
                }
            }
            next
        };
        let mut rows = vec![vec![1.0]];
        for d in 1..=degree {
            let next = raise(&rows[d - 1], d, false);
            rows.push(next);
        }
        let first = raise(&rows[degree - 1], degree, true);
        let second = if degree < 2 {
            vec![0.0; degree + 1]
        } else {
            raise(&raise(&rows[degree - 2], degree - 1, true), degree, true)
        };
        (0..=degree).map(|i| [rows[degree][i], first[i], second[i]]).collect()
    }
}
