//! Boxes in rows of a grid, each row sorted along the third axis.

use crate::boxes::Boxes;
use crate::grid::Grid;
use rayon::prelude::*;

/// Entries past the end that vector loads may touch.
pub(crate) const PADDING: usize = 16;
/// Rows a thread sorts at a time at least.
const ROWS_A_TASK: usize = 64;

/// The order of axes: that along the rows, then u and v of the grid.
pub(crate) type Axes = [usize; 3];

/// Boxes sorted by the row of their lower corner and then by their lower end along the row; equal ends by id.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    /// Row `r` has the positions `starts[r]..starts[r + 1]`.
    pub(crate) starts: Vec<u32>,
    /// By position; this and the next two have `PADDING` more entries.
    pub(crate) ids: Vec<u32>,
    /// Ends along the row, u and v, by position.
    pub(crate) low: [Vec<f32>; 3],
    pub(crate) high: [Vec<f32>; 3],
    /// Greatest upper end along the row up to and with this position, in its row: increases in a row.
    reach: Vec<f32>,
    /// How many cells further than its lower corner a box of these reaches at most, in u and v.
    pub(crate) span: [u32; 2],
}

impl Rows {
    pub(crate) fn new(boxes: &Boxes, axes: Axes, members: &[u32], grid: &Grid) -> Rows {
        let row_of = |id: u32| {
            let cell = |k: usize| grid.cell(k, boxes.low[axes[k + 1]][id as usize]);
            grid.row(cell(0), cell(1))
        };
        let mut starts = vec![0_u32; grid.rows() + 1];
        for &id in members {
            starts[row_of(id) + 1] += 1;
        }
        for row in 1..starts.len() {
            starts[row] += starts[row - 1];
        }
        let mut keys = vec![0_u64; members.len()];
        let mut fill = starts.clone();
        let along = &boxes.low[axes[0]];
        for &id in members {
            let slot = &mut fill[row_of(id)];
            keys[*slot as usize] = u64::from(ordered(along[id as usize])) << 32 | u64::from(id);
            *slot += 1;
        }
        sort_rows(&mut keys, &starts);
        let sorted = |list: &Vec<f32>| -> Vec<f32> {
            let padding = std::iter::repeat_n(0.0, PADDING);
            keys.iter().map(|&key| list[key as u32 as usize]).chain(padding).collect()
        };
        let low = axes.map(|k| sorted(&boxes.low[k]));
        let high = axes.map(|k| sorted(&boxes.high[k]));
        let span = [0, 1].map(|k| {
            let cells = |i: usize| grid.cell(k, high[k + 1][i]) - grid.cell(k, low[k + 1][i]);
            (0..keys.len()).map(cells).max().unwrap_or(0)
        });
        let reach = running_maxima(&high[0], &starts);
        let ids = keys.iter().map(|&key| key as u32).chain(std::iter::repeat_n(0, PADDING)).collect();
        Rows { starts, ids, low, high, reach, span }
    }

    /// Number of boxes.
    pub(crate) fn len(&self) -> usize {
        self.ids.len() - PADDING
    }

    /// Positions of a row.
    #[inline(always)]
    pub(crate) fn row(&self, row: usize) -> std::ops::Range<usize> {
        self.starts[row] as usize..self.starts[row + 1] as usize
    }

    /// The row of a position.
    pub(crate) fn row_of(&self, position: usize) -> usize {
        self.starts.partition_point(|&start| start as usize <= position) - 1
    }

    /// The first of some positions of one row from which on a box may reach up to x: all before it end below x, because
    /// `reach` there is the greatest of their ends.
    pub(crate) fn first_reaching(&self, positions: std::ops::Range<usize>, x: f32) -> usize {
        positions.start + self.reach[positions].partition_point(|&end| end < x)
    }

    /// `first_reaching` from a position that is at or before it, near by.
    #[inline(always)]
    pub(crate) fn next_reaching(&self, mut position: usize, end: usize, x: f32) -> usize {
        while position < end && self.reach[position] < x {
            position += 1;
        }
        position
    }
}

/// A key that orders as the number does; −0 and 0 are made equal.
fn ordered(x: f32) -> u32 {
    let bits = (x + 0.0).to_bits();
    if bits >> 31 == 1 { !bits } else { bits | 1 << 31 }
}

fn sort_rows(keys: &mut [u64], starts: &[u32]) {
    let mut rows = Vec::new();
    let mut rest = keys;
    for ends in starts.windows(2) {
        let (row, after) = rest.split_at_mut((ends[1] - ends[0]) as usize);
        rest = after;
        if row.len() > 1 {
            rows.push(row);
        }
    }
    rows.into_par_iter().with_min_len(ROWS_A_TASK).for_each(<[u64]>::sort_unstable);
}

fn running_maxima(high: &[f32], starts: &[u32]) -> Vec<f32> {
    let mut reach = high[..high.len() - PADDING].to_vec();
    for ends in starts.windows(2) {
        for i in ends[0] as usize + 1..ends[1] as usize {
            reach[i] = reach[i].max(reach[i - 1]);
        }
    }
    reach
}
