//! Report of what a face set has and what it lacks.

use crate::FaceSet;
use crate::components::Components;
use crate::edge_table::EdgeTable;
use crate::half_edge::{EdgeCounts, HalfEdges};
use crate::polygon::proper_view;
use kontakt_math::DVec3;
use std::convert::Infallible;

/// What there is and what is missing. Decided exactly for the doubles given; vertices at the same place (−0 equals 0) count
/// as one, so that a body written triangle by triangle can be closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topology {
    /// Edges by kind.
    pub edges: EdgeCounts,
    /// Faces without area, ascending: all corners on one line.
    pub degenerate_faces: Vec<u32>,
    /// Faces with the corners of an earlier face, in whatever order, ascending.
    pub duplicate_faces: Vec<u32>,
    /// Vertices at the place of an earlier vertex.
    pub duplicate_vertices: usize,
    /// Vertices that no face uses.
    pub isolated_vertices: usize,
    /// Connected pieces; see [`Components`].
    pub components: usize,
    /// Whether every edge has an even number of faces, all or those with an area (and there is an edge): inside and outside are defined.
    pub closed: bool,
    /// Whether every edge is used equally often in both directions: a volume is defined, up to sign.
    pub oriented: bool,
    /// Used places − edges + faces, collapsed faces not counted.
    pub euler_characteristic: i64,
}

impl Topology {
    /// Looks at everything once.
    pub fn of(faces: &FaceSet) -> Self {
        let never = || Ok::<(), Infallible>(());
        match Topology::in_steps(faces, never) {
            Ok(topology) => topology,
            Err(never) => match never {},
        }
    }

    /// The same, given up between its steps when `go_on` says so. Each of them takes time in proportion to the faces.
    pub fn in_steps<E>(faces: &FaceSet, go_on: impl Fn() -> Result<(), E>) -> Result<Self, E> {
        let table = EdgeTable::new(faces);
        go_on()?;
        let edges = HalfEdges::from_table(faces, &table).counts();
        go_on()?;
        let usage = VertexUsage::of(faces, &table);
        let solid_faces = faces.face_count() - table.collapsed.len();
        let degenerate_faces = degenerate(faces);
        go_on()?;
        let duplicate_faces = duplicates(faces, &table);
        go_on()?;
        let components = Components::from_table(faces, &table).count;
        Ok(Topology {
            edges,
            degenerate_faces,
            duplicate_faces,
            duplicate_vertices: usage.duplicate,
            isolated_vertices: usage.isolated,
            components,
            closed: is_closed(faces, edges),
            oriented: edges.all > 0 && edges.unbalanced == 0,
            euler_characteristic: signed(usage.used_places) - signed(edges.all) + signed(solid_faces),
        })
    }
}

/// Counts are below 2^32 each, ids being 32 bits wide; the sum of a few fits easily.
fn signed(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

struct VertexUsage {
    duplicate: usize,
    isolated: usize,
    used_places: usize,
}

impl VertexUsage {
    fn of(faces: &FaceSet, table: &EdgeTable) -> Self {
        let mut used = vec![false; faces.vertices().len()];
        faces.corners().iter().for_each(|&corner| used[corner as usize] = true);
        let isolated = used.iter().filter(|&&u| !u).count();
        let duplicate = table.place.as_ref().map_or(0, |place| {
            place.iter().enumerate().filter(|&(vertex, &first)| vertex as u32 != first).count()
        });
        // Places that only collapsed faces touch belong to no face that counts.
        used.fill(false);
        let mut skip = table.collapsed.iter().copied().peekable();
        for face in 0..faces.face_count() {
            if skip.next_if_eq(&(face as u32)).is_none() {
                faces.face(face).iter().for_each(|&corner| used[table.place(corner) as usize] = true);
            }
        }
        VertexUsage { duplicate, isolated, used_places: used.iter().filter(|&&u| u).count() }
    }
}

/// Whether a triangle has an area: exact.
pub fn has_area([a, b, c]: [DVec3; 3]) -> bool {
    a != b && b != c && c != a && proper_view(a, b, c).is_some()
}

/// Whether every edge has an even number of faces, all of them or those with an area: either way rays cross faces an even number of times
/// from outside to outside. A triangle of three points of an edge, which some programs leave behind, opens no solid; triangles of
/// such points that close a crack between long and short edges close it.
pub fn is_closed(faces: &FaceSet, edges: EdgeCounts) -> bool {
    if edges.all == 0 || edges.odd == 0 {
        return edges.all > 0;
    }
    let count = faces.triangles().len();
    let area = |face: &usize| has_area(faces.triangle_points(*face));
    let proper: Vec<[u32; 3]> = (0..count).filter(area).map(|face| faces.triangles()[face]).collect();
    if proper.is_empty() || proper.len() == count {
        return false;
    }
    let proper = FaceSet::from_triangles(faces.vertices().to_vec(), proper);
    proper.is_ok_and(|faces| HalfEdges::new(&faces).counts().odd == 0)
}

/// Faces all of whose corners lie on one line, decided exactly.
fn degenerate(faces: &FaceSet) -> Vec<u32> {
    let flat = |&face: &u32| {
        let corners = faces.face(face as usize);
        let at = |i: usize| faces.vertices()[corners[i] as usize];
        if corners.len() == 3 {
            return !has_area([at(0), at(1), at(2)]);
        }
        let Some(second) = (1..corners.len()).find(|&i| at(i) != at(0)) else { return true };
        (second + 1..corners.len()).all(|i| proper_view(at(0), at(second), at(i)).is_none())
    };
    (0..faces.face_count() as u32).filter(flat).collect()
}

/// Every face with the same corners as an earlier one, ascending.
fn duplicates(faces: &FaceSet, table: &EdgeTable) -> Vec<u32> {
    let mut sorted: Vec<u32> = faces.corners().iter().map(|&corner| table.place(corner)).collect();
    // Counting sort by smallest corner, then compare within the (small) buckets.
    let mut starts = vec![0_u32; faces.vertices().len() + 1];
    for face in 0..faces.face_count() {
        let corners = &mut sorted[faces.corner_range(face)];
        corners.sort_unstable();
        starts[corners[0] as usize + 1] += 1;
    }
    for v in 1..starts.len() {
        starts[v] += starts[v - 1];
    }
    let mut order = vec![0_u32; faces.face_count()];
    let mut fill = starts.clone();
    for face in 0..faces.face_count() {
        let slot = &mut fill[sorted[faces.corner_range(face).start] as usize];
        order[*slot as usize] = face as u32;
        *slot += 1;
    }
    let corners = |face: u32| &sorted[faces.corner_range(face as usize)];
    let mut copies = Vec::new();
    for ends in starts.windows(2) {
        let bucket = &mut order[ends[0] as usize..ends[1] as usize];
        bucket.sort_unstable_by(|&a, &b| corners(a).cmp(corners(b)).then(a.cmp(&b)));
        for same in bucket.chunk_by(|&a, &b| corners(a) == corners(b)) {
            copies.extend_from_slice(&same[1..]);
        }
    }
    copies.sort_unstable();
    copies
}
