//! The boxes of a body's patches, and what is known of its whole faces.

use crate::coaxial::Round;
use crate::patch::{Carrier, Patch};
use crate::tree::Tree;
use kontakt_math::DVec3;
use kontakt_mesh::Mesh;

/// A tree over patches.
#[derive(Debug)]
pub(crate) struct Patches {
    pub(crate) tree: Tree,
    /// The patches themselves, as the tree's leaves number them.
    pub(crate) leaves: Vec<Patch>,
    /// No coordinate is larger.
    pub(crate) reach: f64,
    /// Faces on cylinders, spheres and planes; none for other faces and for meshes.
    pub(crate) round: Vec<Option<Round>>,
}

impl Patches {
    /// Of the triangles of a boundary and then of its pieces about poles. What the true surface has of a patch is within its box.
    pub(crate) fn of_carrier(on: Carrier) -> Patches {
        let made = on.made;
        let count = made.triangles.len() + made.pinched.len();
        let leaves: Vec<Patch> = (0..count).map(|leaf| Patch::of(on, leaf)).collect();
        let reach = |patch: &Patch| DVec3::from(DVec3::AXES.map(|axis| patch.reach_along(axis, on)));
        let boxes: Vec<[DVec3; 2]> = leaves.iter().map(|patch| grown(patch, reach(patch))).collect();
        let of_face = |face: usize| {
            let triangles = (0..made.triangles.len()).filter(move |&k| made.faces[k] as usize == face);
            triangles.flat_map(|k| made.corners(k))
        };
        let off = made.chord_deviation * 2.0 + made.gap;
        let round = (0..made.domains.len()).map(|face| {
            let (curves, circles) = (on.brep.curves_about(face), on.brep.circles_about(face));
            Round::of(&made.domains[face], &curves, &circles, of_face(face), off)
        });
        Patches { round: round.collect(), ..Patches::new(leaves, &boxes) }
    }

    pub(crate) fn of_mesh(mesh: &Mesh) -> Patches {
        let triangles = 0..mesh.faces().triangles().len();
        Patches::flat(triangles.map(|k| Patch::flat(corners(mesh, k), k as u32)).collect())
    }

    /// Of the stretch between two points.
    pub(crate) fn of_segment([from, to]: [DVec3; 2]) -> Patches {
        Patches::flat(vec![Patch::flat([from, to, to], 0)])
    }

    fn flat(leaves: Vec<Patch>) -> Patches {
        let boxes: Vec<[DVec3; 2]> = leaves.iter().map(|patch| grown(patch, DVec3::ZERO)).collect();
        Patches::new(leaves, &boxes)
    }

    fn new(leaves: Vec<Patch>, boxes: &[[DVec3; 2]]) -> Patches {
        let reach = boxes.iter().flatten().fold(0.0, |reach: f64, x| reach.max(x.abs().max_element()));
        Patches { tree: Tree::new(boxes), leaves, reach, round: Vec::new() }
    }
}

/// The corners of a triangle of a mesh.
fn corners(mesh: &Mesh, triangle: usize) -> [DVec3; 3] {
    mesh.faces().triangles()[triangle].map(|id| mesh.faces().vertices()[id as usize])
}

fn grown(patch: &Patch, by: DVec3) -> [DVec3; 2] {
    let [a, b, c] = patch.corners;
    [a.min(b).min(c) - by, a.max(b).max(c) + by]
}
