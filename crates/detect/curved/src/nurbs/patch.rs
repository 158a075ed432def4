//! One polynomial piece of a rational B-spline, over one span of knots.

use super::grid::Grid;
use super::net::{Net, moved};
use super::second_form::second_forms;
use kontakt_math::{DVec3, Interval, IntervalVector, U};
use std::sync::OnceLock;

/// A piece: its net, what the net is relative to, and the spans it is over.
#[derive(Clone, Debug)]
pub(crate) struct Patch {
    net: Net,
    centre: DVec3,
    spans: [[f64; 2]; 2],
    /// Contains all points of it.
    reach: IntervalVector,
    /// Its second derivatives by the unit square's parameters, once they were asked for.
    seconds: OnceLock<Option<Box<[Net; 3]>>>,
}

/// Whether the second derivatives were asked for makes no difference.
impl PartialEq for Patch {
    fn eq(&self, other: &Patch) -> bool {
        self.net == other.net && self.centre == other.centre && self.spans == other.spans
    }
}

impl Patch {
    pub(super) fn net(&self) -> &Net {
        &self.net
    }

    /// What the net is relative to.
    pub(super) fn centre(&self) -> DVec3 {
        self.centre
    }

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
        Patch { net, centre, spans, reach, seconds: OnceLock::new() }
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

    /// Its control points and weights, rounded.
    pub(crate) fn controls(&self) -> (Vec<DVec3>, Vec<f64>) {
        let point = |value: &[f64; 4]| DVec3::new(value[0], value[1], value[2]) / value[3] + self.centre;
        (
            self.net.values().iter().map(point).collect(),
            self.net.values().iter().map(|value| value[3]).collect(),
        )
    }

    /// A point near it.
    pub(crate) fn spot(&self) -> DVec3 {
        self.centre
    }

    /// The spans it is over, along u and v.
    pub(crate) fn spans(&self) -> [[f64; 2]; 2] {
        self.spans
    }

    /// The net of w(S − p), with parameters that run through the unit square.
    pub(crate) fn about(&self, p: DVec3) -> Net {
        self.net.shifted(IntervalVector::point(p) - IntervalVector::point(self.centre))
    }

    /// **Never less** than the distance of any point over a box within the spans from a place: the square of it is one Bernstein form over
    /// another. Exact where the piece runs round the place, or round an axis through it. None where degrees are too high.
    pub(crate) fn most_distance(&self, from: DVec3, of: [[f64; 2]; 2]) -> Option<f64> {
        let net = self.about(from).restricted(self.local(of));
        let [x, y, z, w] = [0, 1, 2, 3].map(|c| Grid::of(&net, c));
        let square = x.times(&x)?.plus(&y.times(&y)?, 1.0).plus(&z.times(&z)?, 1.0);
        Some(square.greatest_ratio(&w.times(&w)?)?.sqrt() * (1.0 + 2.0 * U))
    }

    /// Nets of w(S − p) and its derivatives, parameters running through the unit square.
    pub(crate) fn jets_about(&self, p: DVec3) -> Jets {
        Jets::new(self.about(p), [1.0; 2])
    }

    /// Nets of w(S − c) and its derivatives by the spline's own parameters.
    fn jets(&self) -> Jets {
        Jets::new(self.net.clone(), self.spans.map(|[start, end]| end - start))
    }

    /// Contains all points, and all first derivatives by u and by v, over a box, which may leave the spans.
    pub(crate) fn ranges(&self, of: [[f64; 2]; 2]) -> [IntervalVector; 3] {
        let [point, du, dv] = self.jets().firsts(self.local(of));
        [moved(point, self.centre), du, dv]
    }

    /// Contains all points, all first and all second derivatives over a box, which may leave the spans.
    pub(crate) fn second_ranges(&self, of: [[f64; 2]; 2]) -> [IntervalVector; 6] {
        let mut ranges = self.jets().seconds(self.local(of));
        ranges[0] = moved(ranges[0], self.centre);
        ranges
    }

    /// Never less than |Suu|, |Suv| and |Svv| over a box. Where the weights are equal, and where degrees are low, the second derivatives
    /// are (rational) Bernstein forms themselves.
    pub(crate) fn second_bounds(&self, of: [[f64; 2]; 2]) -> [f64; 3] {
        let local = self.local(of);
        let bounds = if self.net.has_equal_weights() {
            let [_, _, _, uu, uv, vv] = &self.jets().nets();
            [uu, uv, vv].map(|net| net.restricted(local).longest())
        } else if let Some(forms) = self.second_forms() {
            let [u, v] = self.spans.map(|[start, end]| end - start);
            let scales = [u * u, u * v, v * v];
            // Three roundings of the scale and one of the quotient.
            std::array::from_fn(|i| {
                forms[i].restricted(local).longest_projected() / scales[i] * (1.0 + 16.0 * U)
            })
        } else {
            let [_, _, _, uu, uv, vv] = self.jets().seconds(local);
            [uu, uv, vv].map(|range| range.length().hi())
        };
        bounds.map(|bound| if bound.is_nan() { f64::INFINITY } else { bound })
    }

    fn second_forms(&self) -> Option<&[Net; 3]> {
        let made = || second_forms(&Jets::new(self.net.clone(), [1.0; 2]).nets()).map(Box::new);
        self.seconds.get_or_init(made).as_deref()
    }
}

