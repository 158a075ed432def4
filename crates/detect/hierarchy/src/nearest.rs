//! The nearest face of a point, found through the packed hierarchy.

use crate::faces::Faces;
use crate::packed::Packed;
use kontakt_bounds::FitError;
use kontakt_bounds::hausdorff::{Nearest, NearestFace, distance_to_triangle};
use kontakt_math::DVec3;

/// Faces with their hierarchy: finds the nearest face in about logarithmic time.
#[derive(Clone, Copy, Debug)]
pub struct PackedFaces<'a> {
    /// The hierarchy of the faces.
    pub tree: &'a Packed,
    /// The faces.
    pub faces: Faces<'a>,
}

impl Nearest for PackedFaces<'_> {
    /// Both bounds hold for the exact distance in the body's frame; the face is the triangle's id. Of faces equally near, the one with the smallest
    /// upper bound found first.
    fn nearest(&self, point: DVec3) -> Result<NearestFace, FitError> {
        if !point.is_finite() {
            return Err(FitError::NotFinite { index: 0 });
        }
        let mut best = NearestFace { lower: f64::INFINITY, upper: f64::INFINITY, place: point, face: 0 };
        self.tree.visit_ball(point, f64::INFINITY, |slots| {
            for slot in slots {
                let corners = self.tree.corners()[slot as usize].map(|v| self.faces.vertices[v as usize]);
                let found = distance_to_triangle(point, corners);
                best.lower = best.lower.min(found.lower);
                if found.upper < best.upper {
                    let face = self.tree.order()[slot as usize];
                    best = NearestFace { face, lower: best.lower, ..found };
                }
            }
            best.upper
        });
        best.lower = best.lower.min(best.upper);
        Ok(best)
    }
}
