//! The filter's kernel over lanes of queries: the scalar `never_zero`, `apart_on_a_found_axis` and `never_inside` with the same
//! error bounds, whose proofs are in `doubles`, `axis` and `subdivide` (a fused multiply–add rounds less than they count).
//!
//! Coordinate axes are not tried: beside the direction found they decide 1 query in 150, and cost a tenth of the time.
#![allow(unsafe_code, reason = "lanes are made only by callers that have checked the processor")]

use super::lanes::{BLOCK, Lanes};
use crate::Kind;
use crate::axis::STEP_LENGTH;
use crate::doubles::{LEAST, MOST, Margins};

/// Coordinates of eight queries: row (4·end + point)·3 + axis holds one coordinate of all.
pub(super) type Block = [[f64; BLOCK]; 24];

/// How much is tried. Signs of the weights cost as much as all before; they pay where the cascade follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Depth {
    Quick,
    Thorough,
}

impl Depth {
    /// Steps of the search for a separating direction. A third one pays only where the cascade follows.
    const fn steps(self) -> usize {
        match self {
            Depth::Quick => 2,
            Depth::Thorough => 3,
        }
    }
}

type Vector<L> = [L; 3];

/// Edges ê₁, ê₂, ê₃ at both ends of time.
type Edges<L> = [[Vector<L>; 3]; 2];

// No closures here: they would not be compiled for the instruction set of their surroundings.

#[inline(always)]
fn plus<L: Lanes>(a: Vector<L>, b: Vector<L>) -> Vector<L> {
    [a[0].add(b[0]), a[1].add(b[1]), a[2].add(b[2])]
}

#[inline(always)]
fn minus<L: Lanes>(a: Vector<L>, b: Vector<L>) -> Vector<L> {
    [a[0].sub(b[0]), a[1].sub(b[1]), a[2].sub(b[2])]
}

#[inline(always)]
fn times<L: Lanes>(a: Vector<L>, s: L) -> Vector<L> {
    [a[0].mul(s), a[1].mul(s), a[2].mul(s)]
}

#[inline(always)]
fn dot<L: Lanes>(a: Vector<L>, b: Vector<L>) -> L {
    a[0].mul_add(b[0], a[1].mul_add(b[1], a[2].mul(b[2])))
}

#[inline(always)]
fn cross<L: Lanes>(a: Vector<L>, b: Vector<L>) -> Vector<L> {
    [
        a[1].mul_sub(b[2], a[2].mul(b[1])),
        a[2].mul_sub(b[0], a[0].mul(b[2])),
        a[0].mul_sub(b[1], a[1].mul(b[0])),
    ]
}

/// Largest size of a coordinate.
#[inline(always)]
fn size<L: Lanes>(a: Vector<L>) -> L {
    a[0].larger_size(a[1]).larger_size(a[2])
}

/// `b` where the bit is set, else `a`.
#[inline(always)]
fn replaced<L: Lanes>(a: Vector<L>, b: Vector<L>, bits: u8) -> Vector<L> {
    [a[0].replaced(b[0], bits), a[1].replaced(b[1], bits), a[2].replaced(b[2], bits)]
}

/// A point of the block: rows 3·point to 3·point + 2.
///
/// # Safety
/// The processor has the instruction set of `L`; `first` is a multiple of COUNT below BLOCK.
#[inline(always)]
unsafe fn point<L: Lanes>(block: &Block, point: usize, first: usize) -> Vector<L> {
    // SAFETY: as the caller vouches.
    unsafe {
        [
            L::load(&block[3 * point], first),
            L::load(&block[3 * point + 1], first),
            L::load(&block[3 * point + 2], first),
        ]
    }
}

/// Edges from the point `origin` to the three after it.
///
/// # Safety
/// As for `point`.
#[inline(always)]
unsafe fn edges_from<L: Lanes>(block: &Block, origin: usize, first: usize) -> [Vector<L>; 3] {
    // SAFETY: as the caller vouches.
    unsafe {
        let x = point(block, origin, first);
        [
            minus(point(block, origin + 1, first), x),
            minus(point(block, origin + 2, first), x),
            minus(point(block, origin + 3, first), x),
        ]
    }
}

