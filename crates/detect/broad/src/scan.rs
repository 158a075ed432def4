//! One box against many in a row: comparisons over lanes.
#![allow(unsafe_code, reason = "vectors are made only by callers that have checked the processor")]

use crate::ends::Ends;
use crate::row::{PADDING, Rows};

/// A width of vectors. Every answer is made of comparisons, so all widths agree bit for bit.
pub(crate) trait Lanes {
    const COUNT: usize;
    /// The ends of a box, in the order of the rows' axes, in every lane.
    type Splat: Copy;
    /// # Safety
    /// The processor has the instruction set.
    unsafe fn splat(ends: &Ends) -> Self::Splat;
    /// Bit i: the box at position `at + i` meets the one splat. Positions past the end give anything.
    ///
    /// # Safety
    /// The processor has the instruction set; `at` is a position of `rows`.
    unsafe fn meeting(rows: &Rows, at: usize, ends: &Self::Splat) -> u32;
    /// Writes the ids at the positions `at + i` whose bits are set to the front of `ids` and gives their number; may write
    /// anything to the `COUNT` places at the front beyond them.
    ///
    /// # Safety
    /// The processor has the instruction set; `at` is a position of `rows`; `ids` has at least `COUNT` places.
    #[inline(always)]
    unsafe fn keep(rows: &Rows, at: usize, bits: u32, ids: &mut [u32]) -> usize {
        let (mut rest, mut count) = (bits, 0);
        while rest != 0 {
            ids[count] = rows.ids[at + rest.trailing_zeros() as usize];
            count += 1;
            rest &= rest - 1;
        }
        count
    }
}

/// Eight lanes that any processor has.
pub(crate) struct Plain;

impl Lanes for Plain {
    const COUNT: usize = 8;
    type Splat = Ends;
    #[inline(always)]
    unsafe fn splat(ends: &Ends) -> Ends {
        *ends
    }
    #[inline(always)]
    unsafe fn meeting(rows: &Rows, at: usize, ends: &Ends) -> u32 {
        let mut meets = [true; Plain::COUNT];
        for k in 0..3 {
            let low = &rows.low[k][at..at + Plain::COUNT];
            let high = &rows.high[k][at..at + Plain::COUNT];
            for i in 0..Plain::COUNT {
                meets[i] &= low[i] <= ends.high[k] && high[i] >= ends.low[k];
            }
        }
        meets.iter().rev().fold(0, |bits, &meet| bits << 1 | u32::from(meet))
    }
}

/// Writes the ids of the boxes at the positions `from..end` of one row that meet the box with these ends into `ids`, in order,
/// and gives their number. `ids` is made long enough.
///
/// # Safety
/// The processor has the instruction set of `L`; `from..end` are positions of `rows`.
#[inline(always)]
pub(crate) unsafe fn scan<L: Lanes>(
    rows: &Rows,
    from: usize,
    end: usize,
    ends: &Ends,
    ids: &mut Vec<u32>,
) -> usize {
    const { assert!(L::COUNT <= PADDING) };
    let along = &rows.low[0][..end];
    if from >= end || along[from] > ends.high[0] {
        return 0;
    }
    if ids.len() < end - from + PADDING {
        ids.resize(end - from + PADDING, 0);
    }
    // SAFETY: as the caller vouches.
    let splat = unsafe { L::splat(ends) };
    let (mut at, mut count) = (from, 0);
    // Rows are sorted by their lower ends: once one lies above, all later ones do.
    while at < end && along[at] <= ends.high[0] {
        // SAFETY: as the caller vouches; `at` is a position below the end.
        let mut bits = unsafe { L::meeting(rows, at, &splat) };
        if end - at < L::COUNT {
            bits &= (1 << (end - at)) - 1;
        }
        // SAFETY: as above; at most one id a position before this block was written, so COUNT more fit.
        count += unsafe { L::keep(rows, at, bits, &mut ids[count..]) };
        at += L::COUNT;
    }
    count
}

#[cfg(target_arch = "x86_64")]
pub(crate) mod x86 {
    //! The same in AVX2 and AVX-512.

