//! The fifteen-axis test of oriented boxes on vectors of single-precision numbers, relative transform included.
//!
//! # Why "apart" is proven (u = 2⁻²⁴, S = |t|₁ + Σe + Σf)
//! The table and the orthonormal stand-ins are those of `volume/obb/sat.rs`; `Frame::stand_in` has grown the extents
//! so that the stand-in boxes (exactly the single-precision centre and extents, orthonormal axes Q) enclose the originals.
//! The stored columns are within α = 1.01u of Q's. Then, as there: t errs by u|t|;
//! ε_R ≤ 2.01α + 3.2u ≤ 5.3u; ε_T ≤ (α + 4.1u)|t| ≤ 5.2u|t|.
//! - axis aᵢ: ε_T + ε_R·Σf + evaluation 7u·S: below 13u·S.
//! - axis bⱼ: √3·1.01(ε_T + ε_R|t|) ≤ 18.5u|t|, the dot product 3.1u|t|, radii ε_R·Σe, evaluation 5.3u·S: below 27u·S.
//! - axis aᵢ×bⱼ: 1.44(ε_T + ε_R|t|) ≤ 15.2u|t|, products 3u|t|, radii ε_R(Σe + Σf), evaluation 5.3u·S: below 24u·S.
//!
//! 32u·S covers each, with the rounding of S (below 10u relative). Underflow errs by 2⁻¹⁴⁰ at most while u·S ≥ 2⁻⁸⁴, since
//! no extent is below 2⁻⁶⁰. Coordinates are below 2⁶³, so nothing overflows.

use super::frame::FrameObb;
use super::lanes::Lanes;

/// 32u.
const ERROR: f32 = 32.0 * (f32::EPSILON / 2.0);
/// Members in a block.
pub(super) const BLOCK: usize = 16;

/// Sixteen boxes, one row a number: centre (3), axes (3 × 3), half extents (3), error term 32u·Σh.
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
    [p, q, r, x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2], h[0], h[1], h[2], error]
}

/// `L::COUNT` boxes in registers.
#[derive(Clone, Copy)]
pub(super) struct ObbLanes<L> {
    centre: [L; 3],
    axes: [[L; 3]; 3],
    half: [L; 3],
    error: L,
}

#[allow(unsafe_code, reason = "loads into SIMD registers; callers have checked the processor")]
impl<L: Lanes> ObbLanes<L> {
    /// # Safety
    /// The processor must have the instruction set of `L`; `from + L::COUNT` ≤ 16.
    #[inline(always)]
    unsafe fn load(block: &ObbBlock, from: usize) -> Self {
        // SAFETY: passed on to the caller; each row has 16 numbers.
        let row = |i: usize| unsafe { L::load(&block.0[i][from..]) };
        ObbLanes::from_rows(row)
    }

    /// # Safety
    /// The processor must have the instruction set of `L`.
    #[inline(always)]
    unsafe fn splat(b: &FrameObb) -> Self {
        let rows = rows(b);
        // SAFETY: passed on to the caller.
        let row = |i: usize| unsafe { L::splat(rows[i]) };
        ObbLanes::from_rows(row)
    }

    #[inline(always)]
    fn from_rows(row: impl Fn(usize) -> L) -> Self {
        let three = |i: usize| [row(i), row(i + 1), row(i + 2)];
        ObbLanes { centre: three(0), axes: [three(3), three(6), three(9)], half: three(12), error: row(15) }
    }
}

#[inline(always)]
fn dot<L: Lanes>(a: [L; 3], b: [L; 3]) -> L {
    a[2].mul_add(b[2], a[1].mul_add(b[1], a[0].mul(b[0])))
}

/// `from` − Σ a·b, the radii taken off a projection.
#[inline(always)]
fn less<L: Lanes>(from: L, a: [L; 3], b: [L; 3]) -> L {
    from.sub_mul(a[0], b[0]).sub_mul(a[1], b[1]).sub_mul(a[2], b[2])
}

