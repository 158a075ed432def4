//! The body under construction: what rules may know about it.

use super::error::BuildError;
use super::judge::Judge;
use super::plan::Plan;
use kontakt_bounds::Aabb;
use kontakt_hierarchy::Faces;
use kontakt_math::DVec3;

/// Faces, their boxes and middles, the plan, and who grades parts.
///
/// Places are in *working coordinates*: the body's box centred at the origin and scaled to fit into ±1, rounded. Rules
/// may square and multiply them without care; only the judge sees the body's own coordinates.
pub struct Workpiece<'a> {
    /// The triangles, in the body's coordinates.
    pub faces: Faces<'a>,
    /// The vertices in working coordinates.
    pub vertices: Vec<DVec3>,
    /// Mean of the corners of each triangle, in working coordinates.
    pub centroids: Vec<DVec3>,
    /// Box of each triangle, in working coordinates.
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
        let vertices = working_coordinates(faces);
        let corners = |t: &[u32; 3]| t.map(|v| vertices[v as usize]);
        let centroids = faces.triangles.iter().map(|t| corners(t).iter().sum::<DVec3>() / 3.0).collect();
        let boxes = faces.triangles.iter().map(|t| box_of(corners(t))).collect();
        Ok(Workpiece { faces, vertices, centroids, boxes, plan, judge })
    }

    /// The corners of a triangle, in working coordinates.
    pub fn corners(&self, face: u32) -> [DVec3; 3] {
        self.faces.triangles[face as usize].map(|v| self.vertices[v as usize])
    }

    /// The box around some of the faces; `NOTHING` for none.
    pub fn box_around(&self, faces: &[u32]) -> Aabb {
        faces.iter().fold(NOTHING, |b, f| union(&b, &self.boxes[*f as usize]))
    }

    /// The box around the middles of some of the faces; `NOTHING` for none.
    pub fn centroid_box(&self, faces: &[u32]) -> Aabb {
        faces.iter().fold(NOTHING, |b, f| {
            let c = self.centroids[*f as usize];
            Aabb { min: b.min.min(c), max: b.max.max(c) }
        })
    }
}

/// The box around nothing: neutral for unions.
pub(super) const NOTHING: Aabb = Aabb { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };

/// The box around two boxes.
#[inline]
pub(super) fn union(a: &Aabb, b: &Aabb) -> Aabb {
    Aabb { min: a.min.min(b.min), max: a.max.max(b.max) }
}

fn box_of([a, b, c]: [DVec3; 3]) -> Aabb {
    Aabb { min: a.min(b).min(c), max: a.max(b).max(c) }
}

/// All vertices moved and scaled so that those of the triangles fit into ±1. Halves first, so that nothing overflows; a
/// size too small to divide by counts as a point.
fn working_coordinates(faces: Faces<'_>) -> Vec<DVec3> {
    let used = faces.triangles.iter().flatten().map(|v| faces.vertices[*v as usize] * 0.5);
    let (low, high) =
        used.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)));
    // The quarter of the body's width, which is half the width of the halved points.
    let middle = low * 0.5 + high * 0.5;
    let quarter = (high * 0.5 - low * 0.5).max_element();
    let unscale = 1.0 / quarter;
    if !unscale.is_finite() {
        return vec![DVec3::ZERO; faces.vertices.len()];
    }
    // Vertices that no triangle uses may lie anywhere; they are never looked at.
    faces.vertices.iter().map(|p| (*p * 0.5 - middle) * unscale).collect()
}
