//! How finely a body is tessellated where nobody says it.

use crate::body::size;
use crate::brep::Brep;
use crate::tessellate::TessellationOptions;
use kontakt_math::DVec3;

impl TessellationOptions {
    /// The share of a body's size that triangles may lie off where nobody says how much.
    pub const USUAL_SHARE: f64 = 5e-4;
    /// Most triangles of a body where nobody says how many.
    pub const USUAL_MOST: usize = 4_000_000;

    /// What is asked where at most the deviation is given.
    pub fn usual(brep: &Brep, deviation: Option<f64>) -> TessellationOptions {
        TessellationOptions {
            deviation: deviation.unwrap_or_else(|| Self::USUAL_SHARE * extent(brep)),
            most_triangles: Self::USUAL_MOST,
        }
    }
}

/// The body's size; that of some points of its surfaces where it has hardly an edge, as a whole sphere.
fn extent(brep: &Brep) -> f64 {
    let by_edges = size(brep);
    if by_edges.is_finite() && by_edges > 0.0 {
        return by_edges;
    }
    let places = [0.0, 1.5, 3.0, 4.5].map(|u| [-1.0, 0.0, 1.0].map(|v| [u, v]));
    let points = brep.faces().iter().flat_map(|face| {
        places.as_flattened().iter().map(|&[u, v]| face.surface.point(u, v)).filter(|x| x.is_finite())
    });
    let (low, high) =
        points.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    (high - low).length()
}
