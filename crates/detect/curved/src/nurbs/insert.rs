//! Knot insertion and splitting, in plain doubles: the same curve or surface to rounding.

use super::{MOST_DEGREE, NurbsCurve, NurbsError, NurbsSurface};
use kontakt_math::DVec3;

/// Control points along one parameter, as (wP, w), with their knots.
#[derive(Clone)]
struct Line {
    degree: usize,
    knots: Vec<f64>,
    values: Vec<[f64; 4]>,
}

impl Line {
    fn repeated(&self, t: f64) -> usize {
        self.knots.iter().filter(|&&knot| knot == t).count()
    }

    fn domain(&self) -> [f64; 2] {
        [self.knots[self.degree], self.knots[self.values.len()]]
    }

    /// Boehm: of the points that t's span has, each but the first moves towards the one before it; one more than there were.
    fn insert(&mut self, t: f64) {
        let (degree, repeated) = (self.degree, self.repeated(t));
        // The last knot that is not above t; inside of the domain a span begins there.
        let span = self.knots.partition_point(|&knot| knot <= t) - 1;
        let old = std::mem::take(&mut self.values);
        let moves = span + 1 - degree..=span - repeated;
        self.values = (0..=old.len())
            .map(|i| {
                if i < *moves.start() {
                    return old[i];
                }
                if i > *moves.end() {
                    return old[i - 1];
                }
                let (from, to) = (self.knots[i], self.knots[i + degree]);
                let part = (t - from) / (to - from);
                std::array::from_fn(|c| (1.0 - part) * old[i - 1][c] + part * old[i][c])
            })
            .collect();
        self.knots.insert(span + 1, t);
    }

    /// What is before t and what is after it.
    fn split(mut self, t: f64) -> [Line; 2] {
        while self.repeated(t) < self.degree {
            self.insert(t);
        }
        let first = self.knots.partition_point(|&knot| knot < t);
        let degree = self.degree;
        // The point at t itself belongs to both.
        let before = Line {
            degree,
            knots: [&self.knots[..first + degree], &[t]].concat(),
            values: self.values[..first].to_vec(),
        };
        let after = Line {
            degree,
            knots: [&[t], &self.knots[first..]].concat(),
            values: self.values[first - 1..].to_vec(),
        };
        [before, after]
    }
}

fn homogeneous(points: &[DVec3], weights: &[f64]) -> Vec<[f64; 4]> {
    let weight = |i: usize| weights.get(i).copied().unwrap_or(1.0);
    let lifted = |(i, point): (usize, &DVec3)| {
        let weighted = *point * weight(i);
        [weighted.x, weighted.y, weighted.z, weight(i)]
    };
    points.iter().enumerate().map(lifted).collect()
}

fn projected(values: &[[f64; 4]]) -> (Vec<DVec3>, Vec<f64>) {
    let point = |value: &[f64; 4]| DVec3::new(value[0], value[1], value[2]) / value[3];
    (values.iter().map(point).collect(), values.iter().map(|value| value[3]).collect())
}

impl NurbsCurve {
    fn line(&self) -> Line {
        let values = homogeneous(self.points(), self.weights());
        Line { degree: self.degree(), knots: self.knots().to_vec(), values }
    }

    fn from_line(line: Line, rational: bool) -> Result<NurbsCurve, NurbsError> {
        let (points, weights) = projected(&line.values);
        NurbsCurve::new(line.degree, line.knots, points, rational.then_some(weights))
    }

    /// The same curve, to rounding, with one knot more, inside of the domain and not there `degree` times already; else as it is.
    pub fn with_knot(&self, t: f64) -> Result<NurbsCurve, NurbsError> {
        let mut line = self.line();
        if can_insert(&line, t) {
            line.insert(t);
        }
        NurbsCurve::from_line(line, !self.weights().is_empty())
    }

    /// What is before a parameter inside of the domain and what is after it, to rounding; none for one outside.
    pub fn split(&self, t: f64) -> Option<[NurbsCurve; 2]> {
        let line = self.line();
        let rational = !self.weights().is_empty();
        let [before, after] = cut(line, t)?.map(|part| NurbsCurve::from_line(part, rational).ok());
        Some([before?, after?])
    }
}

fn is_inside(line: &Line, t: f64) -> bool {
    let [lo, hi] = line.domain();
    lo < t && t < hi
}

fn can_insert(line: &Line, t: f64) -> bool {
    is_inside(line, t) && line.repeated(t) < line.degree.min(MOST_DEGREE)
}

fn cut(line: Line, t: f64) -> Option<[Line; 2]> {
    is_inside(&line, t).then(|| line.split(t))
}

impl NurbsSurface {
    /// The lines of control points along u (0) or v (1).
    fn lines(&self, along: usize) -> Vec<Line> {
        let across = self.knots()[1].len() - self.degrees()[1] - 1;
        let values = homogeneous(self.points(), self.weights());
        let line = |values: Vec<[f64; 4]>| Line {
            degree: self.degrees()[along],
            knots: self.knots()[along].to_vec(),
            values,
        };
        if along == 1 {
            return values.chunks(across).map(|row| line(row.to_vec())).collect();
        }
        (0..across).map(|j| line(values.iter().skip(j).step_by(across).copied().collect())).collect()
    }

    /// From lines along u or v, the other parameter as it is here.
    fn with_lines(&self, along: usize, lines: &[Line]) -> Option<NurbsSurface> {
        let rows: Vec<Vec<[f64; 4]>> = if along == 1 {
            lines.iter().map(|line| line.values.clone()).collect()
        } else {
            let count = lines.first()?.values.len();
            (0..count).map(|i| lines.iter().map(|line| line.values[i]).collect()).collect()
        };
        let mut knots = self.knots().map(<[_]>::to_vec);
        knots[along].clone_from(&lines.first()?.knots);
        let (points, weights): (Vec<_>, Vec<_>) = rows.iter().map(|row| projected(row)).unzip();
        let weights = (!self.weights().is_empty()).then_some(weights);
        NurbsSurface::new(self.degrees(), knots, &points, weights.as_deref()).ok()
    }

    /// The same surface, to rounding, with one knot more along u (0) or v (1); none outside of the domain or where the knot is there
    /// `degree` times already.
    pub fn with_knot(&self, along: usize, t: f64) -> Option<NurbsSurface> {
        let mut lines = self.lines(along);
        if !can_insert(lines.first()?, t) {
            return None;
        }
        for line in &mut lines {
            line.insert(t);
        }
        self.with_lines(along, &lines)
    }

    /// What is before a parameter along u (0) or v (1), inside of the domain, and what is after it, to rounding; none for one outside.
    pub fn split(&self, along: usize, t: f64) -> Option<[NurbsSurface; 2]> {
        let (before, after): (Vec<Line>, Vec<Line>) = self
            .lines(along)
            .into_iter()
            .map(|line| cut(line, t).map(<(Line, Line)>::from))
            .collect::<Option<Vec<_>>>()?
            .into_iter()
            .unzip();
        Some([self.with_lines(along, &before)?, self.with_lines(along, &after)?])
    }
}
