//! The children of one node against those of another: 8 × 8 boxes at once.

// Every test is an axis L, on which both boxes have an interval. All children of a node share the node's axes, so the
// intervals of a node's eight children on L are eight lanes, computed once for the 64 pairs; a pair costs two subtractions
// an axis.
//
// Why "apart" is proven (u = 2⁻²⁴; everything in A's packed units; B's axes: the same with the roles exchanged)
// Let L = aₖ, row k of A's axes exactly as stored. For a point p of A's child, aₖ·(p − o_A) is in [c − h, c + h] by the
// promise of `WideNode`. For a point of B's child `PackedMap::between` encloses the same, with more than u·|end| to spare.
// That spare covers the rounding of c ± h of A's own interval, which is relative u of the result e: x ↦ x − u|x| grows
// with x, so fl(e) > end of B's grown interval implies e > end of B's exact interval. Nothing overflows: `Sight::Near` bounds all
// by 2⁶⁴.

use kontakt_hierarchy::WideNode;
use kontakt_hierarchy::packed::{IntoAxes, PackedMap};

use super::lanes::{LANES, Lanes};

/// Intervals of eight boxes on three axes.
#[derive(Clone, Copy)]
struct Intervals<L> {
    lo: [L; 3],
    hi: [L; 3],
}

#[allow(unsafe_code, reason = "SIMD registers; callers have checked the processor")]
impl<L: Lanes> Intervals<L> {
    /// On the node's own axes.
    ///
    /// Safety
    /// The processor must have the instruction set of `L`.
    #[inline(always)]
    unsafe fn own(node: &WideNode) -> Self {
        // SAFETY: passed on to the caller.
        unsafe {
            let (c, h) = (centres::<L>(node), halves::<L>(node));
            Intervals {
                lo: [c[0].sub(h[0]), c[1].sub(h[1]), c[2].sub(h[2])],
                hi: [c[0].add(h[0]), c[1].add(h[1]), c[2].add(h[2])],
            }
        }
    }

    /// On another node's axes, grown by all that may be wrong.
    ///
    /// Safety
    /// The processor must have the instruction set of `L`.
    #[inline(always)]
    unsafe fn mapped(node: &WideNode, into: &IntoAxes) -> Self {
        // SAFETY: passed on to the caller.
        unsafe {
            let (c, h) = (centres::<L>(node), halves::<L>(node));
            let grow = L::splat(into.grow);
            let taxicab = c[0].abs().add(c[1].abs()).add(c[2].abs());
            let pad = taxicab.mul_add(grow, L::splat(into.pad));
            let (mut lo, mut hi) = ([pad; 3], [pad; 3]);
            let mut k = 0;
            while k < 3 {
                let row = &into.turn[k];
                let mut centre = L::splat(into.shift[k]);
                let mut radius = pad;
                let mut l = 0;
                while l < 3 {
                    centre = c[l].mul_add(L::splat(row[l]), centre);
                    radius = h[l].mul_add(L::splat(row[l].abs() + into.grow), radius);
                    l += 1;
                }
                lo[k] = centre.sub(radius);
                hi[k] = centre.add(radius);
                k += 1;
            }
            Intervals { lo, hi }
        }
    }

    /// To be read lane by lane.
    #[inline(always)]
    fn stored(self) -> Stored {
        let mut stored = Stored([[0.0; LANES]; 6]);
        let mut k = 0;
        while k < 3 {
            self.lo[k].store(&mut stored.0[k]);
            self.hi[k].store(&mut stored.0[3 + k]);
            k += 1;
        }
        stored
    }
}

/// Intervals in memory: three rows of lower ends, three of upper ends.
#[repr(align(32))]
struct Stored([[f32; LANES]; 6]);

/// Safety
/// The processor must have the instruction set of `L`.
#[inline(always)]
#[allow(unsafe_code, reason = "SIMD registers; callers have checked the processor")]
unsafe fn centres<L: Lanes>(node: &WideNode) -> [L; 3] {
    // SAFETY: passed on to the caller.
    unsafe { [L::load(&node.centre[0]), L::load(&node.centre[1]), L::load(&node.centre[2])] }
}

