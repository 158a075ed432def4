//! B-spline curves before they are checked: turned round, moved, begun elsewhere.

use super::shift::Shift;
use kontakt_curved::{NurbsCurve, NurbsError};
use kontakt_math::DVec3;

/// Numbers of a B-spline curve, as a file gives them.
#[derive(Clone, Debug)]
pub(crate) struct Spline {
    pub(crate) degree: usize,
    pub(crate) knots: Vec<f64>,
    pub(crate) points: Vec<DVec3>,
    pub(crate) weights: Option<Vec<f64>>,
}

impl Spline {
    /// Points one after the other, joined by lines.
    pub(crate) fn polyline(points: Vec<DVec3>) -> Spline {
        let last = points.len().saturating_sub(1);
        let knots = std::iter::once(0).chain(0..=last).chain([last]).map(|knot| knot as f64).collect();
        Spline { degree: 1, knots, points, weights: None }
    }

    pub(crate) fn curve(mut self) -> Result<NurbsCurve, NurbsError> {
        self.mend();
        NurbsCurve::new(self.degree, self.knots, self.points, self.weights)
    }

    pub(crate) fn reversed(mut self) -> Spline {
        self.knots.reverse();
        self.knots.iter_mut().for_each(|knot| *knot = -*knot);
        self.points.reverse();
        if let Some(weights) = &mut self.weights {
            weights.reverse();
        }
        self
    }

    pub(crate) fn moved(mut self, shift: &Shift) -> Spline {
        self.points.iter_mut().for_each(|point| *point = shift.point(*point));
        self
    }

    /// A knot `degree + 1` times inside stands between two control points; where these are one point it may stand once less.
    fn mend(&mut self) {
        let p = self.degree;
        let sound = p > 0
            && self.knots.len() == self.points.len() + p + 1
            && self.weights.as_ref().is_none_or(|weights| weights.len() == self.points.len());
        let mut i = 1;
        while sound && i + p + 1 < self.knots.len() - 1 {
            let repeated = self.knots[i] == self.knots[i + p] && i > 0 && i < self.points.len();
            let inside = self.knots[0] < self.knots[i] && self.knots[i] < self.knots[self.knots.len() - 1];
            let one = repeated && inside && self.points[i - 1] == self.points[i];
            if one && self.weights.as_ref().is_none_or(|weights| weights[i - 1] == weights[i]) {
                self.knots.remove(i);
                self.points.remove(i);
                if let Some(weights) = &mut self.weights {
                    weights.remove(i);
                }
            } else {
                i += 1;
            }
        }
    }

    /// The same closed curve, begun at `t` inside of its domain.
    pub(crate) fn begun_at(&self, t: f64) -> Option<Spline> {
        let p = self.degree;
        let mut net = Net::of(self).clamped(p)?;
        let first = *net.knots.first()?;
        let last = *net.knots.last()?;
        if !(first < t && t < last) {
            return None;
        }
        while net.knots.iter().filter(|&&knot| knot == t).count() < p {
            net.insert(p, t)?;
        }
        // The control point at t: the one whose p knots are all t.
        let at = net.knots.iter().position(|&knot| knot == t)? - 1;
        let (head, tail) = (&net.points[..=at], &net.points[at..]);
        let ratio = tail.last()?[3] / head.first()?[3];
        let joined = tail.iter().copied().chain(head[1..].iter().map(|point| point.map(|c| c * ratio)));
        let after = net.knots[at + p + 1..net.points.len()].iter().copied();
        let before = net.knots[p + 1..=at].iter().map(|knot| knot + (last - first));
        let knots = std::iter::repeat_n(t, p + 1)
            .chain(after)
            .chain(std::iter::repeat_n(last, p))
            .chain(before)
            .chain(std::iter::repeat_n(t + (last - first), p + 1))
            .collect();
        Some(Net { knots, points: joined.collect() }.spline(p, self.weights.is_some()))
    }
}

/// Knots and control points times their weights, with these.
struct Net {
    knots: Vec<f64>,
    points: Vec<[f64; 4]>,
}

impl Net {
    fn of(spline: &Spline) -> Net {
        let weight = |i: usize| spline.weights.as_ref().map_or(1.0, |weights| weights[i]);
        let lifted = |(i, p): (usize, &DVec3)| [p.x * weight(i), p.y * weight(i), p.z * weight(i), weight(i)];
        Net { knots: spline.knots.clone(), points: spline.points.iter().enumerate().map(lifted).collect() }
    }

