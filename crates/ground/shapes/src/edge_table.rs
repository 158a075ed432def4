//! All edges of a face set, each with the half-edges that run along it. Vertices at the same place count as one.

use crate::FaceSet;
use crate::point_index::first_at_same_place;
use std::ops::Range;

/// Half-edges sorted by the edge they lie on. A half-edge is a corner of [`FaceSet::corners`] and runs to the next corner of
/// its face. Collapsed faces (fewer than three distinct places) and edges of length zero are left out.
pub(crate) struct EdgeTable {
    /// First vertex at the same place, per vertex; `None` when all places differ.
    pub(crate) place: Option<Vec<u32>>,
    /// (larger end << 32 | half-edge), sorted within the bucket of the smaller end.
    entries: Vec<u64>,
    /// Edge `e` has `entries[edges[e]..edges[e + 1]]`.
    edges: Vec<u32>,
    pub(crate) collapsed: Vec<u32>,
}

impl EdgeTable {
    pub(crate) fn new(faces: &FaceSet) -> Self {
        let mut table = EdgeTable {
            place: first_at_same_place(faces.vertices()),
            entries: Vec::new(),
            edges: vec![0],
            collapsed: Vec::new(),
        };
        // Counting sort by the smaller end, then each (small) bucket by the larger end.
        let mut starts = vec![0_u32; faces.vertices().len() + 1];
        let mut collapsed = Vec::new();
        for face in 0..faces.face_count() {
            if table.is_collapsed(faces.face(face)) {
                collapsed.push(face as u32);
            } else {
                table.sides(faces, face).for_each(|(low, _, _)| starts[low as usize + 1] += 1);
            }
        }
        table.collapsed = collapsed;
        for v in 1..starts.len() {
            starts[v] += starts[v - 1];
        }
        let mut entries = vec![0_u64; starts.last().map_or(0, |&end| end as usize)];
        let mut fill = starts.clone();
        let mut skip = table.collapsed.iter().copied().peekable();
        for face in 0..faces.face_count() {
            if skip.next_if_eq(&(face as u32)).is_some() {
                continue;
            }
            for (low, high, half_edge) in table.sides(faces, face) {
                let slot = &mut fill[low as usize];
                entries[*slot as usize] = u64::from(high) << 32 | u64::from(half_edge);
                *slot += 1;
            }
        }
        for bucket in starts.windows(2).map(|w| w[0] as usize..w[1] as usize) {
            entries[bucket.clone()].sort_unstable();
            for i in bucket.clone() {
                if i + 1 == bucket.end || entries[i] >> 32 != entries[i + 1] >> 32 {
                    table.edges.push(i as u32 + 1);
                }
            }
        }
        table.entries = entries;
        table
    }

    /// The vertex that stands for the place of `vertex`.
    #[inline]
    pub(crate) fn place(&self, vertex: u32) -> u32 {
        self.place.as_ref().map_or(vertex, |place| place[vertex as usize])
    }

    pub(crate) fn edge_count(&self) -> usize {
        self.edges.len() - 1
    }

    /// The half-edges along edge `e`, ascending.
    pub(crate) fn half_edges(&self, e: usize) -> impl ExactSizeIterator<Item = u32> + Clone + '_ {
        let range: Range<usize> = self.edges[e] as usize..self.edges[e + 1] as usize;
        self.entries[range].iter().map(|&entry| entry as u32)
    }

    /// (smaller end, larger end, half-edge) of each side of a face that has a length.
    fn sides<'a>(&'a self, faces: &'a FaceSet, face: usize) -> impl Iterator<Item = (u32, u32, u32)> + 'a {
        let range = faces.corner_range(face);
        let corners = &faces.corners()[range.clone()];
        corners.iter().enumerate().filter_map(move |(i, &from)| {
            let to = corners[if i + 1 == corners.len() { 0 } else { i + 1 }];
            let (a, b) = (self.place(from), self.place(to));
            (a != b).then_some((a.min(b), a.max(b), (range.start + i) as u32))
        })
    }

    fn is_collapsed(&self, corners: &[u32]) -> bool {
        if let [a, b, c] = *corners {
            let [a, b, c] = [a, b, c].map(|v| self.place(v));
            return a == b || b == c || c == a;
        }
        let first = self.place(corners[0]);
        let mut others = corners.iter().map(|&v| self.place(v)).filter(|&v| v != first);
        let second = others.next();
        second.is_none() || others.all(|v| Some(v) == second)
    }
}
