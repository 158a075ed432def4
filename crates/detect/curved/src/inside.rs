//! Whether a point is inside a body, on its true surfaces.
//!
//! Far from the triangles they tell: the true surface is within the deviation of them, so a point farther away is on the same side of
//! both. A point nearer than that has the side of another one, far away, if the way to it does not meet the true surface.

use crate::body::Body;
use crate::distance::{DistanceOptions, Faces, surface_distance};
use kontakt_answers::Range;
use kontakt_math::{Between, DVec3, Pose};
use kontakt_mesh::Location;

/// Most pairs of patches for one way.
const MOST_PAIRS: usize = 20_000;
/// Most steps away from the triangles.
const STEPS: usize = 8;

impl Body {
    /// Whether a point is inside; **certified**. `None` for a body that does not close, and where the model's gaps or a fixed effort leave it
    /// open.
    pub fn contains(&self, point: DVec3) -> Option<bool> {
        if !self.mesh().is_closed() {
            return None;
        }
        if let Some(side) = self.side_by_triangles(point) {
            return Some(side);
        }
        // Away from the surface, to the one side or the other: the way that is free tells.
        [-1.0, 1.0].into_iter().find_map(|sign| self.side_by_way(point, sign))
    }

    /// The side of the first point far enough from the triangles on a way that leads away from them, along their normals or against them.
    fn side_by_way(&self, point: DVec3, sign: f64) -> Option<bool> {
        let mut at = point;
        for _ in 0..STEPS {
            let near = self.mesh().nearest(at)?;
            let [a, b, c] = self.tessellation().corners(near.face as usize);
            let normal = (b - a).cross(c - a).try_normalize()?;
            let next = at + normal * (sign * 1.5 * self.deviation());
            if !self.is_free([at, next]) {
                return None;
            }
            if let Some(side) = self.side_by_triangles(next) {
                return Some(side);
            }
            at = next;
        }
        None
    }

    /// The side of a point that is farther from the triangles than the true surface.
    fn side_by_triangles(&self, point: DVec3) -> Option<bool> {
        let near = self.mesh().nearest(point)?;
        let far = near.distance.lo() > self.deviation() * (1.0 + 1e-9);
        far.then(|| self.mesh().inside(point).verdict == Location::Inside)
    }

    /// Whether the stretch between two points is **proven** not to meet the true surface.
    fn is_free(&self, way: [DVec3; 2]) -> bool {
        let between = Between::new(Pose::IDENTITY, Pose::IDENTITY);
        let options = DistanceOptions { tolerance: 0.0, most_pairs: MOST_PAIRS, only_sign: true };
        let found = surface_distance(Faces::Segment(way), Faces::Curved(self), &between, &options);
        found.is_some_and(|found| found.range.lo() > 0.0)
    }

    /// How far a point is from the true surface, to a tolerance.
    pub fn distance_to(&self, point: DVec3, tolerance: f64) -> Option<Range> {
        let between = Between::new(Pose::IDENTITY, Pose::IDENTITY);
        let options = DistanceOptions { tolerance, most_pairs: MOST_PAIRS, only_sign: false };
        let found = surface_distance(Faces::Segment([point; 2]), Faces::Curved(self), &between, &options)?;
        Some(found.range)
    }
}
