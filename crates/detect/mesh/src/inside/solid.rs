//! What makes faces a solid.

use kontakt_shapes::point_index::first_at_same_place;
use kontakt_shapes::{FaceSet, HalfEdges};

/// Facts about a body's faces that only some queries need.
#[derive(Clone, Debug)]
pub(crate) struct Solid {
    /// Every edge has an even number of faces, and there is an edge.
    pub(crate) closed: bool,
    /// First vertex at the same place, per vertex; `None` when all places differ.
    places: Option<Vec<u32>>,
}

impl Solid {
    pub(crate) fn of(faces: &FaceSet) -> Solid {
        let counts = HalfEdges::new(faces).counts();
        Solid { closed: counts.all > 0 && counts.odd == 0, places: first_at_same_place(faces.vertices()) }
    }

    /// The vertex that stands for the place of `vertex`.
    pub(crate) fn place(&self, vertex: u32) -> u32 {
        self.places.as_ref().map_or(vertex, |places| places[vertex as usize])
    }
}
