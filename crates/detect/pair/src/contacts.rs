//! Where two bodies meet.

use crate::body::{Family, Placed};
use crate::curved::with_faces;
use crate::query::{Query, verdict_of};
use crate::relation::direction;
use kontakt_answers::Contact;
use kontakt_convex::Verdict;
use kontakt_mesh::{self as mesh, RelationOptions};

impl Query {
    /// Where the bodies meet, or come as near as `gap` (≥ 0) where one of them is convex.
    ///
    /// | bodies | contacts |
    /// |---|---|
    /// | convex, convex | the points of their manifold; depths along one normal |
    /// | mesh, convex | the points of the manifold of each triangle and part, by their numbers, with the face of the file |
    /// | mesh, mesh | a point deep inside both solids that overlap, with the depth of the pair (no point of their surfaces); one to four points of each patch where faces meet, at depth 0 |
    ///
    /// Those of curved bodies are those of their triangles, with faces of the bodies as features; depths are of the triangles.
    pub fn contacts(&mut self, a: Placed, b: Placed, gap: f64) -> Vec<Contact> {
        let named = |contacts: Vec<Contact>| {
            contacts.into_iter().map(|contact| with_faces(contact, a.body, b.body)).collect()
        };
        match (a.family(), b.family()) {
            (Family::Mesh(x), Family::Mesh(y)) => named(self.contacts_of_meshes(x, y)),
            (Family::Mesh(x), Family::Convex(y)) => named(self.mesh_and_shape.contacts(x, y, gap)),
            (Family::Convex(_), Family::Mesh(_)) => {
                self.contacts(b, a, gap).into_iter().map(Contact::swapped).collect()
            }
            (Family::Convex(a), Family::Convex(b)) => self.convex.manifold(a, b, gap).contacts,
        }
    }

    fn contacts_of_meshes(&mut self, a: mesh::PlacedMesh, b: mesh::PlacedMesh) -> Vec<Contact> {
        let (report, patches) = self.faces.relation_and_patches(a, b, &RelationOptions::default());
        let deepest = report.depth.filter(|_| verdict_of(&report.exact) == Verdict::Overlapping);
        let deepest = deepest.map(|depth| Contact {
            point_a: depth.deepest,
            point_b: depth.deepest,
            normal: direction(&depth),
            depth: depth.range,
            feature_a: None,
            feature_b: None,
        });
        let of_patches = patches.unwrap_or_default().into_iter().flat_map(|patch| patch.contacts);
        deepest.into_iter().chain(of_patches).collect()
    }
}
