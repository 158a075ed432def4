//! A rational B-spline surface.

use super::knots::Knots;
use super::patch::Patch;
use super::{Homogeneous, NurbsError};
use crate::jet::SurfaceJet;
use kontakt_math::{DVec3, Interval, IntervalVector};

/// A rational B-spline surface; weights are above zero.
#[derive(Clone, Debug, PartialEq)]
pub struct NurbsSurface {
    u: Knots,
    v: Knots,
    /// Row by row: all of the second parameter for the first value of the first one, and so on.
    points: Vec<DVec3>,
    /// Empty where all are one.
    weights: Vec<f64>,
    /// Its polynomial pieces, row by row; they follow from the rest.
    pieces: Vec<Patch>,
    /// How far it ends from where it begins along u and v, where it closes.
    seams: [Option<f64>; 2],
}

impl NurbsSurface {
    /// From degrees, all knots with their repetitions, rows of control points (a row has one index along u), and rows of weights (or
    /// none).
    pub fn new(
        degrees: [usize; 2],
        knots: [Vec<f64>; 2],
        rows: &[Vec<DVec3>],
        weights: Option<&[Vec<f64>]>,
    ) -> Result<NurbsSurface, NurbsError> {
        let across = rows.first().map_or(0, Vec::len);
        let [u, v] = knots;
        let ragged = rows.iter().any(|row| row.len() != across)
            || weights.is_some_and(|weights| {
                weights.len() != rows.len() || weights.iter().any(|row| row.len() != across)
            });
        if ragged {
            return Err(NurbsError::Ragged);
        }
        let u = Knots::new(degrees[0], u, rows.len())?;
        let v = Knots::new(degrees[1], v, across)?;
        let points = rows.concat();
        let weights = super::checked(&points, weights.map(<[_]>::concat))?;
        let pieces = pieces([&u, &v], &points, &weights);
        let seams = seams([&u, &v], &pieces, &points);
        Ok(NurbsSurface { u, v, points, weights, pieces, seams })
    }

    /// Where the parameters run: that of u, that of v.
    pub fn domain(&self) -> [[f64; 2]; 2] {
        [self.u.domain(), self.v.domain()]
    }

    /// Degrees along u and v.
    pub fn degrees(&self) -> [usize; 2] {
        [self.u.degree(), self.v.degree()]
    }

    /// Control points, row by row.
    pub fn points(&self) -> &[DVec3] {
        &self.points
    }

    /// Weights of the control points, row by row; none where all are equal.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// All knots with their repetitions, along u and v.
    pub fn knots(&self) -> [&[f64]; 2] {
        [self.u.values(), self.v.values()]
    }

    /// The distinct knots of the domain along u and v, its ends among them: between neighbours the surface is smooth.
    pub fn breaks(&self) -> [&[f64]; 2] {
        [self.u.breaks(), self.v.breaks()]
    }

    /// Whether it ends where it begins along u and along v, to a billionth of its size.
    pub fn closes(&self) -> [bool; 2] {
        self.seams.map(|seam| seam.is_some())
    }

    /// **Never less** than the distance of its end from its begin along u and along v, where it closes.
    pub(crate) fn seams(&self) -> [Option<f64>; 2] {
        self.seams
    }

    /// The parts of the domain along u and v in which no first derivative jumps, each up to the last double of it.
    pub(crate) fn smooth_parts(&self) -> [Vec<[f64; 2]>; 2] {
        [self.u.smooth_parts(), self.v.smooth_parts()]
    }

    /// Point and derivatives; outside of the domain the nearest piece goes on.
    pub fn jet(&self, u: f64, v: f64) -> SurfaceJet {
        let [span_u, span_v] = [self.u.span(u), self.v.span(v)];
        let basis_u = self.u.basis(span_u, u);
        let basis_v = self.v.basis(span_v, v);
        let across = self.v.points();
        let mut sums = [Homogeneous::ZERO; 6];
        for i in 0..=self.u.degree() {
            let from = (span_u - self.u.degree() + i) * across + span_v - self.v.degree();
            // Along v first: value, first and second derivative of the row.
            let mut row = [Homogeneous::ZERO; 3];
            for j in 0..=self.v.degree() {
                let weight = self.weights.get(from + j).copied().unwrap_or(1.0);
                let weighted = Homogeneous { point: self.points[from + j] * weight, weight };
                row[0].mix(&weighted, basis_v.value[j]);
                row[1].mix(&weighted, basis_v.first[j]);
                row[2].mix(&weighted, basis_v.second[j]);
            }
            let [value, first, second] = [basis_u.value[i], basis_u.first[i], basis_u.second[i]];
            sums[0].mix(&row[0], value);
            sums[1].mix(&row[0], first);
            sums[2].mix(&row[1], value);
            sums[3].mix(&row[0], second);
            sums[4].mix(&row[1], first);
            sums[5].mix(&row[2], value);
        }
        let [a, au, av, auu, auv, avv] = sums;
        let w = a.weight;
        let point = a.point / w;
        let du = (au.point - point * au.weight) / w;
        let dv = (av.point - point * av.weight) / w;
        SurfaceJet {
            point,
            du,
            dv,
            duu: (auu.point - du * (2.0 * au.weight) - point * auu.weight) / w,
            duv: (auv.point - dv * au.weight - du * av.weight - point * auv.weight) / w,
            dvv: (avv.point - dv * (2.0 * av.weight) - point * avv.weight) / w,
        }
    }
}

