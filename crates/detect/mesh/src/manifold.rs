//! Where two meshes meet: points, normals, depths, and what of each body is there.
//!
//! | bodies | contacts |
//! |---|---|
//! | solids with a common interior | of each region of it the point that lies deepest, and up to three corners of either body in it, spread out: the depth is the distance from there to the other surface (`sunk`) |
//! | with common points | one to four points of each patch, at depth 0 |
//! | apart, or touching elsewhere | where the distance of the surfaces has a local minimum no larger than the gap asked for: corners over faces, edges across edges (`near`) |
//!
//! **Certified** are depths. Normals are rounded, and so is which of several features that meet at a place is named.

mod near;
mod sunk;

use crate::asker::MeshQuery;
use crate::face::Between;
use crate::face_pair::FacePair;
use crate::mesh::PlacedMesh;
use crate::overlap::{Enough, NARROW};
use crate::patch::Patch;
use crate::relation::RelationOptions;
use crate::space::Space;
use kontakt_answers::Contact;
use kontakt_math::DVec3;

/// A contact of two meshes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FaceContact {
    /// Where, which way, how deep, and what of each body: vertices and edges by the numbers of the mesh, faces by those of the file.
    pub contact: Contact,
    /// A triangle of each body that the points are on; `None` for a pair of which no more is known than its depth: then the points are one
    /// inside both, on neither surface, and the depth is the least translation that frees the bodies.
    pub triangles: Option<FacePair>,
}

impl MeshQuery {
    /// Where two meshes meet, or come as near to each other as `gap` (≥ 0). None where the asker's limits ended the search.
    ///
    /// Of solids with a common interior, for each region of it, the deepest first: the point of a surface that lies deepest in the other
    /// body and up to three corners, spread out; the **certified** depth is how far the place is from the other surface. Of bodies with
    /// common points: one to four points of each [patch](MeshQuery::patches), at depth 0. Of those without a common interior: all places
    /// where the distance of the surfaces has a local minimum of at most `gap`, so of faces that lie before each other the corners of
    /// what they have in common; the depth is minus the **certified** distance.
    pub fn contacts(&mut self, a: PlacedMesh, b: PlacedMesh, gap: f64) -> Vec<FaceContact> {
        let options = RelationOptions { depth_effort: None, kind: false, ..RelationOptions::default() };
        let (report, touching) = self.relation_of(a, b, &options);
        let Some(touching) = touching else { return Vec::new() };
        let mut found = Vec::new();
        if report.solids {
            match self.overlap_of(a, b, &touching, Enough { narrow: NARROW, depth: 0.0 }) {
                Ok(overlap) => found = sunk::contacts(a, b, &overlap.regions),
                Err(_) => found.extend(self.of_the_pair(a, b, &touching.pairs)),
            }
        }
        let patches = self.patches_of(a, b, &touching).unwrap_or_default();
        found.extend(patches.iter().flat_map(|patch| of_patch(a, b, patch)));
        if gap > 0.0 && !report.solids {
            let space = Space::new(Between::new(a.pose, b.pose), a.mesh, b.mesh);
            let known = found.len();
            for contact in near::contacts(self, &space, [a, b], gap) {
                if found[..known].iter().all(|other| !is_same_place(&contact, other)) {
                    found.push(contact);
                }
            }
        }
        found
    }

    /// The depth of the pair, where no more can be told.
    fn of_the_pair(&mut self, a: PlacedMesh, b: PlacedMesh, pairs: &[FacePair]) -> Option<FaceContact> {
        let effort = RelationOptions::default().depth_effort?;
        let depth = self.depth_of(a, b, pairs, effort, self.deadline)?;
        let contact = Contact {
            point_a: depth.deepest,
            point_b: depth.deepest,
            normal: depth.push.normalize_or(DVec3::X),
            depth: depth.range,
            feature_a: None,
            feature_b: None,
        };
        Some(FaceContact { contact, triangles: None })
    }
}

/// The points of a patch.
fn of_patch(a: PlacedMesh, b: PlacedMesh, patch: &Patch) -> Vec<FaceContact> {
    let named = |(contact, &pair): (&Contact, &FacePair)| {
        let feature = |body: PlacedMesh, triangle: u32| {
            let (place, _) = body.to_body(contact.point_a)?;
            Some(body.mesh.feature_at(triangle, place))
        };
        let (feature_a, feature_b) = (feature(a, pair.a), feature(b, pair.b));
        FaceContact { contact: Contact { feature_a, feature_b, ..*contact }, triangles: Some(pair) }
    };
    patch.contacts.iter().zip(&patch.triangles).map(named).collect()
}

/// Whether two contacts are one, to rounding.
fn is_same_place(x: &FaceContact, y: &FaceContact) -> bool {
    /// Parts of the coordinates.
    const NEAR: f64 = 1e-9;
    let [p, q] = [x, y].map(|found| found.contact.point_a);
    p.distance(q) <= NEAR * p.abs().max(q.abs()).max_element()
        && (x.contact.depth.lo() - y.contact.depth.lo()).abs() <= NEAR * p.abs().max_element()
}
