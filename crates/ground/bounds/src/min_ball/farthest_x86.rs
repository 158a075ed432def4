//! AVX-512 and AVX2 variants of the farthest-point loop, chosen at run time; points are deinterleaved in registers.

#![allow(unsafe_code, reason = "SIMD leaf: intrinsics behind run-time detection")]

use super::farthest::most_squared_portable;
use kontakt_math::DVec3;
use std::arch::x86_64::{
    __m256d, __m512d, _mm_loadu_pd, _mm256_add_pd, _mm256_blend_pd, _mm256_castpd128_pd256,
    _mm256_insertf128_pd, _mm256_max_pd, _mm256_mul_pd, _mm256_set1_pd, _mm256_setzero_pd, _mm256_shuffle_pd,
    _mm256_storeu_pd, _mm256_sub_pd, _mm512_add_pd, _mm512_loadu_pd, _mm512_max_pd, _mm512_mul_pd,
    _mm512_permutex2var_pd, _mm512_reduce_add_pd, _mm512_reduce_max_pd, _mm512_set1_pd, _mm512_setr_epi64,
    _mm512_setzero_pd, _mm512_sub_pd,
};

/// The largest squared distance by the widest unit there is; `None` without any. NaN or infinite when any of them is.
#[inline]
pub(super) fn most_squared(points: &[DVec3], centre: DVec3) -> Option<f64> {
    if is_x86_feature_detected!("avx512f") {
        // SAFETY: AVX-512F was just detected.
        Some(unsafe { most_squared_avx512(points, centre) })
    } else if is_x86_feature_detected!("avx2") {
        // SAFETY: AVX2 (hence AVX) was just detected.
        Some(unsafe { most_squared_avx2(points, centre) })
    } else {
        None
    }
}

/// Results of all variants this machine can run.
#[cfg(test)]
pub(super) fn every_variant(points: &[DVec3], centre: DVec3) -> Vec<f64> {
    let mut results = Vec::new();
    if is_x86_feature_detected!("avx512f") {
        // SAFETY: AVX-512F was just detected.
        results.push(unsafe { most_squared_avx512(points, centre) });
    }
    if is_x86_feature_detected!("avx2") {
        // SAFETY: AVX2 (hence AVX) was just detected.
        results.push(unsafe { most_squared_avx2(points, centre) });
    }
    results
}

/// Joins the vector part with the rest of the slice; a sum that is not finite wins.
fn join(most: f64, poison: f64, rest: &[DVec3], centre: DVec3) -> f64 {
    let tail = most_squared_portable(rest, centre);
    let poison = poison + tail;
    if poison.is_finite() { most.max(tail) } else { poison }
}

