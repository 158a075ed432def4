//! The free flight of a top, in closed form.

use crate::top::{Top, axis};
use kontakt_math::{DQuat, DVec3, MotionLaw, Pose};

/// A body's state between contacts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moving {
    /// Where it is; the origin of its frame is its centre of mass.
    pub pose: Pose,
    /// The velocity of its centre.
    pub velocity: DVec3,
    /// Its angular momentum about its centre.
    pub momentum: DVec3,
}

/// A flight from a state over some seconds, as a motion over [0, 1].
///
/// The centre follows its parabola. Without torque the angular momentum L is kept, and with moments A across and C along the axis a the
/// angular velocity is ω = L/A + a (a·L)(1/C − 1/A): a turn about the fixed L at rate |L|/A, and within it a turn about the body's own axis
/// at the rate (a·L)(1/C − 1/A), which is constant because a·L is. So q(t) = turn(L, |L|t/A) · q(0) · turn(z, st), and |ω| is constant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flight {
    pub(crate) start: Moving,
    pub(crate) top: Top,
    pub(crate) gravity: DVec3,
    pub(crate) seconds: f64,
}

/// Above what rounding makes of the products and sums in a pose or a bound.
const UP: f64 = 1.0 + 1e-13;
const NOISE: f64 = 1e-14;

impl Flight {
    /// The state after some seconds.
    pub(crate) fn after(&self, seconds: f64) -> Moving {
        let Moving { pose, velocity, momentum } = self.start;
        let turn = DQuat::from_scaled_axis(self.top.precession(momentum) * seconds);
        let spin = DQuat::from_rotation_z(self.top.own_spin(momentum, axis(&pose)) * seconds);
        let rotation = (turn * pose.rotation() * spin).normalize();
        let place = pose.translation() + velocity * seconds + self.gravity * (0.5 * seconds * seconds);
        // Overflow leaves it where it was, within bounds that are infinite then.
        let pose = Pose::new(rotation, place).unwrap_or(pose);
        Moving { pose, velocity: velocity + self.gravity * seconds, momentum }
    }

    /// Seconds between two times of [0, 1].
    fn span(&self, t0: f64, t1: f64) -> [f64; 2] {
        if t0.is_nan() || t1.is_nan() {
            return [0.0, self.seconds];
        }
        let (t0, t1) = (t0.clamp(0.0, 1.0), t1.clamp(0.0, 1.0));
        [t0.min(t1) * self.seconds, t0.max(t1) * self.seconds]
    }

    /// |ω|, and the rate at which the angular momentum turns the axis.
    fn rates(&self) -> (f64, f64) {
        let momentum = self.start.momentum;
        let turn = self.top.precession(momentum).length();
        (turn + self.top.own_spin(momentum, axis(&self.start.pose)).abs(), turn)
    }

    /// What rounding may shift a point of the ball by.
    fn noise(&self, reach: f64) -> f64 {
        let s = self.seconds;
        let far = self.start.pose.translation().length()
            + self.start.velocity.length() * s
            + self.gravity.length() * s * s;
        let turned = 1.0 + self.rates().0 * s;
        NOISE * (far + reach * turned)
    }
}

fn reach(centre: DVec3, radius: f64) -> f64 {
    let reach = centre.length() + radius.max(0.0);
    if reach.is_nan() { f64::INFINITY } else { reach }
}

fn sound(bound: f64) -> f64 {
    if bound.is_nan() { f64::INFINITY } else { bound }
}

impl MotionLaw for Flight {
    fn pose_at(&self, t: f64) -> Pose {
        let t = if t.is_nan() { 0.0 } else { t.clamp(0.0, 1.0) };
        self.after(t * self.seconds).pose
    }

    /// No point of the ball is faster than the centre and |ω| times its distance from it; the centre's speed is convex over time, so
    /// largest at an end.
    fn displacement_bound(&self, centre: DVec3, radius: f64, t0: f64, t1: f64) -> f64 {
        let [from, to] = self.span(t0, t1);
        let speed = |s: f64| (self.start.velocity + self.gravity * s).length();
        let reach = reach(centre, radius);
        let fastest = speed(from).max(speed(to)) + self.rates().0 * reach;
        sound(fastest * (to - from) * UP + self.noise(reach))
    }

    /// A path of acceleration a bows out of its chord by at most a·t²/8. A point at r from the centre has |g| + |ω × (ω × r)| + |ω̇ × r|, and
    /// ω̇ = (L/A) × ω.
    fn bow_bound(&self, centre: DVec3, radius: f64, t0: f64, t1: f64) -> f64 {
        let [from, to] = self.span(t0, t1);
        let (rate, turn) = self.rates();
        let reach = reach(centre, radius);
        let acceleration = self.gravity.length() + (rate * rate + turn * rate) * reach;
        sound(acceleration * (to - from) * (to - from) / 8.0 * UP + self.noise(reach))
    }
}
