//! What is asked of spheres before they make a gas.

use crate::cells::Cells;
use crate::domain::{Domain, axis_name};
use crate::error::GasError;
use crate::sphere::Sphere;
use kontakt_math::DVec3;

/// Lengths, speeds and masses beyond these would overflow when squared and multiplied.
const LEAST: f64 = 1e-100;
const MOST: f64 = 1e100;

pub(crate) fn check(domain: &Domain, spheres: &[Sphere]) -> Result<(), GasError> {
    if spheres.is_empty() {
        return Err(GasError::Empty);
    }
    if spheres.len() > 1 << 31 {
        return Err(GasError::TooMany(spheres.len()));
    }
    for axis in 0..3 {
        let side = domain.size[axis];
        if !(LEAST..=MOST).contains(&side) {
            return Err(GasError::Side { axis: axis_name(axis), side });
        }
    }
    spheres.iter().enumerate().try_for_each(|(number, sphere)| numbers(number, sphere))?;
    let diameter = 2.0 * spheres.iter().map(|sphere| sphere.radius).fold(0.0, f64::max);
    for axis in 0..3 {
        // The factor keeps cells a little wider than the largest sphere.
        if domain.is_periodic(axis) && domain.size[axis] < 3.0 * diameter * (1.0 + 1e-9) {
            return Err(GasError::TooNarrow { axis: axis_name(axis), side: domain.size[axis], diameter });
        }
    }
    spheres.iter().enumerate().try_for_each(|(number, sphere)| inside(domain, number, sphere))
}

fn numbers(sphere: usize, given: &Sphere) -> Result<(), GasError> {
    let positive = |what, value: f64| match value {
        value if (LEAST..=MOST).contains(&value) => Ok(()),
        value => Err(GasError::Value { sphere, what, value, wanted: "it must lie between 1e-100 and 1e100" }),
    };
    positive("radius", given.radius)?;
    positive("mass", given.mass)?;
    for (what, vector) in [("centre", given.centre), ("velocity", given.velocity)] {
        if let Some(value) = vector.to_array().into_iter().find(|value| value.is_nan() || value.abs() > MOST)
        {
            return Err(GasError::Value {
                sphere, what, value, wanted: "it must be a number within ±1e100"
            });
        }
    }
    Ok(())
}

fn inside(domain: &Domain, sphere: usize, given: &Sphere) -> Result<(), GasError> {
    for axis in 0..3 {
        let reach = if domain.is_periodic(axis) { 0.0 } else { given.radius };
        let (low, high) = (given.centre[axis] - reach, given.centre[axis] + reach);
        let side = domain.size[axis];
        if low < 0.0 || high > side {
            return Err(GasError::Outside { sphere, axis: axis_name(axis), low, high, side });
        }
    }
    Ok(())
}

/// Two spheres that overlap by more than rounding: the first by number. `numbers` tells those of the user.
pub(crate) fn apart(
    cells: &Cells,
    numbers: &[u32],
    at: impl Fn(usize) -> (DVec3, f64),
) -> Result<(), GasError> {
    let mut worst: Option<(usize, usize, f64)> = None;
    for sphere in 0..numbers.len() {
        let (centre, radius) = at(sphere);
        cells.each_near(sphere, None, |other, shift| {
            let (other_centre, other_radius) = at(other);
            let (gap, touch) = ((other_centre + shift - centre).length(), radius + other_radius);
            let scale = touch + centre.abs().max_element() + shift.abs().max_element();
            if gap < touch - scale * 1e-14 {
                let (a, b) = (numbers[sphere] as usize, numbers[other] as usize);
                let found = (a.min(b), a.max(b), touch - gap);
                if worst.is_none_or(|worst| (found.0, found.1) < (worst.0, worst.1)) {
                    worst = Some(found);
                }
            }
        });
    }
    match worst {
        Some((a, b, depth)) => Err(GasError::Overlap { a, b, depth }),
        None => Ok(()),
    }
}
