//! Quickhull: a closed surface of triangles that grows towards the farthest point outside.
//!
//! A triangle is *visible* from a point strictly above its plane. Coplanar triangles are visible together, so the
//! visible ones form a disk whose rim is a simple cycle, also in degenerate position: were the rim pinched, two of
//! its points x, y would lie on one ray from the apex, y behind x on a triangle whose plane the apex is strictly
//! above; then x would be strictly above it too, although the surface is convex. A new triangle (rim edge, apex)
//! is never degenerate: an apex on the edge's line lies in the plane of the visible triangle at that edge, so it
//! would not be strictly above it.

use super::frame::Frame;
use super::merge::is_ridge;
use super::plane::{Plane, is_above};
use kontakt_math::DVec3;

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

/// The growing surface.
pub(super) struct Surface<'a> {
    points: &'a [DVec3],
    frame: &'a Frame,
    pub(super) triangles: Vec<Triangle>,
    free: Vec<u32>,
    waiting: Vec<Waiting>,
    busy: Vec<u32>,
    stamp: u32,
    // Work space of one insertion, kept to avoid allocation.
    seen: Vec<u32>,
    rim: Vec<RimEdge>,
    rim_at: Vec<(u32, u32)>,
    fresh: Vec<u32>,
}

impl<'a> Surface<'a> {
    /// The surface of a tetrahedron with `d` strictly below the plane of `a`, `b`, `c`.
    pub(super) fn tetrahedron(points: &'a [DVec3], frame: &'a Frame, [a, b, c, d]: [u32; 4]) -> Self {
        let mut surface = Surface {
            points,
            frame,
            triangles: Vec::new(),
            free: Vec::new(),
            waiting: Vec::new(),
            busy: Vec::new(),
            stamp: 0,
            seen: Vec::new(),
            rim: Vec::new(),
            rim_at: Vec::new(),
            fresh: Vec::new(),
        };
        surface.add([a, b, c], [1, 2, 3]);
        surface.add([b, a, d], [0, 3, 2]);
        surface.add([c, b, d], [0, 1, 3]);
        surface.add([a, c, d], [0, 2, 1]);
        surface
    }

