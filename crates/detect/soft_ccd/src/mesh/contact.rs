//! A pair of features of a deforming mesh that meet or come too close.

use crate::place::{place_near, points_at};
use crate::{FirstContact, Kind, Query};
use kontakt_answers::Range;
use kontakt_math::DVec3;

/// Two features that touch in a step, or come within the separation asked about. Kind, features, time and excess are certified;
/// weights, points and normal are rounded values at one time: the middle of `time` for a touch, its upper end for a near miss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshContact {
    /// Vertex and face, or two edges.
    pub kind: Kind,
    /// The vertex, or the edge with the smaller number (in [`super::Surface::edges`]).
    pub a: u32,
    /// The face, or the edge with the larger number.
    pub b: u32,
    /// Contains the exact first time of contact. **Never late**: before its lower end this pair does not touch, nor come within
    /// the separation asked about.
    pub time: Range,
    /// How conservative a separation was taken: at `time.hi()` the distance of the pair exceeds it by no more than this. 0 for
    /// touches.
    pub excess: f64,
    /// Barycentric weights of the pair's vertices: 1 and those of the face's corners, or those of the two ends of each edge. From 0
    /// to 1; each side's sum to 1 but for rounding.
    pub weights: [f64; 4],
    /// The point of A, of these weights, and that of B. One place but for rounding where they touch.
    pub points: [DVec3; 2],
    /// Unit normal from A (vertex, first edge) to B; zero where nothing defines one.
    pub normal: DVec3,
}

impl MeshContact {
    /// A touch.
    pub(crate) fn touching(query: &Query, [a, b]: [u32; 2], first: &FirstContact) -> MeshContact {
        let FirstContact { time, shares, normal, .. } = *first;
        let middle = 0.5 * (time.lo() + time.hi());
        let points = points_at(query, middle, &shares);
        MeshContact { kind: query.kind(), a, b, time, excess: 0.0, weights: shares, points, normal }
    }

    /// A pair that comes too close.
    pub(crate) fn near(query: &Query, [a, b]: [u32; 2], time: Range, excess: f64) -> MeshContact {
        let (shares, normal) = place_near(query, time.hi());
        let points = points_at(query, time.hi(), &shares);
        MeshContact { kind: query.kind(), a, b, time, excess, weights: shares, points, normal }
    }
}
