//! The search for pairs, cut into pieces.

pub(crate) mod visit;

use crate::boxes::Boxes;
use crate::ends::Ends;
use crate::level::{Level, Levels};
use crate::method::Method;
use kontakt_bounds::batch::Isa;
use rayon::prelude::*;
use std::ops::{ControlFlow, Range};
use thiserror::Error;
use visit::{Found, Room};

/// Boxes of a piece.
const PIECE: usize = 256;
/// Pairs handed over at a time where nobody says otherwise.
const ROOM: usize = 4096;

/// Two sets of boxes are in different frames, so their coordinates cannot be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the two sets of boxes are in different frames")]
pub struct FramesDiffer;

/// A search made ready: boxes sorted, work cut into pieces. The pieces depend on the boxes alone, not on threads or memory, and
/// every overlapping pair belongs to exactly one.
///
/// Memory: 40 bytes a box and 4 a row of the grids; pairs are handed over in bunches, so their number does not matter.
#[derive(Clone, Debug)]
pub struct Pairs {
    levels: Vec<Level>,
    pieces: Vec<Piece>,
    isa: Isa,
}

/// Boxes at some positions of a level, which look for partners there and in all coarser levels.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    level: usize,
    set: usize,
    positions: Range<usize>,
}

/// Cuts the boxes of all levels into pieces.
pub(crate) fn cut(levels: &[Level], pieces: &mut Vec<Piece>) {
    pieces.clear();
    for (at, level) in levels.iter().enumerate() {
        for (set, rows) in level.sets.iter().enumerate() {
            let starts = (0..rows.len()).step_by(PIECE);
            pieces.extend(starts.map(|start| {
                let positions = start..(start + PIECE).min(rows.len());
                Piece { level: at, set, positions }
            }));
        }
    }
}

impl Pairs {
    /// Pairs of one set, as [smaller id, larger id].
    pub fn within(boxes: &Boxes, method: Method) -> Pairs {
        Pairs::of(&[&boxes.ends], method)
    }

    /// Pairs of a box of `first` and one of `second`, as [id in first, id in second].
    pub fn between(first: &Boxes, second: &Boxes, method: Method) -> Result<Pairs, FramesDiffer> {
        if first.frame() != second.frame() {
            return Err(FramesDiffer);
        }
        Ok(Pairs::of(&[&first.ends, &second.ends], method))
    }

    fn of(sets: &[&[Ends]], method: Method) -> Pairs {
        let levels = Levels::new(sets, method).list;
        let mut pieces = Vec::new();
        cut(&levels, &mut pieces);
        Pairs { levels, pieces, isa: Isa::best() }
    }

    /// The same search with a chosen instruction set; plain Rust where the processor lacks it.
    #[must_use]
    pub fn with_isa(self, isa: Isa) -> Pairs {
        Pairs { isa, ..self }
    }

    /// Number of pieces.
    pub fn pieces(&self) -> usize {
        self.pieces.len()
    }

    /// Hands the pairs of one piece to `take`, at most `room` (or 1) at a time, always in the same order; stops when `take`
    /// says so. Nothing for a piece that does not exist.
    pub fn visit(
        &self,
        piece: usize,
        room: usize,
        take: impl FnMut(&[[u32; 2]]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some(piece) = self.pieces.get(piece) else { return ControlFlow::Continue(()) };
        let mut lists = Room::default();
        let mut found = Found::new(&mut lists, room, take);
        visit::visit(&self.levels, self.isa, piece, &mut found);
        found.finish()
    }

    /// All pairs, piece by piece: the same list for any number of threads.
    pub fn collect(&self) -> Vec<[u32; 2]> {
        let pieces = (0..self.pieces.len()).into_par_iter().map(|piece| {
            let mut pairs = Vec::new();
            let _ = self.visit(piece, ROOM, |some| {
                pairs.extend_from_slice(some);
                ControlFlow::Continue(())
            });
            pairs
        });
        pieces.collect::<Vec<_>>().concat()
    }

    /// Number of pairs, in memory that does not depend on it.
    pub fn count(&self) -> u64 {
        let pieces = (0..self.pieces.len()).into_par_iter().map(|piece| {
            let mut count = 0;
            let _ = self.visit(piece, ROOM, |some| {
                count += some.len() as u64;
                ControlFlow::Continue(())
            });
            count
        });
        pieces.sum()
    }
}
