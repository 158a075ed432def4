//! Spheres in a periodic cube, pushed apart by springs and dashpots.

use crate::grid::Grid;
use kontakt_math::DVec3;
use thiserror::Error;

/// What a contact does: a force of `stiffness` times the overlap, less `damping` times the speed at which the spheres part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Force for an overlap of 1.
    pub stiffness: f64,
    /// Force for a speed of 1.
    pub damping: f64,
}

/// How a step is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Integrator {
    /// Velocities by the forces at the beginning, then places by the new velocities.
    SemiImplicit,
    /// Half of the velocities' change before the places move, half after (velocity Verlet).
    Verlet,
}

/// Why there is no such gas.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum SpringGasError {
    /// A number that must be above 0.
    #[error("the {what} is {value}; it must be above 0 and finite")]
    Value {
        /// Of what.
        what: &'static str,
        /// The number.
        value: f64,
    },
    /// Spheres that would see their own images.
    #[error("the side {side} is less than three diameters, {diameter} each")]
    TooNarrow {
        /// Of the cube.
        side: f64,
        /// Of a sphere.
        diameter: f64,
    },
    /// A place or velocity that is no number.
    #[error("sphere {0} has no finite place and velocity")]
    NotFinite(
        /// Which.
        usize,
    ),
}

/// Equal spheres.
#[derive(Clone, Debug)]
pub struct SpringGas {
    side: f64,
    radius: f64,
    mass: f64,
    contact: Contact,
    integrator: Integrator,
    places: Vec<DVec3>,
    velocities: Vec<DVec3>,
    forces: Vec<DVec3>,
    grid: Grid,
    deepest: f64,
    time: f64,
}

impl Contact {
    /// Without a dashpot: a contact of two equal masses lasts for this time, π √(m / 2k).
    pub fn elastic(mass: f64, lasting: f64) -> Contact {
        let rate = std::f64::consts::PI / lasting;
        Contact { stiffness: 0.5 * mass * rate * rate, damping: 0.0 }
    }

    /// With a dashpot that leaves the share `restitution` of the speed, from above 0 to 1: −ln e = π ζ / √(1 − ζ²).
    pub fn lossy(mass: f64, lasting: f64, restitution: f64) -> Contact {
        let log = -restitution.ln() / std::f64::consts::PI;
        let decay = log / (1.0 + log * log).sqrt();
        // The damped oscillator swings by √(1 − ζ²) more slowly.
        let Contact { stiffness, .. } = Contact::elastic(mass, lasting * (1.0 - decay * decay).sqrt());
        Contact { stiffness, damping: 2.0 * decay * (0.5 * mass * stiffness).sqrt() }
    }
}

impl SpringGas {
    /// Spheres by place and velocity at time 0, in a cube from the origin.
    pub fn new(
        side: f64,
        radius: f64,
        mass: f64,
        contact: Contact,
        integrator: Integrator,
        spheres: &[(DVec3, DVec3)],
    ) -> Result<SpringGas, SpringGasError> {
        let values = [("side", side), ("radius", radius), ("mass", mass), ("stiffness", contact.stiffness)];
        if let Some((what, value)) =
            values.into_iter().find(|(_, value)| !(*value > 0.0 && value.is_finite()))
        {
            return Err(SpringGasError::Value { what, value });
        }
        if side < 6.0 * radius {
            return Err(SpringGasError::TooNarrow { side, diameter: 2.0 * radius });
        }
        if let Some(wrong) = spheres.iter().position(|(at, v)| !(at.is_finite() && v.is_finite())) {
            return Err(SpringGasError::NotFinite(wrong));
        }
        let inside = |at: DVec3| at.map(|x| wrapped(x, side));
        let mut gas = SpringGas {
            side,
            radius,
            mass,
            contact,
            integrator,
            places: spheres.iter().map(|(at, _)| inside(*at)).collect(),
            velocities: spheres.iter().map(|(_, velocity)| *velocity).collect(),
            forces: vec![DVec3::ZERO; spheres.len()],
            grid: Grid::new(side, 2.0 * radius, spheres.len()),
            deepest: 0.0,
            time: 0.0,
        };
        gas.find_forces();
        Ok(gas)
    }

    /// A step of so many seconds.
    pub fn step(&mut self, dt: f64) {
        let before = match self.integrator {
            Integrator::SemiImplicit => dt,
            Integrator::Verlet => 0.5 * dt,
        };
        let push = before / self.mass;
        for (velocity, force) in self.velocities.iter_mut().zip(&self.forces) {
            *velocity += *force * push;
        }
        for (place, velocity) in self.places.iter_mut().zip(&self.velocities) {
            *place = (*place + *velocity * dt).map(|x| wrapped(x, self.side));
        }
        self.find_forces();
        if self.integrator == Integrator::Verlet {
            for (velocity, force) in self.velocities.iter_mut().zip(&self.forces) {
                *velocity += *force * push;
            }
        }
        self.time += dt;
    }

    /// Forces of all contacts as they are now.
    fn find_forces(&mut self) {
        let SpringGas { grid, places, velocities, forces, contact, radius, deepest, .. } = self;
        grid.fill(places);
        forces.fill(DVec3::ZERO);
        let touch = 2.0 * *radius;
        grid.each_pair(|a, b, shift| {
            let way = places[b] + shift - places[a];
            let squared = way.length_squared();
            if squared >= touch * touch || squared == 0.0 {
                return;
            }
            let distance = squared.sqrt();
            let normal = way / distance;
            let parting = (velocities[b] - velocities[a]).dot(normal);
            *deepest = deepest.max(touch - distance);
            let force = normal * (contact.stiffness * (touch - distance) - contact.damping * parting);
            forces[a] -= force;
            forces[b] += force;
        });
    }

    /// How far it has come.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// The deepest overlap so far.
    pub fn deepest(&self) -> f64 {
        self.deepest
    }

    /// The velocities.
    pub fn velocities(&self) -> &[DVec3] {
        &self.velocities
    }

    /// Energy of motion.
    pub fn kinetic(&self) -> f64 {
        0.5 * self.mass * self.velocities.iter().map(|velocity| velocity.length_squared()).sum::<f64>()
    }

    /// Energy in the springs.
    pub fn stored(&self) -> f64 {
        let mut sum = 0.0;
        let touch = 2.0 * self.radius;
        self.grid.each_pair(|a, b, shift| {
            let overlap = touch - (self.places[b] + shift - self.places[a]).length();
            if overlap > 0.0 {
                sum += 0.5 * self.contact.stiffness * overlap * overlap;
            }
        });
        sum
    }
}

/// A coordinate into the cube. A coordinate just below zero rounds to the side itself.
fn wrapped(x: f64, side: f64) -> f64 {
    if (0.0..side).contains(&x) {
        return x;
    }
    let inside = x.rem_euclid(side);
    if inside < side { inside } else { 0.0 }
}
