//! Bodies with curved faces and closed-form volumes, in the ways that CAD systems write them: with seams and without.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    reason = "shared by tests, each of which uses some"
)]

pub mod rounded;

use kontakt_curved::{Brep, Curve, Edge, Face, Frame, Loop, Surface};
use kontakt_math::DVec3;
use std::f64::consts::{PI, TAU};

pub struct Solid {
    pub name: &'static str,
    pub brep: Brep,
    pub volume: f64,
}

pub fn frame(origin: DVec3, z: DVec3, x: DVec3) -> Frame {
    Frame::new(origin, z, Some(x)).unwrap()
}

pub fn at(z: f64) -> Frame {
    frame(DVec3::Z * z, DVec3::Z, DVec3::X)
}

pub fn circle(frame: Frame, radius: f64, vertex: u32) -> Edge {
    Edge { curve: Curve::Ellipse { frame, radii: [radius; 2] }, range: [0.0, TAU], ends: [vertex; 2] }
}

pub fn line(vertices: &[DVec3], from: u32, to: u32) -> Edge {
    let (a, b) = (vertices[from as usize], vertices[to as usize]);
    let way = b - a;
    Edge {
        curve: Curve::Line { origin: a, direction: way / way.length() },
        range: [0.0, way.length()],
        ends: [from, to],
    }
}

pub fn face(surface: Surface, outward: bool, loops: Vec<Vec<(u32, bool)>>) -> Face {
    Face { surface, outward, loops: loops.into_iter().map(Loop::Edges).collect() }
}

/// Along z from 0, with or without a seam.
pub fn cylinder(radius: f64, height: f64, seam: bool) -> Solid {
    let vertices = vec![DVec3::X * radius, DVec3::new(radius, 0.0, height)];
    let mut edges = vec![circle(at(0.0), radius, 0), circle(at(height), radius, 1)];
    let side = if seam {
        edges.push(line(&vertices, 0, 1));
        vec![vec![(0, true), (2, true), (1, false), (2, false)]]
    } else {
        vec![vec![(0, true)], vec![(1, false)]]
    };
    let faces = vec![
        face(Surface::Cylinder { frame: at(0.0), radii: [radius; 2] }, true, side),
        face(Surface::Plane(at(0.0)), false, vec![vec![(0, false)]]),
        face(Surface::Plane(at(height)), true, vec![vec![(1, true)]]),
    ];
    let brep = Brep::new(vertices, edges, faces).unwrap();
    let name = if seam { "cylinder with a seam" } else { "cylinder" };
    Solid { name, brep, volume: PI * radius * radius * height }
}

/// Radius at the bottom, at the top (zero for a tip).
pub fn cone(low: f64, high: f64, height: f64, seam: bool) -> Solid {
    let vertices = vec![DVec3::X * low, DVec3::new(high, 0.0, height)];
    let mut edges = vec![circle(at(0.0), low, 0)];
    let tip = high == 0.0;
    let mut loops: Vec<Loop> = Vec::new();
    let mut faces = Vec::new();
    if !tip {
        edges.push(circle(at(height), high, 1));
        faces.push(face(Surface::Plane(at(height)), true, vec![vec![(1, true)]]));
    }
    let seam_edge = edges.len() as u32;
    if seam {
        edges.push(line(&vertices, 0, 1));
        let mut around = vec![(0, true), (seam_edge, true)];
        if !tip {
            around.push((1, false));
        }
        around.push((seam_edge, false));
        loops.push(Loop::Edges(around));
    } else {
        loops.push(Loop::Edges(vec![(0, true)]));
        loops.push(if tip { Loop::Vertex(1) } else { Loop::Edges(vec![(1, false)]) });
    }
    let surface = Surface::Cone { frame: at(0.0), radii: [low; 2], slope: (high - low) / height };
    faces.insert(0, Face { surface, outward: true, loops });
    faces.push(face(Surface::Plane(at(0.0)), false, vec![vec![(0, false)]]));
    let brep = Brep::new(vertices, edges, faces).unwrap();
    let name = match (tip, seam) {
        (true, true) => "cone with a seam",
        (true, false) => "cone",
        (false, true) => "truncated cone with a seam",
        (false, false) => "truncated cone",
    };
    Solid { name, brep, volume: PI * height / 3.0 * (low * low + low * high + high * high) }
}

pub fn ball(radius: f64, seam: bool) -> Solid {
    let surface = Surface::Sphere { frame: at(0.0), radius };
    let vertices = vec![DVec3::Z * -radius, DVec3::Z * radius];
    let (edges, loops) = if seam {
        let meridian = Curve::Ellipse { frame: frame(DVec3::ZERO, -DVec3::Y, DVec3::X), radii: [radius; 2] };
        let edge = Edge { curve: meridian, range: [-PI / 2.0, PI / 2.0], ends: [0, 1] };
        (vec![edge], vec![Loop::Edges(vec![(0, true), (0, false)])])
    } else {
        (Vec::new(), vec![Loop::Vertex(1)])
    };
    let brep = Brep::new(vertices, edges, vec![Face { surface, outward: true, loops }]).unwrap();
    Solid {
        name: if seam { "ball with a seam" } else { "ball" },
        brep,
        volume: 4.0 / 3.0 * PI * radius.powi(3),
    }
}

