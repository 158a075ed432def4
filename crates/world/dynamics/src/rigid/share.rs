//! What a step asks of whoever holds copies of its bodies on other ranks. Alone, nothing.
//!
//! Every rank has its own bodies and bit copies of those that its cells need, and makes the same step of them: gravity, motion and
//! sleep are the same on all copies. What contacts do is found by the rank that owns a contact's cell, and told after each colour.

use super::lanes::Motions;
use super::rest::Mood;
use kontakt_distributed::{Cell, Extent};

/// Why ranks could not agree.
pub type ShareError = Box<dyn std::error::Error + Send + Sync>;

/// The bodies of this rank as space sees them, in the order of their ids.
#[derive(Clone, Copy, Debug)]
pub struct Shared<'s> {
    /// The ids.
    pub ids: &'s [u64],
    /// Boxes, grown by what may happen in the step, in units of the world's cells; none of what has no end.
    pub extents: &'s [Option<Extent>],
}

/// A body that this rank changes in a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Change {
    /// The colour.
    pub colour: u32,
    /// Where in the list of bodies it is.
    pub slot: u32,
}

/// Ranks that make a step together.
pub trait Share {
    /// Whether this rank solves the contacts of a cell.
    fn owns(&self, cell: Cell) -> bool;

    /// Before the sweeps: what this rank is going to change, sorted. Gives the colours in which any rank changes anything, in rising order.
    fn agree(&mut self, shared: Shared, changes: &[Change]) -> Result<Vec<u32>, ShareError>;

    /// After each colour of each sweep: changed bodies are told to all that have copies.
    fn changed(&mut self, colour: u32, motions: &Motions) -> Result<(), ShareError>;

    /// The greatest of all ranks' numbers.
    fn greatest(&mut self, number: f64) -> Result<f64, ShareError>;

    /// What pairs made of their bodies, joined over all ranks by [`Mood::and`], for each body that this rank has.
    fn moods(&mut self, ids: &[u64], moods: &mut [Mood]) -> Result<(), ShareError>;
}

/// One rank that has everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Share for Alone {
    fn owns(&self, _: Cell) -> bool {
        true
    }

    fn agree(&mut self, _: Shared, changes: &[Change]) -> Result<Vec<u32>, ShareError> {
        let mut colours: Vec<u32> = changes.iter().map(|change| change.colour).collect();
        colours.dedup();
        Ok(colours)
    }

    fn changed(&mut self, _: u32, _: &Motions) -> Result<(), ShareError> {
        Ok(())
    }

    fn greatest(&mut self, number: f64) -> Result<f64, ShareError> {
        Ok(number)
    }

    fn moods(&mut self, _: &[u64], _: &mut [Mood]) -> Result<(), ShareError> {
        Ok(())
    }
}
