//! Looks at the clock once in many steps.

use crate::deadline::{Deadline, Expired};

/// Ticks between two readings of the clock: steps of up to a microsecond keep a limit to within a tenth of a millisecond.
const TICKS: u32 = 128;

/// Reads the clock of a [`Deadline`] once in many ticks, the first one included.
#[derive(Clone, Debug)]
pub struct Pacer {
    deadline: Deadline,
    left: u32,
}

impl Deadline {
    /// A counter that reads the clock once in many ticks, the first one included.
    pub fn pacer(self) -> Pacer {
        Pacer { deadline: self, left: 0 }
    }
}

impl Pacer {
    /// One small step of work; [`Expired`] once the deadline is seen to have passed, and ever after.
    #[inline]
    pub fn tick(&mut self) -> Result<(), Expired> {
        if self.left > 0 {
            self.left -= 1;
            return Ok(());
        }
        self.deadline.check()?;
        self.left = TICKS - 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::{Deadline, Expired};
    use std::time::Duration;

    #[test]
    fn a_passed_deadline_ends_work_at_the_first_tick_and_ever_after() {
        let mut pacer = Deadline::after(Duration::ZERO).pacer();
        assert_eq!([pacer.tick(), pacer.tick()], [Err(Expired); 2]);
    }

    #[test]
    fn work_ends_within_so_many_ticks_of_the_deadline() {
        let deadline = Deadline::after(Duration::from_millis(2));
        let mut pacer = deadline.pacer();
        let mut late = 0;
        while pacer.tick().is_ok() {
            late += u32::from(deadline.has_passed());
        }
        assert!(late <= super::TICKS, "{late} ticks after the deadline");
        assert_eq!(deadline.left(), Some(Duration::ZERO));
    }

    #[test]
    fn without_a_deadline_nothing_ends() {
        let mut pacer = Deadline::NEVER.pacer();
        assert!((0..1000).all(|_| pacer.tick().is_ok()));
        assert_eq!(Deadline::NEVER.left(), None);
        assert_eq!(Deadline::after(Duration::MAX), Deadline::NEVER, "beyond the clock");
    }
}
