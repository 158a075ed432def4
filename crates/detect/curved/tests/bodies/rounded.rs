//! Bodies of many round faces, by their corners: each face by the corners round it, each edge by its two.

use super::{Solid, at, circle, face, frame, line};
use kontakt_curved::{Brep, Curve, Edge, Face, Loop, Surface};
use kontakt_math::DVec3;
use std::collections::HashMap;
use std::f64::consts::PI;

#[derive(Default)]
struct Draft {
    vertices: Vec<DVec3>,
    edges: Vec<Edge>,
    faces: Vec<Face>,
    pairs: HashMap<(u32, u32), u32>,
}

impl Draft {
    fn edge(&mut self, edge: Edge) {
        let [a, b] = edge.ends;
        self.pairs.insert((a.min(b), a.max(b)), self.edges.len() as u32);
        self.edges.push(edge);
    }

    fn line(&mut self, from: u32, to: u32) {
        self.edge(line(&self.vertices, from, to));
    }

    /// The arc about a centre between two corners that goes through the direction `through`.
    fn arc(&mut self, centre: DVec3, through: DVec3, from: u32, to: u32) {
        let (a, b) = (self.vertices[from as usize] - centre, self.vertices[to as usize] - centre);
        let middle = through.normalize();
        let half = middle.angle_between(a);
        let z = a.cross(middle).normalize();
        assert!((middle.angle_between(b) - half).abs() < 1e-9, "the middle of an arc");
        let curve = Curve::Ellipse { frame: frame(centre, z, middle), radii: [a.length(); 2] };
        self.edge(Edge { curve, range: [-half, half], ends: [from, to] });
    }

    /// A face with corners round it in any sense; outward is a way out.
    fn face(&mut self, surface: Surface, outward: DVec3, corners: &[u32]) {
        let place = |k: usize| self.vertices[corners[k % corners.len()] as usize];
        let turn: DVec3 = (0..corners.len()).map(|k| place(k).cross(place(k + 1))).sum();
        let mut round = corners.to_vec();
        if turn.dot(outward) < 0.0 {
            round.reverse();
        }
        let uses = (0..round.len()).map(|k| {
            let (a, b) = (round[k], round[(k + 1) % round.len()]);
            let edge = self.pairs[&(a.min(b), a.max(b))];
            (edge, self.edges[edge as usize].ends[0] == a)
        });
        let loops = vec![Loop::Edges(uses.collect())];
        self.faces.push(Face { surface, outward: true, loops });
    }

    fn solid(self, name: &'static str, volume: f64) -> Solid {
        Solid { name, brep: Brep::new(self.vertices, self.edges, self.faces).unwrap(), volume }
    }
}

fn signs() -> impl Iterator<Item = [f64; 3]> {
    (0..8).map(|k| [0, 1, 2].map(|i| if k >> i & 1 == 1 { 1.0 } else { -1.0 }))
}

fn unit(axis: usize) -> DVec3 {
    [DVec3::X, DVec3::Y, DVec3::Z][axis]
}

/// Six unit balls about ±1 on the coordinate axes: three of them meet at (±⅔, ±⅔, ±⅔).
pub fn six_balls() -> Solid {
    let mut draft =
        Draft { vertices: signs().map(|s| DVec3::from_array(s) * (2.0 / 3.0)).collect(), ..Draft::default() };
    for k in 0..8_u32 {
        for axis in 0..3 {
            let other = k | 1 << axis;
            if other != k {
                let mut out = draft.vertices[k as usize];
                out[axis] = 0.0;
                draft.arc(out * 0.75, out, k, other);
            }
        }
    }
    for axis in 0..3_usize {
        for side in [0_u32, 1] {
            let (u, v) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
            let base = side << axis;
            let out = unit(axis) * (2.0 * f64::from(side) - 1.0);
            let about = frame(out, out, unit((axis + 1) % 3));
            draft.face(
                Surface::Sphere { frame: about, radius: 1.0 },
                out,
                &[base, base | u, base | u | v, base | v],
            );
        }
    }
    draft.solid("six balls", f64::NAN)
}

