//! AVX2 and AVX-512 vectors of `f32` for the kernels, and the interval kernels' comparisons.
//!
//! Soundness: a value of these types exists only after one of the unsafe constructors ran, whose caller
//! has checked the processor (`Isa::is_available`). All other methods take such a value. They are inlined into
//! functions compiled for the instruction set.
#![allow(unsafe_code, reason = "processor intrinsics; each block says why it is sound")]

use super::lanes::Lanes;
use std::arch::x86_64::{
    __m256, __m512, _CMP_GT_OQ, _mm256_add_ps, _mm256_andnot_ps, _mm256_cmp_ps, _mm256_fmadd_ps,
    _mm256_fnmadd_ps, _mm256_loadu_ps, _mm256_max_ps, _mm256_movemask_ps, _mm256_mul_ps, _mm256_set1_ps,
    _mm256_sub_ps, _mm512_abs_ps, _mm512_add_ps, _mm512_cmp_ps_mask, _mm512_fmadd_ps, _mm512_fnmadd_ps,
    _mm512_loadu_ps, _mm512_max_ps, _mm512_mul_ps, _mm512_set1_ps, _mm512_sub_ps,
};

/// Eight lanes of AVX2 with fused multiply–add.
#[derive(Clone, Copy)]
pub(super) struct Avx2(__m256);

/// Sixteen lanes of AVX-512.
#[derive(Clone, Copy)]
pub(super) struct Avx512(__m512);

/// Implements `Lanes` by intrinsics; `$abs` and `$greater` are given as closures over registers.
macro_rules! lanes {
    ($type:ident, $count:literal, $load:ident, $splat:ident, $add:ident, $sub:ident, $mul:ident, $fma:ident,
     $fnma:ident, $max:ident, $abs:expr, $greater:expr) => {
        impl Lanes for $type {
            const COUNT: usize = $count;

            #[inline(always)]
            unsafe fn load(from: &[f32]) -> Self {
                debug_assert!(from.len() >= Self::COUNT);
                // SAFETY: the caller vouches for the processor and the length; the load is unaligned.
                unsafe { $type($load(from.as_ptr())) }
            }

            #[inline(always)]
            unsafe fn splat(value: f32) -> Self {
                // SAFETY: the caller vouches for the processor.
                unsafe { $type($splat(value)) }
            }

            #[inline(always)]
            fn add(self, b: Self) -> Self {
                // SAFETY: `self` exists, so the processor was checked (module head).
                unsafe { $type($add(self.0, b.0)) }
            }

            #[inline(always)]
            fn sub(self, b: Self) -> Self {
                // SAFETY: as in `add`.
                unsafe { $type($sub(self.0, b.0)) }
            }

            #[inline(always)]
            fn mul(self, b: Self) -> Self {
                // SAFETY: as in `add`.
                unsafe { $type($mul(self.0, b.0)) }
            }

            #[inline(always)]
            fn mul_add(self, b: Self, c: Self) -> Self {
                // SAFETY: as in `add`.
                unsafe { $type($fma(self.0, b.0, c.0)) }
            }

            #[inline(always)]
            fn sub_mul(self, b: Self, c: Self) -> Self {
                // SAFETY: as in `add`.
                unsafe { $type($fnma(b.0, c.0, self.0)) }
            }

            #[inline(always)]
            fn abs(self) -> Self {
                // SAFETY: as in `add`.
                unsafe { $type($abs(self.0)) }
            }

            #[inline(always)]
            fn max(self, b: Self) -> Self {
                // SAFETY: as in `add`.
                unsafe { $type($max(self.0, b.0)) }
            }

            #[inline(always)]
            fn greater(self, b: Self) -> u32 {
                // SAFETY: as in `add`.
                unsafe { $greater(self.0, b.0) }
            }
        }
    };
}

/// # Safety
/// Needs AVX.
#[inline(always)]
unsafe fn abs_256(x: __m256) -> __m256 {
    // SAFETY: the caller has AVX.
    unsafe { _mm256_andnot_ps(_mm256_set1_ps(-0.0), x) }
}

/// # Safety
/// Needs AVX.
#[inline(always)]
unsafe fn greater_256(a: __m256, b: __m256) -> u32 {
    // SAFETY: the caller has AVX.
    unsafe { _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_GT_OQ>(a, b)).cast_unsigned() }
}

/// # Safety
/// Needs AVX-512F.
#[inline(always)]
unsafe fn greater_512(a: __m512, b: __m512) -> u32 {
    // SAFETY: the caller has AVX-512F.
    unsafe { u32::from(_mm512_cmp_ps_mask::<_CMP_GT_OQ>(a, b)) }
}

lanes!(
    Avx2,
    8,
    _mm256_loadu_ps,
    _mm256_set1_ps,
    _mm256_add_ps,
    _mm256_sub_ps,
    _mm256_mul_ps,
    _mm256_fmadd_ps,
    _mm256_fnmadd_ps,
    _mm256_max_ps,
    abs_256,
    greater_256
);
lanes!(
    Avx512,
    16,
    _mm512_loadu_ps,
    _mm512_set1_ps,
    _mm512_add_ps,
    _mm512_sub_ps,
    _mm512_mul_ps,
    _mm512_fmadd_ps,
    _mm512_fnmadd_ps,
    _mm512_max_ps,
    _mm512_abs_ps,
    greater_512
);