    /// Stores a triangle in a free place.
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
        if let Some(place) = self.free.pop() {
            self.triangles[place as usize] = triangle;
            place
        } else {
            self.triangles.push(triangle);
            self.triangles.len() as u32 - 1
        }
    }

    /// Triangles of the surface as it is.
    pub(super) fn alive(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.triangles.len() as u32).filter(|&t| self.triangles[t as usize].alive)
    }

    /// Height above a triangle if the point is strictly above it, decided exactly.
    #[inline]
    fn height_above(&self, triangle: u32, local: DVec3, index: u32) -> Option<f64> {
        let t = &self.triangles[triangle as usize];
        let height = t.plane.height(local);
        is_above(self.points, t.corners.map(|i| i as usize), index as usize, &t.plane, height)
            .then_some(height)
    }

    /// One triangle for each plane of the surface.
    pub(super) fn one_of_each_plane(&self) -> Vec<u32> {
        let mut done = vec![false; self.triangles.len()];
        let mut chosen = Vec::new();
        for first in self.alive() {
            if done[first as usize] {
                continue;
            }
            chosen.push(first);
            done[first as usize] = true;
            let mut same_plane = vec![first];
            while let Some(t) = same_plane.pop() {
                for k in 0..3 {
                    let other = self.triangles[t as usize].across[k];
                    if !done[other as usize] && !is_ridge(self.points, self.frame, &self.triangles, t, k) {
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
            let Plane { error, .. } = self.triangles[t as usize].plane;
            let height = self.triangles[t as usize].plane.height(local);
            (height > error).then_some((t, height))
        };
        let found = candidates
            .iter()
            .find_map(certain)
            .or_else(|| candidates.iter().find_map(|&t| self.height_above(t, local, index).map(|h| (t, h))));
        if let Some((triangle, height)) = found {
            self.waiting.push(Waiting { local, index, next: NONE });
            self.wait_at(triangle, self.waiting.len() as u32 - 1, height);
        }
    }

    /// Hangs a waiting point into a triangle's list.
    #[inline]
    fn wait_at(&mut self, triangle: u32, place: u32, height: f64) {
        let t = &mut self.triangles[triangle as usize];
        if t.waiting == NONE {
            self.busy.push(triangle);
        }
        self.waiting[place as usize].next = t.waiting;
        t.waiting = place;
        if height > t.farthest_height {
            t.farthest_height = height;
            t.farthest = place;
        }
    }

    /// Inserts waiting points until none is left.
    pub(super) fn grow(&mut self) {
        while let Some(triangle) = self.busy.pop() {
            let t = &self.triangles[triangle as usize];
            if !t.alive || t.waiting == NONE {
                continue;
            }
            // A height that is not a number beats nothing: then the first of the list is as good as any.
            let place = if t.farthest == NONE { t.waiting } else { t.farthest };
            self.insert(triangle, self.waiting[place as usize]);
        }
    }

    /// Replaces what is visible from the apex by a fan, and hands its waiting points on.
    fn insert(&mut self, start: u32, apex: Waiting) {
        self.find_visible(start, apex);
        self.raise_fan(apex.index);
        for k in 0..self.seen.len() {
            let old = self.seen[k];
            let mut place = self.triangles[old as usize].waiting;
            self.triangles[old as usize].alive = false;
            while place != NONE {
                let point = self.waiting[place as usize];
                if point.index != apex.index {
                    self.pass_on(place, point);
                }
                place = point.next;
            }
            self.free.push(old);
        }
    }

    /// Moves a waiting point to one of the fresh triangles, or drops it when it is above none of them.
    ///
    /// That suffices. Let q be above the gone triangle F and outside the new surface, y a point inside F. The apex
    /// is strictly above F, so y is now in the interior. The segment from q to y is strictly above F's plane, hence
    /// off the old solid, except in y; so where it enters the new solid it crosses a fresh triangle and no kept one.
    /// Its end y is strictly below that triangle's plane, therefore q is strictly above.
    #[inline]
    fn pass_on(&mut self, place: u32, point: Waiting) {
        for k in 0..self.fresh.len() {
            let triangle = self.fresh[k];
            if let Some(height) = self.height_above(triangle, point.local, point.index) {
                self.wait_at(triangle, place, height);
                return;
            }
        }
    }

    /// Collects the visible triangles in `seen` and the edges around them in `rim`.
    fn find_visible(&mut self, start: u32, apex: Waiting) {
        self.stamp += 1;
        self.seen.clear();
        self.rim.clear();
        self.seen.push(start);
        (self.triangles[start as usize].stamp, self.triangles[start as usize].visible) = (self.stamp, true);
        let mut next = 0;
        while next < self.seen.len() {
            let Triangle { corners, across, .. } = self.triangles[self.seen[next] as usize];
            next += 1;
            for k in 0..3 {
                let other = across[k];
                if self.triangles[other as usize].stamp != self.stamp {
                    let visible = self.height_above(other, apex.local, apex.index).is_some();
                    let t = &mut self.triangles[other as usize];
                    (t.stamp, t.visible) = (self.stamp, visible);
                    if visible {
                        self.seen.push(other);
                    }
                }
                if !self.triangles[other as usize].visible {
                    self.rim.push(RimEdge { from: corners[k], to: corners[(k + 1) % 3], hidden: other });
                }
            }
        }
    }

    /// Joins the rim to the apex by fresh triangles.
    fn raise_fan(&mut self, apex: u32) {
        // Where the rim edge that starts at a vertex is, to walk the rim in order.
        self.rim_at.clear();
        self.rim_at.extend(self.rim.iter().enumerate().map(|(k, edge)| (edge.from, k as u32)));
        self.rim_at.sort_unstable();
        self.fresh.clear();
        let mut edge = self.rim[0];
        loop {
            let triangle = self.add([edge.from, edge.to, apex], [edge.hidden, NONE, NONE]);
            let hidden = &mut self.triangles[edge.hidden as usize];
            for k in 0..3 {
                if hidden.corners[k] == edge.to && hidden.corners[(k + 1) % 3] == edge.from {
                    hidden.across[k] = triangle;
                }
            }
            if let Some(&before) = self.fresh.last() {
                self.triangles[before as usize].across[1] = triangle;
                self.triangles[triangle as usize].across[2] = before;
            }
            self.fresh.push(triangle);
            let at = self.rim_at.partition_point(|&(from, _)| from < edge.to);
            edge = self.rim[self.rim_at[at].1 as usize];
            if edge.from == self.rim[0].from || self.fresh.len() > self.rim.len() {
                break;
            }
        }
        let (first, last) = (self.fresh[0], self.fresh[self.fresh.len() - 1]);
        self.triangles[last as usize].across[1] = first;
        self.triangles[first as usize].across[2] = last;
    }
}