/// A cube from −half to half with edges and corners of a radius: 26 faces.
pub fn rounded_cube(half: f64, radius: f64) -> Solid {
    let flat = half - radius;
    let at_corner = |k: u32| DVec3::from_array([0, 1, 2].map(|i| if k >> i & 1 == 1 { flat } else { -flat }));
    let side = |k: u32, axis: usize| unit(axis) * at_corner(k)[axis].signum();
    let mut draft = Draft::default();
    for k in 0..8 {
        for axis in 0..3 {
            draft.vertices.push(at_corner(k) + side(k, axis) * radius);
        }
    }
    let id = |k: u32, axis: usize| 3 * k + axis as u32;
    for k in 0..8_u32 {
        for axis in 0..3 {
            for along in 0..3 {
                let other = k | 1 << along;
                if along != axis && other != k {
                    draft.line(id(k, axis), id(other, axis));
                }
            }
            let next = (axis + 1) % 3;
            draft.arc(at_corner(k), side(k, axis) + side(k, next), id(k, axis), id(k, next));
        }
    }
    for k in 0..8_u32 {
        let about = frame(at_corner(k), side(k, 2), side(k, 0));
        let out = at_corner(k);
        draft.face(Surface::Sphere { frame: about, radius }, out, &[id(k, 0), id(k, 1), id(k, 2)]);
    }
    for axis in 0..3_usize {
        let (one, two) = ((axis + 1) % 3, (axis + 2) % 3);
        let (u, v) = (1_u32 << one, 1_u32 << two);
        for base in [0, 1_u32 << axis] {
            let out = side(base, axis);
            let corners = [base, base | u, base | u | v, base | v].map(|k| id(k, axis));
            let plane = frame(out * half, out, unit(one));
            draft.face(Surface::Plane(plane), out, &corners);
        }
        for k in [0, u, v, u | v] {
            let far = k | 1 << axis;
            let out = side(k, one) + side(k, two);
            let about = frame(at_corner(k), unit(axis), side(k, one));
            let corners = [id(k, one), id(far, one), id(far, two), id(k, two)];
            draft.face(Surface::Cylinder { frame: about, radii: [radius; 2] }, out, &corners);
        }
    }
    let volume = 8.0 * flat.powi(3)
        + 24.0 * flat * flat * radius
        + 6.0 * PI * flat * radius * radius
        + 4.0 / 3.0 * PI * radius.powi(3);
    draft.solid("rounded cube", volume)
}

/// A cylinder along z between two half balls.
pub fn capsule(radius: f64, length: f64) -> Solid {
    let vertices = vec![DVec3::X * radius, DVec3::new(radius, 0.0, length)];
    let edges = vec![circle(at(0.0), radius, 0), circle(at(length), radius, 1)];
    let faces = vec![
        face(
            Surface::Cylinder { frame: at(0.0), radii: [radius; 2] },
            true,
            vec![vec![(0, true)], vec![(1, false)]],
        ),
        face(Surface::Sphere { frame: at(0.0), radius }, true, vec![vec![(0, false)]]),
        face(Surface::Sphere { frame: at(length), radius }, true, vec![vec![(1, true)]]),
    ];
    let volume = PI * radius * radius * length + 4.0 / 3.0 * PI * radius.powi(3);
    Solid { name: "capsule", brep: Brep::new(vertices, edges, faces).unwrap(), volume }
}

/// A cylinder along z whose upper rim is rounded by a quarter of a torus' tube: the top is a ring of equal height about a disc.
pub fn button(radius: f64, height: f64, fillet: f64) -> Solid {
    let (inner, low) = (radius - fillet, height - fillet);
    let vertices = vec![DVec3::X * radius, DVec3::new(radius, 0.0, low), DVec3::new(inner, 0.0, height)];
    let edges = vec![circle(at(0.0), radius, 0), circle(at(low), radius, 1), circle(at(height), inner, 2)];
    let faces = vec![
        face(
            Surface::Cylinder { frame: at(0.0), radii: [radius; 2] },
            true,
            vec![vec![(0, true)], vec![(1, false)]],
        ),
        face(
            Surface::Torus { frame: at(low), major: inner, minor: fillet },
            true,
            vec![vec![(1, true)], vec![(2, false)]],
        ),
        face(Surface::Plane(at(height)), true, vec![vec![(2, true)]]),
        face(Surface::Plane(at(0.0)), false, vec![vec![(0, false)]]),
    ];
    Solid { name: "button", brep: Brep::new(vertices, edges, faces).unwrap(), volume: f64::NAN }
}
