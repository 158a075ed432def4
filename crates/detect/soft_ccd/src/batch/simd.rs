//! The kernel compiled for each instruction set.
#![allow(unsafe_code, reason = "functions for an instruction set are called after asking the processor")]

use super::kernel::{Block, Depth, open_lanes};
use super::lanes::{BLOCK, Lanes, Plain};
#[cfg(target_arch = "x86_64")]
use super::lanes_x86::{Avx2, Avx512};
use crate::Kind;
use crate::doubles::Margins;
use kontakt_bounds::batch::Isa;

/// Calls `with` for each block with the bits of its open lanes.
pub(super) fn for_each_block(
    isa: Isa,
    kind: Kind,
    blocks: &[Block],
    how: (&Margins, Depth),
    with: impl FnMut(u8),
) {
    // SAFETY: each call is guarded by `is_available`; plain lanes need nothing.
    unsafe {
        match isa {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 if isa.is_available() => blocks_avx512(kind, blocks, how, with),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 if isa.is_available() => blocks_avx2(kind, blocks, how, with),
            _ => all_blocks::<Plain>(kind, blocks, how, with),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,avx2,fma")]
fn blocks_avx512(kind: Kind, blocks: &[Block], how: (&Margins, Depth), with: impl FnMut(u8)) {
    // SAFETY: compiled for and called on this instruction set.
    unsafe { all_blocks::<Avx512>(kind, blocks, how, with) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn blocks_avx2(kind: Kind, blocks: &[Block], how: (&Margins, Depth), with: impl FnMut(u8)) {
    // SAFETY: compiled for and called on this instruction set.
    unsafe { all_blocks::<Avx2>(kind, blocks, how, with) }
}

/// How many blocks ahead of the one at hand the next is asked for.
const AHEAD: usize = 4;

/// # Safety
/// The processor has the instruction set of `L`.
#[inline(always)]
unsafe fn all_blocks<L: Lanes>(
    kind: Kind,
    blocks: &[Block],
    (margins, depth): (&Margins, Depth),
    mut with: impl FnMut(u8),
) {
    for (i, block) in blocks.iter().enumerate() {
        if let Some(ahead) = blocks.get(i + AHEAD) {
            L::fetch(ahead);
        }
        let mut bits = 0;
        for first in (0..BLOCK).step_by(L::COUNT) {
            // SAFETY: the caller vouches for the processor; COUNT divides BLOCK. Constants compile a kernel of its own for each
            // case: with the depth as a variable the quick ones keep less in registers.
            bits |= unsafe {
                match (kind, depth) {
                    (Kind::VertexFace, Depth::Quick) => {
                        open_lanes::<L>(Kind::VertexFace, block, first, margins, Depth::Quick)
                    }
                    (Kind::EdgeEdge, Depth::Quick) => {
                        open_lanes::<L>(Kind::EdgeEdge, block, first, margins, Depth::Quick)
                    }
                    (Kind::VertexFace, Depth::Thorough) => {
                        open_lanes::<L>(Kind::VertexFace, block, first, margins, Depth::Thorough)
                    }
                    (Kind::EdgeEdge, Depth::Thorough) => {
                        open_lanes::<L>(Kind::EdgeEdge, block, first, margins, Depth::Thorough)
                    }
                }
            } << first;
        }
        with(bits);
    }
}
