//! Bodies as a lathe and a mill make them: a profile turned around the z axis, with windows cut into it or left standing by angle;
//! rods bent along a curve; blocks. All are closed.

use kontakt::math::{DVec3, Pose};
use kontakt::shapes::make::{Ends, loft};
use kontakt::shapes::{FaceSet, FaceSetError};
use std::f64::consts::TAU;

/// Angles (radians) around the axis, repeated evenly: 1 within them, 0 outside, with slanted sides between.
#[derive(Clone, Copy, Debug)]
pub(super) struct Windows {
    pub(super) count: u32,
    /// The first one's sides.
    pub(super) from: f64,
    pub(super) to: f64,
}

/// Angle over which a side goes from 0 to 1.
const SLANT: f64 = 0.008;

impl Windows {
    /// Around an angle.
    pub(super) fn around(count: u32, middle: f64, half: f64) -> Windows {
        Windows { count, from: middle - half, to: middle + half }
    }

    fn share(&self, angle: f64) -> f64 {
        let period = TAU / f64::from(self.count.max(1));
        let middle = f64::midpoint(self.from, self.to);
        let off = (angle - middle + 0.5 * period).rem_euclid(period) - 0.5 * period;
        ((0.5 * (self.to - self.from) - off.abs()) / SLANT + 0.5).clamp(0.0, 1.0)
    }

    /// Angles in [0, 2π) at which the share bends.
    fn bends(&self) -> impl Iterator<Item = f64> {
        let (count, from, to) = (self.count.max(1), self.from, self.to);
        (0..count).flat_map(move |k| {
            let turned = f64::from(k) / f64::from(count) * TAU;
            [from - 0.5 * SLANT, from + 0.5 * SLANT, to - 0.5 * SLANT, to + 0.5 * SLANT]
                .map(|angle| (angle + turned).rem_euclid(TAU))
        })
    }
}

/// How many windows a profile may speak of.
pub(super) const WINDOWS: usize = 4;

/// A corner of a profile: distance from the axis, height, and by how much each window widens it there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    pub(super) radius: f64,
    pub(super) z: f64,
    pub(super) widened: [f64; WINDOWS],
}

/// A round corner.
pub(super) fn round(radius: f64, z: f64) -> Corner {
    Corner { radius, z, widened: [0.0; WINDOWS] }
}

/// A corner that one window widens.
pub(super) fn cut(radius: f64, z: f64, window: usize, by: f64) -> Corner {
    let mut corner = round(radius, z);
    corner.widened[window] = by;
    corner
}

/// How finely a body is divided.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fineness {
    /// Even angles around the axis; those at which windows bend come on top.
    pub(super) around: u32,
    /// Longest edge along the profile.
    pub(super) step: f64,
}

/// The profile turned around the z axis and closed by flat ends. Up outside, then down inside: material is on the left.
pub(super) fn turned(
    profile: &[Corner],
    windows: [Windows; WINDOWS],
    fineness: Fineness,
) -> Result<FaceSet, FaceSetError> {
    let angles = angles(&windows, fineness.around);
    let ring = |corner: &Corner| -> Vec<DVec3> {
        let at = |angle: &f64| {
            let wide: f64 = windows.iter().zip(corner.widened).map(|(w, by)| by * w.share(*angle)).sum();
            let (sin, cos) = angle.sin_cos();
            DVec3::new((corner.radius + wide) * cos, (corner.radius + wide) * sin, corner.z)
        };
        angles.iter().map(at).collect()
    };
    loft(&fine(profile, fineness.step).iter().map(ring).collect::<Vec<_>>(), Ends::Capped)
}

/// Even angles and all bends, in order, none close to another.
fn angles(windows: &[Windows], around: u32) -> Vec<f64> {
    let mut bends: Vec<f64> = windows.iter().flat_map(Windows::bends).collect();
    bends.sort_by(f64::total_cmp);
    bends.dedup_by(|a, b| (*a - *b).abs() < 1e-9);
    let near = 0.25 * SLANT;
    let even = (0..around.max(3)).map(|k| f64::from(k) / f64::from(around.max(3)) * TAU);
    let mut all: Vec<f64> =
        even.filter(|angle| bends.iter().all(|bend| (angle - bend).abs() > near)).collect();
    all.extend(bends);
    all.sort_by(f64::total_cmp);
    all
}

