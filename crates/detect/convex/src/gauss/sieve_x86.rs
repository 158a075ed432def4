//! The sieve's loops with AVX-512: points against thirty-two faces at a time, faces against eight points.

#![allow(unsafe_code, reason = "SIMD leaf: intrinsics behind run-time detection")]

use super::sieve::{Coarse, Limits, Side, View, place_portable};
use crate::polytope::gauss_map::{Mapped, Planes};
use crate::polytope::ids::Ids;
use crate::polytope::scan::Octet;
use crate::polytope::tables::WIDE;
use std::arch::x86_64::{
    __m512, __m512i, _CMP_LE_OQ, _mm_loadu_si128, _mm256_and_ps, _mm256_cmp_ps, _mm256_fmadd_ps,
    _mm256_loadu_ps, _mm256_loadu_si256, _mm256_movemask_ps, _mm256_mul_ps, _mm256_set1_ps, _mm512_add_epi32,
    _mm512_cmp_ps_mask, _mm512_cvtepu8_epi32, _mm512_cvtepu16_epi32, _mm512_fmadd_ps, _mm512_fmsub_ps,
    _mm512_i32gather_epi32, _mm512_loadu_ps, _mm512_loadu_si512, _mm512_mask_or_epi32,
    _mm512_maskz_compress_epi32, _mm512_mul_ps, _mm512_set_epi32, _mm512_set1_epi32, _mm512_set1_ps,
    _mm512_setzero_si512, _mm512_storeu_si512, _mm512_testn_epi32_mask,
};

/// Sets masks and collects faces like `masks_portable`; false without AVX-512.
#[inline]
pub(super) fn masks(
    planes: &[Planes],
    points: &[Coarse],
    limits: Limits,
    masks: &mut [u32],
    faces: &mut Vec<u32>,
) -> bool {
    let able = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("popcnt");
    if able {
        // SAFETY: AVX-512F and POPCNT were just detected.
        unsafe { masks_avx512(planes, points, limits, masks, faces) };
    }
    able
}

/// Takes points to the other frame, like `place_portable`; `None` without AVX-512.
#[inline]
pub(super) fn place(points: &Octet, view: &View, shrink: f64) -> Option<Coarse> {
    // SAFETY: AVX-512F was just detected.
    is_x86_feature_detected!("avx512f").then(|| unsafe { place_avx512(points, view, shrink) })
}

#[target_feature(enable = "avx512f")]
fn place_avx512(points: &Octet, view: &View, shrink: f64) -> Coarse {
    place_portable(points, view, shrink)
}

