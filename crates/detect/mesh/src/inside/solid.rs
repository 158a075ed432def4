//! What makes faces a solid.

use crate::mesh::Mesh;
use crate::relation::untouched_pieces;
use kontakt_shapes::point_index::first_at_same_place;
use kontakt_shapes::{FaceSet, HalfEdges, MassProperties};
use std::sync::OnceLock;

/// Facts about a body's faces that only some queries need.
#[derive(Clone, Debug)]
pub(crate) struct Solid {
    /// Every edge has an even number of faces, and there is an edge.
    pub(crate) closed: bool,
    /// −1 when the signed volume says that the faces are turned inward, else 1.
    pub(crate) outward: f64,
    /// First vertex at the same place, per vertex; `None` when all places differ.
    places: Option<Vec<u32>>,
    pieces: OnceLock<Vec<Vec<u32>>>,
}

impl Solid {
    pub(crate) fn of(faces: &FaceSet) -> Solid {
        let counts = HalfEdges::new(faces).counts();
        Solid {
            closed: counts.all > 0 && counts.odd == 0,
            outward: if MassProperties::of(faces).volume < 0.0 { -1.0 } else { 1.0 },
            places: first_at_same_place(faces.vertices()),
            pieces: OnceLock::new(),
        }
    }

    /// The vertex that stands for the place of `vertex`.
    pub(crate) fn place(&self, vertex: u32) -> u32 {
        self.places.as_ref().map_or(vertex, |places| places[vertex as usize])
    }

    /// The faces grouped by common vertices; `mesh` is the body these facts are about.
    pub(crate) fn pieces(&self, mesh: &Mesh) -> &[Vec<u32>] {
        self.pieces.get_or_init(|| untouched_pieces(mesh, |_| false))
    }
}
