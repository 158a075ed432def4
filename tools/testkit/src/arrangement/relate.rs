//! The class of two bodies, by its definition on cells, panels, needles and pairs of triangles.

use super::cells::{Arrangement, is_inside};
use super::integers::{Fraction, Plane, Spot, cross, dot, minus, mul, normal, times, wide};
use super::{Point, Triangle};
use crate::rational::{Vector, integer};
use crate::triangle_meeting::{TriangleMeeting, triangle_meeting};
use std::collections::BTreeMap;

/// How two bodies lie to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ArrangedRelation {
    /// No common point.
    Separate,
    /// Common points, and none of the following.
    Touching,
    /// With a common interior: whether one body cuts the other in pieces.
    Overlapping {
        /// `None` without a common interior: sheets that cross, or that are partly in a solid.
        piercing: Option<bool>,
    },
    /// The first is in the second.
    FirstInside,
    /// The second is in the first.
    SecondInside,
    /// The same set.
    Same,
}

impl ArrangedRelation {
    /// With the bodies in the other order.
    #[must_use]
    pub fn swapped(self) -> ArrangedRelation {
        match self {
            ArrangedRelation::FirstInside => ArrangedRelation::SecondInside,
            ArrangedRelation::SecondInside => ArrangedRelation::FirstInside,
            same => same,
        }
    }
}

/// Whether every edge has an even number of triangles, of all or of those with an area; triangles with fewer than three places take no part.
pub fn is_closed(body: &[Triangle]) -> bool {
    let has_area = |t: &Triangle| {
        let [u, v] = [1, 2].map(|k: usize| std::array::from_fn::<i64, 3, _>(|i| t[k][i] - t[0][i]));
        (0..3).any(|i| u[i] * v[(i + 1) % 3] != u[(i + 1) % 3] * v[i])
    };
    let proper: Vec<Triangle> = body.iter().filter(|t| has_area(t)).copied().collect();
    has_even_edges(body) || has_even_edges(&proper)
}

fn has_even_edges(body: &[Triangle]) -> bool {
    let mut edges: BTreeMap<[Point; 2], usize> = BTreeMap::new();
    for t in body.iter().filter(|t| t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) {
        for k in 0..3 {
            let (p, q) = (t[k], t[(k + 1) % 3]);
            *edges.entry([p.min(q), p.max(q)]).or_default() += 1;
        }
    }
    !edges.is_empty() && edges.values().all(|count| count % 2 == 0)
}

/// How two bodies lie to each other; for the meaning of the classes see the product's table.
pub fn relation(a: &[Triangle], b: &[Triangle]) -> ArrangedRelation {
    let bodies = [a, b];
    let closed = bodies.map(is_closed);
    let all = Arrangement::new(bodies, closed);
    let occurs = |within: [bool; 2]| all.cells.values().any(|&cell| cell == within);
    let only = [occurs([true, false]), occurs([false, true])];
    if occurs([true, true]) {
        return match only {
            [true, true] => ArrangedRelation::Overlapping { piercing: Some(all.is_cut(0) || all.is_cut(1)) },
            [false, true] => ArrangedRelation::FirstInside,
            [true, false] => ArrangedRelation::SecondInside,
            [false, false] => ArrangedRelation::Same,
        };
    }
    let meetings = meetings(bodies);
    for (k, has_volume) in only.into_iter().enumerate() {
        let [inside, outside] = thin_parts(&all, bodies, closed, k);
        if inside && (outside || has_volume) {
            return ArrangedRelation::Overlapping { piercing: None };
        }
        if inside {
            return if k == 0 { ArrangedRelation::FirstInside } else { ArrangedRelation::SecondInside };
        }
    }
    if meetings.is_empty() {
        ArrangedRelation::Separate
    } else if only == [false, false] && same_set(&all, bodies) {
        ArrangedRelation::Same
    } else if meetings.contains(&TriangleMeeting::Crossing) {
        ArrangedRelation::Overlapping { piercing: None }
    } else {
        ArrangedRelation::Touching
    }
}

/// All ways in which triangles of the two bodies meet.
fn meetings(bodies: [&[Triangle]; 2]) -> Vec<TriangleMeeting> {
    let exact = |t: &Triangle| -> [Vector; 3] { t.map(|p| p.map(integer)) };
    let low = |t: &Triangle, k: usize| t.iter().map(|p| p[k]).min();
    let high = |t: &Triangle, k: usize| t.iter().map(|p| p[k]).max();
    let near =
        |s: &Triangle, t: &Triangle| (0..3).all(|k| low(s, k) <= high(t, k) && low(t, k) <= high(s, k));
    let mut found = Vec::new();
    for s in bodies[0] {
        for t in bodies[1].iter().filter(|t| near(s, t)) {
            let meeting = triangle_meeting(&exact(s), &exact(t));
            if meeting != TriangleMeeting::Apart {
                found.push(meeting);
            }
        }
    }
    found
}

/// Whether parts of the faces of body `k` are in the open solid of the other; whether parts are off it and its faces.
fn thin_parts(all: &Arrangement, bodies: [&[Triangle]; 2], closed: [bool; 2], k: usize) -> [bool; 2] {
    let other = 1 - k;
    if !closed[other] {
        return [false, false];
    }
    let mut found = [false; 2];
    for panel in all.panels.iter().filter(|panel| panel.covered[k]) {
        match panel.beside.map(|within| within[other]) {
            [true, true] => found[0] = true,
            [false, false] => found[1] = true,
            _ => {}
        }
    }
    let walls: Vec<Triangle> = bodies[other].iter().copied().filter(|t| normal(*t) != [0; 3]).collect();
    for needle in bodies[k].iter().filter(|t| normal(**t) == [0; 3]) {
        for spot in pieces(needle, &walls) {
            if !walls.iter().any(|wall| is_on(wall, &spot)) {
                found[usize::from(!is_inside(bodies[other], &spot))] = true;
            }
        }
    }
    found
}

