//! The Bézier net of one piece of a rational B-spline, in doubles with a proven bound of their error.

use super::MOST_DEGREE;
use kontakt_math::{DVec3, Interval, IntervalVector, U};

/// Covers every underflow of a net's arithmetic: at most a few thousand errors of 2⁻¹⁰⁷⁵.
const UNDERFLOW: f64 = f64::MIN_POSITIVE;

/// Σ bᵢⱼ Bᵢ(u) Bⱼ(v) over the unit square, with bᵢⱼ = (w(P − c), w): exact coefficients lie within `error` of the doubles held. A curve's
/// net has degree zero along v.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Net {
    degrees: [usize; 2],
    /// Row by row, a row having one index along u.
    values: Vec<[f64; 4]>,
    /// Never less than the distance of any coefficient from the exact one, by coordinate.
    error: [f64; 4],
}

impl Net {
    /// A piece's net from the control points `(w(P − c), w)` of its span, each within two roundings, and from the rows that
    /// [`bezier_rows`](super::knots::Knots::bezier_rows) gives along u and v.
    ///
    /// Error: with M the greatest size of a coordinate, weights within 5p roundings of themselves and sums of p + 1 products each make
    /// (6p + 2) roundings of M along u, (6q + 2) along v, 2 come with the points: below 8(p + q + 2), second-order terms included.
    pub(super) fn new(controls: &[[f64; 4]], rows: [&[Vec<f64>]; 2]) -> Net {
        let degrees = rows.map(|rows| rows.len() - 1);
        let across = degrees[1] + 1;
        let mix = |weights: &[f64], at: &dyn Fn(usize) -> [f64; 4]| {
            let mut sum = [0.0; 4];
            for (i, weight) in weights.iter().enumerate() {
                let value = at(i);
                (0..4).for_each(|c| sum[c] += weight * value[c]);
            }
            sum
        };
        let half: Vec<[f64; 4]> = (0..controls.len())
            .map(|at| mix(&rows[0][at / across], &|i| controls[i * across + at % across]))
            .collect();
        let values =
            (0..half.len()).map(|at| mix(&rows[1][at % across], &|j| half[at - at % across + j])).collect();
        let roundings = 8.0 * (degrees[0] + degrees[1] + 2) as f64 * U;
        let error = greatest(controls).map(|size| size * roundings + UNDERFLOW);
        Net { degrees, values, error }
    }

    /// Degrees, coefficients and the bound of their error.
    pub(super) fn parts(&self) -> ([usize; 2], &[[f64; 4]], [f64; 4]) {
        (self.degrees, &self.values, self.error)
    }

    /// The same net with all weights exactly one.
    #[must_use]
    pub(super) fn with_equal_weights(mut self) -> Net {
        self.values.iter_mut().for_each(|value| value[3] = 1.0);
        self.error[3] = 0.0;
        self
    }

    /// The net of the derivative along one parameter that runs through `length` while the unit interval is run through once.
    ///
    /// Error: a difference doubles that of the coefficients, and the three operations and the rounding of the length itself add four
    /// roundings of at most 2pM/length.
    #[must_use]
    pub(crate) fn derivative(&self, along: usize, length: f64) -> Net {
        let degree = self.degrees[along];
        let across = self.degrees[1] + 1;
        let mut degrees = self.degrees;
        degrees[along] = degree.saturating_sub(1);
        let count = (degrees[0] + 1) * (degrees[1] + 1);
        if degree == 0 {
            return Net { degrees, values: vec![[0.0; 4]; count], error: [0.0; 4] };
        }
        let factor = degree as f64;
        let step = if along == 0 { across } else { 1 };
        let from = |at: usize| if along == 0 { at } else { at / degree * across + at % degree };
        let values: Vec<[f64; 4]> = (0..count)
            .map(|at| {
                let (a, b) = (self.values[from(at)], self.values[from(at) + step]);
                std::array::from_fn(|c| (b[c] - a[c]) * factor / length)
            })
            .collect();
        let (size, mut error) = (greatest(&self.values), self.error);
        let scale = 2.0 * factor / length * (1.0 + 16.0 * U);
        for c in 0..4 {
            let constant = self.is_constant(c);
            error[c] = if constant { 0.0 } else { (self.error[c] + 5.0 * U * size[c]) * scale + UNDERFLOW };
        }
        Net { degrees, values, error }
    }

