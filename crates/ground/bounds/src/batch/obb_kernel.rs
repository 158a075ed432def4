//! The fifteen-axis test of oriented boxes on vectors of single-precision numbers, relative transform included.

// Why "apart" is proven (u = 2⁻²⁴, H = Σe + Σf, S = |t| + H)
// The table and the orthonormal stand-ins are those of `volume/obb/sat.rs`; `Frame::stand_in` has grown the extents
// so that the stand-in boxes (exactly the single-precision centre and extents, orthonormal axes Q) enclose the originals.
// The stored columns are within α = 1.01u of Q's. Then, as there: t errs by u|t|;
// ε_R ≤ 2.01α + 3.2u ≤ 5.3u; ε_T ≤ (α + 4.1u)|t| ≤ 5.2u|t|.
// - axis aᵢ: ε_T + ε_R·Σf + evaluation 7u·S: below 13u·S. Axis bⱼ, with bⱼ·t taken straight from t: the same.
// - axis aᵢ×bⱼ: 1.44(ε_T + ε_R|t|) ≤ 15.2u|t|, products 3u|t|, radii ε_R(Σe + Σf), evaluation 5.3u·S: below 24u·S.
//
// No |t| is needed in the error term: where |t| > H the stand-ins are disjoint (no point of a box is farther from
// its centre than the sum of the half extents), so "apart" is true whatever was computed. Elsewhere S ≤ 2H, and 64u·H covers
// 24u·S ≤ 48u·H with the rounding of H (below 8u relative). Underflow errs by 2⁻¹⁴⁰ at most while u·H ≥ 2⁻⁸⁴, since
// no extent is below 2⁻⁶⁰. Coordinates are below 2⁶³, so nothing overflows.

use super::frame::FrameObb;
use super::lanes::Lanes;

/// 64u.
const ERROR: f32 = 64.0 * (f32::EPSILON / 2.0);
/// Members in a block.
pub(super) const BLOCK: usize = 16;

/// Sixteen boxes, one row a number: centre (3), axes (3 × 3), *negated* half extents (3), error term 64u·Σh. Negated,
/// because the kernel takes the extents off projections: additions fuse without a sign change.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(super) struct ObbBlock([[f32; BLOCK]; 16]);

impl ObbBlock {
    pub(super) fn new() -> ObbBlock {
        ObbBlock([[0.0; BLOCK]; 16])
    }

    pub(super) fn set(&mut self, lane: usize, b: &FrameObb) {
        for (row, value) in self.0.iter_mut().zip(rows(b)) {
            row[lane] = value;
        }
    }
}

/// The sixteen numbers of a box.
fn rows(b: &FrameObb) -> [f32; 16] {
    let ([p, q, r], [x, y, z], h) = (b.centre, b.axes, b.half_extents);
    let error = ((h[0] + h[1] + h[2]) * ERROR).next_up();
    [p, q, r, x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2], -h[0], -h[1], -h[2], error]
}

/// `L::COUNT` boxes in registers.
#[derive(Clone, Copy)]
pub(super) struct ObbLanes<L> {
    centre: [L; 3],
    axes: [[L; 3]; 3],
    minus_half: [L; 3],
    error: L,
}

#[allow(unsafe_code, reason = "loads into SIMD registers; callers have checked the processor")]
impl<L: Lanes> ObbLanes<L> {
    /// Safety
    /// The processor must have the instruction set of `L`; `from + L::COUNT` ≤ 16.
    #[inline(always)]
    unsafe fn load(block: &ObbBlock, from: usize) -> Self {
        // SAFETY: passed on to the caller; each row has 16 numbers.
        unsafe {
            let r = &block.0;
            ObbLanes {
                centre: [L::load(&r[0][from..]), L::load(&r[1][from..]), L::load(&r[2][from..])],
                axes: [
                    [L::load(&r[3][from..]), L::load(&r[4][from..]), L::load(&r[5][from..])],
                    [L::load(&r[6][from..]), L::load(&r[7][from..]), L::load(&r[8][from..])],
                    [L::load(&r[9][from..]), L::load(&r[10][from..]), L::load(&r[11][from..])],
                ],
                minus_half: [L::load(&r[12][from..]), L::load(&r[13][from..]), L::load(&r[14][from..])],
                error: L::load(&r[15][from..]),
            }
        }
    }

    /// Safety
    /// The processor must have the instruction set of `L`.
    #[inline(always)]
    unsafe fn splat(b: &FrameObb) -> Self {
        // SAFETY: passed on to the caller.
        unsafe {
            let r = rows(b);
            ObbLanes {
                centre: [L::splat(r[0]), L::splat(r[1]), L::splat(r[2])],
                axes: [
                    [L::splat(r[3]), L::splat(r[4]), L::splat(r[5])],
                    [L::splat(r[6]), L::splat(r[7]), L::splat(r[8])],
                    [L::splat(r[9]), L::splat(r[10]), L::splat(r[11])],
                ],
                minus_half: [L::splat(r[12]), L::splat(r[13]), L::splat(r[14])],
                error: L::splat(r[15]),
            }
        }
    }
}

