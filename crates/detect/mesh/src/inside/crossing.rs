//! Whether the ray from a point along +x crosses a triangle.

use kontakt_math::predicates::{orient2d, orient3d};
use kontakt_math::{DVec2, DVec3, Sign};

/// How the ray meets the triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Crossing {
    /// The point is on the closed triangle.
    OnFace,
    /// The ray, moved by (0, ε, ε²) with ε > 0 as small as need be, crosses the triangle's interior.
    Ahead,
    /// Neither.
    None,
}

/// Seen along x, the moved point is in the open triangle when an odd number of its edges pass on the far side; an edge
/// shared by two triangles is judged alike in both, so no crossing is lost or counted twice between them. If it is, the
/// triangle has area in this view, and the crossing is ahead exactly when the unmoved point is strictly behind the plane:
/// were it on the plane it would be on the closed triangle, since its view is in the closure of the triangle's.
pub(super) fn of(point: DVec3, corners: [DVec3; 3]) -> Crossing {
    let low = corners[0].min(corners[1]).min(corners[2]);
    let high = corners[0].max(corners[1]).max(corners[2]);
    let beside = point.y < low.y || point.y > high.y || point.z < low.z || point.z > high.z;
    if beside || point.x > high.x {
        return Crossing::None;
    }
    if point.x >= low.x && on_face(point, corners) {
        return Crossing::OnFace;
    }
    let flat = |v: DVec3| DVec2::new(v.y, v.z);
    let (p, [a, b, c]) = (flat(point), corners.map(flat));
    let passes = |from: DVec2, to: DVec2| {
        let (from_above, to_above) = (from.y > p.y, to.y > p.y);
        if from_above == to_above {
            return false;
        }
        let (lower, upper) = if to_above { (from, to) } else { (to, from) };
        orient2d(lower, upper, p) == Sign::Positive
    };
    let odd = passes(a, b) ^ passes(b, c) ^ passes(c, a);
    if !odd {
        return Crossing::None;
    }
    let ahead = orient3d(corners[0], corners[1], corners[2], point) == orient2d(a, b, c);
    if ahead { Crossing::Ahead } else { Crossing::None }
}

/// Whether the point is on the closed triangle, without area or with.
fn on_face(point: DVec3, corners: [DVec3; 3]) -> bool {
    let [a, b, c] = corners;
    if orient3d(a, b, c, point) != Sign::Zero {
        return false;
    }
    // In one plane: the point is in the triangle when it is in all three views along the axes. (One view in which the
    // triangle has area would do; for a triangle without area the views together decide about its segment.)
    (0..3).all(|drop| {
        let flat = |v: DVec3| DVec2::new(v[(drop + 1) % 3], v[(drop + 2) % 3]);
        in_flat(flat(point), corners.map(flat))
    })
}

/// Whether p is in the closed triangle; one without area counts as the segment it is.
fn in_flat(p: DVec2, [a, b, c]: [DVec2; 3]) -> bool {
    let sides = [orient2d(a, b, p), orient2d(b, c, p), orient2d(c, a, p)];
    let (left, right) = (sides.contains(&Sign::Positive), sides.contains(&Sign::Negative));
    if left && right {
        return false;
    }
    if left || right {
        return true;
    }
    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
    p.cmpge(low).all() && p.cmple(high).all()
}
