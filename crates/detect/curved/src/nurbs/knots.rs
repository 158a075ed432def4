//! The knots of a B-spline along one parameter.

use super::{MOST_DEGREE, NurbsError};
use std::ops::RangeInclusive;

/// Knots that ascend, none repeated so often that the curve falls apart inside.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Knots {
    degree: usize,
    values: Vec<f64>,
    /// The distinct ones of the domain, its ends among them.
    breaks: Vec<f64>,
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
        let mut breaks = values[degree..=points].to_vec();
        breaks.dedup();
        Ok(Knots { degree, values, breaks })
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
    /// The spans of the domain that have a length, by the index of the knot they begin at, in order.
    pub(super) fn spans(&self) -> impl Iterator<Item = usize> + '_ {
        (self.degree..self.points()).filter(|&i| self.values[i] < self.values[i + 1])
    }

    /// The distinct knots of the domain, its ends among them.
    pub(super) fn breaks(&self) -> &[f64] {
        &self.breaks
    }

    /// The parts of the domain in which the first derivative does not jump, each up to the last double of it.
    pub(super) fn smooth_parts(&self) -> Vec<[f64; 2]> {
        let repeated = |knot: f64| self.values.iter().filter(|&&other| other == knot).count();
        let inner = &self.breaks[1..self.breaks.len() - 1];
        let [mut from, end] = self.domain();
        let mut parts = Vec::new();
        for &knot in inner.iter().filter(|&&knot| repeated(knot) >= self.degree) {
            parts.push([from, knot.next_down()]);
            from = knot;
        }
        parts.push([from, end]);
        parts
    }

    /// Which of the spans that have a length a range reaches, counted from zero. One that only begins where the range ends is not
    /// reached, unless the range is that point alone; outside of the domain the nearest span goes on.
    pub(super) fn reached(&self, [lo, hi]: [f64; 2]) -> RangeInclusive<usize> {
        let inner = &self.breaks[1..self.breaks.len() - 1];
        let first = inner.partition_point(|&knot| knot <= lo);
        let last = inner.partition_point(|&knot| knot < hi);
        first..=last.max(first)
    }

    /// The basis functions that are not zero in a span, with their first and second derivatives at t: the first `degree + 1` places.
    pub(super) fn basis(&self, span: usize, t: f64) -> Basis {
        let degree = self.degree;
        let mut basis = Basis {
            value: [0.0; MOST_DEGREE + 1],
            first: [0.0; MOST_DEGREE + 1],
            second: [0.0; MOST_DEGREE + 1],
        };
        // Cox–de Boor from degree 0 up: after round d, `value` holds the d + 1 functions of degree d. Derivatives are made of functions
        // of a lower degree.
        basis.value[0] = 1.0;
        for d in 1..=degree {
            let row = &basis.value[..d];
            if d + 1 == degree {
                basis.second[..d].copy_from_slice(row);
                self.differentiate(span, &mut basis.second, d);
            }
            if d == degree {
                basis.first[..d].copy_from_slice(row);
                self.differentiate(span, &mut basis.first, d);
            }
            self.raise(span, &mut basis.value, d, t);
        }
        if degree >= 2 {
            self.differentiate(span, &mut basis.second, degree);
        }
        basis
    }

    /// From the d functions of degree d − 1 in a span the d + 1 of degree d at t.
    fn raise(&self, span: usize, row: &mut [f64; MOST_DEGREE + 1], d: usize, t: f64) {
        let mut carried = 0.0;
        for (i, value) in row[..d].iter_mut().enumerate() {
            let low = span + 1 + i - d;
            let (from, to) = (self.values[low], self.values[low + d]);
            let part = *value / (to - from);
            *value = carried + (to - t) * part;
            carried = (t - from) * part;
        }
        row[d] = carried;
    }

    /// From the d functions of degree d − 1, or numbers that go with them, the derivatives of the d + 1 of degree d.
    fn differentiate(&self, span: usize, row: &mut [f64; MOST_DEGREE + 1], d: usize) {
        let mut carried = 0.0;
        for (i, value) in row[..d].iter_mut().enumerate() {
            let low = span + 1 + i - d;
            let part = d as f64 * *value / (self.values[low + d] - self.values[low]);
            *value = carried - part;
            carried = part;
        }
        row[d] = carried;
    }

    /// Row k: the weights with which the `degree + 1` control points of a span make the k-th Bézier point of it. None is negative, a row
    /// sums to one, and each is computed to within 5·degree roundings of itself.
    ///
    /// The k-th Bézier point is the blossom of the piece at `degree − k` times the span's start and k times its end (Ramshaw). De Boor's
    /// factors (x − tlo)/(thi − tlo) and (thi − x)/(thi − tlo) lie in [0, 1] there and err by three roundings each; product and sum
    /// of what is not negative add one each.
    pub(super) fn bezier_rows(&self, span: usize) -> Vec<Vec<f64>> {
        (0..=self.degree).map(|k| self.blossom_row(span, k)).collect()
    }

    fn blossom_row(&self, span: usize, ends: usize) -> Vec<f64> {
        let degree = self.degree;
        // rows[j]: what the control points contribute to the j-th point of the present round.
        let mut rows: Vec<Vec<f64>> =
            (0..=degree).map(|j| (0..=degree).map(|i| f64::from(u8::from(i == j))).collect()).collect();
        for round in 1..=degree {
            let x = if round <= ends { self.values[span + 1] } else { self.values[span] };
            for j in (round..=degree).rev() {
                let low = span + j - degree;
                let (from, to) = (self.values[low], self.values[low + degree + 1 - round]);
                let (rest, part) = ((to - x) / (to - from), (x - from) / (to - from));
                let before = rows[j - 1].clone();
                for (value, before) in rows[j].iter_mut().zip(before) {
                    *value = rest * before + part * *value;
                }
            }
        }
        rows.swap_remove(degree)
    }
}

/// Values of the basis functions of a span, and their derivatives.
pub(super) struct Basis {
    pub(super) value: [f64; MOST_DEGREE + 1],
    pub(super) first: [f64; MOST_DEGREE + 1],
    pub(super) second: [f64; MOST_DEGREE + 1],
}
