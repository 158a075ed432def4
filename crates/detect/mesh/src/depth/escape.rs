//! The shortest way out of a union of convex sets.
//!
//! With A the union of convex parts K and B of L, up to faces, a translation τ leaves no common interior exactly when it is outside
//! every open difference P = K − L. Who is outside P is beyond one of its facets. So the shortest τ is found by branching: from
//! the nearest point beyond some facets, which is inside some P, one facet of that P more is passed, each in turn. The nearest of
//! all open ends bounds the depth from below, and an end that is inside no P is the way out.
//!
//! **Rounding.** P is known by points that are off by roundings, and K and L by their insets; every facet is moved in by the sum.
//! The set within is in the exact difference, so its outside holds every way out there is.

use super::wall::{Rest, Wall, facets};
use crate::mesh::Part;
use crate::space::Space;
use kontakt_math::{DVec3, U};
use kontakt_schedule::Deadline;

/// Most facets that are tried, each counted with what it takes where many are passed already.
const MOST_TRIES: usize = 20_000;
/// Lengths that differ by less than this part of the longest way asked for are alike.
const NOISE: f64 = 1e-12;
/// Most differences.
const MOST_DIFFERENCES: usize = 150;

/// What is known of the way out.
#[derive(Clone, Copy, Debug)]
pub(super) struct WayOut {
    /// **Never more** than the length of any way out.
    pub(super) bound: f64,
    /// Translations that are out of all parts, where one of about the length of the bound was found: the shortest, rounded to a
    /// short binary number where that is near, so that what fits exactly does so here too, and one a little longer.
    pub(super) pushes: [Option<DVec3>; 2],
}

/// The difference of two parts.
struct Difference {
    low: DVec3,
    high: DVec3,
    /// Those whose hull it is, but for a shift back.
    points: Vec<DVec3>,
    shift: DVec3,
    /// How far its facets move in.
    inset: f64,
    walls: Option<Vec<Wall>>,
}

/// An open end: walls to be passed, and the nearest point beyond them.
struct End {
    walls: Vec<Wall>,
    rest: Rest,
}

/// The shortest way of B out of A, of at most a given length.
pub(super) fn way_out(
    space: &Space,
    a: &[Part],
    b: &[Part],
    longest: f64,
    deadline: Deadline,
) -> Option<WayOut> {
    let few = (1..=MOST_DIFFERENCES).contains(&(a.len() * b.len()));
    if !(few && longest > 0.0 && longest.is_finite()) {
        return None;
    }
    let mut differences: Vec<Difference> = Vec::new();
    for part_b in b {
        let turned: Vec<DVec3> = part_b.points.iter().map(|&x| space.between.turn() * x).collect();
        let error = part_b.points.iter().map(|&x| space.between.error_at(x)).fold(0.0, f64::max);
        let inset = part_b.inset + error;
        let difference = |part_a| Difference::new(part_a, &turned, space.between.shift(), inset, longest);
        differences.extend(a.iter().map(difference));
    }
    let noise = NOISE * longest;
    let mut ends = vec![End { walls: Vec::new(), rest: Rest::ORIGIN }];
    let least = |ends: &[End]| ends.iter().map(|end| end.rest.bound).fold(longest, f64::min);
    let mut tries = 0;
    while tries < MOST_TRIES {
        let bound = least(&ends);
        // Of ends equally near to rounding the one found first.
        let first = ends.iter().position(|end| end.rest.bound <= bound + noise);
        let Some(first) = first.filter(|_| !deadline.has_passed()) else { break };
        let end = ends.remove(first);
        let Some(walls) = deepest(&mut differences, end.rest.point, longest) else {
            let short =
                rounded(end.rest.point, longest).filter(|x| x.distance(end.rest.point) <= 10.0 * noise);
            return Some(WayOut { bound, pushes: [short, Some(end.out(10.0 * noise))] });
        };
        // A point beyond a facet is not inside: where rounding has it so, this end leads nowhere.
        if walls.iter().any(|wall| end.walls.contains(wall)) {
            ends.push(end);
            break;
        }
        for &wall in walls.iter().filter(|wall| wall.height < longest) {
            tries += 1 + end.walls.len() * end.walls.len() / 64;
            let rest = Rest::beyond(&end.walls, wall, end.rest);
            if rest.bound < longest {
                let walls = end.walls.iter().copied().chain([wall]).collect();
                ends.push(End { walls, rest });
            }
        }
    }
    Some(WayOut { bound: least(&ends), pushes: [None; 2] })
}

