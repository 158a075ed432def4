//! Eight edges at a time with AVX-512.

#![allow(unsafe_code, reason = "SIMD leaf: intrinsics behind run-time detection")]

use super::ids::Ids;
use super::scan::Octet;
use super::steep::{Climb, LEAST};
use std::arch::x86_64::{
    __m512d, __m512i, _CMP_GT_OQ, _mm_loadl_epi64, _mm_loadu_si128, _mm256_loadu_si256, _mm512_abs_pd,
    _mm512_add_epi64, _mm512_add_pd, _mm512_cmp_pd_mask, _mm512_cmpneq_epi64_mask, _mm512_cvtepu8_epi64,
    _mm512_cvtepu16_epi64, _mm512_cvtepu32_epi64, _mm512_fmadd_pd, _mm512_fnmadd_pd, _mm512_mask_div_pd,
    _mm512_mask_i64gather_pd, _mm512_mask_max_pd, _mm512_min_epu64, _mm512_mul_pd, _mm512_reduce_max_pd,
    _mm512_set1_epi64, _mm512_set1_pd, _mm512_setzero_pd, _mm512_slli_epi64, _mm512_srli_epi64,
    _mm512_sub_pd,
};
use std::ops::Range;

/// Like `steepest_portable`; `None` without AVX-512, or points.
#[inline(always)]
pub(super) fn steepest(
    climb: &Climb,
    octets: &[Octet],
    ids: &Ids,
    places: Range<usize>,
    spared: u32,
) -> Option<f64> {
    if !is_x86_feature_detected!("avx512f") || octets.is_empty() {
        return None;
    }
    // SAFETY: AVX-512F was just detected; the loads read eight numbers of a list, and there are octets.
    Some(unsafe {
        match ids {
            Ids::Bytes(list) => over(climb, octets, list, places, spared, |eight| {
                _mm512_cvtepu8_epi64(_mm_loadl_epi64(eight.as_ptr().cast()))
            }),
            Ids::Shorts(list) => over(climb, octets, list, places, spared, |eight| {
                _mm512_cvtepu16_epi64(_mm_loadu_si128(eight.as_ptr().cast()))
            }),
            Ids::Words(list) => over(climb, octets, list, places, spared, |eight| {
                _mm512_cvtepu32_epi64(_mm256_loadu_si256(eight.as_ptr().cast()))
            }),
        }
    })
}

/// # Safety
/// There is at least one octet.
#[inline]
#[target_feature(enable = "avx512f")]
unsafe fn over<T>(
    climb: &Climb,
    octets: &[Octet],
    list: &[T],
    places: Range<usize>,
    spared: u32,
    load: impl Fn(&[T; 8]) -> __m512i,
) -> f64 {
    let mut most = _mm512_setzero_pd();
    for start in places.clone().step_by(8) {
        let Some(eight) = list[start..].first_chunk::<8>() else { break };
        let wanted = (0xff_u32 >> (8 - (places.end - start).min(8))) as u8;
        // SAFETY: there is at least one octet.
        let (squared, others) = unsafe { squares(climb, octets, load(eight), wanted, spared) };
        most = _mm512_mask_max_pd(most, others, squared, most);
    }
    _mm512_reduce_max_pd(most)
}

/// The squares, and which of them count.
///
/// # Safety
/// There is at least one octet.
#[inline]
#[target_feature(enable = "avx512f")]
unsafe fn squares(climb: &Climb, octets: &[Octet], ends: __m512i, wanted: u8, spared: u32) -> (__m512d, u8) {
    let last = _mm512_set1_epi64(i64::from(octets.len() as u32) * 8 - 1);
    let ends = _mm512_min_epu64(ends, last);
    let others = wanted & _mm512_cmpneq_epi64_mask(ends, _mm512_set1_epi64(i64::from(spared)));
    // Point k is in lane k % 8 of octet k / 8, which is 24 doubles long: at k + 16·(k / 8) from the start.
    let place = _mm512_add_epi64(ends, _mm512_slli_epi64::<4>(_mm512_srli_epi64::<3>(ends)));
    let base = octets.as_ptr().cast::<f64>();
    let unit = _mm512_set1_pd(climb.unit);
    let [x, y, z] = [(0, climb.start.x), (8, climb.start.y), (16, climb.start.z)].map(|(axis, start)| {
        let start = _mm512_set1_pd(start);
        // SAFETY: places are below 24 times the number of octets less 16, by the least of two above.
        let end = unsafe { _mm512_mask_i64gather_pd::<8>(start, wanted, place, base.add(axis).cast()) };
        _mm512_mul_pd(_mm512_sub_pd(end, start), unit)
    });
    let size = _mm512_add_pd(_mm512_add_pd(_mm512_abs_pd(x), _mm512_abs_pd(y)), _mm512_abs_pd(z));
    let up = climb.up;
    let rise = _mm512_fmadd_pd(_mm512_set1_pd(up.y), y, _mm512_mul_pd(_mm512_set1_pd(up.x), x));
    let rise = _mm512_fmadd_pd(_mm512_set1_pd(up.z), z, rise);
    let rise = _mm512_fnmadd_pd(_mm512_set1_pd(climb.doubt), size, rise);
    let length = _mm512_fmadd_pd(z, z, _mm512_fmadd_pd(y, y, _mm512_mul_pd(x, x)));
    let rises = _mm512_cmp_pd_mask::<_CMP_GT_OQ>(rise, _mm512_set1_pd(LEAST));
    let infinite = _mm512_set1_pd(f64::INFINITY);
    (_mm512_mask_div_pd(infinite, rises, length, _mm512_mul_pd(rise, rise)), others)
}
