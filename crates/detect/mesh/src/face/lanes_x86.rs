//! AVX2 and AVX-512 vectors of `f32` for the batch kernels.
//!
//! Soundness: a value of these types exists only after one of the unsafe constructors ran, whose caller
//! has checked the processor (`Isa::is_available`). All other methods take such a value. They are inlined into
//! functions compiled for the instruction set.
#![allow(unsafe_code, reason = "processor intrinsics; each block says why it is sound")]

use super::lanes::{Lanes, MOST};
use std::arch::x86_64::{
    __m256, __m512, _CMP_GT_OQ, _mm256_add_ps, _mm256_and_ps, _mm256_andnot_ps, _mm256_blendv_ps,
    _mm256_cmp_ps, _mm256_fmadd_ps, _mm256_fnmadd_ps, _mm256_loadu_ps, _mm256_max_ps, _mm256_min_ps,
    _mm256_movemask_ps, _mm256_mul_ps, _mm256_rcp_ps, _mm256_rsqrt_ps, _mm256_set1_ps, _mm256_storeu_ps,
    _mm256_sub_ps, _mm256_xor_ps, _mm512_abs_ps, _mm512_add_ps, _mm512_and_ps, _mm512_castps_si512,
    _mm512_cmp_ps_mask, _mm512_fmadd_ps, _mm512_fnmadd_ps, _mm512_loadu_ps, _mm512_mask_blend_ps,
    _mm512_max_ps, _mm512_min_ps, _mm512_movepi32_mask, _mm512_mul_ps, _mm512_rcp14_ps, _mm512_rsqrt14_ps,
    _mm512_set1_ps, _mm512_storeu_ps, _mm512_sub_ps, _mm512_xor_ps,
};

/// Eight lanes of AVX2 with fused multiply–add.
#[derive(Clone, Copy)]
pub(super) struct Avx2(__m256);

/// Sixteen lanes of AVX-512.
#[derive(Clone, Copy)]
pub(super) struct Avx512(__m512);

/// Implements `Lanes` by intrinsics; what differs in more than a name is given as a function of registers.
macro_rules! lanes {
    ($type:ident, $count:literal, $load:ident, $splat:ident, $store:ident, $add:ident, $sub:ident, $mul:ident,
     $reciprocal:ident, $inverse_root:ident, $fma:ident, $fnma:ident, $max:ident, $min:ident, $abs:ident, $choose:ident,
     $flip:ident, $greater:ident) => {
        impl Lanes for $type {
            const COUNT: usize = $count;

            #[inline(always)]
            unsafe fn load(from: &[f32; MOST], start: usize) -> Self {
                let start = if start + $count <= MOST { start } else { 0 };
                // SAFETY: the caller vouches for the processor; the array is long enough for an unaligned load from there.
                unsafe { $type($load(from.as_ptr().add(start))) }
            }

            #[inline(always)]
            unsafe fn splat(value: f32) -> Self {
                // SAFETY: the caller vouches for the processor.
                unsafe { $type($splat(value)) }
            }

            #[inline(always)]
            fn store(self, to: &mut [f32; MOST], start: usize) {
                let start = if start + $count <= MOST { start } else { 0 };
                // SAFETY: `self` exists, so the processor was checked (module head); the array has room from there on.
                unsafe { $store(to.as_mut_ptr().add(start), self.0) }
            }

            lanes!(@two $type, add, $add, sub, $sub, mul, $mul, max, $max, min, $min, flip, $flip);
            lanes!(@one $type, reciprocal, $reciprocal, inverse_root, $inverse_root, abs, $abs);

            #[inline(always)]
            fn mul_add(self, b: Self, c: Self) -> Self {
                // SAFETY: as in `store`.
                unsafe { $type($fma(self.0, b.0, c.0)) }
            }

            #[inline(always)]
            fn sub_mul(self, b: Self, c: Self) -> Self {
                // SAFETY: as in `store`.
                unsafe { $type($fnma(b.0, c.0, self.0)) }
            }

            #[inline(always)]
            fn choose(self, negative: Self, positive: Self) -> Self {
                // SAFETY: as in `store`.
                unsafe { $type($choose(self.0, negative.0, positive.0)) }
            }

            #[inline(always)]
            fn greater(self, b: Self) -> u32 {
                // SAFETY: as in `store`.
                unsafe { $greater(self.0, b.0) }
            }
        }
    };
    (@two $type:ident, $($name:ident, $intrinsic:ident),*) => {
        $(
            #[inline(always)]
            fn $name(self, b: Self) -> Self {
                // SAFETY: `self` exists, so the processor was checked (module head).
                unsafe { $type($intrinsic(self.0, b.0)) }
            }
        )*
    };
    (@one $type:ident, $($name:ident, $intrinsic:ident),*) => {
        $(
            #[inline(always)]
            fn $name(self) -> Self {
                // SAFETY: `self` exists, so the processor was checked (module head).
                unsafe { $type($intrinsic(self.0)) }
            }
        )*
    };
}

