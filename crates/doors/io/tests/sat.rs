//! ACIS files written by hand: a box, a cylinder, a box with rounded edges, and what is wrong with files.

use kontakt_curved::{Brep, Loop, Surface};
use kontakt_io::{
    BodyKind, CurvedBody, CurvedFile, Place, Problem, ReadError, ReadOptions, Why, read_sat_bytes,
};
use kontakt_math::DVec3;
use std::collections::BTreeMap;
use std::f64::consts::{FRAC_PI_2, TAU};

fn read(text: impl AsRef<[u8]>) -> Result<CurvedFile, ReadError> {
    read_sat_bytes(text.as_ref(), "x.sat", &ReadOptions::default())
}

fn only(file: &CurvedFile) -> &CurvedBody {
    assert_eq!(file.bodies.len(), 1);
    assert!(file.report.losses.is_empty(), "{:?}", file.report.losses);
    &file.bodies[0]
}

/// A body by its corners, the curves between them and its faces.
#[derive(Clone, Default)]
struct Shape {
    vertices: Vec<DVec3>,
    /// Curves, each from the lower to the higher of two vertices.
    edges: BTreeMap<(usize, usize), String>,
    /// Surface, whether its normal points out, and loops of vertices.
    faces: Vec<(String, bool, Vec<Vec<usize>>)>,
    /// Further records, after all others.
    more: Vec<String>,
}

fn triple(v: DVec3) -> String {
    format!("{} {} {}", v.x, v.y, v.z)
}

impl Shape {
    fn line(&mut self, a: usize, b: usize) {
        let (low, high) = (a.min(b), a.max(b));
        let (p, q) = (self.vertices[low], self.vertices[high]);
        self.edges.insert(
            (low, high),
            format!("straight-curve HEAD {} {} I I", triple(p), triple((q - p).normalize())),
        );
    }

    /// A quarter of a circle.
    fn arc(&mut self, a: usize, b: usize, centre: DVec3) {
        let (low, high) = (a.min(b), a.max(b));
        let (p, q) = (self.vertices[low] - centre, self.vertices[high] - centre);
        let normal = p.cross(q).normalize();
        let text = format!("ellipse-curve HEAD {} {} {} 1 I I", triple(centre), triple(normal), triple(p));
        self.edges.insert((low, high), text);
    }

    /// A face with one loop, turned such that it runs counterclockwise seen from where `out` points.
    fn face(&mut self, surface: String, mut corners: Vec<usize>, out: DVec3) {
        let p = |i: usize| self.vertices[corners[i % corners.len()]] - self.vertices[corners[0]];
        let area: DVec3 = (0..corners.len()).map(|i| p(i).cross(p(i + 1))).sum();
        if area.dot(out) < 0.0 {
            corners.reverse();
        }
        self.faces.push((surface, true, vec![corners]));
    }