/// Whether a point is below both limits, like `any_below_portable`; `None` without AVX2.
#[inline(always)]
pub(super) fn any_below(points: &Coarse, sides: [Side; 2]) -> Option<bool> {
    let able = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
    // SAFETY: AVX2 and FMA were just detected.
    able.then(|| unsafe { any_below_avx2(points, sides) })
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn any_below_avx2(points: &Coarse, sides: [Side; 2]) -> bool {
    // SAFETY: each array holds eight numbers; unaligned loads.
    let (x, y, z) = unsafe {
        (
            _mm256_loadu_ps(points.x.as_ptr()),
            _mm256_loadu_ps(points.y.as_ptr()),
            _mm256_loadu_ps(points.z.as_ptr()),
        )
    };
    let below = |Side { normal: n, limit }: Side| {
        let along = _mm256_fmadd_ps(_mm256_set1_ps(n[1]), y, _mm256_mul_ps(_mm256_set1_ps(n[0]), x));
        let along = _mm256_fmadd_ps(_mm256_set1_ps(n[2]), z, along);
        _mm256_cmp_ps::<_CMP_LE_OQ>(along, _mm256_set1_ps(limit))
    };
    _mm256_movemask_ps(_mm256_and_ps(below(sides[0]), below(sides[1]))) != 0
}

/// Sixteen faces and what they must not reach.
#[derive(Clone, Copy)]
struct Lanes {
    x: __m512,
    y: __m512,
    z: __m512,
    limit: __m512,
}

#[target_feature(enable = "avx512f,popcnt")]
fn masks_avx512(
    planes: &[Planes],
    points: &[Coarse],
    limits: Limits,
    masks: &mut [u32],
    faces: &mut Vec<u32>,
) {
    let (pairs, rest) = planes.as_chunks::<2>();
    let (blocks, _) = masks.as_chunks_mut::<WIDE>();
    let mut blocks = (0_u32..).zip(blocks);
    let mut put = |mask: __m512i| {
        let Some((number, block)) = blocks.next() else { return };
        // SAFETY: the array holds sixteen integers; an unaligned store.
        unsafe { _mm512_storeu_si512(block.as_mut_ptr().cast(), mask) };
        collect(_mm512_testn_epi32_mask(mask, mask), number, faces);
    };
    for [first, second] in pairs {
        for mask in ruled_out([lanes(first, limits), lanes(second, limits)], points) {
            put(mask);
        }
    }
    for last in rest {
        let [mask] = ruled_out([lanes(last, limits)], points);
        put(mask);
    }
}

/// Numbers of the bits of the given block of sixteen. Without a loop: nobody could guess how often it runs.
#[inline]
#[target_feature(enable = "avx512f,popcnt")]
fn collect(bits: u16, block: u32, numbers: &mut Vec<u32>) {
    let lanes = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    let all = _mm512_add_epi32(lanes, _mm512_set1_epi32((block * WIDE as u32).cast_signed()));
    let packed = _mm512_maskz_compress_epi32(bits, all);
    let length = numbers.len();
    numbers.reserve(WIDE);
    // SAFETY: there is room for sixteen numbers more, all of them are stored, and no more than those are counted.
    unsafe {
        _mm512_storeu_si512(numbers.as_mut_ptr().add(length).cast(), packed);
        numbers.set_len(length + bits.count_ones() as usize);
    }
}

/// Collects edges like `edges_portable`. Nothing without AVX-512.
#[inline]
pub(super) fn edges(body: &Mapped<'_>, masks: &[u32], edges: &mut Vec<u32>) {
    let (sides, padded) = body.hull.tables().sides();
    assert!(masks.len() >= body.hull.tables().face_count() as usize);
    if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("popcnt") {
        // SAFETY: AVX-512F and POPCNT were just detected; numbers of faces are below their count, so there is a mask for each.
        unsafe {
            match sides {
                Ids::Bytes(sides) => edges_avx512(sides, padded, masks, edges, |sixteen| {
                    _mm512_cvtepu8_epi32(_mm_loadu_si128(sixteen.as_ptr().cast()))
                }),
                Ids::Shorts(sides) => edges_avx512(sides, padded, masks, edges, |sixteen| {
                    _mm512_cvtepu16_epi32(_mm256_loadu_si256(sixteen.as_ptr().cast()))
                }),
                Ids::Words(sides) => edges_avx512(sides, padded, masks, edges, |sixteen| {
                    _mm512_loadu_si512(sixteen.as_ptr().cast())
                }),
            }
        }
    }
}

/// # Safety
/// There is a mask for each of the first two times `padded` numbers.
#[target_feature(enable = "avx512f,popcnt")]
unsafe fn edges_avx512<T>(
    sides: &[T],
    padded: usize,
    masks: &[u32],
    edges: &mut Vec<u32>,
    load: impl Fn(&[T; WIDE]) -> __m512i,
) {
    let (left, right) = sides[..2 * padded].split_at(padded);
    let (left, right) = (left.as_chunks::<WIDE>().0, right.as_chunks::<WIDE>().0);
    for ((number, left), right) in (0_u32..).zip(left).zip(right) {
        // SAFETY: there is a mask for each of these numbers.
        let [left, right] = [left, right]
            .map(|faces| unsafe { _mm512_i32gather_epi32::<4>(load(faces), masks.as_ptr().cast()) });
        collect(_mm512_testn_epi32_mask(left, right), number, edges);
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn lanes(block: &Planes, limits: Limits) -> Lanes {
    // SAFETY: each array holds sixteen numbers; unaligned loads.
    let (x, y, z, height) = unsafe {
        (
            _mm512_loadu_ps(block.x.as_ptr()),
            _mm512_loadu_ps(block.y.as_ptr()),
            _mm512_loadu_ps(block.z.as_ptr()),
            _mm512_loadu_ps(block.height.as_ptr()),
        )
    };
    let limit = _mm512_fmsub_ps(height, _mm512_set1_ps(limits.unit), _mm512_set1_ps(limits.bound));
    Lanes { x, y, z, limit }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn ruled_out<const N: usize>(faces: [Lanes; N], points: &[Coarse]) -> [__m512i; N] {
    let mut masks = [_mm512_setzero_si512(); N];
    let mut bit = 1_i32;
    for octet in points {
        for ((x, y), z) in octet.x.iter().zip(&octet.y).zip(&octet.z) {
            let (x, y, z) = (_mm512_set1_ps(*x), _mm512_set1_ps(*y), _mm512_set1_ps(*z));
            let bits = _mm512_set1_epi32(bit);
            for (mask, face) in masks.iter_mut().zip(faces) {
                let along = _mm512_fmadd_ps(face.z, z, _mm512_fmadd_ps(face.y, y, _mm512_mul_ps(face.x, x)));
                let below = _mm512_cmp_ps_mask::<_CMP_LE_OQ>(along, face.limit);
                *mask = _mm512_mask_or_epi32(*mask, below, *mask, bits);
            }
            bit <<= 1;
        }
    }
    masks
}
