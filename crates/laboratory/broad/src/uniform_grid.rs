//! Uniform division of space: every box in every cell that it touches, cells in a hash table of size O(n) [VR 6.1.1; Overmars 1992].

use crate::each::{each_with_its_partners, existing};
use kontakt_broad::{Ends, Finder, Take};
use std::collections::HashMap;
use std::ops::ControlFlow;

type Cell = [i32; 3];

/// Boxes that would fill more cells are kept apart and compared with everything.
const MOST_CELLS: f64 = 512.0;

/// Cells of one size, that of the mean box.
#[derive(Clone, Debug, Default)]
pub struct UniformGrid {
    side: f32,
    cells: HashMap<Cell, Vec<u32>>,
    large: Vec<u32>,
    /// By id, as put in.
    known: Vec<Ends>,
}

impl UniformGrid {
    /// A monotone function: rounding, the floor and the saturating cast all are.
    fn cell(&self, at: [f32; 3]) -> Cell {
        at.map(|x| (x / self.side).floor() as i32)
    }

    /// First and last cell; `None` if there are too many.
    fn cells(&self, ends: &Ends) -> Option<(Cell, Cell)> {
        let (from, to) = (self.cell(ends.low), self.cell(ends.high));
        let count = (0..3).map(|k| f64::from(to[k]) - f64::from(from[k]) + 1.0).product::<f64>();
        (count <= MOST_CELLS).then_some((from, to))
    }

    fn insert(&mut self, id: u32, ends: &Ends) {
        self.known[id as usize] = *ends;
        match self.cells(ends) {
            None => self.large.push(id),
            Some(range) => each_cell(range, |cell| self.cells.entry(cell).or_default().push(id)),
        }
    }
}

fn each_cell((from, to): (Cell, Cell), mut visit: impl FnMut(Cell)) {
    for x in from[0]..=to[0] {
        for y in from[1]..=to[1] {
            for z in from[2]..=to[2] {
                visit([x, y, z]);
            }
        }
    }
}

impl Finder for UniformGrid {
    fn rebuild(&mut self, boxes: &[Ends]) {
        let (mut sum, mut count) = (0.0, 0);
        for ends in boxes.iter().filter(|ends| ends.exists()) {
            sum += (0..3).map(|k| f64::from(ends.high[k] - ends.low[k])).fold(0.0, f64::max);
            count += 1;
        }
        self.side = ((sum / f64::from(count.max(1))) as f32).max(1e-30);
        self.cells.clear();
        self.large.clear();
        self.known.clear();
        self.known.resize(boxes.len(), Ends::NONE);
        for id in existing(boxes) {
            self.insert(id, &boxes[id as usize]);
        }
    }

    fn pairs(&mut self, boxes: &[Ends], take: &mut Take<'_>) -> ControlFlow<()> {
        each_with_its_partners(self, boxes, take)
    }

    fn put(&mut self, id: u32, boxes: &[Ends]) {
        self.take_out(id);
        if self.known.len() < boxes.len() {
            self.known.resize(boxes.len(), Ends::NONE);
        }
        self.insert(id, &boxes[id as usize]);
    }

    fn take_out(&mut self, id: u32) {
        let Some(ends) = self.known.get_mut(id as usize).filter(|ends| ends.exists()) else { return };
        let ends = std::mem::replace(ends, Ends::NONE);
        match self.cells(&ends) {
            None => self.large.retain(|&other| other != id),
            Some(range) => each_cell(range, |cell| {
                if let Some(ids) = self.cells.get_mut(&cell) {
                    ids.retain(|&other| other != id);
                }
            }),
        }
    }

    /// A box is named in one cell only: that of the greater of the two lower corners, which both boxes touch if they meet.
    fn meeting(&self, ends: &Ends, boxes: &[Ends], found: &mut Vec<u32>) {
        let Some(range) = self.cells(ends) else {
            found.extend(existing(&self.known).filter(|&id| boxes[id as usize].meets(ends)));
            return;
        };
        each_cell(range, |cell| {
            for &id in self.cells.get(&cell).map_or(&[][..], Vec::as_slice) {
                let other = &boxes[id as usize];
                let first = std::array::from_fn(|k| other.low[k].max(ends.low[k]));
                if other.meets(ends) && self.cell(first) == cell {
                    found.push(id);
                }
            }
        });
        found.extend(self.large.iter().filter(|&&id| boxes[id as usize].meets(ends)));
    }
}
