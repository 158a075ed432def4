//! Work compiled for the widest unit there is.

#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(target_arch = "x86_64")]
use x86::{Wide, run};

/// Work for [`widest`].
///
/// Not a closure, because nobody can be made to inline one: a large closure became a function of its own, compiled for any processor,
/// and all of the gain was lost without a sign.
pub trait Work {
    /// What comes out.
    type Output;

    /// Does it. Only what is marked `#[inline(always)]`, this function first of all, is compiled for the widest unit.
    fn run(self) -> Self::Output;
}

/// Does the work.
#[inline]
pub fn widest<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(wide) = Wide::detected() {
        return run(wide, work);
    }
    portable(work)
}

#[inline(never)]
fn portable<W: Work>(work: W) -> W::Output {
    work.run()
}