    /// The file in a version of the format.
    fn file(&self, version: u32, units: &str) -> String {
        let head = match version {
            0..700 => "$-1",
            700..2000 => "$-1 -1 $-1",
            _ => "$-1 -1 -1 $-1",
        };
        // Numbers: body, lump, shell, faces, surfaces, loops, then edges, curves, vertices, points, coedges.
        let faces = self.faces.len();
        let loops: Vec<(usize, &Vec<usize>)> =
            self.faces.iter().enumerate().flat_map(|(i, face)| face.2.iter().map(move |l| (i, l))).collect();
        let (first_face, first_surface, first_loop) = (3, 3 + faces, 3 + 2 * faces);
        let first_edge = first_loop + loops.len();
        let first_curve = first_edge + self.edges.len();
        let first_vertex = first_curve + self.edges.len();
        let first_point = first_vertex + self.vertices.len();
        let first_coedge = first_point + self.vertices.len();
        let mut records = vec![
            "body HEAD $1 $-1 $-1".to_owned(),
            "lump HEAD $-1 $2 $0".to_owned(),
            "shell HEAD $-1 $-1 $3 $-1 $1".to_owned(),
        ];
        for (i, (_, out, borders)) in self.faces.iter().enumerate() {
            let next = if i + 1 < faces { format!("${}", first_face + i + 1) } else { "$-1".into() };
            let before: usize = self.faces[..i].iter().map(|face| face.2.len()).sum();
            let border = if borders.is_empty() { "$-1".into() } else { format!("${}", first_loop + before) };
            let sense = if *out { "forward" } else { "reversed" };
            records.push(format!("face HEAD {next} {border} $2 $-1 ${} {sense} single", first_surface + i));
        }
        records.extend(self.faces.iter().map(|face| face.0.clone()));
        let mut coedge = first_coedge;
        for (i, (face, corners)) in loops.iter().enumerate() {
            let next = loops.get(i + 1).filter(|(other, _)| other == face);
            let next = next.map_or("$-1".to_owned(), |_| format!("${}", first_loop + i + 1));
            records.push(format!("loop HEAD {next} ${coedge} ${}", first_face + face));
            coedge += corners.len();
        }
        let keys: Vec<(usize, usize)> = self.edges.keys().copied().collect();
        for (i, (low, high)) in keys.iter().enumerate() {
            let (a, b, curve) = (first_vertex + low, first_vertex + high, first_curve + i);
            records.push(if version >= 500 {
                format!("edge HEAD ${a} 0 ${b} 1 ${first_coedge} ${curve} forward @7 unknown")
            } else {
                format!("edge HEAD ${a} ${b} ${first_coedge} ${curve} forward")
            });
        }
        records.extend(self.edges.values().cloned());
        records.extend(
            (0..self.vertices.len()).map(|i| format!("vertex HEAD ${first_edge} ${}", first_point + i)),
        );
        records.extend(self.vertices.iter().map(|&v| format!("point HEAD {}", triple(v))));
        let mut coedge = first_coedge;
        for (i, (_, corners)) in loops.iter().enumerate() {
            for (j, &a) in corners.iter().enumerate() {
                let b = corners[(j + 1) % corners.len()];
                let edge = keys.binary_search(&(a.min(b), a.max(b))).unwrap();
                let sense = if a <= b { "forward" } else { "reversed" };
                let (next, before) = ((j + 1) % corners.len(), (j + corners.len() - 1) % corners.len());
                records.push(format!(
                    "coedge HEAD ${} ${} $-1 ${} {sense} ${} $-1",
                    coedge + next,
                    coedge + before,
                    first_edge + edge,
                    first_loop + i
                ));
            }
            coedge += corners.len();
        }
        records.extend(self.more.iter().cloned());
        let body: String = records.iter().map(|record| record.replace("HEAD", head) + " #\n").collect();
        let mark = if version >= 700 { "@" } else { "" };
        format!(
            "{version} 0 1 0\n{mark}7 by hand {mark}8 ACIS 7.0 {mark}24 Mon Apr 09 17:34:50 2001\n\
             {units} 9.9999999999999995e-007 1e-010\n{body}End-of-ACIS-data\n"
        )
    }
}

fn plane(origin: DVec3, normal: DVec3) -> String {
    let u = normal.any_orthonormal_vector();
    format!("plane-surface HEAD {} {} {} forward_v I I I I", triple(origin), triple(normal), triple(u))
}

fn cuboid(size: DVec3) -> Shape {
    let corner = |i: i32| DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)) * size;
    let mut shape = Shape { vertices: (0..8).map(corner).collect(), ..Shape::default() };
    for axis in 0..3_usize {
        let (a, b) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
        for side in 0..2_usize {
            let base = side << axis;
            let corners = vec![base, base | a, base | a | b, base | b];
            (0..4).for_each(|i| shape.line(corners[i], corners[(i + 1) % 4]));
            let out = DVec3::AXES[axis] * if side == 1 { 1.0 } else { -1.0 };
            shape.face(plane(shape.vertices[base], out), corners, out);
        }
    }
    shape
}