    /// Whether nothing is uncertain about a coordinate and nothing differs, as with equal weights: a constant stays what it is, and its
    /// derivative is zero exactly.
    fn is_constant(&self, c: usize) -> bool {
        self.error[c] == 0.0 && self.values.iter().all(|value| value[c] == self.values[0][c])
    }

    /// The net over a part of the unit square.
    ///
    /// Coefficient (i, j) is the blossom at p − i times the low end and i times the high end along u, the same along v; within the unit
    /// square it is cheaper to cut twice. Error: each of at most 2(p + q) steps (1−t)x + ty errs by at most 3 roundings of (|1−t| + |t|)
    /// times the greatest coefficient M; where t is outside of [0, 1] a step also lets errors and coefficients grow by that factor.
    #[must_use]
    pub(crate) fn restricted(&self, to: [[f64; 2]; 2]) -> Net {
        let [p, q] = self.degrees;
        let across = q + 1;
        let mut values = self.values.clone();
        let mut scratch = [[[0.0; 4]; MOST_DEGREE + 1]; 2];
        for j in 0..across {
            restrict(&mut values[j..], across, p, to[0], &mut scratch);
        }
        for row in values.chunks_exact_mut(across) {
            restrict(row, 1, q, to[1], &mut scratch);
        }
        let mut error = self.error_at(to);
        for c in 0..4 {
            if self.is_constant(c) {
                error[c] = self.error[c];
                for value in &mut values {
                    value[c] = self.values[0][c];
                }
            }
        }
        Net { degrees: self.degrees, values, error }
    }

    /// What coefficients over a part of the unit square err by, as [`Net::restricted`] says.
    fn error_at(&self, to: [[f64; 2]; 2]) -> [f64; 4] {
        let [p, q] = self.degrees;
        let growth = |[a, b]: [f64; 2], degree: usize| {
            let reach = |t: f64| (1.0 - t).abs() + t.abs();
            let reach = reach(a).max(reach(b)) * (1.0 + 4.0 * U);
            (0..degree).fold(1.0 + 64.0 * U, |growth, _| growth * reach)
        };
        let inside = to.iter().flatten().all(|t| (0.0..=1.0).contains(t));
        let growth = if inside { 1.0 } else { growth(to[0], p) * growth(to[1], q) };
        let size = greatest(&self.values);
        std::array::from_fn(|c| {
            let own = 8.0 * (p + q + 1) as f64 * U * size[c];
            (self.error[c] + own) * growth * (1.0 + 8.0 * U) + UNDERFLOW
        })
    }

    /// Contains (w(S − c), w) at a point, by de Casteljau; steps and errors are those of [`Net::restricted`].
    pub(crate) fn at(&self, t: [f64; 2]) -> [Interval; 4] {
        let [p, q] = self.degrees;
        let across = q + 1;
        let mut scratch = [[[0.0; 4]; MOST_DEGREE + 1]; 2];
        let [column, row] = &mut scratch;
        for (j, value) in row[..across].iter_mut().enumerate() {
            for (i, entry) in column[..=p].iter_mut().enumerate() {
                *entry = self.values[i * across + j];
            }
            *value = casteljau(column, p, t[0]);
        }
        let value = casteljau(row, q, t[1]);
        let error = self.error_at(t.map(|t| [t, t]));
        std::array::from_fn(|c| {
            if self.is_constant(c) {
                return grown([self.values[0][c]; 2], self.error[c]);
            }
            grown([value[c]; 2], error[c])
        })
    }

    /// The net of w(S − c) − w·away = w(S − c − away), `away` known to within an interval; weights stay.
    ///
    /// Error: that of the weights times |away|, the width of `away` times the weights, two roundings of either term.
    #[must_use]
    pub(crate) fn shifted(&self, away: IntervalVector) -> Net {
        let mut net = self.clone();
        let away = [away.x, away.y, away.z];
        let size = greatest(&self.values);
        for (c, range) in away.into_iter().enumerate() {
            let (by, reach) = (range.middle(), range.magnitude());
            for value in &mut net.values {
                value[c] -= by * value[3];
            }
            let inexact = self.error[3] * reach + range.width() * (size[3] + self.error[3]);
            let rounded = 3.0 * U * (size[c] + reach * size[3]);
            net.error[c] = (self.error[c] + inexact + rounded) * (1.0 + 16.0 * U) + UNDERFLOW;
        }
        net
    }

