//! How much many tasks may take together.

use std::time::Duration;

/// How much many tasks may take together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// So many units of work: the same result on every machine and for any number of threads.
    Units(u64),
    /// So long. The clock is read so often that what is done after the end is about one unit; how far the tasks come depends on
    /// the machine, but what they do is the same in the same order.
    Time(Duration),
}
