//! Faces on which nothing is greatest but at their edges.
//!
//! A convex function is greatest along a straight segment at one of its ends. Through each point of a plane, a cylinder, a cone, an
//! extrusion, a line's surface of revolution and a B-spline of degree one along a parameter goes a straight line of that surface; followed
//! both ways it leaves the face, which is bounded, at an edge, or ends at a cone's apex. So edges and apexes have the greatest value of
//! the whole face.

use crate::curve::Curve;
use crate::nurbs::NurbsSurface;
use crate::surface::Surface;
use crate::tessellate::Domain;

/// Whether straight lines of its own go through each point of a face.
pub(super) fn is_ruled(domain: &Domain) -> bool {
    let Domain::Surface { surface, .. } = domain else { return false };
    match surface {
        Surface::Plane(_) | Surface::Cylinder { .. } | Surface::Cone { .. } | Surface::Extrusion { .. } => {
            true
        }
        Surface::Revolution { curve, .. } => matches!(**curve, Curve::Line { .. }),
        Surface::Nurbs(nurbs) => has_lines(nurbs),
        Surface::Sphere { .. } | Surface::Torus { .. } => false,
    }
}

/// Degree one and one piece along a parameter: (a (1 − t) + b t) / (w (1 − t) + x t) is a straight segment.
fn has_lines(nurbs: &NurbsSurface) -> bool {
    let (degrees, breaks) = (nurbs.degrees(), nurbs.breaks());
    (0..2).any(|k| degrees[k] == 1 && breaks[k].len() == 2)
}