/// Nets of a piece and its first derivatives; those of the second ones are made when they are asked for.
#[derive(Clone, Debug)]
pub(crate) struct Jets {
    value: Net,
    first: [Net; 2],
    lengths: [f64; 2],
}

impl Jets {
    fn new(value: Net, lengths: [f64; 2]) -> Jets {
        let first = [value.derivative(0, lengths[0]), value.derivative(1, lengths[1])];
        Jets { value, first, lengths }
    }

    /// Value, by u, by v, twice by u, by both, twice by v.
    fn nets(&self) -> [Net; 6] {
        let ([du, dv], [u, v]) = (&self.first, self.lengths);
        [
            self.value.clone(),
            du.clone(),
            dv.clone(),
            du.derivative(0, u),
            du.derivative(1, v),
            dv.derivative(1, v),
        ]
    }

    /// Contains value and first derivatives over a part of the unit square: S′ = (A′ − w′S)/w with A = wS.
    pub(crate) fn firsts(&self, local: [[f64; 2]; 2]) -> [IntervalVector; 3] {
        let value = self.value.restricted(local);
        let (point, weight) = (value.projected(), value.hull().1);
        let [du, dv] = [0, 1].map(|i| {
            let (a, w) = self.first[i].restricted(local).hull();
            if self.value.has_equal_weights() { a } else { over(a - point.scale(w), weight) }
        });
        [point, du, dv]
    }

    /// Contains value, first and second derivatives over a part of the unit square:
    /// Suv = (Auv − wu Sv − wv Su − wuv S)/w with A = wS; S is counted from a point of the piece, which changes no derivative.
    pub(crate) fn seconds(&self, local: [[f64; 2]; 2]) -> [IntervalVector; 6] {
        let [value, du, dv, uu, uv, vv] = self.nets().map(|net| net.restricted(local));
        let (point, weight) = (value.projected(), value.hull().1);
        let [(au, wu), (av, wv), uu, uv, vv] = [du, dv, uu, uv, vv].map(|net| net.hull());
        if self.value.has_equal_weights() {
            return [point, au, av, uu.0, uv.0, vv.0];
        }
        let [su, sv] = [over(au - point.scale(wu), weight), over(av - point.scale(wv), weight)];
        let two = Interval::point(2.0);
        let second = |(a, w): (IntervalVector, Interval), sides: IntervalVector| {
            over(a - sides - point.scale(w), weight)
        };
        [
            point,
            su,
            sv,
            second(uu, su.scale(two * wu)),
            second(uv, sv.scale(wu) + su.scale(wv)),
            second(vv, sv.scale(two * wv)),
        ]
    }

    /// (w³ times) half the derivatives of |S|² by u and v as one Bernstein form, where its degree is not too high.
    ///
    /// With A = wS: S·Su = (w A·Au − wu A·A)/w³, and A·Au where the weights are one. The factor is positive and changes no zero.
    pub(crate) fn distance_gradient(&self) -> Option<Net> {
        let a = [0, 1, 2].map(|c| Grid::of(&self.value, c));
        let dot = |b: &[Grid; 3]| {
            let [x, y, z] = [0, 1, 2].map(|c| a[c].times(&b[c]));
            Some(x?.plus(&y?, 1.0).plus(&z?, 1.0))
        };
        self.gradient(dot, &dot(&a)?)
    }

    /// (w² times) the derivatives of d·S by u and v as one Bernstein form: d·Su = (w d·Au − wu d·A)/w².
    pub(crate) fn extent_gradient(&self, d: DVec3) -> Option<Net> {
        let dot = |b: &[Grid; 3]| {
            let sum = Grid::zero(b[0].degrees()).plus(&b[0], d.x);
            Some(sum.plus(&b[1], d.y).plus(&b[2], d.z))
        };
        let a = [0, 1, 2].map(|c| Grid::of(&self.value, c));
        self.gradient(dot, &dot(&a)?)
    }

    /// w·dot(A′) − w′·own by both parameters, in equal degrees.
    fn gradient(&self, dot: impl Fn(&[Grid; 3]) -> Option<Grid>, own: &Grid) -> Option<Net> {
        let [u, v] = [0, 1].map(|along| {
            let slope = &self.first[along];
            let a = [0, 1, 2].map(|c| Grid::of(slope, c));
            let mut sum = dot(&a)?;
            if !self.value.has_equal_weights() {
                let less = Grid::of(slope, 3).times(own)?;
                sum = sum.times(&Grid::of(&self.value, 3))?.plus(&less, -1.0);
            }
            // What the derivative took off a degree.
            let raised: [usize; 2] = std::array::from_fn(|i| self.value.degrees()[i] - slope.degrees()[i]);
            sum.times(&Grid::one(raised))
        });
        Some(u?.paired(&v?))
    }

    /// How wide the piece is along its widest coordinate.
    pub(crate) fn size(&self) -> f64 {
        let range = self.value.projected();
        range.x.width().max(range.y.width()).max(range.z.width())
    }
}

fn over(v: IntervalVector, weight: Interval) -> IntervalVector {
    IntervalVector::new(v.x / weight, v.y / weight, v.z / weight)
}
