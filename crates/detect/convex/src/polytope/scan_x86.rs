//! AVX-512 and AVX2 variants of the farthest-point loop, chosen at run time.

#![allow(unsafe_code, reason = "SIMD leaf: intrinsics behind run-time detection")]

use super::scan::Octet;
use kontakt_math::DVec3;
use std::arch::x86_64::{
    __m512d, _CMP_EQ_OQ, _CMP_GT_OQ, _MM_HINT_T0, _mm_cvtsi128_si32, _mm_prefetch, _mm256_add_epi64,
    _mm256_blendv_pd, _mm256_castsi256_pd, _mm256_castsi256_si128, _mm256_cmp_pd, _mm256_cmp_pd_mask,
    _mm256_fmadd_pd, _mm256_loadu_pd, _mm256_mask_mov_epi64, _mm256_max_pd, _mm256_min_epi64, _mm256_mul_pd,
    _mm256_permute_pd, _mm256_permute4x64_epi64, _mm256_permute4x64_pd, _mm256_set_epi64x,
    _mm256_set1_epi64x, _mm256_set1_pd, _mm256_storeu_pd, _mm512_add_epi64, _mm512_cmp_pd_mask,
    _mm512_cvtsi512_si32, _mm512_fmadd_pd, _mm512_loadu_pd, _mm512_mask_mov_epi64,
    _mm512_mask_reduce_min_epu64, _mm512_maskz_compress_epi64, _mm512_max_pd, _mm512_mul_pd,
    _mm512_reduce_max_pd, _mm512_set_epi64, _mm512_set1_epi64, _mm512_set1_pd, _mm512_slli_epi64,
};

/// The first point of those with the greatest product, by the widest unit there is; `None` without any.
#[inline(always)]
pub(super) fn farthest(octets: &[Octet], direction: DVec3) -> Option<u32> {
    if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl") {
        // SAFETY: AVX-512F and VL were just detected.
        Some(unsafe {
            if octets.len() <= SHORT {
                farthest_short(octets, direction)
            } else {
                farthest_avx512(octets, direction)
            }
        })
    } else if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        // SAFETY: AVX2 and FMA were just detected.
        Some(unsafe { farthest_avx2(octets, direction) })
    } else {
        None
    }
}

/// Asks for the memory of a list ahead of its use, up to [`AHEAD`] lines of it.
#[inline(always)]
pub(crate) fn prefetch<T>(list: &[T]) {
    let start = list.as_ptr().cast::<i8>();
    for line in 0..size_of_val(list).div_ceil(64).min(AHEAD) {
        // SAFETY: SSE is part of x86-64, and prefetching reads nothing that a program could see.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(start.wrapping_add(64 * line)) };
    }
}

/// Cache lines that are worth asking for at once; what comes after them the machine sees coming.
const AHEAD: usize = 24;

/// Results of all variants this machine can run.
#[cfg(test)]
pub(super) fn every_variant(octets: &[Octet], direction: DVec3) -> Vec<u32> {
    let mut found = Vec::new();
    if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl") {
        // SAFETY: AVX-512F and VL were just detected.
        found.extend(unsafe { [farthest_avx512(octets, direction), farthest_short(octets, direction)] });
    }
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        // SAFETY: AVX2 and FMA were just detected.
        found.push(unsafe { farthest_avx2(octets, direction) });
    }
    found
}

/// Up to this many octets go through half-wide registers: short scans leave the port that full-wide ones close to others.
const SHORT: usize = 8;

/// Each lane keeps its greatest product and the first octet that had it; then the lanes are compared.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn farthest_short(octets: &[Octet], direction: DVec3) -> u32 {
    let (x, y, z) = (_mm256_set1_pd(direction.x), _mm256_set1_pd(direction.y), _mm256_set1_pd(direction.z));
    let mut most = [_mm256_set1_pd(f64::NEG_INFINITY); 2];
    let (mut first, mut number) = ([_mm256_set1_epi64x(0); 2], _mm256_set1_epi64x(0));
    for octet in octets {
        for half in 0..2 {
            // SAFETY: each array holds eight doubles, of which this half has four; unaligned loads.
            let (px, py, pz) = unsafe {
                (
                    _mm256_loadu_pd(octet.x.as_ptr().add(4 * half)),
                    _mm256_loadu_pd(octet.y.as_ptr().add(4 * half)),
                    _mm256_loadu_pd(octet.z.as_ptr().add(4 * half)),
                )
            };
            let values = _mm256_fmadd_pd(pz, z, _mm256_fmadd_pd(py, y, _mm256_mul_pd(px, x)));
            let better = _mm256_cmp_pd_mask::<_CMP_GT_OQ>(values, most[half]);
            most[half] = _mm256_max_pd(values, most[half]);
            first[half] = _mm256_mask_mov_epi64(first[half], better, number);
        }
        number = _mm256_add_epi64(number, _mm256_set1_epi64x(8));
    }
    let top = _mm256_max_pd(most[0], most[1]);
    let top = _mm256_max_pd(top, _mm256_permute4x64_pd::<0b01_00_11_10>(top));
    let top = _mm256_max_pd(top, _mm256_permute_pd::<0b0101>(top));
    let hits = [0, 1].map(|half| _mm256_cmp_pd_mask::<_CMP_EQ_OQ>(most[half], top));
    let ids = [
        _mm256_add_epi64(first[0], _mm256_set_epi64x(3, 2, 1, 0)),
        _mm256_add_epi64(first[1], _mm256_set_epi64x(7, 6, 5, 4)),
    ];
    // Of those that have it the least number.
    let none = _mm256_set1_epi64x(i64::MAX);
    let least = _mm256_min_epi64(
        _mm256_mask_mov_epi64(none, hits[0], ids[0]),
        _mm256_mask_mov_epi64(none, hits[1], ids[1]),
    );
    let least = _mm256_min_epi64(least, _mm256_permute4x64_epi64::<0b01_00_11_10>(least));
    let least = _mm256_min_epi64(least, _mm256_permute4x64_epi64::<0b10_11_00_01>(least));
    _mm_cvtsi128_si32(_mm256_castsi256_si128(least)) as u32
}

