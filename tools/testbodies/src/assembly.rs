//! Assemblies as a CAD program exports them: a gearbox with round fits of one nominal diameter tessellated apart, flush faces, parts turned
//! by quarters, all numbers in single precision; and a grid of blocks bolted together. Lengths in millimetres.

use kontakt_math::{DQuat, DVec3};
use serde_json::{Value, json};
use std::f64::consts::{FRAC_PI_2, TAU};
use std::fmt::Write;

/// A part in its own frame, and where it stands.
#[derive(Clone, Debug)]
pub struct Part {
    /// What the file calls it.
    pub name: String,
    /// Its vertices.
    pub points: Vec<DVec3>,
    /// Corners of its faces.
    pub triangles: Vec<[u32; 3]>,
    /// How it is turned.
    pub turn: DQuat,
    /// Where its origin stands.
    pub place: DVec3,
}

impl Part {
    fn new(name: impl Into<String>, (points, triangles): Skin) -> Part {
        Part { name: name.into(), points, triangles, turn: DQuat::IDENTITY, place: DVec3::ZERO }
    }

    fn at(mut self, x: f64, y: f64, z: f64) -> Part {
        self.place = DVec3::new(x, y, z);
        self
    }

    /// Its z axis along the world's x axis.
    fn lying(mut self) -> Part {
        self.turn = DQuat::from_rotation_y(FRAC_PI_2);
        self
    }
}

type Skin = (Vec<DVec3>, Vec<[u32; 3]>);

