//! The search of the thesis: pairs of boxes, refined until the budget ends, and what is then said of those that are left.

use crate::faces::approximate;
use crate::tree::{Tree, body};
use kontakt_answers::Impact;
use kontakt_convex::Shape;
use kontakt_math::Motion;
use kontakt_math::order::Total;
use kontakt_rigid_ccd::{MotionOptions, MotionQuery, MovingMesh, MovingShape};
use kontakt_schedule::{Ledger, Task, Work};
use std::collections::BinaryHeap;

/// What the triangles of two leaves count for.
const LEAVES: u64 = 8;

/// What is said of a pair of bodies whose search did not end [VR 8.2.1].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// They meet at once: never late.
    AtOnce,
    /// They meet when the first of all remaining boxes do: never late.
    AllVolumes,
    /// They meet when the boxes of the *indicator* do, the pair with the least sum of Hausdorff distances. Proves nothing.
    Indicator,
    /// They meet when the indicator's approximating faces do. Proves nothing.
    Faces,
}

impl End {
    /// All of them.
    pub const ALL: [End; 4] = [End::AtOnce, End::AllVolumes, End::Indicator, End::Faces];

    /// For tables.
    pub fn name(self) -> &'static str {
        match self {
            End::AtOnce => "contact at once",
            End::AllVolumes => "all volumes",
            End::Indicator => "indicator",
            End::Faces => "approximating faces",
        }
    }
}

/// Two boxes that may meet; the coarsest pair is refined first.
type Pair = (Total, [usize; 2]);

/// Two moving bodies, searched through pairs of boxes.
#[derive(Clone, Debug)]
pub struct Search<'a> {
    trees: [&'a Tree; 2],
    motions: [&'a Motion; 2],
    waiting: BinaryHeap<Pair>,
    /// The earliest contact of faces found so far.
    contact: Option<f64>,
    ledger: Ledger,
}

impl<'a> Search<'a> {
    /// Nothing has been looked at.
    pub fn new(trees: [&'a Tree; 2], motions: [&'a Motion; 2]) -> Search<'a> {
        let mut search =
            Search { trees, motions, waiting: BinaryHeap::new(), contact: None, ledger: Ledger::default() };
        search.add([0, 0]);
        search
    }

    /// How many pairs of boxes are left.
    pub fn left(&self) -> usize {
        self.waiting.len()
    }

    /// When the bodies meet, by the faces looked at and, for the boxes that are left, as the end says; none for never.
    pub fn contact(&self, query: &mut MotionQuery, end: End) -> Option<f64> {
        let rest = if self.waiting.is_empty() { None } else { self.opinion(query, end) };
        match (self.contact, rest) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        }
    }

    fn opinion(&self, query: &mut MotionQuery, end: End) -> Option<f64> {
        let indicator = self.waiting.iter().min().map(|&(_, pair)| pair);
        match end {
            End::AtOnce => Some(0.0),
            End::AllVolumes => {
                let times = self.waiting.iter().filter_map(|&(_, pair)| self.boxes_meet(query, pair));
                times.min_by(f64::total_cmp)
            }
            End::Indicator => self.boxes_meet(query, indicator?),
            End::Faces => {
                let [a, b] = indicator?;
                let faces = [(0, a), (1, b)].map(|(k, node): (usize, usize)| {
                    body(&approximate(self.trees[k].faces_of(node)).triangles)
                });
                let [Some(a), Some(b)] = &faces else { return None };
                let [motion_a, motion_b] = self.motions;
                let (a, b) =
                    (MovingMesh { mesh: a, motion: motion_a }, MovingMesh { mesh: b, motion: motion_b });
                time_of(&query.impact(a, b, &OPTIONS))
            }
        }
    }

    /// When two boxes meet, never late.
    fn boxes_meet(&self, query: &mut MotionQuery, [a, b]: [usize; 2]) -> Option<f64> {
        let shape = |k: usize, node: usize| Shape::hull(&self.trees[k].nodes[node].vertices()).ok();
        // A box that is none is taken to meet.
        let (Some(a), Some(b)) = (shape(0, a), shape(1, b)) else { return Some(0.0) };
        let [motion_a, motion_b] = self.motions;
        let (a, b) =
            (MovingShape { shape: &a, motion: motion_a }, MovingShape { shape: &b, motion: motion_b });
        time_of(&query.impact_of_shapes(a, b, &OPTIONS))
    }

    /// When the triangles of two leaves meet.
    fn leaves_meet(&self, query: &mut MotionQuery, [a, b]: [usize; 2]) -> Option<f64> {
        let (a, b) = (self.trees[0].body_of(a)?, self.trees[1].body_of(b)?);
        let [motion_a, motion_b] = self.motions;
        let (a, b) = (MovingMesh { mesh: a, motion: motion_a }, MovingMesh { mesh: b, motion: motion_b });
        time_of(&query.impact(a, b, &OPTIONS))
    }

    fn add(&mut self, [a, b]: [usize; 2]) {
        let sum = self.trees[0].nodes[a].hausdorff + self.trees[1].nodes[b].hausdorff;
        self.waiting.push((Total(sum), [a, b]));
    }

    /// Whether balls around two boxes stay apart all the time: by their distance half-way and how far they come from there.
    fn stay_apart(&self, [a, b]: [usize; 2]) -> bool {
        let ball = |k: usize, node: usize| {
            let (centre, radius) = self.trees[k].nodes[node].ball();
            let motion = self.motions[k];
            (
                motion.pose_at(0.5).apply(centre),
                radius + motion.deviation_bound(centre, radius, 0.5, 0.0, 1.0),
            )
        };
        let ((x, reach_a), (y, reach_b)) = (ball(0, a), ball(1, b));
        x.distance(y) * (1.0 - 1e-12) > reach_a + reach_b
    }

    fn step(&mut self, query: &mut MotionQuery) {
        let Some((_, [a, b])) = self.waiting.pop() else { return };
        self.ledger.spend(1);
        if self.stay_apart([a, b]) {
            return;
        }
        let [node_a, node_b] = [&self.trees[0].nodes[a], &self.trees[1].nodes[b]];
        let larger = node_a.ball().1 >= node_b.ball().1;
        match (node_a.children, node_b.children) {
            (Some(children), other) if larger || other.is_none() => {
                for child in children {
                    self.add([child, b]);
                }
            }
            (_, Some(children)) => {
                for child in children {
                    self.add([a, child]);
                }
            }
            _ => {
                self.ledger.spend(LEAVES - 1);
                let met = self.leaves_meet(query, [a, b]);
                self.contact = match (self.contact, met) {
                    (Some(one), Some(other)) => Some(one.min(other)),
                    (one, other) => one.or(other),
                };
            }
        }
    }
}