#[target_feature(enable = "avx512f")]
fn most_squared_avx512(points: &[DVec3], centre: DVec3) -> f64 {
    // Lanes of a register pair: 0..8 the first, 8..16 the second. Three registers hold
    // x0 y0 z0 x1 y1 z1 x2 y2 | z2 x3 y3 z3 x4 y4 z4 x5 | y5 z5 x6 y6 z6 x7 y7 z7.
    let first_x = _mm512_setr_epi64(0, 3, 6, 9, 12, 15, 0, 0);
    let first_y = _mm512_setr_epi64(1, 4, 7, 10, 13, 0, 0, 0);
    let first_z = _mm512_setr_epi64(2, 5, 8, 11, 14, 0, 0, 0);
    let then_x = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 10, 13);
    let then_y = _mm512_setr_epi64(0, 1, 2, 3, 4, 8, 11, 14);
    let then_z = _mm512_setr_epi64(0, 1, 2, 3, 4, 9, 12, 15);
    let (cx, cy, cz) = (_mm512_set1_pd(centre.x), _mm512_set1_pd(centre.y), _mm512_set1_pd(centre.z));
    let (mut most, mut poison) = (_mm512_setzero_pd(), _mm512_setzero_pd());
    let (chunks, rest) = points.as_chunks::<8>();
    for chunk in chunks {
        let start = chunk.as_ptr().cast::<f64>();
        // SAFETY: `DVec3` is `repr(C)` with three f64, so the chunk is 24 consecutive doubles; unaligned loads.
        let (a, b, c): (__m512d, __m512d, __m512d) = unsafe {
            (_mm512_loadu_pd(start), _mm512_loadu_pd(start.add(8)), _mm512_loadu_pd(start.add(16)))
        };
        let x = _mm512_permutex2var_pd(_mm512_permutex2var_pd(a, first_x, b), then_x, c);
        let y = _mm512_permutex2var_pd(_mm512_permutex2var_pd(a, first_y, b), then_y, c);
        let z = _mm512_permutex2var_pd(_mm512_permutex2var_pd(a, first_z, b), then_z, c);
        let (x, y, z) = (_mm512_sub_pd(x, cx), _mm512_sub_pd(y, cy), _mm512_sub_pd(z, cz));
        let square =
            _mm512_add_pd(_mm512_add_pd(_mm512_mul_pd(x, x), _mm512_mul_pd(y, y)), _mm512_mul_pd(z, z));
        poison = _mm512_add_pd(poison, square);
        most = _mm512_max_pd(most, square);
    }
    join(_mm512_reduce_max_pd(most), _mm512_reduce_add_pd(poison), rest, centre)
}

#[target_feature(enable = "avx2")]
fn most_squared_avx2(points: &[DVec3], centre: DVec3) -> f64 {
    let (cx, cy, cz) = (_mm256_set1_pd(centre.x), _mm256_set1_pd(centre.y), _mm256_set1_pd(centre.z));
    let (mut most, mut poison) = (_mm256_setzero_pd(), _mm256_setzero_pd());
    let (chunks, rest) = points.as_chunks::<4>();
    for chunk in chunks {
        let [x, y, z] = deinterleave4(chunk);
        let (x, y, z) = (_mm256_sub_pd(x, cx), _mm256_sub_pd(y, cy), _mm256_sub_pd(z, cz));
        let square =
            _mm256_add_pd(_mm256_add_pd(_mm256_mul_pd(x, x), _mm256_mul_pd(y, y)), _mm256_mul_pd(z, z));
        poison = _mm256_add_pd(poison, square);
        most = _mm256_max_pd(most, square);
    }
    let (mut mosts, mut poisons) = ([0.0; 4], [0.0; 4]);
    // SAFETY: both arrays hold four doubles.
    unsafe {
        _mm256_storeu_pd(mosts.as_mut_ptr(), most);
        _mm256_storeu_pd(poisons.as_mut_ptr(), poison);
    }
    join(mosts.into_iter().fold(0.0, f64::max), poisons.iter().sum(), rest, centre)
}

/// The x, y and z of four points.
#[target_feature(enable = "avx2")]
fn deinterleave4(points: &[DVec3; 4]) -> [__m256d; 3] {
    let start = points.as_ptr().cast::<f64>();
    // SAFETY: `DVec3` is `repr(C)` with three f64, so the array is 12 consecutive doubles; unaligned loads.
    let (low, high) = unsafe {
        // x0 y0 | x2 y2, z0 x1 | z2 x3, y1 z1 | y3 z3
        (
            [_mm_loadu_pd(start), _mm_loadu_pd(start.add(2)), _mm_loadu_pd(start.add(4))],
            [_mm_loadu_pd(start.add(6)), _mm_loadu_pd(start.add(8)), _mm_loadu_pd(start.add(10))],
        )
    };
    let pair = |i: usize| _mm256_insertf128_pd::<1>(_mm256_castpd128_pd256(low[i]), high[i]);
    let (xy, zx, yz) = (pair(0), pair(1), pair(2));
    let x = _mm256_blend_pd::<0b1010>(xy, zx);
    let y = _mm256_shuffle_pd::<0b0101>(xy, yz);
    let z = _mm256_blend_pd::<0b1010>(zx, yz);
    [x, y, z]
}
