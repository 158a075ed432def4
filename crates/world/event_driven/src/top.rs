//! A rigid body that looks the same all around one axis of its own, as inertia sees it: a rod, a disc, a square prism.

use crate::error::FallError;
use kontakt_math::{DVec3, Pose};

/// A mass and moments of inertia about the centre of mass, which is the origin of the body's frame; its axis is z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Top {
    mass: f64,
    across: f64,
    along: f64,
}

impl Top {
    /// Moments about any axis across the body's own, and along it.
    pub fn new(mass: f64, across: f64, along: f64) -> Result<Top, FallError> {
        let values = [("mass", mass), ("moment across the axis", across), ("moment along the axis", along)];
        match values.into_iter().find(|(_, value)| !(1e-100..=1e100).contains(value)) {
            Some((what, value)) => Err(FallError::Value { what, value }),
            None => Ok(Top { mass, across, along }),
        }
    }

    /// A capsule of even density: a cylinder of length 2h and a half ball at each end.
    ///
    /// With the volumes V of the cylinder and W of both half balls: along V r²/2 + W 2r²/5, across V (r²/4 + h²/3) + W (2r²/5 + h² + 3hr/4).
    pub fn capsule(mass: f64, half_length: f64, radius: f64) -> Result<Top, FallError> {
        let (h, r) = (half_length, radius);
        // Volumes over πr².
        let (cylinder, ball) = (2.0 * h, 4.0 / 3.0 * r);
        let density = mass / (cylinder + ball);
        let along = cylinder * r * r / 2.0 + ball * 0.4 * r * r;
        let across = cylinder * (r * r / 4.0 + h * h / 3.0) + ball * (0.4 * r * r + h * h + 0.75 * h * r);
        Top::new(mass, across * density, along * density)
    }

    /// The angular momentum of an angular velocity, for a body with this unit axis in the world.
    pub fn momentum(&self, spin: DVec3, axis: DVec3) -> DVec3 {
        spin * self.across + axis * (axis.dot(spin) * (self.along - self.across))
    }

    pub(crate) fn mass(&self) -> f64 {
        self.mass
    }

    /// The angular velocity of an angular momentum, for a body with this axis in the world.
    pub(crate) fn turn_rate(&self, momentum: DVec3, axis: DVec3) -> DVec3 {
        momentum / self.across + axis * (axis.dot(momentum) * (1.0 / self.along - 1.0 / self.across))
    }

    /// How fast the body spins about its axis beyond the turn about its angular momentum; see [`Flight`](crate::flight::Flight).
    pub(crate) fn own_spin(&self, momentum: DVec3, axis: DVec3) -> f64 {
        axis.dot(momentum) * (1.0 / self.along - 1.0 / self.across)
    }

    /// The angular momentum's own part of the turn about it.
    pub(crate) fn precession(&self, momentum: DVec3) -> DVec3 {
        momentum / self.across
    }

    /// Energy of motion.
    pub(crate) fn kinetic(&self, velocity: DVec3, momentum: DVec3, axis: DVec3) -> f64 {
        let along = axis.dot(momentum);
        let across = momentum.cross(axis).length_squared();
        0.5 * (self.mass * velocity.length_squared() + across / self.across + along * along / self.along)
    }
}

/// The body's own axis in the world.
pub(crate) fn axis(pose: &Pose) -> DVec3 {
    pose.rotate(DVec3::Z)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn momentum_and_turn_rate_are_inverse() {
        let (top, axis) = (Top::capsule(2.0, 0.5, 0.1).unwrap(), DVec3::new(1.0, -2.0, 2.0) / 3.0);
        let spin = DVec3::new(0.3, 5.0, -1.7);
        let back = top.turn_rate(top.momentum(spin, axis), axis);
        assert!((back - spin).length() < 1e-13, "{back}");
    }
}
