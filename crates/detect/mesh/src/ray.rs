//! Where a ray meets a body: decided by exact signs and exact fractions, so that no hit is lost between two faces and the first
//! face is the first at every scale.

mod face_hit;
mod line_side;
mod stretch;

use crate::mesh::Mesh;
use crate::solo::Solo;
use kontakt_math::DVec3;
use std::cmp::Ordering;
use stretch::Stretch;
use thiserror::Error;

/// Why two vectors are no ray.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum RayError {
    /// NaN or infinite.
    #[error("a coordinate of the ray is not finite")]
    NotFinite,
    /// The zero vector.
    #[error("the ray has no direction")]
    NoDirection,
}

/// The points origin + t·direction, t ≥ 0, in a body's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    origin: DVec3,
    direction: DVec3,
}

impl Ray {
    /// A direction of any length but zero.
    pub fn new(origin: DVec3, direction: DVec3) -> Result<Ray, RayError> {
        if !(origin.is_finite() && direction.is_finite()) {
            Err(RayError::NotFinite)
        } else if direction == DVec3::ZERO {
            Err(RayError::NoDirection)
        } else {
            Ok(Ray { origin, direction })
        }
    }
}

/// One face met by a ray, in the body's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// The point is origin + t·direction; the double nearest to the exact t, infinite beyond the range of doubles.
    pub t: f64,
    /// Where: the doubles nearest to the exact coordinates.
    pub point: DVec3,
    /// The triangle.
    pub face: u32,
}

/// A triangle met, with the exact parameter.
struct Met {
    at: Stretch,
    face: u32,
}

impl Met {
    /// By the exact parameter, then by id.
    fn order(&self, other: &Met) -> Ordering {
        self.at.cmp(&other.at).then(self.face.cmp(&other.face))
    }

    fn hit(&self, ray: Ray) -> RayHit {
        RayHit { t: self.at.rounded(), point: self.at.point(ray), face: self.face }
    }
}

impl Mesh {
    /// The first triangle that the ray meets with t in [0, `max`]; none for a `max` that is negative or NaN. Which triangle is
    /// met first (triangles are closed sets) is decided **exactly** for the doubles given, at every scale and for every
    /// length of the direction; of triangles met at the same t the one with the smallest id is reported. A hit counts as
    /// long as its t, rounded, is at most `max`.
    pub fn ray(&self, ray: Ray, max: f64) -> Option<RayHit> {
        let mut first: Option<Met> = None;
        let mut end = unit_end(ray, max);
        // The walk is not ordered along the ray; what it finds shortens the part that still counts.
        loop {
            let mut improved = false;
            self.each_met(ray, max, end, |met| {
                if first.as_ref().is_none_or(|best| met.order(best) == Ordering::Less) {
                    // As far as the walk can tell: it begins anew only for a part that is shorter.
                    let nearer = met.at.unit_end(ray);
                    improved |= nearer < end;
                    end = end.min(nearer);
                    first = Some(met);
                }
                !improved
            });
            if !improved {
                return first.map(|met| met.hit(ray));
            }
        }
    }

    /// Every triangle that the ray meets with t in [0, `max`], by t, then by id: a ray through an edge or a vertex meets all
    /// triangles there. Exact as [`ray`](Mesh::ray) is.
    pub fn ray_hits(&self, ray: Ray, max: f64) -> Vec<RayHit> {
        let mut all = Vec::new();
        self.each_met(ray, max, unit_end(ray, max), |met| {
            all.push(met);
            true
        });
        all.sort_by(Met::order);
        all.iter().map(|met| met.hit(ray)).collect()
    }

    /// Calls `take` for every hit up to `max`, in no order, until it answers false. Hits beyond `end`, a parameter of the
    /// direction at unit size, may be left out.
    fn each_met(&self, ray: Ray, max: f64, end: f64, mut take: impl FnMut(Met) -> bool) {
        if max.is_nan() || max < 0.0 {
            return;
        }
        let (order, vertices) = (self.tree.order(), self.faces.vertices());
        Solo::new(&self.tree).along_ray(ray.origin, ray.direction, end, 0.0, |slot| {
            let corners = self.tree.corners()[slot as usize].map(|v| vertices[v as usize]);
            match face_hit::first(ray, corners) {
                Some(at) if max == f64::INFINITY || at.rounded() <= max => {
                    take(Met { at, face: order[slot as usize] })
                }
                _ => true,
            }
        });
    }
}

/// The same end as a parameter of the direction scaled to have its largest coordinate of size 1; **never too small**: what is
/// `max` after rounding is less than the next double, and the product is rounded once more. Beyond the doubles it is infinite.
fn unit_end(ray: Ray, max: f64) -> f64 {
    (max.next_up() * ray.direction.abs().max_element()).next_up()
}
