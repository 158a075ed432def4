//! Bodies that may overlap a little: how long that is kept.

// How far bodies lie in each other is their local interference: the largest distance of a point of one surface, where it is inside the other
// body, from the other surface. Two ways prove that it is at most D during a span of time.
//
// *Held translations*, the quick way. After a translation u of at most D the bodies are apart during the span, u held. That is a question of
// first contact again, with the body at rest moved by −u: certified for every motion and shape, open ones too. No interference is larger
// than such a translation: it carries each point of the one surface out of the other body, so the point's way, no longer than D, crosses
// the other surface. (That the least translation changes by no more than the points move would be a shorter argument and is wrong: a peg
// that fits its hole exactly needs none, and turned a little must be pulled out altogether.)
//
// *Layers*. A bolt a little too wide for its hole is freed by no short translation. There every face is followed through the other
// body (`layer`), provided that interference tells how far the bodies lie in each other where the span begins and where the motion ends:
// surfaces that lie on each other all round have none.
//
// That D is exceeded is proven by a point of a surface, by the interference at a pose, and where that tells nothing by the
// balls inside both bodies that bound the least translation that frees them (`measure`).

use super::kept::Kept;
use super::layer::Layer;
use super::measure::Measure;
use crate::asker::MotionQuery;
use crate::budget::Budget;
use crate::clearance::rounding;
use crate::initial;
use crate::legs;
use crate::moving::{MotionOptions, MovingMesh};
use crate::search::Found;
use kontakt_answers::{Initial, Relation};
use kontakt_math::round::length_up;
use kontakt_math::{DVec3, Motion, Pose};
use kontakt_mesh::{Mesh, PlacedMesh, RelationOptions};

/// Most translations held one after the other.
const MOST_HOLDS: u32 = 64;
/// Holding one for less than this share of the motion is no progress.
const LEAST_HOLD: f64 = 1e-7;
/// Times at which ways out are looked for, as shares of what is left.
const AHEAD: [f64; 3] = [0.0, 0.1, 1.0];
/// Most normals of contacts tried at one of them.
const MOST_NORMALS: usize = 4;
/// Most exact trials for the shortest way out at one of them.
const TRIALS: u32 = 2;
/// Times looked at for a depth that is too much, spread over what was not proven.
const LOOKS: i32 = 16;
/// Halvings of the time at which that is found.
const HALVINGS: u32 = 24;

/// What is certain of an allowance at a pose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    Kept,
    Exceeded,
    Open,
}

/// A body at rest, a moving one, and how far they may lie in each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance<'a> {
    pub(crate) still: MovingMesh<'a>,
    pub(crate) moving: MovingMesh<'a>,
    pub(crate) depth: f64,
}

