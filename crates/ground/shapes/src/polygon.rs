//! One polygon of a source: is it exactly planar and convex, and which triangles cover it?

use crate::ear_clip::EarClipper;
use crate::sweep;
use kontakt_math::predicates::{orient2d, orient3d};
use kontakt_math::{DVec2, DVec3, Sign};

/// Convex polygons with more corners are not fanned out.
const FANNED: usize = 32;

/// Polygons with more corners are cut by a sweep: ear clipping takes the cube of their number where they cross themselves.
const SHORT: usize = 64;

/// What a polygon turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A triangle, or exactly planar and convex: stays one face.
    Convex,
    /// Became triangles; `rough` when they may overlap.
    Other { rough: bool },
}

/// Cuts polygons into triangles, one after the other, reusing its memory.
#[derive(Default)]
pub(crate) struct Triangulator {
    corners: Vec<u32>,
    flat: Vec<DVec2>,
    triangles: Vec<[u32; 3]>,
    clipper: EarClipper,
}

impl Triangulator {
    /// Looks at one polygon (indices valid, at least one). Afterwards `corners` and `triangles` describe it.
    pub(crate) fn cut(&mut self, vertices: &[DVec3], polygon: &[u32]) -> Shape {
        self.triangles.clear();
        self.drop_repeats(polygon);
        if let Some(triangle) = as_triangle(&self.corners) {
            self.corners.clear();
            self.corners.extend_from_slice(&triangle);
            self.triangles.push(triangle);
            return Shape::Convex;
        }
        if let Some((axis, turn)) = exact_plane(vertices, &self.corners) {
            self.project(vertices, axis, turn);
            if is_weakly_convex(&self.flat) {
                self.cut_convex();
                return Shape::Convex;
            }
        } else {
            let (axis, turn) = dominant_axis(vertices, &self.corners);
            self.project(vertices, axis, turn);
        }
        self.turn_over();
        Shape::Other { rough: !self.cut_other() }
    }

    /// Triangles of any polygon; whether they are proven not to overlap. They are for every polygon that nowhere touches itself, seen
    /// as it is seen here.
    fn cut_other(&mut self) -> bool {
        let Triangulator { flat, corners, triangles, clipper } = self;
        if flat.len() <= SHORT {
            return clipper.cut(flat, corners, triangles);
        }
        let clean = sweep::cut(flat, corners, triangles);
        if !clean {
            clipper.cut_roughly(flat, corners, triangles);
        }
        clean
    }

    /// Mirrors the view if the polygon is clockwise there: its first proper triple of corners may be at a corner that turns inward. The
    /// turn at an extreme corner tells; only if that is a spike another corner at its place does.
    fn turn_over(&mut self) {
        let (flat, n) = (&mut self.flat, self.corners.len());
        let extreme = flat.iter().fold(DVec2::INFINITY, |m, &p| if (p.x, p.y) < (m.x, m.y) { p } else { m });
        // Each run of corners there once, however long.
        let begins = |k: usize| flat[k] == extreme && flat[(k + n - 1) % n] != extreme;
        let turns = (0..n).filter(|&k| begins(k)).filter_map(|k| {
            let after = (1..n).map(|step| flat[(k + step) % n]).find(|&p| p != extreme)?;
            Some(orient2d(flat[(k + n - 1) % n], extreme, after))
        });
        if turns.into_iter().find(|&turn| turn != Sign::Zero) == Some(Sign::Negative) {
            flat.iter_mut().for_each(|p| *p = DVec2::new(p.y, p.x));
        }
    }

    /// The polygon without corners repeated in a row.
    pub(crate) fn corners(&self) -> &[u32] {
        &self.corners
    }

    /// The triangles that cover it.
    pub(crate) fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    fn drop_repeats(&mut self, polygon: &[u32]) {
        self.corners.clear();
        self.corners.extend_from_slice(polygon);
        if polygon.len() > 3 {
            self.corners.dedup();
            while self.corners.len() > 1 && self.corners.first() == self.corners.last() {
                self.corners.pop();
            }
        }
    }

    /// Drops one coordinate (exact), oriented so that `turn` becomes counter-clockwise.
    fn project(&mut self, vertices: &[DVec3], axis: usize, turn: Sign) {
        self.flat.clear();
        let mirrored = turn == Sign::Negative;
        self.flat.extend(self.corners.iter().map(|&i| drop_axis(vertices[i as usize], axis, mirrored)));
    }

