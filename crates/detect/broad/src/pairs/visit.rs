//! Visiting a piece: each of its boxes against the rows that may hold partners.
#![allow(unsafe_code, reason = "functions for an instruction set are called after asking the processor")]

use super::Piece;
use crate::level::Level;
use crate::row::Rows;
#[cfg(target_arch = "x86_64")]
use crate::scan::x86::{Avx2, Avx512};
use crate::scan::{Lanes, Plain, scan};
use crate::window::Window;
use kontakt_bounds::batch::Isa;
use std::ops::{ControlFlow, Range};

/// Lists that a visit needs, kept for the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Room {
    pairs: Vec<[u32; 2]>,
    windows: Vec<Window>,
    ids: Vec<u32>,
}

/// Pairs on their way to the visitor.
pub(crate) struct Found<'a, F> {
    room: &'a mut Room,
    most: usize,
    take: F,
    flow: ControlFlow<()>,
}

impl<'a, F: FnMut(&[[u32; 2]]) -> ControlFlow<()>> Found<'a, F> {
    /// Hands over at most `most` (or 1) at a time.
    pub(crate) fn new(room: &'a mut Room, most: usize, take: F) -> Found<'a, F> {
        let most = most.max(1);
        room.pairs.clear();
        room.pairs.reserve(most.min(1 << 16));
        Found { room, most, take, flow: ControlFlow::Continue(()) }
    }

    /// Adds the pairs of one box with some others.
    #[inline(always)]
    fn extend(&mut self, others: &[u32], pair: impl Fn(u32) -> [u32; 2]) {
        let mut others = others;
        while self.room.pairs.len() + others.len() > self.most {
            let (first, rest) = others.split_at(self.most - self.room.pairs.len());
            self.room.pairs.extend(first.iter().map(|&other| pair(other)));
            self.hand_over();
            others = rest;
        }
        self.room.pairs.extend(others.iter().map(|&other| pair(other)));
    }

    #[inline(never)]
    fn hand_over(&mut self) {
        if self.flow.is_continue() && !self.room.pairs.is_empty() {
            self.flow = (self.take)(&self.room.pairs);
        }
        self.room.pairs.clear();
    }

    pub(crate) fn finish(mut self) -> ControlFlow<()> {
        self.hand_over();
        self.flow
    }
}

/// Finds all pairs of a piece.
pub(crate) fn visit<F: FnMut(&[[u32; 2]]) -> ControlFlow<()>>(
    levels: &[Level],
    isa: Isa,
    piece: &Piece,
    found: &mut Found<'_, F>,
) {
    // SAFETY: each call is guarded by `is_available`; plain lanes need nothing.
    unsafe {
        match isa {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 if isa.is_available() => visit_avx512(levels, piece, found),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 if isa.is_available() => visit_avx2(levels, piece, found),
            _ => visit_with::<Plain, F>(levels, piece, found),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq,avx2,fma")]
fn visit_avx512<F: FnMut(&[[u32; 2]]) -> ControlFlow<()>>(
    levels: &[Level],
    piece: &Piece,
    found: &mut Found<'_, F>,
) {
    // SAFETY: compiled for and called on this instruction set.
    unsafe { visit_with::<Avx512, F>(levels, piece, found) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn visit_avx2<F: FnMut(&[[u32; 2]]) -> ControlFlow<()>>(
    levels: &[Level],
    piece: &Piece,
    found: &mut Found<'_, F>,
) {
    // SAFETY: compiled for and called on this instruction set.
    unsafe { visit_with::<Avx2, F>(levels, piece, found) }
}

/// Every pair once: two boxes of one set and level meet in the row order (`ahead`), or the finer level's box looks for the
/// coarser level's; boxes of two sets in one level are looked for from the first set.
///
/// # Safety
/// The processor has the instruction set of `L`.
#[inline(always)]
unsafe fn visit_with<L: Lanes, F: FnMut(&[[u32; 2]]) -> ControlFlow<()>>(
    levels: &[Level],
    piece: &Piece,
    found: &mut Found<'_, F>,
) {
    let rows = &levels[piece.level].sets[piece.set];
    let (mut windows, mut ids) =
        (std::mem::take(&mut found.room.windows), std::mem::take(&mut found.room.ids));
    let mut start = piece.positions.start;
    while start < piece.positions.end {
        let row = rows.row_of(start);
        let run = start..rows.row(row).end.min(piece.positions.end);
        for (at, target) in levels.iter().enumerate().skip(piece.level).filter(|(_, level)| !level.is_empty())
        {
            let partners = if target.sets.len() == 1 { 0 } else { 1 - piece.set };
            let same_level = at == piece.level;
            let mut join =
                Join { rows, run: run.clone(), target, partners, windows: &mut windows, ids: &mut ids };
            // SAFETY: as the caller vouches.
            unsafe {
                if same_level && target.sets.len() == 1 {
                    join.ahead::<L, F>(row, found);
                } else if !same_level || piece.set == 0 {
                    join.all::<L, F>(piece.set == 1, found);
                }
            }
            if found.flow.is_break() {
                return;
            }
        }
        start = run.end;
    }
    (found.room.windows, found.room.ids) = (windows, ids);
}

/// Boxes of one row against a level.
struct Join<'a> {
    rows: &'a Rows,
    run: Range<usize>,
    target: &'a Level,
    /// Which set of the level.
    partners: usize,
    windows: &'a mut Vec<Window>,
    /// Room for what one scan finds.
    ids: &'a mut Vec<u32>,
}

impl Join<'_> {
    /// Fills in the window of each box and gives the one around all.
    fn windows(&mut self) -> Option<Window> {
        let (grid, targets) = (&self.target.grid, &self.target.sets[self.partners]);
        let (rows, run) = (self.rows, self.run.clone());
        self.windows.clear();
        self.windows.extend(run.map(|position| Window::of(&rows.ends(position), grid, targets)));
        self.windows.iter().copied().reduce(|a, b| a.around(&b))
    }

    /// Pairs with all boxes of another list. `flip`: the boxes of this run belong to the second set.
    ///
    /// # Safety
    /// The processor has the instruction set of `L`.
    #[inline(always)]
    unsafe fn all<L: Lanes, F: FnMut(&[[u32; 2]]) -> ControlFlow<()>>(
        &mut self,
        flip: bool,
        found: &mut Found<'_, F>,
    ) {
        let one_set = self.target.sets.len() == 1;
        let Some(window) = self.windows() else { return };
        for u in window.u[0]..=window.u[1] {
            for v in window.v[0]..=window.v[1] {
                let order = |id: u32, other: u32| {
                    if flip || one_set && other < id { [other, id] } else { [id, other] }
                };
                // SAFETY: as the caller vouches.
                unsafe { self.one_row::<L, F>(u, v, order, found) };
            }
        }
    }

    /// Pairs with boxes of the same list that come later: in the same row behind, or in a row behind.
    ///
    /// # Safety
    /// The processor has the instruction set of `L`.
    #[inline(always)]
    unsafe fn ahead<L: Lanes, F: FnMut(&[[u32; 2]]) -> ControlFlow<()>>(
        &mut self,
        own: usize,
        found: &mut Found<'_, F>,
    ) {
        let order = |id: u32, other: u32| [id.min(other), id.max(other)];
        let end = self.rows.row(own).end;
        for position in self.run.clone() {
            let id = self.rows.ids[position];
            // SAFETY: as the caller vouches; positions of the row.
            let count =
                unsafe { scan::<L>(self.rows, position + 1, end, &self.rows.ends(position), self.ids) };
            found.extend(&self.ids[..count], |other| order(id, other));
            if found.flow.is_break() {
                return;
            }
        }
        let Some(window) = self.windows() else { return };
        let columns = self.target.grid.count[1];
        let (own_u, own_v) = (own as u32 / columns, own as u32 % columns);
        for u in own_u..=window.u[1] {
            let first = if u == own_u { own_v + 1 } else { window.v[0] };
            for v in first..=window.v[1] {
                // SAFETY: as the caller vouches.
                unsafe { self.one_row::<L, F>(u, v, order, found) };
            }
        }
    }

    /// Pairs with the boxes of one row.
    ///
    /// # Safety
    /// The processor has the instruction set of `L`.
    #[inline(always)]
    unsafe fn one_row<L: Lanes, F: FnMut(&[[u32; 2]]) -> ControlFlow<()>>(
        &mut self,
        u: u32,
        v: u32,
        order: impl Fn(u32, u32) -> [u32; 2],
        found: &mut Found<'_, F>,
    ) {
        let targets = &self.target.sets[self.partners];
        let row = targets.row(self.target.grid.row(u, v));
        if row.is_empty() {
            return;
        }
        let mut from = targets.first_reaching(row.clone(), self.rows.low[0][self.run.start]);
        for (position, window) in self.run.clone().zip(self.windows.iter()) {
            if found.flow.is_break() {
                return;
            }
            // Boxes of the run come with increasing lower ends, so the first partner only moves on.
            from = targets.next_reaching(from, row.end, self.rows.low[0][position]);
            if from == row.end {
                return;
            }
            if window.contains(u, v) {
                let id = self.rows.ids[position];
                // SAFETY: as the caller vouches; positions of the row.
                let count = unsafe { scan::<L>(targets, from, row.end, &self.rows.ends(position), self.ids) };
                found.extend(&self.ids[..count], |other| order(id, other));
            }
        }
    }
}
