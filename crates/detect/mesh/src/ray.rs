//! Where a ray meets a body: decided by exact signs, so that no hit is lost between two faces.

mod face_hit;
mod line_side;

use crate::mesh::Mesh;
use crate::solo::Solo;
use kontakt_math::DVec3;
use std::cmp::Ordering;

/// One face met by a ray, in the body's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// The point is origin + t·direction; to rounding.
    pub t: f64,
    /// Where, to rounding.
    pub point: DVec3,
    /// The triangle.
    pub face: u32,
}

impl RayHit {
    fn order(&self, other: &RayHit) -> Ordering {
        self.t.total_cmp(&other.t).then(self.face.cmp(&other.face))
    }
}

impl Mesh {
    /// The first triangle that the ray from `origin` along `direction` (any length but zero) meets with t in [0, `max`].
    /// **Whether** a triangle is met (triangles are closed sets) is decided exactly for the doubles given; t and the
    /// comparison with `max` are to rounding. Of triangles met at the same t the one with the smallest id is reported.
    pub fn ray(&self, origin: DVec3, direction: DVec3, max: f64) -> Option<RayHit> {
        let mut first: Option<RayHit> = None;
        let mut end = max;
        // The walk is not ordered along the ray; what it finds shortens the part that still counts.
        loop {
            let mut improved = false;
            self.each_hit(origin, direction, end, |hit| {
                if first.is_none_or(|best| hit.order(&best) == Ordering::Less) {
                    improved |= hit.t < end;
                    first = Some(hit);
                }
                !improved
            });
            match first {
                Some(best) if improved => end = best.t,
                _ => return first,
            }
        }
    }

    /// Every triangle that the ray meets with t in [0, `max`], by t, then by id: a ray through an edge or a vertex meets all
    /// triangles there. Exact as [`ray`](Mesh::ray) is.
    pub fn ray_hits(&self, origin: DVec3, direction: DVec3, max: f64) -> Vec<RayHit> {
        let mut hits = Vec::new();
        self.each_hit(origin, direction, max, |hit| {
            hits.push(hit);
            true
        });
        hits.sort_by(RayHit::order);
        hits
    }

    /// Calls `take` for every hit up to `max`, in no order, until it answers false.
    fn each_hit(&self, origin: DVec3, direction: DVec3, max: f64, mut take: impl FnMut(RayHit) -> bool) {
        let usable = origin.is_finite() && direction.is_finite() && direction != DVec3::ZERO && max >= 0.0;
        if !usable {
            return;
        }
        let (order, vertices) = (self.tree.order(), self.faces.vertices());
        Solo::new(&self.tree).along_ray(origin, direction, max, 0.0, |slot| {
            let corners = self.tree.corners()[slot as usize].map(|v| vertices[v as usize]);
            let Some(t) = face_hit::parameter(origin, direction, corners).filter(|&t| t <= max) else {
                return true;
            };
            take(RayHit { t, point: origin + direction * t, face: order[slot as usize] })
        });
    }
}
