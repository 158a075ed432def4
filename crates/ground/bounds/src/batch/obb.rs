//! Many oriented boxes, packed for the fifteen-axis test in single precision.

use super::frame::{Frame, FrameObb};
use super::hits::Hits;
use super::lanes::Plain;
use super::obb_kernel::{BLOCK, ObbBlock, one_to_many, pairwise};
#[cfg(target_arch = "x86_64")]
use super::x86::{Avx2, Avx512};
use crate::isa::Isa;
use crate::volume::{Obb, SquareObb};

/// Oriented boxes in blocks of sixteen. Answers refer to the exact sets of the boxes given: single precision
/// only costs a "maybe" within about 2·10⁻⁶ of the batch's size.
#[derive(Clone, Debug)]
pub struct ObbBatch {
    frame: Frame,
    blocks: Vec<ObbBlock>,
    boxes: Vec<SquareObb>,
}

impl ObbBatch {
    /// Packs the boxes in a frame of their own. A box that is not finite may overlap everything.
    pub fn new(boxes: &[Obb]) -> ObbBatch {
        ObbBatch::in_frame(Frame::around(boxes.iter()), boxes)
    }

    /// Packs two lists in a common frame, for [`pair_hits`](Self::pair_hits).
    pub fn pair(ones: &[Obb], others: &[Obb]) -> (ObbBatch, ObbBatch) {
        let frame = Frame::around(ones.iter().chain(others));
        (ObbBatch::in_frame(frame, ones), ObbBatch::in_frame(frame, others))
    }

    /// Packs the boxes in a given frame; those outside its range may overlap everything.
    pub(crate) fn in_frame(frame: Frame, boxes: &[Obb]) -> ObbBatch {
        let boxes: Vec<SquareObb> = boxes.iter().map(SquareObb::of).collect();
        let blocks = boxes
            .chunks(BLOCK)
            .map(|chunk| {
                let mut block = ObbBlock::new();
                for (lane, square) in chunk.iter().enumerate() {
                    block.set(lane, &frame.stand_in(square).unwrap_or(FrameObb::everything()));
                }
                block
            })
            .collect();
        ObbBatch { frame, blocks, boxes }
    }

    /// How many boxes.
    pub fn len(&self) -> usize {
        self.boxes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.boxes.is_empty()
    }

    /// The boxes in double precision, as tested by the scalar twin.
    pub fn boxes(&self) -> &[SquareObb] {
        &self.boxes
    }

    /// The frame of the packed copies.
    pub fn frame(&self) -> Frame {
        self.frame
    }

    /// Which members may overlap the query. A bit not set is a proof of disjointness.
    pub fn hits(&self, query: &Obb, hits: &mut Hits) {
        self.hits_with(Isa::best(), query, hits);
    }

    /// [`hits`](Self::hits) on a chosen instruction set; plain Rust where the processor lacks it.
    pub fn hits_with(&self, isa: Isa, query: &Obb, hits: &mut Hits) {
        let square = SquareObb::of(query);
        let Some(one) = self.frame.stand_in(&square) else {
            // Beyond single precision: the scalar twin answers.
            hits.fill(self.len(), |i| square.may_overlap(&self.boxes[i]));
            return;
        };
        let words = hits.restart(self.len());
        run_one_to_many(isa, &one, &self.blocks, words);
        hits.trim();
    }

    /// Whether member i of this batch and member i of the other may overlap, for as many as both have. Both must be in
    /// one frame (see [`pair`](Self::pair)); else the scalar twin answers.
    pub fn pair_hits(&self, other: &ObbBatch, hits: &mut Hits) {
        self.pair_hits_with(Isa::best(), other, hits);
    }

    /// [`pair_hits`](Self::pair_hits) on a chosen instruction set; plain Rust where the processor lacks it.
    pub fn pair_hits_with(&self, isa: Isa, other: &ObbBatch, hits: &mut Hits) {
        let count = self.len().min(other.len());
        if self.frame != other.frame {
            hits.fill(count, |i| self.boxes[i].may_overlap(&other.boxes[i]));
            return;
        }
        let blocks = count.div_ceil(BLOCK);
        let words = hits.restart(count);
        run_pairwise(isa, &self.blocks[..blocks], &other.blocks[..blocks], words);
        hits.trim();
    }
}

#[allow(unsafe_code, reason = "enters functions compiled for an instruction set after checking for it")]
fn run_one_to_many(isa: Isa, one: &FrameObb, blocks: &[ObbBlock], words: &mut [u64]) {
    // SAFETY: each call is guarded by `is_available`; plain lanes need nothing.
    unsafe {
        match isa {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 if isa.is_available() => one_to_many_avx512(one, blocks, words),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 if isa.is_available() => one_to_many_avx2(one, blocks, words),
            _ => one_to_many::<Plain>(one, blocks, words),
        }
    }
}

#[allow(unsafe_code, reason = "enters functions compiled for an instruction set after checking for it")]
fn run_pairwise(isa: Isa, ones: &[ObbBlock], others: &[ObbBlock], words: &mut [u64]) {
    // SAFETY: each call is guarded by `is_available`; plain lanes need nothing.
    unsafe {
        match isa {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 if isa.is_available() => pairwise_avx512(ones, others, words),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 if isa.is_available() => pairwise_avx2(ones, others, words),
            _ => pairwise::<Plain>(ones, others, words),
        }
    }
}

/// Compiles a kernel for an instruction set.
#[cfg(target_arch = "x86_64")]
macro_rules! compiled {
    ($name:ident, $kernel:ident, $lanes:ty, $features:literal, ($a:ty, $b:ty)) => {
        #[target_feature(enable = $features)]
        #[allow(unsafe_code, reason = "the kernel's only condition is the instruction set enabled here")]
        fn $name(a: $a, b: $b, words: &mut [u64]) {
            // SAFETY: the instruction set is enabled for this function.
            unsafe { $kernel::<$lanes>(a, b, words) }
        }
    };
}
#[cfg(target_arch = "x86_64")]
compiled!(one_to_many_avx512, one_to_many, Avx512, "avx512f,avx512dq", (&FrameObb, &[ObbBlock]));
#[cfg(target_arch = "x86_64")]
compiled!(one_to_many_avx2, one_to_many, Avx2, "avx2,fma", (&FrameObb, &[ObbBlock]));
#[cfg(target_arch = "x86_64")]
compiled!(pairwise_avx512, pairwise, Avx512, "avx512f,avx512dq", (&[ObbBlock], &[ObbBlock]));
#[cfg(target_arch = "x86_64")]
compiled!(pairwise_avx2, pairwise, Avx2, "avx2,fma", (&[ObbBlock], &[ObbBlock]));
