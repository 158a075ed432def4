//! Pieces of a body's faces that hang together.

use super::spot::Space;
use crate::mesh::Mesh;
use kontakt_answers::Side;
use kontakt_math::DVec3;
use kontakt_shapes::DisjointSets;
use kontakt_shapes::point_index::first_at_same_place;

/// The faces for which `touched` is false, grouped by common vertices (places): each group hangs together and its faces
/// have no point in common with whatever touches the others. Groups by their first face, faces ascending.
pub(crate) fn untouched_pieces(mesh: &Mesh, touched: impl Fn(u32) -> bool) -> Vec<Vec<u32>> {
    let triangles = mesh.faces().triangles();
    let solid = mesh.solid();
    let mut sets = DisjointSets::new(mesh.faces().vertices().len());
    let free = || (0..triangles.len() as u32).filter(|&face| !touched(face));
    for face in free() {
        let [a, b, c] = triangles[face as usize].map(|v| solid.place(v));
        sets.join(a, b);
        sets.join(b, c);
    }
    let mut number = vec![u32::MAX; mesh.faces().vertices().len()];
    let mut pieces: Vec<Vec<u32>> = Vec::new();
    for face in free() {
        let root = sets.root(solid.place(triangles[face as usize][0]));
        let piece = &mut number[root as usize];
        if *piece == u32::MAX {
            *piece = pieces.len() as u32;
            pieces.push(Vec::new());
        }
        pieces[*piece as usize].push(face);
    }
    pieces
}

/// Whether two bodies have the very same triangles, in whatever order, where B's points map exactly to doubles: a quick proof
/// that they are one set. `false` proves nothing.
pub(crate) fn same_faces(space: &Space, pairs: usize) -> bool {
    let [a, b] = [Side::A, Side::B].map(|side| space.mesh(side).faces());
    // Every triangle of such bodies at least touches itself.
    if a.triangles().len() != b.triangles().len() || pairs < a.triangles().len() {
        return false;
    }
    if b.vertices().iter().any(|&x| space.between.error_at(x) != 0.0) {
        return false;
    }
    let images = b.vertices().iter().map(|&x| space.between.b_in_a(x));
    let points: Vec<DVec3> = a.vertices().iter().copied().chain(images).collect();
    let Some(place) = first_at_same_place(&points) else { return false };
    let sorted = |triangles: &[[u32; 3]], first: usize| {
        let mut list: Vec<[u32; 3]> = triangles
            .iter()
            .map(|triangle| {
                let mut corners = triangle.map(|v| place[v as usize + first]);
                corners.sort_unstable();
                corners
            })
            .collect();
        list.sort_unstable();
        list
    };
    sorted(a.triangles(), 0) == sorted(b.triangles(), a.vertices().len())
}