    /// Contains (w(S − c), w) over the unit square: a Bernstein form lies in the hull of its coefficients.
    pub(crate) fn hull(&self) -> (IntervalVector, Interval) {
        let [x, y, z, w] =
            [0, 1, 2, 3].map(|c| grown(ends(self.values.iter().map(|value| value[c])), self.error[c]));
        (IntervalVector::new(x, y, z), w)
    }

    /// Contains S − c over the unit square; all of space where a weight may be zero.
    ///
    /// Positive weights make S − c a convex combination of the projected coefficients. With (a ± ea)/(w ± ew) for one of them, it is
    /// within (ea + |a/w| ew)/(w − ew) of a/w.
    pub(crate) fn projected(&self) -> IntervalVector {
        let ew = self.error[3];
        let [least, _] = ends(self.values.iter().map(|value| value[3])).map(|end| end - ew);
        if least.is_nan() || least <= 0.0 {
            return IntervalVector::cube(f64::INFINITY);
        }
        let least = least.next_down().max(f64::MIN_POSITIVE);
        let [x, y, z] = [0, 1, 2].map(|c| {
            let ends = ends(self.values.iter().map(|value| value[c] / value[3]));
            let size = ends[0].abs().max(ends[1].abs());
            // The quotient's own rounding is the second term; the factor covers the roundings of this line.
            let error = ((self.error[c] + size * ew) / least + size * U) * (1.0 + 16.0 * U) + UNDERFLOW;
            grown(ends, error)
        });
        IntervalVector::new(x, y, z)
    }

    /// Never less than |Σ| over the unit square, the weights left aside: a convex combination is no longer than the longest.
    pub(crate) fn longest(&self) -> f64 {
        let square = |value: &[f64; 4]| value[0] * value[0] + value[1] * value[1] + value[2] * value[2];
        let longest = self.values.iter().map(square).fold(0.0, f64::max);
        let [x, y, z, _] = self.error;
        if (0..3).all(|c| self.is_constant(c) && self.values[0][c] == 0.0) {
            return 0.0;
        }
        // Squares and sums err by four roundings, the root by one; where squares underflow the last term is larger than the vector.
        let length = longest.sqrt() * (1.0 + 8.0 * U) + (x + y + z) * (1.0 + 8.0 * U) + 1e-150;
        if length.is_nan() || !longest.is_finite() { self.longest_by_coordinates() } else { length }
    }

    /// Never less than |S − c| over the unit square: with positive weights a convex combination of the projected coefficients. Infinite
    /// where a weight may be zero.
    pub(crate) fn longest_projected(&self) -> f64 {
        let [x, y, z, ew] = self.error;
        // As in `longest`; the last term is larger than a vector whose squares underflow.
        let error = (x + y + z) * (1.0 + 8.0 * U) + 1e-150;
        let longest = self.values.iter().fold(0.0, |longest: f64, value| {
            let square = value[0] * value[0] + value[1] * value[1] + value[2] * value[2];
            let ratio = (square.sqrt() * (1.0 + 8.0 * U) + error) / (value[3] - ew).next_down();
            // A weight that may not be positive, or an overflow.
            if ratio >= 0.0 { longest.max(ratio) } else { f64::INFINITY }
        });
        longest * (1.0 + 8.0 * U)
    }

    fn longest_by_coordinates(&self) -> f64 {
        let (range, _) = self.hull();
        range.length().hi()
    }

    /// From coefficients, row by row, and what each coordinate errs by.
    pub(super) fn from_parts(degrees: [usize; 2], values: Vec<[f64; 4]>, error: [f64; 4]) -> Net {
        Net { degrees, values, error }
    }

    /// Degrees along u and v.
    pub(crate) fn degrees(&self) -> [usize; 2] {
        self.degrees
    }

    /// Never less than what a coefficient errs by, by coordinate.
    pub(crate) fn errors(&self) -> [f64; 4] {
        self.error
    }

    /// Its coefficients, row by row.
    pub(crate) fn values(&self) -> &[[f64; 4]] {
        &self.values
    }