/// A cube of edge 2·half with edges rounded by r, as the thesis has it: 6 planes, 12 cylinders, 8 spheres.
fn rounded(half: f64, r: f64) -> Shape {
    let mut shape = Shape::default();
    let inner = half - r;
    let corner = |i: usize| {
        DVec3::new(
            if i & 1 == 1 { inner } else { -inner },
            if i & 2 == 2 { inner } else { -inner },
            if i & 4 == 4 { inner } else { -inner },
        )
    };
    let side = |i: usize, axis: usize| DVec3::AXES[axis] * if i >> axis & 1 == 1 { 1.0 } else { -1.0 };
    // The vertex 3·corner + axis is where the corner's sphere meets the face across that axis.
    for i in 0..8 {
        shape.vertices.extend((0..3).map(|axis| corner(i) + side(i, axis) * r));
    }
    for i in 0..8 {
        for axis in 0..3 {
            shape.arc(3 * i + axis, 3 * i + (axis + 1) % 3, corner(i));
        }
        let out = corner(i);
        let text = format!("sphere-surface HEAD {} {r} 1 0 0 0 0 1 forward_v I I I I", triple(corner(i)));
        shape.face(text, vec![3 * i, 3 * i + 1, 3 * i + 2], out);
    }
    for axis in 0..3 {
        let (a, b) = ((axis + 1) % 3, (axis + 2) % 3);
        for i in (0..8).filter(|i| i >> axis & 1 == 0) {
            let j = i | 1 << axis;
            shape.line(3 * i + a, 3 * j + a);
            shape.line(3 * i + b, 3 * j + b);
            let text = format!(
                "cone-surface HEAD {} {} {} 1 I I 0 1 {r} forward I I I I",
                triple(corner(i)),
                triple(DVec3::AXES[axis]),
                triple(side(i, a) * r)
            );
            shape.face(text, vec![3 * i + a, 3 * j + a, 3 * j + b, 3 * i + b], side(i, a) + side(i, b));
        }
        for up in 0..2_usize {
            let base = up << axis;
            let corners = [base, base | 1 << a, base | 1 << a | 1 << b, base | 1 << b].map(|c| 3 * c + axis);
            let out = side(base, axis);
            shape.face(plane(shape.vertices[corners[0]], out), corners.to_vec(), out);
        }
    }
    shape
}

fn check_closed(brep: &Brep) {
    let mut uses = vec![[0, 0]; brep.edges().len()];
    for border in brep.faces().iter().flat_map(|face| &face.loops) {
        let Loop::Edges(edges) = border else { continue };
        for &(edge, forward) in edges {
            uses[edge as usize][usize::from(forward)] += 1;
        }
    }
    assert!(uses.iter().all(|&both| both == [1, 1]), "{uses:?}");
}

/// How far a point is from a surface, where that is easy.
fn distance(surface: &Surface, point: DVec3) -> f64 {
    match surface {
        Surface::Plane(frame) => frame.local(point).z.abs(),
        Surface::Sphere { frame, radius } => (frame.local(point).length() - radius).abs(),
        Surface::Cylinder { frame, radii } => (frame.local(point).truncate().length() - radii[0]).abs(),
        _ => panic!("{}", surface.kind()),
    }
}

