//! Where the nearest face changes: planes along which pieces are cut, so that one face is the nearest to all of a part.

use super::outward;
use crate::mesh::Mesh;
use kontakt_math::DVec3;

/// All points x with normal·x = offset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    /// A unit vector, to rounding.
    pub(super) normal: DVec3,
    pub(super) offset: f64,
}

/// A piece by what is known of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    /// The face nearest to its middle.
    pub(super) nearest: u32,
    /// The corner farthest from that face.
    pub(super) farthest: DVec3,
    /// The face nearest to that corner.
    pub(super) nearest_there: u32,
}

impl Seen {
    /// Planes along which to cut the piece, the first that parts it being the best: that of points as far from the one face as from the
    /// other, then those through the side of either face beyond which the farthest corner, or the piece's middle, is.
    ///
    /// One is not enough: a corner on the ridge between two faces is on the plane between them, whichever of the faces that meet there is
    /// told as the nearest. Only cuts at the ends of a face bring a long piece on then; halves would take one for each digit.
    pub(super) fn planes(&self, mesh: &Mesh, middle: DVec3) -> impl Iterator<Item = Plane> {
        let vertices = mesh.faces().vertices();
        let corners = outward::turns(mesh).map(|turns| {
            [self.nearest, self.nearest_there]
                .map(|face| outward::corners(mesh, turns, face).map(|v| vertices[v as usize]))
        });
        let differ = self.nearest != self.nearest_there;
        let farthest = self.farthest;
        corners.into_iter().flat_map(move |[face, there]| {
            let first = if differ { between(face, there) } else { None };
            let last = if differ { beside(there, middle) } else { None };
            first.into_iter().chain(beside(face, farthest)).chain(last)
        })
    }
}

/// The plane through the side of a face beyond which a point is the farthest; none where it is above the face.
fn beside(face: [DVec3; 3], point: DVec3) -> Option<Plane> {
    let normal = unit_normal(face)?;
    let sides = (0..3).filter_map(|k| {
        let out = (face[(k + 1) % 3] - face[k]).cross(normal).try_normalize()?;
        Some(((point - face[k]).dot(out), out, face[k]))
    });
    let (beyond, out, on) = sides.max_by(|p, q| p.0.total_cmp(&q.0))?;
    (beyond > 0.0).then_some(Plane { normal: out, offset: out.dot(on) })
}

/// All points as far behind the one face's plane as behind the other's; none for faces of one plane.
fn between(face: [DVec3; 3], other: [DVec3; 3]) -> Option<Plane> {
    let (n, m) = (unit_normal(face)?, unit_normal(other)?);
    let across = (n - m).try_normalize().filter(|_| n.dot(m) < 0.999_999)?;
    let offset = (n.dot(face[0]) - m.dot(other[0])) / (n - m).length();
    Some(Plane { normal: across, offset })
}

/// The unit normal of a triangle, to rounding; none where it has no area.
pub(super) fn unit_normal([a, b, c]: [DVec3; 3]) -> Option<DVec3> {
    (b - a).cross(c - a).try_normalize()
}