#[inline(always)]
fn dot<L: Lanes>(a: [L; 3], b: [L; 3]) -> L {
    a[2].mul_add(b[2], a[1].mul_add(b[1], a[0].mul(b[0])))
}

/// `from` + Σ a·b: with negated extents, a projection less the radii.
#[inline(always)]
fn plus<L: Lanes>(from: L, a: [L; 3], b: [L; 3]) -> L {
    a[2].mul_add(b[2], a[1].mul_add(b[1], a[0].mul_add(b[0], from)))
}

/// The dot products of one vector with three.
#[inline(always)]
fn dots<L: Lanes>(a: [L; 3], b: [[L; 3]; 3]) -> [L; 3] {
    [dot(a, b[0]), dot(a, b[1]), dot(a, b[2])]
}

#[inline(always)]
fn abs<L: Lanes>(a: [L; 3]) -> [L; 3] {
    [a[0].abs(), a[1].abs(), a[2].abs()]
}

/// Bit i is set where the boxes in lane i are proven disjoint. Written without closures: those are compiled for
/// the baseline and would not always be inlined into the wider instruction set.
#[inline(always)]
pub(super) fn apart<L: Lanes>(a: &ObbLanes<L>, b: &ObbLanes<L>) -> u32 {
    let (p, q) = (a.centre, b.centre);
    let shift = [q[0].sub(p[0]), q[1].sub(p[1]), q[2].sub(p[2])];
    let r = [dots(a.axes[0], b.axes), dots(a.axes[1], b.axes), dots(a.axes[2], b.axes)];
    let m = [abs(r[0]), abs(r[1]), abs(r[2])];
    let (t, s) = (dots(shift, a.axes), dots(shift, b.axes));
    let (along_a, along_b) = (abs(t), abs(s));
    let error = a.error.add(b.error);
    let (e, f) = (a.minus_half, b.minus_half);

    // Face axes of both boxes.
    let mut faces = [along_a[0]; 3];
    let mut i = 0;
    while i < 3 {
        let on_a = plus(along_a[i].add(e[i]), f, m[i]);
        faces[i] = on_a.max(plus(along_b[i].add(f[i]), e, [m[0][i], m[1][i], m[2][i]]));
        i += 1;
    }
    let worst = faces[0].max(faces[1]).max(faces[2]);
    let by_faces = worst.greater(error);
    if by_faces == u32::MAX >> (32 - L::COUNT) {
        return by_faces;
    }

    // Edge axes. Three running maxima keep the chain of dependent operations short; two of them start empty.
    let mut maxima = [worst; 3];
    let mut i = 0;
    while i < 3 {
        let (k, l) = ((i + 1) % 3, (i + 2) % 3);
        let mut j = 0;
        while j < 3 {
            let (n, o) = ((j + 1) % 3, (j + 2) % 3);
            let along = t[l].mul(r[k][j]).sub_mul(t[k], r[l][j]).abs();
            let less_a = e[l].mul_add(m[k][j], e[k].mul_add(m[l][j], along));
            let excess = f[o].mul_add(m[i][n], f[n].mul_add(m[i][o], less_a));
            maxima[j] = if i == 0 && j > 0 { excess } else { maxima[j].max(excess) };
            j += 1;
        }
        i += 1;
    }
    maxima[0].max(maxima[1]).max(maxima[2]).greater(error)
}

/// One box against all blocks: bits of "may overlap", 16 a block.
///
/// Safety
/// The processor must have the instruction set of `L`; `words` has a word for every four blocks.
#[inline(always)]
#[allow(unsafe_code, reason = "SIMD registers; callers have checked the processor")]
pub(super) unsafe fn one_to_many<L: Lanes>(one: &FrameObb, blocks: &[ObbBlock], words: &mut [u64]) {
    // SAFETY: the caller vouches for the processor; lanes end within the block's 16.
    unsafe {
        let a = ObbLanes::<L>::splat(one);
        for (index, block) in blocks.iter().enumerate() {
            let mut bits = 0_u32;
            let mut from = 0;
            while from < BLOCK {
                bits |= apart(&a, &ObbLanes::load(block, from)) << from;
                from += L::COUNT;
            }
            words[index / 4] |= u64::from(!bits & 0xffff) << (16 * (index % 4));
        }
    }
}

/// Box i of the one against box i of the other.
///
/// Safety
/// As for [`one_to_many`].
#[inline(always)]
#[allow(unsafe_code, reason = "SIMD registers; callers have checked the processor")]
pub(super) unsafe fn pairwise<L: Lanes>(ones: &[ObbBlock], others: &[ObbBlock], words: &mut [u64]) {
    // SAFETY: the caller vouches for the processor; lanes end within the block's 16.
    unsafe {
        for (index, (one, other)) in ones.iter().zip(others).enumerate() {
            let mut bits = 0_u32;
            let mut from = 0;
            while from < BLOCK {
                let a = ObbLanes::<L>::load(one, from);
                bits |= apart(&a, &ObbLanes::load(other, from)) << from;
                from += L::COUNT;
            }
            words[index / 4] |= u64::from(!bits & 0xffff) << (16 * (index % 4));
        }
    }
}
