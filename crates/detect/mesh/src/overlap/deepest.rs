//! How deep a piece of surface lies inside a solid: the largest distance of its points from the solid's faces.
//!
//! Branch and bound over triangles. **Upper bound**: the distance from one face is convex, so on a triangle it is largest at a
//! corner; the distance from all faces is at most that from any. **Lower bound**: the distance at a point, where the solid contains it.
//! A triangle whose bounds are too far apart is cut where the nearest face changes: along the plane of points as far from the one as
//! from the other, or beside the face, and else at the middle of its longest side.

use super::cover::Triangle;
use super::ridge::{Plane, Seen};
use super::{Enough, NotMeasured};
use crate::inside::Location;
use crate::mesh::Mesh;
use crate::nearest::Nearest;
use crate::space::Space;
use kontakt_answers::{Range, Side};
use kontakt_bounds::hausdorff::above_distance_to_triangle;
use kontakt_math::DVec3;
use kontakt_math::order::{ByRank, Ranked, Total};
use std::collections::BinaryHeap;

/// Most triangles looked at.
const EFFORT: usize = 20_000;
/// **Never less** than how far a point of a triangle is from the parts it is cut into, in units of the largest coordinate: the new corners are
/// off their sides by the rounding of a product and a sum. So the points that a part has from the whole, its own, are within as many of
/// these of it as there were cuts.
const CUT: f64 = 8.0 * f64::EPSILON;

pub(super) struct Deepest {
    /// **Certified**.
    pub(super) range: Range,
    /// The deepest point found, in A's frame, to rounding.
    pub(super) at: DVec3,
}

impl Deepest {
    /// `triangles` (A's frame) cover the surface of `side` that lies in the other solid, but for errors of `fuzz`.
    pub(super) fn find(
        space: &Space,
        side: Side,
        triangles: &[Triangle],
        fuzz: f64,
        enough: Enough,
    ) -> Result<Deepest, NotMeasured> {
        let (placed, mapping) = in_other_frame(space, side, triangles)?;
        let size = placed.as_flattened().iter().fold(0.0, |size: f64, x| size.max(x.abs().max_element()));
        // What is not covered is within a few errors of what is, or of the other body's faces; see `cover`.
        let fuzz = 8.0 * fuzz + mapping + 8.0 * f64::EPSILON * size;
        let mut search = Search::new(space.mesh(side.other()), enough, size);
        search.floor = 2.0 * fuzz;
        for triangle in placed {
            if !space.goes_on() {
                return Err(NotMeasured::Limits);
            }
            search.enter(triangle, f64::INFINITY, 0);
        }
        while let Some(node) = search.next() {
            if !space.goes_on() {
                return Err(NotMeasured::Limits);
            }
            search.divide(&node);
        }
        let hi = (search.upper() + fuzz) * (1.0 + 4.0 * f64::EPSILON);
        let (lo, at) = search.best.unwrap_or((0.0, search.mesh.faces().vertices()[0]));
        let lo = (lo - fuzz).max(0.0) * (1.0 - 4.0 * f64::EPSILON);
        let at = if side == Side::A { space.between.b_in_a(at) } else { at };
        Ok(Deepest { range: Range::new(lo, hi.max(lo)).map_err(|_| NotMeasured::Overflow)?, at })
    }
}

/// Triangles in the frame of the body that `side` is not, and **never less** than how far their points are off.
fn in_other_frame(
    space: &Space,
    side: Side,
    triangles: &[Triangle],
) -> Result<(Vec<Triangle>, f64), NotMeasured> {
    let mut placed = triangles.to_vec();
    let mut off: f64 = 0.0;
    if side == Side::A {
        for x in placed.as_flattened_mut() {
            let (back, error) = space.to_b(*x).ok_or(NotMeasured::Overflow)?;
            (*x, off) = (back, off.max(error));
        }
    }
    Ok((placed, off))
}

/// A triangle, what is nearest to its middle, and to its corner that is farthest from that.
#[derive(Clone, Copy)]
struct Node {
    /// **Never less** than the depth of any point that is its own, see [`CUT`].
    upper: f64,
    /// How many cuts it is from the whole.
    level: u32,
    triangle: Triangle,
    nearest: u32,
    farthest: DVec3,
    nearest_there: u32,
}

impl Ranked for Node {
    type Rank = Total;

    fn rank(&self) -> Total {
        Total(self.upper)
    }
}

struct Search<'a> {
    mesh: &'a Mesh,
    near_enough: Enough,
    open: BinaryHeap<ByRank<Node>>,
    /// The greatest lower bound and where it is.
    best: Option<(f64, DVec3)>,
    /// Depths below this are roundings.
    floor: f64,
    /// What one cut may be off by.
    blur: f64,
    /// The largest upper bound of what is not to be cut any more.
    closed: f64,
    left: usize,
}

