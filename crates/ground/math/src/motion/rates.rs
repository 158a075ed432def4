//! How fast bodies turn and their points move and bend: bounds over a whole motion.

use super::law::{sound_bound, sound_radius};
use super::norm_bound::{product_up, sum_up};
use super::turn::{Travel, Turn};
use super::{Helix, Motion, Nlerp, Screw, Slerp};
use crate::round::length_up;
use crate::{DVec3, Interval, IntervalVector};

/// Bounds of how a body turns, for times that run from 0 to 1; infinite where a motion does not tell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// **Never too small**: angular speed.
    pub turn: f64,
    /// **Never too small**: how fast the angular velocity changes; its direction never does.
    pub turn_change: f64,
}

/// A body point that goes straight at constant speed, to within an error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StraightPoint {
    /// In the body's frame.
    pub point: DVec3,
    /// Where it starts and ends in the world, rounded.
    pub ends: [DVec3; 2],
    /// **Never too small**: how far the point's true place is at any time from where it would be between these ends.
    pub error: f64,
}

impl Turn {
    /// 2θ, at constant rate.
    fn steady(&self) -> Rates {
        Rates { turn: 2.0 * self.half_angle.hi(), turn_change: 0.0 }
    }

    /// Never less than the distance of a point of the ball from the axis of the turn through `pivot`; the swing is sin θ times
    /// that, and a tiny turn has no axis to be trusted.
    fn lever(&self, centre: DVec3, radius: f64, pivot: DVec3) -> f64 {
        let arm = sum_up(length_up(centre - pivot) * (1.0 + f64::EPSILON), sound_radius(radius));
        let sine = self.sine_down;
        if sine > 1e-6 { arm.min((self.swing(centre, radius, pivot) / sine).next_up()) } else { arm }
    }
}

impl Nlerp {
    /// Half the angle ψ has sin ψ = (t₁−t₀)·sin θ/(|Q(t₀)||Q(t₁)|) (see `displacement_bound`), so ψ′ = sin θ/|Q|², and with
    /// |Q|² = 1 − t(1−t)g, g = |q₁−q₀|², ψ″ = sin θ·g(1−2t)/|Q|⁴; |Q|² ≥ 1 − g/4. The length of q₁ may be off by
    /// 8ε (`Nlerp::exact_blend`), which changes the quotients by no more than 40ε; 64ε covers a handful of roundings too. So does
    /// the sum for g, where it is near zero: ψ″ changes by 16ε·sin θ.
    fn rates(&self) -> Rates {
        let least = (1.0 - 0.25 * self.gap_squared).max(0.49);
        let up = |x: f64| x * (1.0 + 64.0 * f64::EPSILON);
        let sine = self.turn.sine_up;
        Rates {
            turn: up(2.0 * sine / least),
            turn_change: up(2.0 * sine * (self.gap_squared + 32.0 * f64::EPSILON) / (least * least)),
        }
    }
}

fn straight(pivot: DVec3, travel: &Travel) -> StraightPoint {
    StraightPoint { point: pivot, ends: travel.ends, error: travel.ends_error }
}

impl Slerp {
    fn acceleration(&self, centre: DVec3, radius: f64, rates: Rates) -> f64 {
        centripetal(rates, self.turn.lever(centre, radius, self.pivot))
    }
}

/// |ω|²ρ + |ω′|ρ
fn centripetal(rates: Rates, lever: f64) -> f64 {
    product_up(sum_up(product_up(rates.turn, rates.turn), rates.turn_change), lever)
}

impl Screw {
    /// Ω²ρ with Ω = 2θ and |D⊥| = 2ρ·sin θ, D⊥ at most D, which changes by 2·sin θ a unit of length.
    fn acceleration(&self, centre: DVec3, radius: f64) -> f64 {
        let spread = product_up(2.0 * sound_radius(radius), self.turn.sine_up);
        let across = self.across.as_ref().unwrap_or(&self.displacement).at(centre);
        self.turn.bend(sum_up(across, spread))
    }

    fn speed(&self, centre: DVec3, radius: f64) -> f64 {
        // A point goes its helix at constant speed: the chord D is shorter by at most sin θ/θ.
        let spread = product_up(2.0 * sound_radius(radius), self.turn.sine_up);
        product_up(1.571, sum_up(self.displacement.at(centre), spread))
    }
}

impl Helix {
    fn rates(&self) -> Rates {
        Rates { turn: self.angle.abs(), turn_change: 0.0 }
    }

