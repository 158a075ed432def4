//! What is to be greatest: a convex function of a point, which no step changes by more than its length times a factor.

use crate::extrema::Aim;
use crate::tree::Block;
use kontakt_math::DVec3;

impl Aim {
    /// The distance, or the extent.
    pub(super) fn value(&self, x: DVec3) -> f64 {
        match self {
            Aim::Distance(from) => (x - *from).length(),
            Aim::Extent(way) => way.dot(x),
        }
    }

    /// By how much a step of length one can change it, at most.
    pub(super) fn factor(&self) -> f64 {
        match self {
            Aim::Distance(_) => 1.0,
            Aim::Extent(way) => way.length() * (1.0 + 4.0 * f64::EPSILON),
        }
    }

    /// The greatest value in a box, to rounding.
    pub(super) fn most_in(&self, block: &Block) -> f64 {
        match self {
            Aim::Distance(from) => ((*from - block.middle).abs() + block.half).length(),
            Aim::Extent(way) => way.dot(block.middle) + way.abs().dot(block.half),
        }
    }

    /// The greatest value in a ball, to rounding.
    pub(super) fn most_in_ball(&self, centre: DVec3, radius: f64) -> f64 {
        self.value(centre) + self.factor() * radius
    }

    /// Where the way on from a place in which the value grows fastest leads, by a length.
    pub(super) fn onward(&self, place: DVec3, length: f64) -> DVec3 {
        let way = match self {
            Aim::Distance(from) => place - *from,
            Aim::Extent(way) => *way,
        };
        place + way.normalize_or_zero() * length
    }
}
