//! A point beside or inside a body.

use crate::body::Placed;
use crate::slack::widened;
use kontakt_math::{DVec3, Pose};
use kontakt_mesh::{Inside, Location, Nearest};

impl Placed<'_> {
    /// The point of the body's faces nearest to a point of the world; `None` for bodies without faces and where the point is not finite.
    ///
    /// The distance is **certified** for the true surface; point and triangle are those of the triangles.
    pub fn nearest(&self, point: DVec3) -> Option<Nearest> {
        let surface = self.surface()?;
        // Nothing is mapped back, and nothing rounded, where the frames are one.
        let rests = self.pose == Pose::IDENTITY;
        let found = if rests { surface.mesh.nearest(point) } else { surface.nearest(point) }?;
        Some(Nearest { distance: widened(found.distance, self.body.deviation()), ..found })
    }

    /// Whether a point of the world is inside the body; `None` for bodies without faces. *Unclear* is what lies so near to the triangles
    /// of a curved body that they do not tell.
    pub fn inside(&self, point: DVec3) -> Option<Inside> {
        let surface = self.surface()?;
        let unclear = Inside { verdict: Location::Unclear, winding: None };
        let near =
            self.body.deviation() > 0.0 && self.nearest(point).is_none_or(|found| found.distance.lo() <= 0.0);
        let rests = self.pose == Pose::IDENTITY;
        let inside = || if rests { surface.mesh.inside(point) } else { surface.inside(point) };
        Some(if near { unclear } else { inside() })
    }
}
