//! What two triangles have in common: a point, a segment or a polygon.

use super::corners::{Corner, Corners, flattened};
use super::meeting::{Meeting, classify_sides, sides_of_a, sides_of_b};
use super::special::{ends, has_area};
use kontakt_answers::Visits;
use kontakt_math::Between;
use kontakt_math::{DVec3, Sign};

/// The intersection of two closed faces, in A's frame. Its corners are chosen by exact signs: it is `None` exactly when the
/// faces are apart, and has exactly as many corners as the exact intersection. Each is off by at most 2⁻³⁸ of the
/// larger triangle's size plus the error of B's placed corners ([`Between::error_at`]).
#[derive(Clone, Debug, PartialEq)]
pub enum Common {
    /// The faces are apart.
    None,
    /// They share one point.
    Point(DVec3),
    /// They share a segment.
    Segment([DVec3; 2]),
    /// They share an area: a convex polygon, turning as A's triangle does.
    Polygon(Vec<DVec3>),
}

/// What a triangle of A (in A's frame) and one of B (in B's) have in common, and how they meet.
pub fn common_points(
    between: &Between,
    a: [DVec3; 3],
    b: [DVec3; 3],
    visits: &mut Visits,
) -> (Meeting, Common) {
    let mut corners = Corners::new(between, a, b);
    if let Some(common) = at_common_corners(&mut corners) {
        visits.face_tests += 1;
        return common;
    }
    let (side_a, side_b) = (sides_of_a(&mut corners), sides_of_b(&mut corners));
    let meeting = classify_sides(&mut corners, side_a, side_b);
    visits.face_tests += 1;
    let common = match meeting {
        Meeting::Apart => Common::None,
        _ => extreme_points(&mut corners, side_a, side_b),
    };
    visits.exact_tests += corners.exact_signs();
    (meeting, common)
}

/// Triangles with two or three common corners, exact ones, as neighbours in a fan and faces that lie on their like have them: what the
/// general way finds, for a few signs.
///
/// Proof. With a common edge, let r and s be the third corners. If they are in no plane with the edge, the planes of the triangles
/// cross in its line, which each of them meets in the edge. If they are in a plane on different sides of it, its line parts the
/// triangles. In both cases the edge is all they have in common.
fn at_common_corners(corners: &mut Corners) -> Option<(Meeting, Common)> {
    if corners.error() != 0.0 {
        return None;
    }
    let partner = |i: Corner| (3..6).find(|&j| corners.placed(i) == corners.placed(j));
    let partners = [0, 1, 2].map(partner);
    let mut met: Vec<(Corner, Corner)> = Vec::with_capacity(3);
    met.extend((0..3).filter_map(|i| Some((i, partners[i]?))));
    // The corners of a triangle with an area are three points; others go the general way.
    let is_distinct = |set: [Corner; 3]| {
        let [p, q, r] = set.map(|corner| corners.placed(corner));
        p != q && q != r && r != p
    };
    if met.len() < 2 || !is_distinct([0, 1, 2]) || !is_distinct([3, 4, 5]) {
        return None;
    }
    let shown = |corners: &mut Corners| {
        (0..3).find_map(|axis| match corners.flat(axis, 0, 1, 2) {
            Sign::Zero => None,
            turn => Some((axis, turn)),
        })
    };
    if met.len() == 3 {
        let (axis, _) = shown(corners)?;
        let found = [0, 1, 2].map(|corner| corners.placed(corner)).to_vec();
        return Some((Meeting::Coplanar, gathered(corners, found, axis)));
    }
    let [(p, k), (q, l)] = met[..] else { return None };
    let (r, s) = (3 - p - q, 12 - k - l);
    if corners.orient(p, q, r, s) == Sign::Zero {
        let (axis, _) = shown(corners)?;
        let sides = [r, s].map(|third| corners.flat(axis, p, q, third));
        if sides[0].times(sides[1]) != Sign::Negative {
            return None;
        }
    }
    Some((Meeting::Touching, Common::Segment([corners.placed(p), corners.placed(q)])))
}

/// Every corner of the intersection is a corner of one triangle in the other, or the only common point of an edge and a
/// face, or of two edges.
fn extreme_points(corners: &mut Corners, side_a: [Sign; 3], side_b: [Sign; 3]) -> Common {
    let (a, b) = ([0, 1, 2], [3, 4, 5]);
    match (has_area(corners, a), has_area(corners, b)) {
        (true, true) if side_a == [Sign::Zero; 3] => overlay(corners),
        (true, true) => across(corners, side_a, side_b),
        (true, false) => against_thin(corners, a, b, side_b),
        (false, true) => against_thin(corners, b, a, side_a),
        (false, false) => in_plane(corners, &thin(corners, a), &thin(corners, b)),
    }
}