    fn lever(&self, centre: DVec3, radius: f64) -> f64 {
        sum_up(self.distance.at(centre), sound_radius(radius))
    }

    /// The body point on the axis that is nearest to the body's origin. Being rounded it is a little off the axis and circles about
    /// it: its true place and the one between its places at the ends are both within that distance of the axis' own point.
    fn straight_point(&self) -> StraightPoint {
        let (axis, from) = (self.axis.middle(), self.start.translation());
        let foot = self.point + axis * axis.dot(from - self.point);
        let point = self.start.rotation().conjugate() * (foot - from);
        let place = |t: f64| self.enclosure(Interval::point(t)).apply(IntervalVector::point(point));
        let (first, last) = (place(0.0), place(1.0));
        let ends = [first.middle(), last.middle()];
        let wide = first.farthest_from(ends[0]).max(last.farthest_from(ends[1]));
        StraightPoint { point, ends, error: sum_up(wide, 2.0 * self.distance.at(point)) }
    }
}

impl Motion {
    /// How fast the body turns.
    pub fn rates(&self) -> Rates {
        match self {
            Motion::Rest(_) => Rates { turn: 0.0, turn_change: 0.0 },
            Motion::Slerp(motion) => motion.turn.steady(),
            Motion::Nlerp(motion) => motion.rates(),
            Motion::Screw(motion) => motion.turn.steady(),
            Motion::Helix(motion) => motion.rates(),
            Motion::Carried(motion) => motion.carrier().rates(),
            Motion::Path(_) | Motion::Law(_) => Rates { turn: f64::INFINITY, turn_change: f64::INFINITY },
        }
    }

    /// A point of the body known to go straight at constant speed.
    pub fn straight_point(&self) -> Option<StraightPoint> {
        match self {
            Motion::Rest(pose) => {
                let place = pose.translation();
                Some(StraightPoint { point: DVec3::ZERO, ends: [place, place], error: 0.0 })
            }
            Motion::Slerp(motion) => Some(straight(motion.pivot, &motion.travel)),
            Motion::Nlerp(motion) => Some(straight(motion.pivot, &motion.travel)),
            Motion::Helix(motion) => Some(motion.straight_point()),
            Motion::Carried(motion) => motion.straight_point(),
            Motion::Screw(_) | Motion::Path(_) | Motion::Law(_) => None,
        }
    }

    /// **Never too small**: |x′(t)| of every body point x of the ball, for times that run from 0 to 1; infinite where the motion
    /// does not tell.
    pub fn speed_bound(&self, centre: DVec3, radius: f64) -> f64 {
        let about = |turn: &Turn, travel: &Travel, pivot: DVec3, rates: Rates| {
            sum_up(travel.whole, product_up(rates.turn, turn.lever(centre, radius, pivot)))
        };
        sound_bound(match self {
            Motion::Rest(_) => 0.0,
            Motion::Slerp(m) => about(&m.turn, &m.travel, m.pivot, m.turn.steady()),
            Motion::Nlerp(m) => about(&m.turn, &m.travel, m.pivot, m.rates()),
            Motion::Screw(m) => m.speed(centre, radius),
            Motion::Helix(m) => sum_up(m.advance.abs(), product_up(m.angle.abs(), m.lever(centre, radius))),
            Motion::Carried(m) => {
                let (centre, radius) = m.seen(centre, radius);
                m.carrier().speed_bound(centre, radius)
            }
            Motion::Path(_) | Motion::Law(_) => f64::INFINITY,
        })
    }

    /// **Never too small**: |x″(t)| of every body point x of the ball, for times that run from 0 to 1; infinite where the motion
    /// does not tell.
    pub fn acceleration_bound(&self, centre: DVec3, radius: f64) -> f64 {
        sound_bound(match self {
            Motion::Rest(_) => 0.0,
            Motion::Slerp(m) => m.acceleration(centre, radius, m.turn.steady()),
            Motion::Nlerp(m) => centripetal(m.rates(), m.turn.lever(centre, radius, m.pivot)),
            Motion::Screw(m) => m.acceleration(centre, radius),
            Motion::Helix(m) => centripetal(m.rates(), m.lever(centre, radius)),
            Motion::Carried(m) => {
                let (centre, radius) = m.seen(centre, radius);
                m.carrier().acceleration_bound(centre, radius)
            }
            Motion::Path(_) | Motion::Law(_) => f64::INFINITY,
        })
    }
}
