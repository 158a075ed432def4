//! Whether a point lies inside a body.
//!
//! *Closed* bodies (every edge has an even number of faces) have an exact answer: a point off the faces is inside when a
//! ray from it crosses the faces an odd number of times. By this rule nested shells are cavities, and where a body
//! overlaps itself the common part is outside.
//! *Open* bodies have the generalized winding number (Jacobson, Kavan, Sorkine-Hornung 2013): the solid angle of all faces
//! over 4π, which is near ±1 inside, near 0 outside and changes smoothly across holes.

mod crossing;
mod winding;

use crate::mesh::{Mesh, PlacedMesh};
use crate::solo::Solo;
use crate::space::{self, Space};
use crossing::Crossing;
use kontakt_answers::Side;
use kontakt_math::{Between, DVec3, Pose};

/// Where a point lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Location {
    /// In the interior.
    Inside,
    /// Off the body.
    Outside,
    /// On a face.
    OnBoundary,
    /// The body is open and the winding number is between [`Inside::OPEN_OUTSIDE`] and [`Inside::OPEN_INSIDE`] in size;
    /// or a world point is too close to an open body's face to be mapped back without a doubt; or the point has a
    /// coordinate that is not a number.
    Unclear,
}

/// Where a point lies and how that is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inside {
    /// Exact for closed bodies and for `OnBoundary`; a judgement by the winding number for open ones.
    pub verdict: Location,
    /// The generalized winding number, to rounding: for open bodies only.
    pub winding: Option<f64>,
}

impl Inside {
    /// At most this size of the winding number counts as outside an open body.
    pub const OPEN_OUTSIDE: f64 = 0.25;
    /// At least this size of the winding number counts as inside an open body.
    pub const OPEN_INSIDE: f64 = 0.75;

    fn exactly(verdict: Location) -> Inside {
        Inside { verdict, winding: None }
    }
}

impl Mesh {
    /// Where `point` of the body's frame lies. **Exact** for closed bodies: a ray from it crosses the faces an odd number of times, so nested
    /// shells are cavities, and where a body overlaps itself the common part is outside. For open ones a judgement by the generalized
    /// winding number. A body is bounded, so a point at infinity is outside; of one with a coordinate that is not a number nothing is
    /// known.
    pub fn inside(&self, point: DVec3) -> Inside {
        if !point.is_finite() {
            return Inside::exactly(if point.is_nan() { Location::Unclear } else { Location::Outside });
        }
        let mut odd = false;
        let mut on_face = false;
        let vertices = self.faces.vertices();
        Solo::new(&self.tree).along_ray(point, DVec3::X, f64::INFINITY, 0.0, |slot| {
            let corners = self.tree.corners()[slot as usize].map(|v| vertices[v as usize]);
            match crossing::of(point, corners) {
                Crossing::OnFace => on_face = true,
                Crossing::Ahead => odd = !odd,
                Crossing::None => {}
            }
            !on_face
        });
        if on_face {
            Inside::exactly(Location::OnBoundary)
        } else if self.is_closed() {
            Inside::exactly(if odd { Location::Inside } else { Location::Outside })
        } else {
            let winding = winding::number(&self.faces, point);
            let verdict = match winding.abs() {
                w if w <= Inside::OPEN_OUTSIDE => Location::Outside,
                w if w >= Inside::OPEN_INSIDE => Location::Inside,
                _ => Location::Unclear,
            };
            Inside { verdict, winding: Some(winding) }
        }
    }
}

impl PlacedMesh<'_> {
    /// Where a point of the world lies. Exact for closed bodies: mapping the point back may move it by a rounding, and the
    /// answer is that of the moved point only when no face is that near; else exact arithmetic decides.
    pub fn inside(&self, point: DVec3) -> Inside {
        if !point.is_finite() {
            return self.mesh.inside(point);
        }
        match self.to_body(point) {
            Some((same, 0.0)) => self.mesh.inside(same),
            Some((back, error)) if self.mesh.nearest(back).is_some_and(|near| near.distance.lo() > error) => {
                self.mesh.inside(back)
            }
            _ => exact_inside(*self, point),
        }
    }
}

/// Where a world point lies to a closed body, in exact arithmetic; `Unclear` for open bodies, unless it is on a face.
fn exact_inside(body: PlacedMesh, point: DVec3) -> Inside {
    let space = Space::new(Between::new(Pose::IDENTITY, body.pose), body.mesh, body.mesh);
    let spot = space.spot(Side::A, point);
    let verdict = if space::on_faces(&space, Side::B, &spot) {
        Location::OnBoundary
    } else if body.mesh.is_closed() {
        if space::is_odd(&space, Side::B, &spot) { Location::Inside } else { Location::Outside }
    } else {
        Location::Unclear
    };
    Inside::exactly(verdict)
}
