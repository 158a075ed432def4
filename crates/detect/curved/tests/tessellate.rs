//! Tessellations close where bodies do, stay within what they certify, and have the volume of the body.

mod bodies;

use bodies::Solid;
use kontakt_curved::{Surface, Tessellation, TessellationOptions, tessellate};
use std::collections::HashMap;
use std::f64::consts::PI;

fn made(solid: &Solid, deviation: f64) -> Tessellation {
    let options = TessellationOptions { deviation, most_triangles: 2_000_000 };
    match tessellate(&solid.brep, &options) {
        Ok(tessellation) => tessellation,
        Err(error) => panic!("{}: {error}", solid.name),
    }
}

/// Sides that are not run along once each way.
fn open_sides(tessellation: &Tessellation) -> usize {
    let mut sides: HashMap<(u32, u32), i32> = HashMap::new();
    for [a, b, c] in &tessellation.triangles {
        for (from, to) in [(*a, *b), (*b, *c), (*c, *a)] {
            let (key, way) = if from < to { ((from, to), 1) } else { ((to, from), -1) };
            *sides.entry(key).or_default() += way;
        }
    }
    sides.values().filter(|&&balance| balance != 0).count()
}

fn volume(tessellation: &Tessellation) -> f64 {
    let at = |id: u32| tessellation.points[id as usize];
    tessellation.triangles.iter().map(|[a, b, c]| at(*a).dot(at(*b).cross(at(*c)))).sum::<f64>() / 6.0
}

fn area(tessellation: &Tessellation) -> f64 {
    let at = |id: u32| tessellation.points[id as usize];
    let twice = |[a, b, c]: &[u32; 3]| (at(*b) - at(*a)).cross(at(*c) - at(*a)).length();
    tessellation.triangles.iter().map(twice).sum::<f64>() / 2.0
}

#[test]
fn bodies_close_and_have_their_volume() {
    for solid in bodies::all() {
        for deviation in [0.1, 0.01, 0.002] {
            let tessellation = made(&solid, deviation);
            assert_eq!(open_sides(&tessellation), 0, "{} at {deviation}", solid.name);
            assert!(tessellation.deviation <= deviation + 1e-9, "{}: {}", solid.name, tessellation.deviation);
            let found = volume(&tessellation);
            // The shell between the triangles and the surface has no more than this volume.
            let most = 1.2 * area(&tessellation) * tessellation.deviation + 1e-9;
            let off = (found - solid.volume).abs();
            assert!(off <= most, "{} at {deviation}: {found}, not {}", solid.name, solid.volume);
        }
    }
}

/// Points of a triangle are as near to the point of the surface at their parameters as is said.
#[test]
fn deviations_hold() {
    let mut random = fastrand::Rng::with_seed(5);
    for solid in bodies::all() {
        let tessellation = made(&solid, 0.03);
        for k in 0..tessellation.triangles.len() {
            let [a, b, c] = tessellation.triangles[k].map(|id| tessellation.points[id as usize]);
            let domain = &tessellation.domains[tessellation.faces[k] as usize];
            let (mut p, mut q) = (random.f64(), random.f64());
            if p + q > 1.0 {
                (p, q) = (1.0 - p, 1.0 - q);
            }
            let flat = a + (b - a) * p + (c - a) * q;
            let surface = &solid.brep.faces()[tessellation.faces[k] as usize].surface;
            let off = if let Surface::Sphere { frame, radius } = surface {
                ((flat - frame.origin).length() - radius).abs()
            } else {
                let [x, y, z] = tessellation.parameters[k];
                let at = [0, 1].map(|i: usize| x[i] + (y[i] - x[i]) * p + (z[i] - x[i]) * q);
                (domain.point(at) - flat).length()
            };
            assert!(off <= tessellation.deviations[k] + 1e-13, "{}: {off}", solid.name);
        }
    }
}

#[test]
fn a_cylinder_needs_no_points_inside() {
    let solid = bodies::cylinder(1.0, 100.0, false);
    let tessellation = made(&solid, 0.001);
    let side = tessellation.faces.iter().filter(|&&face| face == 0).count();
    assert!(side < 400, "{side}");
    assert!((volume(&tessellation) - 100.0 * PI).abs() < 0.7);
    assert!(tessellation.points.iter().all(|x| x.z == 0.0 || (x.z - 100.0).abs() < 1e-12));
}
