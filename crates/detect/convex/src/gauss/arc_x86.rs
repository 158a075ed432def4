//! Eight arcs against one with AVX-512.

#![allow(unsafe_code, reason = "SIMD leaf: intrinsics behind run-time detection")]

use super::arc::{Arc, Arcs, LANES};
use kontakt_math::DVec3;
use std::arch::x86_64::{
    __m512d, _CMP_GE_OQ, _CMP_LE_OQ, _mm512_add_pd, _mm512_cmp_pd_mask, _mm512_fmadd_pd, _mm512_loadu_pd,
    _mm512_max_pd, _mm512_min_pd, _mm512_mul_pd, _mm512_set1_pd, _mm512_setzero_pd, _mm512_sub_pd,
};

/// Which may cross, like `crossing_portable`; `None` without AVX-512.
#[inline]
pub(super) fn crossing(arcs: &Arcs, arc: &Arc) -> Option<[u8; 2]> {
    // SAFETY: AVX-512F was just detected.
    is_x86_feature_detected!("avx512f").then(|| unsafe { crossing_avx512(arcs, arc) })
}

#[target_feature(enable = "avx512f")]
fn crossing_avx512(arcs: &Arcs, arc: &Arc) -> [u8; 2] {
    let zero = _mm512_setzero_pd();
    // SAFETY: the array holds eight doubles; an unaligned load.
    let own = unsafe { _mm512_loadu_pd(arcs.error.as_ptr()) };
    let error = _mm512_add_pd(own, _mm512_set1_pd(arc.error));
    let along = lanes(&arcs.along);
    let (p, q) = (dot(arc.left, along), dot(arc.right, along));
    let (r, s) = (dot(arc.along, lanes(&arcs.left)), dot(arc.along, lanes(&arcs.right)));
    let (q, s) = (_mm512_sub_pd(zero, q), _mm512_sub_pd(zero, s));
    let least = _mm512_min_pd(_mm512_min_pd(p, q), _mm512_min_pd(r, s));
    let most = _mm512_max_pd(_mm512_max_pd(p, q), _mm512_max_pd(r, s));
    [
        _mm512_cmp_pd_mask::<_CMP_GE_OQ>(least, _mm512_sub_pd(zero, error)),
        _mm512_cmp_pd_mask::<_CMP_LE_OQ>(most, error),
    ]
}

#[inline]
#[target_feature(enable = "avx512f")]
fn lanes([x, y, z]: &[[f64; LANES]; 3]) -> [__m512d; 3] {
    // SAFETY: each array holds eight doubles; unaligned loads.
    unsafe { [_mm512_loadu_pd(x.as_ptr()), _mm512_loadu_pd(y.as_ptr()), _mm512_loadu_pd(z.as_ptr())] }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn dot(v: DVec3, [x, y, z]: [__m512d; 3]) -> __m512d {
    let xy = _mm512_fmadd_pd(_mm512_set1_pd(v.y), y, _mm512_mul_pd(_mm512_set1_pd(v.x), x));
    _mm512_fmadd_pd(_mm512_set1_pd(v.z), z, xy)
}
