//! The boxes of a body's patches, and what is known of its whole faces.

use crate::brep::Brep;
use crate::coaxial::Round;
use crate::tessellate::Tessellation;
use crate::tree::Tree;
use kontakt_math::DVec3;
use kontakt_mesh::Mesh;

/// A tree over patches.
#[derive(Debug)]
pub(crate) struct Patches {
    pub(crate) tree: Tree,
    /// No coordinate is larger.
    pub(crate) reach: f64,
    /// Faces on cylinders, spheres and planes; none for other faces and for meshes.
    pub(crate) round: Vec<Option<Round>>,
}

impl Patches {
    /// Of the triangles of a boundary and then of its pieces about poles; a patch is within its box, however it is halved.
    pub(crate) fn of_triangles(made: &Tessellation, brep: &Brep) -> Patches {
        let about = |ids: &[u32; 3], deviation: f64| {
            grown(ids.map(|id| made.points[id as usize]), deviation + 2.0 * made.chord_deviation)
        };
        let whole =
            made.triangles.iter().zip(&made.deviations).map(|(ids, deviation)| about(ids, *deviation));
        let pinched = made.pinched.iter().map(|piece| about(&piece.corners, piece.deviation));
        let boxes: Vec<[DVec3; 2]> = whole.chain(pinched).collect();
        let of_face = |face: usize| {
            let triangles = (0..made.triangles.len()).filter(move |&k| made.faces[k] as usize == face);
            triangles.flat_map(|k| made.corners(k))
        };
        let off = made.chord_deviation * 2.0 + made.gap;
        let round = (0..made.domains.len())
            .map(|face| Round::of(&made.domains[face], &brep.curves_about(face), of_face(face), off));
        Patches { round: round.collect(), ..Patches::new(&boxes) }
    }

    pub(crate) fn of_mesh(mesh: &Mesh) -> Patches {
        let boxes: Vec<[DVec3; 2]> =
            (0..mesh.faces().triangles().len()).map(|k| grown(corners(mesh, k), 0.0)).collect();
        Patches::new(&boxes)
    }

    /// Of the stretch between two points.
    pub(crate) fn of_segment([from, to]: [DVec3; 2]) -> Patches {
        Patches::new(&[grown([from, to, to], 0.0)])
    }

    fn new(boxes: &[[DVec3; 2]]) -> Patches {
        let reach = boxes.iter().flatten().fold(0.0, |reach: f64, x| reach.max(x.abs().max_element()));
        Patches { tree: Tree::new(boxes), reach, round: Vec::new() }
    }
}

/// The corners of a triangle of a mesh.
pub(crate) fn corners(mesh: &Mesh, triangle: usize) -> [DVec3; 3] {
    mesh.faces().triangles()[triangle].map(|id| mesh.faces().vertices()[id as usize])
}

fn grown([a, b, c]: [DVec3; 3], by: f64) -> [DVec3; 2] {
    [a.min(b).min(c) - by, a.max(b).max(c) + by]
}
