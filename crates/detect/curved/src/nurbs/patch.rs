//! One polynomial piece of a rational B-spline, over one span of knots.

use super::net::{Net, moved};
use kontakt_math::{DVec3, Interval, IntervalVector, U};

/// A piece: its net, what the net is relative to, and the spans it is over.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Patch {
    net: Net,
    centre: DVec3,
    spans: [[f64; 2]; 2],
    /// Contains all points of it.
    reach: IntervalVector,
}

/// Ranges of a piece over a box: points and first derivatives by u and v.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PatchRanges {
    pub(crate) point: IntervalVector,
    pub(crate) first: [IntervalVector; 2],
}

impl Patch {
    /// From control points and weights of the spans, as [`Net::new`] takes them.
    pub(super) fn new(
        points: &[DVec3],
        weights: Option<&[f64]>,
        rows: [&[Vec<f64>]; 2],
        spans: [[f64; 2]; 2],
    ) -> Patch {
        // Relative to a point of its own, so that errors are those of the piece's size, not of its place.
        let centre = points[points.len() / 2];
        let weight = |i: usize| weights.map_or(1.0, |weights| weights[i]);
        let controls: Vec<[f64; 4]> = (0..points.len())
            .map(|i| {
                let (away, weight) = (points[i] - centre, weight(i));
                [weight * away.x, weight * away.y, weight * away.z, weight]
            })
            .collect();
        let net = Net::new(&controls, rows);
        let net = if weights.is_some() { net } else { net.with_equal_weights() };
        let reach = moved(net.projected(), centre);
        Patch { net, centre, spans, reach }
    }

    /// The part of the piece's spans, as the net counts them, that holds a box: never less than it.
    fn local(&self, of: [[f64; 2]; 2]) -> [[f64; 2]; 2] {
        std::array::from_fn(|along| {
            let ([start, end], [a, b]) = (self.spans[along], of[along]);
            // Three roundings; the fourth is that of the step outward. A box inside of the span stays inside.
            let part = |t: f64| (t - start) / (end - start);
            let (lo, hi) = (part(a), part(b));
            let (lo, hi) = (lo - lo.abs() * (8.0 * U), hi + hi.abs() * (8.0 * U));
            [if a >= start { lo.max(0.0) } else { lo }, if b <= end { hi.min(1.0) } else { hi }]
        })
    }

    /// Contains all points of the piece.
    pub(crate) fn reach(&self) -> IntervalVector {
        self.reach
    }

    /// The spans it is over, along u and v.
    pub(crate) fn spans(&self) -> [[f64; 2]; 2] {
        self.spans
    }

    /// The net of w(S − p), with parameters that run through the unit square.
    pub(crate) fn about(&self, p: DVec3) -> Net {
        self.net.shifted(IntervalVector::point(p) - IntervalVector::point(self.centre))
    }

    /// Net of a derivative along a parameter.
    fn derivative(&self, net: &Net, along: usize) -> Net {
        let [start, end] = self.spans[along];
        net.derivative(along, end - start)
    }
}

/// What a rational piece's derivatives are made of, over a box.
struct Quotient {
    weight: Interval,
    point: IntervalVector,
}

impl Quotient {
    /// S′ = (A′ − w′S)/w with A = wS.
    fn first(&self, (a, w): (IntervalVector, Interval)) -> IntervalVector {
        self.over(a - self.point.scale(w))
    }

    fn over(&self, v: IntervalVector) -> IntervalVector {
        IntervalVector::new(v.x / self.weight, v.y / self.weight, v.z / self.weight)
    }
}

impl Patch {
    /// Contains all points and first derivatives over a box, which may leave the spans.
    pub(crate) fn ranges(&self, of: [[f64; 2]; 2]) -> PatchRanges {
        let local = self.local(of);
        let value = self.net.restricted(local);
        let first = [0, 1].map(|along| self.derivative(&self.net, along).restricted(local));
        let quotient = Quotient { weight: value.hull().1, point: value.projected() };
        let first = first.map(|net| {
            let (a, w) = net.hull();
            if self.net.has_equal_weights() { a } else { quotient.first((a, w)) }
        });
        PatchRanges { point: moved(quotient.point, self.centre), first }
    }

    /// Never less than |Suu|, |Suv| and |Svv| over a box.
    ///
    /// Suv = (Auv − wu Sv − wv Su − wuv S)/w with A = wS, in ranges; S is counted from a point of the piece, which changes no
    /// derivative. Where the weights are equal the second derivatives are Bernstein forms themselves.
    pub(crate) fn seconds(&self, of: [[f64; 2]; 2]) -> [f64; 3] {
        let local = self.local(of);
        let [du, dv] = [0, 1].map(|along| self.derivative(&self.net, along));
        let second = [self.derivative(&du, 0), self.derivative(&du, 1), self.derivative(&dv, 1)];
        if self.net.has_equal_weights() {
            return second.map(|net| net.restricted(local).longest());
        }
        let value = self.net.restricted(local);
        let quotient = Quotient { weight: value.hull().1, point: value.projected() };
        let [(au, wu), (av, wv)] = [du, dv].map(|net| net.restricted(local).hull());
        let [su, sv] = [quotient.first((au, wu)), quotient.first((av, wv))];
        let sides = [(su, wu, su, wu), (sv, wu, su, wv), (sv, wv, sv, wv)];
        std::array::from_fn(|at| {
            let (a, w) = second[at].restricted(local).hull();
            let (one, by_one, other, by_other) = sides[at];
            let sum = a - one.scale(by_one) - other.scale(by_other) - quotient.point.scale(w);
            let length = quotient.over(sum).length().hi();
            if length.is_nan() { f64::INFINITY } else { length }
        })
    }
}
