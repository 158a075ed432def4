//! When long work has to end. This room knows clocks and no geometry.
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

mod deadline;
mod pacer;

pub use deadline::{Deadline, Expired};
pub use pacer::Pacer;
