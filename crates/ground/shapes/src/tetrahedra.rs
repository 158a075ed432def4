//! Bodies made of tetrahedra, and their surfaces.

mod bear;
mod make;
mod stuff;

pub use bear::{bear, hollow_bear};
pub use make::{slab, tetrahedron};
pub use stuff::{StuffError, stuff};

use kontakt_math::{DVec3, Sign, predicates::orient3d};
use std::collections::BTreeMap;
use thiserror::Error;

/// Why tetrahedra are no body.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum TetrahedraError {
    /// There is nothing.
    #[error("there is no tetrahedron")]
    Empty,
    /// Ids are 32 bits wide.
    #[error("{count} {what} are more than 32-bit ids can name")]
    TooMany {
        /// Vertices or tetrahedra.
        what: &'static str,
        /// How many.
        count: usize,
    },
    /// A coordinate is NaN or infinite.
    #[error("vertex {vertex} has a coordinate that is not finite")]
    NotFinite {
        /// 0-based.
        vertex: usize,
    },
    /// A corner that does not exist.
    #[error("tetrahedron {tetrahedron} uses vertex {index}, but there are {vertices} vertices")]
    IndexOutOfRange {
        /// 0-based.
        tetrahedron: usize,
        /// As given.
        index: u32,
        /// How many vertices there are.
        vertices: usize,
    },
    /// Four corners in one plane, exactly.
    #[error("tetrahedron {tetrahedron} is flat")]
    Flat {
        /// 0-based.
        tetrahedron: usize,
    },
    /// A negative volume, exactly.
    #[error("tetrahedron {tetrahedron} is inverted: its corners are in the wrong order")]
    Inverted {
        /// 0-based.
        tetrahedron: usize,
    },
    /// A vertex that belongs to no tetrahedron.
    #[error("vertex {vertex} belongs to no tetrahedron")]
    Orphan {
        /// 0-based.
        vertex: usize,
    },
    /// More than two tetrahedra on one face, or two on its same side.
    #[error("tetrahedra {first} and {second} lie on the same side of a face they share")]
    Overlapping {
        /// 0-based.
        first: usize,
        /// 0-based.
        second: usize,
    },
    /// A surface edge that more or fewer than two surface triangles share.
    #[error("the surface is not a manifold: {faces} of its triangles share the edge of vertices {a} and {b}")]
    NonManifold {
        /// An end.
        a: u32,
        /// The other.
        b: u32,
        /// How many triangles.
        faces: usize,
    },
}

/// A body of tetrahedra with positive volumes, each face of which has one neighbour or lies on the surface. The surface is a closed
/// manifold along its edges, seen counter-clockwise from outside.
#[derive(Clone, Debug, PartialEq)]
pub struct Tetrahedra {
    vertices: Vec<DVec3>,
    corners: Vec<[u32; 4]>,
    neighbours: Vec<[Option<u32>; 4]>,
    surface: Vec<[u32; 3]>,
    owners: Vec<u32>,
}

/// The faces of a tetrahedron, opposite to corners 0, 1, 2, 3, counter-clockwise from outside where its volume is positive.
const FACES: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];

impl Tetrahedra {
    /// Checks everything that [`TetrahedraError`] names.
    pub fn new(vertices: Vec<DVec3>, tetrahedra: Vec<[u32; 4]>) -> Result<Tetrahedra, TetrahedraError> {
        check_corners(&vertices, &tetrahedra)?;
        // Faces by their sorted corners: two adjacent entries are one inner face.
        let mut faces: Vec<([u32; 3], u32, u8)> = Vec::with_capacity(4 * tetrahedra.len());
        for (t, corners) in tetrahedra.iter().enumerate() {
            for (side, face) in FACES.iter().enumerate() {
                let mut key = face.map(|i| corners[i]);
                key.sort_unstable();
                faces.push((key, t as u32, side as u8));
            }
        }
        faces.sort_unstable();
        let mut neighbours = vec![[None; 4]; tetrahedra.len()];
        let corners_of = |t: u32, side: u8| FACES[side as usize].map(|i| tetrahedra[t as usize][i]);
        let mut outer: Vec<(u32, u8)> = Vec::new();
        for same in faces.chunk_by(|a, b| a.0 == b.0) {
            match *same {
                [(_, t, side)] => outer.push((t, side)),
                [(_, t, i), (_, u, j)] if is_opposite(corners_of(t, i), corners_of(u, j)) => {
                    neighbours[t as usize][i as usize] = Some(u);
                    neighbours[u as usize][j as usize] = Some(t);
                }
                [(_, t, _), (_, u, _), ..] => {
                    return Err(TetrahedraError::Overlapping { first: t as usize, second: u as usize });
                }
                [] => {}
            }
        }
        outer.sort_unstable();
        let surface: Vec<[u32; 3]> = outer.iter().map(|&(t, side)| corners_of(t, side)).collect();
        check_manifold(&surface)?;
        let owners = outer.into_iter().map(|(t, _)| t).collect();
        Ok(Tetrahedra { vertices, corners: tetrahedra, neighbours, surface, owners })
    }

