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
    /// The plane along which to cut the piece: that of points as far from the one face as from the other, or that through the side of
    /// the face beyond which the farthest corner is.
    pub(super) fn plane(&self, mesh: &Mesh) -> Option<Plane> {
        let turns = outward::turns(mesh)?;
        let vertices = mesh.faces().vertices();
        let corners = |face: u32| outward::corners(mesh, turns, face).map(|v| vertices[v as usize]);
        let face = corners(self.nearest);
        if self.nearest == self.nearest_there {
            return self.beside(face);
        }
        between(face, corners(self.nearest_there)).or_else(|| self.beside(face))
    }

    fn beside(&self, face: [DVec3; 3]) -> Option<Plane> {
        let normal = unit_normal(face)?;
        let sides = (0..3).filter_map(|k| {
            let out = (face[(k + 1) % 3] - face[k]).cross(normal).try_normalize()?;
            Some(((self.farthest - face[k]).dot(out), out, face[k]))
        });
        let (beyond, out, on) = sides.max_by(|p, q| p.0.total_cmp(&q.0))?;
        (beyond > 0.0).then_some(Plane { normal: out, offset: out.dot(on) })
    }
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
