//! k-DOP: the common part of k/2 slabs along fixed directions of small integers.

use super::DirectionSet;
use super::slab::{Slabs, finite_extents, gap_along, measure, middle_of, turned_extent};
use crate::bound::{Bound, FitError, Measure, Parameter, Support, check_points};
use crate::turn::Turn;
use kontakt_math::round::{dot_down, dot_up};
use kontakt_math::{DVec3, Pose};

/// The set {x : minᵢ ≤ nᵢ·x ≤ maxᵢ} for the `PAIRS` = k/2 standard directions nᵢ of [`DirectionSet::standard`].
/// Custom directions: see [`super::SlabVolume`]. Only the standard k compile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KDop<const PAIRS: usize> {
    /// Lower ends, in the order of the directions.
    pub min: [f64; PAIRS],
    /// Upper ends, in the order of the directions.
    pub max: [f64; PAIRS],
}

/// Along the coordinate axes.
pub type Dop6 = KDop<3>;
/// Along the cube's corner diagonals.
pub type Dop8 = KDop<4>;
/// Along the axes and two edge diagonals.
pub type Dop10 = KDop<5>;
/// Along the cube's edge diagonals.
pub type Dop12 = KDop<6>;
/// Along the axes and corner diagonals.
pub type Dop14 = KDop<7>;
/// Along the axes and edge diagonals.
pub type Dop18 = KDop<9>;
/// Along the corner and edge diagonals.
pub type Dop20 = KDop<10>;
/// Along the directions (0, 1, ±2) in every order.
pub type Dop24 = KDop<12>;
/// Along the axes, corner and edge diagonals.
pub type Dop26 = KDop<13>;

impl<const PAIRS: usize> KDop<PAIRS> {
    /// Position of the set in the list of standard ones; refuses other sizes when compiled.
    const KNOWN: () =
        assert!(matches!(PAIRS, 3..=7 | 9 | 10 | 12 | 13), "k must be 6, 8, 10, 12, 14, 18, 20, 24 or 26");

    /// The directions.
    pub fn directions() -> &'static DirectionSet {
        const { Self::KNOWN };
        DirectionSet::of_standard_pairs(PAIRS)
    }

    fn slabs(&self) -> Slabs<'_> {
        Slabs { set: Self::directions(), min: &self.min, max: &self.max }
    }
}

impl<const PAIRS: usize> Support for KDop<PAIRS> {
    fn farthest(&self, direction: DVec3) -> DVec3 {
        self.slabs().farthest(direction)
    }

    fn reach(&self, direction: DVec3) -> f64 {
        self.slabs().reach(direction)
    }

    fn centre(&self) -> DVec3 {
        middle_of(Self::directions().directions(), |d| self.farthest(d))
    }
}

impl<const PAIRS: usize> Bound for KDop<PAIRS> {
    const NAME: &'static str = match PAIRS {
        3 => "kdop6",
        4 => "kdop8",
        5 => "kdop10",
        6 => "kdop12",
        7 => "kdop14",
        9 => "kdop18",
        10 => "kdop20",
        12 => "kdop24",
        13 => "kdop26",
        _ => "kdop",
    };
    const IS_LEAST: bool = true;

    fn fit(points: &[DVec3]) -> Result<Self, FitError> {
        check_points(points)?;
        let ends = finite_extents(Self::directions().directions(), points)?;
        Ok(KDop { min: std::array::from_fn(|i| ends[i].0), max: std::array::from_fn(|i| ends[i].1) })
    }

    fn merge(&self, other: &Self) -> Self {
        KDop {
            min: std::array::from_fn(|i| self.min[i].min(other.min[i])),
            max: std::array::from_fn(|i| self.max[i].max(other.max[i])),
        }
    }

    fn transformed(&self, a_from_b: &Pose) -> Self {
        let turn = Turn::of(a_from_b);
        let n = Self::directions().directions();
        let ends: [(f64, f64); PAIRS] = std::array::from_fn(|i| turned_extent(&self.slabs(), &turn, n[i]));
        KDop { min: ends.map(|e| e.0), max: ends.map(|e| e.1) }
    }

    fn measure(&self) -> Measure {
        measure(&self.slabs())
    }

    fn parameters(&self) -> Vec<(&'static str, Parameter)> {
        self.slabs().parameters()
    }

    fn contains(&self, point: DVec3) -> bool {
        Self::directions()
            .directions()
            .iter()
            .zip(self.min.iter().zip(&self.max))
            .all(|(n, (min, max))| dot_down(*n, point) <= *max && dot_up(*n, point) >= *min)
    }

    /// Over the k/2 common directions: conservative, not exact, for k > 6.
    fn may_overlap(&self, other: &Self) -> bool {
        !(0..PAIRS).any(|i| self.min[i] > other.max[i] || other.min[i] > self.max[i])
    }

    fn gap_below(&self, other: &Self) -> f64 {
        gap_along(Self::directions(), (&self.min, &self.max), (&other.min, &other.max))
    }
}
