//! Ranges of a surface and its first derivatives over boxes of parameters.

use crate::bound::range;
use crate::curve::Curve;
use crate::frame::Frame;
use crate::surface::Surface;
use kontakt_math::trigonometry::{cos, sin};
use kontakt_math::{Interval, IntervalVector};

impl Surface {
    /// Contains all points, and all first derivatives by u and by v, over a box.
    pub fn range_over(&self, u: [f64; 2], v: [f64; 2]) -> [IntervalVector; 3] {
        let (wide_u, wide_v) = (range(u), range(v));
        match self {
            Surface::Plane(frame) => {
                let [o, x, y, _] = axes(frame);
                [o + x.scale(wide_u) + y.scale(wide_v), x, y]
            }
            Surface::Sphere { frame, radius } => torus(frame, [0.0, *radius], [wide_u, wide_v]),
            Surface::Torus { frame, major, minor } => torus(frame, [*major, *minor], [wide_u, wide_v]),
            Surface::Cylinder { frame, radii } => cone(frame, *radii, Interval::ZERO, [wide_u, wide_v]),
            Surface::Cone { frame, radii, slope } => {
                let growth = Interval::point(*slope) / Interval::point(radii[0]);
                cone(frame, *radii, growth, [wide_u, wide_v])
            }
            Surface::Extrusion { curve, direction } => {
                let ([point, slope], way) = (curve.range_over(u), IntervalVector::point(*direction));
                [point + way.scale(wide_v), slope, way]
            }
            Surface::Revolution { curve, frame } => revolution(curve, frame, wide_u, v),
            Surface::Nurbs(surface) => surface.range_over(u, v),
        }
    }
}

impl Surface {
    /// Contains all points, first derivatives by u and v, and second ones (uu, uv, vv) over a box.
    pub fn second_range_over(&self, u: [f64; 2], v: [f64; 2]) -> [IntervalVector; 6] {
        let [point, du, dv] = self.range_over(u, v);
        let none = IntervalVector::cube(0.0);
        match self {
            Surface::Plane(_) => [point, du, dv, none, none, none],
            Surface::Sphere { frame, radius } => {
                round_seconds(frame, *radius, [range(u), range(v)], [point, du, dv])
            }
            Surface::Torus { frame, minor, .. } => {
                round_seconds(frame, *minor, [range(u), range(v)], [point, du, dv])
            }
            Surface::Cylinder { frame, .. } => {
                let [o, _, _, z] = axes(frame);
                [point, du, dv, o + z.scale(range(v)) - point, none, none]
            }
            Surface::Cone { frame, radii, slope } => {
                let [o, x, y, z] = axes(frame);
                let [a, b] = radii.map(Interval::point);
                let growth = Interval::point(*slope) / a;
                let along = y.scale(b * cos(range(u))) - x.scale(a * sin(range(u)));
                [point, du, dv, o + z.scale(range(v)) - point, along.scale(growth), none]
            }
            Surface::Extrusion { curve, .. } => [point, du, dv, curve.second_range_over(u)[2], none, none],
            Surface::Revolution { curve, frame } => {
                let [o, _, _, z] = axes(frame);
                let z = z.scale(Interval::ONE / z.length());
                let out = point - o;
                let turned = turned(z, curve.second_range_over(v)[2], range(u));
                [point, du, dv, z.scale(z.dot(out)) - out, z.cross(dv), turned]
            }
            Surface::Nurbs(surface) => surface.second_range_over(u, v),
        }
    }
}

/// Suu = −(R + r cos v)·out, Suv = −r sin v·round, Svv = −r(cos v·out + sin v·z).
fn round_seconds(
    frame: &Frame,
    minor: f64,
    [u, v]: [Interval; 2],
    [point, du, dv]: [IntervalVector; 3],
) -> [IntervalVector; 6] {
    let [o, x, y, z] = axes(frame);
    let minor = Interval::point(minor);
    let (sin_u, cos_u, sin_v, cos_v) = (sin(u), cos(u), sin(v), cos(v));
    let rise = z.scale(minor * sin_v);
    let out = x.scale(cos_u) + y.scale(sin_u);
    let round = y.scale(cos_u) - x.scale(sin_u);
    let by_both = round.scale(-(minor * sin_v));
    [point, du, dv, o + rise - point, by_both, -(out.scale(minor * cos_v) + rise)]
}

fn axes(frame: &Frame) -> [IntervalVector; 4] {
    [frame.origin, frame.x, frame.y, frame.z].map(IntervalVector::point)
}

fn torus(frame: &Frame, [major, minor]: [f64; 2], [u, v]: [Interval; 2]) -> [IntervalVector; 3] {
    let [o, x, y, z] = axes(frame);
    let (major, minor) = (Interval::point(major), Interval::point(minor));
    let (sin_u, cos_u, sin_v, cos_v) = (sin(u), cos(u), sin(v), cos(v));
    let out = x.scale(cos_u) + y.scale(sin_u);
    let round = y.scale(cos_u) - x.scale(sin_u);
    let reach = major + minor * cos_v;
    [
        o + out.scale(reach) + z.scale(minor * sin_v),
        round.scale(reach),
        z.scale(minor * cos_v) - out.scale(minor * sin_v),
    ]
}

fn cone(frame: &Frame, radii: [f64; 2], growth: Interval, [u, v]: [Interval; 2]) -> [IntervalVector; 3] {
    let [o, x, y, z] = axes(frame);
    let [a, b] = radii.map(Interval::point);
    let (sin, cos) = (sin(u), cos(u));
    let out = x.scale(a * cos) + y.scale(b * sin);
    let along = y.scale(b * cos) - x.scale(a * sin);
    let scale = Interval::ONE + v * growth;
    [o + out.scale(scale) + z.scale(v), along.scale(scale), out.scale(growth) + z]
}

/// Turned about a unit vector by u: x·cos u + (z × x)·sin u + z(z·x)(1 − cos u).
fn turned(z: IntervalVector, x: IntervalVector, u: Interval) -> IntervalVector {
    let along = z.scale(z.dot(x));
    along + (x - along).scale(cos(u)) + z.cross(x).scale(sin(u))
}

fn revolution(curve: &Curve, frame: &Frame, u: Interval, v: [f64; 2]) -> [IntervalVector; 3] {
    let [o, _, _, z] = axes(frame);
    let z = z.scale(Interval::ONE / z.length());
    let [point, slope] = curve.range_over(v);
    let out = turned(z, point - o, u);
    [o + out, z.cross(out), turned(z, slope, u)]
}
