//! Triangles in one plane and degenerate triangles: segments and points.

use super::corners::{Corner, Corners, flattened};
use super::meeting::{Meeting, one_sided};
use kontakt_math::predicates::orient2d;
use kontakt_math::{DVec3, Sign};

/// The pair, given that all corners of one triangle are in the plane of the other, or the other has no plane.
pub(super) fn classify(corners: &mut Corners, side_a: [Sign; 3], side_b: [Sign; 3]) -> Meeting {
    let (a, b) = ([0, 1, 2], [3, 4, 5]);
    match (has_area(corners, a), has_area(corners, b)) {
        (true, true) => in_plane(corners, a, b, true),
        (true, false) => against_thin(corners, a, b, side_b),
        (false, true) => against_thin(corners, b, a, side_a),
        (false, false) => thin(corners, ends(corners, a), ends(corners, b)),
    }
}

/// Whether the corners of one body span a plane: exact, in that body's frame.
pub(super) fn has_area(corners: &Corners, triangle: [Corner; 3]) -> bool {
    (0..3).any(|axis| {
        let [p, q, r] = triangle.map(|corner| flattened(corners.own(corner), axis));
        orient2d(p, q, r) != Sign::Zero
    })
}

/// The ends of a degenerate triangle: along a line, the order by x, then y, then z is the order on the line.
pub(super) fn ends(corners: &Corners, triangle: [Corner; 3]) -> [Corner; 2] {
    let before = |p: DVec3, q: DVec3| (p.x, p.y, p.z) < (q.x, q.y, q.z);
    let [mut first, mut last] = [triangle[0]; 2];
    for &corner in &triangle[1..] {
        if before(corners.own(corner), corners.own(first)) {
            first = corner;
        }
        if before(corners.own(last), corners.own(corner)) {
            last = corner;
        }
    }
    [first, last]
}

/// A triangle with an area against a segment or point, whose corners lie at `sides` of the plane: not all strictly at
/// one side.
fn against_thin(
    corners: &mut Corners,
    triangle: [Corner; 3],
    thin: [Corner; 3],
    sides: [Sign; 3],
) -> Meeting {
    if sides == [Sign::Zero; 3] {
        return in_plane(corners, triangle, thin, false);
    }
    // The line crosses the plane within the segment: at a common point iff it passes no two edges on different sides.
    let [p, q] = ends(corners, thin);
    let [t, u, v] = triangle;
    let turns = [(t, u), (u, v), (v, t)].map(|(from, to)| corners.orient(p, q, from, to));
    if turns.contains(&Sign::Positive) && turns.contains(&Sign::Negative) {
        Meeting::Apart
    } else if one_sided(turns) && sides.contains(&Sign::Positive) && sides.contains(&Sign::Negative) {
        Meeting::Crossing
    } else {
        Meeting::Touching
    }
}

/// Two sets of three corners in one plane; `first` has an area, `second` too if `areas`.
///
/// Two convex sets of the plane are disjoint iff the line through an edge of one separates them strictly, and
/// have no common inner point iff such a line separates them weakly: the edges of their Minkowski difference are parallel to theirs.
/// For a segment both sides of its line count.
fn in_plane(corners: &mut Corners, first: [Corner; 3], second: [Corner; 3], areas: bool) -> Meeting {
    let [p, q, r] = first;
    let axis = (0..3).find(|&axis| corners.flat(axis, p, q, r) != Sign::Zero).unwrap_or(0);
    let mut weakly = false;
    for (one, other) in [(first, second), (second, first)] {
        for i in 0..3 {
            let (from, to, rest) = (one[i], one[(i + 1) % 3], one[(i + 2) % 3]);
            let inner = corners.flat(axis, from, to, rest);
            let sides = other.map(|corner| corners.flat(axis, from, to, corner));
            // Strictly on one side, and that is not the side of the triangle itself (a segment has none).
            if one_sided(sides) && sides[0] != inner {
                return Meeting::Apart;
            }
            weakly |= inner != Sign::Zero && sides.iter().all(|side| *side != inner);
        }
    }
    if areas && !weakly { Meeting::Coplanar } else { Meeting::Touching }
}

/// Two segments or points, by their ends.
fn thin(corners: &mut Corners, [p, q]: [Corner; 2], [r, s]: [Corner; 2]) -> Meeting {
    if corners.orient(p, q, r, s) != Sign::Zero {
        return Meeting::Apart;
    }
    for axis in 0..3 {
        let about_first = [r, s].map(|corner| corners.flat(axis, p, q, corner));
        let about_second = [p, q].map(|corner| corners.flat(axis, r, s, corner));
        if about_first != [Sign::Zero; 2] || about_second != [Sign::Zero; 2] {
            // They span a plane that this view shows.
            let apart = one_sided(about_first) || one_sided(about_second);
            return if apart { Meeting::Apart } else { Meeting::Touching };
        }
    }
    // All on one line, or two points.
    for axis in 0..3 {
        let order = [(p, r), (p, s), (q, r), (q, s)].map(|(x, y)| corners.along(axis, x, y));
        if one_sided(order) {
            return Meeting::Apart;
        }
    }
    Meeting::Touching
}