/// The one or two ends of a degenerate triangle.
fn thin(corners: &Corners, triangle: [Corner; 3]) -> Vec<Corner> {
    let [first, last] = ends(corners, triangle);
    if corners.own(first) == corners.own(last) { vec![first] } else { vec![first, last] }
}

/// Triangles in crossing planes: a point or a segment.
fn across(corners: &mut Corners, side_a: [Sign; 3], side_b: [Sign; 3]) -> Common {
    let mut found = Vec::with_capacity(2);
    for (i, side) in side_a.into_iter().enumerate() {
        if side == Sign::Zero && holds(corners, &[3, 4, 5], i) {
            found.push(corners.placed(i));
        }
    }
    for (j, side) in side_b.into_iter().enumerate() {
        let shared = |corners: &mut Corners| (0..3).any(|i| coincide(corners, i, 3 + j));
        if side == Sign::Zero && holds(corners, &[0, 1, 2], 3 + j) && !shared(corners) {
            found.push(corners.placed(3 + j));
        }
    }
    // A common point of two edges is counted with A's edge, unless that lies in B's plane.
    for i in 0..3 {
        let (p, q) = (i, (i + 1) % 3);
        if side_a[p].times(side_a[q]) == Sign::Negative && passes(corners, p, q, [3, 4, 5], |_| true) {
            found.push(crossing(corners, [3, 4, 5], p, q));
        }
        let (r, s) = (3 + i, 3 + (i + 1) % 3);
        let in_plane_of_b = |k: usize| side_a[k] == Sign::Zero && side_a[(k + 1) % 3] == Sign::Zero;
        if side_b[r - 3].times(side_b[s - 3]) == Sign::Negative
            && passes(corners, r, s, [0, 1, 2], in_plane_of_b)
        {
            found.push(crossing(corners, [0, 1, 2], r, s));
        }
    }
    gathered(corners, found, 0)
}

/// Whether the line from p to q, which crosses the triangle's plane, passes inside it or through the inside of an edge
/// that `counts`.
fn passes(
    corners: &mut Corners,
    p: Corner,
    q: Corner,
    triangle: [Corner; 3],
    counts: impl Fn(usize) -> bool,
) -> bool {
    let turns = [0, 1, 2].map(|k| corners.orient(p, q, triangle[k], triangle[(k + 1) % 3]));
    let mixed = turns.contains(&Sign::Positive) && turns.contains(&Sign::Negative);
    let zeros = (0..3).filter(|&k| turns[k] == Sign::Zero);
    !mixed && zeros.clone().count() <= 1 && zeros.clone().all(counts)
}

/// A triangle and a segment or point that it meets.
fn against_thin(
    corners: &mut Corners,
    triangle: [Corner; 3],
    other: [Corner; 3],
    sides: [Sign; 3],
) -> Common {
    let ends = thin(corners, other);
    if sides == [Sign::Zero; 3] {
        return in_plane(corners, &triangle, &ends);
    }
    let on_plane = ends.iter().find(|end| sides[**end % 3] == Sign::Zero);
    match (on_plane, ends.as_slice()) {
        (Some(&end), _) => Common::Point(corners.placed(end)),
        (None, &[p, q]) => Common::Point(crossing(corners, triangle, p, q)),
        (None, _) => Common::Point(corners.placed(other[0])),
    }
}

/// Two triangles with an area in one plane. All is told by on which side of each edge the corners of the other triangle are.
fn overlay(corners: &mut Corners) -> Common {
    let seen = (0..3).find_map(|axis| match corners.flat(axis, 0, 1, 2) {
        Sign::Zero => None,
        turn => Some((axis, turn)),
    });
    let Some((axis, turn_a)) = seen else { return in_plane(corners, &[0, 1, 2], &[3, 4, 5]) };
    let turn_b = corners.flat(axis, 3, 4, 5);
    let next = |corner: Corner| if corner % 3 == 2 { corner - 2 } else { corner + 1 };
    let mut about =
        |edge: Corner, first: Corner| [0, 1, 2].map(|k| corners.flat(axis, edge, next(edge), first + k));
    // By edge of the one and corner of the other.
    let about_a = [0, 1, 2].map(|edge| about(edge, 3));
    let about_b = [3, 4, 5].map(|edge| about(edge, 0));
    let holds = |about: &[[Sign; 3]; 3], turn: Sign, corner: usize| {
        about.iter().all(|sides| sides[corner] != turn.opposite())
    };
    let mut found = Vec::with_capacity(6);
    found.extend((0..3).filter(|&k| holds(&about_b, turn_b, k)).map(|k| corners.placed(k)));
    for k in 0..3 {
        if holds(&about_a, turn_a, k) && !(0..3).any(|other| coincide(corners, other, 3 + k)) {
            found.push(corners.placed(3 + k));
        }
    }
    for p in 0..3 {
        for r in 0..3 {
            let q = next(p);
            let across = |[x, y]: [Sign; 2]| x.times(y) == Sign::Negative;
            if across([about_a[p][r], about_a[p][next(r)]]) && across([about_b[r][p], about_b[r][q]]) {
                let share = corners.flat_share(axis, [3 + r, 3 + next(r)], p, q);
                found.push(corners.placed(p).lerp(corners.placed(q), share));
            }
        }
    }
    gathered(corners, found, axis)
}

