//! Quickhull: a closed surface of triangles that grows towards the farthest point outside.
//!
//! A triangle is *visible* from a point strictly above its plane. Coplanar triangles are visible together, so the
//! visible ones form a disk whose rim is a simple cycle, also in degenerate position: were the rim pinched, two of
//! its points x, y would lie on one ray from the apex, y behind x on a triangle whose plane the apex is strictly
//! above; then x would be strictly above it too, although the surface is convex. A new triangle (rim edge, apex)
//! is never degenerate: an apex on the edge's line lies in the plane of the visible triangle at that edge, so it
//! would not be strictly above it.

use super::fan::{Fan, LANES};
use super::frame::Frame;
use super::merge::is_ridge;
use super::plane::{Plane, is_above, is_above_exactly};
use crate::widest::{Work, widest};
use kontakt_math::DVec3;
use std::cell::Cell;

/// No face, no point.
pub(super) const NONE: u32 = u32::MAX;

/// A triangle of the surface. Edge k goes from `corners[k]` to `corners[(k + 1) % 3]`.
#[derive(Clone, Debug)]
pub(super) struct Triangle {
    /// Indices of input points, counter-clockwise from outside.
    pub(super) corners: [u32; 3],
    /// Triangle across each edge.
    pub(super) across: [u32; 3],
    pub(super) plane: Plane,
    /// First of the list of waiting points strictly above this triangle.
    waiting: u32,
    farthest: u32,
    farthest_height: f64,
    /// When visibility was last decided, and what was found.
    stamp: u32,
    visible: bool,
    pub(super) alive: bool,
}

/// A point outside the surface, waiting to be inserted.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    local: DVec3,
    index: u32,
    next: u32,
}

/// An edge between a visible and a hidden triangle, in the visible one's direction.
#[derive(Clone, Copy, Debug)]
struct RimEdge {
    from: u32,
    to: u32,
    hidden: u32,
}

/// A visible triangle whose edges are being looked at.
#[derive(Clone, Copy, Debug)]
struct Step {
    triangle: u32,
    /// The edge that is next, and how many there are to go.
    edge: u8,
    left: u8,
}

/// The lists of a surface, kept from one hull of a thread to the next: of small hulls, memory would take longer than geometry.
#[derive(Debug, Default)]
struct Lists {
    triangles: Vec<Triangle>,
    free: Vec<u32>,
    waiting: Vec<Waiting>,
    busy: Vec<u32>,
    // Of one insertion.
    seen: Vec<u32>,
    walk: Vec<Step>,
    rim: Vec<RimEdge>,
    fresh: Vec<u32>,
    /// The planes of the fresh triangles.
    fans: Vec<Fan>,
}

/// Lists that have grown longer are not kept.
const KEPT: usize = 1 << 14;

thread_local! {
    static LISTS: Cell<Lists> = Cell::default();
}

/// The growing surface.
pub(super) struct Surface<'a> {
    points: &'a [DVec3],
    frame: &'a Frame,
    /// Which insertion it is.
    stamp: u32,
    lists: Lists,
}

impl Drop for Surface<'_> {
    fn drop(&mut self) {
        if self.lists.triangles.len().max(self.lists.waiting.len()) <= KEPT {
            LISTS.set(std::mem::take(&mut self.lists));
        }
    }
}

impl<'a> Surface<'a> {
    /// The surface of a tetrahedron with `d` strictly below the plane of `a`, `b`, `c`.
    pub(super) fn tetrahedron(points: &'a [DVec3], frame: &'a Frame, [a, b, c, d]: [u32; 4]) -> Self {
        let mut lists = LISTS.take();
        lists.triangles.clear();
        lists.free.clear();
        lists.waiting.clear();
        lists.busy.clear();
        let mut surface = Surface { points, frame, stamp: 0, lists };
        surface.add([a, b, c], [1, 2, 3]);
        surface.add([b, a, d], [0, 3, 2]);
        surface.add([c, b, d], [0, 1, 3]);
        surface.add([a, c, d], [0, 2, 1]);
        surface.lists.fresh.clear();
        surface.lists.fresh.extend(0..4);
        surface.lists.fans.clear();
        surface.lists.fans.push(Fan::NONE);
        for lane in 0..4 {
            surface.lists.fans[0].set(lane, &surface.lists.triangles[lane].plane);
        }
        surface
    }

    /// All triangles, gone ones among them.
    pub(super) fn triangles(&self) -> &[Triangle] {
        &self.lists.triangles
    }

    /// Stores a triangle in a free place.
    #[inline(always)]
    fn add(&mut self, corners: [u32; 3], across: [u32; 3]) -> u32 {
        let triangle = Triangle {
            corners,
            across,
            plane: Plane::through(self.points, self.frame, corners.map(|i| i as usize)),
            waiting: NONE,
            farthest: NONE,
            farthest_height: f64::NEG_INFINITY,
            stamp: 0,
            visible: false,
            alive: true,
        };
        if let Some(place) = self.lists.free.pop() {
            self.lists.triangles[place as usize] = triangle;
            place
        } else {
            self.lists.triangles.push(triangle);
            self.lists.triangles.len() as u32 - 1
        }
    }