    /// Triangles of a weakly convex polygon, none of them degenerate, in linear time.
    ///
    /// Call a corner flat when its two edges are collinear, else strict; there are at least three strict ones. Number the
    /// corners so that 0 is strict, and let `s` and `e` be the first and last strict corners after it: 0..=s and e..=n are the
    /// two sides that meet in 0. A fan from corner s + 1 over the first side is proper because s + 1 is not on that side, s
    /// being strict; likewise the fan from e − 1 over the last side; and corner 0 is on no line of an edge between s and e.
    /// If s and e are neighbours, corners 1 and e serve as the two apexes: 1 is not on the last side, e not on the first.
    fn cut_convex(&mut self) {
        let n = self.corners.len();
        if n > FANNED && self.halve_convex() {
            return;
        }
        let strict = |k: usize| {
            let [a, b, c] = [(k + n - 1) % n, k % n, (k + 1) % n].map(|j| self.flat[j]);
            orient2d(a, b, c) != Sign::Zero
        };
        let zero = (0..n).find(|&k| strict(k)).unwrap_or(0);
        let s = (1..n).find(|&k| strict(zero + k)).unwrap_or(1);
        let e = (1..n).rfind(|&k| strict(zero + k)).unwrap_or(n - 1);
        let corners = &self.corners;
        let triangle = |a: usize, b: usize, c: usize| [a, b, c].map(|k| corners[(zero + k) % n]);
        let apart = e > s + 1;
        let (first_apex, last_apex) = if apart { (s + 1, e - 1) } else { (e, 1) };
        let first_side = usize::from(!apart)..s;
        self.triangles.extend(first_side.map(|k| triangle(k, k + 1, first_apex)));
        if apart {
            self.triangles.extend((s + 1..e - 1).map(|k| triangle(0, k, k + 1)));
        }
        self.triangles.extend((e..n).map(|k| triangle(last_apex, k, k + 1)));
    }
}

impl Triangulator {
    /// Triangles of a weakly convex polygon by halves: one with three strict corners a third of the way apart, then one on the
    /// middle of each chord. No corner is in more than a few of them, and most are small: the boxes of few of them meet,
    /// where in a fan all do. `false` (and nothing done) when a third is one straight side.
    ///
    /// A chord from i to j cuts off the corners between. The middle one is on the chord exactly when all of them are: the polygon
    /// is weakly convex, so they are then one straight side, and the triangle at the chord takes them as a fan from its corner
    /// off that side.
    fn halve_convex(&mut self) -> bool {
        let n = self.corners.len();
        let turn =
            |a: usize, b: usize, c: usize| orient2d(self.flat[a % n], self.flat[b % n], self.flat[c % n]);
        let is_straight = |i: usize, j: usize| j > i + 1 && turn(i, i + (j - i) / 2, j) == Sign::Zero;
        let mut strict = (0..n).filter(|&k| turn(k + n - 1, k, k + 1) != Sign::Zero);
        let thirds = strict.next().and_then(|first| {
            let second = strict.by_ref().find(|&k| k >= first + n / 3)?;
            let third = strict.by_ref().find(|&k| k >= second + n / 3)?;
            Some([first, second, third])
        });
        let Some([first, second, third]) = thirds else { return false };
        let chords = [[first, second], [second, third], [third, first + n]];
        if chords.iter().any(|&[i, j]| is_straight(i, j)) {
            return false;
        }
        let corners = &self.corners;
        let triangle = |a: usize, b: usize, c: usize| [a, b, c].map(|k| corners[k % n]);
        let triangles = &mut self.triangles;
        triangles.push(triangle(first, second, third));
        let mut open = chords.to_vec();
        while let Some([i, j]) = open.pop() {
            if j <= i + 1 {
                continue;
            }
            let middle = i + (j - i) / 2;
            let last = if is_straight(i, middle) {
                triangles.extend((i..middle - 1).map(|k| triangle(k, k + 1, j)));
                middle - 1
            } else {
                open.push([i, middle]);
                i
            };
            if is_straight(middle, j) {
                triangles.extend((middle..j).map(|k| triangle(last, k, k + 1)));
            } else {
                triangles.push(triangle(last, middle, j));
                open.push([middle, j]);
            }
        }
        true
    }
}

/// At most three corners as a triangle, the last one repeated where some are missing.
fn as_triangle(corners: &[u32]) -> Option<[u32; 3]> {
    match *corners {
        [] => Some([0; 3]),
        [a] => Some([a; 3]),
        [a, b] => Some([a, b, b]),
        [a, b, c] => Some([a, b, c]),
        _ => None,
    }
}

fn drop_axis(p: DVec3, axis: usize, mirrored: bool) -> DVec2 {
    let (u, v) = match axis {
        0 => (p.y, p.z),
        1 => (p.z, p.x),
        _ => (p.x, p.y),
    };
    if mirrored { DVec2::new(v, u) } else { DVec2::new(u, v) }
}

