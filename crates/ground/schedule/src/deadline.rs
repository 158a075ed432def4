//! A moment after which work ends with what it has.

use std::time::{Duration, Instant};

/// A moment after which work ends with what it has, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline {
    at: Option<Instant>,
}

/// The deadline has passed before the work was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the time limit was reached")]
pub struct Expired;

impl Deadline {
    /// Work may take as long as it needs.
    pub const NEVER: Deadline = Deadline { at: None };

    /// So long from now; [`NEVER`](Deadline::NEVER) where that is beyond the clock's range.
    pub fn after(limit: Duration) -> Deadline {
        Deadline { at: Instant::now().checked_add(limit) }
    }

    /// The earlier of two.
    #[must_use]
    pub fn earlier(self, other: Deadline) -> Deadline {
        Deadline { at: self.at.into_iter().chain(other.at).min() }
    }

    /// Whether it has passed. Reads the clock: some 25 ns.
    pub fn has_passed(self) -> bool {
        self.at.is_some_and(|at| Instant::now() >= at)
    }

    /// [`Expired`] once it has passed, for `?`.
    pub fn check(self) -> Result<(), Expired> {
        if self.has_passed() { Err(Expired) } else { Ok(()) }
    }

    /// How long is left; `None` without a limit.
    pub fn left(self) -> Option<Duration> {
        self.left_at(Instant::now())
    }

    /// The same by a clock that was read already.
    pub(crate) fn left_at(self, now: Instant) -> Option<Duration> {
        self.at.map(|at| at.saturating_duration_since(now))
    }
}

impl Default for Deadline {
    fn default() -> Deadline {
        Deadline::NEVER
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_deadline_is_later_than_any() {
        let (soon, late) = (Deadline::after(Duration::ZERO), Deadline::after(Duration::from_secs(60)));
        assert_eq!((soon.earlier(late), late.earlier(soon)), (soon, soon));
        assert_eq!((late.earlier(Deadline::NEVER), Deadline::NEVER.earlier(late)), (late, late));
        assert_eq!(Deadline::NEVER.earlier(Deadline::NEVER), Deadline::NEVER);
    }
}
