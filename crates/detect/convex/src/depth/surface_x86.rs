//! The loops over a surface's faces with AVX-512, eight faces at a time.

#![allow(unsafe_code, reason = "SIMD leaf: intrinsics behind run-time detection")]

use super::surface::Block;
use kontakt_math::DVec3;
use std::arch::x86_64::{
    _CMP_EQ_OQ, _CMP_GT_OQ, _CMP_LT_OQ, _mm512_add_pd, _mm512_cmp_pd_mask, _mm512_loadu_pd,
    _mm512_mask_mov_epi64, _mm512_mask_mov_pd, _mm512_mul_pd, _mm512_reduce_min_pd, _mm512_set1_epi64,
    _mm512_set1_pd, _mm512_storeu_si512,
};

/// The face with the least key and that key, like `nearest_portable`; `None` without AVX-512.
#[inline]
pub(super) fn nearest(blocks: &[Block]) -> Option<(usize, f64)> {
    // SAFETY: AVX-512F was just detected.
    is_x86_feature_detected!("avx512f").then(|| unsafe { nearest_avx512(blocks) })
}

/// Marks the faces whose plane a point is beyond, like `look_portable`; false without AVX-512.
#[inline]
pub(super) fn look(blocks: &[Block], seen: &mut [u8], w: DVec3, tolerance: f64) -> bool {
    let able = is_x86_feature_detected!("avx512f");
    if able {
        // SAFETY: AVX-512F was just detected.
        unsafe { look_avx512(blocks, seen, w, tolerance) };
    }
    able
}

#[target_feature(enable = "avx512f")]
fn nearest_avx512(blocks: &[Block]) -> (usize, f64) {
    let mut least = _mm512_set1_pd(f64::INFINITY);
    let mut at = _mm512_set1_epi64(0);
    for (number, block) in (0_i64..).zip(blocks) {
        // SAFETY: the array holds eight doubles; an unaligned load.
        let key = unsafe { _mm512_loadu_pd(block.key.as_ptr()) };
        let less = _mm512_cmp_pd_mask::<_CMP_LT_OQ>(key, least);
        least = _mm512_mask_mov_pd(least, less, key);
        at = _mm512_mask_mov_epi64(at, less, _mm512_set1_epi64(number));
    }
    let value = _mm512_reduce_min_pd(least);
    let lane = _mm512_cmp_pd_mask::<_CMP_EQ_OQ>(least, _mm512_set1_pd(value)).trailing_zeros() as usize;
    let mut numbers = [0_i64; 8];
    // SAFETY: the array holds eight integers; an unaligned store.
    unsafe { _mm512_storeu_si512(numbers.as_mut_ptr().cast(), at) };
    (numbers[lane % 8] as usize * 8 + lane % 8, value)
}

#[target_feature(enable = "avx512f")]
fn look_avx512(blocks: &[Block], seen: &mut [u8], w: DVec3, tolerance: f64) {
    let (wx, wy, wz) = (_mm512_set1_pd(w.x), _mm512_set1_pd(w.y), _mm512_set1_pd(w.z));
    let tolerance = _mm512_set1_pd(tolerance);
    for (seen, block) in seen.iter_mut().zip(blocks) {
        // SAFETY: each array holds eight doubles; unaligned loads.
        let (x, y, z, far) = unsafe {
            (
                _mm512_loadu_pd(block.x.as_ptr()),
                _mm512_loadu_pd(block.y.as_ptr()),
                _mm512_loadu_pd(block.z.as_ptr()),
                _mm512_loadu_pd(block.far.as_ptr()),
            )
        };
        let height =
            _mm512_add_pd(_mm512_add_pd(_mm512_mul_pd(x, wx), _mm512_mul_pd(y, wy)), _mm512_mul_pd(z, wz));
        *seen = _mm512_cmp_pd_mask::<_CMP_GT_OQ>(height, _mm512_add_pd(far, tolerance));
    }
}
