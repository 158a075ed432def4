//! One polygon of a source: is it exactly planar and convex, and which triangles cover it?

use crate::convex_cut;
use crate::ear_clip::EarClipper;
use crate::sweep::{self, Outline};
use kontakt_math::predicates::{orient2d, orient3d};
use kontakt_math::{DVec2, DVec3, Sign};

/// Polygons with more corners are cut by a sweep: ear clipping takes the cube of their number where they cross themselves.
const SHORT: usize = 64;

/// How often the corners at all crossings of a long polygon are cut off, which may make others, before all of it is cut roughly.
const ROUNDS: usize = 16;

/// What a polygon turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A triangle, or exactly planar and convex: stays one face.
    Convex,
    /// Became triangles.
    Other(Cover),
}

/// How far triangles are proven to cover a polygon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cover {
    /// They may overlap, even as they are seen along an axis.
    pub(crate) rough: bool,
    /// So many of them, the first ones, may meet others anyhow. The rest meet each other in common corners and edges only.
    pub(crate) loose: usize,
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
        let plane = exact_plane(vertices, &self.corners);
        let (axis, turn) = plane.unwrap_or_else(|| dominant_axis(vertices, &self.corners));
        self.project(vertices, axis, turn);
        if plane.is_some() && convex_cut::is_weakly_convex(&self.flat) {
            convex_cut::cut(&self.flat, &self.corners, &mut self.triangles);
            return Shape::Convex;
        }
        turn_over(&mut self.flat);
        let mut cover = self.cut_other(plane.is_some());
        if plane.is_none() && !self.are_shown(vertices, axis, cover.loose) {
            cover.loose = self.triangles.len();
        }
        Shape::Other(cover)
    }

    /// Whether all triangles but the first ones have an area seen along an axis.
    ///
    /// Why that makes triangles of a bent polygon meet in common corners and edges only when they do so as they are seen, all of its corners at
    /// different places there: a common point of two triangles is seen in a common corner or edge, and above that each of them has just that
    /// corner or edge, since none is seen edge-on.
    fn are_shown(&self, vertices: &[DVec3], axis: usize, loose: usize) -> bool {
        self.triangles[loose..].iter().all(|t| {
            let [p, q, r] = t.map(|i| drop_axis(vertices[i as usize], axis, false));
            orient2d(p, q, r) != Sign::Zero
        })
    }

    /// Triangles of any polygon, as it is seen here. They are rough only if it crosses or touches itself.
    fn cut_other(&mut self, planar: bool) -> Cover {
        let Triangulator { flat, corners, triangles, clipper } = self;
        let n = flat.len();
        if n <= SHORT {
            let clean = clipper.cut(flat, corners, triangles);
            return Cover { rough: !clean, loose: n - 2 };
        }
        let mut crossing = match sweep::cut(flat, corners, triangles) {
            Ok(outline) => return Cover { rough: false, loose: loose(outline, planar, 0, n - 2) },
            Err(crossing) => crossing,
        };
        // The corners at crossings are cut off, so that what is left need not be rough.
        let (mut seen, mut ids) = (flat.clone(), corners.clone());
        for _ in 0..ROUNDS {
            let mut edges = sweep::crossed(&seen);
            if edges.is_empty() {
                edges.extend(crossing.into_iter().flatten());
            }
            if edges.is_empty() || !cut_off(&edges, &mut seen, &mut ids, triangles) {
                break;
            }
            turn_over(&mut seen);
            let first = triangles.len();
            crossing = match sweep::cut(&seen, &ids, triangles) {
                Ok(outline) => return Cover { rough: true, loose: loose(outline, planar, first, n - 2) },
                Err(crossing) => crossing,
            };
        }
        triangles.clear();
        clipper.cut_roughly(flat, corners, triangles);
        Cover { rough: true, loose: n - 2 }
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
}