impl<'a> Search<'a> {
    fn new(mesh: &'a Mesh, near_enough: Enough, size: f64) -> Search<'a> {
        Search {
            mesh,
            near_enough,
            open: BinaryHeap::new(),
            best: None,
            floor: 0.0,
            blur: CUT * size,
            closed: 0.0,
            left: EFFORT,
        }
    }

    fn least(&self) -> f64 {
        self.best.map_or(0.0, |best| best.0)
    }

    /// Upper bounds up to this need no closer look.
    fn enough(&self) -> f64 {
        let Enough { narrow, depth } = self.near_enough;
        // What is nearer than the roundings of both ends is near enough.
        (self.least() * (1.0 + narrow)).max(self.least() + self.floor).max(depth)
    }

    fn upper(&self) -> f64 {
        self.open.peek().map_or(0.0, |top| top.0.upper).max(self.closed)
    }

    /// The triangle to be cut next; none when the bounds are near enough or enough were looked at.
    fn next(&mut self) -> Option<Node> {
        let top = self.open.peek()?.0.upper;
        if top <= self.enough() || self.left == 0 {
            return None;
        }
        self.left -= 1;
        self.open.pop().map(|top| top.0)
    }

    /// Enters a triangle, so many cuts from the whole, whose own points are known to be no deeper than `known`.
    fn enter(&mut self, triangle: Triangle, known: f64, level: u32) {
        let [a, b, c] = triangle;
        let middle = (a + b + c) / 3.0;
        let Some(near) = self.mesh.nearest(middle) else {
            self.closed = self.closed.max(known);
            return;
        };
        let (mut upper, worst) = self.farthest(&triangle, near.face);
        self.witness(middle, &near, level);
        let mut nearest_there = near.face;
        if upper.min(known) > self.enough()
            && let Some(there) = self.mesh.nearest(triangle[worst])
        {
            self.witness(triangle[worst], &there, level);
            nearest_there = there.face;
            upper = upper.min(self.farthest(&triangle, there.face).0);
        }
        let upper = (upper + self.blur * f64::from(level)).min(known);
        let node =
            Node { upper, level, triangle, nearest: near.face, farthest: triangle[worst], nearest_there };
        self.open.push(ByRank(node));
    }

    /// The corner of a triangle farthest from a face, and **never less** than its distance.
    fn farthest(&self, triangle: &Triangle, face: u32) -> (f64, usize) {
        let face = self.mesh.faces().triangle_points(face as usize);
        let heights = triangle.map(|x| above_distance_to_triangle(x, face));
        let worst = (0..3).fold(0, |most, k| if heights[k] > heights[most] { k } else { most });
        (heights[worst], worst)
    }

    /// Takes a point for the deepest so far, if it is inside and deeper.
    fn witness(&mut self, point: DVec3, near: &Nearest, level: u32) {
        let depth = near.distance.lo() - self.blur * f64::from(level);
        if depth > self.least() && self.mesh.inside(point).verdict == Location::Inside {
            self.best = Some((depth, point));
        }
    }

    fn divide(&mut self, node: &Node) {
        let [a, b, c] = node.triangle;
        if a.distance(b).max(b.distance(c)).max(c.distance(a)) <= self.floor {
            // Rounding is all there is left to cut.
            self.closed = self.closed.max(node.upper);
            return;
        }
        let [one, other] = self.cut(node).unwrap_or_else(|| halves(node.triangle));
        for triangle in one.into_iter().chain(other) {
            self.enter(triangle, node.upper, node.level + 1);
        }
    }

    /// The triangle cut where the nearest face changes.
    fn cut(&self, node: &Node) -> Option<[Vec<Triangle>; 2]> {
        let seen = Seen { nearest: node.nearest, farthest: node.farthest, nearest_there: node.nearest_there };
        let [a, b, c] = node.triangle;
        let mut planes = seen.planes(self.mesh, (a + b + c) / 3.0);
        planes.find_map(|Plane { normal, offset }| parted(node.triangle, normal, offset))
    }
}

/// A triangle cut by a plane, where that leaves something of note on both sides.
fn parted(triangle: Triangle, normal: DVec3, offset: f64) -> Option<[Vec<Triangle>; 2]> {
    /// A plane nearer to a corner than this part of the triangle's height over it cuts off roundings.
    const NOTE: f64 = 1e-6;
    let heights = triangle.map(|x| x.dot(normal) - offset);
    let (low, high) = heights.iter().fold((0.0_f64, 0.0_f64), |(l, h), &x| (l.min(x), h.max(x)));
    if !(low < 0.0 && high > 0.0) || low.abs().min(high) < NOTE * (high - low) {
        return None;
    }
    let mut parts = [Vec::with_capacity(4), Vec::with_capacity(4)];
    for k in 0..3 {
        let (p, q, h, j) = (triangle[k], triangle[(k + 1) % 3], heights[k], heights[(k + 1) % 3]);
        parts[usize::from(h > 0.0)].push(p);
        if (h > 0.0) != (j > 0.0) {
            let at = p + (q - p) * (h / (h - j));
            parts[0].push(at);
            parts[1].push(at);
        }
    }
    Some(parts.map(|corners| (2..corners.len()).map(|k| [corners[0], corners[k - 1], corners[k]]).collect()))
}

/// Cut at the middle of the longest side.
fn halves(triangle: Triangle) -> [Vec<Triangle>; 2] {
    let length = |k: usize| triangle[k].distance_squared(triangle[(k + 1) % 3]);
    let k = (1..3).fold(0, |most, k| if length(k) > length(most) { k } else { most });
    let [p, q, r] = [triangle[k], triangle[(k + 1) % 3], triangle[(k + 2) % 3]];
    let middle = (p + q) * 0.5;
    [vec![[p, middle, r]], vec![[middle, q, r]]]
}
