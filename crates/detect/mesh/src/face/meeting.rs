//! How two triangles meet, decided by exact signs.

use super::corners::{Corner, Corners};
use super::{quick, special};
use kontakt_answers::Visits;
use kontakt_math::Between;
use kontakt_math::{DVec3, Sign};

/// How two closed faces meet. The *inside* of a face is the face without its rim; of a degenerate face (a segment, a point)
/// the segment without its ends, the point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Meeting {
    /// No common point.
    Apart,
    /// Common points, but neither crossing nor a common area.
    Touching,
    /// The insides have a common point and lie in no common plane: one goes through the other.
    Crossing,
    /// A common area in one plane.
    Coplanar,
}

impl Meeting {
    /// Whether there is a common point.
    pub fn meets(self) -> bool {
        self != Meeting::Apart
    }
}

/// How a triangle of A (in A's frame) and one of B (in B's) meet: exact for the images of the given doubles, closed sets,
/// degenerate triangles included; the same for every order of corners and bodies.
pub fn meeting(between: &Between, a: [DVec3; 3], b: [DVec3; 3], visits: &mut Visits) -> Meeting {
    let mut corners = Corners::new(between, a, b);
    visits.face_tests += 1;
    if let Some(answer) = quick::decide(&corners) {
        return answer;
    }
    let answer = classify(&mut corners);
    visits.exact_tests += corners.exact_signs();
    answer
}

/// The decision. If some corner of each triangle is off the other's plane, both have an area and their planes
/// cross in a line; all other cases are [`special`].
pub(super) fn classify(corners: &mut Corners) -> Meeting {
    let side_b = sides_of_b(corners);
    if one_sided(side_b) {
        return Meeting::Apart;
    }
    let side_a = sides_of_a(corners);
    classify_sides(corners, side_a, side_b)
}

/// The same, given on which sides of each other's planes the corners lie.
pub(super) fn classify_sides(corners: &mut Corners, side_a: [Sign; 3], side_b: [Sign; 3]) -> Meeting {
    if one_sided(side_a) || one_sided(side_b) {
        return Meeting::Apart;
    }
    if side_a == [Sign::Zero; 3] || side_b == [Sign::Zero; 3] {
        return special::classify(corners, side_a, side_b);
    }
    across(corners, side_a, side_b)
}

/// On which side of A's plane B's corners lie.
pub(super) fn sides_of_b(corners: &mut Corners) -> [Sign; 3] {
    [3, 4, 5].map(|corner| corners.orient(0, 1, 2, corner))
}

/// On which side of B's plane A's corners lie.
pub(super) fn sides_of_a(corners: &mut Corners) -> [Sign; 3] {
    [0, 1, 2].map(|corner| corners.orient(3, 4, 5, corner))
}

/// All strictly on one side.
pub(super) fn one_sided<const N: usize>(sides: [Sign; N]) -> bool {
    sides[0] != Sign::Zero && sides.iter().all(|side| *side == sides[0])
}

/// A triangle that reaches the line of two planes: the corner alone on its side of the other plane, the other two in the
/// order in which its two edges cross the line, and whether it has corners strictly on both sides.
struct Reach {
    alone: Corner,
    first: Corner,
    second: Corner,
    /// Sign of the lone corner; if that is zero, the sign opposite to the other two.
    side: Sign,
    through: bool,
}

impl Reach {
    /// `positive_first`: whether a lone corner on the positive side has its next corner's edge first.
    fn new(corners: [Corner; 3], sides: [Sign; 3], positive_first: bool) -> Reach {
        let alone = (0..3)
            .find(|&i| {
                let (mine, others) = (sides[i], [sides[(i + 1) % 3], sides[(i + 2) % 3]]);
                match mine {
                    // Alone on the plane, both others strictly on one side.
                    Sign::Zero => others[0] != Sign::Zero && others[0] == others[1],
                    mine => others.iter().all(|other| *other != mine),
                }
            })
            .unwrap_or(0);
        let (next, last) = ((alone + 1) % 3, (alone + 2) % 3);
        let side = if sides[alone] == Sign::Zero { sides[next].opposite() } else { sides[alone] };
        let in_order = (side == Sign::Positive) == positive_first;
        let (first, second) = if in_order { (next, last) } else { (last, next) };
        let through = sides.contains(&Sign::Positive) && sides.contains(&Sign::Negative);
        Reach { alone: corners[alone], first: corners[first], second: corners[second], side, through }
    }
}

/// Two triangles in crossing planes, neither strictly on one side of the other's (after Guigue and Devillers, 2003).
///
/// Each triangle meets the line L of the two planes in an interval: that between the crossings of the two edges at the corner
/// alone on its side. The intervals [i, j] of A and [k, l] of B have a point in common iff i ≤ l and k ≤ j.
/// Let e, the product of the normals of A and B, be the direction of L, s ≥ 0 below plane B and t ≥ 0 above plane A the coordinates off L in the planes; then
/// orient(a₀, a₁, b₀, b₁) = (s₁ − s₀)(t₁ − t₀)(k − i) up to a positive factor, where i and k are the crossings of the
/// lines a₀a₁ and b₀b₁ with L. Seen from the normals both triangles turn counter-clockwise in (e, s) and (e, t),
/// so a lone corner with positive s (t) has the edge to its next corner first along e. `orient` of a corner
/// against a plane is positive below it: it has the sign of s for A's corners and of −t for B's.
fn across(corners: &mut Corners, side_a: [Sign; 3], side_b: [Sign; 3]) -> Meeting {
    let a = Reach::new([0, 1, 2], side_a, true);
    let b = Reach::new([3, 4, 5], side_b, false);
    // (s₁ − s₀)(t₁ − t₀) has the sign of s₀·t₀, and t has the opposite sign of `side`.
    let factor = a.side.times(b.side).opposite();
    let low = corners.orient(a.alone, a.first, b.alone, b.second).times(factor);
    if low == Sign::Negative {
        return Meeting::Apart;
    }
    let high = corners.orient(a.alone, a.second, b.alone, b.first).times(factor).opposite();
    match high {
        Sign::Negative => Meeting::Apart,
        Sign::Positive if low == Sign::Positive && a.through && b.through => Meeting::Crossing,
        _ => Meeting::Touching,
    }
}
