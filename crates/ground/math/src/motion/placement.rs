//! Where a body is at one time, in plain doubles with a certified error: what queries over many times need.

use super::helix::Helix;
use super::screw::{Rounded, Screw};
use super::slerp::Slerp;
use super::turn::{Travel, Turn};
use super::{Motion, MotionLaw, Nlerp};
use crate::round::{U, length_up};
use crate::trigonometry::{HALF_PI_HEAD, HALF_PI_TAIL};
use crate::turn_matrix::rotation_matrix;
use crate::{DMat3, DQuat, DVec3, Interval, IntervalPose, Pose};

/// 112u, see [`blended`].
const BLEND_ERROR: f64 = 112.0 * U;

/// World from body, x ↦ `turn`·x + `shift`, with certified errors: the exact rotation differs from `turn` by at most
/// `turn_error` in norm, the exact image of the origin from `shift` by at most `shift_error`. Infinite where something overflows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Rotation, rounded.
    pub turn: DMat3,
    /// Image of the origin, rounded.
    pub shift: DVec3,
    /// **Never too small**: norm of the error of `turn`.
    pub turn_error: f64,
    /// **Never too small**: error of `shift`.
    pub shift_error: f64,
}

impl Placement {
    /// Of a body at rest: the rotation is off by 36u (see `Between::new`).
    pub(super) fn at_rest(pose: &Pose) -> Placement {
        let turn = rotation_matrix(pose.given_rotation());
        Placement { turn, shift: pose.translation(), turn_error: 40.0 * U, shift_error: 0.0 }
    }

    /// From an enclosure: the error of a matrix is at most the root of the sum of its columns' squared.
    pub(super) fn from_enclosure(enclosure: &IntervalPose) -> Placement {
        let columns = enclosure.rotation.columns();
        let [x, y, z] = columns.map(|column| column.middle());
        let errors = [columns[0].farthest_from(x), columns[1].farthest_from(y), columns[2].farthest_from(z)];
        let shift = enclosure.translation.middle();
        Placement {
            turn: DMat3::from_cols(x, y, z),
            shift,
            turn_error: length_up(DVec3::from_array(errors)),
            shift_error: enclosure.translation.farthest_from(shift),
        }
    }
}

/// sin x / x for |x| ≤ 1.6, off by at most 5u.
///
/// Proof: nested Taylor factors 1 − z/c·(…), z = x² ≤ 2.56, each in [0, 1] as an alternating series of decreasing terms. With
/// an error e of the inner factor, four roundings of the product and one of the difference the error is at most z/c·(e + 4u) + u.
/// For c = 42 and beyond that stays below 1.3u, for c = 20 below 1.7u, for c = 6 below 3.5u; what is left out after c = 506 is
/// below z¹¹/23! < 2⁻⁵⁹.
fn sinc(x: f64) -> f64 {
    const DIVISORS: [f64; 10] = [6.0, 20.0, 42.0, 72.0, 110.0, 156.0, 210.0, 272.0, 342.0, 420.0];
    let z = x * x;
    let mut factor = 1.0;
    for divisor in DIVISORS.into_iter().rev() {
        factor = 1.0 - z * (1.0 / divisor) * factor;
    }
    factor
}

/// The rotation of a·p + b·q for unit quaternions p, q as rounded, off by at most `BLEND_ERROR` and twice the `angle_error` that
/// went into the weights.
///
/// Proof, first order, 12u to spare for the rest. The weights are at most 1−t and t. Each is off by at most 9u of that (its
/// factors round by u, sinc by 5u, its argument, up to 1.6, by 2u, and the slope of sinc is at most ½) and by half the error
/// of the angle. Unit quaternions are off by 8u (`Pose::apply_error`), products and sum by 2u. Together |δQ| ≤ 19u + δθ/2,
/// while |Q| is at least 2/π (slerp: sin θ/θ) or √½ (nlerp). So the direction of Q is off by 30u + 0.8δθ, the rotation by twice
/// that, and its matrix by 36u more.
fn blended(p: DQuat, a: f64, q: DQuat, b: f64, angle_error: f64) -> (DMat3, f64) {
    let blend = DQuat::from_xyzw(a * p.x + b * q.x, a * p.y + b * q.y, a * p.z + b * q.z, a * p.w + b * q.w);
    (rotation_matrix(blend), BLEND_ERROR + 2.0 * angle_error)
}

