//! How much work a question may still take.

use kontakt_schedule::Deadline;

/// Units of work left, and a moment after which none is done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    work: u64,
    deadline: Deadline,
}

impl Budget {
    pub(crate) fn new(work: u64, deadline: Deadline) -> Budget {
        Budget { work, deadline }
    }

    /// Whether nothing is left. Without a deadline the clock is not read; else that takes some 25 ns, the least unit of work
    /// some hundreds.
    pub(crate) fn is_spent(&self) -> bool {
        self.work == 0 || self.deadline.has_passed()
    }

    /// The moment after which nothing is left.
    pub(crate) fn deadline(&self) -> Deadline {
        self.deadline
    }

    /// Takes so many units.
    pub(crate) fn spend(&mut self, units: u64) {
        self.work = self.work.saturating_sub(units);
    }
}
