//! Machine parts: what assemblies are made of. All are closed; z is the axis along which they come apart.

use super::loft::{Ends, loft, ring};
use crate::{FaceSet, FaceSetError};
use kontakt_math::DVec3;
use std::f64::consts::TAU;

/// A corner of a profile that is turned around the z axis: how far inside the outline, how high, how much ribbed.
type Corner = (f64, f64, f64);

/// Between two corners of a profile the skin gets so many rings at most.
fn fine(profile: &[Corner], step: f64) -> Vec<Corner> {
    let mut corners = Vec::new();
    for pair in profile.windows(2) {
        let ((from, z0, rib0), (to, z1, rib1)) = (pair[0], pair[1]);
        let parts = (((to - from).hypot(z1 - z0) / step).ceil()).clamp(1.0, 1e4);
        let mut t = 0.0;
        while t < parts {
            let s = t / parts;
            let mix = |a: f64, b: f64| a + (b - a) * s;
            corners.push((mix(from, to), mix(z0, z1), mix(rib0, rib1)));
            t += 1.0;
        }
    }
    corners.extend(profile.last());
    corners
}

/// A rectangle with rounded corners, half sides 1.6 and 1, as distance from the middle by angle.
fn rounded_rectangle(angle: f64) -> f64 {
    ((angle.cos() / 1.6).abs().powi(6) + angle.sin().abs().powi(6)).powf(-1.0 / 6.0)
}

/// Ribs along the wall.
fn ribs(angle: f64) -> f64 {
    (8.0 * angle).cos().max(0.0).powi(6)
}

fn turned(
    profile: &[Corner],
    step: f64,
    around: u32,
    ends: Ends,
    outline: impl Fn(f64) -> f64,
    rib: impl Fn(f64) -> f64,
) -> Result<FaceSet, FaceSetError> {
    let rings: Vec<Vec<DVec3>> = fine(profile, step)
        .into_iter()
        .map(|(inset, z, ribbed)| ring(around, z, |angle| outline(angle) - inset + ribbed * rib(angle)))
        .collect();
    loft(&rings, ends)
}

/// An open box with ribs outside and a shoulder inside on which [`cover`] sits; 3.4 long, 1.2 high.
pub fn housing(detail: u32) -> Result<FaceSet, FaceSetError> {
    let profile = [
        (0.05, 0.0, 0.0),
        (0.0, 0.05, 0.04),
        (0.0, 0.95, 0.04),
        (-0.1, 1.0, 0.0),
        (-0.1, 1.2, 0.0),
        (0.1, 1.2, 0.0),
        (0.1, 1.05, 0.0),
        (0.22, 1.05, 0.0),
        (0.22, 0.15, 0.0),
    ];
    turned(&profile, 2.4 / f64::from(detail.max(1)), 4 * detail.max(1), Ends::Capped, rounded_rectangle, ribs)
}

/// The lid of [`housing`], in place at rest with `clearance` all around; a plug below, a knob above.
pub fn cover(detail: u32, clearance: f64) -> Result<FaceSet, FaceSetError> {
    let profile = [
        (0.24 + clearance, 0.8, 0.0),
        (0.22 + clearance, 0.85, 0.0),
        (0.22 + clearance, 1.05 + clearance, 0.0),
        (0.1 + clearance, 1.05 + clearance, 0.0),
        (0.1 + clearance, 1.22, 0.0),
        (0.6, 1.22, 0.0),
        (0.55, 1.45, 0.04),
        (0.6, 1.5, 0.0),
    ];
    turned(&profile, 2.4 / f64::from(detail.max(1)), 4 * detail.max(1), Ends::Capped, rounded_rectangle, ribs)
}

/// Three lobes, as on a bayonet.
fn lobes(angle: f64) -> f64 {
    (3.0 * angle).cos()
}

/// A bulb: grooved base, flange with three lobes, glass; 1.4 high.
pub fn bulb(detail: u32) -> Result<FaceSet, FaceSetError> {
    let n = 2.0 * f64::from(detail.max(1));
    // The base has grooves, the glass is round.
    let base = (0..=detail).map(|i| {
        let t = f64::from(i) / f64::from(detail.max(1));
        (0.25 - 0.015 * (12.0 * TAU * t).sin(), 0.45 * t)
    });
    let flange = [(0.36, 0.5), (0.36, 0.56), (0.16, 0.58)];
    let glass = (1..=detail).map(|i| {
        let t = f64::from(i) / f64::from(detail.max(1)) * 0.98;
        (0.16 + 0.2 * (0.5 * TAU * t).sin() - 0.12 * t, 0.58 + 0.82 * t)
    });
    let profile: Vec<Corner> = base
        .map(|(r, z)| (-r, z, 0.0))
        .chain(flange.map(|(r, z)| (-r, z, if r > 0.3 { 0.04 } else { 0.0 })))
        .chain(glass.map(|(r, z)| (-r, z, 0.0)))
        .collect();
    turned(&profile, 2.4 / n, 4 * detail.max(1), Ends::Capped, |_| 0.0, lobes)
}