/// The profile with corners so close that no edge is longer than a step.
fn fine(profile: &[Corner], step: f64) -> Vec<Corner> {
    let mut corners = Vec::new();
    for pair in profile.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let parts = ((to.radius - from.radius).hypot(to.z - from.z) / step).ceil().clamp(1.0, 1e3) as u32;
        for k in 0..parts {
            let s = f64::from(k) / f64::from(parts);
            let mix = |a: f64, b: f64| a + (b - a) * s;
            corners.push(Corner {
                radius: mix(from.radius, to.radius),
                z: mix(from.z, to.z),
                widened: std::array::from_fn(|i| mix(from.widened[i], to.widened[i])),
            });
        }
    }
    corners.extend(profile.last());
    corners
}

/// A round rod of a radius along a curve over [0, 1] that is nowhere parallel to `across`.
pub(super) fn rod(
    curve: impl Fn(f64) -> DVec3,
    across: DVec3,
    radius: f64,
    [along, around]: [u32; 2],
) -> Result<FaceSet, FaceSetError> {
    let rings: Vec<Vec<DVec3>> = (0..=along)
        .map(|i| {
            let s = f64::from(i) / f64::from(along.max(1));
            let tangent = (curve(s + 1e-5) - curve(s - 1e-5)).normalize_or(DVec3::Z);
            let u = across.cross(tangent).normalize_or(DVec3::X);
            let v = tangent.cross(u);
            (0..around.max(3))
                .map(|k| {
                    let (sin, cos) = (f64::from(k) / f64::from(around.max(3)) * TAU).sin_cos();
                    curve(s) + radius * (cos * u + sin * v)
                })
                .collect()
        })
        .collect();
    loft(&rings, Ends::Capped)
}

/// A block between two corners.
pub(super) fn block(low: DVec3, high: DVec3) -> Result<FaceSet, FaceSetError> {
    let ring = |z: f64| {
        vec![
            DVec3::new(low.x, low.y, z),
            DVec3::new(high.x, low.y, z),
            DVec3::new(high.x, high.y, z),
            DVec3::new(low.x, high.y, z),
        ]
    };
    loft(&[ring(low.z), ring(high.z)], Ends::Capped)
}

/// All vertices moved.
pub(super) fn mapped(faces: &FaceSet, map: impl Fn(DVec3) -> DVec3) -> Result<FaceSet, FaceSetError> {
    FaceSet::from_triangles(faces.vertices().iter().map(|v| map(*v)).collect(), faces.triangles().to_vec())
}

/// Several bodies as one set of faces, each in its place.
pub(super) fn together<'a>(
    bodies: impl IntoIterator<Item = (&'a FaceSet, Pose)>,
) -> Result<FaceSet, FaceSetError> {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for (faces, pose) in bodies {
        let first = vertices.len() as u32;
        vertices.extend(faces.vertices().iter().map(|v| pose.apply(*v)));
        triangles.extend(faces.triangles().iter().map(|corners| corners.map(|corner| corner + first)));
    }
    FaceSet::from_triangles(vertices, triangles)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kontakt::shapes::{MassProperties, Topology};

    #[test]
    fn a_window_is_one_inside_and_zero_outside() {
        let windows = Windows::around(3, 0.5, 0.1);
        for k in 0..3 {
            let turned = f64::from(k) / 3.0 * TAU;
            assert_eq!(windows.share(turned + 0.5), 1.0);
            assert_eq!(windows.share(turned + 0.59), 1.0);
            assert_eq!(windows.share(turned + 0.61), 0.0);
            assert!((windows.share(turned + 0.6) - 0.5).abs() < 1e-9);
        }
        assert_eq!(windows.bends().count(), 12);
    }

    #[test]
    fn rods_and_blocks_are_closed_and_turned_outward() {
        let bent = rod(|s| DVec3::new(10.0 * s, (3.0 * s).sin(), 0.0), DVec3::Z, 0.5, [20, 8]).unwrap();
        let cube = block(DVec3::ZERO, DVec3::ONE).unwrap();
        for body in [&bent, &cube] {
            let topology = Topology::of(body);
            assert!(topology.closed && topology.oriented, "{topology:?}");
            assert_eq!(topology.euler_characteristic, 2);
            assert!(MassProperties::of(body).volume > 0.0);
        }
        assert!((MassProperties::of(&cube).volume - 1.0).abs() < 1e-12);
    }
}