impl NurbsSurface {
    /// Never less than |Suu|, |Suv| and |Svv| over a box, each piece taken for itself: at a knot where a derivative jumps, that of the
    /// pieces that the box reaches.
    pub fn second_bounds(&self, u: [f64; 2], v: [f64; 2]) -> [f64; 3] {
        let most = |most: [f64; 3], of: [f64; 3]| std::array::from_fn(|i| most[i].max(of[i]));
        self.reached(u, v).map(|piece| piece.second_bounds([u, v])).fold([0.0; 3], most)
    }

    /// Contains all points, and all first derivatives by u and by v, over a box, each piece taken for itself. Infinite only where numbers
    /// overflow.
    pub fn range_over(&self, u: [f64; 2], v: [f64; 2]) -> [IntervalVector; 3] {
        super::hulls(self.reached(u, v).map(|piece| piece.ranges([u, v])))
    }

    /// Contains all points, first derivatives by u and v, and second ones (uu, uv, vv) over a box, each piece taken for itself.
    pub fn second_range_over(&self, u: [f64; 2], v: [f64; 2]) -> [IntervalVector; 6] {
        super::hulls(self.reached(u, v).map(|piece| piece.second_ranges([u, v])))
    }

    /// Its polynomial pieces.
    pub(crate) fn pieces(&self) -> &[Patch] {
        &self.pieces
    }

    /// Contains all points over a box.
    pub fn point_over(&self, u: Interval, v: Interval) -> IntervalVector {
        self.range_over([u.lo(), u.hi()], [v.lo(), v.hi()])[0]
    }

    fn reached(&self, u: [f64; 2], v: [f64; 2]) -> impl Iterator<Item = &Patch> {
        let across = self.v.breaks().len() - 1;
        let columns = self.v.reached(v);
        self.u
            .reached(u)
            .flat_map(move |row| columns.clone().map(move |column| &self.pieces[row * across + column]))
    }
}

fn pieces([u, v]: [&Knots; 2], points: &[DVec3], weights: &[f64]) -> Vec<Patch> {
    let across = v.points();
    let held = |[row, column]: [usize; 2]| {
        let columns = column - v.degree()..=column;
        (row - u.degree()..=row).flat_map(move |i| columns.clone().map(move |j| i * across + j))
    };
    let along = |knots: &Knots| -> Vec<(usize, Vec<Vec<f64>>)> {
        knots.spans().map(|span| (span, knots.bezier_rows(span))).collect()
    };
    let [spans_u, spans_v] = [along(u), along(v)];
    let mut pieces = Vec::with_capacity(spans_u.len() * spans_v.len());
    for (row, rows_u) in &spans_u {
        for (column, rows_v) in &spans_v {
            let of = |knots: &Knots, span: usize| [knots.values()[span], knots.values()[span + 1]];
            let at: Vec<usize> = held([*row, *column]).collect();
            let points: Vec<DVec3> = at.iter().map(|&i| points[i]).collect();
            let weights: Option<Vec<f64>> =
                (!weights.is_empty()).then(|| at.iter().map(|&i| weights[i]).collect());
            let spans = [of(u, *row), of(v, *column)];
            pieces.push(Patch::new(&points, weights.as_deref(), [rows_u, rows_v], spans));
        }
    }
    pieces
}

/// Writers print as few as ten digits of knots, weights and points.
const CLOSE: f64 = 1e-9;

/// How far a surface ends from where it begins along u and v; none where it does not close. Borders of its first and last pieces are
/// compared, so that the knots may be clamped or not.
///
/// With equal weights, points of two such borders are the same means of control points that are so far apart. Weights that differ by a
/// share s, after division by the first, change a mean by at most 2 s times the extent; roundings are covered by the last term.
fn seams([u, v]: [&Knots; 2], pieces: &[Patch], points: &[DVec3]) -> [Option<f64>; 2] {
    let [rows, across] = [u, v].map(|knots| knots.breaks().len() - 1);
    let (low, high) = points
        .iter()
        .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), x| (low.min(*x), high.max(*x)));
    let (extent, size) = ((high - low).length(), low.abs().max(high.abs()).max_element());
    let apart = |one: &Patch, other: &Patch, along: usize| {
        let [p, q] = one.net().degrees();
        let width = q + 1;
        let ((a, weights_a), (b, weights_b)) = (one.controls(), other.controls());
        let ends = |k: usize| if along == 0 { (k, p * width + k) } else { (k * width, k * width + q) };
        let count = if along == 0 { q } else { p };
        let (first, last) = ends(0);
        let gap = |k: usize| {
            let (begin, end) = ends(k);
            let share = (weights_a[begin] / weights_a[first]) / (weights_b[end] / weights_b[last]) - 1.0;
            (a[begin] - b[end]).length() + 2.0 * share.abs() * extent
        };
        (0..=count).map(gap).fold(0.0, f64::max)
    };
    let along_u = || (0..across).map(|j| apart(&pieces[j], &pieces[(rows - 1) * across + j], 0));
    let along_v = || (0..rows).map(|i| apart(&pieces[i * across], &pieces[i * across + across - 1], 1));
    let worst = [along_u().fold(0.0, f64::max), along_v().fold(0.0, f64::max)];
    worst.map(|gap| (gap <= CLOSE * extent).then_some(gap + 1e-14 * (extent + size)))
}
