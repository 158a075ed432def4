//! Boxes in rows of a grid, each row sorted along the third axis.

use crate::ends::Ends;
use crate::grid::Grid;
use rayon::prelude::*;

/// Entries past the end that vector loads may touch.
pub(crate) const PADDING: usize = 16;
/// Boxes from which on rows are sorted by several threads.
const MANY: usize = 1 << 14;
/// Rows a thread sorts at a time at least.
const ROWS_A_TASK: usize = 64;

/// The order of axes: that along the rows, then u and v of the grid.
pub(crate) type Axes = [usize; 3];

/// Boxes sorted by the row of their lower corner and then by their lower end along the row; equal ends in the order of members.
#[derive(Clone, Debug, Default)]
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

/// Room that filling needs, kept from one time to the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    /// Of each member, in the order given.
    rows: Vec<u32>,
    /// The next free position of each row.
    fill: Vec<u32>,
    /// By slot, a place in the right row but in the order of members: ids, and boxes with their axes in the order of the rows.
    ids: Vec<u32>,
    boxes: Vec<Ends>,
    /// By position: the lower end along the row and the slot, sorted in the rows.
    keys: Vec<u64>,
}

impl Rows {
    pub(crate) fn new(boxes: &[Ends], axes: Axes, members: &[u32], grid: &Grid) -> Rows {
        let mut rows = Rows::default();
        let mut scratch = Scratch::default();
        rows.bin(boxes, axes, members, grid, &mut scratch);
        sort_rows(&mut scratch.keys, &rows.starts, members.len() >= MANY);
        rows.gather(grid, &scratch);
        rows
    }

    /// Takes these boxes in place of what was there, on this thread, in memory used before as far as it goes.
    pub(crate) fn refill(
        &mut self,
        boxes: &[Ends],
        axes: Axes,
        members: &[u32],
        grid: &Grid,
        scratch: &mut Scratch,
    ) {
        self.bin(boxes, axes, members, grid, scratch);
        sort_rows(&mut scratch.keys, &self.starts, false);
        self.gather(grid, scratch);
    }

    /// Finds the row of each member, and leaves their keys by row, unsorted.
    fn bin(&mut self, boxes: &[Ends], axes: Axes, members: &[u32], grid: &Grid, scratch: &mut Scratch) {
        let [_, u, v] = axes;
        self.starts.clear();
        self.starts.resize(grid.rows() + 1, 0);
        scratch.rows.clear();
        for &id in members {
            let low = &boxes[id as usize].low;
            let row = grid.row(grid.cell(0, low[u]), grid.cell(1, low[v]));
            self.starts[row + 1] += 1;
            scratch.rows.push(row as u32);
        }
        for row in 1..self.starts.len() {
            self.starts[row] += self.starts[row - 1];
        }
        scratch.fill.clear();
        scratch.fill.extend_from_slice(&self.starts);
        scratch.keys.resize(members.len(), 0);
        scratch.ids.resize(members.len(), 0);
        scratch.boxes.resize(members.len(), Ends::NONE);
        // Boxes are copied along: a row is written in order, line by line, whereas their places by id are all over the memory.
        for (&id, &row) in members.iter().zip(&scratch.rows) {
            let slot = scratch.fill[row as usize];
            scratch.fill[row as usize] += 1;
            let ends = boxes[id as usize].along(axes);
            scratch.keys[slot as usize] = u64::from(ordered(ends.low[0])) << 32 | u64::from(slot);
            scratch.ids[slot as usize] = id;
            scratch.boxes[slot as usize] = ends;
        }
    }

    /// Takes the boxes in the order of the keys.
    fn gather(&mut self, grid: &Grid, scratch: &Scratch) {
        let count = scratch.keys.len();
        self.ids.clear();
        self.ids.resize(count + PADDING, 0);
        for list in self.low.iter_mut().chain(&mut self.high) {
            list.resize(count + PADDING, 0.0);
        }
        let mut span = [0_u32; 2];
        for (at, &key) in scratch.keys.iter().enumerate() {
            let slot = key as u32 as usize;
            let ends = &scratch.boxes[slot];
            self.ids[at] = scratch.ids[slot];
            for k in 0..3 {
                self.low[k][at] = ends.low[k];
                self.high[k][at] = ends.high[k];
            }
            for (k, span) in span.iter_mut().enumerate() {
                let cells = grid.cell(k, ends.high[k + 1]) - grid.cell(k, ends.low[k + 1]);
                *span = cells.max(*span);
            }
        }
        self.span = span;
        self.find_reach();
    }

    fn find_reach(&mut self) {
        self.reach.clear();
        self.reach.extend_from_slice(&self.high[0][..self.high[0].len() - PADDING]);
        for ends in self.starts.windows(2) {
            for i in ends[0] as usize + 1..ends[1] as usize {
                self.reach[i] = self.reach[i].max(self.reach[i - 1]);
            }
        }
    }

    /// Number of boxes.
    pub(crate) fn len(&self) -> usize {
        self.ids.len().saturating_sub(PADDING)
    }

    /// The ends of the box at a position.
    #[inline(always)]
    pub(crate) fn ends(&self, position: usize) -> Ends {
        let at = |lists: &[Vec<f32>; 3]| [lists[0][position], lists[1][position], lists[2][position]];
        Ends { low: at(&self.low), high: at(&self.high) }
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

    /// Lets the box at a position meet nothing any more. Its ends along the row stay, since the row's order rests on them; its
    /// upper end along u falls below every number.
    pub(crate) fn forget(&mut self, position: usize) {
        self.high[1][position] = f32::NEG_INFINITY;
    }
}

/// A key that orders as the number does; −0 and 0 are made equal.
fn ordered(x: f32) -> u32 {
    let bits = (x + 0.0).to_bits();
    if bits >> 31 == 1 { !bits } else { bits | 1 << 31 }
}

fn sort_rows(keys: &mut [u64], starts: &[u32], threads: bool) {
    if !threads {
        for ends in starts.windows(2) {
            keys[ends[0] as usize..ends[1] as usize].sort_unstable();
        }
        return;
    }
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
