//! Work compiled for the widest unit there is.

#[cfg(target_arch = "x86_64")]
use crate::widest_x86::{Wide, run};

/// Does the work; what it calls must be inlined to be compiled so.
#[inline]
pub(crate) fn widest<T>(work: impl FnOnce() -> T) -> T {
    #[cfg(target_arch = "x86_64")]
    if let Some(wide) = Wide::detected() {
        return run(wide, work);
    }
    portable(work)
}

#[inline(never)]
fn portable<T>(work: impl FnOnce() -> T) -> T {
    work()
}
