//! Boxes of about one size, and how all boxes are dealt out to such levels.

use crate::boxes::Boxes;
use crate::grid::Grid;
use crate::method::Method;
use crate::row::{Axes, Rows};

/// Sides of the finest cells, in mean widths of the boxes. Measured on swept boxes of a cloth: 1 to 2 make up to twice the time of
/// 3 (more levels to look into), 9 makes half as much again (longer rows).
const FINEST: f32 = 3.0;
/// Most levels; wider boxes share the last.
const LEVELS: usize = 24;
/// Boxes for which a grid may spend a row.
const BOXES_A_ROW: usize = 4;

/// The boxes of one or two sets whose widths in u and v are about those of the level's cells, or less in the finest.
#[derive(Clone, Debug)]
pub(crate) struct Level {
    pub(crate) grid: Grid,
    /// One for each set.
    pub(crate) sets: Vec<Rows>,
}

/// Range and mean width of all boxes along an axis.
#[derive(Clone, Copy)]
struct Extent {
    low: f32,
    high: f32,
    width: f32,
}

impl Extent {
    fn of(sets: &[&Boxes], axis: usize) -> Extent {
        let (mut low, mut high, mut sum, mut count) = (f32::INFINITY, f32::NEG_INFINITY, 0.0, 0_usize);
        for set in sets {
            for (&from, &to) in set.low[axis].iter().zip(&set.high[axis]) {
                low = low.min(from);
                high = high.max(to);
                sum += f64::from(to - from);
            }
            count += set.len();
        }
        if count == 0 {
            return Extent { low: 0.0, high: 0.0, width: 0.0 };
        }
        Extent { low, high, width: (sum / count as f64) as f32 }
    }

    /// How many boxes of mean width lie side by side.
    fn places(&self) -> f32 {
        let places = (self.high - self.low) / self.width;
        if places.is_nan() { 0.0 } else { places }
    }
}

/// All levels that have boxes, finest first. Which box goes where decides about speed only: windows are measured (`Window`).
pub(crate) fn levels(sets: &[&Boxes], method: Method) -> Vec<Level> {
    let extents = [0, 1, 2].map(|axis| Extent::of(sets, axis));
    // Rows run along the axis with the most room.
    let best =
        |best: usize, axis: usize| if extents[axis].places() > extents[best].places() { axis } else { best };
    let along = (1..3).fold(0, best);
    let axes: Axes = [along, (along + 1) % 3, (along + 2) % 3];
    let [_, u, v] = axes.map(|k| extents[k]);
    let finest = [FINEST * u.width, FINEST * v.width];
    let grid = |level: usize, members: usize| {
        let rows = if method == Method::Sweep { 1 } else { members / BOXES_A_ROW };
        let grow = (1_u32 << level) as f32;
        Grid::new([u.low, v.low], [u.high, v.high], finest.map(|side| side * grow), rows)
    };
    let members: Vec<Vec<Vec<u32>>> = sets.iter().map(|set| dealt(set, axes, finest, method)).collect();
    (0..LEVELS)
        .map(|level| (level, members.iter().map(|of| of[level].len()).sum::<usize>()))
        .filter(|&(_, count)| count > 0)
        .map(|(level, count)| {
            let grid = grid(level, count);
            let rows = |(set, of): (&&Boxes, &Vec<Vec<u32>>)| Rows::new(set, axes, &of[level], &grid);
            Level { grid, sets: sets.iter().zip(&members).map(rows).collect() }
        })
        .collect()
}

/// Ids by level: the first whose cells are at least as wide as the box.
fn dealt(set: &Boxes, axes: Axes, finest: [f32; 2], method: Method) -> Vec<Vec<u32>> {
    let mut levels = vec![Vec::new(); LEVELS];
    if method == Method::Sweep {
        levels[0] = (0..set.len() as u32).collect();
        return levels;
    }
    for id in 0..set.len() {
        let share = |k: usize| (set.high[axes[k + 1]][id] - set.low[axes[k + 1]][id]) / finest[k];
        // NaN, for boxes without width among such, counts as 0.
        let widest = share(0).max(share(1)).max(0.0);
        let level = if widest <= 1.0 { 0 } else { widest.log2().ceil() as usize };
        levels[level.min(LEVELS - 1)].push(id as u32);
    }
    levels
}
