//! A small assembly for the clash check: a plate, bolted, with everything that can be right and wrong about it.

use crate::command::check::{self, Checked};
use crate::failure::Failure;
use crate::reading::Reading;
use kontakt::math::DVec3;
use kontakt::scene::{Limits, Rules};
use kontakt::schedule::Deadline;
use kontakt::shapes::{Body, FaceSet, FaceSetError, make};
use kontakt_load::Remarks;
use kontakt_load::parts::scene_of;
use kontakt_load::ready::build_all;
use std::f64::consts::TAU;

/// Millimetres that parts must keep where they do not touch.
pub(crate) const CLEARANCE: f64 = 0.25;

/// Checks the assembly as `kontakt check` would.
pub(crate) fn checked() -> Result<Checked, Failure> {
    let bodies =
        parts().map_err(|error| Failure::Usage(format!("the demo's own parts are wrong: {error}")))?;
    let scene = scene_of(&build_all(bodies, &Reading::default().options(Deadline::NEVER))?);
    let rules = Rules { clearance: CLEARANCE, ..Rules::default() };
    let report = check::judged(&scene, rules, Limits { all_distances: true, ..Limits::NONE });
    Ok(Checked { report, remarks: Remarks::default(), warnings: Vec::new() })
}

/// Plate, bolt with its head on the plate, nut from below; a bracket that cuts into the head, an insert forgotten inside
/// the plate, a rod where no hole was drilled. Lengths in millimetres.
fn parts() -> Result<Vec<Body>, FaceSetError> {
    let nut = make::hex_nut(18.0, 8.0, 10.25, SIDES)?;
    let faces = [
        (
            "plate",
            lathe(&[square(20.0, 0.0), square(20.0, 10.0), circle(5.5, 10.0), circle(5.5, 0.0)], true)?,
        ),
        (
            "bolt",
            lathe(
                &[
                    point(-12.0),
                    circle(5.0, -12.0),
                    circle(5.0, 10.0),
                    circle(9.0, 10.0),
                    circle(9.0, 16.0),
                    point(16.0),
                ],
                false,
            )?,
        ),
        ("nut", moved(&nut, DVec3::new(0.0, 0.0, -4.0))?),
        ("bracket", moved(&rod(3.0, 10.5, 14.0)?, DVec3::new(11.7, 0.0, 0.0))?),
        ("insert", moved(&rod(1.5, 2.0, 8.0)?, DVec3::new(14.0, 14.0, 0.0))?),
        ("rod", moved(&rod(1.0, -5.0, 15.0)?, DVec3::new(-14.0, 0.0, 0.0))?),
    ];
    Ok(faces.map(|(name, faces)| Body { name: name.into(), faces }).into())
}

/// Corners of every round thing.
pub(super) const SIDES: u32 = 48;

/// Points around the z axis at one height.
fn circle(radius: f64, z: f64) -> Vec<DVec3> {
    let at = |k: u32| f64::from(k) / f64::from(SIDES) * TAU;
    (0..SIDES).map(|k| DVec3::new(radius * at(k).cos(), radius * at(k).sin(), z)).collect()
}

/// As many points on a square with the given half width.
pub(super) fn square(half: f64, z: f64) -> Vec<DVec3> {
    let on_square = |p: DVec3| p * (half / p.x.abs().max(p.y.abs()));
    circle(1.0, 0.0).into_iter().map(|p| on_square(p).with_z(z)).collect()
}

/// A point on the axis.
pub(super) fn point(z: f64) -> Vec<DVec3> {
    vec![DVec3::new(0.0, 0.0, z)]
}

fn rod(radius: f64, from: f64, to: f64) -> Result<FaceSet, FaceSetError> {
    lathe(&[point(from), circle(radius, from), circle(radius, to), point(to)], false)
}

fn moved(faces: &FaceSet, by: DVec3) -> Result<FaceSet, FaceSetError> {
    FaceSet::from_triangles(faces.vertices().iter().map(|&v| v + by).collect(), faces.triangles().to_vec())
}

/// The surface between consecutive rings, outward when they run upward outside; `around` joins the last to the first.
pub(super) fn lathe(rings: &[Vec<DVec3>], around: bool) -> Result<FaceSet, FaceSetError> {
    let first: Vec<u32> = rings
        .iter()
        .scan(0, |next, ring| {
            let first = *next;
            *next += ring.len() as u32;
            Some(first)
        })
        .collect();
    let id = |ring: usize, k: u32| first[ring] + k % rings[ring].len() as u32;
    let mut triangles = Vec::new();
    let steps = if around { rings.len() } else { rings.len() - 1 };
    for a in 0..steps {
        let b = (a + 1) % rings.len();
        for k in 0..SIDES {
            triangles.push([id(a, k), id(a, k + 1), id(b, k + 1)]);
            triangles.push([id(a, k), id(b, k + 1), id(b, k)]);
        }
    }
    // A ring of one point makes every other triangle a line.
    triangles.retain(|[a, b, c]| a != b && b != c && c != a);
    FaceSet::from_triangles(rings.concat(), triangles)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kontakt::shapes::{MassProperties, Topology};

    #[test]
    fn every_part_is_closed_and_turned_outward() {
        for Body { name, faces } in parts().unwrap() {
            let topology = Topology::of(&faces);
            assert!(topology.closed && topology.oriented, "{name}: {topology:?}");
            assert_eq!((topology.degenerate_faces.len(), topology.isolated_vertices), (0, 0), "{name}");
            assert!(MassProperties::of(&faces).volume > 0.0, "{name}");
        }
    }
}
