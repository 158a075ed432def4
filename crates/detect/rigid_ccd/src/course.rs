//! One body's motion over a stretch of time in which it is smooth, and bounds of it in the query's own time.

use kontakt_math::motion::{Placement, StraightPoint};
use kontakt_math::{DVec3, Motion, Pose, U};
use std::borrow::Cow;

/// Covers the rounding of a handful of sums and products of positive numbers.
pub(crate) const UP: f64 = 1.0 + 1e-12;

/// A motion that takes its own [0, 1] while the query's time runs from `from` to `to`.
#[derive(Clone, Debug)]
pub(crate) struct Course<'m> {
    motion: Cow<'m, Motion>,
    from: f64,
    to: f64,
    /// Own time over query time, rounded up.
    pace: f64,
    /// **Never too small**: angular speed in query time.
    pub(crate) turn: f64,
    /// **Never too small**: change of the angular velocity in query time.
    pub(crate) turn_change: f64,
    /// **Never too small**: speed of the body's origin in query time, where own time is another.
    origin_speed: f64,
    /// The place of a body at rest.
    rest: Option<Placement>,
}

impl<'m> Course<'m> {
    /// A motion over its own piece of the query's time; `from` < `to`.
    pub(crate) fn new(motion: Cow<'m, Motion>, from: f64, to: f64) -> Course<'m> {
        let pace = if from == 0.0 && to == 1.0 { 1.0 } else { UP / (to - from) };
        let rates = motion.rates();
        let origin_speed = if pace == 1.0 { 0.0 } else { motion.speed_bound(DVec3::ZERO, 0.0) * pace * UP };
        let turn = rates.turn * pace * UP;
        let turn_change = rates.turn_change * pace * pace * UP;
        let rest = matches!(*motion, Motion::Rest(_)).then(|| motion.placement_at(0.0));
        Course { motion, from, to, pace, turn, turn_change, origin_speed, rest }
    }

    /// Where the body is at a time of the query.
    ///
    /// The own time is computed with three roundings of numbers within [0, 1] (and 1 − …): off by at most 3u, that is 3u/pace
    /// of the query's time, in which points move by no more than speed allows.
    pub(crate) fn at(&self, t: f64) -> Placement {
        if let Some(rest) = self.rest {
            return rest;
        }
        if self.pace == 1.0 {
            return self.motion.placement_at(t);
        }
        let own = ((t - self.from) / (self.to - self.from)).clamp(0.0, 1.0);
        let late = 4.0 * U / self.pace;
        let mut placement = self.motion.placement_at(own);
        placement.turn_error = (placement.turn_error + late * self.turn) * UP;
        placement.shift_error = (placement.shift_error + late * self.origin_speed) * UP;
        placement
    }

    /// **Never too small**: speed of the points of a ball (body coordinates) in query time.
    pub(crate) fn speed(&self, centre: DVec3, radius: f64) -> f64 {
        self.motion.speed_bound(centre, radius) * self.pace * UP
    }

    /// **Never too small**: acceleration of the points of a ball (body coordinates) in query time.
    pub(crate) fn acceleration(&self, centre: DVec3, radius: f64) -> f64 {
        self.motion.acceleration_bound(centre, radius) * self.pace * self.pace * UP
    }

    /// **Never too small**: how far the points of a ball may be from the straight way of some point, given the bound of their
    /// acceleration: it is this distance times |ω|² + |ω′|, taken at the same upper bounds. A screw's is reckoned otherwise.
    pub(crate) fn lever(&self, acceleration: f64) -> f64 {
        if acceleration == 0.0 {
            return 0.0;
        }
        if is_screw(&self.motion) {
            return f64::INFINITY;
        }
        acceleration / ((self.turn * self.turn + self.turn_change) * (2.0 - UP)) * UP
    }

    /// A body point that goes straight.
    pub(crate) fn straight_point(&self) -> Option<StraightPoint> {
        self.motion.straight_point()
    }

    /// A body point that goes straight, or else `other`: the point about which the body's turning is reckoned.
    pub(crate) fn anchor(&self, other: DVec3) -> DVec3 {
        self.motion.straight_point().map_or(other, |straight| straight.point)
    }

    /// Whether the motion tells how it bends; else only how far points go.
    pub(crate) fn is_smooth(&self) -> bool {
        is_smooth(&self.motion)
    }

    /// **Never too small**: how far any two places of a point of a ball are apart between two times; for motions in the query's
    /// own time.
    pub(crate) fn displacement(&self, centre: DVec3, radius: f64, [start, end]: [f64; 2]) -> f64 {
        if self.pace == 1.0 {
            self.motion.displacement_bound(centre, radius, start, end)
        } else {
            f64::INFINITY
        }
    }

    /// Whether the body never moves.
    pub(crate) fn is_at_rest(&self) -> bool {
        self.rest.is_some()
    }

    /// Whether both take the same part of the query's time.
    pub(crate) fn same_time_as(&self, other: &Course<'_>) -> bool {
        self.from == other.from && self.to == other.to
    }

    /// A time of the motion's own near a time of the query, and the query's time of that, rounded up: from + own·(to − from)
    /// rounds by less than three steps of the larger end.
    pub(crate) fn own_time(&self, t: f64) -> (f64, f64) {
        if self.pace == 1.0 {
            return (t, t);
        }
        let own = ((t - self.from) / (self.to - self.from)).clamp(0.0, 1.0);
        let late = self.from + own * (self.to - self.from);
        (own, late + 4.0 * f64::EPSILON * self.to)
    }

    /// The motion in its own time.
    pub(crate) fn motion(&self) -> &Motion {
        &self.motion
    }

    /// Bounds of the own time at a time of the query, within [0, 1]: three roundings of numbers up to 1, as in [`at`](Self::at).
    pub(crate) fn own_bounds(&self, t: f64) -> (f64, f64) {
        if self.pace == 1.0 {
            return (t.clamp(0.0, 1.0), t.clamp(0.0, 1.0));
        }
        let own = (t - self.from) / (self.to - self.from);
        ((own - 4.0 * f64::EPSILON).clamp(0.0, 1.0), (own + 4.0 * f64::EPSILON).clamp(0.0, 1.0))
    }

    /// Bounds of the query's time at an own time.
    pub(crate) fn query_bounds(&self, own: f64) -> (f64, f64) {
        if self.pace == 1.0 {
            return (own, own);
        }
        let t = self.from + own * (self.to - self.from);
        let slack = 4.0 * f64::EPSILON * self.to.abs().max(self.from.abs());
        (t - slack, t + slack)
    }

    /// First and last pose of a body that keeps its orientation and goes straight.
    pub(crate) fn straight_ends(&self) -> Option<[Pose; 2]> {
        let told =
            matches!(*self.motion, Motion::Rest(_) | Motion::Slerp(_) | Motion::Nlerp(_) | Motion::Screw(_));
        let straight = told && self.is_straight();
        straight.then(|| [self.motion.pose_at(0.0), self.motion.pose_at(1.0)])
    }

    /// Whether the body keeps its orientation.
    pub(crate) fn is_straight(&self) -> bool {
        self.turn == 0.0 && self.turn_change == 0.0
    }
}

/// Whether a motion, or the one that carries the body, is a screw.
fn is_screw(motion: &Motion) -> bool {
    match motion {
        Motion::Carried(carried) => is_screw(carried.carrier()),
        _ => matches!(motion, Motion::Screw(_)),
    }
}

/// Whether a motion, or the one that carries the body, tells how it bends.
fn is_smooth(motion: &Motion) -> bool {
    match motion {
        Motion::Carried(carried) => is_smooth(carried.carrier()),
        _ => !matches!(motion, Motion::Law(_) | Motion::Path(_)),
    }
}
