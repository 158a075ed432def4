//! The body under construction: what rules may know about it.

use super::error::BuildError;
use super::judge::Judge;
use super::plan::Plan;
use crate::Faces;
use kontakt_bounds::Aabb;
use kontakt_math::DVec3;

/// Faces, their boxes and middles, the plan, and who grades parts.
pub struct Workpiece<'a> {
    /// The triangles.
    pub faces: Faces<'a>,
    /// Mean of the corners of each triangle, to rounding.
    pub centroids: Vec<DVec3>,
    /// Box of each triangle, exactly.
    pub boxes: Vec<Aabb>,
    /// What is asked for.
    pub plan: &'a Plan,
    /// Grades sets of faces by the volume around them.
    pub judge: &'a dyn Judge,
}

impl<'a> Workpiece<'a> {
    /// Prepares the faces, if there are any and the plan is sound.
    pub fn new(faces: Faces<'a>, plan: &'a Plan, judge: &'a dyn Judge) -> Result<Workpiece<'a>, BuildError> {
        plan.check()?;
        let count = faces.triangles.len();
        if count == 0 {
            return Err(BuildError::Empty);
        }
        // A tree of n leaves has fewer than 2n nodes, counted in 32 bits.
        if count > 1 << 31 {
            return Err(BuildError::TooMany { count });
        }
        let corners = |t: &[u32; 3]| t.map(|v| faces.vertices[v as usize]);
        let centroids = faces.triangles.iter().map(|t| centroid(corners(t))).collect();
        let boxes = faces.triangles.iter().map(|t| box_of(corners(t))).collect();
        Ok(Workpiece { faces, centroids, boxes, plan, judge })
    }

    /// The box around some of the faces; all of space reversed for none.
    pub fn box_around(&self, faces: &[u32]) -> Aabb {
        faces.iter().fold(NOTHING, |b, f| {
            let other = &self.boxes[*f as usize];
            Aabb { min: b.min.min(other.min), max: b.max.max(other.max) }
        })
    }

    /// The box around the middles of some of the faces; all of space reversed for none.
    pub fn centroid_box(&self, faces: &[u32]) -> Aabb {
        faces.iter().fold(NOTHING, |b, f| {
            let c = self.centroids[*f as usize];
            Aabb { min: b.min.min(c), max: b.max.max(c) }
        })
    }
}

/// The box around nothing: neutral for unions.
pub(super) const NOTHING: Aabb = Aabb { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };

/// Divided first, so that corners near the largest double do not overflow.
fn centroid([a, b, c]: [DVec3; 3]) -> DVec3 {
    a / 3.0 + b / 3.0 + c / 3.0
}

fn box_of([a, b, c]: [DVec3; 3]) -> Aabb {
    Aabb { min: a.min(b).min(c), max: a.max(b).max(c) }
}
