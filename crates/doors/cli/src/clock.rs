//! Seconds of this thread's own processor time, so that other work on the machine does not count.

/// A started clock.
pub(crate) struct Clock(f64);

impl Clock {
    pub(crate) fn start() -> Clock {
        Clock(now())
    }

    pub(crate) fn seconds(&self) -> f64 {
        (now() - self.0).max(0.0)
    }
}

/// A started clock of the processor time of all threads together, for work that is shared among them.
pub(crate) struct ProcessClock(f64);

impl ProcessClock {
    pub(crate) fn start() -> ProcessClock {
        ProcessClock(now_in_all())
    }

    pub(crate) fn seconds(&self) -> f64 {
        (now_in_all() - self.0).max(0.0)
    }
}

#[cfg(unix)]
fn read(clock: rustix::time::ClockId) -> f64 {
    let time = rustix::time::clock_gettime(clock);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

#[cfg(unix)]
fn now() -> f64 {
    read(rustix::time::ClockId::ThreadCPUTime)
}

#[cfg(unix)]
fn now_in_all() -> f64 {
    read(rustix::time::ClockId::ProcessCPUTime)
}

#[cfg(not(unix))]
fn now_in_all() -> f64 {
    now()
}

/// Elsewhere wall-clock time has to do.
#[cfg(not(unix))]
fn now() -> f64 {
    use std::sync::OnceLock;
    use std::time::Instant;
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    BEGIN.get_or_init(Instant::now).elapsed().as_secs_f64()
}
