//! One box against many in a row: comparisons over lanes.
#![allow(unsafe_code, reason = "vectors are made only by callers that have checked the processor")]

use crate::row::{PADDING, Rows};

/// The ends of one box along the row, u and v.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ends {
    pub(crate) low: [f32; 3],
    pub(crate) high: [f32; 3],
}

/// A width of vectors. Every answer is made of comparisons, so all widths agree bit for bit.
pub(crate) trait Lanes {
    const COUNT: usize;
    /// The ends of a box in every lane.
    type Splat: Copy;
    /// # Safety
    /// The processor has the instruction set.
    unsafe fn splat(ends: &Ends) -> Self::Splat;
    /// Bit i: the box at position `at + i` meets the one splat. Positions past the end give anything.
    ///
    /// # Safety
    /// The processor has the instruction set; `at` is a position of `rows`.
    unsafe fn meeting(rows: &Rows, at: usize, ends: &Self::Splat) -> u32;
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

/// Calls `found` with the id of every box at the positions `from..end` of one row that meets the box with these ends, in order.
///
/// # Safety
/// The processor has the instruction set of `L`; `from..end` are positions of `rows`.
#[inline(always)]
pub(crate) unsafe fn scan<L: Lanes>(
    rows: &Rows,
    from: usize,
    end: usize,
    ends: &Ends,
    mut found: impl FnMut(u32),
) {
    const { assert!(L::COUNT <= PADDING) };
    // SAFETY: as the caller vouches.
    let splat = unsafe { L::splat(ends) };
    let mut at = from;
    // Rows are sorted by their lower ends: once one lies above, all later ones do.
    while at < end && rows.low[0][at] <= ends.high[0] {
        // SAFETY: as the caller vouches; `at` is below the end.
        let mut bits = unsafe { L::meeting(rows, at, &splat) };
        if end - at < L::COUNT {
            bits &= (1 << (end - at)) - 1;
        }
        while bits != 0 {
            found(rows.ids[at + bits.trailing_zeros() as usize]);
            bits &= bits - 1;
        }
        at += L::COUNT;
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) mod x86 {
    //! The same in AVX2 and AVX-512.

    use super::{Ends, Lanes};
    use crate::row::{PADDING, Rows};
    use std::arch::x86_64::{
        __m256, __m512, _CMP_GE_OQ, _CMP_LE_OQ, _mm256_and_ps, _mm256_cmp_ps, _mm256_loadu_ps,
        _mm256_movemask_ps, _mm256_set1_ps, _mm512_loadu_ps, _mm512_mask_cmp_ps_mask, _mm512_set1_ps,
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
            debug_assert!(at + PADDING <= rows.low[0].len());
            let mut all = [0_u32; 3];
            for k in 0..3 {
                let (low, high) = (&rows.low[k][at..at + 8], &rows.high[k][at..at + 8]);
                // SAFETY: the caller vouches for the processor; the slices have eight entries.
                unsafe {
                    let below = _mm256_cmp_ps::<_CMP_LE_OQ>(_mm256_loadu_ps(low.as_ptr()), ends[k][1]);
                    let above = _mm256_cmp_ps::<_CMP_GE_OQ>(_mm256_loadu_ps(high.as_ptr()), ends[k][0]);
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
            for k in 0..3 {
                let (low, high) = (&rows.low[k][at..at + 16], &rows.high[k][at..at + 16]);
                // SAFETY: the caller vouches for the processor; the slices have sixteen entries.
                unsafe {
                    mask = _mm512_mask_cmp_ps_mask::<_CMP_LE_OQ>(
                        mask,
                        _mm512_loadu_ps(low.as_ptr()),
                        ends[k][1],
                    );
                    mask = _mm512_mask_cmp_ps_mask::<_CMP_GE_OQ>(
                        mask,
                        _mm512_loadu_ps(high.as_ptr()),
                        ends[k][0],
                    );
                }
            }
            u32::from(mask)
        }
    }
}