/// The coordinate to drop and the turn of three corners in that view, if all corners lie exactly in one plane and not on
/// one line. Dropping a coordinate maps the plane one-to-one because the three corners stay a proper triangle.
fn exact_plane(vertices: &[DVec3], corners: &[u32]) -> Option<(usize, Sign)> {
    let at = |i: usize| vertices[corners[i] as usize];
    let a = at(0);
    let far = (1..corners.len()).find(|&i| at(i) != a)?;
    let b = at(far);
    let (third, axis, turn) = (far + 1..corners.len()).find_map(|i| {
        let (axis, turn) = proper_view(a, b, at(i))?;
        Some((i, axis, turn))
    })?;
    let c = at(third);
    // The corners before `third` lie on the line through a and b.
    (third + 1..corners.len()).all(|i| orient3d(a, b, c, at(i)) == Sign::Zero).then_some((axis, turn))
}

/// A coordinate to drop such that the triangle stays proper, and its turn there; `None` exactly when it has no area.
pub(crate) fn proper_view(a: DVec3, b: DVec3, c: DVec3) -> Option<(usize, Sign)> {
    [2, 0, 1].into_iter().find_map(|axis| {
        let [p, q, r] = [a, b, c].map(|v| drop_axis(v, axis, false));
        let turn = orient2d(p, q, r);
        (turn != Sign::Zero).then_some((axis, turn))
    })
}

/// The view for a polygon that is not exactly planar: along the largest component of its vector area, computed on
/// coordinates scaled into [−1, 1] so that neither 1e300 nor 1e-300 does harm. Any choice is valid; a good one gives better
/// triangles.
fn dominant_axis(vertices: &[DVec3], corners: &[u32]) -> (usize, Sign) {
    let points = || corners.iter().map(|&i| vertices[i as usize]);
    let (low, high) = points().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(l, h), p| (l.min(p), h.max(p)));
    let origin = low * 0.5 + high * 0.5;
    let reach = (high * 0.5 - low * 0.5).max_element();
    let scaled = |p: DVec3| if reach > 0.0 { (p - origin) / reach } else { DVec3::ZERO };
    let mut area = DVec3::ZERO;
    let mut previous = scaled(vertices[corners[corners.len() - 1] as usize]);
    for point in points().map(scaled) {
        area += previous.cross(point);
        previous = point;
    }
    let size = area.abs();
    let axis = if size.z >= size.x && size.z >= size.y { 2 } else { usize::from(size.y > size.x) };
    (axis, Sign::of(area[axis]))
}

/// Whether a closed polygon that is not on one line goes once counter-clockwise round a convex region, corners within straight
/// sides allowed. Its orientation may be either; the view is such that one proper triple turns left, so a polygon that turns
/// right throughout is convex too.
///
/// Proof of the test. Call an edge rising when its direction is lexicographically positive. Let no edge have length zero, all
/// turns have one sign or be zero, and no zero turn be a reversal (both edges rising or both falling). Then the direction
/// angle of the edges is monotone, its total change is 2πw with w ≥ 1 full turns, and each full turn changes between rising
/// and falling exactly twice. Two changes hence mean w = 1, and a closed polygon with monotone direction and w = 1 is convex.
fn is_weakly_convex(flat: &[DVec2]) -> bool {
    let n = flat.len();
    let mut seen = Sign::Zero;
    let mut changes = 0;
    for i in 0..n {
        let [a, b, c] = [i, (i + 1) % n, (i + 2) % n].map(|k| flat[k]);
        let (Some(first), Some(second)) = (rises(a, b), rises(b, c)) else { return false };
        changes += usize::from(first != second);
        match orient2d(a, b, c) {
            Sign::Zero if first != second => return false,
            Sign::Zero => {}
            turn if seen == Sign::Zero => seen = turn,
            turn if turn != seen => return false,
            _ => {}
        }
    }
    changes == 2
}