    /// The corners' places.
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// Corners of each tetrahedron.
    pub fn tetrahedra(&self) -> &[[u32; 4]] {
        &self.corners
    }

    /// The neighbour across the face opposite to each corner; `None` on the surface.
    pub fn neighbours(&self) -> &[[Option<u32>; 4]] {
        &self.neighbours
    }

    /// Surface triangles by the body's own vertex numbers.
    pub fn surface(&self) -> &[[u32; 3]] {
        &self.surface
    }

    /// The tetrahedron behind each surface triangle.
    pub fn owners(&self) -> &[u32] {
        &self.owners
    }

    /// Volume of a tetrahedron, rounded.
    pub fn volume(&self, tetrahedron: usize) -> f64 {
        let [a, b, c, d] = self.corners[tetrahedron].map(|v| self.vertices[v as usize]);
        (b - a).cross(c - a).dot(d - a) / 6.0
    }

    /// Each edge once, smaller vertex first, sorted.
    pub fn edges(&self) -> Vec<[u32; 2]> {
        const PAIRS: [[usize; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
        let of = |t: &[u32; 4]| PAIRS.map(|[i, j]| [t[i].min(t[j]), t[i].max(t[j])]);
        let mut edges: Vec<[u32; 2]> = self.corners.iter().flat_map(of).collect();
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    /// The body with every vertex elsewhere. The map must keep volumes positive; it is checked.
    pub fn mapped(&self, map: impl Fn(DVec3) -> DVec3) -> Result<Tetrahedra, TetrahedraError> {
        Tetrahedra::new(self.vertices.iter().map(|&p| map(p)).collect(), self.corners.clone())
    }

    /// Volume of all, rounded.
    pub fn total_volume(&self) -> f64 {
        (0..self.corners.len()).map(|t| self.volume(t)).sum()
    }
}

/// True when two triangles of the same corners are seen from opposite sides.
fn is_opposite(a: [u32; 3], b: [u32; 3]) -> bool {
    let [p, q, r] = a;
    [[p, r, q], [r, q, p], [q, p, r]].contains(&b)
}

fn check_corners(vertices: &[DVec3], tetrahedra: &[[u32; 4]]) -> Result<(), TetrahedraError> {
    if tetrahedra.is_empty() {
        return Err(TetrahedraError::Empty);
    }
    for (what, count) in [("vertices", vertices.len()), ("tetrahedra", tetrahedra.len())] {
        if count >= u32::MAX as usize {
            return Err(TetrahedraError::TooMany { what, count });
        }
    }
    if let Some(vertex) = vertices.iter().position(|p| !p.is_finite()) {
        return Err(TetrahedraError::NotFinite { vertex });
    }
    let mut is_used = vec![false; vertices.len()];
    for (tetrahedron, corners) in tetrahedra.iter().enumerate() {
        if let Some(&index) = corners.iter().find(|&&v| v as usize >= vertices.len()) {
            return Err(TetrahedraError::IndexOutOfRange { tetrahedron, index, vertices: vertices.len() });
        }
        for &v in corners {
            is_used[v as usize] = true;
        }
        match side(corners.map(|v| vertices[v as usize])) {
            Sign::Positive => {}
            Sign::Zero => return Err(TetrahedraError::Flat { tetrahedron }),
            Sign::Negative => return Err(TetrahedraError::Inverted { tetrahedron }),
        }
    }
    match is_used.iter().position(|used| !used) {
        Some(vertex) => Err(TetrahedraError::Orphan { vertex }),
        None => Ok(()),
    }
}

/// The exact sign of (b − a) × (c − a) · (d − a).
fn side([a, b, c, d]: [DVec3; 4]) -> Sign {
    // `orient3d` is positive for d below the plane that a, b, c turn counter-clockwise in.
    orient3d(a, c, b, d)
}

fn check_manifold(surface: &[[u32; 3]]) -> Result<(), TetrahedraError> {
    let mut edges: BTreeMap<[u32; 2], usize> = BTreeMap::new();
    for &[a, b, c] in surface {
        for [p, q] in [[a, b], [b, c], [c, a]] {
            *edges.entry([p.min(q), p.max(q)]).or_default() += 1;
        }
    }
    match edges.into_iter().find(|&(_, faces)| faces != 2) {
        Some(([a, b], faces)) => Err(TetrahedraError::NonManifold { a, b, faces }),
        None => Ok(()),
    }
}
