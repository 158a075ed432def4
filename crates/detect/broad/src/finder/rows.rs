//! Sorted rows of grids for the many, a tree for those that have changed since.

use super::tree::Tree;
use super::{Finder, Take};
use crate::ends::Ends;
use crate::level::Levels;
use crate::pairs::visit::{Found, Room, visit};
use crate::pairs::{Piece, cut};
use crate::window::Window;
use kontakt_bounds::batch::Isa;
use std::ops::ControlFlow;

/// Pairs handed over at a time.
const BUNCH: usize = 4096;
/// Boxes of a level looked at to tell how crowded it is.
const SAMPLE: usize = 256;
/// As many comparisons, sixteen at a time, as looking into a row costs without any.
const A_ROW: f64 = 128.0;
/// Not in the rows.
const NOWHERE: [u32; 2] = [u32::MAX; 2];

/// The rows are filled by `rebuild` and only read afterwards: a box that changes is forgotten there and kept in a tree. Worth it
/// as long as few change between two rebuilds.
#[derive(Debug)]
pub(crate) struct SortedRows {
    levels: Levels,
    pieces: Vec<Piece>,
    room: Room,
    isa: Isa,
    /// [level, position] by id; made when first needed.
    homes: Vec<[u32; 2]>,
    homes_known: bool,
    /// Length of the list of boxes at the last rebuild.
    ids: usize,
    loose: Tree,
}

impl SortedRows {
    pub(crate) fn new() -> SortedRows {
        SortedRows {
            levels: Levels::default(),
            pieces: Vec::new(),
            room: Room::default(),
            isa: Isa::best(),
            homes: Vec::new(),
            homes_known: false,
            ids: 0,
            loose: Tree::default(),
        }
    }

    fn know_homes(&mut self, ids: usize) {
        if !self.homes_known {
            self.homes_known = true;
            self.homes.clear();
            self.homes.resize(ids.max(self.ids), NOWHERE);
            for (at, level) in self.levels.list.iter().enumerate() {
                for rows in &level.sets {
                    for (position, &id) in rows.ids[..rows.len()].iter().enumerate() {
                        self.homes[id as usize] = [at as u32, position as u32];
                    }
                }
            }
        }
        if self.homes.len() < ids {
            self.homes.resize(ids, NOWHERE);
        }
    }

    /// The work that the box at a position of a level makes, in comparisons: it looks into rows of its own and all coarser levels.
    fn work(&self, own: usize, position: usize) -> f64 {
        let ends = self.levels.list[own].sets[0].ends(position);
        let mut work = 0.0;
        for level in self.levels.list[own..].iter().filter(|level| !level.is_empty()) {
            let rows = &level.sets[0];
            let window = Window::of(&ends, &level.grid, rows);
            let [tall, wide] = [window.u, window.v].map(|[first, last]| last - first + 1);
            // Of very many rows some stand for all.
            let [skip_u, skip_v] = [tall, wide].map(|rows| rows.div_ceil(8));
            let mut compared = 0;
            let mut looked_into = 0;
            for u in (window.u[0]..=window.u[1]).step_by(skip_u as usize) {
                for v in (window.v[0]..=window.v[1]).step_by(skip_v as usize) {
                    let row = rows.row(level.grid.row(u, v));
                    let first = rows.first_reaching(row.clone(), ends.low[0]);
                    compared += rows.low[0][first..row.end].partition_point(|&low| low <= ends.high[0]);
                    looked_into += 1;
                }
            }
            let all = f64::from(tall) * f64::from(wide);
            work += all * (A_ROW + compared as f64 / f64::from(looked_into));
        }
        work
    }

    fn forget(&mut self, id: u32) {
        let Some(home) = self.homes.get_mut(id as usize) else { return };
        let [level, position] = std::mem::replace(home, NOWHERE);
        if let Some(level) = self.levels.list.get_mut(level as usize) {
            level.sets[0].forget(position as usize);
        }
    }
}

impl Finder for SortedRows {
    fn rebuild(&mut self, boxes: &[Ends]) {
        self.levels.refill(boxes);
        cut(&self.levels.list, &mut self.pieces);
        self.homes_known = false;
        self.ids = boxes.len();
        self.loose.clear();
    }

    fn pairs(&mut self, _: &[Ends], take: &mut Take<'_>) -> ControlFlow<()> {
        for piece in &self.pieces {
            let mut found = Found::new(&mut self.room, BUNCH, &mut *take);
            visit(&self.levels.list, self.isa, piece, &mut found);
            found.finish()?;
        }
        ControlFlow::Continue(())
    }

    fn crowding(&self) -> f64 {
        let (mut sum, mut boxes) = (0.0, 0);
        for (at, level) in self.levels.list.iter().enumerate().filter(|(_, level)| !level.is_empty()) {
            let count = level.sets[0].len();
            let step = count.div_ceil(SAMPLE);
            let sampled: f64 = (0..count).step_by(step).map(|position| self.work(at, position)).sum();
            sum += sampled / count.div_ceil(step) as f64 * count as f64;
            boxes += count;
        }
        sum / boxes.max(1) as f64
    }

    fn put(&mut self, id: u32, boxes: &[Ends]) {
        self.know_homes(boxes.len());
        self.forget(id);
        self.loose.put(id, boxes);
    }

    fn take_out(&mut self, id: u32) {
        self.know_homes(id as usize + 1);
        self.forget(id);
        self.loose.take_out(id);
    }

    fn meeting(&self, ends: &Ends, boxes: &[Ends], found: &mut Vec<u32>) {
        let turned = ends.along(self.levels.axes);
        for level in self.levels.list.iter().filter(|level| !level.is_empty()) {
            let rows = &level.sets[0];
            let window = Window::of(&turned, &level.grid, rows);
            for u in window.u[0]..=window.u[1] {
                for v in window.v[0]..=window.v[1] {
                    let row = rows.row(level.grid.row(u, v));
                    let first = rows.first_reaching(row.clone(), turned.low[0]);
                    for at in first..row.end {
                        if rows.low[0][at] > turned.high[0] {
                            break;
                        }
                        if rows.ends(at).meets(&turned) {
                            found.push(rows.ids[at]);
                        }
                    }
                }
            }
        }
        self.loose.meeting(ends, boxes, found);
    }
}