    /// The same curve whose first and last control points are its ends.
    fn clamped(mut self, p: usize) -> Option<Net> {
        let (a, b) = (*self.knots.get(p)?, *self.knots.get(self.points.len())?);
        for end in [a, b] {
            while self.knots.iter().filter(|&&knot| knot == end).count() < p {
                self.insert(p, end)?;
            }
        }
        let from = (self.knots.iter().rposition(|&knot| knot == a)? + 1).checked_sub(p)?;
        let to = self.knots.iter().position(|&knot| knot == b)?;
        let inside = self.knots.get(from..to + p)?;
        let knots = std::iter::once(a).chain(inside.iter().copied()).chain([b]).collect();
        Some(Net { knots, points: self.points.get(from.checked_sub(1)?..to)?.to_vec() })
    }

    /// Boehm: one more knot, the curve unchanged.
    fn insert(&mut self, degree: usize, t: f64) -> Option<()> {
        let span = self.knots.iter().rposition(|&knot| knot <= t)?;
        let first = span.checked_sub(degree)? + 1;
        let mut fresh = Vec::with_capacity(degree);
        for i in first..=span {
            let (from, to) = (self.knots[i], *self.knots.get(i + degree)?);
            let part = (t - from) / (to - from);
            let (a, b) = (*self.points.get(i - 1)?, self.points.get(i).copied());
            let b = b.or((part == 0.0).then_some(a))?;
            fresh.push(std::array::from_fn(|c| a[c] * (1.0 - part) + b[c] * part));
        }
        self.points.splice(first..span, fresh);
        self.knots.insert(span + 1, t);
        Some(())
    }

    fn spline(self, degree: usize, rational: bool) -> Spline {
        let weights = rational.then(|| self.points.iter().map(|point| point[3]).collect());
        let points = self.points.iter().map(|&[x, y, z, w]| DVec3::new(x, y, z) / w).collect();
        Spline { degree, knots: self.knots, points, weights }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A closed rational quarter-by-quarter circle, begun at each of some places, stays the circle.
    #[test]
    fn a_closed_curve_may_begin_anywhere() {
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let corners = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0)];
        let circle = Spline {
            degree: 2,
            knots: vec![0.0, 0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 4.0, 4.0, 4.0],
            points: corners.map(|(x, y)| DVec3::new(f64::from(x), f64::from(y), 0.0)).to_vec(),
            weights: Some((0..9).map(|i| if i % 2 == 0 { 1.0 } else { half }).collect()),
        };
        let curve = circle.clone().curve().unwrap();
        for t in [0.25, 1.0, 1.5, 3.75] {
            let turned = circle.begun_at(t).unwrap().curve().unwrap();
            assert_eq!(turned.domain(), [t, t + 4.0]);
            for i in 0..=40 {
                let s = t + f64::from(i) * 0.1;
                let plain = curve.jet(if s > 4.0 { s - 4.0 } else { s }).point;
                assert!((turned.jet(s).point - plain).length() < 1e-12, "begun at {t}, at {s}");
            }
        }
        assert!(circle.begun_at(0.0).is_none() && circle.begun_at(4.0).is_none());
    }

    /// A periodic cubic with no knot repeated.
    #[test]
    fn a_curve_that_is_not_clamped_may_begin_anywhere() {
        let corner = |i: usize| DVec3::new([2.0, 0.0, -2.0, 0.0][i % 4], [0.0, 1.0, 0.0, -3.0][i % 4], 0.0);
        let knots: Vec<f64> = (0..11).map(|i| f64::from(i) - 3.0).collect();
        let spline = Spline { degree: 3, knots, points: (0..7).map(corner).collect(), weights: None };
        let curve = spline.clone().curve().unwrap();
        assert_eq!(curve.domain(), [0.0, 4.0]);
        let turned = spline.begun_at(1.25).unwrap().curve().unwrap();
        assert_eq!(turned.domain(), [1.25, 5.25]);
        for i in 0..=40 {
            let s = 1.25 + f64::from(i) * 0.1;
            let plain = curve.jet(if s > 4.0 { s - 4.0 } else { s }).point;
            assert!((turned.jet(s).point - plain).length() < 1e-12, "at {s}");
        }
    }

    #[test]
    fn a_knot_that_is_repeated_once_too_often_goes() {
        let x = |x: f64| DVec3::new(x, x * x, 0.0);
        let spline = Spline {
            degree: 1,
            knots: vec![0.0, 0.0, 1.0, 1.0, 2.0, 2.0],
            points: vec![x(0.0), x(1.0), x(1.0), x(2.0)],
            weights: None,
        };
        let curve = spline.curve().unwrap();
        assert_eq!(curve.points().len(), 3);
        assert_eq!(curve.jet(1.5).point, (x(1.0) + x(2.0)) / 2.0);
    }
}