/// How many of all triangles are loose, when those from `first` on cover such an outline. Corners seen at one place are at one place if
/// the polygon is planar.
fn loose(outline: Outline, planar: bool, first: usize, all: usize) -> usize {
    match outline {
        Outline::Simple => first,
        Outline::Corners if planar => first,
        Outline::Corners | Outline::Touching => all,
    }
}

/// Cuts off both ends of each of these edges, which are given by their first corners; `false` if no long polygon would be left.
fn cut_off(
    edges: &[usize],
    seen: &mut Vec<DVec2>,
    ids: &mut Vec<u32>,
    triangles: &mut Vec<[u32; 3]>,
) -> bool {
    let n = ids.len();
    let mut is_off = vec![false; n];
    for &edge in edges {
        is_off[edge] = true;
        is_off[(edge + 1) % n] = true;
    }
    let left = is_off.iter().filter(|is_off| !**is_off).count();
    let Some(start) = is_off.iter().position(|is_off| !*is_off).filter(|_| left > SHORT) else {
        return false;
    };
    let mut kept = Vec::with_capacity(left);
    let mut last = start;
    for corner in (start..n).chain(0..start) {
        if is_off[corner] {
            triangles.push([ids[last], ids[corner], ids[(corner + 1) % n]]);
        } else {
            last = corner;
            kept.push(corner);
        }
    }
    *seen = kept.iter().map(|&corner| seen[corner]).collect();
    *ids = kept.iter().map(|&corner| ids[corner]).collect();
    true
}

/// Mirrors the view if the polygon is clockwise there: its first proper triple of corners may be at a corner that turns inward. The
/// turn at an extreme corner tells; only if that is a spike another corner at its place does.
fn turn_over(flat: &mut [DVec2]) {
    let n = flat.len();
    let extreme = flat.iter().fold(DVec2::INFINITY, |m, &p| if (p.x, p.y) < (m.x, m.y) { p } else { m });
    // Each run of corners there once, however long.
    let begins = |k: usize| flat[k] == extreme && flat[(k + n - 1) % n] != extreme;
    let turns = (0..n).filter(|&k| begins(k)).filter_map(|k| {
        let after = (1..n).map(|step| flat[(k + step) % n]).find(|&p| p != extreme)?;
        Some(orient2d(flat[(k + n - 1) % n], extreme, after))
    });
    if turns.into_iter().find(|&turn| turn != Sign::Zero) == Some(Sign::Negative) {
        for p in flat.iter_mut() {
            *p = DVec2::new(p.y, p.x);
        }
    }
}

/// Whether triangles that a long polygon was once cut into are proven to meet each other in common corners and edges only, from
/// themselves alone. Short polygons are not worth the while.
///
/// Proof. Their outline nowhere touches itself as it is seen, and none of them turns right or is seen edge-on; so they do not overlap, by the
/// argument of [`sweep`](crate::sweep). All corners are on the outline: none is inside an edge, see [`Outline::Corners`].
pub(crate) fn are_apart(vertices: &[DVec3], triangles: &[[u32; 3]]) -> bool {
    if triangles.len() + 2 <= SHORT {
        return false;
    }
    let Some(outline) = outline_of(triangles) else { return false };
    let (axis, _) = exact_plane(vertices, &outline).unwrap_or_else(|| dominant_axis(vertices, &outline));
    let seen = |i: u32| drop_axis(vertices[i as usize], axis, false);
    let mut flat: Vec<DVec2> = outline.iter().map(|&i| seen(i)).collect();
    let turns = |t: &[u32; 3]| orient2d(seen(t[0]), seen(t[1]), seen(t[2]));
    let turn = turns(&triangles[0]);
    if turn == Sign::Zero || triangles.iter().any(|t| turns(t) != turn) {
        return false;
    }
    turn_over(&mut flat);
    sweep::cut(&flat, &outline, &mut Vec::new()) == Ok(Outline::Simple)
}

