//! Many products of intervals against one, in double precision: comparisons only, hence exact.

use super::hits::Hits;
use crate::isa::Isa;

/// Members in a block.
const BLOCK: usize = 8;

/// Eight members: for each of `PAIRS` directions a row of lower and a row of upper ends.
#[derive(Clone, Debug)]
#[repr(align(64))]
struct Block<const PAIRS: usize> {
    min: [[f64; BLOCK]; PAIRS],
    max: [[f64; BLOCK]; PAIRS],
}

/// Products of `PAIRS` intervals in blocks of eight.
#[derive(Clone, Debug)]
pub(super) struct Intervals<const PAIRS: usize> {
    blocks: Vec<Block<PAIRS>>,
    len: usize,
}

impl<const PAIRS: usize> Intervals<PAIRS> {
    pub(super) fn new(members: impl Iterator<Item = ([f64; PAIRS], [f64; PAIRS])>) -> Self {
        let mut blocks: Vec<Block<PAIRS>> = Vec::new();
        let mut len = 0;
        for (min, max) in members {
            let lane = len % BLOCK;
            if lane == 0 {
                blocks.push(Block { min: [[0.0; BLOCK]; PAIRS], max: [[0.0; BLOCK]; PAIRS] });
            }
            if let Some(block) = blocks.last_mut() {
                for i in 0..PAIRS {
                    block.min[i][lane] = min[i];
                    block.max[i][lane] = max[i];
                }
            }
            len += 1;
        }
        Intervals { blocks, len }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Sets the bits of the members that meet min..max in every direction; NaN counts as meeting.
    #[allow(unsafe_code, reason = "enters functions compiled for an instruction set after checking for it")]
    pub(super) fn hits(&self, isa: Isa, min: &[f64; PAIRS], max: &[f64; PAIRS], hits: &mut Hits) {
        let words = hits.restart(self.len);
        match isa {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the instruction set was found.
            Isa::Avx512 if isa.is_available() => unsafe { x86::meet_avx512(&self.blocks, min, max, words) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the instruction set was found.
            Isa::Avx2 if isa.is_available() => unsafe { x86::meet_avx2(&self.blocks, min, max, words) },
            _ => meet_plain(&self.blocks, min, max, words),
        }
        hits.trim();
    }
}

/// Eight bits a block.
#[inline(always)]
fn put(words: &mut [u64], block: usize, bits: u8) {
    words[block / 8] |= u64::from(bits) << (8 * (block % 8));
}

fn meet_plain<const PAIRS: usize>(
    blocks: &[Block<PAIRS>],
    min: &[f64; PAIRS],
    max: &[f64; PAIRS],
    words: &mut [u64],
) {
    for (index, block) in blocks.iter().enumerate() {
        // The sign of a difference of doubles is exact (gradual underflow); NaN never becomes the least.
        let mut least = [0.0_f64; BLOCK];
        for i in 0..PAIRS {
            for ((least, low), high) in least.iter_mut().zip(&block.min[i]).zip(&block.max[i]) {
                let below = max[i] - low;
                let above = high - min[i];
                *least = if below < *least { below } else { *least };
                *least = if above < *least { above } else { *least };
            }
        }
        let bits =
            least.iter().enumerate().fold(0_u8, |bits, (lane, d)| bits | (u8::from(*d >= 0.0) << lane));
        put(words, index, bits);
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    #![allow(unsafe_code, reason = "processor intrinsics on arrays of the right length")]

    use super::{BLOCK, Block, put};
    use std::arch::x86_64::{
        _CMP_GT_OQ, _CMP_LT_OQ, _CMP_NGT_UQ, _CMP_NLT_UQ, _mm256_cmp_pd, _mm256_loadu_pd, _mm256_movemask_pd,
        _mm256_or_pd, _mm256_set1_pd, _mm256_setzero_pd, _mm512_loadu_pd, _mm512_mask_cmp_pd_mask,
        _mm512_set1_pd,
    };

    #[target_feature(enable = "avx512f")]
    pub(super) fn meet_avx512<const PAIRS: usize>(
        blocks: &[Block<PAIRS>],
        min: &[f64; PAIRS],
        max: &[f64; PAIRS],
        words: &mut [u64],
    ) {
        for (index, block) in blocks.iter().enumerate() {
            let mut meet = u8::MAX;
            for i in 0..PAIRS {
                // SAFETY: the rows hold eight doubles.
                let (low, high) = unsafe {
                    (_mm512_loadu_pd(block.min[i].as_ptr()), _mm512_loadu_pd(block.max[i].as_ptr()))
                };
                meet = _mm512_mask_cmp_pd_mask::<_CMP_NGT_UQ>(meet, low, _mm512_set1_pd(max[i]));
                meet = _mm512_mask_cmp_pd_mask::<_CMP_NLT_UQ>(meet, high, _mm512_set1_pd(min[i]));
            }
            put(words, index, meet);
        }
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn meet_avx2<const PAIRS: usize>(
        blocks: &[Block<PAIRS>],
        min: &[f64; PAIRS],
        max: &[f64; PAIRS],
        words: &mut [u64],
    ) {
        for (index, block) in blocks.iter().enumerate() {
            let mut bits = 0_u8;
            for from in (0..BLOCK).step_by(4) {
                let mut apart = _mm256_setzero_pd();
                for i in 0..PAIRS {
                    // SAFETY: four doubles from 0 or 4 on are within the row of eight.
                    let (low, high) = unsafe {
                        (
                            _mm256_loadu_pd(block.min[i].as_ptr().add(from)),
                            _mm256_loadu_pd(block.max[i].as_ptr().add(from)),
                        )
                    };
                    let above = _mm256_cmp_pd::<_CMP_GT_OQ>(low, _mm256_set1_pd(max[i]));
                    let below = _mm256_cmp_pd::<_CMP_LT_OQ>(high, _mm256_set1_pd(min[i]));
                    apart = _mm256_or_pd(apart, _mm256_or_pd(above, below));
                }
                bits |= ((!_mm256_movemask_pd(apart) & 0xf).cast_unsigned() as u8) << from;
            }
            put(words, index, bits);
        }
    }
}