/// Rings of points joined to a closed skin: first to second and so on, last to first.
fn ring_body(count: u32, rings: &[(f64, f64)], radius: impl Fn(f64, f64) -> f64, phase: f64) -> Skin {
    let mut points = Vec::new();
    for &(r, z) in rings {
        points.extend((0..count).map(|k| {
            let angle = (f64::from(k) + phase) / f64::from(count) * TAU;
            let reach = radius(r, angle);
            DVec3::new(reach * angle.cos(), reach * angle.sin(), z)
        }));
    }
    let mut triangles = Vec::new();
    for ring in 0..rings.len() as u32 {
        let next = (ring + 1) % rings.len() as u32;
        for k in 0..count {
            let l = (k + 1) % count;
            let (a, b) = (ring * count + k, ring * count + l);
            let (c, d) = (next * count + l, next * count + k);
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    (points, triangles)
}

/// A body turned about z, from (radius, height) to (radius, height), closed by its axis at both ends.
fn turned(count: u32, outline: &[(f64, f64)], phase: f64) -> Skin {
    let (mut points, mut triangles) = ring_body(count, outline, |r, _| r, phase);
    triangles.truncate(triangles.len() - 2 * count as usize);
    let (first, last) = (outline[0].1, outline[outline.len() - 1].1);
    let (below, above) = (points.len() as u32, points.len() as u32 + 1);
    points.extend([DVec3::Z * first, DVec3::Z * last]);
    let top = (outline.len() as u32 - 1) * count;
    for k in 0..count {
        let l = (k + 1) % count;
        triangles.extend([[below, l, k], [above, top + k, top + l]]);
    }
    (points, triangles)
}

/// A tube along z.
fn tube(count: u32, inner: f64, outer: f64, low: f64, high: f64, phase: f64) -> Skin {
    ring_body(count, &[(outer, low), (outer, high), (inner, high), (inner, low)], |r, _| r, phase)
}

fn cylinder(count: u32, radius: f64, low: f64, high: f64, phase: f64) -> Skin {
    turned(count, &[(radius, low), (radius, high)], phase)
}

/// A plate of square cells, each with a round hole in its middle; `holes` by rows.
fn plate(cell: f64, holes: &[&[f64]], thickness: f64, count: u32) -> Skin {
    let (mut points, mut triangles): Skin = (Vec::new(), Vec::new());
    let rows = holes.len();
    for (j, row) in holes.iter().enumerate() {
        for (i, &hole) in row.iter().enumerate() {
            let middle = DVec3::new((i as f64 + 0.5) * cell, (j as f64 + 0.5) * cell, 0.0);
            let first = points.len() as u32;
            for (outer, z) in [(true, 0.0), (true, thickness), (false, thickness), (false, 0.0)] {
                points.extend((0..count).map(|k| {
                    let angle = f64::from(k) / f64::from(count) * TAU;
                    let way = DVec3::new(angle.cos(), angle.sin(), 0.0);
                    let reach = if outer { 0.5 * cell / way.abs().max_element() } else { hole };
                    // Borders of neighbours are the same points.
                    let snap = |x: f64| (x * 1024.0).round() / 1024.0;
                    let at = way * reach;
                    let at = if outer { DVec3::new(snap(at.x), snap(at.y), 0.0) } else { at };
                    middle + at + DVec3::Z * z
                }));
            }
            for k in 0..count {
                let l = (k + 1) % count;
                let ring = |ring: u32, k: u32| first + ring * count + k;
                let mut quad = |a: u32, b: u32| {
                    triangles
                        .extend([[ring(a, k), ring(a, l), ring(b, l)], [ring(a, k), ring(b, l), ring(b, k)]]);
                };
                quad(1, 2);
                quad(2, 3);
                quad(3, 0);
                let angle = (f64::from(k) + 0.5) / f64::from(count) * TAU;
                let (x, y) = (angle.cos(), angle.sin());
                let on_border = if x.abs() > y.abs() {
                    (x > 0.0 && i + 1 == row.len()) || (x < 0.0 && i == 0)
                } else {
                    (y > 0.0 && j + 1 == rows) || (y < 0.0 && j == 0)
                };
                if on_border {
                    quad(0, 1);
                }
            }
        }
    }
    (points, triangles)
}

/// A gear about z with a bore; its teeth are trapezoids of height ±`addendum` about the pitch radius.
fn gear(teeth: u32, pitch: f64, addendum: f64, bore: f64, low: f64, high: f64, phase: f64) -> Skin {
    let flank = move |angle: f64| (1.6 * (f64::from(teeth) * angle).cos()).clamp(-1.0, 1.0);
    let count = teeth * 12;
    let rings = [(pitch, low), (pitch, high), (bore, high), (bore, low)];
    let radius = move |r: f64, angle: f64| {
        if r == bore { r } else { r + addendum * flank(angle - phase / f64::from(count) * TAU) }
    };
    ring_body(count, &rings, radius, phase)
}

/// What is wrong with the gearbox.
#[derive(Clone, Copy, Debug, Default)]
pub struct Faults {
    /// A bolt that reaches 2 into the foot.
    pub long_bolt: bool,
    /// A gear 0.5 wider than the room between its cheeks.
    pub wide_gear: bool,
    /// A bearing block 0.3 off its place.
    pub shifted_block: bool,
}

impl Faults {
    /// All of them.
    pub const ALL: Faults = Faults { long_bolt: true, wide_gear: true, shifted_block: true };
}

/// Sides of round parts: those that go in, and the holes they go into.
const SHAFT: u32 = 48;
const HOLE: u32 = 64;
/// How far such tessellations of radius 14 lie from the circle, rounded up.
pub const CHORD_ERROR: f64 = 0.03;

/// 56 parts: foot, base, gasket and cover held by eight bolts with washers; two shafts in bushings in blocks, with gears that mesh, cheeks
/// beside them, spacers and dowel pins.
#[must_use]
pub fn gearbox(faults: Faults) -> Vec<Part> {
    let mut parts = Vec::new();
    let rows = |hole: f64| -> [[f64; 4]; 2] { [[hole; 4]; 2] };
    let plate_of = |hole: f64, thickness: f64| {
        let rows = rows(hole);
        plate(30.0, &[&rows[0], &rows[1]], thickness, HOLE)
    };
    parts.push(Part::new("foot", plate_of(2.0, 6.0)).at(0.0, 0.0, -26.0));
    parts.push(Part::new("base", plate_of(5.0, 20.0)).at(0.0, 0.0, -20.0));
    parts.push(Part::new("gasket", plate_of(5.5, 1.0)));
    parts.push(Part::new("cover", plate_of(5.5, 8.0)).at(0.0, 0.0, 1.0));
    for k in 0..8 {
        let (x, y) = (f64::from(k % 4) * 30.0 + 15.0, f64::from(k / 4) * 30.0 + 15.0);
        // From the tip up; the head rests on the washer at 10.5.
        let tip = if faults.long_bolt && k == 5 { -22.0 } else { -19.0 };
        let bolt = turned(SHAFT, &[(5.0, tip), (5.0, 10.5), (8.0, 10.5), (8.0, 16.5)], 0.3);
        parts.push(Part::new(format!("bolt_{}", k + 1), bolt).at(x, y, 0.0));
        parts
            .push(Part::new(format!("washer_{}", k + 1), tube(HOLE, 5.5, 8.0, 9.0, 10.5, 0.1)).at(x, y, 0.0));
    }
    for (k, y) in [(1, 120.0), (2, 171.0)] {
        shaft_with_bearings(&mut parts, k, y, faults);
    }
    for k in 0..6 {
        let at = (f64::from(k % 3) * 40.0, 220.0 + f64::from(k / 3) * 40.0);
        let jig = plate(20.0, &[&[3.0]], 10.0, HOLE);
        parts.push(Part::new(format!("jig_{}", k + 1), jig).at(at.0, at.1, 0.0));
        let pin = cylinder(SHAFT, 3.0, -4.0, 14.0, 0.5);
        parts.push(Part::new(format!("pin_{}", k + 1), pin).at(at.0 + 10.0, at.1 + 10.0, 0.0));
    }
    parts
}

/// A shaft along x at y, its gear in the middle between two cheeks, spacers, bushings and blocks at both ends.
fn shaft_with_bearings(parts: &mut Vec<Part>, k: u32, y: f64, faults: Faults) {
    parts.push(
        Part::new(format!("shaft_{k}"), cylinder(SHAFT, 10.0, 0.0, 120.0, 0.25)).lying().at(0.0, y, 60.0),
    );
    let wide = if faults.wide_gear && k == 2 { 0.5 } else { 0.0 };
    // Pitch radii 25: the axes are 51 apart, so the teeth have backlash; they mesh tooth to gap.
    let phase = if k == 1 { 0.0 } else { 6.0 };
    let wheel = gear(20, 25.0, 1.5, 10.0, 50.0, 70.0 + wide, phase);
    parts.push(Part::new(format!("gear_{k}"), wheel).lying().at(0.0, y, 60.0));
    for (side, low) in [("left", 45.0), ("right", 70.0)] {
        let cheek = tube(HOLE, 10.5, 20.0, low, low + 5.0, 0.0);
        parts.push(Part::new(format!("cheek_{side}_{k}"), cheek).lying().at(0.0, y, 60.0));
    }
    for (side, low) in [("left", 20.0), ("right", 75.0)] {
        let spacer = tube(HOLE, 10.5, 13.0, low, low + 25.0, 0.2);
        parts.push(Part::new(format!("spacer_{side}_{k}"), spacer).lying().at(0.0, y, 60.0));
    }
    for (side, low) in [("left", 0.0), ("right", 100.0)] {
        let bushing = tube(SHAFT, 10.0, 14.0, low, low + 20.0, 0.75);
        parts.push(Part::new(format!("bushing_{side}_{k}"), bushing).lying().at(0.0, y, 60.0));
        let shift = if faults.shifted_block && k == 1 && side == "right" { 0.3 } else { 0.0 };
        let block = plate(40.0, &[&[14.0]], 20.0, HOLE);
        // The plate's own frame has its corner at the origin: x up and y across once it lies.
        let block = Part::new(format!("block_{side}_{k}"), block).lying().at(low, y - 20.0 + shift, 80.0);
        parts.push(block);
    }
}

/// A square block with a hole, its corners cut off by two.
fn chamfered(cell: f64, hole: f64, height: f64) -> Skin {
    let (mut points, triangles) = plate(cell, &[&[hole]], height, HOLE);
    let middle = DVec3::new(0.5 * cell, 0.5 * cell, 0.0);
    for point in &mut points {
        let out = *point - middle;
        let sum = out.x.abs() + out.y.abs();
        if sum > cell - 2.0 {
            let cut = (cell - 2.0) / sum;
            *point = middle + DVec3::new(out.x * cut, out.y * cut, out.z);
        }
    }
    (points, triangles)
}

/// Two layers of square blocks, each flush with its neighbours, a ring between the layers and a bolt through both, `columns` × `rows`
/// times. Nothing but touches: blocks four to six others. Four parts a column.
#[must_use]
pub fn bolted_grid(columns: u32, rows: u32) -> Vec<Part> {
    const CELL: f64 = 20.0;
    let mut parts = Vec::new();
    for (i, j) in (0..columns).flat_map(|i| (0..rows).map(move |j| (i, j))) {
        let (x, y) = (f64::from(i) * CELL, f64::from(j) * CELL);
        let mut add = |name: &str, skin: Skin, x: f64, y: f64, z: f64| {
            parts.push(Part::new(format!("{name}_{i}_{j}"), skin).at(x, y, z));
        };
        let (mid_x, mid_y) = (x + 0.5 * CELL, y + 0.5 * CELL);
        add("lower", chamfered(CELL, 3.5, 10.0), x, y, 0.0);
        add("ring", tube(SHAFT, 3.5, 6.0, 0.0, 2.0, 0.1), mid_x, mid_y, 10.0);
        add("upper", chamfered(CELL, 3.5, 10.0), x, y, 12.0);
        let bolt = turned(SHAFT, &[(3.0, -6.0), (3.0, 22.0), (6.0, 22.0), (6.0, 26.0)], 0.3);
        add("bolt", bolt, mid_x, mid_y, 0.0);
    }
    parts
}

/// The parts as one glTF file, points and places in single precision.
#[must_use]
pub fn gltf(parts: &[Part]) -> String {
    let mut bytes: Vec<u8> = Vec::new();
    let (mut views, mut accessors, mut meshes, mut nodes) = (vec![], vec![], vec![], vec![]);
    for part in parts {
        let points: Vec<[f32; 3]> = part.points.iter().map(|x| x.as_vec3().to_array()).collect();
        let mut add = |data: Vec<u8>, accessor: Value| {
            views.push(json!({"buffer": 0, "byteOffset": bytes.len(), "byteLength": data.len()}));
            bytes.extend(data);
            let mut accessor = accessor;
            accessor["bufferView"] = (views.len() - 1).into();
            accessors.push(accessor);
            accessors.len() - 1
        };
        let low = points.iter().fold([f32::INFINITY; 3], |m, p| [0, 1, 2].map(|k: usize| m[k].min(p[k])));
        let high =
            points.iter().fold([f32::NEG_INFINITY; 3], |m, p| [0, 1, 2].map(|k: usize| m[k].max(p[k])));
        let positions = add(
            points.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect(),
            json!({"componentType": 5126, "count": points.len(), "type": "VEC3", "min": low, "max": high}),
        );
        let indices = add(
            part.triangles.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect(),
            json!({"componentType": 5125, "count": 3 * part.triangles.len(), "type": "SCALAR"}),
        );
        meshes.push(json!({"primitives": [{"attributes": {"POSITION": positions}, "indices": indices}]}));
        nodes.push(json!({
            "name": part.name,
            "mesh": meshes.len() - 1,
            "rotation": part.turn.as_quat().to_array(),
            "translation": part.place.as_vec3().to_array(),
        }));
    }
    let scene: Vec<usize> = (0..nodes.len()).collect();
    json!({
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": scene}],
        "nodes": nodes,
        "meshes": meshes,
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{
            "byteLength": bytes.len(),
            "uri": format!("data:application/octet-stream;base64,{}", base64(&bytes)),
        }],
    })
    .to_string()
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len() * 4 / 3 + 4);
    for chunk in bytes.chunks(3) {
        let word = (0..3).fold(0_u32, |word, k| word << 8 | u32::from(chunk.get(k).copied().unwrap_or(0)));
        for k in 0..4 {
            if k <= chunk.len() {
                text.push(char::from(DIGITS[(word >> (18 - 6 * k)) as usize & 63]));
            } else {
                text.push('=');
            }
        }
    }
    text
}

/// The parts as one STL file with a solid each, where they stand, in single precision.
#[must_use]
pub fn stl(parts: &[Part]) -> String {
    let mut text = String::new();
    for part in parts {
        let placed = |v: u32| (part.turn * part.points[v as usize] + part.place).as_vec3();
        let _ = writeln!(text, "solid {}", part.name);
        for triangle in &part.triangles {
            let _ = writeln!(text, "facet normal 0 0 0\nouter loop");
            for &v in triangle {
                let x = placed(v);
                let _ = writeln!(text, "vertex {} {} {}", x.x, x.y, x.z);
            }
            let _ = writeln!(text, "endloop\nendfacet");
        }
        let _ = writeln!(text, "endsolid {}", part.name);
    }
    text
}