#[test]
fn a_box_in_all_versions_and_units() {
    let shape = cuboid(DVec3::new(1.0, 2.0, 3.0));
    for version in [200, 400, 500, 600, 700, 2000] {
        for (units, scale) in [("1", 1.0), ("-1", 1.0), ("25.4", 25.4), ("1000", 1000.0)] {
            let file = read(shape.file(version, units)).unwrap();
            let body = only(&file);
            assert_eq!(
                (body.brep.vertices().len(), body.brep.edges().len(), body.brep.faces().len()),
                (8, 12, 6)
            );
            check_closed(&body.brep);
            let highest = body.brep.vertices().iter().copied().reduce(DVec3::max).unwrap();
            assert!((highest - DVec3::new(1.0, 2.0, 3.0) * scale).length() < 1e-9);
            assert_eq!(file.report.length_units[0].millimetres, scale);
            assert!(file.report.schema.starts_with("ACIS"));
            assert_eq!((body.kind, body.id), (BodyKind::Solid, 0));
            assert!(body.brep.faces().iter().all(|face| face.outward));
        }
    }
    // Windows' line ends, and records that say their numbers.
    let plain = shape.file(700, "1");
    assert_eq!(read(plain.replace('\n', "\r\n")).unwrap().bodies, read(&plain).unwrap().bodies);
    let mut number = 0;
    let numbered: Vec<String> = plain
        .lines()
        .enumerate()
        .map(|(i, line)| {
            if i < 3 || line.starts_with("End") {
                return line.to_owned();
            }
            number += 1;
            format!("-{} {line}", number - 1)
        })
        .collect();
    assert_eq!(read(numbered.join("\n")).unwrap().bodies, read(&plain).unwrap().bodies);
}

#[test]
fn a_box_with_rounded_edges() {
    let file = read(rounded(1.0, 0.25).file(700, "1")).unwrap();
    let brep = &only(&file).brep;
    assert_eq!((brep.vertices().len(), brep.edges().len(), brep.faces().len()), (24, 48, 26));
    assert_eq!(file.report.faces, BTreeMap::from([("cylinder", 12), ("plane", 6), ("sphere", 8)]));
    check_closed(brep);
    assert!(file.report.vertex_gap.distance < 1e-12);
    for face in brep.faces() {
        assert!(face.outward);
        let Loop::Edges(uses) = &face.loops[0] else { panic!() };
        for &(edge, _) in uses {
            let edge = &brep.edges()[edge as usize];
            for i in 0..=8 {
                let t = edge.range[0] + (edge.range[1] - edge.range[0]) * f64::from(i) / 8.0;
                assert!(distance(&face.surface, edge.curve.point(t)) < 1e-12);
            }
        }
    }
}

/// A cylinder of radius 5 and height 20 with closed edges of one vertex each.
fn cylinder(cosine: f64) -> Shape {
    let mut shape =
        Shape { vertices: vec![DVec3::new(5.0, 0.0, 0.0), DVec3::new(5.0, 0.0, 20.0)], ..Shape::default() };
    for (i, z) in [0.0, 20.0].into_iter().enumerate() {
        shape.edges.insert((i, i), format!("ellipse-curve HEAD 0 0 {z} 0 0 1 5 0 0 1 I I"));
    }
    let side = format!("cone-surface HEAD 0 0 0 0 0 1 5 0 0 1 I I 0 {cosine} 5 forward I I I I");
    shape.faces.push((side, cosine > 0.0, vec![vec![0], vec![1]]));
    shape.faces.push((plane(DVec3::ZERO, -DVec3::Z), true, vec![vec![0]]));
    shape.faces.push((plane(DVec3::Z * 20.0, DVec3::Z), true, vec![vec![1]]));
    shape
}

#[test]
fn a_cylinder() {
    for cosine in [1.0, -1.0] {
        let file = read(cylinder(cosine).file(400, "1")).unwrap();
        let brep = &only(&file).brep;
        assert_eq!(brep.edges()[0].range, [0.0, TAU]);
        assert!(matches!(brep.faces()[0].surface, Surface::Cylinder { radii: [5.0, 5.0], .. }));
        // A hollow whose face is reversed looks out again.
        assert!(brep.faces()[0].outward);
        assert_eq!(brep.faces()[0].loops.len(), 2);
    }
}

