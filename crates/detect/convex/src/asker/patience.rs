//! When a question has to end.

use kontakt_schedule::Deadline;

/// When a question has to end, and whether the last one did before all of it was answered.
#[derive(Clone, Copy, Debug, Default)]
pub struct Patience {
    deadline: Deadline,
    was_cut: bool,
}

impl Patience {
    /// Questions end, with what is certain by then, when the deadline has passed.
    pub fn until(deadline: Deadline) -> Patience {
        Patience { deadline, was_cut: false }
    }

    /// When questions end.
    pub fn deadline(&self) -> Deadline {
        self.deadline
    }

    /// Whether the last question ended before all of it was answered.
    pub fn was_cut(&self) -> bool {
        self.was_cut
    }

    /// The next question begins.
    pub(crate) fn renew(&mut self) {
        self.was_cut = false;
    }

    /// Whether the deadline has passed while there is more to do.
    pub(crate) fn is_over(&mut self) -> bool {
        self.was_cut |= self.deadline.has_passed();
        self.was_cut
    }
}
