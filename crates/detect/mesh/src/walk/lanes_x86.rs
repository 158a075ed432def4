//! Eight single-precision numbers in an AVX2 register.
//!
//! Soundness: a value of the type exists only after one of the unsafe constructors ran, whose caller has checked the
//! processor. All other methods take such a value. They are inlined into functions compiled for the instruction set.
#![allow(unsafe_code, reason = "processor intrinsics; each block says why it is sound")]

use super::lanes::{LANES, Lanes};
use std::arch::x86_64::{
    __m256, _CMP_GT_OQ, _mm256_add_ps, _mm256_andnot_ps, _mm256_cmp_ps, _mm256_fmadd_ps, _mm256_loadu_ps,
    _mm256_max_ps, _mm256_min_ps, _mm256_movemask_ps, _mm256_mul_ps, _mm256_or_ps, _mm256_set1_ps,
    _mm256_storeu_ps, _mm256_sub_ps,
};

/// Eight lanes of AVX2 with fused multiply–add.
#[derive(Clone, Copy)]
pub(super) struct Avx2(__m256);

impl Lanes for Avx2 {
    #[inline(always)]
    unsafe fn load(from: &[f32; LANES]) -> Self {
        // SAFETY: the caller vouches for the processor; the array has eight numbers; the load is unaligned.
        unsafe { Avx2(_mm256_loadu_ps(from.as_ptr())) }
    }

    #[inline(always)]
    unsafe fn splat(value: f32) -> Self {
        // SAFETY: the caller vouches for the processor.
        unsafe { Avx2(_mm256_set1_ps(value)) }
    }

    #[inline(always)]
    fn store(self, to: &mut [f32; LANES]) {
        // SAFETY: `self` exists, so the processor was checked (module head); the array has room for eight numbers.
        unsafe { _mm256_storeu_ps(to.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn add(self, b: Self) -> Self {
        // SAFETY: `self` exists, so the processor was checked (module head).
        unsafe { Avx2(_mm256_add_ps(self.0, b.0)) }
    }

    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        // SAFETY: as in `add`.
        unsafe { Avx2(_mm256_sub_ps(self.0, b.0)) }
    }

    #[inline(always)]
    fn mul(self, b: Self) -> Self {
        // SAFETY: as in `add`.
        unsafe { Avx2(_mm256_mul_ps(self.0, b.0)) }
    }

    #[inline(always)]
    fn mul_add(self, b: Self, c: Self) -> Self {
        // SAFETY: as in `add`.
        unsafe { Avx2(_mm256_fmadd_ps(self.0, b.0, c.0)) }
    }

    #[inline(always)]
    fn abs(self) -> Self {
        // SAFETY: as in `add`.
        unsafe { Avx2(_mm256_andnot_ps(_mm256_set1_ps(-0.0), self.0)) }
    }

    #[inline(always)]
    fn max(self, b: Self) -> Self {
        // SAFETY: as in `add`.
        unsafe { Avx2(_mm256_max_ps(self.0, b.0)) }
    }

    #[inline(always)]
    fn min(self, b: Self) -> Self {
        // SAFETY: as in `add`.
        unsafe { Avx2(_mm256_min_ps(self.0, b.0)) }
    }

    #[inline(always)]
    fn or(self, b: Self) -> Self {
        // SAFETY: as in `add`.
        unsafe { Avx2(_mm256_or_ps(self.0, b.0)) }
    }

    #[inline(always)]
    fn greater(self, b: Self) -> Self {
        // SAFETY: as in `add`.
        unsafe { Avx2(_mm256_cmp_ps::<_CMP_GT_OQ>(self.0, b.0)) }
    }

    #[inline(always)]
    fn signs(self) -> u32 {
        // SAFETY: as in `add`.
        unsafe { _mm256_movemask_ps(self.0).cast_unsigned() }
    }
}
