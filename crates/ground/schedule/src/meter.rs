//! What is left of a budget.

use crate::budget::Budget;
use crate::deadline::Deadline;
use crate::task::{Task, Work};
use std::time::{Duration, Instant};

/// Work between two readings of the clock takes no longer than this part of the budget, as far as can be foreseen.
const INTERVAL: u32 = 64;
/// Nor longer than this part of the time left.
const OF_REST: u32 = 4;
/// Reading the clock and going from one portion to the next cost some 50 ns: shorter intervals do not pay.
const SHORTEST: Duration = Duration::from_micros(1);
/// How much of the estimate is kept when a unit was cheaper; a dearer one counts at once.
const KEPT: f64 = 0.9;

/// What is left of a budget.
#[derive(Clone, Debug)]
pub(crate) enum Meter {
    Units(u64),
    Clock(Clock),
}

/// Works until a deadline, a little more than one unit at a time.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    deadline: Deadline,
    interval: Duration,
    /// About what a unit costs, in seconds; rather too much.
    unit: f64,
}

impl Meter {
    pub(crate) fn new(budget: Budget) -> Meter {
        match budget {
            Budget::Units(units) => Meter::Units(units),
            Budget::Time(limit) => Meter::Clock(Clock {
                deadline: Deadline::after(limit),
                interval: (limit / INTERVAL).max(SHORTEST),
                unit: SHORTEST.as_secs_f64(),
            }),
        }
    }

    /// Whether nothing is left.
    pub(crate) fn is_spent(&self) -> bool {
        match self {
            Meter::Units(left) => *left == 0,
            Meter::Clock(clock) => clock.deadline.has_passed(),
        }
    }

    /// A portion of work, as far as the budget lasts.
    pub(crate) fn work<D>(&mut self, task: &mut impl Task<D>, desk: &mut D, units: u64) -> Work {
        match self {
            Meter::Units(left) => {
                let work = task.work(desk, units.min(*left));
                *left = left.saturating_sub(work.units);
                work
            }
            Meter::Clock(clock) => clock.work(task, desk, units),
        }
    }
}

impl Clock {
    /// A portion in pieces, the clock read after each.
    fn work<D>(&mut self, task: &mut impl Task<D>, desk: &mut D, units: u64) -> Work {
        let mut used = 0;
        let mut now = Instant::now();
        while used < units {
            let Some(piece) = self.piece(now, units - used) else { break };
            let work = task.work(desk, piece);
            used += work.units;
            let then = Instant::now();
            self.learn(then.duration_since(now), piece);
            now = then;
            if work.done {
                return Work { units: used, done: true };
            }
        }
        Work { units: used, done: false }
    }

    /// As many units as fit in an interval; none after the deadline.
    fn piece(&self, now: Instant, most: u64) -> Option<u64> {
        let allowed = match self.deadline.left_at(now) {
            None => self.interval,
            Some(Duration::ZERO) => return None,
            Some(left) => (left / OF_REST).clamp(SHORTEST, self.interval.max(SHORTEST)),
        };
        Some(((allowed.as_secs_f64() / self.unit) as u64).clamp(1, most))
    }

    fn learn(&mut self, taken: Duration, units: u64) {
        let unit = taken.as_secs_f64() / units as f64;
        self.unit = unit.max(KEPT * self.unit).max(1e-9);
    }
}