    use super::Lanes;
    use crate::ends::Ends;
    use crate::row::Rows;
    use std::arch::x86_64::{
        __m256, __m512, _CMP_GE_OQ, _CMP_LE_OQ, _mm256_and_ps, _mm256_cmp_ps, _mm256_loadu_ps,
        _mm256_movemask_ps, _mm256_set1_ps, _mm512_loadu_ps, _mm512_loadu_si512, _mm512_mask_cmp_ps_mask,
        _mm512_maskz_compress_epi32, _mm512_set1_ps, _mm512_storeu_si512,
    };

    /// Eight lanes.
    pub(crate) struct Avx2;
    /// Sixteen lanes.
    pub(crate) struct Avx512;

    impl Lanes for Avx2 {
        const COUNT: usize = 8;
        type Splat = [[__m256; 2]; 3];
        #[inline(always)]
        unsafe fn splat(ends: &Ends) -> Self::Splat {
            // SAFETY: the caller vouches for the processor.
            unsafe {
                [
                    [_mm256_set1_ps(ends.low[0]), _mm256_set1_ps(ends.high[0])],
                    [_mm256_set1_ps(ends.low[1]), _mm256_set1_ps(ends.high[1])],
                    [_mm256_set1_ps(ends.low[2]), _mm256_set1_ps(ends.high[2])],
                ]
            }
        }
        #[inline(always)]
        unsafe fn meeting(rows: &Rows, at: usize, ends: &Self::Splat) -> u32 {
            let mut all = [0_u32; 3];
            for k in 0..3 {
                // SAFETY: the caller vouches for the processor and the position; lists are PADDING longer than positions.
                unsafe {
                    let low = _mm256_loadu_ps(rows.low[k].as_ptr().add(at));
                    let high = _mm256_loadu_ps(rows.high[k].as_ptr().add(at));
                    let below = _mm256_cmp_ps::<_CMP_LE_OQ>(low, ends[k][1]);
                    let above = _mm256_cmp_ps::<_CMP_GE_OQ>(high, ends[k][0]);
                    all[k] = _mm256_movemask_ps(_mm256_and_ps(below, above)).cast_unsigned();
                }
            }
            all[0] & all[1] & all[2]
        }
    }

    impl Lanes for Avx512 {
        const COUNT: usize = 16;
        type Splat = [[__m512; 2]; 3];
        #[inline(always)]
        unsafe fn splat(ends: &Ends) -> Self::Splat {
            // SAFETY: the caller vouches for the processor.
            unsafe {
                [
                    [_mm512_set1_ps(ends.low[0]), _mm512_set1_ps(ends.high[0])],
                    [_mm512_set1_ps(ends.low[1]), _mm512_set1_ps(ends.high[1])],
                    [_mm512_set1_ps(ends.low[2]), _mm512_set1_ps(ends.high[2])],
                ]
            }
        }
        #[inline(always)]
        unsafe fn meeting(rows: &Rows, at: usize, ends: &Self::Splat) -> u32 {
            let mut mask = u16::MAX;
            for (k, [splat_low, splat_high]) in ends.iter().enumerate() {
                // SAFETY: the caller vouches for the processor and the position; lists are PADDING longer than positions.
                unsafe {
                    let low = _mm512_loadu_ps(rows.low[k].as_ptr().add(at));
                    let high = _mm512_loadu_ps(rows.high[k].as_ptr().add(at));
                    mask = _mm512_mask_cmp_ps_mask::<_CMP_LE_OQ>(mask, low, *splat_high);
                    mask = _mm512_mask_cmp_ps_mask::<_CMP_GE_OQ>(mask, high, *splat_low);
                }
            }
            u32::from(mask)
        }
        #[inline(always)]
        unsafe fn keep(rows: &Rows, at: usize, bits: u32, ids: &mut [u32]) -> usize {
            let ids = &mut ids[..16];
            // SAFETY: the caller vouches for the processor and the position; ids are PADDING longer than positions, and the
            // slice has sixteen places.
            unsafe {
                let all = _mm512_loadu_si512(rows.ids.as_ptr().add(at).cast());
                let kept = _mm512_maskz_compress_epi32(bits as u16, all);
                _mm512_storeu_si512(ids.as_mut_ptr().cast(), kept);
            }
            bits.count_ones() as usize
        }
    }
}