/// Bits of the lanes from `first` whose queries are not proven free.
///
/// # Safety
/// The processor has the instruction set of `L`; `first` is a multiple of COUNT below BLOCK.
#[inline(always)]
pub(super) unsafe fn open_lanes<L: Lanes>(
    kind: Kind,
    block: &Block,
    first: usize,
    margins: &Margins,
    depth: Depth,
) -> u8 {
    // SAFETY: as the caller vouches.
    let (edges, zero, least, most, volume, reach, weight) = unsafe {
        (
            [edges_from::<L>(block, 0, first), edges_from::<L>(block, 4, first)],
            L::splat(0.0),
            L::splat(LEAST),
            L::splat(MOST),
            L::splat(margins.volume),
            L::splat(2.5 * margins.reach),
            L::splat(margins.weight),
        )
    };
    let all = ((1_u16 << L::COUNT) - 1) as u8;
    let [[a0, b0, c0], [a1, b1, c1]] = edges;
    let sizes =
        [size(a0).larger_size(size(a1)), size(b0).larger_size(size(b1)), size(c0).larger_size(size(c1))];
    let smallest = sizes[0].min(sizes[1]).min(sizes[2]);
    let largest = sizes[0].max(sizes[1]).max(sizes[2]);
    // Lanes outside the range of the proofs stay open: `least > size` is false exactly where the size is large enough. Reaches
    // are measured by the largest size alone, so no other need be in range for them.
    let reaches_in_range = all & !least.greater(largest) & most.greater(largest);
    let in_range = reaches_in_range & !least.greater(smallest);
    let error = sizes[0].mul(sizes[1]).mul(sizes[2]).mul(volume);
    let mut open = all & !(never_zero(&edges, error, zero) & in_range);
    if open == 0 {
        return 0;
    }
    let wanted = open & reaches_in_range;
    open &= !(apart_on_a_found_axis((kind, depth), &edges, largest.mul(reach), zero, wanted) & wanted);
    if depth == Depth::Quick || open & in_range == 0 {
        return open;
    }
    let products = [sizes[1].mul(sizes[2]), sizes[2].mul(sizes[0]), sizes[0].mul(sizes[1])];
    let errors = [products[0].mul(weight), products[1].mul(weight), products[2].mul(weight)];
    open & !(never_inside(kind, &edges, errors, zero) & in_range)
}

/// Lanes whose volume has Bernstein coefficients of one certain sign. The inner two are taken times 3, the error as well; they
/// then lack the rounding of the third.
#[inline(always)]
fn never_zero<L: Lanes>(edges: &Edges<L>, error: L, zero: L) -> u8 {
    let [[a0, b0, c0], [a1, b1, c1]] = *edges;
    let (start, end) = (cross(b0, c0), cross(b1, c1));
    let twice_middle = plus(cross(b0, c1), cross(b1, c0));
    let first = dot(a0, start);
    let second = dot(a1, start).add(dot(a0, twice_middle));
    let third = dot(a0, end).add(dot(a1, twice_middle));
    let last = dot(a1, end);
    let thrice = error.add(error).add(error);
    let outer = first.min(last).greater(error) & second.min(third).greater(thrice);
    outer | zero.sub(error).greater(first.max(last)) & zero.sub(thrice).greater(second.max(third))
}

/// Lanes in which Gilbert's steps find a separating direction; stops when all `wanted` lanes are decided. `margin` times the
/// size of the direction is what a gap must exceed; and 2⁻⁹⁰⁰, below which products could underflow.
#[inline(always)]
fn apart_on_a_found_axis<L: Lanes>(
    (kind, depth): (Kind, Depth),
    edges: &Edges<L>,
    margin: L,
    zero: L,
    wanted: u8,
) -> u8 {
    // SAFETY: lanes exist, so the processor was checked.
    let (share, step_length, tiny) = unsafe {
        let share = L::splat(if kind == Kind::VertexFace { 1.0 / 6.0 } else { 0.25 });
        (share, L::splat(STEP_LENGTH), L::splat(f64::from_bits((1023 - 900) << 52)))
    };
    let [[a0, b0, c0], [a1, b1, c1]] = *edges;
    let others = plus(plus(b0, c0), plus(b1, c1));
    let mut d = match kind {
        Kind::VertexFace => times(plus(others, plus(a0, a1)), share),
        Kind::EdgeEdge => times(minus(others, plus(a0, a1)), share),
    };
    let mut apart = 0;
    for step in 0..depth.steps() {
        let (at_start, gap_start) = nearest(kind, &edges[0], d, zero);
        let (at_end, gap_end) = nearest(kind, &edges[1], d, zero);
        let gap = gap_start.min(gap_end);
        apart |= gap.greater(size(d).mul(margin).max(tiny));
        if wanted & !apart == 0 || step + 1 == depth.steps() {
            break;
        }
        let away = minus(d, replaced(at_start, at_end, gap_start.greater(gap_end)));
        let share = dot(d, away).mul(step_length).roughly_over(dot(away, away));
        d = [
            d[0].minus_product(away[0], share),
            d[1].minus_product(away[1], share),
            d[2].minus_product(away[2], share),
        ];
    }
    apart
}