/// A body with one face on a surface, with a closed edge or none around it.
fn face_on(surface: &str, bordered: bool) -> String {
    let mut shape = Shape::default();
    let mut borders = Vec::new();
    if bordered {
        shape.vertices.push(DVec3::X);
        shape.edges.insert((0, 0), "ellipse-curve HEAD 0 0 0 0 0 1 1 0 0 1 I I".into());
        borders.push(vec![0]);
    }
    shape.faces.push((surface.to_owned(), true, borders));
    shape.file(700, "1")
}

#[test]
fn surfaces() {
    let on = |surface: &str, bordered: bool| {
        let file = read(face_on(surface, bordered)).unwrap();
        let face = &only(&file).brep.faces()[0];
        (face.surface.clone(), face.outward)
    };
    let (sphere, outward) = on("sphere-surface HEAD 1 2 3 -2 1 0 0 0 0 1 forward_v I I I I", false);
    assert!(matches!(sphere, Surface::Sphere { radius: 2.0, .. }) && !outward);
    let (torus, outward) = on("torus-surface HEAD 0 0 0 0 0 1 4 1 1 0 0 forward_v I I I I", false);
    assert!(matches!(torus, Surface::Torus { major: 4.0, minor: 1.0, .. }) && outward);
    assert!(!on("torus-surface HEAD 0 0 0 0 0 1 4 -1 1 0 0 reverse_v I I I I", false).1);
    let (cone, outward) = on("cone-surface HEAD 0 0 0 0 0 1 4 0 0 0.5 I I 0.6 -0.8 13 forward I I I I", true);
    assert!(!outward);
    // At the height of -4 the radius along x is 7, along y half of it.
    assert!((cone.point(0.0, -4.0) - DVec3::new(7.0, 0.0, -4.0)).length() < 1e-12);
    assert!((cone.point(FRAC_PI_2, -4.0) - DVec3::new(0.0, 3.5, -4.0)).length() < 1e-12);
    // Points run along u first; the weights are those of the two with x = 2.
    let knots = "open open none none 2 2 0 1 1 1 0 1 1 1";
    let (net, _) = on(
        &format!(
            "spline-surface HEAD forward {{ exactsur nubs 1 1 {knots} 0 0 0 2 0 0 0 3 0 2 3 4 0 }} I I I I"
        ),
        true,
    );
    assert!((net.point(0.5, 0.25) - DVec3::new(1.0, 0.75, 0.5)).length() < 1e-12);
    let text = format!(
        "spline-surface HEAD reversed {{ exactsur full nurbs 1 1 both {knots} 0 0 0 1 2 0 0 2 0 3 0 1 2 3 4 2 0 }} I I I I"
    );
    let (net, outward) = on(&text, true);
    assert!((net.point(0.5, 0.0) - DVec3::new(4.0 / 3.0, 0.0, 0.0)).length() < 1e-12 && !outward);
}

#[test]
fn curves_of_splines() {
    let mut shape = Shape { vertices: vec![DVec3::X, DVec3::Y], ..Shape::default() };
    shape.line(0, 1);
    let half = std::f64::consts::FRAC_1_SQRT_2;
    // A quarter of a circle, written against its sense.
    let arc = format!(
        "intcurve-curve HEAD reversed {{ exactcur full nurbs 2 open 2 0 2 1 2 0 1 0 1 1 1 0 {half} 1 0 0 1 0 null_surface null_surface nullbs nullbs I I }} I I"
    );
    shape.edges.insert((0, 1), arc);
    shape.vertices.push(DVec3::ZERO);
    shape.line(1, 2);
    shape.line(2, 0);
    shape.face(plane(DVec3::ZERO, DVec3::Z), vec![0, 1, 2], DVec3::Z);
    let file = read(shape.file(700, "1")).unwrap();
    let brep = &only(&file).brep;
    assert!(file.report.repairs.is_empty() && file.report.vertex_gap.distance < 1e-12);
    let edge = brep.edges().iter().find(|edge| edge.ends == [0, 1]).unwrap();
    for i in 0..=10 {
        let t = edge.range[0] + (edge.range[1] - edge.range[0]) * f64::from(i) / 10.0;
        assert!((edge.curve.point(t).length() - 1.0).abs() < 1e-12);
    }
}

