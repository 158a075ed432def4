//! Half-edge view of a face set, joined as far as the data allow.

use crate::FaceSet;
use crate::edge_table::EdgeTable;

const NONE: u32 = u32::MAX;

/// Which way round the faces use an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct EdgeCounts {
    /// Edges in all; vertices at the same place count as one.
    pub all: usize,
    /// With one face only.
    pub boundary: usize,
    /// With more than two faces.
    pub non_manifold: usize,
    /// With two faces that run along it in the same direction.
    pub inconsistent: usize,
    /// With an odd number of faces.
    pub odd: usize,
    /// With more faces in one direction than in the other.
    pub unbalanced: usize,
}

/// Half-edge `h` is the corner `h` of [`FaceSet::corners`] and runs to the next corner of its face. Two are twins when they
/// are the only two along their edge and run in opposite directions; vertices at the same place count as one, and collapsed
/// faces (fewer than three distinct places) take no part.
pub struct HalfEdges<'a> {
    faces: &'a FaceSet,
    twins: Vec<u32>,
    counts: EdgeCounts,
}

impl<'a> HalfEdges<'a> {
    /// Joins what can be joined. O(n log n) at worst, linear in practice.
    pub fn new(faces: &'a FaceSet) -> Self {
        Self::from_table(faces, &EdgeTable::new(faces))
    }

    pub(crate) fn from_table(faces: &'a FaceSet, table: &EdgeTable) -> Self {
        let mut view = HalfEdges {
            faces,
            twins: vec![NONE; faces.corners().len()],
            counts: EdgeCounts { all: table.edge_count(), ..EdgeCounts::default() },
        };
        for e in 0..table.edge_count() {
            let along = table.half_edges(e);
            // The sides of the edge are told apart by the place their first corner stands for.
            let place = |h: u32| table.place(faces.corners()[h as usize]);
            let first = along.clone().next().map(place);
            let same = along.clone().filter(|&h| Some(place(h)) == first).count();
            let all = along.len();
            let counts = &mut view.counts;
            counts.boundary += usize::from(all == 1);
            counts.non_manifold += usize::from(all > 2);
            counts.inconsistent += usize::from(all == 2 && same == 2);
            counts.odd += all % 2;
            counts.unbalanced += usize::from(2 * same != all);
            if all == 2 && same == 1 {
                let mut along = along;
                if let (Some(a), Some(b)) = (along.next(), along.next()) {
                    view.twins[a as usize] = b;
                    view.twins[b as usize] = a;
                }
            }
        }
        view
    }

    /// How many half-edges.
    pub fn len(&self) -> usize {
        self.twins.len()
    }

    /// Never: a face set has a face.
    pub fn is_empty(&self) -> bool {
        self.twins.is_empty()
    }

    /// What kinds of edges there are.
    pub fn counts(&self) -> EdgeCounts {
        self.counts
    }

    /// The half-edge on the other side, if there is exactly one and it runs the other way.
    ///
    /// # Panics
    /// If there is no half-edge `h`, as indexing a slice does; likewise the walks below.
    #[inline]
    pub fn twin(&self, h: usize) -> Option<usize> {
        let twin = self.twins[h];
        (twin != NONE).then_some(twin as usize)
    }

    /// The half-edge after `h` round its face.
    #[inline]
    pub fn next(&self, h: usize) -> usize {
        let range = self.faces.corner_range(self.face(h));
        if h + 1 == range.end { range.start } else { h + 1 }
    }

    /// The half-edge before `h` round its face.
    #[inline]
    pub fn previous(&self, h: usize) -> usize {
        let range = self.faces.corner_range(self.face(h));
        if h == range.start { range.end - 1 } else { h - 1 }
    }

    /// The vertex where `h` starts.
    #[inline]
    pub fn origin(&self, h: usize) -> u32 {
        self.faces.corners()[h]
    }

    /// The vertex where `h` ends.
    #[inline]
    pub fn target(&self, h: usize) -> u32 {
        self.origin(self.next(h))
    }

    /// The face that `h` runs round.
    #[inline]
    pub fn face(&self, h: usize) -> usize {
        self.faces.face_of_corner(h)
    }

    /// The faces across the sides of `face`, in the order of its corners; `None` where nothing is joined.
    pub fn neighbours(&self, face: usize) -> impl Iterator<Item = Option<usize>> + '_ {
        self.faces.corner_range(face).map(|h| self.twin(h).map(|twin| self.face(twin)))
    }
}