/// The corners along the edges that only one of the triangles has, if they are one loop through all corners, each once.
fn outline_of(triangles: &[[u32; 3]]) -> Option<Vec<u32>> {
    let mut edges: Vec<([u32; 2], u32)> = Vec::with_capacity(3 * triangles.len());
    for &[a, b, c] in triangles {
        edges.extend([[a, b], [b, c], [c, a]].map(|[p, q]| ([p.min(q), p.max(q)], p)));
    }
    edges.sort_unstable();
    let mut outline = Vec::with_capacity(triangles.len() + 2);
    for same in edges.chunk_by(|p, q| p.0 == q.0) {
        match same {
            [([low, high], from)] => outline.push([*from, if from == low { *high } else { *low }]),
            [(_, from), (_, other)] if from != other => {}
            _ => return None,
        }
    }
    if outline.len() != triangles.len() + 2 {
        return None;
    }
    outline.sort_unstable();
    let mut at = *outline.first()?;
    let mut round = Vec::with_capacity(outline.len());
    while round.len() < outline.len() {
        round.push(at[0]);
        at = outline[outline.binary_search_by_key(&at[1], |edge| edge[0]).ok()?];
    }
    // As many steps as edges; back at the first corner, and only now, they were all different.
    (at == outline[0] && !round[1..].contains(&round[0])).then_some(round)
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
    // The corners before `third` lie on the line through a and b. Most planes are square to an axis: no arithmetic for them.
    let level = (0..3).find(|&axis| a[axis] == b[axis] && a[axis] == c[axis]);
    let in_plane = |x: DVec3| match level {
        Some(axis) => x[axis] == a[axis],
        None => orient3d(a, b, c, x) == Sign::Zero,
    };
    (third + 1..corners.len()).all(|i| in_plane(at(i))).then_some((axis, turn))
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
        assert_eq!(cut(&square).0, Shape::Other(Cover { rough: false, loose: 2 }));
    }

    #[test]
    fn a_star_is_covered_wherever_its_corners_begin() {
        // The view was once turned by the first three corners: where these turn inward, the polygon was seen clockwise and
        // had no ears, and even a star of 12 corners was cut roughly.
        for (n, loose) in [(12, 10), (1000, 0)] {
            let cover = Cover { rough: false, loose };
            let at = |k: u32| {
                let (sin, cos) = (std::f64::consts::TAU * f64::from(k) / f64::from(n)).sin_cos();
                [cos, sin].map(|x| if k.is_multiple_of(2) { x } else { 0.5 * x })
            };
            let mut points = flat(&(0..n).map(at).collect::<Vec<_>>());
            for turn in 0..4 {
                assert_eq!(cut(&points).0, Shape::Other(cover), "{n} corners, from {turn}");
                points.rotate_left(1);
                points.reverse();
            }
        }
    }

    #[test]
    fn a_star_that_turns_left_twice_round_is_not_convex() {
        let star: Vec<[f64; 2]> =
            [0, 2, 4, 1, 3].iter().map(|k| f64::from(*k) * 1.256_637).map(|t| [t.cos(), t.sin()]).collect();
        assert!(matches!(cut(&flat(&star)).0, Shape::Other(_)));
    }

    #[test]
    fn spikes_and_needles_are_not_convex_and_end() {
        assert!(matches!(cut(&flat(&[[0., 0.], [2., 0.], [1., 0.], [1., 1.]])).0, Shape::Other(_)));
        assert!(matches!(cut(&flat(&[[0., 0.], [1., 0.], [2., 0.], [3., 0.]])).0, Shape::Other(_)));
        assert!(matches!(cut(&flat(&[[1., 1.]; 5])).0, Shape::Other(_)));
    }

    fn star(n: u32, height: impl Fn(f64, f64) -> f64) -> Vec<DVec3> {
        let at = |k: u32| {
            let (sin, cos) = (std::f64::consts::TAU * f64::from(k) / f64::from(n)).sin_cos();
            let [x, y] = [cos, sin].map(|x| if k.is_multiple_of(2) { x } else { 0.5 * x });
            DVec3::new(x, y, height(x, y))
        };
        (0..n).map(at).collect()
    }

    #[test]
    fn triangles_of_bent_polygons_are_apart_unless_seen_edge_on() {
        let saddle = star(300, |x, y| x * y);
        let (shape, triangles) = cut(&saddle);
        assert_eq!(shape, Shape::Other(Cover { rough: false, loose: 0 }));
        assert!(are_apart(&saddle, &triangles));
        // Too few to be worth the while, one twice, and one turned over.
        assert!(!are_apart(&saddle, &triangles[..50]));
        assert!(!are_apart(&saddle, &[&triangles[..], &triangles[..1]].concat()));
        let mut turned = triangles;
        turned[100].reverse();
        assert!(!are_apart(&saddle, &turned));
        // One corner straight above another: the two are one point as they are seen.
        let mut upright = saddle.clone();
        upright.insert(10, upright[9] + DVec3::new(0.0, 0.0, 0.25));
        let (shape, triangles) = cut(&upright);
        assert_eq!(shape, Shape::Other(Cover { rough: false, loose: 299 }));
        assert!(!are_apart(&upright, &triangles));
    }

    #[test]
    fn few_crossings_leave_few_triangles_loose() {
        for (crossed, most) in [([10, 12], 8), ([41, 43], 8), ([7, 200], 16)] {
            let mut points = star(400, |_, _| 0.0);
            points.swap(crossed[0], crossed[1]);
            let (shape, triangles) = cut(&points);
            let Shape::Other(Cover { rough, loose }) = shape else { panic!("it is not convex") };
            assert!(rough && loose <= most, "{crossed:?}: {loose}");
            assert_eq!(triangles.len(), 398);
        }
        // A corner on the other side crosses all spikes on its way.
        let mut points = star(400, |_, _| 0.0);
        points[100] = -2.0 * points[100];
        assert!(matches!(cut(&points).0, Shape::Other(Cover { rough: true, loose: 1..=8 })));
    }

    #[test]
    fn crossings_all_over_leave_few_triangles_loose() {
        // Each was once found by a sweep of its own, sixteen at most, and then all triangles were loose: 7.6 s for a star of 10⁵ corners.
        let mut points = star(4000, |_, _| 0.0);
        for k in 0..200 {
            points.swap(20 * k, 20 * k + 2);
        }
        let (shape, triangles) = cut(&points);
        let Shape::Other(Cover { rough, loose }) = shape else { panic!("it is not convex") };
        assert!(rough && loose <= 8 * 200, "{loose}");
        assert_eq!(triangles.len(), 3998);
        // What is left has the whole outline as its own: the areas are the winding numbers.
        let area = |[p, q, r]: [DVec3; 3]| (q - p).cross(r - p).z;
        let covered: f64 = triangles.iter().map(|t| area(t.map(|k| points[k as usize]))).sum();
        let outline: f64 = (0..4000).map(|k| points[k].cross(points[(k + 1) % 4000]).z).sum();
        assert!((covered.abs() - outline.abs()).abs() < 1e-9, "{covered} {outline}");
    }

    #[test]
    fn the_rims_of_a_ring_touch_at_the_bridge_only() {
        // A disc with a round hole, joined by a bridge that is walked twice: no triangle meets another but in corners and edges.
        let n = 100;
        let rim = |r: f64, k: u32| {
            let (sin, cos) = (std::f64::consts::TAU * f64::from(k % n) / f64::from(n)).sin_cos();
            [r * cos, r * sin]
        };
        let mut ring: Vec<[f64; 2]> = (0..=n).map(|k| rim(2.0, k)).collect();
        ring.extend((0..=n).map(|k| rim(1.0, n - k)));
        let (shape, triangles) = cut(&flat(&ring));
        assert_eq!((shape, triangles.len()), (Shape::Other(Cover { rough: false, loose: 0 }), 200));
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