/// Bit i is set where the boxes in lane i are proven disjoint.
#[inline(always)]
pub(super) fn apart<L: Lanes>(a: &ObbLanes<L>, b: &ObbLanes<L>, splat_error: L) -> u32 {
    let shift: [L; 3] = std::array::from_fn(|k| b.centre[k].sub(a.centre[k]));
    let r = a.axes.map(|p| b.axes.map(|q| dot(p, q)));
    let m = r.map(|row| row.map(Lanes::abs));
    let t = a.axes.map(|p| dot(p, shift));
    let distance = shift[0].abs().add(shift[1].abs()).add(shift[2].abs());
    let error = distance.mul_add(splat_error, a.error.add(b.error));
    let (e, f) = (a.half, b.half);

    // Face axes of both boxes.
    let mut worst = less(t[0].abs().sub(e[0]), f, m[0]);
    for i in 1..3 {
        worst = worst.max(less(t[i].abs().sub(e[i]), f, m[i]));
    }
    for j in 0..3 {
        let along = dot(t, [r[0][j], r[1][j], r[2][j]]).abs();
        worst = worst.max(less(along.sub(f[j]), e, [m[0][j], m[1][j], m[2][j]]));
    }
    let by_faces = worst.greater(error);
    if by_faces == u32::MAX >> (32 - L::COUNT) {
        return by_faces;
    }

    // Edge axes.
    for i in 0..3 {
        let (k, l) = ((i + 1) % 3, (i + 2) % 3);
        for j in 0..3 {
            let (n, o) = ((j + 1) % 3, (j + 2) % 3);
            let along = t[l].mul(r[k][j]).sub_mul(t[k], r[l][j]).abs();
            let less_a = along.sub_mul(e[k], m[l][j]).sub_mul(e[l], m[k][j]);
            worst = worst.max(less_a.sub_mul(f[n], m[i][o]).sub_mul(f[o], m[i][n]));
        }
    }
    worst.greater(error)
}

/// One box against all blocks: bits of "may overlap", 16 a block.
///
/// # Safety
/// The processor must have the instruction set of `L`; `words` has a word for every four blocks.
#[inline(always)]
#[allow(unsafe_code, reason = "SIMD registers; callers have checked the processor")]
pub(super) unsafe fn one_to_many<L: Lanes>(one: &FrameObb, blocks: &[ObbBlock], words: &mut [u64]) {
    // SAFETY: the caller vouches for the processor; lanes end within the block's 16.
    unsafe {
        let a = ObbLanes::<L>::splat(one);
        let error = L::splat(ERROR);
        for (index, block) in blocks.iter().enumerate() {
            let mut bits = 0_u32;
            let mut from = 0;
            while from < BLOCK {
                bits |= apart(&a, &ObbLanes::load(block, from), error) << from;
                from += L::COUNT;
            }
            words[index / 4] |= u64::from(!bits & 0xffff) << (16 * (index % 4));
        }
    }
}

/// Box i of the one against box i of the other.
///
/// # Safety
/// As for [`one_to_many`].
#[inline(always)]
#[allow(unsafe_code, reason = "SIMD registers; callers have checked the processor")]
pub(super) unsafe fn pairwise<L: Lanes>(ones: &[ObbBlock], others: &[ObbBlock], words: &mut [u64]) {
    // SAFETY: the caller vouches for the processor; lanes end within the block's 16.
    unsafe {
        let error = L::splat(ERROR);
        for (index, (one, other)) in ones.iter().zip(others).enumerate() {
            let mut bits = 0_u32;
            let mut from = 0;
            while from < BLOCK {
                let a = ObbLanes::<L>::load(one, from);
                bits |= apart(&a, &ObbLanes::load(other, from), error) << from;
                from += L::COUNT;
            }
            words[index / 4] |= u64::from(!bits & 0xffff) << (16 * (index % 4));
        }
    }
}