#[test]
fn transforms_names_and_colours() {
    let mut shape = cuboid(DVec3::ONE);
    // Twice as large, mirrored in x, moved by 10 along y.
    shape.more.push("transform HEAD -1 0 0 0 1 0 0 0 1 0 10 0 2 no_rotate reflect no_shear".into());
    shape.more.push("string_attrib-name_attrib-gen-attrib HEAD $-1 $-1 $0 2 1 1 @4 name @9 Kolben #1".into());
    shape.more.push("rgb_color-st-attrib HEAD $-1 $-1 $0 0.25 0.5 1".into());
    let text = shape.file(700, "1");
    let transform = text.lines().skip(3).position(|line| line.starts_with("transform")).unwrap();
    let text = text.replace("body $-1 -1 $-1 $1 $-1 $-1", &format!("body $-1 -1 $-1 $1 $-1 ${transform}"));
    let file = read(text).unwrap();
    let body = only(&file);
    assert_eq!((body.name.as_str(), body.colour), ("x.sat:Kolben #1", Some([0.25, 0.5, 1.0])));
    let corners: Vec<DVec3> = body.brep.vertices().iter().map(|&v| body.pose.apply(v)).collect();
    let (low, high) = (
        corners.iter().copied().reduce(DVec3::min).unwrap(),
        corners.into_iter().reduce(DVec3::max).unwrap(),
    );
    assert!(
        (low - DVec3::new(-2.0, 10.0, 0.0)).length() < 1e-12
            && (high - DVec3::new(0.0, 12.0, 2.0)).length() < 1e-12
    );
    check_closed(&body.brep);
    for face in body.brep.faces() {
        let Surface::Plane(frame) = &face.surface else { panic!() };
        let out = if face.outward { frame.z } else { -frame.z };
        let centre: DVec3 = body.brep.vertices().iter().sum::<DVec3>() / 8.0;
        assert!((frame.origin - centre).dot(out) > 0.0, "a face looks in");
    }
}

#[test]
fn what_cannot_be_read_is_named() {
    let text = cuboid(DVec3::ONE).file(700, "1");
    let losses = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        let file = read(text.replacen(from, to, 1)).unwrap();
        let named: Vec<(String, u64, Why)> =
            file.report.losses.iter().map(|loss| (loss.entity.clone(), loss.line, loss.why)).collect();
        assert_eq!(file.bodies[0].lost_faces, named.len() as u64);
        named
    };
    let surface = 1 + text[..text.find("plane-surface").unwrap()].matches('\n').count() as u64;
    assert_eq!(
        losses("plane-surface", "hull-surface"),
        [("hull-surface".to_owned(), surface, Why::Unsupported)]
    );
    let blend =
        losses("plane-surface $-1 -1 $-1", "spline-surface $-1 -1 $-1 forward { blendsur 1 2 3 } I I I I");
    assert_eq!(blend[0].2, Why::Unsupported);
    assert_eq!(losses("straight-curve", "wiggly-curve").len(), 2);
    assert_eq!(losses("point $-1 -1 $-1 0", "point $-1 -1 $-1 x").len(), 3);
    assert_eq!(losses("plane-surface $-1 -1 $-1 0 0 0 -1", "plane-surface $-1 -1 $-1 0 0 0 0").len(), 1);
    // Loops that do not end: the face is lost.
    let coedge = text.lines().skip(3).position(|line| line.starts_with("coedge")).unwrap();
    let from = format!("coedge $-1 -1 $-1 ${}", coedge + 1);
    assert_eq!(losses(&from, "coedge $-1 -1 $-1 $9999")[0].2, Why::Absent(9999));
}

