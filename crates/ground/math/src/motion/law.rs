//! What every motion answers, and what a user's own motion has to answer.

use crate::{IntervalPose, Pose};
use glam::DVec3;
use std::fmt::Debug;

/// A rigid motion over t in [0, 1] that can bound itself. Times outside are clamped; NaN counts as "anywhere".
///
/// The *true* motion x(t) is the ideal one, before rounding: [`MotionLaw::enclosure_at`] contains it,
/// [`MotionLaw::pose_at`] is a rounded neighbour, and all bounds are about it. For a user's motion that does not
/// say otherwise the poses it returns are the truth.
pub trait MotionLaw: Debug + Send + Sync {
    /// Pose of the body in the world at `t`, rounded to nearest.
    fn pose_at(&self, t: f64) -> Pose;

    /// **Never too small**: at least |x(s) − x(r)| for every body point x of the ball (body coordinates) and all
    /// times s, r in [t0, t1]; infinite when it cannot tell (overflow, NaN).
    fn displacement_bound(&self, centre: DVec3, radius: f64, t0: f64, t1: f64) -> f64;

    /// **Never too small**: at least the distance of x(s) from the straight segment between x(t0) and x(t1), for every
    /// body point x of the ball and all s in [t0, t1]: how much a path bows out of its chord.
    ///
    /// Up to the middle time x(s) is no farther from x(t0) than x moves till then, after it no farther from x(t1).
    fn bow_bound(&self, centre: DVec3, radius: f64, t0: f64, t1: f64) -> f64 {
        let (t0, t1) = ordered_span(t0, t1);
        let middle = 0.5 * t0 + 0.5 * t1;
        let before = self.displacement_bound(centre, radius, t0, middle);
        sound_bound(before).max(sound_bound(self.displacement_bound(centre, radius, middle, t1)))
    }

    /// Contains the true pose at `t`.
    fn enclosure_at(&self, t: f64) -> IntervalPose {
        IntervalPose::point(&self.pose_at(t))
    }
}

/// Times as every motion takes them: clamped to [0, 1], in order; NaN stands for the whole motion.
pub(super) fn ordered_span(t0: f64, t1: f64) -> (f64, f64) {
    if t0.is_nan() || t1.is_nan() {
        return (0.0, 1.0);
    }
    let (t0, t1) = (t0.clamp(0.0, 1.0), t1.clamp(0.0, 1.0));
    (t0.min(t1), t0.max(t1))
}

/// A time clamped to [0, 1]; NaN becomes 0, so that a pose is always a pose.
pub(super) fn clamped_time(t: f64) -> f64 {
    if t.is_nan() { 0.0 } else { t.clamp(0.0, 1.0) }
}

/// A bound as every motion returns it: NaN (overflow, bad input) becomes infinity, a negative radius counts as 0.
pub(super) fn sound_bound(bound: f64) -> f64 {
    if bound.is_nan() { f64::INFINITY } else { bound.max(0.0) }
}

/// A radius as every motion takes it: negative counts as 0, NaN as unbounded.
pub(super) fn sound_radius(radius: f64) -> f64 {
    if radius.is_nan() { f64::INFINITY } else { radius.max(0.0) }
}
