//! Bounds of second derivatives over ranges of parameters: how far a curve or a surface may leave its chord or its tangent.
//!
//! Every bound is **never less** than the exact value of the exact curve or surface, as the doubles say.

use crate::curve::Curve;
use crate::frame::Frame;
use crate::surface::Surface;
use kontakt_math::round::{add_up, dot_up};
use kontakt_math::trigonometry::{cos, sin};
use kontakt_math::{DVec3, Interval, IntervalVector};

/// Bounds of a surface's second derivatives over a box of parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SecondBounds {
    /// Never less than |Suu|.
    pub uu: f64,
    /// Never less than |Suv|.
    pub uv: f64,
    /// Never less than |Svv|.
    pub vv: f64,
}

impl Curve {
    /// Never less than |C″| over a range. Of a B-spline each piece is taken for itself: across a knot where the first derivative jumps
    /// the bound says nothing, see [`NurbsCurve::breaks`](crate::NurbsCurve::breaks).
    pub fn second_bound(&self, t: [f64; 2]) -> f64 {
        match self {
            Curve::Line { .. } => 0.0,
            Curve::Ellipse { frame, radii } => finite(ellipse_reach(frame, *radii, range(t), false)),
            Curve::Nurbs(curve) => curve.second_bound(t),
        }
    }

    /// **Never less** than the distance of a stretch, along which no first derivative jumps, from its chord at the same share of the way:
    /// an eighth of the largest second derivative times the length squared.
    pub fn sagitta(&self, from: f64, to: f64) -> f64 {
        let step = to - from;
        self.second_bound([from, to]) * step * step / 8.0 * (1.0 + 1e-12)
    }

    /// Contains all points and all first derivatives over a range.
    pub fn range_over(&self, t: [f64; 2]) -> [IntervalVector; 2] {
        match self {
            Curve::Line { origin, direction } => {
                let way = IntervalVector::point(*direction);
                [IntervalVector::point(*origin) + way.scale(range(t)), way]
            }
            Curve::Ellipse { frame, radii: [a, b] } => {
                let (sin, cos) = (sin(range(t)), cos(range(t)));
                let [x, y] = [frame.x, frame.y].map(IntervalVector::point);
                let [a, b] = [a, b].map(|&r| Interval::point(r));
                let point = IntervalVector::point(frame.origin) + x.scale(a * cos) + y.scale(b * sin);
                [point, y.scale(b * cos) - x.scale(a * sin)]
            }
            Curve::Nurbs(curve) => curve.range_over(t),
        }
    }
}

impl Curve {
    /// Contains all points, first and second derivatives over a range.
    pub fn second_range_over(&self, t: [f64; 2]) -> [IntervalVector; 3] {
        match self {
            Curve::Line { .. } => {
                let [point, slope] = self.range_over(t);
                [point, slope, IntervalVector::cube(0.0)]
            }
            Curve::Ellipse { frame, .. } => {
                let [point, slope] = self.range_over(t);
                [point, slope, IntervalVector::point(frame.origin) - point]
            }
            Curve::Nurbs(curve) => curve.second_range_over(t),
        }
    }
}

impl Surface {
    /// Never less than |Suu|, |Suv| and |Svv| over a box. Of a B-spline each piece is taken for itself: across a knot where a first
    /// derivative jumps the bounds say nothing, see [`NurbsSurface::breaks`](crate::NurbsSurface::breaks).
    pub fn second_bounds(&self, u: [f64; 2], v: [f64; 2]) -> SecondBounds {
        let bounds = |[uu, uv, vv]: [f64; 3]| SecondBounds { uu, uv, vv };
        match self {
            Surface::Plane(_) => bounds([0.0; 3]),
            Surface::Sphere { frame, radius } => bounds(torus_bounds(frame, 0.0, *radius, range(v))),
            Surface::Torus { frame, major, minor } => bounds(torus_bounds(frame, *major, *minor, range(v))),
            Surface::Cylinder { frame, radii } => {
                bounds(cone_bounds(frame, *radii, Interval::ZERO, [range(u), range(v)]))
            }
            Surface::Cone { frame, radii, slope } => {
                let growth = Interval::point(*slope) / Interval::point(radii[0]);
                bounds(cone_bounds(frame, *radii, growth, [range(u), range(v)]))
            }
            Surface::Extrusion { curve, .. } => bounds([curve.second_bound(u), 0.0, 0.0]),
            Surface::Revolution { curve, frame } => bounds(revolution_bounds(curve, frame, v)),
            Surface::Nurbs(surface) => bounds(surface.second_bounds(u, v)),
        }
    }
}