/// The nearest point whose coordinates have at most 30 bits after those of `longest`.
fn rounded(point: DVec3, longest: f64) -> Option<DVec3> {
    let grid = f64::powi(2.0, longest.log2().floor() as i32 - 30);
    Some((point / grid).round() * grid).filter(|x| x.is_finite())
}

impl End {
    /// The nearest point a little beyond all walls.
    fn out(&self, margin: f64) -> DVec3 {
        let mut rest = Rest::ORIGIN;
        let mut passed: Vec<Wall> = Vec::new();
        for wall in &self.walls {
            let wall = Wall { height: wall.height + margin, ..*wall };
            rest = Rest::beyond(&passed, wall, rest);
            passed.push(wall);
        }
        rest.point
    }
}

impl Difference {
    /// Of a part of A and one of B, turned as it lies and not yet shifted: so faces and edges that are parallel stay so, wherever it is.
    ///
    /// Points err by u each when subtracted; a wall of a normal that errs by 16u is moved by that much of the farthest that it is asked
    /// about, and its height errs by 16u of the points' size.
    fn new(a: &Part, b: &[DVec3], shift: DVec3, inset_b: f64, longest: f64) -> Difference {
        let points: Vec<DVec3> = a.points.iter().flat_map(|&p| b.iter().map(move |&q| p - q)).collect();
        let (low, high) = points.iter().fold((points[0], points[0]), |(l, h), &x| (l.min(x), h.max(x)));
        let size = low.abs().max(high.abs()).element_sum() + shift.abs().element_sum() + longest;
        let inset = a.inset + inset_b + 64.0 * U * size;
        Difference { low: low - shift, high: high - shift, shift, points, inset, walls: None }
    }

    /// The walls; made when first needed. A flat difference has none, and nothing inside.
    fn walls(&mut self, longest: f64) -> &[Wall] {
        let (points, shift, inset) = (&mut self.points, self.shift, self.inset);
        self.walls.get_or_insert_with(|| {
            let facets = facets(&std::mem::take(points)).unwrap_or_default();
            let mut walls: Vec<Wall> = Vec::with_capacity(facets.len());
            for facet in facets {
                let height = facet.height - facet.normal.dot(shift) - inset;
                let facet = Wall { height, ..facet };
                match walls.iter_mut().find(|wall| wall.normal.distance_squared(facet.normal) < 1e-22) {
                    Some(wall) => *wall = wall.joined(facet, longest),
                    None => walls.push(facet),
                }
            }
            walls.sort_by(Wall::compare);
            walls
        })
    }
}

/// The walls of the difference in which a point is deepest; none when it is inside none. Of those equally deep to rounding the first.
fn deepest(differences: &mut [Difference], point: DVec3, longest: f64) -> Option<&[Wall]> {
    let noise = NOISE * longest;
    let mut best: Option<(usize, f64)> = None;
    for (number, difference) in differences.iter_mut().enumerate() {
        if !(point.cmpgt(difference.low).all() && point.cmplt(difference.high).all()) {
            continue;
        }
        let room = |wall: &Wall| wall.height - wall.normal.dot(point);
        let walls = difference.walls(longest);
        let depth = walls.iter().map(room).fold(f64::INFINITY, f64::min);
        if !walls.is_empty() && depth > best.map_or(noise, |(_, most)| most + noise) {
            best = Some((number, depth));
        }
    }
    best.map(|(number, _)| differences[number].walls(longest))
}