/// The pivot on its straight way, the body turned about it.
///
/// The way: 1 − t, two products and a sum round by 3u of |e₀| + |e₁|. The product turn·pivot errs by 6u|pivot| and by the
/// turn's error, the difference by u of its terms.
fn about_pivot(travel: &Travel, pivot: DVec3, (turn, turn_error): (DMat3, f64), t: f64) -> Placement {
    let [from, to] = travel.ends;
    let place = if from == to { from } else { from * (1.0 - t) + to * t };
    let size = from.abs().element_sum() + to.abs().element_sum();
    let way_error = if from == to { 0.0 } else { 4.0 * U * size };
    let error = travel.ends_error + way_error;
    if pivot == DVec3::ZERO {
        return Placement { turn, shift: place, turn_error, shift_error: error };
    }
    let arm = pivot.abs().element_sum();
    let shift_error = error + (turn_error + 8.0 * U) * arm + 2.0 * U * size + f64::MIN_POSITIVE;
    Placement { turn, shift: place - turn * pivot, turn_error, shift_error: shift_error * (1.0 + 1e-9) }
}

/// A turn that leads nowhere keeps the rotation of the start.
fn turned(turn: &Turn, start: &Pose, blend: impl Fn() -> (DMat3, f64)) -> (DMat3, f64) {
    if turn.half_angle == Interval::ZERO {
        return (rotation_matrix(start.given_rotation()), 40.0 * U);
    }
    blend()
}

/// A turn at constant rate.
fn turned_steadily(turn: &Turn, start: &Pose, t: f64) -> (DMat3, f64) {
    turned(turn, start, || {
        let (angle, rest) = (turn.half_angle.middle(), 1.0 - t);
        let (a, b) = (rest * sinc(rest * angle), t * sinc(t * angle));
        blended(turn.from, a, turn.to, b, turn.half_angle.width())
    })
}

impl Slerp {
    pub(super) fn placement(&self, t: f64) -> Placement {
        about_pivot(&self.travel, self.pivot, turned_steadily(&self.turn, &self.start, t), t)
    }
}

impl Screw {
    /// The formula of `Screw::enclosure` in plain doubles.
    ///
    /// Errors, first order, δ the width of θ. Numerators t·sinc(tθ) and (1−t)·sinc((1−t)θ) are off by 9u (see [`blended`]), sinc θ ≥ 2/π
    /// by 5u, the quotients σ, κ ≤ 1 so by (9u + 5u)·π/2 + u < 23u; the slopes of numerators and denominator in θ are at most ½,
    /// so by π/2·δ more. cos x = 1 − 2g², g = sin(x/2) ≤ 0.72, x = (1−t)θ: x is off by 4u + δ, g beside that by 5u, the cosine so by
    /// 15u + 2u for its own roundings + 4u + δ < 21u + δ. The weights of the three parts, all at most 1 in size: σ·cos by 45u + 2.6δ,
    /// t − σ·cos by 46u + 2.6δ, σκ by 47u + 3.2δ. Products and sums add 4u of all terms: together below 64u + 4δ of the parts' sizes,
    /// 4u of the start's, and the parts' own errors times their weights. Of these only the one along the axis may be large (that of a
    /// tiny turn); its weight is then as tiny.
    pub(super) fn placement(&self, t: f64) -> Placement {
        let (turn, turn_error) = turned_steadily(&self.turn, &self.start, t);
        let (angle, rest) = (self.turn.half_angle.middle(), 1.0 - t);
        let whole = sinc(angle);
        let (sigma, kappa) = (t * sinc(t * angle) / whole, rest * sinc(rest * angle) / whole);
        let half = 0.5 * rest * angle;
        let sine = half * sinc(half);
        let shortened = sigma * (1.0 - 2.0 * (sine * sine));
        let lengthened = t - shortened;
        let [way, along, round] = &self.parts;
        let start = self.start.translation();
        let shift =
            start + (way.middle * shortened + along.middle * lengthened - round.middle * (sigma * kappa));
        let size = |v: DVec3| v.abs().element_sum();
        let doubt = 64.0 * U + 4.0 * self.turn.half_angle.width();
        let parts = size(way.middle) + size(along.middle) + size(round.middle);
        let error = doubt * parts
            + 4.0 * U * size(start)
            + (way.error + (lengthened.abs() + doubt) * along.error + round.error)
            + f64::MIN_POSITIVE;
        let shift_error = if error.is_nan() { f64::INFINITY } else { error * (1.0 + 1e-9) };
        Placement { turn, shift, turn_error, shift_error }
    }
}

