//! A box in space with bounds of the distance to the faces over its part of the volume.

use super::nearest::Nearest;
use crate::bound::{FitError, Support};
use crate::separation::{may_overlap, nearest_point};
use crate::volume::Aabb;
use kontakt_math::DVec3;
use kontakt_math::order::{Ranked, Total};
use kontakt_math::round::{add_up, dot_up, length_up};
use std::cmp::Reverse;

/// See the proof at `directed_hausdorff`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    low: DVec3,
    high: DVec3,
    /// Never less than the distance to the faces of any point of cell ∩ volume.
    pub(super) upper: f64,
    /// Never more than that of some point of the volume within rounding of `place`.
    pub(super) lower: f64,
    pub(super) place: DVec3,
    pub(super) face: u32,
}

impl Cell {
    pub(super) fn new<V: Support + ?Sized>(
        low: DVec3,
        high: DVec3,
        volume: &V,
        faces: &(impl Nearest + ?Sized),
        slack: f64,
    ) -> Result<Cell, FitError> {
        let centre = low * 0.5 + high * 0.5;
        let place = nearest_point(volume, centre);
        let found = faces.nearest(place)?;
        let mut cell =
            Cell { low, high, upper: 0.0, lower: (found.lower - slack).max(0.0), place, face: found.face };
        let from_place =
            (cell.radius() + projection_error(volume, centre, place, slack)).min(cell.farthest_from(place));
        // The face point is itself within rounding of the faces.
        cell.upper = (found.upper + from_place).min(cell.farthest_from(found.place)) + slack;
        Ok(cell)
    }

    /// Distance of the farthest corner, upward.
    fn farthest_from(&self, place: DVec3) -> f64 {
        length_up((self.high - place).abs().max((self.low - place).abs())) * (1.0 + 2.0 * f64::EPSILON)
    }

    /// Half of the diagonal, upward.
    pub(super) fn radius(&self) -> f64 {
        length_up(self.high * 0.5 - self.low * 0.5)
    }

    /// The same cell, known to be part of one with that bound.
    pub(super) fn at_most(mut self, upper: f64) -> Cell {
        self.upper = self.upper.min(upper);
        self
    }

    /// Both halves across the longest side.
    pub(super) fn halves(&self) -> [(DVec3, DVec3); 2] {
        let widths = self.high * 0.5 - self.low * 0.5;
        let axis = (0..3).fold(0, |best, i| if widths[i] > widths[best] { i } else { best });
        let middle = 0.5 * self.low[axis] + 0.5 * self.high[axis];
        let (mut first_high, mut second_low) = (self.high, self.low);
        first_high[axis] = middle;
        second_low[axis] = middle;
        [(self.low, first_high), (second_low, self.high)]
    }
}

/// **Never less** than the distance of `place` from the volume's exact point q* nearest to `centre`.
///
/// Proof: with g = centre − place and ε = reach(g) − g·place, g·(q* − place) ≤ ε. Optimality of q* says
/// (centre − q*)·(y − q*) ≤ 0 for y in the volume; with y within `slack` of `place` this gives
/// |place − q*|² ≤ ε + 2·slack·(|g| + |place − q*|), hence the root below and two slacks.
fn projection_error<V: Support + ?Sized>(volume: &V, centre: DVec3, place: DVec3, slack: f64) -> f64 {
    let g = centre - place;
    if g == DVec3::ZERO {
        return slack;
    }
    let excess = add_up(volume.reach(g), dot_up(-g, place)).max(0.0);
    (excess + 2.0 * slack * length_up(g)).sqrt() * (1.0 + 4.0 * f64::EPSILON) + 4.0 * slack
}

/// Whether the box is proven disjoint from the volume.
pub(super) fn misses<V: Support + ?Sized>(low: DVec3, high: DVec3, volume: &V) -> bool {
    !may_overlap(&Aabb { min: low, max: high }, volume)
}

/// Largest upper bound first; ties by place, so that the order never depends on the heap.
impl Ranked for Cell {
    type Rank = (Total, Reverse<[Total; 3]>);

    fn rank(&self) -> Self::Rank {
        (Total(self.upper), Reverse(self.low.to_array().map(Total)))
    }
}