/// Safety
/// The processor must have the instruction set of `L`.
#[inline(always)]
#[allow(unsafe_code, reason = "SIMD registers; callers have checked the processor")]
unsafe fn halves<L: Lanes>(node: &WideNode) -> [L; 3] {
    // SAFETY: passed on to the caller.
    unsafe { [L::load(&node.half[0]), L::load(&node.half[1]), L::load(&node.half[2])] }
}

/// The lanes of a node that lead somewhere.
///
/// Safety
/// The processor must have the instruction set of `L`.
#[inline(always)]
#[allow(unsafe_code, reason = "SIMD registers; callers have checked the processor")]
unsafe fn used<L: Lanes>(node: &WideNode) -> u32 {
    // SAFETY: passed on to the caller.
    unsafe { !L::load(&node.half[0]).signs() & 0xff }
}

/// Pairs of boxes that may overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Overlaps {
    /// Bit 8i + j for child i of A and child j of B. A bit not set is a proof that they are apart.
    pub(super) pairs: u64,
    /// How many pairs were tested.
    pub(super) tests: u32,
}

/// Which of the children in `rows` of A and in `columns` of B may overlap, and about how deep.
///
/// Safety
/// The processor must have the instruction set of `L`.
#[inline(always)]
#[allow(unsafe_code, reason = "SIMD registers; callers have checked the processor")]
pub(super) unsafe fn overlaps<L: Lanes>(
    relative: &PackedMap,
    a: &WideNode,
    b: &WideNode,
    rows: u32,
    columns: u32,
    depths: &mut Bounds,
) -> Overlaps {
    // SAFETY: passed on to the caller.
    unsafe {
        let (into_a, into_b) = relative.between(a, b);
        let a_in_a = Intervals::<L>::own(a).stored();
        let a_in_b = Intervals::<L>::mapped(a, &into_b).stored();
        let b_in_b = Intervals::<L>::own(b);
        let b_in_a = Intervals::<L>::mapped(b, &into_a);
        let (rows, columns) = (rows & used::<L>(a), columns & used::<L>(b));
        let (mut pairs, mut left) = (0, rows);
        while left != 0 {
            let i = (left.trailing_zeros() & 7) as usize;
            left &= left - 1;
            let depth = depth(&a_in_a, &b_in_a, i);
            depth.store(&mut depths.0[i]);
            let apart = depth.or(depth_sign(&a_in_b, &b_in_b, i)).signs();
            pairs |= u64::from(!apart & columns) << (8 * i);
        }
        Overlaps { pairs, tests: rows.count_ones() * columns.count_ones() }
    }
}

/// How far interval `i` of the stored ones overlaps those of the lanes, on the axis where it does least; negative where it is
/// beside one.
///
/// Safety
/// The processor must have the instruction set of `L`.
#[inline(always)]
#[allow(unsafe_code, reason = "SIMD registers; callers have checked the processor")]
unsafe fn depth<L: Lanes>(one: &Stored, eight: &Intervals<L>, i: usize) -> L {
    // SAFETY: passed on to the caller.
    unsafe {
        let mut depth = L::splat(one.0[3][i]).sub(eight.lo[0]).min(eight.hi[0].sub(L::splat(one.0[0][i])));
        let mut k = 1;
        while k < 3 {
            depth = depth.min(L::splat(one.0[3 + k][i]).sub(eight.lo[k]));
            depth = depth.min(eight.hi[k].sub(L::splat(one.0[k][i])));
            k += 1;
        }
        depth
    }
}

/// The sign of [`depth`] alone.
///
/// Safety
/// The processor must have the instruction set of `L`.
#[inline(always)]
#[allow(unsafe_code, reason = "SIMD registers; callers have checked the processor")]
unsafe fn depth_sign<L: Lanes>(one: &Stored, eight: &Intervals<L>, i: usize) -> L {
    // SAFETY: passed on to the caller.
    unsafe {
        let mut sign = L::splat(one.0[3][i]).sub(eight.lo[0]).or(eight.hi[0].sub(L::splat(one.0[0][i])));
        let mut k = 1;
        while k < 3 {
            sign = sign.or(L::splat(one.0[3 + k][i]).sub(eight.lo[k]));
            sign = sign.or(eight.hi[k].sub(L::splat(one.0[k][i])));
            k += 1;
        }
        sign
    }
}

