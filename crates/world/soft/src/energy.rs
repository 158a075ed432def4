//! Energy of each body, and the rule that it does not grow by itself.

use crate::forces::Forces;
use crate::system::System;
use crate::zones::Zones;
use kontakt_math::DVec3;

/// Joules of each body.
#[derive(Clone, Debug, Default)]
pub(crate) struct Energies {
    pub(crate) kinetic: Vec<f64>,
    pub(crate) potential: Vec<f64>,
}

impl Energies {
    pub(crate) fn new(system: &System, forces: &Forces, substep: f64) -> Energies {
        let bodies = system.touches.len();
        let (mut kinetic, mut potential) = (vec![0.0; bodies], vec![0.0; bodies]);
        let body = |v: usize| system.bodies[v] as usize;
        for v in 0..system.places.len() {
            if system.mobility[v] > 0.0 {
                kinetic[body(v)] += 0.5 * system.masses[v] * system.velocities[v].length_squared();
                potential[body(v)] -= system.masses[v] * forces.gravity.dot(system.places[v]);
            }
        }
        for pull in &forces.pulls {
            let v = pull.vertex as usize;
            potential[body(v)] += 0.5 * pull.stiffness * pull.to.distance_squared(system.places[v]);
        }
        if substep > 0.0 {
            let add = |v: u32, joules: f64| potential[body(v as usize)] += joules;
            system.model.energy(&system.places, &system.mobility, substep, add);
        }
        Energies { kinetic, potential }
    }

    pub(crate) fn total(&self) -> f64 {
        self.kinetic.iter().chain(&self.potential).sum()
    }
}

/// What rounding makes of an unchanged sum, relative to it.
const ROUNDED: f64 = 1e-12;

/// The bodies in groups that gained more potential energy than they have kinetic energy to pay for it.
pub(crate) fn heated(before: &Energies, after: &Energies, touching: &mut Zones) -> Vec<bool> {
    let bodies = before.kinetic.len();
    let (mut surplus, mut size) = (vec![0.0; bodies], vec![0.0; bodies]);
    for b in 0..bodies {
        let group = touching.root(b as u32) as usize;
        surplus[group] += (after.potential[b] - before.potential[b]) - before.kinetic[b];
        size[group] += before.potential[b].abs() + before.kinetic[b];
    }
    (0..bodies as u32)
        .map(|b| {
            let group = touching.root(b) as usize;
            surplus[group] > ROUNDED * size[group]
        })
        .collect()
}

/// Slows down bodies that touch one another where they have more energy than before: rounding, the gap that is kept and what the
/// solver leaves unsolved must not heat anything. Without wind only; the air gives and takes. Gives the joules taken.
pub(crate) fn hold(system: &mut System, before: &Energies, after: &Energies, touching: &mut Zones) -> f64 {
    let bodies = before.kinetic.len();
    let (mut surplus, mut kinetic) = (vec![0.0; bodies], vec![0.0; bodies]);
    for b in 0..bodies {
        let group = touching.root(b as u32) as usize;
        let grown = (after.kinetic[b] - before.kinetic[b]) + (after.potential[b] - before.potential[b]);
        surplus[group] += grown;
        kinetic[group] += after.kinetic[b];
    }
    let mut taken = 0.0;
    let factors: Vec<f64> = (0..bodies)
        .map(|group| {
            if !(surplus[group] > 0.0 && kinetic[group] > 0.0) {
                return 1.0;
            }
            taken += surplus[group].min(kinetic[group]);
            (1.0 - surplus[group] / kinetic[group]).max(0.0).sqrt()
        })
        .collect();
    for v in 0..system.velocities.len() {
        let group = touching.root(system.bodies[v]) as usize;
        if factors[group] < 1.0 {
            let slower: DVec3 = system.velocities[v] * factors[group];
            system.velocities[v] = slower;
        }
    }
    taken
}