/// Whether two bodies without volume cover the same set.
fn same_set(all: &Arrangement, bodies: [&[Triangle]; 2]) -> bool {
    all.panels.iter().all(|panel| panel.covered[0] == panel.covered[1])
        && (0..2).all(|k| {
            let mut needles = bodies[k].iter().filter(|t| normal(**t) == [0; 3]);
            needles.all(|needle| {
                let covering: Vec<Triangle> =
                    bodies[1 - k].iter().copied().filter(|t| may_cover(t, needle)).collect();
                pieces(needle, &covering).iter().all(|spot| covering.iter().any(|t| is_on(t, spot)))
            })
        })
}

/// Whether a face may have more than a point in common with a needle, or the needle is a point.
fn may_cover(face: &Triangle, needle: &Triangle) -> bool {
    let [from, to] = ends(needle);
    let along = minus(wide(to), wide(from));
    let in_line = |&p: &Point| cross(along, minus(wide(p), wide(from))) == [0; 3];
    normal(*face) != [0; 3] || face.iter().all(in_line)
}

/// A point of each piece into which the planes and rims of faces cut a needle.
fn pieces(needle: &Triangle, faces: &[Triangle]) -> Vec<Spot> {
    let [from, to] = ends(needle);
    let along = minus(wide(to), wide(from));
    let start = Spot::of(from);
    if along == [0; 3] {
        return vec![start];
    }
    let mut cuts = vec![Fraction::whole(0), Fraction::whole(1)];
    let mut cut = |plane: Option<Plane>| {
        if let Some(plane) = plane
            && dot(plane.normal, along) != 0
        {
            let t = Fraction::new(-plane.at(&start), dot(plane.normal, along));
            cuts.extend(Some(t).filter(|t| *t > Fraction::whole(0) && *t < Fraction::whole(1)));
        }
    };
    for t in faces {
        let across = normal(*t);
        if across == [0; 3] {
            for &corner in t {
                cut(Plane::through(along, corner));
            }
        }
        cut(Plane::through(across, t[0]));
        for k in 0..3 {
            cut(Plane::through(cross(across, minus(wide(t[(k + 1) % 3]), wide(t[k]))), t[k]));
        }
    }
    cuts.sort_unstable();
    cuts.dedup();
    cuts.windows(2).map(|w| start.along(along, Fraction::between(w[0], w[1]))).collect()
}

fn ends(needle: &Triangle) -> [Point; 2] {
    let [a, b, c] = *needle;
    [a.min(b).min(c), a.max(b).max(c)]
}

/// Whether a point is on a closed triangle.
fn is_on(t: &Triangle, spot: &Spot) -> bool {
    let across = normal(*t);
    let beyond = |p: Point| minus(spot.place, times(spot.weight, wide(p)));
    if across == [0; 3] {
        let [from, to] = ends(t);
        let along = minus(wide(to), wide(from));
        let reached = dot(along, beyond(from));
        let far = mul(spot.weight, dot(along, along));
        return cross(along, beyond(from)) == [0; 3]
            && (0..=far).contains(&reached)
            && (far > 0 || beyond(from) == [0; 3]);
    }
    dot(across, beyond(t[0])) == 0
        && (0..3).all(|k| {
            let inward = cross(across, minus(wide(t[(k + 1) % 3]), wide(t[k])));
            dot(inward, beyond(t[k])) >= 0
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(low: i64, high: i64) -> Vec<Triangle> {
        let at = |i: usize| -> Point { std::array::from_fn(|k| if i >> k & 1 == 0 { low } else { high }) };
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]]
            .iter()
            .flat_map(|&[a, b, c, d]| [[at(a), at(b), at(c)], [at(a), at(c), at(d)]])
            .collect()
    }

    fn shifted(body: &[Triangle], by: Point) -> Vec<Triangle> {
        body.iter().map(|t| t.map(|p| std::array::from_fn(|k| p[k] + by[k]))).collect()
    }

    #[test]
    fn one_of_each_class() {
        let (cube, big) = (block(0, 2), block(-2, 4));
        let plate = vec![[[0, 0, 1], [9, 0, 1], [0, 9, 1]]];
        let bar: Vec<Triangle> = cube.iter().map(|t| t.map(|p| [4 * p[0] - 3, p[1], p[2] * 3 - 2])).collect();
        let narrow: Vec<Triangle> = cube.iter().map(|t| t.map(|p| [p[0], 4 * p[1] - 3, p[2]])).collect();
        let protruding = ArrangedRelation::Overlapping { piercing: Some(false) };
        for (a, b, class) in [
            (&cube, &shifted(&cube, [3, 0, 0]), ArrangedRelation::Separate),
            (&cube, &shifted(&cube, [2, 1, 1]), ArrangedRelation::Touching),
            (&cube, &shifted(&cube, [1, 1, 1]), protruding),
            (&bar, &narrow, ArrangedRelation::Overlapping { piercing: Some(true) }),
            (&cube, &big, ArrangedRelation::FirstInside),
            (&cube, &cube, ArrangedRelation::Same),
            (&plate, &cube, ArrangedRelation::Overlapping { piercing: None }),
            (&shifted(&plate, [0, 0, 1]), &cube, ArrangedRelation::Touching),
            (&plate, &block(-10, 10), ArrangedRelation::FirstInside),
        ] {
            assert_eq!(relation(a, b), class);
            assert_eq!(relation(b, a), class.swapped());
        }
    }
}
