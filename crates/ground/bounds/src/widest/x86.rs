//! Work compiled for AVX-512, whose 32 registers hold a whole simplex. The operations are the same: compilers fuse none of them.

#![allow(unsafe_code, reason = "SIMD leaf: a function compiled for units behind run-time detection")]

use super::Work;
use crate::isa::Isa;

/// Proof that this machine has the units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wide(());

impl Wide {
    /// Where it has.
    #[inline]
    pub(super) fn detected() -> Option<Wide> {
        Isa::Avx512.is_available().then_some(Wide(()))
    }
}

/// Does the work.
#[inline]
pub(super) fn run<W: Work>(_proof: Wide, work: W) -> W::Output {
    // SAFETY: a `Wide` is only made where all these units were detected.
    unsafe { run_wide(work) }
}

#[target_feature(enable = "avx512f,avx512vl,avx512dq,bmi1,bmi2,popcnt")]
fn run_wide<W: Work>(work: W) -> W::Output {
    work.run()
}
