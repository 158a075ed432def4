//! Directed Hausdorff distance from a solid convex volume to faces: how far a point of the volume can be from the faces it
//! bounds (VR thesis 3.8.2, over the solid instead of its surface, so that the distance bound below holds).

mod cell;
mod nearest;
mod polyhedron;

pub use nearest::{Faces, Nearest, NearestFace, above_distance_to_triangle, distance_to_triangle};
pub use polyhedron::ball_to_convex_polyhedron;

use crate::bound::{FitError, Support};
use crate::sets::box_around;
use cell::Cell;
use kontakt_math::DVec3;
use kontakt_math::order::ByRank;
use kontakt_math::round::add_up;
use std::collections::BinaryHeap;

/// When a search for the Hausdorff distance ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HausdorffLimit {
    /// Stop when upper − lower is at most this.
    pub absolute: f64,
    /// Stop when upper − lower is at most this times upper.
    pub relative: f64,
    /// Stop after looking at so many cells, with the bounds found so far.
    pub max_cells: usize,
}

impl Default for HausdorffLimit {
    /// One part in a thousand, or a million cells.
    fn default() -> Self {
        HausdorffLimit { absolute: 0.0, relative: 1e-3, max_cells: 1_000_000 }
    }
}

/// Certified bounds of a directed Hausdorff distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hausdorff {
    /// **Never more** than the exact distance.
    pub lower: f64,
    /// **Never less** than the exact distance.
    pub upper: f64,
    /// A point of the volume, to rounding, at least `lower` away from all faces.
    pub witness: DVec3,
    /// The face nearest to the witness.
    pub face: u32,
    /// Cells looked at.
    pub cells: usize,
}

/// max over the solid volume of the distance to the nearest face, by branch and bound over boxes in space.
///
/// For a volume that is not convex, `upper` holds and `lower` is that of its convex hull.
///
/// Proof. Let p be the centre of a cell, q the point of the volume nearest to p, f the face point nearest to q. For x in
/// cell ∩ volume the projection onto a convex set does not lengthen distances, so |x − q| ≤ |x − p| ≤ ρ, the half diagonal.
/// The distance to the faces is 1-Lipschitz: d(x) ≤ d(q) + ρ. And d(x) ≤ |x − f|, which is largest at a corner of the cell.
/// Cells proven disjoint from the volume are dropped; their union with the others covers the volume at every stage.
/// The place computed for q is a convex combination of support points: within rounding of the volume (`slack`), and within
/// a certified distance of the exact projection, which is added.
pub fn directed_hausdorff<V: Support + ?Sized>(
    volume: &V,
    faces: &(impl Nearest + ?Sized),
    limit: HausdorffLimit,
) -> Result<Hausdorff, FitError> {
    let (low, high) = box_around(volume);
    if !(low.is_finite() && high.is_finite()) {
        return Err(FitError::Parameter { what: "volume is not finite".to_string() });
    }
    let size = low.abs().max(high.abs()).length() * 2.0;
    let slack = 64.0 * f64::EPSILON * size;
    let root = Cell::new(low, high, volume, faces, slack)?;
    let mut best =
        Hausdorff { lower: 0.0, upper: root.upper, witness: root.place, face: root.face, cells: 1 };
    best.improve(&root);
    let mut open = BinaryHeap::from([ByRank(root)]);
    while let Some(ByRank(cell)) = open.pop() {
        best.upper = cell.upper.max(best.lower);
        let gap = best.upper - best.lower;
        let smallest = cell.radius() <= slack;
        if gap <= limit.absolute.max(limit.relative * best.upper) || best.cells >= limit.max_cells || smallest
        {
            return Ok(best);
        }
        for (low, high) in cell.halves() {
            best.cells += 1;
            if cell::misses(low, high, volume) {
                continue;
            }
            let child = Cell::new(low, high, volume, faces, slack)?.at_most(cell.upper);
            best.improve(&child);
            if child.upper > best.lower {
                open.push(ByRank(child));
            }
        }
    }
    // No cell is left that could hold more than the best place.
    best.upper = best.lower.max(slack);
    Ok(best)
}

impl Hausdorff {
    fn improve(&mut self, cell: &Cell) {
        if cell.lower > self.lower {
            (self.lower, self.witness, self.face) = (cell.lower, cell.place, cell.face);
        }
    }
}

/// **Never less** than the distance of two face sets in volumes that have a common point or are at most
/// `volume_distance` apart: d(F₁,F₂) ≤ d(h₁,h₂) + hd(h₁,F₁) + hd(h₂,F₂).
///
/// Proof: take x in h₁, y in h₂ with |x − y| = d(h₁,h₂); a point of F₁ is within hd(h₁,F₁) of x, one of F₂ within
/// hd(h₂,F₂) of y. All arguments must be upper bounds.
pub fn face_distance_above(volume_distance: f64, first: f64, second: f64) -> f64 {
    add_up(add_up(volume_distance, first), second)
}
