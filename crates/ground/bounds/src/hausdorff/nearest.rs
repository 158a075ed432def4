//! Nearest face of a point: the oracle the Hausdorff distance stands on. Brute force here; a tree can take its place.

use crate::bound::{FitError, check_points};
use crate::closest::closest_to_origin;
use crate::outward::length;
use crate::probe::{Corners, Point};
use crate::separation::certified_gap;
use kontakt_math::DVec3;

/// The nearest face of a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestFace {
    /// **Never more** than the distance to any face.
    pub lower: f64,
    /// **Never less** than the distance to the nearest face.
    pub upper: f64,
    /// The nearest point of the faces, to rounding.
    pub place: DVec3,
    /// Index of the face it lies on.
    pub face: u32,
}

/// Finds the nearest face of any point.
pub trait Nearest {
    /// The nearest face with certified bounds of the distance, or why there is none.
    fn nearest(&self, point: DVec3) -> Result<NearestFace, FitError>;
}

/// Triangles over shared points, searched one by one.
#[derive(Clone, Copy, Debug)]
pub struct Faces<'a> {
    points: &'a [DVec3],
    triangles: &'a [[u32; 3]],
}

impl<'a> Faces<'a> {
    /// Triangles by indices into points; degenerate ones count as segments or points.
    pub fn new(points: &'a [DVec3], triangles: &'a [[u32; 3]]) -> Result<Faces<'a>, FitError> {
        check_points(points)?;
        if triangles.is_empty() {
            return Err(FitError::Parameter { what: "no faces to measure the distance to".to_string() });
        }
        for (face, triangle) in triangles.iter().enumerate() {
            if let Some(corner) = triangle.iter().find(|i| **i as usize >= points.len()) {
                let what = format!("face {face} refers to point {corner} of {}", points.len());
                return Err(FitError::Parameter { what });
            }
        }
        Ok(Faces { points, triangles })
    }

    /// Corners of each face.
    pub(crate) fn corners(&self) -> impl Iterator<Item = [DVec3; 3]> + '_ {
        self.triangles.iter().map(|t| t.map(|i| self.points[i as usize]))
    }
}

impl Nearest for Faces<'_> {
    fn nearest(&self, point: DVec3) -> Result<NearestFace, FitError> {
        let mut best = NearestFace { lower: f64::INFINITY, upper: f64::INFINITY, place: point, face: 0 };
        for (face, corners) in self.corners().enumerate() {
            let found = distance_to_triangle(point, corners);
            best.lower = best.lower.min(found.lower);
            if found.upper < best.upper {
                (best.upper, best.place, best.face) = (found.upper, found.place, face as u32);
            }
        }
        best.lower = best.lower.min(best.upper);
        Ok(best)
    }
}

/// Certified bounds of the distance of a point and a triangle, degenerate ones included; the face index is 0.
///
/// The lower one is the certified gap along the direction found; for a corner that is equal to the point it is 0.
pub fn distance_to_triangle(point: DVec3, corners: [DVec3; 3]) -> NearestFace {
    let Found { upper, place, direction } = found(point, corners);
    let lower =
        direction.map_or(0.0, |along| certified_gap(&Point(point), &Corners(corners), along).unwrap_or(0.0));
    NearestFace { lower: lower.min(upper), upper, place, face: 0 }
}

/// **Never less** than the distance of a point and a triangle: the upper bound of [`distance_to_triangle`] alone.
pub fn above_distance_to_triangle(point: DVec3, corners: [DVec3; 3]) -> f64 {
    found(point, corners).upper
}

struct Found {
    upper: f64,
    place: DVec3,
    /// To the triangle from the point; none where the numbers are beyond scaling.
    direction: Option<DVec3>,
}

/// Proof of the upper bound. The place found is Σ wᵢvᵢ with wᵢ ≥ 0 and Σwᵢ = 1 to 4u, so within 16u·max|vᵢ| of the triangle; the
/// difference to the point and its length add 8u of themselves.
fn found(point: DVec3, corners: [DVec3; 3]) -> Found {
    let relative = corners.map(|c| c - point);
    let Some(found) = closest_to_origin(&relative) else {
        let upper = length(relative[0]) * (1.0 + 8.0 * f64::EPSILON);
        return Found { upper, place: corners[0], direction: None };
    };
    let place: DVec3 = corners.iter().zip(found.weights).map(|(c, w)| *c * w).sum();
    let largest = corners.iter().map(|c| c.abs().max_element()).fold(0.0, f64::max);
    let used = found.weights.iter().filter(|w| **w > 0.0).count();
    let combined = if used > 1 { 16.0 * f64::EPSILON * largest } else { 0.0 };
    let upper = (length(place - point) * (1.0 + 8.0 * f64::EPSILON) + combined).next_up();
    let direction = if found.distance > 0.0 { found.point / found.distance } else { DVec3::ZERO };
    Found { upper, place, direction: Some(direction) }
}