const OPTIONS: MotionOptions =
    MotionOptions { tolerance: 1e-4, most_work: 2000, deadline: kontakt_schedule::Deadline::NEVER };

/// When contact begins at the earliest, where it is not excluded.
fn time_of(impact: &Impact) -> Option<f64> {
    match impact {
        Impact::Free { .. } => None,
        other => Some(other.free_until()),
    }
}

/// The coarser the boxes that are left, the more urgent.
impl Task<MotionQuery> for Search<'_> {
    fn work(&mut self, query: &mut MotionQuery, units: u64) -> Work {
        self.ledger.grant(units);
        while !self.waiting.is_empty() && !self.ledger.is_spent() {
            self.step(query);
        }
        self.ledger.settle(units, self.waiting.is_empty())
    }

    fn urgency(&self) -> f64 {
        self.waiting.peek().map_or(0.0, |(sum, _)| sum.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kontakt_math::{DVec3, Pose};
    use kontakt_mesh::Mesh;
    use kontakt_shapes::make;

    /// Balls on straight ways past each other: all ends agree with the exact answer when there is budget enough, and the first two are
    /// never late with any.
    #[test]
    fn the_safe_ends_are_safe_and_all_are_right_in_the_end() {
        let mesh = Mesh::with_threads(make::bumpy_ball(3, 0.1).expect("faces"), 1).expect("mesh");
        let (tree, rest) = (Tree::new(&mesh), Motion::Rest(Pose::IDENTITY));
        let mut dice = fastrand::Rng::with_seed(2);
        let mut query = MotionQuery::new();
        let (mut hits, mut wrong) = (0, 0);
        for _ in 0..30 {
            let at =
                |x: f64, y: f64| Pose::from_axis_angle(DVec3::Z, y, DVec3::new(x, y, 0.3)).expect("finite");
            let motion = Motion::slerp(at(-2.5, 3.0 * dice.f64()), at(2.5, 3.0 * dice.f64()), DVec3::ZERO)
                .expect("finite");
            let moving = |motion| MovingMesh { mesh: &mesh, motion };
            let exact = query.impact(moving(&rest), moving(&motion), &OPTIONS);
            let met = matches!(exact, Impact::Contact { .. });
            hits += u32::from(met);
            for units in [0, 20, 300, u64::MAX] {
                let mut search = Search::new([&tree, &tree], [&rest, &motion]);
                search.work(&mut query, units);
                for end in End::ALL {
                    let said = search.contact(&mut query, end);
                    let safe = matches!(end, End::AtOnce | End::AllVolumes);
                    let late = met && said.is_none_or(|t| t > exact.free_until() + 1e-3);
                    assert!(!(late && (safe || search.left() == 0)), "{end:?}, {units}: {said:?}, {exact:?}");
                    assert!(search.left() > 0 || said.is_some() == met, "{end:?}: {said:?}, {exact:?}");
                    wrong += u32::from(said.is_some() != met);
                }
            }
        }
        assert!((8..25).contains(&hits) && wrong > 20, "{hits} hits, {wrong} wrong");
    }
}
