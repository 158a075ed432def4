//! Whether a value can be greatest inside of a piece of a face.
//!
//! Over a whole face a smooth value is greatest at an edge, or at a place inside where it is stationary. So a piece on which it is nowhere
//! stationary need not be looked at: edges are looked at by themselves. That ends what halving would not, rings along a border all of
//! whose places are as good as the best one.
//!
//! On a sphere the extent is stationary at the two ends of the diameter along the direction, the distance on that towards the place, and
//! greatest at one of them. On a B-spline it is stationary where the value's derivatives along both parameters vanish; creases, poles and
//! seams are places of their own.

use crate::extrema::Aim;
use crate::nurbs::NurbsSurface;
use crate::patch::Patch;
use kontakt_math::{DVec3, IntervalVector};

/// Whether a piece of a sphere may hold the sphere's farthest point.
///
/// A place so near to the centre that all points are as far to a share of 1e-10 has no farthest point; else that point's direction is off
/// by the rounding of the difference, over its length.
pub(super) fn on_sphere(aim: &Aim, patch: &Patch, centre: DVec3, radius: f64) -> bool {
    let (off, size) = match aim {
        Aim::Extent(_) => (1.0, 1.0),
        Aim::Distance(from) => ((centre - *from).length(), centre.length() + from.length() + radius),
    };
    if off <= 1e-10 * size {
        return true;
    }
    let farthest = aim.onward(centre, radius);
    let room = 1e3 * f64::EPSILON * (radius * size / off + size + centre.length());
    patch.least_distance(farthest) <= patch.radius + room
}

/// Whether the value may be stationary somewhere over a piece of a B-spline, or the piece reaches a crease, a pole or a seam.
pub(super) fn on_spline(aim: &Aim, patch: &Patch, nurbs: &NurbsSurface) -> bool {
    let [u, v] = patch.over();
    if reaches_singular(nurbs, [u, v]) {
        return true;
    }
    let [point, along_u, along_v] = nurbs.range_over(u, v);
    let gradient = match aim {
        Aim::Extent(way) => IntervalVector::point(*way),
        Aim::Distance(from) => point - IntervalVector::point(*from),
    };
    [along_u, along_v].into_iter().all(|slope| {
        let change = gradient.dot(slope);
        change.is_empty() || change.contains(0.0)
    })
}

fn reaches_singular(nurbs: &NurbsSurface, over: [[f64; 2]; 2]) -> bool {
    let (parts, closes, domain) = (nurbs.smooth_parts(), nurbs.closes(), nurbs.domain());
    (0..2).any(|k| {
        let [from, to] = over[k];
        let touches = |t: f64| from <= t && t <= to;
        let creased = parts[k].windows(2).any(|pair| touches(pair[1][0]));
        let ends = domain[k].into_iter().any(|t| {
            (touches(t) || from < domain[k][0] || to > domain[k][1]) && (closes[k] || is_pole(nurbs, k, t))
        });
        creased || ends
    })
}

/// Whether a border of the parameters is a single point.
fn is_pole(nurbs: &NurbsSurface, along: usize, t: f64) -> bool {
    let [from, to] = nurbs.domain()[1 - along];
    let at = |s: f64| if along == 0 { nurbs.jet(t, s).point } else { nurbs.jet(s, t).point };
    let first = at(from);
    let reach = nurbs.points()[0].distance(nurbs.points()[nurbs.points().len() - 1]) + first.length();
    [0.29, 0.53, 0.83]
        .into_iter()
        .all(|share| (at(from + (to - from) * share) - first).length() <= 1e-6 * reach)
}