    /// Triangles of the surface as it is.
    pub(super) fn alive(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.lists.triangles.len() as u32).filter(|&t| self.lists.triangles[t as usize].alive)
    }

    /// Height above a triangle if the point is strictly above it, decided exactly.
    #[inline(always)]
    fn height_above(&self, triangle: u32, local: DVec3, index: u32) -> Option<f64> {
        let t = &self.lists.triangles[triangle as usize];
        let height = t.plane.height(local);
        is_above(self.points, t.corners, index, &t.plane, height).then_some(height)
    }

    /// One triangle for each plane of the surface.
    pub(super) fn one_of_each_plane(&self) -> Vec<u32> {
        let mut done = vec![false; self.lists.triangles.len()];
        let (mut chosen, mut same_plane) = (Vec::new(), Vec::new());
        for first in self.alive() {
            if done[first as usize] {
                continue;
            }
            chosen.push(first);
            done[first as usize] = true;
            same_plane.push(first);
            while let Some(t) = same_plane.pop() {
                for k in 0..3 {
                    let other = self.lists.triangles[t as usize].across[k];
                    if !done[other as usize]
                        && !is_ridge(self.points, self.frame, &self.lists.triangles, t, k)
                    {
                        done[other as usize] = true;
                        same_plane.push(other);
                    }
                }
            }
        }
        chosen
    }

    /// Makes the point wait at one of the candidate triangles it is strictly above; drops it if there is none.
    pub(super) fn offer(&mut self, candidates: &[u32], index: u32) {
        let local = self.frame.local(self.points[index as usize]);
        let certain = |&t: &u32| {
            let Plane { error, .. } = self.lists.triangles[t as usize].plane;
            let height = self.lists.triangles[t as usize].plane.height(local);
            (height > error).then_some((t, height))
        };
        let found = candidates
            .iter()
            .find_map(certain)
            .or_else(|| candidates.iter().find_map(|&t| self.height_above(t, local, index).map(|h| (t, h))));
        if let Some((triangle, height)) = found {
            self.lists.waiting.push(Waiting { local, index, next: NONE });
            self.wait_at(triangle, self.lists.waiting.len() as u32 - 1, height);
        }
    }

    /// Hangs a waiting point into a triangle's list.
    #[inline]
    fn wait_at(&mut self, triangle: u32, place: u32, height: f64) {
        let t = &mut self.lists.triangles[triangle as usize];
        if t.waiting == NONE {
            self.lists.busy.push(triangle);
        }
        self.lists.waiting[place as usize].next = t.waiting;
        t.waiting = place;
        if height > t.farthest_height {
            t.farthest_height = height;
            t.farthest = place;
        }
    }

    /// Inserts waiting points until none is left.
    pub(super) fn grow(&mut self) {
        self.grow_by(&[]);
    }

    /// Offers the points to the tetrahedron that the surface is as yet, and inserts what waits until nothing is left.
    pub(super) fn grow_by(&mut self, indices: &[u32]) {
        widest(Growth { surface: self, indices });
    }

    #[inline(always)]
    fn insert_all(&mut self) {
        while let Some(triangle) = self.lists.busy.pop() {
            let t = &self.lists.triangles[triangle as usize];
            if !t.alive || t.waiting == NONE {
                continue;
            }
            // A height that is not a number beats nothing: then the first of the list is as good as any.
            let place = if t.farthest == NONE { t.waiting } else { t.farthest };
            self.insert(triangle, self.lists.waiting[place as usize]);
        }
    }

    /// Replaces what is visible from the apex by a fan, and hands its waiting points on.
    #[inline(always)]
    fn insert(&mut self, start: u32, apex: Waiting) {
        self.find_visible(start, apex);
        self.raise_fan(apex.index);
        for k in 0..self.lists.seen.len() {
            let old = self.lists.seen[k];
            let mut place = self.lists.triangles[old as usize].waiting;
            self.lists.triangles[old as usize].alive = false;
            while place != NONE {
                let point = self.lists.waiting[place as usize];
                if point.index != apex.index {
                    self.pass_on(place, point);
                }
                place = point.next;
            }
            self.lists.free.push(old);
        }
    }

    /// Moves a waiting point to one of the fresh triangles, or drops it when it is above none of them.
    ///
    /// That suffices. Let q be above the gone triangle F and outside the new surface, y a point inside F. The apex
    /// is strictly above F, so y is now in the interior. The segment from q to y is strictly above F's plane, hence
    /// off the old solid, except in y; so where it enters the new solid it crosses a fresh triangle and no kept one.
    /// Its end y is strictly below that triangle's plane, therefore q is strictly above.
    #[inline(always)]
    fn pass_on(&mut self, place: u32, point: Waiting) {
        for (eight, fan) in self.lists.fans.iter().enumerate() {
            let mut above = fan.above(point.local);
            while above.certain == 0 && above.open != 0 {
                let first = above.open.trailing_zeros() as usize;
                above.open &= above.open - 1;
                let triangle = self.lists.fresh[eight * LANES + first];
                let corners = self.lists.triangles[triangle as usize].corners;
                above.certain = u8::from(is_above_exactly(self.points, corners, point.index)) << first;
            }
            if above.certain != 0 {
                let lane = above.certain.trailing_zeros() as usize;
                let height = fan.height(lane, point.local);
                self.wait_at(self.lists.fresh[eight * LANES + lane], place, height);
                return;
            }
        }
    }

    /// Collects the visible triangles in `seen` and the edges around them in `rim`, in order.
    ///
    /// In order, because a triangle's edges are looked at counter-clockwise from the one it was entered by, and what is behind an
    /// edge at once: that is the walk around the disk cut along the edges between visible triangles that were not passed. Those
    /// cuts are trees, each of which meets the rim in one vertex (a loop of them would enclose triangles never entered), so the
    /// walk leaves the rim only to return to the same vertex.
    #[inline(always)]
    fn find_visible(&mut self, start: u32, apex: Waiting) {
        self.stamp += 1;
        self.lists.seen.clear();
        self.lists.rim.clear();
        self.lists.walk.clear();
        self.enter(start, Step { triangle: start, edge: 0, left: 3 });
        while let Some(step) = self.lists.walk.last_mut() {
            if step.left == 0 {
                self.lists.walk.pop();
                continue;
            }
            let k = step.edge as usize;
            let after = (k + 1) % 3;
            (step.edge, step.left) = (after as u8, step.left - 1);
            let Triangle { corners, across, .. } = &self.lists.triangles[step.triangle as usize];
            let (from, to, other) = (corners[k], corners[after], across[k]);
            let behind = &self.lists.triangles[other as usize];
            let mut visible = behind.visible;
            if behind.stamp != self.stamp {
                visible = self.height_above(other, apex.local, apex.index).is_some();
                if visible {
                    // The shared edge starts at `to` over there; the one after it is next.
                    let edge = match self.lists.triangles[other as usize].corners {
                        [corner, ..] if corner == to => 1,
                        [_, corner, _] if corner == to => 2,
                        _ => 0,
                    };
                    self.enter(other, Step { triangle: other, edge, left: 2 });
                } else {
                    let hidden = &mut self.lists.triangles[other as usize];
                    (hidden.stamp, hidden.visible) = (self.stamp, false);
                }
            }
            if !visible {
                self.lists.rim.push(RimEdge { from, to, hidden: other });
            }
        }
    }

    /// Marks a triangle as visible and begins with its edges.
    #[inline(always)]
    fn enter(&mut self, triangle: u32, step: Step) {
        let t = &mut self.lists.triangles[triangle as usize];
        (t.stamp, t.visible) = (self.stamp, true);
        self.lists.seen.push(triangle);
        self.lists.walk.push(step);
    }

    /// Joins the rim to the apex by fresh triangles.
    #[inline(always)]
    fn raise_fan(&mut self, apex: u32) {
        self.lists.fresh.clear();
        self.lists.fans.clear();
        for k in 0..self.lists.rim.len() {
            let RimEdge { from, to, hidden } = self.lists.rim[k];
            let before = self.lists.fresh.last().copied().unwrap_or(NONE);
            let triangle = self.add([from, to, apex], [hidden, NONE, before]);
            let hidden = &mut self.lists.triangles[hidden as usize];
            let edge = hidden.corners.iter().position(|&corner| corner == to).unwrap_or(0);
            hidden.across[edge] = triangle;
            if before != NONE {
                self.lists.triangles[before as usize].across[1] = triangle;
            }
            if k % LANES == 0 {
                self.lists.fans.push(Fan::NONE);
            }
            let plane = self.lists.triangles[triangle as usize].plane;
            if let Some(fan) = self.lists.fans.last_mut() {
                fan.set(k % LANES, &plane);
            }
            self.lists.fresh.push(triangle);
        }
        let (first, last) = (self.lists.fresh[0], self.lists.fresh[self.lists.fresh.len() - 1]);
        self.lists.triangles[last as usize].across[1] = first;
        self.lists.triangles[first as usize].across[2] = last;
    }
}

/// Growth by these points and all that wait.
struct Growth<'g, 'a> {
    surface: &'g mut Surface<'a>,
    indices: &'g [u32],
}

impl Work for Growth<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for &index in self.indices {
            let local = self.surface.frame.local(self.surface.points[index as usize]);
            let point = Waiting { local, index, next: NONE };
            self.surface.lists.waiting.push(point);
            self.surface.pass_on(self.surface.lists.waiting.len() as u32 - 1, point);
        }
        self.surface.insert_all();
    }
}
