//! Public STEP files, where the corpus is present (`KONTAKT_DATA`; `cargo xtask test` sets it): as many solids and faces as Open CASCADE
//! 8.0.1 finds, in the same places.

use kontakt_curved::{Brep, Loop, Surface};
use kontakt_io::{CurvedBody, ReadOptions, read_step, read_step_bytes};
use kontakt_math::DVec3;
use std::f64::consts::PI;
use std::path::{Path, PathBuf};

/// File, placed solids, their faces, largest gap between a vertex and its edge, and the smallest box as Open CASCADE gives it.
type Expected = (&'static str, usize, usize, f64, [f64; 3], [f64; 3]);

const EXPECTED: [Expected; 9] = [
    ("as1-oc-214.stp", 18, 160, 1e-8, [-10.0, 0.0, -4.0], [190.0, 150.0, 80.0]),
    ("base_interface_AP203.STEP", 1, 30, 1e-9, [-299.706, -319.336, -2.381], [299.706, 319.336, 2.381]),
    ("base_interface_AP214.STEP", 1, 30, 1e-9, [-299.706, -319.336, -2.381], [299.706, 319.336, 2.381]),
    ("box_sides.STEP", 10, 417, 1e-9, [-18.446, 46.718, 112.565], [165.704, 161.018, 207.815]),
    ("dm1-id-214.stp", 7, 48, 1e-9, [0.0, -27.0, 0.0], [50.0, 60.0, 100.0]),
    ("featuretype.STEP", 1, 96, 1e-6, [-63.5, -31.75, 0.0], [63.5, 31.75, 34.925]),
    ("io1-cm-214.stp", 1, 29, 1e-9, [0.0, -44.0, -44.0], [31.0, 44.0, 44.0]),
    ("screw.step", 1, 10, 1e-9, [-27.82, -10.826, -34.564], [-7.977, 9.174, 7.731]),
    ("sg1-c5-214.stp", 1, 16, 1e-9, [-40.0, -40.0, -70.0], [40.0, 40.0, 84.031]),
];

fn corpus() -> Option<PathBuf> {
    let folder = std::env::var_os("KONTAKT_DATA").map(|data| Path::new(&data).join("step"));
    if folder.is_none() {
        println!("skipped: corpus not present (KONTAKT_DATA is not set)");
    }
    folder
}

#[test]
fn as_many_as_open_cascade_finds() {
    let Some(folder) = corpus() else { return };
    for (name, solids, faces, gap, low, high) in EXPECTED {
        let file =
            read_step(&folder.join(name), &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
        let found: usize = file.bodies.iter().map(|body| body.brep.faces().len()).sum();
        assert_eq!((file.bodies.len(), found), (solids, faces), "{name}");
        assert!(file.bodies.iter().all(|body| body.lost_faces == 0), "{name}");
        assert!(file.report.vertex_gap.distance <= gap, "{name}: {:?}", file.report.vertex_gap);
        for body in &file.bodies {
            check_manifold(&body.brep, name);
            check_sides(&body.brep, &body.face_ids, name);
        }
        // Points of edges lie in the box; they fill it but where a face bulges beyond all of its edges.
        let points: Vec<DVec3> = file.bodies.iter().flat_map(samples).collect();
        for point in &points {
            let out = (DVec3::from_array(low) - *point).max(*point - DVec3::from_array(high)).max_element();
            assert!(out < 2e-3, "{name}: {point} is out of the box by {out}");
        }
        let reached = points.iter().copied().reduce(DVec3::max).unwrap();
        let near = (DVec3::from_array(high) - reached).abs();
        assert!(near.min_element() < 1e-2, "{name}: {reached}");
    }
    let far = read_step(&folder.join("s1-c5-214.stp"), &ReadOptions::default()).unwrap_err();
    assert!(far.to_string().contains("4 other files"), "{far}");
}

/// Every edge of a solid is run through once each way.
fn check_manifold(brep: &Brep, name: &str) {
    let mut uses = vec![[0, 0]; brep.edges().len()];
    for border in brep.faces().iter().flat_map(|face| &face.loops) {
        let Loop::Edges(edges) = border else { continue };
        for &(edge, forward) in edges {
            uses[edge as usize][usize::from(forward)] += 1;
        }
    }
    assert!(uses.iter().all(|&both| both == [1, 1]), "{name}");
}

/// Loops run counterclockwise seen from outside: the area they run round in the plane of the parameters, −∮ v du, is above zero where
/// du × dv points out, also where two loops run round a whole cylinder.
fn check_sides(brep: &Brep, ids: &[u64], name: &str) {
    'faces: for (face, id) in brep.faces().iter().zip(ids) {
        let mut area = 0.0;
        if !face.loops.iter().any(|border| matches!(border, Loop::Edges(_))) {
            continue;
        }
        for border in &face.loops {
            let Loop::Edges(uses) = border else { continue };
            let mut before: Option<[f64; 2]> = None;
            for &(edge, forward) in uses {
                let edge = &brep.edges()[edge as usize];
                for i in 0..=200 {
                    let part = if forward { f64::from(i) / 200.0 } else { 1.0 - f64::from(i) / 200.0 };
                    let point = edge.curve.point(edge.range[0] * (1.0 - part) + edge.range[1] * part);
                    let Some(mut at) = parameters(&face.surface, point) else { continue 'faces };
                    if let Some(last) = before {
                        for (i, period) in face.surface.periods().into_iter().enumerate() {
                            at[i] -=
                                period.map_or(0.0, |period| ((at[i] - last[i]) / period).round() * period);
                        }
                        area -= 0.5 * (at[1] + last[1]) * (at[0] - last[0]);
                    }
                    before = Some(at);
                }
            }
        }
        let area = if face.outward { area } else { -area };
        assert!(
            area > 0.0,
            "{name}: #{id}, a {}, lies to the right of its loops: {area}",
            face.surface.kind()
        );
    }
}

/// Parameters of a point of a surface, where they are easy and have no poles.
fn parameters(surface: &Surface, point: DVec3) -> Option<[f64; 2]> {
    match surface {
        Surface::Plane(frame) => Some(frame.local(point).truncate().to_array()),
        Surface::Cylinder { frame, .. } => {
            let local = frame.local(point);
            Some([local.y.atan2(local.x), local.z])
        }
        // Heights are measured from the apex: a face may reach it, and no loop runs round it there.
        Surface::Cone { frame, radii, slope } => {
            let local = frame.local(point);
            Some([local.y.atan2(local.x), local.z + radii[0] / slope])
        }
        Surface::Torus { frame, major, .. } => {
            let local = frame.local(point);
            let (u, reach) = (local.y.atan2(local.x), local.truncate().length());
            // Where the tube reaches over the axis a point is on the far side of its circle.
            let sides = [[u, local.z.atan2(reach - major)], [u + PI, local.z.atan2(-reach - major)]];
            let off = |[u, v]: [f64; 2]| (surface.point(u, v) - point).length();
            Some(if off(sides[0]) <= off(sides[1]) { sides[0] } else { sides[1] })
        }
        _ => None,
    }
}

fn samples(body: &CurvedBody) -> Vec<DVec3> {
    let edges = body.brep.edges().iter();
    let along = edges.flat_map(|edge| {
        (0..=64).map(|i| {
            let part = f64::from(i) / 64.0;
            body.pose.apply(edge.curve.point(edge.range[0] * (1.0 - part) + edge.range[1] * part))
        })
    });
    along.collect()
}

/// Damaged files of real writers.
#[test]
fn damaged_files_of_the_corpus() {
    let Some(folder) = corpus() else { return };
    let mut random = fastrand::Rng::with_seed(3);
    for (name, ..) in EXPECTED {
        let text = std::fs::read(folder.join(name))
            .expect("KONTAKT_DATA is set, so its step folder must be readable");
        for _ in 0..20 {
            let mut bytes = text.clone();
            for _ in 0..random.usize(1..30) {
                let at = random.usize(..bytes.len());
                match random.u32(..3) {
                    0 => bytes[at] = b"#(),;'$.*0 "[random.usize(..11)],
                    1 => bytes[at] = b'0' + random.u8(..10),
                    _ => drop(bytes.drain(at..(at + random.usize(1..9)).min(bytes.len()))),
                }
            }
            // Whatever comes: no panic, and in time.
            let _ = read_step_bytes(&bytes, name, &ReadOptions::default());
        }
    }
}