impl Nlerp {
    pub(super) fn placement(&self, t: f64) -> Placement {
        let turn = turned(&self.turn, &self.start, || {
            // The second weight may be off by 16u of itself (`exact_blend`), as much as 32u of an angle would make it.
            blended(self.turn.from, 1.0 - t, self.turn.to, t, 32.0 * U)
        });
        about_pivot(&self.travel, self.pivot, turn, t)
    }
}

/// sin x and cos x, off by at most 7u; none for |x| beyond 2¹⁹ quarter turns.
///
/// Proof: with k quarter turns, k·head is exact (19 + 33 bits). The difference r from it is at most 0.8 in size and rounds by u·0.8, as
/// does the subtraction of k·tail; the tail's own error and rounding are below 2¹⁹·2⁻⁸⁶ and 2⁻¹⁴·u: r is off by less than 2u.
/// Beside that r·sinc r is off by 0.8·(5u + u) < 5u, g = sin(r/2) ≤ 0.39 by 2.4u, and 1 − 2g² by 4·0.39·2.4u + u < 5u.
fn sine_and_cosine(x: f64) -> Option<(f64, f64)> {
    let quarters = (x / std::f64::consts::FRAC_PI_2).round();
    if quarters.is_nan() || quarters.abs() >= 524_288.0 {
        return None;
    }
    let r = (x - quarters * HALF_PI_HEAD) - quarters * HALF_PI_TAIL;
    let g = 0.5 * r * sinc(0.5 * r);
    let (s, c) = (r * sinc(r), 1.0 - 2.0 * (g * g));
    Some(match quarters as i32 & 3 {
        0 => (s, c),
        1 => (c, -s),
        2 => (-s, -c),
        _ => (-c, s),
    })
}

impl Helix {
    /// The formula of `Helix::enclosure` in plain doubles.
    ///
    /// Errors, first order, 30u to spare for the rest. Half the angle is off by u of itself, its sine and cosine by 7u more, the unit axis by
    /// α: the quaternion of the turn by α + 2(7u + u·|half|) + u. The start's is off by 8u (`Pose::apply_error`) and the product
    /// rounds by 8u: its rotation is off by twice the sum, 2α + 4u·|half| + 62u, and its matrix by 36u more. The turned arm has
    /// no larger error of the turn, u of the arm's difference and 6u of the product; the way along the axis α + 3u of itself; the two
    /// sums round by 2u of all terms.
    pub(super) fn placement(&self, t: f64) -> Placement {
        let half = t * (0.5 * self.angle);
        let Rounded { middle: axis, error: axis_error } = self.rounded_axis;
        let whole = || Placement::from_enclosure(&self.enclosure(Interval::point(t)));
        let Some((sine, cosine)) = sine_and_cosine(half) else { return whole() };
        let v = axis * sine;
        let turn = DQuat::from_xyzw(v.x, v.y, v.z, cosine);
        let arm = self.start.translation() - self.point;
        let along = t * self.advance;
        let shift = self.point + rotation_matrix(turn) * arm + axis * along;
        let turn_error = (2.0 * axis_error + (4.0 * half.abs() + 128.0) * U) * (1.0 + 1e-9);
        let size = |v: DVec3| v.abs().element_sum();
        let terms = size(self.point) + size(arm) + along.abs();
        let error = turn_error * size(arm) + axis_error * along.abs() + 8.0 * U * terms + f64::MIN_POSITIVE;
        let shift_error = error * (1.0 + 1e-9);
        if !(shift_error.is_finite() && turn_error.is_finite()) {
            return whole();
        }
        let turn = rotation_matrix(turn * self.start.rotation());
        Placement { turn, shift, turn_error, shift_error }
    }
}

impl Motion {
    /// Where the body is at `t` (clamped to [0, 1]; NaN counts as 0), in plain doubles with a certified error.
    pub fn placement_at(&self, t: f64) -> Placement {
        let t = super::law::clamped_time(t);
        match self {
            Motion::Rest(pose) => Placement::at_rest(pose),
            Motion::Slerp(motion) => motion.placement(t),
            Motion::Nlerp(motion) => motion.placement(t),
            Motion::Screw(motion) => motion.placement(t),
            Motion::Helix(motion) => motion.placement(t),
            Motion::Path(motion) => Placement::from_enclosure(&motion.enclosure_at(t)),
            Motion::Carried(motion) => motion.placement(t),
            Motion::Law(motion) => Placement::from_enclosure(&motion.enclosure_at(t)),
        }
    }
}
