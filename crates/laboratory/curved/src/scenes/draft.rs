//! A boundary in the making: each edge by its two corners, each face by the corners round it.

use super::SceneError;
use kontakt_curved::{Brep, Curve, Edge, Face, Frame, Loop, Surface};
use kontakt_math::DVec3;
use std::collections::HashMap;

pub(super) struct Draft {
    vertices: Vec<DVec3>,
    edges: Vec<Edge>,
    faces: Vec<Face>,
    between: HashMap<(u32, u32), u32>,
}

impl Draft {
    pub(super) fn new(vertices: Vec<DVec3>) -> Draft {
        Draft { vertices, edges: Vec::new(), faces: Vec::new(), between: HashMap::new() }
    }

    pub(super) fn place(&self, vertex: u32) -> DVec3 {
        self.vertices[vertex as usize]
    }

    pub(super) fn vertex(&mut self, place: DVec3) -> u32 {
        self.vertices.push(place);
        self.vertices.len() as u32 - 1
    }

    pub(super) fn edge(&mut self, edge: Edge) -> u32 {
        let [a, b] = edge.ends;
        self.between.insert((a.min(b), a.max(b)), self.edges.len() as u32);
        self.edges.push(edge);
        self.edges.len() as u32 - 1
    }

    /// The last corner of an edge.
    pub(super) fn end(&self, edge: u32) -> u32 {
        self.edges[edge as usize].ends[1]
    }

    pub(super) fn line(&mut self, from: u32, to: u32) -> u32 {
        let (origin, way) = (self.place(from), self.place(to) - self.place(from));
        let curve = Curve::Line { origin, direction: way / way.length() };
        self.edge(Edge { curve, range: [0.0, way.length()], ends: [from, to] })
    }

    /// The arc about a centre between two corners, its middle in a direction from the centre (of which only what is square to the axis counts).
    pub(super) fn arc(
        &mut self,
        centre: DVec3,
        through: DVec3,
        from: u32,
        to: u32,
    ) -> Result<u32, SceneError> {
        let (a, b) = (self.place(from) - centre, self.place(to) - centre);
        let chord = b - a;
        let middle = (through - chord * (through.dot(chord) / chord.length_squared())).normalize();
        let half = middle.angle_between(a);
        let frame = Frame::new(centre, a.cross(middle), Some(middle))?;
        let curve = Curve::Ellipse { frame, radii: [a.length(); 2] };
        Ok(self.edge(Edge { curve, range: [-half, half], ends: [from, to] }))
    }

    /// A face with corners round it in any sense; `out` is a way out.
    pub(super) fn face(&mut self, surface: Surface, outward: bool, out: DVec3, corners: &[u32]) {
        let at = |k: usize| self.place(corners[k % corners.len()]);
        let turn: DVec3 = (0..corners.len()).map(|k| (at(k) - at(0)).cross(at(k + 1) - at(0))).sum();
        let mut round = corners.to_vec();
        if turn.dot(out) < 0.0 {
            round.reverse();
        }
        let uses = (0..round.len()).filter_map(|k| {
            let (a, b) = (round[k], round[(k + 1) % round.len()]);
            let edge = *self.between.get(&(a.min(b), a.max(b)))?;
            Some((edge, self.edges[edge as usize].ends[0] == a))
        });
        let loops = vec![Loop::Edges(uses.collect())];
        self.bordered(surface, outward, loops);
    }

    pub(super) fn bordered(&mut self, surface: Surface, outward: bool, loops: Vec<Loop>) {
        self.faces.push(Face { surface, outward, loops });
    }

    pub(super) fn brep(self) -> Result<Brep, SceneError> {
        Ok(Brep::new(self.vertices, self.edges, self.faces)?)
    }
}
