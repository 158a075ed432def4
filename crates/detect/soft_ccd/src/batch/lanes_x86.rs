//! AVX2 and AVX-512 vectors of doubles for the filter's kernel.
//!
//! Soundness: a value of these types exists only after `load` or `splat` ran, whose caller has checked the processor
//! (`Isa::is_available`). All other methods take such a value. They are inlined into functions compiled for the set.
#![allow(unsafe_code, reason = "processor intrinsics; each block says why it is sound")]

use super::lanes::{BLOCK, Lanes};
use std::arch::x86_64::{
    __m256d, __m512d, _CMP_GT_OQ, _MM_HINT_T0, _mm_prefetch, _mm256_add_pd, _mm256_and_pd, _mm256_blendv_pd,
    _mm256_castsi256_pd, _mm256_cmp_pd, _mm256_div_pd, _mm256_fmadd_pd, _mm256_fmsub_pd, _mm256_fnmadd_pd,
    _mm256_loadu_pd, _mm256_max_pd, _mm256_min_pd, _mm256_movemask_pd, _mm256_mul_pd, _mm256_set1_epi64x,
    _mm256_set1_pd, _mm256_setr_epi64x, _mm256_sub_pd, _mm512_add_pd, _mm512_cmp_pd_mask, _mm512_fmadd_pd,
    _mm512_fmsub_pd, _mm512_fnmadd_pd, _mm512_loadu_pd, _mm512_mask_blend_pd, _mm512_max_pd, _mm512_min_pd,
    _mm512_mul_pd, _mm512_range_pd, _mm512_rcp14_pd, _mm512_set1_pd, _mm512_sub_pd,
};

/// Four lanes of AVX2 with fused multiply–add.
#[derive(Clone, Copy)]
pub(super) struct Avx2(__m256d);

/// Eight lanes of AVX-512.
#[derive(Clone, Copy)]
pub(super) struct Avx512(__m512d);

macro_rules! lanes {
    ($type:ident, $count:literal, $load:ident, $splat:ident, $add:ident, $sub:ident, $mul:ident, $roughly_over:ident,
     $min:ident, $max:ident, $fma:ident, $fms:ident, $fnma:ident, $larger_size:ident, $greater:ident, $blend:ident) => {
        impl Lanes for $type {
            const COUNT: usize = $count;
            #[inline(always)]
            unsafe fn load(row: &[f64; BLOCK], first: usize) -> Self {
                // SAFETY: the caller vouches for the processor and that the lanes lie inside the row; loads need no
                // alignment.
                unsafe { $type($load(row.as_ptr().add(first))) }
            }
            #[inline(always)]
            fn fetch(rows: &[[f64; BLOCK]]) {
                for row in rows {
                    // SAFETY: every x86-64 processor has the instruction, and it may name any address.
                    unsafe { _mm_prefetch::<_MM_HINT_T0>(row.as_ptr().cast()) };
                }
            }
            #[inline(always)]
            unsafe fn splat(value: f64) -> Self {
                // SAFETY: the caller vouches for the processor.
                unsafe { $type($splat(value)) }
            }
            lanes!(@two $type, add, $add, sub, $sub, mul, $mul, roughly_over, $roughly_over, min, $min, max, $max, larger_size, $larger_size);
            #[inline(always)]
            fn mul_add(self, b: Self, c: Self) -> Self {
                // SAFETY: `self` exists, so the processor was checked (module head).
                unsafe { $type($fma(self.0, b.0, c.0)) }
            }
            #[inline(always)]
            fn mul_sub(self, b: Self, c: Self) -> Self {
                // SAFETY: as in `mul_add`.
                unsafe { $type($fms(self.0, b.0, c.0)) }
            }
            #[inline(always)]
            fn minus_product(self, a: Self, b: Self) -> Self {
                // SAFETY: as in `mul_add`.
                unsafe { $type($fnma(a.0, b.0, self.0)) }
            }
            #[inline(always)]
            fn greater(self, other: Self) -> u8 {
                // SAFETY: as in `mul_add`.
                unsafe { $greater(self.0, other.0) }
            }
            #[inline(always)]
            fn replaced(self, other: Self, bits: u8) -> Self {
                // SAFETY: as in `mul_add`.
                unsafe { $type($blend(self.0, other.0, bits)) }
            }
        }
    };
    (@two $type:ident, $($name:ident, $intrinsic:ident),*) => {$(
        #[inline(always)]
        fn $name(self, other: Self) -> Self {
            // SAFETY: as in `mul_add`.
            unsafe { $type($intrinsic(self.0, other.0)) }
        }
    )*};
}

lanes!(
    Avx512,
    8,
    _mm512_loadu_pd,
    _mm512_set1_pd,
    _mm512_add_pd,
    _mm512_sub_pd,
    _mm512_mul_pd,
    roughly_over_512,
    _mm512_min_pd,
    _mm512_max_pd,
    _mm512_fmadd_pd,
    _mm512_fmsub_pd,
    _mm512_fnmadd_pd,
    larger_size_512,
    greater_512,
    blend_512
);
lanes!(
    Avx2,
    4,
    _mm256_loadu_pd,
    _mm256_set1_pd,
    _mm256_add_pd,
    _mm256_sub_pd,
    _mm256_mul_pd,
    _mm256_div_pd,
    _mm256_min_pd,
    _mm256_max_pd,
    _mm256_fmadd_pd,
    _mm256_fmsub_pd,
    _mm256_fnmadd_pd,
    larger_size_256,
    greater_256,
    blend_256
);

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn larger_size_512(a: __m512d, b: __m512d) -> __m512d {
    // The maximum by size (11) with the sign cleared (10).
    _mm512_range_pd::<0b10_11>(a, b)
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn roughly_over_512(a: __m512d, b: __m512d) -> __m512d {
    _mm512_mul_pd(a, _mm512_rcp14_pd(b))
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn greater_512(a: __m512d, b: __m512d) -> u8 {
    _mm512_cmp_pd_mask::<_CMP_GT_OQ>(a, b)
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn blend_512(a: __m512d, b: __m512d, bits: u8) -> __m512d {
    _mm512_mask_blend_pd(bits, a, b)
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn larger_size_256(a: __m256d, b: __m256d) -> __m256d {
    let magnitude = _mm256_castsi256_pd(_mm256_set1_epi64x(i64::MAX));
    _mm256_max_pd(_mm256_and_pd(a, magnitude), _mm256_and_pd(b, magnitude))
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn greater_256(a: __m256d, b: __m256d) -> u8 {
    _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_GT_OQ>(a, b)) as u8
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn blend_256(a: __m256d, b: __m256d, bits: u8) -> __m256d {
    // The blend looks at the sign bit of each lane.
    let lane = |i: u32| i64::from(bits >> i) << 63;
    _mm256_blendv_pd(a, b, _mm256_castsi256_pd(_mm256_setr_epi64x(lane(0), lane(1), lane(2), lane(3))))
}