    /// The greatest error of a coordinate, weights left aside.
    pub(crate) fn greatest_error(&self) -> f64 {
        self.error[0].max(self.error[1]).max(self.error[2])
    }

    /// Whether all weights are exactly one.
    pub(crate) fn has_equal_weights(&self) -> bool {
        self.error[3] == 0.0
    }
}

/// The coefficients `values[k · step]`, k = 0..=degree, over a part of the unit interval, in place.
fn restrict(
    values: &mut [[f64; 4]],
    step: usize,
    degree: usize,
    [a, b]: [f64; 2],
    [scratch, row]: &mut [[[f64; 4]; MOST_DEGREE + 1]; 2],
) {
    if a == 0.0 && b == 1.0 {
        return;
    }
    for k in 0..=degree {
        row[k] = values[k * step];
    }
    let row = &mut row[..=degree];
    if !(0.0..=1.0).contains(&a) || !(0.0..=1.0).contains(&b) {
        blossoms(row, [a, b], scratch);
    } else if b >= 0.5 {
        // Up to b, then from what part of that a is; rounded so that nothing is cut off.
        keep_low(row, b);
        keep_high(row, (a / b).next_down().max(0.0));
    } else {
        keep_high(row, a);
        keep_low(row, ((b - a) / (1.0 - a) * (1.0 + 8.0 * U)).min(1.0));
    }
    for k in 0..=degree {
        values[k * step] = row[k];
    }
}

/// The coefficients over [0, t], by de Casteljau.
fn keep_low(row: &mut [[f64; 4]], t: f64) {
    if t == 1.0 {
        return;
    }
    for k in 1..row.len() {
        for i in (k..row.len()).rev() {
            row[i] = lerp(row[i - 1], row[i], t);
        }
    }
}

/// The coefficients over [t, 1].
fn keep_high(row: &mut [[f64; 4]], t: f64) {
    if t == 0.0 {
        return;
    }
    for length in (1..row.len()).rev() {
        for i in 0..length {
            row[i] = lerp(row[i], row[i + 1], t);
        }
    }
}

/// The coefficients over any [a, b]: after k steps with b the remaining ones with a make the k-th.
fn blossoms(row: &mut [[f64; 4]], [a, b]: [f64; 2], scratch: &mut [[f64; 4]; MOST_DEGREE + 1]) {
    let degree = row.len() - 1;
    let mut found = [[0.0; 4]; MOST_DEGREE + 1];
    for (k, found) in found[..=degree].iter_mut().enumerate() {
        let left = degree - k;
        scratch[..=left].copy_from_slice(&row[..=left]);
        *found = casteljau(scratch, left, a);
        for i in 0..left {
            row[i] = lerp(row[i], row[i + 1], b);
        }
    }
    row.copy_from_slice(&found[..=degree]);
}

/// The value at t of the form whose first `degree + 1` coefficients these are; they are used up.
fn casteljau(row: &mut [[f64; 4]; MOST_DEGREE + 1], degree: usize, t: f64) -> [f64; 4] {
    for length in (1..=degree).rev() {
        for i in 0..length {
            row[i] = lerp(row[i], row[i + 1], t);
        }
    }
    row[0]
}

fn lerp(x: [f64; 4], y: [f64; 4], t: f64) -> [f64; 4] {
    let rest = 1.0 - t;
    std::array::from_fn(|c| rest * x[c] + t * y[c])
}

fn greatest(values: &[[f64; 4]]) -> [f64; 4] {
    values.iter().fold([0.0; 4], |most: [f64; 4], value| std::array::from_fn(|c| most[c].max(value[c].abs())))
}

/// Least and greatest; not numbers where one is not finite, as minima of doubles would pass over those.
fn ends(values: impl Iterator<Item = f64>) -> [f64; 2] {
    let (lo, hi, check) = values.fold((f64::INFINITY, f64::NEG_INFINITY, 0.0), |(lo, hi, check), value| {
        (value.min(lo), value.max(hi), check + value * 0.0)
    });
    [lo + check, hi + check]
}

fn grown([lo, hi]: [f64; 2], by: f64) -> Interval {
    Interval::new((lo - by).next_down(), (hi + by).next_up())
}

/// A vector that is known in doubles, moved by a range.
pub(crate) fn moved(range: IntervalVector, by: DVec3) -> IntervalVector {
    range + IntervalVector::point(by)
}