pub(crate) fn range([lo, hi]: [f64; 2]) -> Interval {
    Interval::new(lo, hi)
}

/// An upper end; infinite where nothing is known.
fn finite(bound: Interval) -> f64 {
    if bound.is_empty() { f64::INFINITY } else { bound.hi() }
}

/// Contains cosine and sine over a range: those of its middle, from which they differ by no more than the angle does.
fn cos_sin(t: Interval) -> [Interval; 2] {
    let middle = Interval::point(t.middle());
    let off = (t - middle).magnitude();
    let around = |value: Interval| (value + Interval::new(-off, off)).intersect(Interval::new(-1.0, 1.0));
    [around(cos(middle)), around(sin(middle))]
}

/// Contains the greatest |ax + by| of a² + b² ≤ 1 with the first two axes, or with all three: one, to rounding.
///
/// The square of a matrix' norm is the norm of its Gram matrix, which is no more than the greatest sum of sizes in a row (Gershgorin).
pub(crate) fn stretch(frame: &Frame) -> Interval {
    let axes = [frame.x, frame.y, frame.z];
    let size = |a: DVec3, b: DVec3| dot_up(a, b).max(dot_up(-a, b));
    let sum = |i: usize| axes.iter().fold(0.0, |sum, &axis| add_up(sum, size(axis, axes[i])));
    Interval::point(sum(0).max(sum(1)).max(sum(2))).sqrt()
}

/// Contains the greatest |a cos t x + b sin t y|, over a range of t, which may be turned by a quarter.
///
/// a²cos² + b²sin² = b² + (a² − b²)cos² grows with cos² or falls with it.
fn ellipse_reach(frame: &Frame, [a, b]: [f64; 2], t: Interval, turned: bool) -> Interval {
    let stretch = stretch(frame);
    if a == b {
        return Interval::point(a.abs()) * stretch;
    }
    let [cos, sin] = cos_sin(t);
    let along_x = if turned { sin } else { cos };
    let [a, b] = [a, b].map(|r| Interval::point(r).square());
    let reach = (b + (a - b) * along_x.square()).sqrt();
    Interval::point(reach.hi()) * stretch
}

/// Suu = −(R + r cos v)·out, Suv = −r sin v·round, Svv = −r(cos v·out + sin v·z), where `out`, `round` and z are unit vectors at
/// right angles, to the frame's rounding.
fn torus_bounds(frame: &Frame, major: f64, minor: f64, v: Interval) -> [f64; 3] {
    let (stretch, minor) = (stretch(frame), Interval::point(minor));
    let [cos, sin] = cos_sin(v);
    let reach = Interval::point(major) + minor * cos;
    [reach.abs() * stretch, (minor * sin).abs() * stretch, minor.abs() * stretch].map(finite)
}

/// Suu = −(1 + vs)(a cos u x + b sin u y), Suv = s(b cos u y − a sin u x), Svv = 0.
fn cone_bounds(frame: &Frame, radii: [f64; 2], growth: Interval, [u, v]: [Interval; 2]) -> [f64; 3] {
    let scale = (Interval::ONE + v * growth).abs();
    let out = finite(ellipse_reach(frame, radii, u, false) * scale);
    let along = if growth == Interval::ZERO {
        0.0
    } else {
        finite(ellipse_reach(frame, radii, u, true) * growth.abs())
    };
    [out, along, 0.0]
}

/// |Suu| is the curve's distance from the axis, |Suv| the part of its first derivative square to it, |Svv| that of its second: a turn
/// about the axis changes none of them.
fn revolution_bounds(curve: &Curve, frame: &Frame, v: [f64; 2]) -> [f64; 3] {
    let axis = IntervalVector::point(frame.z);
    let size = axis.length();
    let [point, slope] = curve.range_over(v);
    let off = |x: IntervalVector| finite(x.cross(axis).length() / size);
    [off(point - IntervalVector::point(frame.origin)), off(slope), curve.second_bound(v)]
}