#[test]
fn files_that_are_no_models() {
    let problem = |text: &str| read(text).unwrap_err().problem;
    assert!(matches!(problem(""), Problem::Truncated(_)));
    assert!(matches!(problem("ISO-10303-21;"), Problem::Malformed(_)));
    assert!(matches!(problem("106 0 1 0\nbody $-1 #"), Problem::Unsupported(_)));
    let head = "700 0 1 0\n@1 a @1 b @1 c\n1 1e-6 1e-10\n";
    assert!(matches!(problem(&format!("{head}End-of-ACIS-data")), Problem::NoSolids(_)));
    assert!(matches!(problem(head), Problem::Truncated(_)));
    // Faces, lumps and shells that are their own next ones.
    let text = cuboid(DVec3::ONE).file(700, "1");
    for (from, to) in [
        ("lump $-1 -1 $-1 $-1", "lump $-1 -1 $-1 $1"),
        ("shell $-1 -1 $-1 $-1", "shell $-1 -1 $-1 $2"),
        ("face $-1 -1 $-1 $4", "face $-1 -1 $-1 $3"),
    ] {
        let error = read(text.replacen(from, to, 1)).unwrap_err();
        assert!(error.to_string().contains("contains itself"), "{from}: {error}");
    }
}

#[test]
fn cut_off_anywhere_is_an_error() {
    let text = cuboid(DVec3::ONE).file(700, "1");
    let whole = text.trim_end().len();
    for length in 0..whole {
        let error = read(&text[..length]).unwrap_err();
        // Of the first word only a number is left that is no version.
        let early = length < 3 && matches!(error.problem, Problem::Malformed(_));
        assert!(early || matches!(error.problem, Problem::Truncated(_)), "after {length} bytes: {error}");
        let Place::Line(line) = error.place else { panic!("{error}") };
        assert!(early || line == 1 + text[..length].matches('\n').count() as u64);
    }
    assert!(read(&text[..whole]).is_ok());
}

#[test]
fn damaged_files() {
    let mut shape = rounded(1.0, 0.25);
    shape.faces.push(("spline-surface HEAD forward { exactsur nubs 1 1 open open none none 2 2 0 1 1 1 0 1 1 1 0 0 0 2 0 0 0 3 0 2 3 4 0 } I I I I".into(), true, vec![vec![0, 1, 2]]));
    let text = shape.file(700, "1").into_bytes();
    let pieces: [&[u8]; 10] = [b"#", b" # ", b"$", b"$-1 ", b" { ", b"@9 ", b"1e308", b"-", b"0", b"\xFF"];
    let mut random = fastrand::Rng::with_seed(4);
    let (mut errors, mut losses, mut whole) = (0, 0, 0);
    for _ in 0..10_000 {
        let mut bytes = text.clone();
        for _ in 0..random.usize(1..4) {
            let at = random.usize(..bytes.len());
            match random.u32(..4) {
                0 => bytes[at] = random.u8(..),
                1 => drop(bytes.drain(at..(at + random.usize(1..40)).min(bytes.len()))),
                2 => drop(bytes.splice(at..at, pieces[random.usize(..pieces.len())].iter().copied())),
                _ => {
                    let digit = bytes[at..].iter().position(u8::is_ascii_digit).map(|digit| at + digit);
                    if let Some(digit) = digit {
                        bytes[digit] = b'0' + random.u8(..10);
                    }
                }
            }
        }
        match read(&bytes) {
            Err(_) => errors += 1,
            Ok(file) if file.report.losses.is_empty() => whole += 1,
            Ok(_) => losses += 1,
        }
    }
    println!("{errors} errors, {losses} with losses, {whole} whole");
    assert!(errors > 200 && losses > 2000 && whole > 200, "{errors} {losses} {whole}");
}
