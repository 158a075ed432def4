//! The kernels, each compiled for the instruction set it runs on.

use kontakt_bounds::batch::Isa;
use kontakt_hierarchy::{PackedMap, WideNode};

use super::cross::{self, Bounds, Overlaps};
use super::lanes::Plain;
#[cfg(target_arch = "x86_64")]
use super::lanes_x86::Avx2;

/// Pairs of children that may overlap; see [`cross::overlaps`].
pub(super) type OverlapsOf = fn(&PackedMap, &WideNode, &WideNode, u32, u32, &mut Bounds) -> Overlaps;
/// Lower bounds of distances; see [`cross::gaps`].
pub(super) type Gaps = fn(&PackedMap, &WideNode, &WideNode, u32, u32, f32, &mut Bounds) -> (u64, u32);

/// Compiles the kernels for an instruction set.
#[cfg(target_arch = "x86_64")]
macro_rules! compiled {
    ($overlaps:ident, $gaps:ident, $features:literal) => {
        #[target_feature(enable = $features)]
        #[allow(unsafe_code, reason = "the kernel's only condition is the instruction set enabled here")]
        fn $overlaps(
            relative: &PackedMap,
            a: &WideNode,
            b: &WideNode,
            rows: u32,
            columns: u32,
            depths: &mut Bounds,
        ) -> Overlaps {
            // SAFETY: the instruction set is enabled for this function.
            unsafe { cross::overlaps::<Avx2>(relative, a, b, rows, columns, depths) }
        }

        #[target_feature(enable = $features)]
        #[allow(unsafe_code, reason = "the kernel's only condition is the instruction set enabled here")]
        fn $gaps(
            relative: &PackedMap,
            a: &WideNode,
            b: &WideNode,
            rows: u32,
            columns: u32,
            limit: f32,
            bounds: &mut Bounds,
        ) -> (u64, u32) {
            // SAFETY: the instruction set is enabled for this function.
            unsafe { cross::gaps::<Avx2>(relative, a, b, rows, columns, limit, bounds) }
        }
    };
}
#[cfg(target_arch = "x86_64")]
compiled!(overlaps_avx2, gaps_avx2, "avx2,fma,popcnt,bmi1");
// The same eight lanes: AVX-512 adds operands broadcast from memory and three-way logic, which is a third fewer
// instructions. Sixteen lanes would need shuffles to bring two rows together.
#[cfg(target_arch = "x86_64")]
compiled!(overlaps_avx512, gaps_avx512, "avx2,fma,popcnt,bmi1,avx512f,avx512vl,avx512dq");

/// The kernel for an instruction set; plain Rust where the processor lacks it.
#[allow(unsafe_code, reason = "enters functions compiled for an instruction set after checking for it")]
pub(super) fn overlaps(isa: Isa) -> OverlapsOf {
    // SAFETY: a closure is only handed out where the processor has the instruction set; plain lanes need none.
    match isa {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 if Isa::Avx512.is_available() => {
            |r, a, b, rows, columns, to| unsafe { overlaps_avx512(r, a, b, rows, columns, to) }
        }
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 | Isa::Avx512 if Isa::Avx2.is_available() => {
            |r, a, b, rows, columns, to| unsafe { overlaps_avx2(r, a, b, rows, columns, to) }
        }
        _ => |r, a, b, rows, columns, to| unsafe { cross::overlaps::<Plain>(r, a, b, rows, columns, to) },
    }
}

/// The kernel for an instruction set; plain Rust where the processor lacks it.
#[allow(unsafe_code, reason = "enters functions compiled for an instruction set after checking for it")]
pub(super) fn gaps(isa: Isa) -> Gaps {
    // SAFETY: as in `overlaps`.
    match isa {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 if Isa::Avx512.is_available() => {
            |r, a, b, rows, columns, limit, to| unsafe { gaps_avx512(r, a, b, rows, columns, limit, to) }
        }
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 | Isa::Avx512 if Isa::Avx2.is_available() => {
            |r, a, b, rows, columns, limit, to| unsafe { gaps_avx2(r, a, b, rows, columns, limit, to) }
        }
        _ => |r, a, b, rows, columns, limit, to| unsafe {
            cross::gaps::<Plain>(r, a, b, rows, columns, limit, to)
        },
    }
}

/// The pairs of all used lanes, and how many.
fn all_pairs(a: &WideNode, b: &WideNode, rows: u32, columns: u32) -> (u64, u32) {
    let used = |node: &WideNode| (0..8).fold(0, |bits, i| bits | u32::from(node.half[0][i] >= 0.0) << i);
    let (rows, columns) = (rows & used(a), columns & used(b));
    let row = |i: u32| if rows >> i & 1 == 0 { 0 } else { u64::from(columns) << (8 * i) };
    ((0..8).map(row).sum(), rows.count_ones() * columns.count_ones())
}

/// Every pair may overlap.
pub(super) fn no_help(
    _: &PackedMap,
    a: &WideNode,
    b: &WideNode,
    rows: u32,
    columns: u32,
    depths: &mut Bounds,
) -> Overlaps {
    *depths = Bounds::ZERO;
    let (pairs, tests) = all_pairs(a, b, rows, columns);
    Overlaps { pairs, tests }
}

/// No bound but 0.
pub(super) fn no_gaps(
    _: &PackedMap,
    a: &WideNode,
    b: &WideNode,
    rows: u32,
    columns: u32,
    limit: f32,
    bounds: &mut Bounds,
) -> (u64, u32) {
    *bounds = Bounds::ZERO;
    let (pairs, tests) = all_pairs(a, b, rows, columns);
    (if limit > 0.0 { pairs } else { 0 }, tests)
}

/// Asks the processor to fetch something; no more than a hint.
#[inline(always)]
#[allow(unsafe_code, reason = "a prefetch instruction")]
pub(super) fn prefetch<T>(what: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let start = std::ptr::from_ref(what).cast::<i8>();
        for line in 0..size_of::<T>().div_ceil(64) {
            // SAFETY: prefetching reads nothing and SSE is part of x86-64; the address is only a hint.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(start.wrapping_add(64 * line)) }
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = what;
}