impl Allowance<'_> {
    /// How long the bodies lie in each other by no more than the depth, given that they are apart before `from`.
    ///
    /// `hint` is a direction to try first, such as the normal of the first contact from the body to the mover.
    pub(crate) fn kept_until(
        &self,
        asker: &mut MotionQuery,
        (from, hint): (f64, DVec3),
        options: &MotionOptions,
    ) -> Kept {
        if let Some(kept) = self.kept_at_rest(asker, options) {
            return kept;
        }
        let budget = || Budget::new(options.most_work, options.deadline);
        let held = self.held_until(asker, (from, hint), options.tolerance, &mut budget());
        if held.until >= 1.0 || held.exceeded.is_some() {
            return held;
        }
        let layer = self.layered_from(asker, held.until, options.tolerance, &mut budget());
        let Kept { until, exceeded } = layer.unwrap_or(held);
        if until >= 1.0 || exceeded.is_some() {
            return Kept { until, exceeded };
        }
        Kept { until, exceeded: self.exceeded_after(asker, until) }
    }

    /// How long translations, one held after the other, keep the bodies apart.
    fn held_until(
        &self,
        asker: &mut MotionQuery,
        (from, hint): (f64, DVec3),
        tolerance: f64,
        budget: &mut Budget,
    ) -> Kept {
        let mut until = from;
        let mut held = hint.normalize_or_zero() * self.longest();
        for _ in 0..MOST_HOLDS {
            if self.exceeds_at(asker, until) {
                return Kept { until, exceeded: Some(until) };
            }
            let mut next = until;
            for way in self.ways(asker, until, held) {
                let free = self.free_until(asker, way, until, tolerance, budget);
                if free > next {
                    (next, held) = (free, way);
                }
                if next >= 1.0 {
                    return Kept { until: 1.0, exceeded: None };
                }
            }
            if next - until < LEAST_HOLD || budget.is_spent() {
                break;
            }
            until = next;
        }
        Kept { until, exceeded: None }
    }

    /// How long no surface gets deeper into the other body; `None` where interference does not tell.
    fn layered_from(
        &self,
        asker: &mut MotionQuery,
        start: f64,
        tolerance: f64,
        budget: &mut Budget,
    ) -> Option<Kept> {
        let layer = Layer::new(self.still, self.moving, self.depth)?;
        let told = [start, 1.0].into_iter().all(|t| self.measured_at(asker, t).is_layer());
        let bounded = |mesh: &Mesh| mesh.is_closed() && !mesh.crosses_itself();
        let solids = bounded(self.still.mesh) && bounded(self.moving.mesh);
        (told && solids && start < 1.0).then(|| layer.kept_from(start, tolerance, budget))
    }

    /// A mover that does not move, as recordings have it: exact, a touch needs no depth at all. `None` for all others, and where it is
    /// left open.
    fn kept_at_rest(&self, asker: &mut MotionQuery, options: &MotionOptions) -> Option<Kept> {
        let [first, last] = [0.0, 1.0].map(|t| self.moving.motion.pose_at(t));
        let told = matches!(
            self.moving.motion,
            Motion::Rest(_) | Motion::Slerp(_) | Motion::Nlerp(_) | Motion::Screw(_)
        );
        if !told || first != last {
            return None;
        }
        match self.standing_at(asker, first, options) {
            Standing::Kept => Some(Kept { until: 1.0, exceeded: None }),
            Standing::Exceeded => Some(Kept { until: 0.0, exceeded: Some(0.0) }),
            Standing::Open => None,
        }
    }

    /// What is certain with the mover at a pose. Where the bounds of the interference leave it open, faces are asked about the depth
    /// itself.
    pub(crate) fn standing_at(
        &self,
        asker: &mut MotionQuery,
        pose: Pose,
        options: &MotionOptions,
    ) -> Standing {
        let [still, moving] = self.placed(pose);
        let measure = Measure::of(asker.at_rest_mut(), still, moving);
        if measure.is_within(self.depth) {
            return Standing::Kept;
        }
        if measure.exceeds(self.depth, 0.0) {
            return Standing::Exceeded;
        }
        let rest = Motion::Rest(pose);
        let moving = MovingMesh { motion: &rest, ..self.moving };
        let mut budget = Budget::new(options.most_work, options.deadline);
        let layer = Layer::new(self.still, moving, self.depth).filter(|_| measure.is_layer());
        let kept = layer.is_some_and(|layer| layer.is_kept_at(0.0, &mut budget));
        if kept { Standing::Kept } else { Standing::Open }
    }

    /// A translation of this length is not longer than allowed, rounding included.
    fn longest(&self) -> f64 {
        self.depth * (1.0 - 1e-12)
    }

    /// Translations of the mover, none longer than allowed, that may keep the bodies apart for a while: the one held before, none at
    /// all, and as far as allowed along the shortest ways out, now and later, and along the normals of the contacts.
    fn ways(&self, asker: &mut MotionQuery, t: f64, held: DVec3) -> Vec<DVec3> {
        let mut ways = vec![held];
        let options = RelationOptions { depth_effort: Some(TRIALS), ..RelationOptions::default() };
        for ahead in AHEAD {
            let time = t + ahead * (1.0 - t);
            let [still, moving] = self.placed(self.moving.motion.pose_at(time));
            let at_rest = asker.at_rest_mut();
            let report = at_rest.relation(still, moving, &options);
            let mut directions = vec![DVec3::ZERO];
            if !matches!(report.exact, Relation::Separate { .. }) {
                directions.extend(report.depth.map(|depth| depth.push));
                let normals: Vec<DVec3> =
                    at_rest.patches(still, moving).iter().map(|patch| patch.normal).collect();
                directions.push(normals.iter().sum());
                directions.extend(normals.into_iter().take(MOST_NORMALS));
            }
            for direction in directions {
                let whole = direction.normalize_or_zero() * self.longest();
                // A way out may be blocked farther on: also half as far as there is room.
                let half = 0.5 * (whole + direction);
                for way in [whole, if half.length() < whole.length() { half } else { whole }] {
                    if !ways.contains(&way) {
                        ways.push(way);
                    }
                }
            }
        }
        ways
    }

    fn placed(&self, pose: Pose) -> [PlacedMesh<'_>; 2] {
        [
            PlacedMesh::new(self.still.mesh, self.still.motion.pose_at(0.0)),
            PlacedMesh::new(self.moving.mesh, pose),
        ]
    }

    /// Until when a translation of the mover keeps the bodies apart from `start` on; `start` where it does not, or is too long.
    fn free_until(
        &self,
        asker: &mut MotionQuery,
        way: DVec3,
        start: f64,
        tolerance: f64,
        budget: &mut Budget,
    ) -> f64 {
        let rest = self.still.motion.pose_at(0.0);
        let place = rest.translation() - way;
        // The difference of two places rounds by u of itself, its length by a few u more.
        let length = length_up(place - rest.translation()) * (1.0 + 4.0 * f64::EPSILON);
        let Ok(moved) = Pose::new(rest.given_rotation(), place) else { return start };
        // A leg is one smooth piece of a motion; a path of several has no such proof.
        let pieces = matches!(self.moving.motion, Motion::Path(_));
        if pieces || start >= 1.0 || length.is_nan() || length > self.depth {
            return start;
        }
        let rest = Motion::Rest(moved);
        let still = MovingMesh { motion: &rest, ..self.still };
        if !apart_at(asker, still, self.moving, start) {
            return start;
        }
        let leg = legs::leg(still, self.moving, [start, 1.0]);
        let meshes = [still.mesh, self.moving.mesh];
        let Found { free_until, contact, open } = asker.search(&leg, meshes, start, tolerance, None, budget);
        if contact.is_none() && !open { 1.0 } else { free_until.clamp(start, 1.0) }
    }

    /// A time after `start`, the earlier the better, at which more than the depth is proven, looked for at a few.
    fn exceeded_after(&self, asker: &mut MotionQuery, start: f64) -> Option<f64> {
        first_after(start, |t| self.exceeds_at(asker, t))
    }

    /// A time after `start`, the earlier the better, at which a common interior is proven, looked for at a few.
    pub(crate) fn overlapping_after(&self, asker: &mut MotionQuery, start: f64) -> Option<f64> {
        first_after(start, |t| {
            let (error, [still, moving]) = self.placed_at(t);
            Measure::release(asker.at_rest_mut(), still, moving, 0).exceeds(0.0, error)
        })
    }

    fn exceeds_at(&self, asker: &mut MotionQuery, t: f64) -> bool {
        let error = self.placed_at(t).0;
        self.measured_at(asker, t).exceeds(self.depth, error)
    }

    fn measured_at(&self, asker: &mut MotionQuery, t: f64) -> Measure {
        let [still, moving] = self.placed_at(t).1;
        Measure::of(asker.at_rest_mut(), still, moving)
    }

    /// Both bodies at a time, and how far the mover may be from there.
    fn placed_at(&self, t: f64) -> (f64, [PlacedMesh<'_>; 2]) {
        let pose = self.moving.motion.pose_at(t);
        (rounding(self.moving, &pose, t), self.placed(pose))
    }
}