/// The difference of corners with the least reach along d at one time, and that reach.
#[inline(always)]
fn nearest<L: Lanes>(kind: Kind, &[a, b, c]: &[Vector<L>; 3], d: Vector<L>, zero: L) -> (Vector<L>, L) {
    let (reach_a, reach_b, reach_c) = (dot(d, a), dot(d, b), dot(d, c));
    let at = replaced(b, c, reach_b.greater(reach_c));
    let low = reach_b.min(reach_c);
    match kind {
        Kind::VertexFace => (replaced(at, a, low.greater(reach_a)), low.min(reach_a)),
        Kind::EdgeEdge => {
            let from_a = replaced(at, minus(at, a), reach_a.greater(zero));
            (from_a, low.sub(reach_a.max(zero)))
        }
    }
}

/// Lanes in which the signs of the weights exclude contact at all times.
#[inline(always)]
fn never_inside<L: Lanes>(kind: Kind, edges: &Edges<L>, errors: [L; 3], zero: L) -> u8 {
    let [[a0, b0, c0], [a1, b1, c1]] = *edges;
    let weights =
        [quadratic([b0, c0], [b1, c1]), quadratic([c0, a0], [c1, a1]), quadratic([a0, b0], [a1, b1])];
    let [a, b, c] = weights;
    never_inside_along(kind, [a[0], b[0], c[0]], errors, zero)
        | never_inside_along(kind, [a[1], b[1], c[1]], errors, zero)
        | never_inside_along(kind, [a[2], b[2], c[2]], errors, zero)
}

/// The same by one coordinate of the weights λ₁, λ₂, λ₃.
#[inline(always)]
fn never_inside_along<L: Lanes>(
    kind: Kind,
    [first, second, third]: [[L; 3]; 3],
    errors: [L; 3],
    zero: L,
) -> u8 {
    let a = signs(first, errors[0], zero);
    let b = signs(second, errors[1], zero);
    let c = signs(third, errors[2], zero);
    match kind {
        Kind::VertexFace => opposite(a, b) | opposite(b, c) | opposite(c, a),
        Kind::EdgeEdge => {
            let sum = [
                first[0].add(second[0]).add(third[0]),
                first[1].add(second[1]).add(third[1]),
                first[2].add(second[2]).add(third[2]),
            ];
            // λ₀ = −Σλᵢ, so the signs of the sum are the wrong way round.
            let [positive, negative] = signs(sum, errors[0].add(errors[1]).add(errors[2]), zero);
            opposite([negative, positive], a) | opposite(b, c)
        }
    }
}

/// Bernstein coefficients, by coordinate, of the cross product of two vectors given at both ends of time; the middle one is
/// halved exactly.
#[inline(always)]
fn quadratic<L: Lanes>([p0, q0]: [Vector<L>; 2], [p1, q1]: [Vector<L>; 2]) -> [[L; 3]; 3] {
    // SAFETY: lanes exist, so the processor was checked.
    let half = unsafe { L::splat(0.5) };
    let (start, end) = (cross(p0, q0), cross(p1, q1));
    let middle = times(plus(cross(p0, q1), cross(p1, q0)), half);
    [[start[0], middle[0], end[0]], [start[1], middle[1], end[1]], [start[2], middle[2], end[2]]]
}

/// Lanes in which all coefficients are certainly positive, and those in which all are certainly negative.
#[inline(always)]
fn signs<L: Lanes>([a, b, c]: [L; 3], error: L, zero: L) -> [u8; 2] {
    let positive = a.min(b).min(c).greater(error);
    [positive, zero.sub(error).greater(a.max(b).max(c))]
}

#[inline(always)]
fn opposite(a: [u8; 2], b: [u8; 2]) -> u8 {
    a[0] & b[1] | a[1] & b[0]
}