/// Each lane keeps its greatest product and the first octet that had it; then the lanes are compared.
#[inline]
#[target_feature(enable = "avx512f")]
fn farthest_avx512(octets: &[Octet], direction: DVec3) -> u32 {
    let axes = [_mm512_set1_pd(direction.x), _mm512_set1_pd(direction.y), _mm512_set1_pd(direction.z)];
    let mut most = _mm512_set1_pd(f64::NEG_INFINITY);
    let (mut first, mut number) = (_mm512_set1_epi64(0), _mm512_set1_epi64(0));
    for octet in octets {
        let values = products(octet, axes);
        let better = _mm512_cmp_pd_mask::<_CMP_GT_OQ>(values, most);
        most = _mm512_max_pd(values, most);
        first = _mm512_mask_mov_epi64(first, better, number);
        number = _mm512_add_epi64(number, _mm512_set1_epi64(1));
    }
    let top = _mm512_set1_pd(_mm512_reduce_max_pd(most));
    let hits = _mm512_cmp_pd_mask::<_CMP_EQ_OQ>(most, top);
    let ids = _mm512_add_epi64(_mm512_slli_epi64::<3>(first), _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0));
    if hits.is_power_of_two() {
        _mm512_cvtsi512_si32(_mm512_maskz_compress_epi64(hits, ids)) as u32
    } else {
        // Several lanes are equal: hardly ever. At least one is, because NaN is never the greatest.
        _mm512_mask_reduce_min_epu64(hits, ids) as u32
    }
}

/// direction · point for eight points.
#[inline]
#[target_feature(enable = "avx512f")]
fn products(octet: &Octet, [x, y, z]: [__m512d; 3]) -> __m512d {
    // SAFETY: each array holds eight doubles; unaligned loads.
    let (px, py, pz) = unsafe {
        (
            _mm512_loadu_pd(octet.x.as_ptr()),
            _mm512_loadu_pd(octet.y.as_ptr()),
            _mm512_loadu_pd(octet.z.as_ptr()),
        )
    };
    _mm512_fmadd_pd(pz, z, _mm512_fmadd_pd(py, y, _mm512_mul_pd(px, x)))
}

#[target_feature(enable = "avx2,fma")]
fn farthest_avx2(octets: &[Octet], direction: DVec3) -> u32 {
    let (x, y, z) = (_mm256_set1_pd(direction.x), _mm256_set1_pd(direction.y), _mm256_set1_pd(direction.z));
    let mut most = [_mm256_set1_pd(f64::NEG_INFINITY); 2];
    let mut block = [_mm256_castsi256_pd(_mm256_set1_epi64x(0)); 2];
    for (number, octet) in octets.iter().enumerate() {
        let number = _mm256_castsi256_pd(_mm256_set1_epi64x(i64::from(number as u32)));
        for half in 0..2 {
            // SAFETY: each array holds eight doubles, of which this half has four; unaligned loads.
            let (px, py, pz) = unsafe {
                (
                    _mm256_loadu_pd(octet.x.as_ptr().add(4 * half)),
                    _mm256_loadu_pd(octet.y.as_ptr().add(4 * half)),
                    _mm256_loadu_pd(octet.z.as_ptr().add(4 * half)),
                )
            };
            let value = _mm256_fmadd_pd(pz, z, _mm256_fmadd_pd(py, y, _mm256_mul_pd(px, x)));
            let better = _mm256_cmp_pd::<_CMP_GT_OQ>(value, most[half]);
            most[half] = _mm256_blendv_pd(most[half], value, better);
            block[half] = _mm256_blendv_pd(block[half], number, better);
        }
    }
    let (mut best, mut first) = (f64::NEG_INFINITY, 0);
    for half in 0..2 {
        let (mut values, mut blocks) = ([0.0; 4], [0.0; 4]);
        // SAFETY: the arrays hold four doubles each; unaligned stores.
        unsafe {
            _mm256_storeu_pd(values.as_mut_ptr(), most[half]);
            _mm256_storeu_pd(blocks.as_mut_ptr(), block[half]);
        }
        for lane in 0..4 {
            let id = blocks[lane].to_bits() as u32 * 8 + (4 * half + lane) as u32;
            if values[lane] > best || (values[lane] == best && id < first) {
                (best, first) = (values[lane], id);
            }
        }
    }
    first
}
