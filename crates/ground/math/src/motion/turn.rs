//! The shortest turn from one orientation to another, with everything the motions need certified about it.

use super::law::sound_radius;
use super::norm_bound::NormBound;
use super::norm_bound::{product_up, sum_up};
use crate::trigonometry::{atan, sin, sin_up};
use crate::{Interval, IntervalPose, IntervalQuaternion, IntervalVector, Pose};
use glam::{DQuat, DVec3};

/// The rotation conj(q0)·q1 with q1 replaced by −q1 when q0·q1 < 0 (as rounded): its angle 2θ is at most π.
///
/// The body axis is v/|v| for the vector part v; |v| = sin θ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Turn {
    /// Start orientation of unit length, rounded.
    pub(super) from: DQuat,
    /// End orientation of unit length, rounded, with the sign that makes the turn the short one.
    pub(super) to: DQuat,
    /// Start orientation of unit length, enclosed.
    pub(super) unit_start: IntervalQuaternion,
    /// End orientation of unit length, enclosed, with the short sign.
    pub(super) unit_end: IntervalQuaternion,
    /// `axis_sine` in world coordinates; the turn does not move it.
    pub(super) world_axis_sine: IntervalVector,
    /// Vector part of conj(q0)·q1 in body coordinates; its length is sin θ.
    pub(super) axis_sine: IntervalVector,
    /// θ, half the angle of the turn.
    pub(super) half_angle: Interval,
    /// Never less than sin θ.
    pub(super) sine_up: f64,
    /// Never more than sin θ.
    pub(super) sine_down: f64,
    /// Never more than the sine of `half_angle.hi()`.
    sine_at_most: f64,
    /// |v × y|, that is sin θ times the distance of y from the axis.
    swing: NormBound,
}

impl Turn {
    /// The turn that leads from the first pose's orientation to the second's: between q/|q| of the quaternions **as given**, so
    /// that a motion ends exactly where a body at rest at these poses is.
    pub(super) fn between(start: &Pose, end: &Pose) -> Turn {
        let (from, last) = (start.rotation(), end.rotation());
        let turned = from.dot(last) < 0.0;
        let to = if turned { -last } else { last };
        let (given_start, given_last) = (start.given_rotation(), end.given_rotation());
        let given_end = if turned { -given_last } else { given_last };
        let unit_start = IntervalQuaternion::unit(given_start);
        let unit_end = IntervalQuaternion::unit(given_end);
        let (axis_sine, half_angle) = if given_start == given_end {
            (IntervalVector::point(DVec3::ZERO), Interval::ZERO)
        } else {
            relative(&unit_start, &unit_end)
        };
        let sine = axis_sine.length().min(Interval::ONE);
        let columns = DVec3::AXES.map(|axis| axis_sine.cross(IntervalVector::point(axis)));
        Turn {
            from,
            to,
            unit_start,
            unit_end,
            world_axis_sine: unit_start.rotate(axis_sine),
            axis_sine,
            half_angle,
            sine_up: sine.hi().min(1.0),
            sine_down: sine.lo(),
            sine_at_most: sin(Interval::point(half_angle.hi())).lo(),
            swing: NormBound::new(columns, IntervalVector::point(DVec3::ZERO)),
        }
    }

    /// Never less than sin θ times the distance from the axis through `pivot` of any point of the ball.
    pub(super) fn swing(&self, centre: DVec3, radius: f64, pivot: DVec3) -> f64 {
        // The difference of two points is rounded by at most u|y| a component: half a step of |y|, which the
        // slack of `NormBound` (8u against γ₄ with only three of its four additions used) covers.
        let y = centre - pivot;
        sum_up(self.swing.at(y), product_up(sound_radius(radius), self.sine_up))
    }

    /// Never less than sin(aθ)/sin θ for a share a of the turn, 0 ≤ a ≤ 1.
    ///
    /// Proof: z·cot z decreases on (0, π), so d/dθ ln(sin(aθ)/sin θ) = a·cot(aθ) − cot θ ≥ 0: the quotient grows
    /// with θ and may be taken at the upper end of θ. It never exceeds 1 (θ ≤ π/2, where the
    /// sine grows; a rounded q0·q1 may leave θ above π/2 by 2⁻⁵², which costs a relative 2⁻¹⁰⁰) nor a·π/2 (sin z ≤ z,
    /// sin θ ≥ 2θ/π).
    pub(super) fn share(&self, a: f64) -> f64 {
        let straight = (a * 1.571).min(1.0 + f64::EPSILON);
        if self.half_angle.hi() <= 0.0 {
            return a;
        }
        let numerator = sin_up((a * self.half_angle.hi()).next_up());
        (numerator / self.sine_at_most).next_up().min(straight)
    }

