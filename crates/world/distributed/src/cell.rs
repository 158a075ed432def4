//! Cells of space, fixed by the scene and not by ranks: one grid an octave of sizes.

use crate::hilbert::{self, BITS};
use kontakt_math::DVec3;
use thiserror::Error;

/// Why there are no cells.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum CellError {
    /// The side of the least cells.
    #[error("the side of the cells is {0}; it must be positive and finite")]
    Side(f64),
    /// A box without end, turned inside out or with corners that are not numbers.
    #[error("a box from {0} to {1} meets no number of cells")]
    Box(DVec3, DVec3),
}

/// A cell: level and place in the grid of the level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// Octave of its side.
    pub level: u32,
    /// Its least corner, in sides.
    pub at: [i64; 3],
}

/// A box around a body: all that space needs to know of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// Least corner.
    pub min: DVec3,
    /// Greatest corner.
    pub max: DVec3,
}

/// Grids with sides of `base`·2^level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// A power of two, so that coordinates in sides are exact.
    base: f64,
}

impl Cell {
    /// Of eight: neighbours in a grid, corner to corner too, have different ones.
    pub fn colour(self) -> u32 {
        let odd = self.at.map(|x| (x & 1) as u32);
        odd[0] + 2 * odd[1] + 4 * odd[2]
    }

    /// Levels from here on have one owner for all their cells: one of them is as wide as the whole curve.
    pub(crate) const ONE_OWNER: u32 = BITS;

    /// Where the Hilbert curve enters it. A cell's interval on the curve encloses those of the smaller cells in it; cells beyond
    /// 2^20 least sides from the origin share the places at the border.
    pub fn key(self) -> u64 {
        let level = self.level.min(BITS);
        let middle = 1_i64 << (BITS - 1);
        let point = self.at.map(|x| {
            let fine = i128::from(x) << level;
            (fine.clamp(i128::from(-middle), i128::from(middle - 1)) + i128::from(middle)) as u32
        });
        (hilbert::place(point) >> (3 * level)) << (3 * level)
    }
}

impl Grid {
    /// Least cells with sides of at least this: the next power of two.
    pub fn new(side: f64) -> Result<Grid, CellError> {
        let base = side.log2().ceil().exp2();
        let base = if base < side { base * 2.0 } else { base };
        if side > 0.0 && base.is_normal() { Ok(Grid { base }) } else { Err(CellError::Side(side)) }
    }

    /// Side of the cells of a level.
    pub fn side(&self, level: u32) -> f64 {
        self.base * f64::from(level).exp2()
    }

    /// The least level whose cells are as large as the box: it meets at most 2 × 2 × 2 of them, which differ in colour.
    pub fn level(&self, extent: &Extent) -> u32 {
        // Rounded up: with a width above the side a box could meet three in a row, and the first and third share a colour.
        let width = (extent.max - extent.min).max_element().next_up();
        (0..2000).find(|&level| self.side(level) >= width).unwrap_or(2000)
    }

    /// The cell of a point.
    pub fn cell(&self, level: u32, point: DVec3) -> Cell {
        let side = self.side(level);
        Cell { level, at: (point / side).floor().to_array().map(|x| x as i64) }
    }

    /// The cells of a level that the box meets.
    ///
    /// Division by a side and rounding down are monotone, so the cell of any point of the box is among them.
    pub fn met(&self, level: u32, extent: &Extent) -> impl Iterator<Item = Cell> + use<> {
        let [from, to] = [extent.min, extent.max].map(|corner| self.cell(level, corner).at);
        let range = move |k: usize| from[k]..=to[k];
        let plane = range(2).flat_map(move |z| range(1).map(move |y| (y, z)));
        plane.flat_map(move |(y, z)| range(0).map(move |x| Cell { level, at: [x, y, z] }))
    }
}

impl Extent {
    /// Refuses what has no place.
    pub fn new(min: DVec3, max: DVec3) -> Result<Extent, CellError> {
        let sound = min.is_finite() && max.is_finite() && min.cmple(max).all();
        if sound { Ok(Extent { min, max }) } else { Err(CellError::Box(min, max)) }
    }

    /// What both have in common.
    pub fn common(&self, other: &Extent) -> Option<Extent> {
        let (min, max) = (self.min.max(other.min), self.max.min(other.max));
        min.cmple(max).all().then_some(Extent { min, max })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some_box(random: &mut fastrand::Rng, whole: bool) -> Extent {
        let mut number = |most: f64| {
            let x = (random.f64() * 2.0 - 1.0) * most;
            if whole { x.round() } else { x }
        };
        let min = DVec3::new(number(9.0), number(9.0), number(9.0));
        let size = DVec3::new(number(5.0), number(5.0), number(5.0)).abs();
        Extent { min, max: min + size }
    }

    #[test]
    fn a_box_meets_few_cells_of_its_level_all_of_different_colours() {
        let mut random = fastrand::Rng::with_seed(2);
        let grid = Grid::new(0.7).unwrap();
        let mut eight = 0;
        for round in 0..20_000 {
            let extent = some_box(&mut random, round % 2 == 0);
            let level = grid.level(&extent);
            for level in level..level + 3 {
                let cells: Vec<Cell> = grid.met(level, &extent).collect();
                let mut colours: Vec<u32> = cells.iter().map(|cell| cell.colour()).collect();
                colours.sort_unstable();
                colours.dedup();
                assert_eq!(colours.len(), cells.len(), "{extent:?}");
                eight += usize::from(cells.len() == 8);
                for corner in [extent.min, extent.max, (extent.min + extent.max) * 0.5] {
                    assert!(cells.contains(&grid.cell(level, corner)));
                }
            }
        }
        assert!(eight > 1000, "generator drifted: {eight}");
    }

    /// A width that rounds to a side but is more: cells −1, 0 and 1 in a row would be met.
    #[test]
    fn a_hair_more_than_a_side_takes_the_next_level() {
        let grid = Grid::new(1.0).unwrap();
        let extent = Extent { min: DVec3::splat(-1e-300), max: DVec3::ONE };
        assert_eq!(grid.level(&extent), 1);
        assert_eq!(grid.met(1, &extent).count(), 8);
    }

    #[test]
    fn sides_are_powers_of_two_and_not_too_small() {
        for side in [1e-9, 0.3, 0.5, 1.0, 1.2, 3.0, 1e9] {
            let base = Grid::new(side).unwrap().side(0);
            assert!(base >= side && base < 2.0 * side && base.log2().fract() == 0.0);
        }
        for side in [0.0, -1.0, f64::NAN, f64::INFINITY, f64::MAX] {
            assert!(Grid::new(side).is_err());
        }
    }

    #[test]
    fn keys_nest_and_hold_far_away() {
        let mut random = fastrand::Rng::with_seed(3);
        let grid = Grid::new(1.0).unwrap();
        for _ in 0..5000 {
            let point = some_box(&mut random, false).min * 1000.0;
            let level = random.u32(0..12);
            let (fine, coarse) = (grid.cell(0, point).key(), grid.cell(level, point).key());
            assert!(coarse <= fine && fine < coarse + (1 << (3 * level)));
        }
        let far = Cell { level: 30, at: [i64::MAX, i64::MIN, 0] };
        assert_eq!(far.key(), 0);
        let _ = Cell { level: 0, at: [i64::MAX; 3] }.key();
    }
}
