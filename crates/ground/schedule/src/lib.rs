//! When long work has to end, and how many tasks share a budget. This room knows clocks and no geometry.
//!
//! A [`Deadline`] is a plain value that a door makes once and hands down. Loops that may run long ask [`Deadline::check`] at
//! every step that costs microseconds, or go through a [`Pacer`] when a step costs nanoseconds, and pass [`Expired`] up with `?`
//! to where the question was asked: there what is certified so far becomes the answer.
//!
//! ```
//! use kontakt_schedule::{Deadline, Expired};
//! use std::time::Duration;
//!
//! fn sum(deadline: Deadline) -> Result<u64, Expired> {
//!     let mut pacer = deadline.pacer();
//!     (0..1000_u64).try_fold(0, |sum, k| pacer.tick().map(|()| sum + k))
//! }
//! assert_eq!(sum(Deadline::NEVER), Ok(499_500));
//! assert_eq!(sum(Deadline::after(Duration::ZERO)), Err(Expired));
//! ```
//!
//! A [`Task`] is work that can be stopped at any moment and continued, with a sound answer all the time. [`run`] spends a
//! [`Budget`] on many of them in the order of a [`Policy`]; more budget never makes an answer worse.
//!
//! ```
//! use kontakt_schedule::{Budget, Ledger, Policy, Task, Work, run};
//!
//! /// Halves an interval that holds the root of 2, a unit each time.
//! struct Root([f64; 2], Ledger);
//!
//! impl Task<()> for Root {
//!     fn work(&mut self, _: &mut (), units: u64) -> Work {
//!         self.1.grant(units);
//!         while !self.1.is_spent() && self.0[1] - self.0[0] > 1e-9 {
//!             let middle = 0.5 * (self.0[0] + self.0[1]);
//!             self.0[usize::from(middle * middle > 2.0)] = middle;
//!             self.1.spend(1);
//!         }
//!         self.1.settle(units, self.0[1] - self.0[0] <= 1e-9)
//!     }
//! }
//! let mut tasks: Vec<Root> = (0..3).map(|_| Root([1.0, 2.0], Ledger::default())).collect();
//! let spent = run(&mut tasks, &mut (), Policy::Even, Budget::Units(30));
//! assert_eq!((spent.units, spent.all_done()), (30, false));
//! assert!(tasks.iter().all(|task| task.0[1] - task.0[0] < 0.02));
//! ```

mod budget;
mod deadline;
mod ledger;
mod meter;
mod pacer;
mod policy;
mod run;
mod task;

pub use budget::Budget;
pub use deadline::{Deadline, Expired};
pub use ledger::Ledger;
pub use pacer::Pacer;
pub use policy::Policy;
pub use run::{Spent, run, run_parallel};
pub use task::{Task, Work, nearness};
