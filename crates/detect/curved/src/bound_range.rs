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

/// Turned about z by u: x·cos u + (z × x)·sin u + z(z·x)(1 − cos u), the axis made a unit vector.
fn revolution(curve: &Curve, frame: &Frame, u: Interval, v: [f64; 2]) -> [IntervalVector; 3] {
    let [o, _, _, z] = axes(frame);
    let z = z.scale(Interval::ONE / z.length());
    let (sin, cos) = (sin(u), cos(u));
    let turned = |x: IntervalVector| {
        let along = z.scale(z.dot(x));
        along + (x - along).scale(cos) + z.cross(x).scale(sin)
    };
    let [point, slope] = curve.range_over(v);
    let out = turned(point - o);
    [o + out, z.cross(out), turned(slope)]
}
