//! The sieve's loops with AVX-512: points against sixteen faces at a time, faces against eight points.

#![allow(unsafe_code, reason = "SIMD leaf: intrinsics behind run-time detection")]

use super::map::{LANES, Planes};
use super::sieve::{Side, View, place_portable};
use crate::difference::scan::Octet;
use std::arch::x86_64::{
    __m512d, __m512i, _CMP_LE_OQ, _mm512_cmp_pd_mask, _mm512_fmadd_pd, _mm512_fnmadd_pd, _mm512_loadu_pd,
    _mm512_mask_or_epi64, _mm512_mul_pd, _mm512_set1_epi64, _mm512_set1_pd, _mm512_setzero_si512,
    _mm512_storeu_si512, _mm512_sub_pd,
};

/// Sets bit k of a face's mask if point k rules it out, like `masks_portable`; false without AVX-512.
#[inline]
pub(super) fn masks(planes: &[Planes], points: &[Octet], size: f64, bound: f64, masks: &mut [u64]) -> bool {
    let able = is_x86_feature_detected!("avx512f");
    if able {
        // SAFETY: AVX-512F was just detected.
        unsafe { masks_avx512(planes, points, [size, bound], masks) };
    }
    able
}

/// Takes points to the other frame, like `place_portable`; false without AVX-512.
#[inline]
pub(super) fn place(points: &mut [Octet], view: &View) -> bool {
    let able = is_x86_feature_detected!("avx512f");
    if able {
        // SAFETY: AVX-512F was just detected.
        unsafe { place_avx512(points, view) };
    }
    able
}

#[target_feature(enable = "avx512f")]
fn place_avx512(points: &mut [Octet], view: &View) {
    place_portable(points, view);
}

/// Whether a point is below both limits, like `any_below_portable`; `None` without AVX-512.
#[inline]
pub(super) fn any_below(points: &[Octet], sides: [Side; 2]) -> Option<bool> {
    // SAFETY: AVX-512F was just detected.
    is_x86_feature_detected!("avx512f").then(|| unsafe { any_below_avx512(points, sides) })
}

#[target_feature(enable = "avx512f")]
fn any_below_avx512(points: &[Octet], sides: [Side; 2]) -> bool {
    points.iter().any(|octet| {
        // SAFETY: each array holds eight doubles; unaligned loads.
        let (x, y, z) = unsafe {
            (
                _mm512_loadu_pd(octet.x.as_ptr()),
                _mm512_loadu_pd(octet.y.as_ptr()),
                _mm512_loadu_pd(octet.z.as_ptr()),
            )
        };
        let [first, second] = sides.map(|Side { normal: n, limit }| {
            let along = _mm512_fmadd_pd(_mm512_set1_pd(n.y), y, _mm512_mul_pd(_mm512_set1_pd(n.x), x));
            let along = _mm512_fmadd_pd(_mm512_set1_pd(n.z), z, along);
            _mm512_cmp_pd_mask::<_CMP_LE_OQ>(along, _mm512_set1_pd(limit))
        });
        first & second != 0
    })
}

/// Eight faces and what they must not reach.
#[derive(Clone, Copy)]
struct Wide {
    x: __m512d,
    y: __m512d,
    z: __m512d,
    limit: __m512d,
}

#[target_feature(enable = "avx512f")]
fn masks_avx512(planes: &[Planes], points: &[Octet], limits: [f64; 2], masks: &mut [u64]) {
    let (pairs, rest) = planes.as_chunks::<2>();
    let (mask_pairs, mask_rest) = masks.split_at_mut(pairs.len() * 2 * LANES);
    for (pair, masks) in pairs.iter().zip(mask_pairs.chunks_exact_mut(2 * LANES)) {
        let wides = [wide(&pair[0], limits), wide(&pair[1], limits)];
        let [first, second] = ruled_out(wides, points);
        store(first, &mut masks[..LANES]);
        store(second, &mut masks[LANES..]);
    }
    for (last, masks) in rest.iter().zip(mask_rest.chunks_exact_mut(LANES)) {
        let [only] = ruled_out([wide(last, limits)], points);
        store(only, masks);
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn wide(block: &Planes, [size, bound]: [f64; 2]) -> Wide {
    // SAFETY: each array holds eight doubles; unaligned loads.
    let (x, y, z, height, error) = unsafe {
        (
            _mm512_loadu_pd(block.x.as_ptr()),
            _mm512_loadu_pd(block.y.as_ptr()),
            _mm512_loadu_pd(block.z.as_ptr()),
            _mm512_loadu_pd(block.height.as_ptr()),
            _mm512_loadu_pd(block.error.as_ptr()),
        )
    };
    let above = _mm512_sub_pd(height, _mm512_set1_pd(bound));
    Wide { x, y, z, limit: _mm512_fnmadd_pd(error, _mm512_set1_pd(size), above) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn ruled_out<const N: usize>(wides: [Wide; N], points: &[Octet]) -> [__m512i; N] {
    let mut masks = [_mm512_setzero_si512(); N];
    let mut bit = 1_i64;
    for octet in points {
        for k in 0..LANES {
            let (x, y, z) =
                (_mm512_set1_pd(octet.x[k]), _mm512_set1_pd(octet.y[k]), _mm512_set1_pd(octet.z[k]));
            let bits = _mm512_set1_epi64(bit);
            for (mask, wide) in masks.iter_mut().zip(wides) {
                let along = _mm512_fmadd_pd(wide.z, z, _mm512_fmadd_pd(wide.y, y, _mm512_mul_pd(wide.x, x)));
                let below = _mm512_cmp_pd_mask::<_CMP_LE_OQ>(along, wide.limit);
                *mask = _mm512_mask_or_epi64(*mask, below, *mask, bits);
            }
            bit <<= 1;
        }
    }
    masks
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store(mask: __m512i, masks: &mut [u64]) {
    assert!(masks.len() >= LANES);
    // SAFETY: there is room for eight; an unaligned store.
    unsafe { _mm512_storeu_si512(masks.as_mut_ptr().cast(), mask) };
}
