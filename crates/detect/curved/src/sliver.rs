//! What of a face lies between an edge and the straight line of parameters between two of its points.

use crate::brep::Edge;
use crate::curve::Curve;
use crate::frame::Frame;
use crate::surface::Surface;

/// An edge that leaves a line of parameters by less than this part of its radius is one.
const STRAIGHT: f64 = 1e-9;

/// How far a sliver reaches from the chord of its stretch: a multiple of the stretch's sagitta, and what no cutting makes less.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sliver {
    pub(crate) sagittas: f64,
    pub(crate) off: f64,
}

impl Sliver {
    /// On any surface: points between the edge and what the chord's parameters are mapped to.
    pub(crate) const USUAL: Sliver = Sliver { sagittas: 2.0, off: 0.0 };

    /// Of an edge of a face. In a plane, what is between an edge and its chord is no farther from the chord than the edge is. An edge that is
    /// straight in the parameters has no sliver.
    pub(crate) fn of(surface: &Surface, edge: &Edge) -> Sliver {
        if matches!(surface, Surface::Plane(_)) {
            return Sliver { sagittas: 1.0, off: 0.0 };
        }
        let off = off_line(surface, edge);
        let size = if let Curve::Ellipse { radii: [a, _], .. } = &edge.curve { *a } else { 0.0 };
        if off <= STRAIGHT * size { Sliver { sagittas: 0.0, off } } else { Sliver::USUAL }
    }
}

/// **Never less** than the distance of an edge from a line of the surface's parameters: a circle about a surface's own axis, or about a torus' tube.
/// Such an edge is straight in the parameters, so that nothing of the face is between it and its chord there. Infinite for others.
pub(crate) fn off_line(surface: &Surface, edge: &Edge) -> f64 {
    let Curve::Ellipse { frame: own, radii: [a, b] } = &edge.curve else {
        return f64::INFINITY;
    };
    let uneven = (a - b).abs();
    match surface {
        Surface::Torus { frame, major, minor } => {
            off_ring(frame, own, a.max(*b)).min(off_tube(frame, own, [*major, *minor], *a)) + uneven
        }
        Surface::Cylinder { frame, radii: [c, d] } | Surface::Cone { frame, radii: [c, d], .. } if c == d => {
            off_ring(frame, own, a.max(*b)) + uneven
        }
        Surface::Revolution { frame, .. } => off_ring(frame, own, a.max(*b)) + uneven,
        _ => f64::INFINITY,
    }
}

/// A circle about the axis: its centre is on it, its plane square to it.
fn off_ring(frame: &Frame, own: &Frame, radius: f64) -> f64 {
    (own.origin - frame.origin).cross(frame.z).length() + own.z.cross(frame.z).length() * radius
}

/// A circle about the tube: its centre is on the circle of centres, its plane has the axis in it.
fn off_tube(frame: &Frame, own: &Frame, [major, minor]: [f64; 2], radius: f64) -> f64 {
    let centre = frame.local(own.origin);
    let out = (own.origin - frame.origin).normalize_or_zero();
    let tilt = (own.z.dot(frame.z).abs() + own.z.dot(out).abs()) * radius;
    centre.z.abs() + (centre.truncate().length() - major).abs() + (radius - minor).abs() + tilt
}
