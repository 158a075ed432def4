//! What a step must keep: rows of a small quadratic program.

use crate::near::{Kind, Near, Plane, Sight};
use crate::projection::{HalfSpace, Projection};
use crate::proxy::Proxy;
use crate::step::Step;
use kontakt_convex::{ConvexQuery, Want};
use kontakt_math::{DMat3, DVec3};

/// Most rows of a program: far more than a sound one has.
const MOST_ROWS: usize = 20_000;
/// Most rows of a pair that is not of two faces.
const MOST_OF_LEAVES: u8 = 6;

/// A point of the body must not sink farther below a height along a normal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// Which pair asks for it.
    pub(crate) pair: usize,
    /// Which of its corners: 0 to 2 of the body's face, 3 to 5 of the obstacle's.
    corner: u8,
    /// Relative to the anchor.
    pub(crate) point: DVec3,
    pub(crate) normal: DVec3,
    /// How high it is where the step begins.
    pub(crate) height: f64,
    /// By how much more it must rise than a straight step would have it, because steps that turn are not straight.
    more: f64,
}

/// The rows of a step, and how they are solved.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    pub(crate) rows: Vec<Row>,
    /// The rows that each pair already has, one bit a corner; those of convex sets are counted.
    marks: Vec<u8>,
    half_spaces: Vec<HalfSpace>,
    projection: Projection,
}

impl Rows {
    pub(crate) fn clear(&mut self, pairs: usize) {
        self.rows.clear();
        self.projection.clear();
        self.marks.clear();
        self.marks.resize(pairs, 0);
    }

    /// Takes what a plane between two pieces asks of the step that was looked at, where it ends lower than `keep`. Whether there was
    /// anything.
    pub(crate) fn take(
        &mut self,
        (pair, near): (usize, &Near),
        plane: &Plane,
        sight: &Sight,
        asker: &mut ConvexQuery,
        keep: f64,
    ) -> bool {
        match near.kind {
            Kind::Faces => self.take_corners((pair, near), plane, sight, keep),
            _ => self.take_point((pair, near), plane, sight, asker, keep),
        }
    }

    /// Corners of the body's face above the plane at rest, or those of the obstacle's below the one that the body carries.
    fn take_corners(
        &mut self,
        (pair, near): (usize, &Near),
        plane: &Plane,
        sight: &Sight,
        keep: f64,
    ) -> bool {
        let (first, last) = (sight.from.place(near.x), sight.to.place(near.x));
        let along = |n: DVec3, points: [DVec3; 3]| points.map(|x| n.dot(x));
        let least = |[a, b, c]: [f64; 3]| a.min(b).min(c);
        let most = |[a, b, c]: [f64; 3]| a.max(b).max(c);
        let [n0, n1] = plane.n;
        let mut any = false;
        for k in 0..3 {
            let (point, heights) = if plane.carried {
                let floors = [least(along(n0, first)), least(along(n1, last))];
                (near.y[k], [floors[0] - n0.dot(near.y[k]), floors[1] - n1.dot(near.y[k])])
            } else {
                let (top, rest) = (most(along(n0, near.y)), most(along(n1, near.y)));
                (first[k], [n0.dot(first[k]) - top, n1.dot(last[k]) - rest])
            };
            if heights[1] < 0.5 * keep {
                let corner = k as u8 + if plane.carried { 3 } else { 0 };
                let row = Row { pair, corner, point, normal: n0, height: heights[0] - near.error, more: 0.0 };
                any |= self.push(row, keep - heights[1]);
            }
        }
        any
    }

    /// The point of the body that is nearest, or deepest, at the end of the step.
    fn take_point(
        &mut self,
        (pair, near): (usize, &Near),
        plane: &Plane,
        sight: &Sight,
        asker: &mut ConvexQuery,
        keep: f64,
    ) -> bool {
        let n = plane.n[0];
        let from = near.nearest(sight, sight.from, asker, Want::Distance)[0];
        let to = near.nearest(sight, sight.to, asker, Want::Contact)[0];
        let mut any = false;
        for point in [from, sight.from.carried(sight.to, to)] {
            // The lowest point of all is known, this one is about as low.
            let height = plane.gap[0].max(0.0) + n.dot(point - from).max(0.0);
            let count = self.marks[pair];
            if count < MOST_OF_LEAVES {
                any |= self.push(Row { pair, corner: count, point, normal: n, height, more: 0.0 }, 0.0);
            }
        }
        if !any {
            let lack = keep - plane.gap[1];
            for row in self.rows.iter_mut().filter(|row| row.pair == pair) {
                row.more += lack.clamp(0.0, keep);
            }
        }
        true
    }

    /// Adds a row; if it is there, asks more of it: a step that kept it lacks so much because it turns.
    fn push(&mut self, row: Row, lack: f64) -> bool {
        if self.rows.len() >= MOST_ROWS {
            return false;
        }
        let mark = 1 << row.corner;
        if self.marks[row.pair] & mark == 0 || row.corner > 5 {
            self.marks[row.pair] |= mark;
            self.rows.push(row);
            return true;
        }
        let mut raised = false;
        for old in self.rows.iter_mut().filter(|old| old.pair == row.pair && old.corner == row.corner) {
            old.more += lack;
            raised = true;
        }
        raised
    }

    /// The step nearest to the wish, in the kinetic metric, that keeps all rows; where bodies are nearer than `keep` to both
    /// sides it keeps less, and last of all what there is.
    pub(crate) fn solve(
        &mut self,
        proxy: &Proxy,
        (centre, turn): (DVec3, DMat3),
        wish: &Step,
        keep: f64,
        turning: bool,
    ) -> Step {
        let target = proxy.in_metric(turn, wish);
        for level in [keep, 0.25 * keep, 0.0625 * keep, 0.0] {
            self.half_spaces.clear();
            for row in &self.rows {
                let mut normal = proxy.row(turn, row.normal, row.point - centre);
                if !turning {
                    normal[3..].fill(0.0);
                }
                // No more is asked at once than half of what is to be kept: the linear program is only good for small steps.
                let bound = if level > 0.0 {
                    (level - row.height).min(0.5 * level) + row.more
                } else {
                    (keep - row.height).min(0.0)
                };
                self.half_spaces.push(HalfSpace { normal, bound });
            }
            if let Some(z) = self.projection.nearest(target, &self.half_spaces, 1e-6 * keep) {
                return proxy.from_metric(turn, &z);
            }
        }
        self.projection.clear();
        Step::NONE
    }

    /// The rows that hold the body and how hard it is pressed against them.
    pub(crate) fn forces(&self) -> impl Iterator<Item = (&Row, f64)> {
        self.projection.forces().filter_map(|(row, force)| Some((self.rows.get(row)?, force)))
    }
}
