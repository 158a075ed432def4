//! Where two bodies meet.

use crate::body::{Body, Family, Placed};
use crate::query::Query;
use kontakt_answers::{Contact, Feature};
use kontakt_mesh::{FaceContact, FacePair};

impl Query {
    /// Where the bodies meet, or come as near as `gap` (≥ 0).
    ///
    /// | bodies | contacts |
    /// |---|---|
    /// | convex, convex | the points of their manifold; depths along one normal |
    /// | mesh, convex | the points of the manifold of each triangle and part, by their numbers |
    /// | mesh, mesh | of each region that solids have in common the deepest point and up to three corners; one to four points of each patch where faces meet, at depth 0; of bodies without a common interior the local minima of their distance up to `gap`: corners over faces and edges across edges (see [`MeshQuery::contacts`](kontakt_mesh::MeshQuery::contacts)) |
    ///
    /// Features are vertices and edges by the numbers of the mesh and faces of the file. Those of curved bodies are their faces; contacts
    /// are those of their triangles.
    pub fn contacts(&mut self, a: Placed, b: Placed, gap: f64) -> Vec<Contact> {
        let named = |found: FaceContact| {
            let is_curved = |body: &Body| matches!(body, Body::Curved(_));
            with_faces_where(found, a.body, b.body, is_curved)
        };
        self.met(a, b, gap).into_iter().map(named).collect()
    }

    /// The same, with the file's faces for all features of meshes.
    pub(crate) fn contacts_of_faces(&mut self, a: Placed, b: Placed, gap: f64) -> Vec<Contact> {
        let named = |found: FaceContact| with_faces_where(found, a.body, b.body, |_| true);
        self.met(a, b, gap).into_iter().map(named).collect()
    }

    fn met(&mut self, a: Placed, b: Placed, gap: f64) -> Vec<FaceContact> {
        match (a.family(), b.family()) {
            (Family::Mesh(x), Family::Mesh(y)) => self.faces.contacts(x, y, gap),
            (Family::Mesh(x), Family::Convex(y)) => self.mesh_and_shape.contacts(x, y, gap),
            (Family::Convex(_), Family::Mesh(_)) => {
                let swapped = |found: FaceContact| FaceContact {
                    contact: found.contact.swapped(),
                    triangles: found.triangles.map(FacePair::swapped),
                };
                self.met(b, a, gap).into_iter().map(swapped).collect()
            }
            (Family::Convex(a), Family::Convex(b)) => {
                let alone = |contact| FaceContact { contact, triangles: None };
                self.convex.manifold(a, b, gap).contacts.into_iter().map(alone).collect()
            }
        }
    }
}

/// A contact with the file's faces for features, of bodies for which that is asked; others keep theirs.
fn with_faces_where(found: FaceContact, a: &Body, b: &Body, by_face: impl Fn(&Body) -> bool) -> Contact {
    let named = |own: Option<Feature>, body: &Body, triangle: Option<u32>| match triangle {
        Some(triangle) if by_face(body) => body.face_of_triangle(triangle).or(own),
        _ => own,
    };
    let triangles = found.triangles;
    Contact {
        feature_a: named(found.contact.feature_a, a, triangles.map(|pair| pair.a)),
        feature_b: named(found.contact.feature_b, b, triangles.map(|pair| pair.b)),
        ..found.contact
    }
}