/// One step of Newton's method, y(2 − xy), squares the error of the processor's estimate: from 1.5·2⁻¹² to 2.3u, and
/// rounds by 3u at most.
///
/// # Safety
/// Needs AVX2 and FMA.
#[inline(always)]
unsafe fn reciprocal_256(x: __m256) -> __m256 {
    // SAFETY: the caller has AVX2 and FMA.
    unsafe {
        let y = _mm256_rcp_ps(x);
        _mm256_mul_ps(y, _mm256_fnmadd_ps(x, y, _mm256_set1_ps(2.0)))
    }
}

/// As [`reciprocal_256`], from 2⁻¹⁴.
///
/// # Safety
/// Needs AVX-512F.
#[inline(always)]
unsafe fn reciprocal_512(x: __m512) -> __m512 {
    // SAFETY: the caller has AVX-512F.
    unsafe {
        let y = _mm512_rcp14_ps(x);
        _mm512_mul_ps(y, _mm512_fnmadd_ps(x, y, _mm512_set1_ps(2.0)))
    }
}

/// One step of Newton's method, y(1.5 − xy²/2), takes the error e of the processor's estimate to 1.5e²: from 1.5·2⁻¹² to
/// 3.4u, and rounds by 4u at most.
///
/// # Safety
/// Needs AVX2 and FMA.
#[inline(always)]
unsafe fn inverse_root_256(x: __m256) -> __m256 {
    // SAFETY: the caller has AVX2 and FMA.
    unsafe {
        let y = _mm256_rsqrt_ps(x);
        let half = _mm256_mul_ps(_mm256_mul_ps(x, _mm256_set1_ps(0.5)), y);
        _mm256_mul_ps(y, _mm256_fnmadd_ps(half, y, _mm256_set1_ps(1.5)))
    }
}

/// As [`inverse_root_256`], from 2⁻¹⁴.
///
/// # Safety
/// Needs AVX-512F.
#[inline(always)]
unsafe fn inverse_root_512(x: __m512) -> __m512 {
    // SAFETY: the caller has AVX-512F.
    unsafe {
        let y = _mm512_rsqrt14_ps(x);
        let half = _mm512_mul_ps(_mm512_mul_ps(x, _mm512_set1_ps(0.5)), y);
        _mm512_mul_ps(y, _mm512_fnmadd_ps(half, y, _mm512_set1_ps(1.5)))
    }
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
unsafe fn choose_256(condition: __m256, negative: __m256, positive: __m256) -> __m256 {
    // SAFETY: the caller has AVX.
    unsafe { _mm256_blendv_ps(positive, negative, condition) }
}

/// # Safety
/// Needs AVX-512F and AVX-512DQ.
#[inline(always)]
unsafe fn choose_512(condition: __m512, negative: __m512, positive: __m512) -> __m512 {
    // SAFETY: the caller has AVX-512F and AVX-512DQ.
    unsafe { _mm512_mask_blend_ps(_mm512_movepi32_mask(_mm512_castps_si512(condition)), positive, negative) }
}

/// # Safety
/// Needs AVX.
#[inline(always)]
unsafe fn flip_256(x: __m256, sign: __m256) -> __m256 {
    // SAFETY: the caller has AVX.
    unsafe { _mm256_xor_ps(x, _mm256_and_ps(sign, _mm256_set1_ps(-0.0))) }
}

/// # Safety
/// Needs AVX-512F and AVX-512DQ.
#[inline(always)]
unsafe fn flip_512(x: __m512, sign: __m512) -> __m512 {
    // SAFETY: the caller has AVX-512F and AVX-512DQ.
    unsafe { _mm512_xor_ps(x, _mm512_and_ps(sign, _mm512_set1_ps(-0.0))) }
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
    _mm256_storeu_ps,
    _mm256_add_ps,
    _mm256_sub_ps,
    _mm256_mul_ps,
    reciprocal_256,
    inverse_root_256,
    _mm256_fmadd_ps,
    _mm256_fnmadd_ps,
    _mm256_max_ps,
    _mm256_min_ps,
    abs_256,
    choose_256,
    flip_256,
    greater_256
);
lanes!(
    Avx512,
    16,
    _mm512_loadu_ps,
    _mm512_set1_ps,
    _mm512_storeu_ps,
    _mm512_add_ps,
    _mm512_sub_ps,
    _mm512_mul_ps,
    reciprocal_512,
    inverse_root_512,
    _mm512_fmadd_ps,
    _mm512_fnmadd_ps,
    _mm512_max_ps,
    _mm512_min_ps,
    _mm512_abs_ps,
    choose_512,
    flip_512,
    greater_512
);
