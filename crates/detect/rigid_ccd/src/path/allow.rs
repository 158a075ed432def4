//! Bodies that may overlap a little: how long a depth is kept.

// The depth of two bodies is the least translation after which they have no common interior. So it is at most D at a time if, after a
// translation u of at most that length, the bodies are apart then; and at most D during a whole span if they are apart during it with
// u held. That is a question of first contact again, with the body at rest moved by −u: certified for every motion and shape.
// (That depth changes by no more than the points move would be a shorter argument and is wrong: a peg that fits its hole
// exactly has depth 0, and turned a little must be pulled out altogether.)
//
// That D is exceeded is proven by balls inside both bodies (`kontakt_mesh::depth`): if both are about c, with radii r and s, no shorter
// translation than r + s frees the bodies. A body whose points are off by e still holds a ball of the same radius about a point
// off by e, so it holds for every place within e with r + s − 2e.

use crate::asker::MotionQuery;
use crate::budget::Budget;
use crate::clearance::rounding;
use crate::initial;
use crate::legs;
use crate::moving::MovingMesh;
use crate::search::Found;
use kontakt_answers::{Initial, Relation};
use kontakt_math::round::length_up;
use kontakt_math::{DVec3, Motion, Pose};
use kontakt_mesh::{PlacedMesh, RelationOptions};

/// Most translations held one after the other.
const MOST_HOLDS: u32 = 64;
/// Holding one for less than this share of the motion is no progress.
const LEAST_HOLD: f64 = 1e-7;
/// Times at which ways out are looked for, as shares of what is left.
const AHEAD: [f64; 3] = [0.0, 0.1, 1.0];
/// Most normals of contacts tried at one of them.
const MOST_NORMALS: usize = 4;
/// Times looked at for a depth that is too much, spread over what was not proven.
const LOOKS: i32 = 16;
/// Halvings of the time at which that is found.
const HALVINGS: u32 = 24;

/// A body at rest, a moving one, and how deep they may overlap.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance<'a> {
    pub(crate) still: MovingMesh<'a>,
    pub(crate) moving: MovingMesh<'a>,
    pub(crate) depth: f64,
}

/// How long the depth is kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Kept {
    /// **Proven** before this time of the motion; 1 where it is to the end.
    pub(crate) until: f64,
    /// A time at which more is **proven**.
    pub(crate) exceeded: Option<f64>,
}

impl Allowance<'_> {
    /// How long no more than the depth is needed, given that the bodies are apart before `from`.
    ///
    /// `hint` is a direction to try first, such as the normal of the first contact from the body to the mover.
    pub(crate) fn kept_until(
        &self,
        asker: &mut MotionQuery,
        (from, hint): (f64, DVec3),
        tolerance: f64,
        budget: &mut Budget,
    ) -> Kept {
        if let Some(kept) = self.kept_at_rest(asker) {
            return kept;
        }
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
        Kept { until, exceeded: self.exceeded_after(asker, until) }
    }

    /// A mover that does not move, as recordings have it: exact, a touch needs no depth at all. `None` for all others, and where the
    /// bounds of the depth leave it open.
    fn kept_at_rest(&self, asker: &mut MotionQuery) -> Option<Kept> {
        let [first, last] = [0.0, 1.0].map(|t| self.moving.motion.pose_at(t));
        let told = matches!(
            self.moving.motion,
            Motion::Rest(_) | Motion::Slerp(_) | Motion::Nlerp(_) | Motion::Screw(_)
        );
        if !told || first != last {
            return None;
        }
        let [still, moving] = self.placed(first);
        let report = asker.at_rest_mut().relation(still, moving, &RelationOptions::default());
        let harmless = matches!(report.exact, Relation::Separate { .. } | Relation::Touching);
        let depth = report.depth.map(|depth| depth.range);
        if harmless || depth.is_some_and(|depth| depth.hi() <= self.depth) {
            return Some(Kept { until: 1.0, exceeded: None });
        }
        depth.filter(|depth| depth.lo() > self.depth).map(|_| Kept { until: 0.0, exceeded: Some(0.0) })
    }

    /// A translation of this length is not longer than allowed, rounding included.
    fn longest(&self) -> f64 {
        self.depth * (1.0 - 1e-12)
    }

    /// Translations of the mover, none longer than allowed, that may keep the bodies apart for a while: the one held before, none at
    /// all, and as far as allowed along the shortest ways out, now and later, and along the normals of the contacts.
    fn ways(&self, asker: &mut MotionQuery, t: f64, held: DVec3) -> Vec<DVec3> {
        let mut ways = vec![held];
        for ahead in AHEAD {
            let time = t + ahead * (1.0 - t);
            let [still, moving] = self.placed(self.moving.motion.pose_at(time));
            let at_rest = asker.at_rest_mut();
            let report = at_rest.relation(still, moving, &RelationOptions::default());
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
    pub(crate) fn exceeded_after(&self, asker: &mut MotionQuery, start: f64) -> Option<f64> {
        // First evenly, then closer and closer to the start; the end always.
        let even = (1..=LOOKS).map(|i| f64::from(i) / f64::from(LOOKS));
        let close = (1..=LOOKS).map(|i| 2.0_f64.powi(-i) / f64::from(LOOKS));
        let mut times = even.chain(close).map(|share| (start + share * (1.0 - start)).min(1.0));
        let mut late = times.find(|&t| self.exceeds_at(asker, t))?;
        let mut early = start;
        for _ in 0..HALVINGS {
            let middle = 0.5 * (early + late);
            if self.exceeds_at(asker, middle) { late = middle } else { early = middle }
        }
        Some(late)
    }

    fn exceeds_at(&self, asker: &mut MotionQuery, t: f64) -> bool {
        let pose = self.moving.motion.pose_at(t);
        let error = rounding(self.moving, &pose, t);
        let [still, moving] = self.placed(pose);
        let depth = asker.at_rest_mut().depth(still, moving, 0);
        depth.is_some_and(|depth| depth.range.lo() - 2.0 * error * (1.0 + 1e-9) > self.depth * (1.0 + 1e-12))
    }
}

/// Whether the bodies are **proven apart** at a time, and none inside the other: they are for the rounded pose, by more than it is off.
fn apart_at(asker: &mut MotionQuery, still: MovingMesh, moving: MovingMesh, t: f64) -> bool {
    let pose = moving.motion.pose_at(t);
    let rest = Motion::Rest(pose);
    let there = MovingMesh { motion: &rest, ..moving };
    if initial::state(asker.at_rest_mut(), still, there) != Some(Initial::Separate) {
        return false;
    }
    asker.distance_at(still, moving, t).lo() > 0.0
}
