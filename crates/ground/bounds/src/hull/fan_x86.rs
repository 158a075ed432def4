//! The fan's comparison with AVX-512.

#![allow(unsafe_code, reason = "SIMD leaf: intrinsics behind run-time detection")]

use super::fan::{Above, Fan};
use kontakt_math::DVec3;
use std::arch::x86_64::{
    _CMP_GT_OQ, _CMP_LT_OQ, _mm512_add_pd, _mm512_cmp_pd_mask, _mm512_loadu_pd, _mm512_mul_pd,
    _mm512_set1_pd, _mm512_setzero_pd, _mm512_sub_pd,
};

/// Like `above_portable`, in the same operations; `None` without AVX-512.
#[inline(always)]
pub(super) fn above(fan: &Fan, point: DVec3) -> Option<Above> {
    // SAFETY: AVX-512F was just detected.
    is_x86_feature_detected!("avx512f").then(|| unsafe { above_avx512(fan, point) })
}

#[inline]
#[target_feature(enable = "avx512f")]
fn above_avx512(fan: &Fan, point: DVec3) -> Above {
    // SAFETY: each array holds eight doubles; unaligned loads.
    let [x, y, z, offset, error] = [&fan.x, &fan.y, &fan.z, &fan.offset, &fan.error]
        .map(|list| unsafe { _mm512_loadu_pd(list.as_ptr()) });
    let along =
        _mm512_add_pd(_mm512_mul_pd(x, _mm512_set1_pd(point.x)), _mm512_mul_pd(y, _mm512_set1_pd(point.y)));
    let along = _mm512_add_pd(along, _mm512_mul_pd(z, _mm512_set1_pd(point.z)));
    let height = _mm512_sub_pd(along, offset);
    let certain = _mm512_cmp_pd_mask::<_CMP_GT_OQ>(height, error);
    let below = _mm512_cmp_pd_mask::<_CMP_LT_OQ>(height, _mm512_sub_pd(_mm512_setzero_pd(), error));
    Above { certain, open: !(certain | below) }
}