/// Whether `b` comes after `a` lexicographically; `None` when they are the same point.
fn rises(a: DVec2, b: DVec2) -> Option<bool> {
    if a.x == b.x && a.y == b.y { None } else { Some((b.x, b.y) > (a.x, a.y)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flat(points: &[[f64; 2]]) -> Vec<DVec3> {
        points.iter().map(|p| DVec3::new(p[0], p[1], 0.0)).collect()
    }

    fn cut(points: &[DVec3]) -> (Shape, Vec<[u32; 3]>) {
        let polygon: Vec<u32> = (0..points.len() as u32).collect();
        let mut triangulator = Triangulator::default();
        let shape = triangulator.cut(points, &polygon);
        (shape, triangulator.triangles().to_vec())
    }

    fn degenerate(points: &[DVec3], triangles: &[[u32; 3]]) -> usize {
        let at = |i: u32| points[i as usize];
        triangles.iter().filter(|t| proper_view(at(t[0]), at(t[1]), at(t[2])).is_none()).count()
    }

    #[test]
    fn a_square_is_convex_from_both_sides() {
        let square = flat(&[[0., 0.], [1., 0.], [1., 1.], [0., 1.]]);
        assert_eq!(cut(&square), (Shape::Convex, vec![[0, 1, 2], [2, 3, 0]]));
        let back: Vec<DVec3> = square.iter().rev().copied().collect();
        assert_eq!(cut(&back).0, Shape::Convex);
    }

    #[test]
    fn flat_corners_give_no_degenerate_triangle() {
        // A triangle with two extra points on every side: no fan would do.
        let points =
            flat(&[[0., 0.], [1., 0.], [2., 0.], [3., 0.], [2., 1.], [1., 2.], [0., 3.], [0., 2.], [0., 1.]]);
        for turn in 0..points.len() {
            let mut points = points.clone();
            points.rotate_left(turn);
            let (shape, triangles) = cut(&points);
            assert_eq!((shape, triangles.len()), (Shape::Convex, 7));
            assert_eq!(degenerate(&points, &triangles), 0, "rotation {turn}: {triangles:?}");
        }
    }

    #[test]
    fn a_large_convex_polygon_is_covered_by_halves() {
        // A disc, and half a disc whose straight side has as many corners: all covered, no triangle degenerate.
        let at = |k: u32, n: u32| {
            let (sin, cos) = (std::f64::consts::PI * f64::from(k) / f64::from(n)).sin_cos();
            [cos, sin]
        };
        let disc: Vec<[f64; 2]> = (0..1000).map(|k| at(2 * k, 1000)).collect();
        let mut half: Vec<[f64; 2]> = (0..500).map(|k| at(k, 500)).collect();
        half.extend((0..512).map(|k| [f64::from(k) / 256.0 - 1.0, 0.0]));
        for points in [&disc, &half] {
            let outline: f64 = (0..points.len())
                .map(|i| DVec2::from(points[i]).perp_dot(points[(i + 1) % points.len()].into()) / 2.0)
                .sum();
            let points = flat(points);
            for turn in [0, 1, 333, 600, 998] {
                let mut points = points.clone();
                points.rotate_left(turn);
                let (shape, triangles) = cut(&points);
                assert_eq!((shape, triangles.len()), (Shape::Convex, points.len() - 2));
                assert_eq!(degenerate(&points, &triangles), 0);
                let area = |t: &[u32; 3]| {
                    let [a, b, c] = t.map(|i| points[i as usize]);
                    (b - a).cross(c - a).z / 2.0
                };
                assert!(triangles.iter().all(|t| area(t) > 0.0));
                assert!((triangles.iter().map(area).sum::<f64>() - outline).abs() < 1e-12);
            }
        }
        // In a fan one corner is in all of them.
        let mut uses = vec![0; 1000];
        cut(&flat(&disc)).1.iter().flatten().for_each(|&i| uses[i as usize] += 1);
        assert!(uses.iter().all(|&uses| uses <= 20));
    }

    #[test]
    fn a_bent_square_is_not_planar_by_one_ulp() {
        let mut square = flat(&[[0., 0.], [1., 0.], [1., 1.], [0., 1.]]);
        square[2].z = f64::MIN_POSITIVE;
        assert_eq!(cut(&square).0, Shape::Other { rough: false });
    }

    #[test]
    fn a_star_that_turns_left_twice_round_is_not_convex() {
        let star: Vec<[f64; 2]> =
            [0, 2, 4, 1, 3].iter().map(|k| f64::from(*k) * 1.256_637).map(|t| [t.cos(), t.sin()]).collect();
        assert!(matches!(cut(&flat(&star)).0, Shape::Other { .. }));
    }

    #[test]
    fn spikes_and_needles_are_not_convex_and_end() {
        assert!(matches!(cut(&flat(&[[0., 0.], [2., 0.], [1., 0.], [1., 1.]])).0, Shape::Other { .. }));
        assert!(matches!(cut(&flat(&[[0., 0.], [1., 0.], [2., 0.], [3., 0.]])).0, Shape::Other { .. }));
        assert!(matches!(cut(&flat(&[[1., 1.]; 5])).0, Shape::Other { .. }));
    }

    #[test]
    fn repeated_corners_are_dropped() {
        let points = flat(&[[0., 0.], [1., 0.], [1., 1.], [0., 1.]]);
        let mut triangulator = Triangulator::default();
        assert_eq!(triangulator.cut(&points, &[0, 0, 1, 2, 2, 3, 0]), Shape::Convex);
        assert_eq!(triangulator.corners(), [0, 1, 2, 3]);
        assert_eq!(triangulator.cut(&points, &[1, 1, 1, 1]), Shape::Convex);
        assert_eq!(triangulator.triangles(), [[1, 1, 1]]);
    }
}
