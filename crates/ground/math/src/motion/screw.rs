//! The screw between two poses: a turn about a fixed line and a travel along it, both at constant rate.

use super::law::{MotionLaw, clamped_time, ordered_span, sound_bound, sound_radius};
use super::norm_bound::{NormBound, product_up, sum_up};
use super::turn::Turn;
use crate::trigonometry::{cos, sinc};
use crate::{Interval, IntervalPose, IntervalQuaternion, IntervalVector, Pose};
use glam::DVec3;

/// The screw motion that leads from one pose to another by the shorter turn; with equal orientations it is the
/// straight line. It has no pivot: the line in space is determined by the poses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Screw {
    pub(super) start: Pose,
    pub(super) end: Pose,
    pub(super) turn: Turn,
    /// Way of the body's origin from start to end.
    pub(super) way: IntervalVector,
    /// |D(x)|, the whole displacement of the body point x.
    pub(super) displacement: NormBound,
    /// |D⊥(x)|, its part across the axis; none where the turn is too small to have a usable axis.
    pub(super) across: Option<NormBound>,
    /// Never less than the advance along the axis, when `across` is known.
    pub(super) advance: f64,
    /// `way`, its part along the axis and its product with the axis times sin θ, as in [`enclosure`](Self::enclosure).
    pub(super) parts: [Rounded; 3],
}

/// A vector rounded, and how far it is off: **never too small**.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rounded {
    pub(super) middle: DVec3,
    pub(super) error: f64,
}

impl Rounded {
    pub(super) fn of(exact: IntervalVector) -> Rounded {
        let middle = exact.middle();
        Rounded { middle, error: exact.farthest_from(middle) }
    }
}

/// The part of a way along the axis of a turn; at most as long as the way.
fn part_along(turn: &Turn, way: IntervalVector) -> IntervalVector {
    let v = turn.world_axis_sine;
    v.scale(v.dot(way) / v.length_squared()).intersect(IntervalVector::cube(way.length().hi()))
}

impl Screw {
    /// From pose to pose.
    pub fn new(start: Pose, end: Pose) -> Screw {
        let turn = Turn::between(&start, &end);
        let way = IntervalVector::point(end.translation()) - IntervalVector::point(start.translation());
        let columns: [IntervalVector; 3] = if turn.half_angle == Interval::ZERO {
            [IntervalVector::point(DVec3::ZERO); 3]
        } else {
            let (from, to) = (turn.unit_start.columns(), turn.unit_end.columns());
            std::array::from_fn(|i| to[i] - from[i])
        };
        let sine = turn.axis_sine.length();
        let (across, advance) = if sine.lo() > 1e-6 {
            let axis = turn.world_axis_sine.scale(Interval::ONE / sine);
            let across = NormBound::new(columns.map(|c| axis.cross(c)), axis.cross(way));
            (Some(across), axis.dot(way).magnitude())
        } else {
            (None, 0.0)
        };
        let parts = [way, part_along(&turn, way), turn.world_axis_sine.cross(way)].map(Rounded::of);
        Screw { start, end, turn, way, displacement: NormBound::new(columns, way), across, advance, parts }
    }

    /// Contains the true poses at all times of `t` within [0, 1].
    ///
    /// Derivation: D is the whole way of the origin, a the unit axis, θ half the angle. The part across the axis is
    /// a chord of the full turn; the chord up to t is that one shortened by sin(tθ)/sin θ and turned back by
    /// (1−t)θ: c = σ(cos((1−t)θ)·D⊥ − sin((1−t)θ)·a×D). With a = v/sin θ, sin((1−t)θ)·a = κ·v, where
    /// κ = (1−t)·sinc((1−t)θ)/sinc θ, and with D⊥ = D − D∥ the path is
    /// t·D∥ + c = σ·cos·D + (t − σ·cos)·D∥ − σκ·v×D. The only ill-conditioned quantity, D∥ of a tiny turn, is at
    /// most |D| and has a factor of order θ².
    pub fn enclosure(&self, t: Interval) -> IntervalPose {
        let rest = Interval::ONE - t;
        let angle = self.turn.half_angle;
        let rotation = IntervalQuaternion::blend(
            &self.turn.unit_start,
            rest * sinc(rest * angle),
            &self.turn.unit_end,
            t * sinc(t * angle),
        );
        let sigma = t * sinc(t * angle) / sinc(angle);
        let kappa = rest * sinc(rest * angle) / sinc(angle);
        let shortened = sigma * cos(rest * angle);
        let along = part_along(&self.turn, self.way);
        let chord = self.way.scale(shortened) + along.scale(t - shortened);
        let origin = chord - self.turn.world_axis_sine.cross(self.way).scale(sigma * kappa);
        IntervalPose { rotation, translation: IntervalVector::point(self.start.translation()) + origin }
    }
}

