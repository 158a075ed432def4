//! Who waits for a long check: hears of its progress and may end it.

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
    /// Units of work (as in [`Options::most_work`](crate::Options::most_work)) that the next question may take at most; 0 ends
    /// the check: what has not been asked is undecided.
    fn work_left(&self) -> u64 {
        u64::MAX
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