/// A ball with a cylindrical bore along z.
pub fn bead(radius: f64, bore: f64) -> Solid {
    let half = (radius * radius - bore * bore).sqrt();
    let vertices = vec![DVec3::new(bore, 0.0, -half), DVec3::new(bore, 0.0, half)];
    let edges = vec![circle(at(-half), bore, 0), circle(at(half), bore, 1)];
    let faces = vec![
        face(Surface::Sphere { frame: at(0.0), radius }, true, vec![vec![(0, true)], vec![(1, false)]]),
        face(
            Surface::Cylinder { frame: at(0.0), radii: [bore; 2] },
            false,
            vec![vec![(0, false)], vec![(1, true)]],
        ),
    ];
    let brep = Brep::new(vertices, edges, faces).unwrap();
    Solid { name: "bead", brep, volume: 4.0 / 3.0 * PI * half.powi(3) }
}

/// The part of a ball above a plane, or a bowl: the same hollow in a cylinder.
pub fn cap(radius: f64, from: f64) -> Solid {
    let rim = (radius * radius - from * from).sqrt();
    let vertices = vec![DVec3::new(rim, 0.0, from)];
    let edges = vec![circle(at(from), rim, 0)];
    let faces = vec![
        face(Surface::Sphere { frame: at(0.0), radius }, true, vec![vec![(0, true)]]),
        face(Surface::Plane(at(from)), false, vec![vec![(0, false)]]),
    ];
    let height = radius - from;
    let brep = Brep::new(vertices, edges, faces).unwrap();
    Solid { name: "cap of a ball", brep, volume: PI * height * height * (radius - height / 3.0) }
}

pub fn bowl(radius: f64, hollow: f64, height: f64) -> Solid {
    let vertices = vec![DVec3::X * radius, DVec3::new(radius, 0.0, height), DVec3::new(hollow, 0.0, height)];
    let edges =
        vec![circle(at(0.0), radius, 0), circle(at(height), radius, 1), circle(at(height), hollow, 2)];
    let faces = vec![
        face(
            Surface::Cylinder { frame: at(0.0), radii: [radius; 2] },
            true,
            vec![vec![(0, true)], vec![(1, false)]],
        ),
        face(Surface::Plane(at(0.0)), false, vec![vec![(0, false)]]),
        face(Surface::Plane(at(height)), true, vec![vec![(1, true)], vec![(2, false)]]),
        face(Surface::Sphere { frame: at(height), radius: hollow }, false, vec![vec![(2, true)]]),
    ];
    let brep = Brep::new(vertices, edges, faces).unwrap();
    let volume = PI * radius * radius * height - 2.0 / 3.0 * PI * hollow.powi(3);
    Solid { name: "bowl", brep, volume }
}

pub fn torus(major: f64, minor: f64) -> Solid {
    let surface = Surface::Torus { frame: at(0.0), major, minor };
    let brep = Brep::new(
        vec![DVec3::X * (major + minor)],
        vec![],
        vec![Face { surface, outward: true, loops: vec![Loop::Vertex(0)] }],
    )
    .unwrap();
    Solid { name: "torus", brep, volume: 2.0 * PI * PI * major * minor * minor }
}

/// A torus cut by the plane z = 0: two borders run around it.
pub fn half_torus(major: f64, minor: f64) -> Solid {
    let vertices = vec![DVec3::X * (major + minor), DVec3::X * (major - minor)];
    let edges = vec![circle(at(0.0), major + minor, 0), circle(at(0.0), major - minor, 1)];
    let faces = vec![
        face(Surface::Torus { frame: at(0.0), major, minor }, true, vec![vec![(0, true)], vec![(1, false)]]),
        face(Surface::Plane(at(0.0)), false, vec![vec![(0, false)], vec![(1, true)]]),
    ];
    let brep = Brep::new(vertices, edges, faces).unwrap();
    Solid { name: "half of a torus", brep, volume: PI * PI * major * minor * minor }
}

/// The lower half, whose face goes through v = π … 2π: above the inner border, below the outer one a period on.
pub fn lower_half_torus(major: f64, minor: f64) -> Solid {
    let vertices = vec![DVec3::X * (major + minor), DVec3::X * (major - minor)];
    let edges = vec![circle(at(0.0), major + minor, 0), circle(at(0.0), major - minor, 1)];
    let faces = vec![
        face(Surface::Torus { frame: at(0.0), major, minor }, true, vec![vec![(0, false)], vec![(1, true)]]),
        face(Surface::Plane(at(0.0)), true, vec![vec![(0, true)], vec![(1, false)]]),
    ];
    let brep = Brep::new(vertices, edges, faces).unwrap();
    Solid { name: "lower half of a torus", brep, volume: PI * PI * major * minor * minor }
}

