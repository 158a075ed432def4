//! Connected pieces of a face set.

use crate::disjoint_sets::DisjointSets;
use crate::edge_table::EdgeTable;
use crate::{FaceList, FaceSet, FaceSetError};

/// The piece that each face belongs to, numbered by first appearance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Components {
    /// Piece of each face.
    pub of_face: Vec<u32>,
    /// How many pieces.
    pub count: usize,
}

impl Components {
    /// Faces hang together across an edge that they share by vertex ids; sides that share no edge so (the file repeats
    /// vertices, at seams or everywhere) hang together by place. So two boxes with a common side but their own vertices stay
    /// two pieces, and triangles with three vertices each still make one body. A collapsed face goes with the first face at
    /// one of its corners.
    pub fn of(faces: &FaceSet) -> Self {
        Self::from_table(faces, &EdgeTable::new(faces))
    }

    pub(crate) fn from_table(faces: &FaceSet, table: &EdgeTable) -> Self {
        let mut sets = DisjointSets::new(faces.face_count());
        let mut around = Vec::new();
        let face_of = (!faces.is_plain_triangles()).then(|| faces_of_corners(faces));
        for e in 0..table.edge_count() {
            around.clear();
            around.extend(table.half_edges(e).map(|h| {
                let face = face_of.as_ref().map_or(h / 3, |face_of| face_of[h as usize]);
                (side(faces, h as usize, face as usize), face)
            }));
            around.sort_unstable();
            let mut alone = None;
            for same in around.chunk_by(|a, b| a.0 == b.0) {
                if let [(_, face)] = same {
                    sets.join(*alone.get_or_insert(*face), *face);
                }
                same.windows(2).for_each(|pair| sets.join(pair[0].1, pair[1].1));
            }
        }
        join_collapsed(faces, table, &mut sets);
        let mut number = vec![u32::MAX; faces.face_count()];
        let mut count = 0;
        let of_face = (0..faces.face_count() as u32)
            .map(|face| {
                let piece = &mut number[sets.root(face) as usize];
                if *piece == u32::MAX {
                    *piece = count;
                    count += 1;
                }
                *piece
            })
            .collect();
        Components { of_face, count: count as usize }
    }

    /// Each piece as a face set of its own, with the vertices it uses in their old order. Source ids count anew.
    pub fn split(&self, faces: &FaceSet) -> Result<Vec<FaceSet>, FaceSetError> {
        let mut order: Vec<u32> = (0..faces.face_count() as u32).collect();
        order.sort_by_key(|&face| self.of_face[face as usize]);
        let mut renumber = Renumber::new(faces.vertices().len());
        order
            .chunk_by(|&a, &b| self.of_face[a as usize] == self.of_face[b as usize])
            .map(|piece| renumber.extract(faces, piece))
            .collect()
    }
}

/// Takes sub-sets out of a face set, reusing its table of new vertex ids.
struct Renumber {
    new_id: Vec<u32>,
}

impl Renumber {
    fn new(vertices: usize) -> Self {
        Renumber { new_id: vec![0; vertices] }
    }

    fn extract(&mut self, faces: &FaceSet, piece: &[u32]) -> Result<FaceSet, FaceSetError> {
        let corners = || piece.iter().flat_map(|&face| faces.face(face as usize).iter().copied());
        let mut used: Vec<u32> = corners().collect();
        used.sort_unstable();
        used.dedup();
        for (new, &old) in used.iter().enumerate() {
            self.new_id[old as usize] = new as u32;
        }
        let mut list = FaceList::with_capacity(piece.len())?;
        let mut renamed = Vec::new();
        for &face in piece {
            renamed.clear();
            renamed.extend(faces.face(face as usize).iter().map(|&v| self.new_id[v as usize]));
            list.push(&renamed)?;
        }
        FaceSet::new(used.iter().map(|&v| faces.vertices()[v as usize]).collect(), list)
    }
}

/// The face of each corner.
fn faces_of_corners(faces: &FaceSet) -> Vec<u32> {
    let mut face_of = Vec::with_capacity(faces.corners().len());
    for face in 0..faces.face_count() {
        face_of.extend(std::iter::repeat_n(face as u32, faces.corner_range(face).len()));
    }
    face_of
}

/// The two vertices of a half-edge of a face, smaller first.
fn side(faces: &FaceSet, half_edge: usize, face: usize) -> [u32; 2] {
    let range = faces.corner_range(face);
    let next = if half_edge + 1 == range.end { range.start } else { half_edge + 1 };
    let [a, b] = [half_edge, next].map(|corner| faces.corners()[corner]);
    [a.min(b), a.max(b)]
}

fn join_collapsed(faces: &FaceSet, table: &EdgeTable, sets: &mut DisjointSets) {
    if table.collapsed.is_empty() {
        return;
    }
    let mut first_at = vec![u32::MAX; faces.vertices().len()];
    let mut skip = table.collapsed.iter().copied().peekable();
    for face in 0..faces.face_count() as u32 {
        if skip.next_if_eq(&face).is_none() {
            for &corner in faces.face(face as usize) {
                let first = &mut first_at[table.place(corner) as usize];
                *first = (*first).min(face);
            }
        }
    }
    for &face in &table.collapsed {
        let around = faces.face(face as usize).iter().map(|&corner| first_at[table.place(corner) as usize]);
        if let Some(first) = around.min().filter(|&first| first != u32::MAX) {
            sets.join(face, first);
        }
    }
}
