//! kontakt's side of the questions about gases.

use crate::clock::timed;
use crate::contest::Contender;
use crate::data::atoms::Atoms;
use kontakt::event_driven::{Domain, Gas, GasError, Restitution, Speeds, Sphere, Until};
use kontakt::math::DVec3;

/// From contact to contact in a periodic cube, until each sphere has met so many others; making the gas counts. The speeds at the end.
pub(crate) fn contender(atoms: &Atoms, collisions: f64) -> Contender<'_, (f64, Vec<f64>)> {
    Contender::new("kontakt", move || {
        let (seconds, gas) = timed(|| mixed(atoms, collisions));
        let gas = gas.map_err(|error| error.to_string())?;
        Ok((seconds, (gas.time(), gas.spheres().map(|sphere| sphere.velocity.length()).collect())))
    })
}

fn mixed(atoms: &Atoms, collisions: f64) -> Result<Gas, GasError> {
    let spheres: Vec<Sphere> = atoms
        .places
        .iter()
        .zip(&atoms.velocities)
        .map(|(place, velocity)| Sphere {
            centre: DVec3::from_array(*place),
            velocity: DVec3::from_array(*velocity),
            radius: atoms.radius,
            mass: 1.0,
        })
        .collect();
    let domain = Domain::periodic(DVec3::splat(atoms.width));
    let mut gas = Gas::new(domain, Restitution::ELASTIC, &spheres)?;
    // Each collision is one of two spheres.
    gas.run(&Until::collisions((0.5 * collisions * spheres.len() as f64) as u64));
    Ok(gas)
}

/// What is known of speeds.
pub(crate) fn speeds(speeds: &[f64]) -> Speeds {
    Speeds::new(speeds.iter().copied())
}
