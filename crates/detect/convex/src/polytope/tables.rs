//! Faces, edges and neighbours of a polytope, in narrow numbers.

use super::ids::Ids;
use kontakt_bounds::hull::{Hull, HullEdge};
use std::ops::Range;

/// So many edges are looked at together.
pub(crate) const WIDE: usize = 16;

/// What is next to what. Faces that are triangles come first, so that only the others need to say where they start.
///
/// Up to 130 vertices every number is a byte: an edge takes eight of them, half in `ids` for itself (two ends, two faces), half for
/// its two places in faces and its two as neighbour.
#[derive(Clone, Debug)]
pub(crate) struct Tables {
    dimension: u8,
    vertices: u32,
    edges: u32,
    faces: u32,
    triangles: u32,
    /// One after another: the faces left of the edges, padded with face 0 to a multiple of [`WIDE`]; right of the edges, likewise; their
    /// first ends; their second ends; the corners of the faces; the neighbours of the vertices; seven zeros.
    ids: Ids,
    /// Where the neighbours of each vertex start, and the end; where the corners of each face start that is no triangle, and
    /// the end.
    starts: Ids,
}

impl Tables {
    /// Of a hull whose vertices are numbered by their positions.
    pub(super) fn of(hull: &Hull) -> Tables {
        let (order, triangles) = triangles_first(hull);
        let mut number_of = vec![0; order.len()];
        for (number, &face) in (0_u32..).zip(&order) {
            number_of[face as usize] = number;
        }
        let edges = hull.edges();
        let padded = edges.len().next_multiple_of(WIDE);
        let mut ids = Vec::with_capacity(2 * padded + 6 * edges.len() + 9);
        let mut starts = Vec::with_capacity(hull.vertices().len() + order.len() - triangles + 2);
        for side in 0..2 {
            // A face may lack where a hull is flat.
            let face = |edge: &HullEdge| number_of.get(edge.faces[side] as usize).copied().unwrap_or(0);
            ids.extend(edges.iter().map(face));
            ids.resize((side + 1) * padded, 0);
        }
        for end in 0..2 {
            ids.extend(edges.iter().map(|edge| edge.ends[end]));
        }
        let corners = ids.len();
        let mut face_starts = Vec::with_capacity(order.len() - triangles + 1);
        for (number, &face) in order.iter().enumerate() {
            if number >= triangles {
                face_starts.push((ids.len() - corners) as u32);
            }
            ids.extend(hull.face(face as usize));
        }
        face_starts.push((ids.len() - corners) as u32);
        let neighbours = ids.len();
        for vertex in 0..hull.vertices().len() {
            starts.push((ids.len() - neighbours) as u32);
            ids.extend(hull.neighbours(vertex));
        }
        starts.push((ids.len() - neighbours) as u32);
        starts.extend(face_starts);
        // So that eight can be read from any place.
        ids.resize(ids.len() + 7, 0);
        Tables {
            dimension: hull.dimension(),
            vertices: hull.vertices().len() as u32,
            edges: edges.len() as u32,
            faces: order.len() as u32,
            triangles: triangles as u32,
            ids: Ids::of(&ids),
            starts: Ids::of(&starts),
        }
    }

    pub(crate) fn dimension(&self) -> u8 {
        self.dimension
    }

    #[inline(always)]
    pub(crate) fn vertex_count(&self) -> u32 {
        self.vertices
    }

    #[inline(always)]
    pub(crate) fn edge_count(&self) -> u32 {
        self.edges
    }

    #[inline(always)]
    pub(crate) fn face_count(&self) -> u32 {
        self.faces
    }

    /// The numbers, for loops over all edges: those of the faces left of them, then right of them, each padded to the given length.
    /// All of them are below the number of faces, and there is at least one face if there is an edge.
    pub(crate) fn sides(&self) -> (&Ids, usize) {
        (&self.ids, self.padded())
    }

    #[inline(always)]
    fn padded(&self) -> usize {
        (self.edges as usize).next_multiple_of(WIDE)
    }

    /// The faces left and right of an edge.
    #[inline(always)]
    pub(crate) fn sides_of(&self, edge: u32) -> [u32; 2] {
        self.ids.both([edge as usize, self.padded() + edge as usize])
    }

    /// The ends of an edge.
    #[inline(always)]
    pub(crate) fn ends_of(&self, edge: u32) -> [u32; 2] {
        let first = 2 * self.padded() + edge as usize;
        self.ids.both([first, first + self.edges as usize])
    }

    /// Places of a face's corners, for [`corner`](Self::corner).
    #[inline(always)]
    pub(crate) fn corners_of(&self, face: u32) -> Range<usize> {
        let base = 2 * self.padded() + 2 * self.edges as usize;
        if face < self.triangles {
            let start = base + 3 * face as usize;
            return start..start + 3;
        }
        let at = self.vertices as usize + 1 + (face - self.triangles) as usize;
        base + self.starts.get(at) as usize..base + self.starts.get(at + 1) as usize
    }

    /// The vertex at a place.
    #[inline(always)]
    pub(crate) fn corner(&self, place: usize) -> u32 {
        self.ids.get(place)
    }

    #[inline(always)]
    fn neighbours_of(&self, vertex: u32) -> Range<usize> {
        // Every edge is in two faces.
        let base = 2 * self.padded() + 4 * self.edges as usize;
        let vertex = vertex as usize;
        base + self.starts.get(vertex) as usize..base + self.starts.get(vertex + 1) as usize
    }

    /// Calls `visit` with the vertices that share an edge with this one.
    #[inline(always)]
    pub(crate) fn neighbours(&self, vertex: u32, visit: impl FnMut(u32)) {
        self.ids.visit(self.neighbours_of(vertex), visit);
    }

    /// The numbers, and the places of a vertex's neighbours in them. At least seven more numbers follow any of those.
    #[inline(always)]
    pub(crate) fn neighbours_in_ids(&self, vertex: u32) -> (&Ids, Range<usize>) {
        (&self.ids, self.neighbours_of(vertex))
    }

    /// Asks for the memory of `neighbours` ahead of its use.
    #[inline(always)]
    pub(crate) fn prefetch_neighbours(&self) {
        self.starts.prefetch(0..self.starts.len());
        self.ids.prefetch(2 * self.padded() + 4 * self.edges as usize..self.ids.len());
    }

    /// Asks for the memory of what belongs to edges and faces ahead of its use.
    #[inline(always)]
    pub(crate) fn prefetch_edges(&self) {
        self.ids.prefetch(0..2 * self.padded() + 4 * self.edges as usize);
    }

    /// What they take on the heap.
    pub(super) fn bytes(&self) -> usize {
        self.ids.bytes() + self.starts.bytes()
    }
}

/// The hull's faces, those with three corners first, and how many these are.
fn triangles_first(hull: &Hull) -> (Vec<u32>, usize) {
    let is_triangle = |face: &u32| hull.face(*face as usize).len() == 3;
    let faces = 0..hull.face_count() as u32;
    let mut order = Vec::with_capacity(faces.len());
    order.extend(faces.clone().filter(is_triangle));
    let triangles = order.len();
    if triangles < faces.len() {
        order.extend(faces.filter(|face| !is_triangle(face)));
    }
    (order, triangles)
}
