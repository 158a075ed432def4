//! Hierarchical hash grid: Schornbaum, Hierarchical hash grids for coarse collision detection, 2009.

use kontakt_broad::{Ends, Finder, Take};
use std::ops::ControlFlow;

/// The end of a chain; not in the grid.
const NONE: u32 = u32::MAX;
/// Pairs handed over at a time, about.
const BUNCH: usize = 1024;
/// Most levels; wider boxes share the last.
const LEVELS: usize = 60;
/// Boxes looked at to learn how wide they are.
const SAMPLE: usize = 256;

/// A cell of a level. Coordinates outside the range of integers belong to the outermost cells, so that the cell of a coordinate is a
/// monotone function of it.
type Cell = [i32; 3];

/// Where a box is kept.
#[derive(Clone, Copy, Debug)]
struct Entry {
    cell: Cell,
    level: u32,
    next: u32,
    last: u32,
    bucket: u32,
}

const NOWHERE: Entry = Entry { cell: [0; 3], level: 0, next: NONE, last: NONE, bucket: NONE };

/// Grids whose cells double from level to level. A box is in the cell of its lower corner, on the first level whose cells are at least
/// as wide as it; so it reaches into the next cell, by rounding perhaps one further, on the last level anywhere: that is measured.
#[derive(Clone, Debug, Default)]
pub struct HashGrid {
    entries: Vec<Entry>,
    heads: Vec<u32>,
    /// Number of boxes on each level.
    counts: Vec<u32>,
    /// How many cells further than its lower corner a box of each level reaches at most.
    spans: Vec<i32>,
    finest: f32,
}

impl HashGrid {
    fn side(&self, level: usize) -> f32 {
        self.finest * (1_u64 << level) as f32
    }

    fn level_of(&self, ends: &Ends) -> usize {
        let width = (0..3).map(|k| ends.high[k] - ends.low[k]).fold(0.0, f32::max);
        ((width / self.finest).log2().ceil() as usize).min(LEVELS - 1)
    }

    fn cell(&self, level: usize, at: [f32; 3]) -> Cell {
        let side = self.side(level);
        at.map(|x| (x / side).floor() as i32)
    }

    fn bucket(&self, level: usize, cell: Cell) -> usize {
        let mut hash = level as u64;
        for x in cell {
            hash = (hash ^ u64::from(x.cast_unsigned())).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            hash ^= hash >> 29;
        }
        hash as usize & (self.heads.len() - 1)
    }

    fn insert(&mut self, id: u32, ends: &Ends) {
        let level = self.level_of(ends);
        let cell = self.cell(level, ends.low);
        let bucket = self.bucket(level, cell);
        let next = std::mem::replace(&mut self.heads[bucket], id);
        if next != NONE {
            self.entries[next as usize].last = id;
        }
        self.entries[id as usize] =
            Entry { cell, level: level as u32, next, last: NONE, bucket: bucket as u32 };
        self.counts[level] += 1;
        let last = self.cell(level, ends.high);
        let reach = (0..3).map(|k| last[k].saturating_sub(cell[k])).fold(0, i32::max);
        self.spans[level] = self.spans[level].max(reach);
    }

    /// Calls `visit` with all ids of a level that may meet the box; all of the level if those are fewer than cells to look into.
    ///
    /// With c the cell of a coordinate: boxes that meet have low' ≤ high and low ≤ high', so by monotony c(low') ≤ c(high) and
    /// c(low) ≤ c(high') ≤ c(low') + span. So low' lies in the cells c(low) − span to c(high).
    fn near(&self, ends: &Ends, level: usize, visit: &mut impl FnMut(u32)) {
        let (from, to) = (self.cell(level, ends.low), self.cell(level, ends.high));
        let from = from.map(|x| x.saturating_sub(self.spans[level]));
        let cells = (0..3).map(|k| f64::from(to[k]) - f64::from(from[k]) + 1.0).product::<f64>();
        if cells > f64::from(self.counts[level]).max(27.0) {
            for (id, entry) in self.entries.iter().enumerate() {
                if entry.bucket != NONE && entry.level as usize == level {
                    visit(id as u32);
                }
            }
            return;
        }
        for x in from[0]..=to[0] {
            for y in from[1]..=to[1] {
                for z in from[2]..=to[2] {
                    let cell = [x, y, z];
                    let mut id = self.heads[self.bucket(level, cell)];
                    while id != NONE {
                        let entry = &self.entries[id as usize];
                        if entry.cell == cell && entry.level as usize == level {
                            visit(id);
                        }
                        id = entry.next;
                    }
                }
            }
        }
    }

