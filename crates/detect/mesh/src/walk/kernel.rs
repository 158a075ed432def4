//! The kernels, each compiled for the instruction set it runs on.

use kontakt_bounds::batch::Isa;
use kontakt_hierarchy::WideNode;

use super::batch::Batch;
use super::cross::{self, Bounds};
use super::lanes::Plain;
#[cfg(target_arch = "x86_64")]
use super::lanes_x86::Avx2;
use super::piercing::{self, Planes, Verdicts};
use super::relative::Relative;

/// Pairs of children that may overlap; see [`cross::overlaps`].
pub(super) type Overlaps = fn(&Relative, &WideNode, &WideNode, u32, u32) -> u64;

/// Every pair may overlap.
pub(super) fn no_help(_: &Relative, _: &WideNode, _: &WideNode, rows: u32, columns: u32) -> u64 {
    (0..8).filter(|i| rows >> i & 1 != 0).fold(0, |pairs, i| pairs | u64::from(columns) << (8 * i))
}

/// The kernel for an instruction set; plain Rust where the processor lacks it.
#[allow(unsafe_code, reason = "enters functions compiled for an instruction set after checking for it")]
pub(super) fn overlaps(isa: Isa) -> Overlaps {
    match isa {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 | Isa::Avx512 if Isa::Avx2.is_available() => |relative, a, b, rows, columns| {
            // SAFETY: this closure is only handed out where the processor has the instruction set.
            unsafe { overlaps_avx2(relative, a, b, rows, columns) }
        },
        _ => |relative, a, b, rows, columns| {
            // SAFETY: plain lanes need nothing of the processor.
            unsafe { cross::overlaps::<Plain>(relative, a, b, rows, columns) }
        },
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
#[allow(unsafe_code, reason = "the kernel's only condition is the instruction set enabled here")]
fn overlaps_avx2(relative: &Relative, a: &WideNode, b: &WideNode, rows: u32, columns: u32) -> u64 {
    // SAFETY: the instruction set is enabled for this function.
    unsafe { cross::overlaps::<Avx2>(relative, a, b, rows, columns) }
}

/// Lower bounds of distances; see [`cross::gaps`].
pub(super) type Gaps = fn(&Relative, &WideNode, &WideNode, u32, u32, f32, &mut Bounds) -> u64;

/// No bound but 0.
pub(super) fn no_gaps(
    relative: &Relative,
    a: &WideNode,
    b: &WideNode,
    rows: u32,
    columns: u32,
    limit: f32,
    bounds: &mut Bounds,
) -> u64 {
    *bounds = Bounds([[0.0; 8]; 8]);
    if limit > 0.0 { no_help(relative, a, b, rows, columns) } else { 0 }
}

/// The kernel for an instruction set; plain Rust where the processor lacks it.
#[allow(unsafe_code, reason = "enters functions compiled for an instruction set after checking for it")]
pub(super) fn gaps(isa: Isa) -> Gaps {
    match isa {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 | Isa::Avx512 if Isa::Avx2.is_available() => {
            |relative, a, b, rows, columns, limit, bounds| {
                // SAFETY: this closure is only handed out where the processor has the instruction set.
                unsafe { gaps_avx2(relative, a, b, rows, columns, limit, bounds) }
            }
        }
        _ => |relative, a, b, rows, columns, limit, bounds| {
            // SAFETY: plain lanes need nothing of the processor.
            unsafe { cross::gaps::<Plain>(relative, a, b, rows, columns, limit, bounds) }
        },
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
#[allow(unsafe_code, reason = "the kernel's only condition is the instruction set enabled here")]
fn gaps_avx2(
    relative: &Relative,
    a: &WideNode,
    b: &WideNode,
    rows: u32,
    columns: u32,
    limit: f32,
    bounds: &mut Bounds,
) -> u64 {
    // SAFETY: the instruction set is enabled for this function.
    unsafe { cross::gaps::<Avx2>(relative, a, b, rows, columns, limit, bounds) }
}

/// One triangle against eight; see [`piercing::judge`].
pub(super) type Judge = fn((&Batch, &Planes), usize, (&Batch, &Planes), f32) -> Verdicts;
/// Planes of a batch; see [`Planes::fill`].
pub(super) type PlanesOf = fn(&Batch, &mut Planes);

/// The comparison of triangles for an instruction set; plain Rust where the processor lacks it.
#[allow(unsafe_code, reason = "enters functions compiled for an instruction set after checking for it")]
pub(super) fn judge(isa: Isa) -> (Judge, PlanesOf) {
    match isa {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 | Isa::Avx512 if Isa::Avx2.is_available() => (
            // SAFETY: these closures are only handed out where the processor has the instruction set.
            |one, lane, eight, placing| unsafe { judge_avx2(one, lane, eight, placing) },
            |batch, planes| unsafe { planes_avx2(batch, planes) },
        ),
        _ => (
            // SAFETY: plain lanes need nothing of the processor.
            |one, lane, eight, placing| unsafe { piercing::judge::<Plain>(one, lane, eight, placing) },
            |batch, planes| unsafe { planes.fill::<Plain>(batch) },
        ),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
#[allow(unsafe_code, reason = "the kernel's only condition is the instruction set enabled here")]
fn judge_avx2(one: (&Batch, &Planes), lane: usize, eight: (&Batch, &Planes), placing: f32) -> Verdicts {
    // SAFETY: the instruction set is enabled for this function.
    unsafe { piercing::judge::<Avx2>(one, lane, eight, placing) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
#[allow(unsafe_code, reason = "the kernel's only condition is the instruction set enabled here")]
fn planes_avx2(batch: &Batch, planes: &mut Planes) {
    // SAFETY: the instruction set is enabled for this function.
    unsafe { planes.fill::<Avx2>(batch) }
}
