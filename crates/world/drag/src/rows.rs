//! What a step must keep: rows of a small quadratic program.

use crate::near::{Kind, Near, Plane, Sight};
use crate::projection::{HalfSpace, Projection};
use crate::proxy::Proxy;
use crate::spot::Spot;
use crate::step::Step;
use kontakt_convex::{ConvexQuery, Want};
use kontakt_math::DVec3;

/// Most rows of a program: far more than a sound one has.
const MOST_ROWS: usize = 20_000;
/// The corner of a round piece: one of many points.
const ROUND: u8 = 6;

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
    /// How high it was where the step ended that it was found with.
    end: f64,
}

/// What a step is to keep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aim {
    /// The gap.
    pub(crate) keep: f64,
    /// Whether it pushes the body off what is nearer.
    pub(crate) push: bool,
    /// Whether it may turn.
    pub(crate) turning: bool,
}

/// The rows of a step, and how they are solved.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    pub(crate) all: Vec<Row>,
    /// The rows that each pair already has, one bit a corner; those of convex sets are counted.
    marks: Vec<u8>,
    /// Rows that the last step broke, not yet taken.
    broken: Vec<Row>,
    half_spaces: Vec<HalfSpace>,
    projection: Projection,
}

impl Rows {
    pub(crate) fn clear(&mut self, pairs: usize) {
        self.all.clear();
        self.broken.clear();
        self.projection.clear();
        self.marks.clear();
        self.marks.resize(pairs, 0);
    }

    /// Notes what a plane between two pieces asks of the step that was looked at, where it ends lower than half of `keep`.
    pub(crate) fn take(
        &mut self,
        (pair, near): (usize, &Near),
        plane: &Plane,
        sight: &Sight,
        asker: &mut ConvexQuery,
        keep: f64,
    ) {
        match near.kind {
            Kind::Faces => self.take_corners((pair, near), plane, sight, keep),
            _ => self.take_point((pair, near), plane, sight, asker),
        }
    }

    /// Corners of the body's face above the plane at rest, or those of the obstacle's below the one that the body carries.
    fn take_corners(&mut self, (pair, near): (usize, &Near), plane: &Plane, sight: &Sight, keep: f64) {
        let (first, last) = (sight.from.place(near.x), sight.to.place(near.x));
        let along = |n: DVec3, points: [DVec3; 3]| points.map(|x| n.dot(x));
        let least = |[a, b, c]: [f64; 3]| a.min(b).min(c);
        let most = |[a, b, c]: [f64; 3]| a.max(b).max(c);
        let [n0, n1] = plane.n;
        let levels = if plane.carried {
            [least(along(n0, first)), least(along(n1, last))]
        } else {
            [most(along(n0, near.y)), most(along(n1, near.y))]
        };
        for k in 0..3 {
            let (point, heights) = if plane.carried {
                (near.y[k], [levels[0] - n0.dot(near.y[k]), levels[1] - n1.dot(near.y[k])])
            } else {
                (first[k], [n0.dot(first[k]) - levels[0], n1.dot(last[k]) - levels[1]])
            };
            let [height, end] = heights.map(|height| height - near.error);
            if end < 0.5 * keep {
                let corner = k as u8 + if plane.carried { 3 } else { 0 };
                self.broken.push(Row { pair, corner, point, normal: n0, height, more: 0.0, end });
            }
        }
    }

    /// The point of the body that is nearest, and the one that is nearest, or deepest, at the end of the step.
    fn take_point(
        &mut self,
        (pair, near): (usize, &Near),
        plane: &Plane,
        sight: &Sight,
        asker: &mut ConvexQuery,
    ) {
        let n = plane.n[0];
        let from = near.nearest(sight, sight.from, asker, Want::Distance)[0];
        let to = near.nearest(sight, sight.to, asker, Want::Contact)[0];
        for (corner, point) in [from, sight.from.carried(sight.to, to)].into_iter().enumerate() {
            // The lowest point of all is known, this one is about as low.
            let height = plane.gap[0].max(0.0) + n.dot(point - from).max(0.0);
            let corner = if corner == 0 { 0 } else { ROUND };
            self.broken.push(Row { pair, corner, point, normal: n, height, more: 0.0, end: plane.gap[1] });
        }
    }

    /// Rows noted and not yet taken.
    pub(crate) fn waiting(&self) -> usize {
        self.broken.len()
    }

    /// Takes the lowest of the rows noted, at most so many; whether there was any. A row that is there already is asked for more:
    /// the step that kept it lacks so much because it turns.
    pub(crate) fn settle(&mut self, most: usize, keep: f64) -> bool {
        let Rows { all: rows, broken, marks, .. } = self;
        // Ties by pair and corner, so that the choice is the same every time.
        broken.sort_unstable_by(|a, b| {
            a.end.total_cmp(&b.end).then((a.pair, a.corner).cmp(&(b.pair, b.corner)))
        });
        let mut any = false;
        for row in broken.drain(..).take(most) {
            let mark = 1 << row.corner.min(7);
            if rows.len() >= MOST_ROWS {
                break;
            }
            if marks[row.pair] & mark == 0 || row.corner == ROUND {
                marks[row.pair] |= mark;
                rows.push(row);
                any = true;
                continue;
            }
            for old in rows.iter_mut().filter(|old| old.pair == row.pair && old.corner == row.corner) {
                let lack = old.height.min(keep) - row.end;
                old.more += lack.max(0.0);
                any |= lack > 1e-3 * keep;
            }
        }
        any
    }

    /// The step nearest to the wish, in the kinetic metric, that keeps all rows; where bodies are nearer than `keep` to both
    /// sides it keeps less, and last of all what there is.
    pub(crate) fn solve(&mut self, proxy: &Proxy, from: &Spot, wish: &Step, aim: Aim) -> Step {
        let (centre, turn, keep) = (from.centre, from.turn(), aim.keep);
        let target = proxy.in_metric(turn, wish);
        for (level, more) in [(1.0, 1.0), (0.25, 1.0), (0.0625, 1.0), (0.0, 1.0), (0.0, 0.0)] {
            if level > 0.0 && !aim.push {
                continue;
            }
            let level = level * keep;
            self.half_spaces.clear();
            for row in &self.all {
                let mut normal = proxy.row(turn, row.normal, row.point - centre);
                if !aim.turning {
                    normal[3..].fill(0.0);
                }
                // No more is asked at once than half of what is to be kept: the linear program is only good for small steps.
                let bound = if level > 0.0 {
                    (level - row.height).min(0.5 * level)
                } else {
                    (keep - row.height).min(0.0)
                } + more * row.more;
                self.half_spaces.push(HalfSpace { normal, bound });
            }
            if let Some(z) = self.projection.nearest(target, &self.half_spaces, 1e-6 * keep) {
                return proxy.out_of_metric(turn, &z);
            }
        }
        self.projection.clear();
        Step::NONE
    }

    /// The rows that hold the body and how hard it is pressed against them.
    pub(crate) fn forces(&self) -> impl Iterator<Item = (&Row, f64)> {
        self.projection.forces().filter_map(|(row, force)| Some((self.all.get(row)?, force)))
    }
}