/// A quarter of a torus' turn, with discs at its ends.
pub fn elbow(major: f64, minor: f64) -> Solid {
    let ends = [frame(DVec3::X * major, -DVec3::Y, DVec3::X), frame(DVec3::Y * major, DVec3::X, DVec3::Y)];
    // v runs from +x towards +z: with z = −y the second axis is −y × x = z; at the other end the axis −x gives z.
    let ends = [ends[0], frame(DVec3::Y * major, DVec3::X, DVec3::Y)];
    let vertices = vec![DVec3::X * (major + minor), DVec3::Y * (major + minor)];
    let outer = Curve::Ellipse { frame: at(0.0), radii: [major + minor; 2] };
    let edges = vec![
        circle(ends[0], minor, 0),
        circle(ends[1], minor, 1),
        Edge { curve: outer, range: [0.0, PI / 2.0], ends: [0, 1] },
    ];
    let torus = Surface::Torus { frame: at(0.0), major, minor };
    let faces = vec![
        face(torus, true, vec![vec![(2, true), (1, true), (2, false), (0, false)]]),
        face(Surface::Plane(ends[0]), true, vec![vec![(0, true)]]),
        face(Surface::Plane(ends[1]), false, vec![vec![(1, false)]]),
    ];
    let brep = Brep::new(vertices, edges, faces).unwrap();
    Solid { name: "elbow", brep, volume: PI * PI / 2.0 * major * minor * minor }
}

/// An eighth of a ball: its corner on z is a pole of the sphere's parameters.
pub fn octant(radius: f64) -> Solid {
    let vertices = vec![DVec3::ZERO, DVec3::X * radius, DVec3::Y * radius, DVec3::Z * radius];
    let arc = |x: DVec3, y: DVec3, ends: [u32; 2]| Edge {
        curve: Curve::Ellipse { frame: frame(DVec3::ZERO, x.cross(y), x), radii: [radius; 2] },
        range: [0.0, PI / 2.0],
        ends,
    };
    let edges = vec![
        arc(DVec3::X, DVec3::Y, [1, 2]),
        arc(DVec3::Y, DVec3::Z, [2, 3]),
        arc(DVec3::Z, DVec3::X, [3, 1]),
        line(&vertices, 0, 1),
        line(&vertices, 0, 2),
        line(&vertices, 0, 3),
    ];
    let plane = |z: DVec3, x: DVec3| Surface::Plane(frame(DVec3::ZERO, z, x));
    let faces = vec![
        face(Surface::Sphere { frame: at(0.0), radius }, true, vec![vec![(0, true), (1, true), (2, true)]]),
        face(plane(DVec3::Z, DVec3::X), false, vec![vec![(4, true), (0, false), (3, false)]]),
        face(plane(DVec3::X, DVec3::Y), false, vec![vec![(5, true), (1, false), (4, false)]]),
        face(plane(DVec3::Y, DVec3::Z), false, vec![vec![(3, true), (2, false), (5, false)]]),
    ];
    let brep = Brep::new(vertices, edges, faces).unwrap();
    Solid { name: "octant", brep, volume: PI / 6.0 * radius.powi(3) }
}

pub fn all() -> Vec<Solid> {
    vec![
        cylinder(2.0, 5.0, false),
        cylinder(2.0, 5.0, true),
        cone(2.0, 0.0, 3.0, false),
        cone(2.0, 0.0, 3.0, true),
        cone(2.0, 1.0, 3.0, false),
        cone(1.0, 2.5, 3.0, true),
        ball(3.0, false),
        ball(3.0, true),
        bead(3.0, 1.0),
        cap(3.0, 1.0),
        cap(3.0, -2.0),
        bowl(4.0, 3.0, 5.0),
        torus(5.0, 2.0),
        half_torus(5.0, 2.0),
        lower_half_torus(5.0, 2.0),
        elbow(5.0, 2.0),
        octant(3.0),
        tube(4.0, 3.0, 5.0),
    ]
}

/// A tube along z from 0.
pub fn tube(outer: f64, inner: f64, height: f64) -> Solid {
    let corner = |r: f64, z: f64| DVec3::new(r, 0.0, z);
    let vertices = vec![corner(outer, 0.0), corner(outer, height), corner(inner, 0.0), corner(inner, height)];
    let edges = vec![
        circle(at(0.0), outer, 0),
        circle(at(height), outer, 1),
        circle(at(0.0), inner, 2),
        circle(at(height), inner, 3),
    ];
    let cylinder = |radius: f64| Surface::Cylinder { frame: at(0.0), radii: [radius; 2] };
    let faces = vec![
        face(cylinder(outer), true, vec![vec![(0, true)], vec![(1, false)]]),
        face(cylinder(inner), false, vec![vec![(2, false)], vec![(3, true)]]),
        face(Surface::Plane(at(0.0)), false, vec![vec![(0, false)], vec![(2, true)]]),
        face(Surface::Plane(at(height)), true, vec![vec![(1, true)], vec![(3, false)]]),
    ];
    let brep = Brep::new(vertices, edges, faces).unwrap();
    Solid { name: "tube", brep, volume: PI * (outer * outer - inner * inner) * height }
}