impl MotionLaw for Screw {
    fn pose_at(&self, t: f64) -> Pose {
        let t = clamped_time(t);
        if t == 0.0 || t == 1.0 {
            return if t == 0.0 { self.start } else { self.end };
        }
        let angle = self.turn.half_angle.middle();
        let (rest, from, to) = (1.0 - t, self.turn.from, self.turn.to);
        if angle < 1e-9 {
            let translation = self.start.translation().lerp(self.end.translation(), t);
            return Pose::new((from * rest + to * t).normalize(), translation).unwrap_or(self.start);
        }
        // The formula of `enclosure` in plain doubles.
        let sine = angle.sin();
        let (sigma, kappa) = ((t * angle).sin() / sine, (rest * angle).sin() / sine);
        let shortened = sigma * (rest * angle).cos();
        let (v, way) = (self.turn.world_axis_sine.middle(), self.way.middle());
        let along = v * (v.dot(way) / v.length_squared());
        let origin = way * shortened + along * (t - shortened) - v.cross(way) * (sigma * kappa);
        let rotation = (from * kappa + to * sigma).normalize();
        Pose::new(rotation, self.start.translation() + origin).unwrap_or(self.start)
    }

    fn displacement_bound(&self, centre: DVec3, radius: f64, t0: f64, t1: f64) -> f64 {
        let (t0, t1) = ordered_span(t0, t1);
        let dt = if t0 == t1 { return 0.0 } else { (t1 - t0).next_up().min(1.0) };
        // Every point stays on its helix: over a span dt its chord is (dt·h, σ·|D⊥|) along and across the axis with
        // σ = sin(dt·θ)/sin θ ≥ dt, where (h, |D⊥|) is its whole displacement D. Hence at most σ|D|. Within a ball D⊥
        // changes by at most |R1−R0|·r = 2r·sin θ, and h not at all.
        let share = self.turn.share(dt);
        let spread = product_up(2.0 * sound_radius(radius), self.turn.sine_up);
        let simple = product_up(share, sum_up(self.displacement.at(centre), spread));
        let Some(across) = &self.across else { return sound_bound(simple) };
        let chord = product_up(share, sum_up(across.at(centre), spread));
        sound_bound(hypotenuse_up(product_up(dt, self.advance), chord).min(simple))
    }

    fn bow_bound(&self, centre: DVec3, radius: f64, t0: f64, t1: f64) -> f64 {
        let (t0, t1) = ordered_span(t0, t1);
        let dt = if t0 == t1 { return 0.0 } else { (t1 - t0).next_up().min(1.0) };
        // Across the axis the whole chord is 2ρ·sin θ, so the swing ρ·sin θ is half of it (at most half of the whole
        // displacement where the axis is unknown); along the axis the travel is straight.
        let spread = product_up(2.0 * sound_radius(radius), self.turn.sine_up);
        let chord = self.across.as_ref().unwrap_or(&self.displacement).at(centre);
        sound_bound(self.turn.bow(0.5 * sum_up(chord, spread), dt))
    }

    fn enclosure_at(&self, t: f64) -> IntervalPose {
        self.enclosure(Interval::point(clamped_time(t)))
    }
}

/// Never less than √(a² + b²) of two numbers ≥ 0.
///
/// Divided by the larger the squares cannot overflow; six roundings of positive terms are below 4 ε relative.
pub(super) fn hypotenuse_up(a: f64, b: f64) -> f64 {
    let (large, small) = (a.max(b), a.min(b));
    if small == 0.0 || !large.is_finite() {
        return large;
    }
    let ratio = small / large;
    ((1.0 + ratio * ratio).sqrt() * large * (1.0 + 4.0 * f64::EPSILON)).next_up()
}