/// The first time after `start` that was found to pass a test, of a few.
fn first_after(start: f64, mut test: impl FnMut(f64) -> bool) -> Option<f64> {
    // First evenly, then closer and closer to the start; the end always.
    let even = (1..=LOOKS).map(|i| f64::from(i) / f64::from(LOOKS));
    let close = (1..=LOOKS).map(|i| 2.0_f64.powi(-i) / f64::from(LOOKS));
    let mut times = even.chain(close).map(|share| (start + share * (1.0 - start)).min(1.0));
    let mut late = times.find(|&t| test(t))?;
    let mut early = start;
    for _ in 0..HALVINGS {
        let middle = 0.5 * (early + late);
        if test(middle) { late = middle } else { early = middle }
    }
    Some(late)
}

/// Whether the bodies are **proven apart** at a time, and none inside the other: they are for the rounded pose, by more than it is off.
fn apart_at(asker: &mut MotionQuery, still: MovingMesh, moving: MovingMesh, t: f64) -> bool {
    let rest = Motion::Rest(moving.motion.pose_at(t));
    let there = MovingMesh { motion: &rest, ..moving };
    // The cheaper one first: it ends where two faces meet.
    asker.distance_at(still, moving, t).lo() > 0.0
        && initial::state(asker.at_rest_mut(), still, there) == Some(Initial::Separate)
}
