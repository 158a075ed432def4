//! Pieces of a body's faces that hang together.

use super::Mesh;
use kontakt_shapes::DisjointSets;

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