// Why the lower bound of a distance is one: with g the gap of two boxes on each of a node's three axes (0 where the intervals
// overlap), |axes·(x − y)|² ≥ Σg² for all their points x and y. The eigenvalues of axes·axesᵀ are within 3·2⁻²⁰ of 1,
// so |x − y|² ≥ Σg²/(1 + 3·2⁻²⁰). The factor 1 − 2⁻¹⁶ covers that and the roundings of the gaps (their ends have
// u to spare, the difference rounds by u) and of the squares, together below 12u.

/// 1 − 2⁻¹⁶
const SHRINK: f32 = 1.0 - 1.0 / 65_536.0;

/// Squared lower bounds of the distances of children, in A's packed units: entry 8i + j for child i of A and child j of B. The
/// bits tell which of those in `rows` × `columns` are below `limit`; only their entries mean anything. Also how many were tested.
///
/// Safety
/// The processor must have the instruction set of `L`.
#[inline(always)]
#[allow(unsafe_code, reason = "SIMD registers; callers have checked the processor")]
pub(super) unsafe fn gaps<L: Lanes>(
    relative: &PackedMap,
    a: &WideNode,
    b: &WideNode,
    rows: u32,
    columns: u32,
    limit: f32,
    bounds: &mut Bounds,
) -> (u64, u32) {
    // SAFETY: passed on to the caller.
    unsafe {
        let (into_a, into_b) = relative.between(a, b);
        let a_in_a = Intervals::<L>::own(a).stored();
        let a_in_b = Intervals::<L>::mapped(a, &into_b).stored();
        let b_in_b = Intervals::<L>::own(b);
        let b_in_a = Intervals::<L>::mapped(b, &into_a);
        let scale = relative.scale as f32;
        let (shrink_a, shrink_b) = (L::splat(SHRINK), L::splat(SHRINK * scale * scale));
        let limit = L::splat(limit);
        let (rows, columns) = (rows & used::<L>(a), columns & used::<L>(b));
        let (mut found, mut left) = (0, rows);
        while left != 0 {
            let i = (left.trailing_zeros() & 7) as usize;
            left &= left - 1;
            let on_a = squared_gap(&a_in_a, &b_in_a, i).mul(shrink_a);
            let bound = on_a.max(squared_gap(&a_in_b, &b_in_b, i).mul(shrink_b));
            bound.store(&mut bounds.0[i]);
            found |= u64::from(limit.greater(bound).signs() & columns) << (8 * i);
        }
        (found, rows.count_ones() * columns.count_ones())
    }
}

/// A number for every pair of children: a lower bound of the distance, or how deep they overlap.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct Bounds([[f32; LANES]; LANES]);

impl Bounds {
    /// No bounds: zeros.
    pub(super) const ZERO: Bounds = Bounds([[0.0; LANES]; LANES]);

    /// The number of the pair with a bit.
    #[inline(always)]
    pub(super) fn of(&self, bit: u32) -> f32 {
        self.0[(bit >> 3) as usize & 7][(bit & 7) as usize]
    }

    /// To write the number of a pair.
    #[inline(always)]
    pub(super) fn at(&mut self, bit: usize) -> &mut f32 {
        &mut self.0[bit >> 3 & 7][bit & 7]
    }

    /// The bit of the pair with the largest number, the first of equals.
    #[inline(always)]
    pub(super) fn largest(&self, pairs: u64) -> u32 {
        let mut best = (f32::NEG_INFINITY, 0);
        let mut left = pairs;
        while left != 0 {
            let bit = left.trailing_zeros();
            left &= left - 1;
            if self.of(bit) > best.0 {
                best = (self.of(bit), bit);
            }
        }
        best.1
    }
}

/// Safety
/// The processor must have the instruction set of `L`.
#[inline(always)]
#[allow(unsafe_code, reason = "SIMD registers; callers have checked the processor")]
unsafe fn squared_gap<L: Lanes>(one: &Stored, eight: &Intervals<L>, i: usize) -> L {
    // SAFETY: passed on to the caller.
    unsafe {
        let zero = L::splat(0.0);
        let mut sum = zero;
        let mut k = 0;
        while k < 3 {
            let above = L::splat(one.0[k][i]).sub(eight.hi[k]);
            let below = eight.lo[k].sub(L::splat(one.0[3 + k][i]));
            let gap = above.max(below).max(zero);
            sum = gap.mul_add(gap, sum);
            k += 1;
        }
        sum
    }
}