    fn used(&self) -> impl Iterator<Item = usize> {
        self.counts.iter().enumerate().filter(|(_, count)| **count > 0).map(|(level, _)| level)
    }
}

impl Finder for HashGrid {
    fn rebuild(&mut self, boxes: &[Ends]) {
        let mut widths = [0.0_f32; SAMPLE];
        let mut count = 0;
        for ends in boxes.iter().step_by(boxes.len().div_ceil(SAMPLE).max(1)).filter(|ends| ends.exists()) {
            widths[count] = (0..3).map(|k| ends.high[k] - ends.low[k]).fold(0.0, f32::max);
            count += 1;
        }
        widths[..count].sort_unstable_by(f32::total_cmp);
        self.finest = if count == 0 { 1.0 } else { widths[count / 8] }.max(f32::MIN_POSITIVE * 1e6);
        self.heads.clear();
        self.heads.resize((boxes.len().max(8) * 2).next_power_of_two(), NONE);
        self.entries.clear();
        self.entries.resize(boxes.len(), NOWHERE);
        self.counts.clear();
        self.counts.resize(LEVELS, 0);
        self.spans.clear();
        self.spans.resize(LEVELS, 0);
        for (id, ends) in boxes.iter().enumerate().filter(|(_, ends)| ends.exists()) {
            self.insert(id as u32, ends);
        }
    }

    /// Each box looks for its partners on its own level and the coarser ones.
    fn pairs(&mut self, boxes: &[Ends], take: &mut Take<'_>) -> ControlFlow<()> {
        let mut bunch = Vec::with_capacity(2 * BUNCH);
        for (id, ends) in boxes.iter().enumerate().filter(|(_, ends)| ends.exists()) {
            let id = id as u32;
            let own = self.entries[id as usize].level as usize;
            for level in self.used().filter(|&level| level >= own) {
                self.near(ends, level, &mut |other| {
                    if (level > own || other > id) && boxes[other as usize].meets(ends) {
                        bunch.push([id.min(other), id.max(other)]);
                    }
                });
            }
            if bunch.len() >= BUNCH {
                take(&bunch)?;
                bunch.clear();
            }
        }
        if bunch.is_empty() { ControlFlow::Continue(()) } else { take(&bunch) }
    }

    fn put(&mut self, id: u32, boxes: &[Ends]) {
        self.take_out(id);
        if self.entries.len() < boxes.len() {
            self.entries.resize(boxes.len(), NOWHERE);
        }
        self.insert(id, &boxes[id as usize]);
    }

    fn take_out(&mut self, id: u32) {
        let Some(entry) = self.entries.get_mut(id as usize).filter(|entry| entry.bucket != NONE) else {
            return;
        };
        let entry = std::mem::replace(entry, NOWHERE);
        self.counts[entry.level as usize] -= 1;
        match self.entries.get_mut(entry.last as usize) {
            Some(last) => last.next = entry.next,
            None => self.heads[entry.bucket as usize] = entry.next,
        }
        if let Some(next) = self.entries.get_mut(entry.next as usize) {
            next.last = entry.last;
        }
    }

    fn meeting(&self, ends: &Ends, boxes: &[Ends], found: &mut Vec<u32>) {
        for level in self.used() {
            self.near(ends, level, &mut |other| {
                if boxes[other as usize].meets(ends) {
                    found.push(other);
                }
            });
        }
    }
}
