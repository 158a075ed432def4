//! Who waits for a long check: hears of its progress and may end it.

use kontakt_schedule::Deadline;

/// The part of a check that is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Pairs of bodies in segments are judged.
    Judging,
    /// Least distances are bounded, segment by segment.
    Clearance,
}

/// Hears of the progress of a check and may end it early.
pub trait Watch: Sync {
    /// When the check is to end: what is not settled by then is undecided.
    fn deadline(&self) -> Deadline {
        Deadline::NEVER
    }

    /// A stage of so many steps begins.
    fn begins(&self, _stage: Stage, _steps: usize) {}

    /// One step of it is done.
    fn step(&self) {}
}

/// Nobody waits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watch for Unwatched {}
