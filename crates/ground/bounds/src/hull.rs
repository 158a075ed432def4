//! Convex hull of points, exact: every decision is the sign of an exact determinant of the input's doubles.
//!
//! [`convex_hull`] drops what lies inside the polytope of a few extremal points, grows the rest by quickhull with
//! conflict lists (`quick`), joins coplanar triangles to polygons and drops vertices that are not extreme
//! (`merge`). Most signs come from a filter of a few operations (`plane`), the others from
//! [`kontakt_math::predicates`].

mod build;
mod cull;
mod fan;
#[cfg(target_arch = "x86_64")]
mod fan_x86;
mod flat;
pub(crate) mod frame;
mod merge;
mod plane;
mod quick;
mod validate;

pub use build::convex_hull;
pub use validate::Broken;

/// An edge of a hull: the two ends, and the face left of it and the face right of it (seen from outside, looking
/// from the first end to the second).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HullEdge {
    /// Positions in [`Hull::vertices`], the smaller one first.
    pub ends: [u32; 2],
    /// Face numbers.
    pub faces: [u32; 2],
}

/// Faces, edges and vertices of the convex hull of points that live elsewhere.
///
/// Exactly the extreme points are vertices (of equal points, one); faces are whole convex polygons, counter-clockwise
/// from outside, no two of them coplanar. A planar set has its polygon as two faces, one for each side; a segment
/// and a point have no faces and no edges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hull {
    dimension: u8,
    vertices: Vec<u32>,
    face_starts: Vec<u32>,
    face_vertices: Vec<u32>,
    edges: Vec<HullEdge>,
    neighbour_starts: Vec<u32>,
    neighbours: Vec<u32>,
}

impl Hull {
    /// The hull of a single point.
    pub(crate) fn point() -> Hull {
        Hull::assemble(0, vec![0], vec![0], Vec::new(), &[])
    }

    /// 0: point, 1: segment, 2: planar polygon, 3: solid.
    pub fn dimension(&self) -> u8 {
        self.dimension
    }

    /// Indices into the points given, ascending. All other numbers here are positions in this list.
    pub fn vertices(&self) -> &[u32] {
        &self.vertices
    }

    /// How many faces there are.
    pub fn face_count(&self) -> usize {
        self.face_starts.len().saturating_sub(1)
    }

    /// Vertices of a face, counter-clockwise seen from outside.
    pub fn face(&self, face: usize) -> &[u32] {
        &self.face_vertices[self.face_starts[face] as usize..self.face_starts[face + 1] as usize]
    }

    /// All faces in order.
    pub fn faces(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        (0..self.face_count()).map(|face| self.face(face))
    }

    /// Edges, each once.
    pub fn edges(&self) -> &[HullEdge] {
        &self.edges
    }

    /// Vertices that share an edge with this one.
    pub fn neighbours(&self, vertex: usize) -> &[u32] {
        &self.neighbours[self.neighbour_starts[vertex] as usize..self.neighbour_starts[vertex + 1] as usize]
    }

    /// Each face cut into triangles from its first vertex; none is degenerate.
    pub fn triangles(&self) -> impl Iterator<Item = [u32; 3]> {
        self.faces().flat_map(|face| face[1..].windows(2).map(|pair| [face[0], pair[0], pair[1]]))
    }

    /// The same hull of its vertices alone, for when they are stored in a list of their own.
    #[must_use]
    pub fn renumbered(mut self) -> Hull {
        self.vertices = (0..self.vertices.len() as u32).collect();
        self
    }

    /// From face loops: `across[k]` is the face on the other side of the edge that starts at `face_vertices[k]`.
    fn assemble(
        dimension: u8,
        vertices: Vec<u32>,
        face_starts: Vec<u32>,
        face_vertices: Vec<u32>,
        across: &[u32],
    ) -> Hull {
        // Each half-edge is written and every other one kept: nobody could guess which.
        let nothing = HullEdge { ends: [0; 2], faces: [0; 2] };
        let mut edges = vec![nothing; face_vertices.len() / 2 + 1];
        let mut count = 0;
        for face in 0..face_starts.len().saturating_sub(1) {
            let (start, end) = (face_starts[face] as usize, face_starts[face + 1] as usize);
            for k in start..end {
                let from = face_vertices[k];
                let to = face_vertices[if k + 1 == end { start } else { k + 1 }];
                edges[count] = HullEdge { ends: [from, to], faces: [face as u32, across[k]] };
                count += usize::from(from < to);
            }
        }
        edges.truncate(count);
        let (neighbour_starts, neighbours) =
            if dimension == 1 { (vec![0, 1, 2], vec![1, 0]) } else { adjacency(vertices.len(), &edges) };
        Hull { dimension, vertices, face_starts, face_vertices, edges, neighbour_starts, neighbours }
    }
}

/// Vertex → neighbours, compressed.
fn adjacency(vertex_count: usize, edges: &[HullEdge]) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0_u32; vertex_count + 1];
    for end in edges.iter().flat_map(|edge| edge.ends) {
        starts[end as usize + 1] += 1;
    }
    for k in 0..vertex_count {
        starts[k + 1] += starts[k];
    }
    let mut fill = starts.clone();
    let mut neighbours = vec![0; 2 * edges.len()];
    for &HullEdge { ends: [a, b], .. } in edges {
        for (from, to) in [(a, b), (b, a)] {
            neighbours[fill[from as usize] as usize] = to;
            fill[from as usize] += 1;
        }
    }
    (starts, neighbours)
}