/// Two sets of one to three corners in one plane.
fn in_plane(corners: &mut Corners, first: &[Corner], second: &[Corner]) -> Common {
    let axis = view(corners, first, second);
    let mut found = Vec::with_capacity(6);
    for &corner in first {
        if holds(corners, second, corner) {
            found.push(corners.placed(corner));
        }
    }
    for &corner in second {
        if holds(corners, first, corner) && !first.iter().any(|&other| coincide(corners, other, corner)) {
            found.push(corners.placed(corner));
        }
    }
    for [p, q] in edges(first) {
        for [r, s] in edges(second) {
            let about_first = [r, s].map(|corner| corners.flat(axis, p, q, corner));
            let about_second = [p, q].map(|corner| corners.flat(axis, r, s, corner));
            if [about_first, about_second].iter().all(|[x, y]| x.times(*y) == Sign::Negative) {
                let share = corners.flat_share(axis, [r, s], p, q);
                found.push(corners.placed(p).lerp(corners.placed(q), share));
            }
        }
    }
    gathered(corners, found, axis)
}

/// An axis along which the plane of all corners is not seen edge-on; any if they have none.
fn view(corners: &mut Corners, first: &[Corner], second: &[Corner]) -> usize {
    let all: Vec<Corner> = first.iter().chain(second).copied().collect();
    let shows = |corners: &mut Corners, axis: usize| {
        (2..all.len())
            .any(|k| (1..k).any(|j| (0..j).any(|i| corners.flat(axis, all[i], all[j], all[k]) != Sign::Zero)))
    };
    (0..3).find(|&axis| shows(corners, axis)).unwrap_or(0)
}

/// The edges of one to three corners.
fn edges(set: &[Corner]) -> Vec<[Corner; 2]> {
    match *set {
        [p, q, r] => vec![[p, q], [q, r], [r, p]],
        [p, q] => vec![[p, q]],
        _ => Vec::new(),
    }
}

/// Whether a corner in the plane of a set of one to three corners lies in it.
fn holds(corners: &mut Corners, set: &[Corner], x: Corner) -> bool {
    match *set {
        [p, q, r] => {
            let seen = (0..3).find_map(|axis| match corners.flat(axis, p, q, r) {
                Sign::Zero => None,
                turn => Some((axis, turn)),
            });
            let Some((axis, turn)) = seen else { return false };
            [(p, q), (q, r), (r, p)]
                .iter()
                .all(|&(from, to)| corners.flat(axis, from, to, x) != turn.opposite())
        }
        [p, q] => {
            (0..3).all(|axis| corners.flat(axis, p, q, x) == Sign::Zero)
                && (0..3)
                    .all(|axis| corners.along(axis, p, x).times(corners.along(axis, x, q)) != Sign::Negative)
        }
        [p] => coincide(corners, p, x),
        _ => false,
    }
}

/// Whether two corners are the same point.
fn coincide(corners: &mut Corners, p: Corner, q: Corner) -> bool {
    (0..3).all(|axis| corners.along(axis, p, q) == Sign::Zero)
}

/// Where the edge from p to q, strictly on both sides, crosses the plane of a triangle.
fn crossing(corners: &mut Corners, triangle: [Corner; 3], p: Corner, q: Corner) -> DVec3 {
    let share = corners.share(triangle, p, q);
    corners.placed(p).lerp(corners.placed(q), share)
}

/// The corners of the intersection as what they span; three or more are in one plane seen along `axis`.
fn gathered(corners: &mut Corners, mut found: Vec<DVec3>, axis: usize) -> Common {
    match *found.as_slice() {
        // Faces that meet have a common corner of their intersection; this keeps the answer total.
        [] => Common::Point(corners.placed(0)),
        [p] => Common::Point(p),
        [p, q] => Common::Segment([p, q]),
        _ => {
            let middle = found.iter().sum::<DVec3>() / found.len() as f64;
            let angle = |x: &DVec3| {
                let arm = flattened(*x - middle, axis);
                arm.y.atan2(arm.x)
            };
            found.sort_by(|p, q| angle(p).total_cmp(&angle(q)));
            if corners.flat(axis, 0, 1, 2) == Sign::Negative {
                found.reverse();
            }
            Common::Polygon(found)
        }
    }
}