    /// Never less than the distance between a point that turns at constant rate and the one that goes straight at
    /// constant speed between the same places, over the share `a` of the turn; `swing` is ρ·sin θ.
    ///
    /// Proof: linear interpolation of f over a span h errs by at most h²/8·max|f″| (for vectors: apply it to the component
    /// along the error). Here |f″|h² = ρ(2aθ)², so the error is at most ρa²θ²/2 = swing·a²·θ/2·(θ/sin θ).
    pub(super) fn bow(&self, swing: f64, a: f64) -> f64 {
        let angle = self.half_angle.hi();
        if angle <= 0.0 {
            return 0.0;
        }
        let growth = product_up(angle, (angle / self.sine_at_most).next_up());
        product_up(product_up(swing, 0.5 * growth), product_up(a, a))
    }

    /// Never less than Ω²ρ = 4θ²·chord/(2·sin θ) for points whose whole turn has a chord 2ρ·sin θ of at most `chord`.
    pub(super) fn bend(&self, chord: f64) -> f64 {
        let angle = self.half_angle.hi();
        if angle <= 0.0 {
            return 0.0;
        }
        product_up(chord, product_up(2.0 * angle, (angle / self.sine_at_most).next_up()))
    }
}

/// Vector part of the unit conj(from)·to and its half angle θ = 2·arctan(|v|/(1+w)).
fn relative(from: &IntervalQuaternion, to: &IntervalQuaternion) -> (IntervalVector, Interval) {
    let unit = from.conjugate().product(to);
    let sine = unit.v.length();
    let half = Interval::point(2.0) * atan(sine / (Interval::ONE + unit.w.max(Interval::point(-0.5))));
    (unit.v, half)
}

/// How the pivot of a straight motion travels, bounded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Travel {
    /// Where the pivot starts and ends, rounded.
    pub(super) ends: [DVec3; 2],
    /// Never less than the error of `ends`.
    pub(super) ends_error: f64,
    /// Never less than |p1 − p0|.
    pub(super) whole: f64,
    /// Never less than the part of p1 − p0 across the axis of the turn.
    across: f64,
}

impl Travel {
    /// Straight travel of the body point `pivot` from pose to pose.
    pub(super) fn of(start: &Pose, end: &Pose, pivot: DVec3, turn: &Turn) -> Travel {
        let body = IntervalVector::point(pivot);
        let image = |pose: &Pose| {
            if pivot == DVec3::ZERO {
                IntervalVector::point(pose.translation())
            } else {
                IntervalPose::point(pose).apply(body)
            }
        };
        let same = start == end;
        let way = if same { IntervalVector::point(DVec3::ZERO) } else { image(end) - image(start) };
        let whole = way.length().hi();
        // |d × a| with a = v/|v|; useless (infinite) where the turn is too small to have an axis.
        let axis = turn.world_axis_sine;
        let across = (way.cross(axis).length() / axis.length()).hi();
        let across = if across >= 0.0 { across.min(whole) } else { whole };
        let ends = [image(start).middle(), image(end).middle()];
        let ends_error = image(start).farthest_from(ends[0]).max(image(end).farthest_from(ends[1]));
        Travel { ends, ends_error, whole, across }
    }

    /// Never less than the displacement of a point whose pivot goes the share `dt` of its way while the point
    /// itself swings along a chord of at most `chord` about the pivot.
    ///
    /// Proof: the chord is perpendicular to the axis. Split the way d into the parts along and across it:
    /// |dt·d + c|² ≤ (dt·d∥)² + (dt·d⊥ + c)² = (dt|d|)² + 2·dt·d⊥·c + c², growing in |d|, d⊥ and c. The root of the
    /// sum is taken after division by the largest term, so that no square overflows; 8 roundings of relative u
    /// each, all terms positive, are covered by the factor.
    pub(super) fn with_chord(&self, dt: f64, chord: f64) -> f64 {
        let way = product_up(dt, self.whole);
        let across = product_up(dt, self.across);
        if way == 0.0 {
            return chord;
        }
        if chord == 0.0 {
            return way;
        }
        let scale = way.max(chord);
        let (w, a, c) = (way / scale, across / scale, chord / scale);
        let root = (w * w + 2.0 * a * c + c * c).sqrt();
        (root * scale * (1.0 + 8.0 * f64::EPSILON)).next_up()
    }
}
