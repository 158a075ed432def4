//! A body by its boundary: faces that meet in edges that meet in vertices.

use crate::curve::Curve;
use crate::surface::Surface;
use kontakt_math::DVec3;
use std::f64::consts::TAU;

/// An edge: a stretch of a curve between two vertices.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// What it lies on.
    pub curve: Curve,
    /// From its first vertex to its second; always ascending. A closed edge has one vertex twice and runs once round.
    pub range: [f64; 2],
    /// Indices of its vertices, at the start and the end of the range.
    pub ends: [u32; 2],
}

/// A border of a face.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Loop {
    /// Edges one after the other, each with whether it is run through from its first vertex to its second. The face lies to the left,
    /// seen from outside of the body.
    Edges(Vec<(u32, bool)>),
    /// A single vertex: the apex of a cone, or any point of a face that has no border.
    Vertex(u32),
}

/// A face: the part of a surface inside its loops.
#[derive(Clone, Debug, PartialEq)]
pub struct Face {
    /// What it lies on.
    pub surface: Surface,
    /// Whether the surface's normal, du × dv, points out of the body.
    pub outward: bool,
    /// Its borders, in any order; none for a closed surface such as a whole sphere.
    pub loops: Vec<Loop>,
}

/// A body by its boundary.
#[derive(Clone, Debug, PartialEq)]
pub struct Brep {
    vertices: Vec<DVec3>,
    edges: Vec<Edge>,
    faces: Vec<Face>,
}

/// Why vertices, edges and faces are no body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BrepError {
    /// No face.
    #[error("a body without faces")]
    NoFaces,
    /// A vertex that is not finite.
    #[error("vertex {0} is not finite")]
    Vertex(u32),
    /// An edge names a vertex that is not there.
    #[error("edge {0} names a vertex that is not there")]
    Ends(u32),
    /// An edge's range is not finite, does not ascend, or leaves its curve.
    #[error("edge {0} has no length of its curve")]
    Range(u32),
    /// A face names an edge or a vertex that is not there.
    #[error("face {0} names an edge or a vertex that is not there")]
    Face(u32),
    /// The edges of a loop do not follow one another.
    #[error("a loop of face {0} does not close")]
    Loop(u32),
}

impl Brep {
    /// Checks that indices and numbers are sound; not whether edges lie on their faces.
    pub fn new(vertices: Vec<DVec3>, edges: Vec<Edge>, faces: Vec<Face>) -> Result<Brep, BrepError> {
        if faces.is_empty() {
            return Err(BrepError::NoFaces);
        }
        if let Some(index) = vertices.iter().position(|vertex| !vertex.is_finite()) {
            return Err(BrepError::Vertex(index as u32));
        }
        for (index, edge) in (0..).zip(&edges) {
            if edge.ends.iter().any(|&end| end as usize >= vertices.len()) {
                return Err(BrepError::Ends(index));
            }
            let [from, to] = edge.range;
            if !(from.is_finite() && to.is_finite() && from < to) {
                return Err(BrepError::Range(index));
            }
        }
        for (index, face) in (0..).zip(&faces) {
            for border in &face.loops {
                check_loop(border, &vertices, &edges).map_err(|found| found(index))?;
            }
        }
        Ok(Brep { vertices, edges, faces })
    }

    /// The body with other curves along its edges and other surfaces under its faces.
    pub(crate) fn with(&self, edges: Vec<Edge>, faces: Vec<Face>) -> Brep {
        Brep { vertices: self.vertices.clone(), edges, faces }
    }

    /// The faces that use each edge, with whether they run along it.
    pub(crate) fn faces_of_edges(&self) -> Vec<Vec<(usize, bool)>> {
        let mut users = vec![Vec::new(); self.edges.len()];
        for (face, loops) in self.faces.iter().map(|face| &face.loops).enumerate() {
            for border in loops {
                if let Loop::Edges(uses) = border {
                    for &(edge, forward) in uses {
                        users[edge as usize].push((face, forward));
                    }
                }
            }
        }
        users
    }

    /// Whether every edge has a face on either side: once run along each way.
    pub fn is_closed(&self) -> bool {
        self.faces_of_edges()
            .iter()
            .all(|users| 2 * users.iter().filter(|(_, forward)| *forward).count() == users.len())
    }

    /// The curves that a face is bordered by.
    pub(crate) fn curves_about(&self, face: usize) -> Vec<&Curve> {
        let uses = self.faces[face].loops.iter().flat_map(|border| match border {
            Loop::Edges(uses) => uses.as_slice(),
            Loop::Vertex(_) => &[],
        });
        uses.map(|&(edge, _)| &self.edges[edge as usize].curve).collect()
    }

    /// Centres and radii of the loops of a face that are whole circles, in one edge or in arcs of the same.
    pub(crate) fn circles_about(&self, face: usize) -> Vec<(DVec3, f64)> {
        let round = |border: &Loop| {
            let Loop::Edges(uses) = border else { return None };
            let edges = || uses.iter().map(|&(edge, _)| &self.edges[edge as usize]);
            let Curve::Ellipse { frame, radii: [radius, _] } = &edges().next()?.curve else { return None };
            // By how much arcs differ; a whole circle does not.
            let off = |edge: &Edge| match &edge.curve {
                Curve::Ellipse { frame: other, radii: [a, b] } => {
                    (other.origin - frame.origin).length() + (a - radius).abs().max((b - radius).abs())
                }
                Curve::Line { .. } | Curve::Nurbs(_) => f64::INFINITY,
            };
            let off = edges().map(off).fold(0.0, f64::max);
            let turned: f64 = edges().map(|edge| edge.range[1] - edge.range[0]).sum();
            let whole = (turned - TAU).abs() <= 1e-9 && off <= 1e-9 * radius;
            whole.then_some((frame.origin, radius - off))
        };
        self.faces[face].loops.iter().filter_map(round).collect()
    }

    /// Its vertices.
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// Its edges.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Its faces.
    pub fn faces(&self) -> &[Face] {
        &self.faces
    }
}

fn check_loop(border: &Loop, vertices: &[DVec3], edges: &[Edge]) -> Result<(), fn(u32) -> BrepError> {
    match border {
        Loop::Vertex(vertex) if (*vertex as usize) < vertices.len() => Ok(()),
        Loop::Vertex(_) => Err(BrepError::Face),
        Loop::Edges(uses) => {
            if uses.iter().any(|&(edge, _)| edge as usize >= edges.len()) {
                return Err(BrepError::Face);
            }
            let ends = |&(edge, forward): &(u32, bool)| {
                let [from, to] = edges[edge as usize].ends;
                if forward { (from, to) } else { (to, from) }
            };
            let follows = |(one, next): (&(u32, bool), &(u32, bool))| ends(one).1 == ends(next).0;
            let closed = !uses.is_empty() && uses.iter().zip(uses.iter().cycle().skip(1)).all(follows);
            if closed { Ok(()) } else { Err(BrepError::Loop) }
        }
    }
}
