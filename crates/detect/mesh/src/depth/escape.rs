//! The shortest way out of a union of convex sets.
//!
//! With A the union of convex parts K and B of L, up to faces, a translation τ leaves no common interior exactly when it is outside
//! every open difference P = K − L. Who is outside P is beyond one of its facets. So the shortest τ is found by branching: from
//! the nearest point beyond some facets, which is inside some P, one facet of that P more is passed, each in turn. The nearest of
//! all open ends bounds the depth from below, and an end that is inside no P is the way out.
//!
//! **Rounding.** P is known by points that are off by roundings, and K and L by their insets; every facet is moved in by the sum.
//! The set within is in the exact difference, so its outside holds every way out there is.

use super::parts::Part;
use super::wall::{Rest, Wall, facets};
use crate::relation::Space;
use kontakt_math::DVec3;
use kontakt_schedule::Deadline;

const U: f64 = f64::EPSILON / 2.0;
/// Most ends that are looked at.
const MOST_STEPS: usize = 1000;
/// Most differences.
const MOST_DIFFERENCES: usize = 400;

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
    points: Vec<DVec3>,
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
    if a.is_empty() || b.is_empty() || a.len() * b.len() > MOST_DIFFERENCES {
        return None;
    }
    let mut differences: Vec<Difference> = Vec::new();
    for part_b in b {
        let placed: Vec<DVec3> = part_b.points.iter().map(|&x| space.between.b_in_a(x)).collect();
        let error = part_b.points.iter().map(|&x| space.between.error_at(x)).fold(0.0, f64::max);
        differences
            .extend(a.iter().map(|part_a| Difference::new(part_a, &placed, part_b.inset + error, longest)));
    }
    let noise = 1e-12 * longest;
    let mut ends = vec![End { walls: Vec::new(), rest: Rest::ORIGIN }];
    for _ in 0..MOST_STEPS {
        // The nearest end; of those equally near to rounding the one found first.
        let least = ends.iter().map(|end| end.rest.bound).fold(f64::INFINITY, f64::min);
        let Some(first) = ends.iter().position(|end| end.rest.bound <= least + noise) else {
            return Some(WayOut { bound: longest, pushes: [None; 2] });
        };
        if deadline.has_passed() {
            return Some(WayOut { bound: least, pushes: [None; 2] });
        }
        let end = ends.remove(first);
        let Some(walls) = deepest(&mut differences, end.rest.point, noise) else {
            let short =
                rounded(end.rest.point, longest).filter(|x| x.distance(end.rest.point) <= 10.0 * noise);
            return Some(WayOut { bound: least, pushes: [short, Some(end.out(10.0 * noise))] });
        };
        for &wall in walls {
            let rest = Rest::beyond(&end.walls, wall, end.rest);
            if rest.bound < longest {
                let walls = end.walls.iter().copied().chain([wall]).collect();
                ends.push(End { walls, rest });
            }
        }
    }
    let bound = ends.iter().map(|end| end.rest.bound).fold(longest, f64::min);
    Some(WayOut { bound, pushes: [None; 2] })
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
    /// Points err by u each when subtracted; a wall of a normal that errs by 16u is moved by that much of the farthest that it is asked
    /// about, and its height errs by 16u of the points' size.
    fn new(a: &Part, b: &[DVec3], inset_b: f64, longest: f64) -> Difference {
        let points: Vec<DVec3> = a.points.iter().flat_map(|&p| b.iter().map(move |&q| p - q)).collect();
        let (low, high) = points.iter().fold((points[0], points[0]), |(l, h), &x| (l.min(x), h.max(x)));
        let size = low.abs().max(high.abs()).element_sum() + longest;
        Difference { low, high, points, inset: a.inset + inset_b + 64.0 * U * size, walls: None }
    }

    /// The walls; made when first needed. A flat difference has none, and nothing inside.
    fn walls(&mut self) -> &[Wall] {
        let (points, inset) = (&mut self.points, self.inset);
        self.walls.get_or_insert_with(|| {
            let mut walls = facets(&std::mem::take(points)).unwrap_or_default();
            walls.iter_mut().for_each(|wall| wall.height -= inset);
            walls
        })
    }
}

/// The walls of the difference in which a point is deepest; none when it is inside none. Of those equally deep to rounding the first.
fn deepest<'a>(differences: &'a mut [Difference], point: DVec3, noise: f64) -> Option<&'a [Wall]> {
    let mut best: Option<(usize, f64)> = None;
    for (number, difference) in differences.iter_mut().enumerate() {
        if !(point.cmpgt(difference.low).all() && point.cmplt(difference.high).all()) {
            continue;
        }
        let room = |wall: &Wall| wall.height - wall.normal.dot(point);
        let walls = difference.walls();
        let depth = walls.iter().map(room).fold(f64::INFINITY, f64::min);
        if !walls.is_empty() && depth > best.map_or(noise, |(_, most)| most + noise) {
            best = Some((number, depth));
        }
    }
    best.map(|(number, _)| differences[number].walls())
}
