//! What is connected: triangles, their edges and vertices, and the bodies they belong to.

use thiserror::Error;

/// Why triangles are no surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SurfaceError {
    /// A triangle uses a vertex that does not exist.
    #[error("face {face} uses vertex {index}, but there are {vertices} vertices")]
    IndexOutOfRange {
        /// 0-based.
        face: usize,
        /// The index as given.
        index: u32,
        /// How many vertices there are.
        vertices: usize,
    },
    /// Ids are 32 bits wide.
    #[error("{count} {what} are more than 32-bit ids can name")]
    TooMany {
        /// Vertices or faces.
        what: &'static str,
        /// How many.
        count: usize,
    },
    /// A list of bodies does not name one for each vertex.
    #[error("{given} bodies are named for {vertices} vertices")]
    BodyCount {
        /// Entries of the list.
        given: usize,
        /// How many vertices there are.
        vertices: usize,
    },
}

/// Triangles over numbered vertices. Degenerate and duplicate triangles are kept. Vertices are told apart by their numbers, not
/// their places: a mesh whose triangles share no numbers has no connections. Vertices that no triangle uses take no part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Surface {
    vertex_count: usize,
    triangles: Vec<[u32; 3]>,
    edges: Vec<[u32; 2]>,
    used: Vec<u32>,
    bodies: Vec<u32>,
}

impl Surface {
    /// Checks the indices and collects edges and vertices; bodies are the connected components.
    pub fn new(vertex_count: usize, triangles: Vec<[u32; 3]>) -> Result<Surface, SurfaceError> {
        for (what, count) in [("vertices", vertex_count), ("faces", triangles.len().saturating_mul(3))] {
            if count >= u32::MAX as usize {
                return Err(SurfaceError::TooMany { what, count });
            }
        }
        for (face, corners) in triangles.iter().enumerate() {
            if let Some(&index) = corners.iter().find(|&&index| index as usize >= vertex_count) {
                return Err(SurfaceError::IndexOutOfRange { face, index, vertices: vertex_count });
            }
        }
        let mut is_used = vec![false; vertex_count];
        for &corner in triangles.iter().flatten() {
            is_used[corner as usize] = true;
        }
        let used = (0..vertex_count as u32).filter(|&v| is_used[v as usize]).collect();
        let bodies = components(vertex_count, &triangles);
        let edges = edges_of(&triangles);
        Ok(Surface { vertex_count, triangles, edges, used, bodies })
    }

    /// The same surface with the bodies of its vertices named: a face or an edge belongs to the body of its first vertex.
    pub fn with_bodies(self, bodies: Vec<u32>) -> Result<Surface, SurfaceError> {
        if bodies.len() != self.vertex_count {
            return Err(SurfaceError::BodyCount { given: bodies.len(), vertices: self.vertex_count });
        }
        Ok(Surface { bodies, ..self })
    }

    /// How many vertices there are, used or not.
    pub fn vertex_count(&self) -> usize {
        self.vertex_count
    }

    /// The faces, in the order given.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Every edge once, smaller vertex first, sorted; sides of triangles that repeat a vertex are left out.
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    /// The vertices that triangles use, increasing.
    pub fn used_vertices(&self) -> &[u32] {
        &self.used
    }

    /// The body of a vertex; `None` for one that does not exist.
    pub fn body(&self, vertex: u32) -> Option<u32> {
        self.bodies.get(vertex as usize).copied()
    }

    /// Bodies by vertex.
    pub(crate) fn bodies(&self) -> &[u32] {
        &self.bodies
    }
}

fn edges_of(triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let sides = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let mut edges: Vec<[u32; 2]> = sides.filter(|[a, b]| a != b).map(|[a, b]| [a.min(b), a.max(b)]).collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// A number for the connected component of each vertex: its smallest vertex.
fn components(vertex_count: usize, triangles: &[[u32; 3]]) -> Vec<u32> {
    let mut parent: Vec<u32> = (0..vertex_count as u32).collect();
    for &[a, b, c] in triangles {
        let first = root(&mut parent, a);
        for other in [b, c] {
            let (x, y) = (root(&mut parent, first), root(&mut parent, other));
            parent[x.max(y) as usize] = x.min(y);
        }
    }
    (0..vertex_count as u32).map(|v| root(&mut parent, v)).collect()
}

/// The root of a tree of parents, whose ways are halved on the way.
fn root(parent: &mut [u32], mut v: u32) -> u32 {
    while parent[v as usize] != v {
        parent[v as usize] = parent[parent[v as usize] as usize];
        v = parent[v as usize];
    }
    v
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_vertices_and_bodies() {
        let surface =
            Surface::new(9, vec![[0, 1, 2], [2, 1, 3], [5, 5, 7], [6, 6, 6], [8, 7, 5]]).expect("valid");
        assert_eq!(surface.edges(), [[0, 1], [0, 2], [1, 2], [1, 3], [2, 3], [5, 7], [5, 8], [7, 8]]);
        assert_eq!(surface.used_vertices(), [0, 1, 2, 3, 5, 6, 7, 8]);
        let bodies: Vec<_> = (0..10).map(|v| surface.body(v)).collect();
        let named = [0, 0, 0, 0, 4, 5, 6, 5, 5].map(Some);
        assert_eq!(bodies[..9], named);
        assert_eq!(bodies[9], None);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let wrong = Surface::new(2, vec![[0, 1, 1], [0, 2, 1]]);
        assert_eq!(wrong, Err(SurfaceError::IndexOutOfRange { face: 1, index: 2, vertices: 2 }));
        let surface = Surface::new(2, Vec::new()).expect("empty");
        assert_eq!(surface.with_bodies(vec![0]), Err(SurfaceError::BodyCount { given: 1, vertices: 2 }));
        assert!(Surface::new(u32::MAX as usize, Vec::new()).is_err());
    }
}
