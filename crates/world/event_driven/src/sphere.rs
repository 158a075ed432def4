//! What a gas is made of.

use crate::error::GasError;
use kontakt_math::DVec3;

/// A sphere that flies straight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    /// Its centre.
    pub centre: DVec3,
    /// Its velocity.
    pub velocity: DVec3,
    /// Its radius.
    pub radius: f64,
    /// Its mass.
    pub mass: f64,
}

/// Which share of the normal relative velocity comes back after contact, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Restitution {
    pub(crate) spheres: f64,
    pub(crate) walls: f64,
}

impl Restitution {
    /// Nothing is lost.
    pub const ELASTIC: Restitution = Restitution { spheres: 1.0, walls: 1.0 };

    /// Between two spheres, and between a sphere and a wall.
    pub fn new(spheres: f64, walls: f64) -> Result<Restitution, GasError> {
        match [spheres, walls].into_iter().find(|share| !(0.0..=1.0).contains(share)) {
            Some(wrong) => Err(GasError::Restitution(wrong)),
            None => Ok(Restitution { spheres, walls }),
        }
    }
}
