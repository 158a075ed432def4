//! Whether two bodies have the very same faces.

use crate::space::Space;
use kontakt_answers::Side;
use kontakt_math::DVec3;
use kontakt_shapes::point_index::first_at_same_place;

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
