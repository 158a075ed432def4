//! The clocks all contenders in this process are measured by.

use rustix::time::{ClockId, clock_gettime};

fn read(clock: ClockId) -> f64 {
    let now = clock_gettime(clock);
    now.tv_sec as f64 + 1e-9 * now.tv_nsec as f64
}

/// CPU seconds of a call, and what it returned.
///
/// This process has no thread but its own, so CPU time of the process *is* thread CPU time; should a contender start
/// threads, their time counts too, and nobody gains by using more cores.
pub(crate) fn timed<T>(call: impl FnOnce() -> T) -> (f64, T) {
    let start = read(ClockId::ProcessCPUTime);
    let value = call();
    (read(ClockId::ProcessCPUTime) - start, value)
}

/// Seconds on the wall of a call, and what it returned; for what several threads do together.
pub(crate) fn wall_timed<T>(call: impl FnOnce() -> T) -> (f64, T) {
    let start = read(ClockId::Monotonic);
    let value = call();
    (read(ClockId::Monotonic) - start, value)
}

/// Seconds since 1970.
pub(crate) fn unix_seconds() -> u64 {
    u64::try_from(clock_gettime(ClockId::Realtime).tv_sec).unwrap_or(0)
}