/// The bowl that holds [`bulb`] with `clearance`: a neck, a pocket for its lobes and a parabolic shell; 3.2 wide.
pub fn reflector(detail: u32, clearance: f64) -> Result<FaceSet, FaceSetError> {
    let neck = 0.27 + clearance;
    let pocket = 0.36 + clearance;
    let bowl = |r: f64| 0.62 + 0.35 * (r - pocket) * (r - pocket) + 0.2 * (r - pocket);
    let steps = 8;
    let along = |i: i32| pocket + (1.6 - pocket) * f64::from(i) / f64::from(steps);
    let mut profile: Vec<Corner> =
        vec![(-neck, 0.0, 0.0), (-neck, 0.5 - clearance, 0.0), (-pocket, 0.5 - clearance, 0.04)];
    profile.extend((0..=steps).map(|i| {
        let r = along(i);
        (-r, bowl(r), if i == 0 { 0.04 } else { 0.0 })
    }));
    profile.extend((0..=steps).rev().map(|i| (-along(i) - 0.04, bowl(along(i)) - 0.08, 0.0)));
    profile.extend([(-pocket - 0.1, 0.1, 0.0), (-pocket - 0.05, 0.0, 0.0)]);
    // Up outside, down inside.
    profile.reverse();
    turned(&profile, 2.4 / f64::from(detail.max(1)), 4 * detail.max(1), Ends::Joined, |_| 0.0, lobes)
}

/// A thread's profile: a triangle wave over the turns, within ±1.
fn thread(turns: f64) -> f64 {
    let part = turns - turns.floor();
    if part < 0.5 { 4.0 * part - 1.0 } else { 3.0 - 4.0 * part }
}

/// A rod of radius 0.5 with a right-handed thread of depth ±0.05: `turns` of it at `pitch`, from z = 0 up.
pub fn threaded_rod(turns: u32, pitch: f64, around: u32) -> Result<FaceSet, FaceSetError> {
    let per_turn = 8;
    let rings: Vec<Vec<DVec3>> = (0..=turns * per_turn)
        .map(|i| {
            let along = f64::from(i) / f64::from(per_turn);
            ring(around.max(3), pitch * along, |angle| 0.5 + 0.05 * thread(along - angle / TAU))
        })
        .collect();
    loft(&rings, Ends::Capped)
}

/// The nut for [`threaded_rod`], in place at rest: the same thread, wider by `clearance`; hexagonal outside.
pub fn threaded_nut(turns: u32, pitch: f64, clearance: f64, around: u32) -> Result<FaceSet, FaceSetError> {
    let per_turn = 8;
    let around = around.max(3);
    let hexagon = |angle: f64| {
        let side = TAU / 6.0;
        0.9 / ((angle + side / 2.0).rem_euclid(side) - side / 2.0).cos()
    };
    let height = pitch * f64::from(turns);
    let outside = (0..=turns).map(|i| ring(around, pitch * f64::from(i), hexagon));
    let inside = (0..=turns * per_turn).rev().map(|i| {
        let along = f64::from(i) / f64::from(per_turn);
        ring(around, height * f64::from(i) / f64::from(turns.max(1) * per_turn), |angle| {
            0.5 + clearance + 0.05 * thread(along - angle / TAU)
        })
    });
    loft(&outside.chain(inside).collect::<Vec<_>>(), Ends::Joined)
}

/// A spur gear of pitch radius 1 and `teeth` teeth of height ±`addendum`, with a bore; 0.4 thick.
pub fn gear(teeth: u32, addendum: f64, per_tooth: u32) -> Result<FaceSet, FaceSetError> {
    let around = teeth.max(3) * per_tooth.max(4);
    let flank = |angle: f64| (1.8 * (f64::from(teeth.max(3)) * angle).cos()).clamp(-1.0, 1.0);
    let outer = |angle: f64| 1.0 + addendum * flank(angle);
    let rings: Vec<Vec<DVec3>> = [(1.0, -0.2), (1.0, -0.07), (1.0, 0.07), (1.0, 0.2)]
        .into_iter()
        .chain([(0.75, 0.2), (0.7, 0.05), (0.35, 0.05), (0.35, 0.2), (0.25, 0.2)])
        .chain([(0.25, -0.2), (0.35, -0.2), (0.35, -0.05), (0.7, -0.05), (0.75, -0.2)])
        .map(|(share, z)| ring(around, z, |angle| if share == 1.0 { outer(angle) } else { share }))
        .collect();
    loft(&rings, Ends::Joined)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MassProperties, Topology};

    #[test]
    fn every_part_is_closed_turned_outward_and_of_the_right_kind() {
        for (name, part, euler) in [
            ("housing", housing(16), 2),
            ("cover", cover(16, 0.01), 2),
            ("bulb", bulb(16), 2),
            ("reflector", reflector(16, 0.01), 0),
            ("threaded rod", threaded_rod(6, 0.2, 32), 2),
            ("threaded nut", threaded_nut(4, 0.2, 0.01, 32), 0),
            ("gear", gear(18, 0.08, 8), 0),
        ] {
            let part = part.unwrap();
            let topology = Topology::of(&part);
            assert!(topology.closed && topology.oriented, "{name}: {topology:?}");
            assert_eq!(topology.euler_characteristic, euler, "{name}");
            assert!(MassProperties::of(&part).volume > 0.0, "{name}");
        }
    }

    #[test]
    fn odd_numbers_give_small_bodies_not_panics() {
        for part in [housing(0), cover(0, -1.0), bulb(0), reflector(0, 0.0), gear(0, 0.0, 0)] {
            assert!(part.is_ok());
        }
        assert!(threaded_rod(0, 1.0, 0).is_ok() && threaded_nut(0, 1.0, 0.0, 0).is_ok());
    }
}
