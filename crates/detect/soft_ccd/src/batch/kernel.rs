//! The filter's kernel over lanes of queries: the scalar `apart_on_an_axis`, `never_zero` and `apart_on_a_found_axis` with the
//! same error bounds, whose proofs are in `doubles` and `axis` (a fused multiply–add rounds less than they count).
#![allow(unsafe_code, reason = "lanes are made only by callers that have checked the processor")]

use super::lanes::{BLOCK, Lanes};
use crate::Kind;
use crate::doubles::{LEAST, MOST, Margins};

/// Coordinates of eight queries: row (4·end + point)·3 + axis holds one coordinate of all.
pub(super) type Block = [[f64; BLOCK]; 24];

/// Steps of the search for a separating direction.
const STEPS: usize = 3;

type Vector<L> = [L; 3];

/// Edges ê₁, ê₂, ê₃ at both ends of time.
type Edges<L> = [[Vector<L>; 3]; 2];

/// Bits of the lanes from `first` whose queries are not proven free.
///
/// # Safety
/// The processor has the instruction set of `L`.
#[inline(always)]
pub(super) unsafe fn open_lanes<L: Lanes>(kind: Kind, block: &Block, first: usize, margins: &Margins) -> u8 {
    // SAFETY: the caller vouches for the processor; `first` is a multiple of COUNT below BLOCK.
    let (edges, zero): (Edges<L>, L) = unsafe {
        let edges = std::array::from_fn(|end| {
            let row = |point: usize, k: usize| L::load(&block[(4 * end + point) * 3 + k], first);
            let origin: Vector<L> = std::array::from_fn(|k| row(0, k));
            std::array::from_fn(|i| std::array::from_fn(|k| row(i + 1, k).sub(origin[k])))
        });
        (edges, L::splat(0.0))
    };
    let all = ((1_u16 << L::COUNT) - 1) as u8;
    let mut open = all & !apart_on_an_axis(kind, &edges, zero);
    if open == 0 {
        return 0;
    }
    let sizes: [L; 3] = std::array::from_fn(|i| {
        let largest = |e: &Vector<L>| e[0].abs().max(e[1].abs()).max(e[2].abs());
        largest(&edges[0][i]).max(largest(&edges[1][i]))
    });
    // SAFETY: as above.
    let (least, most) = unsafe { (L::splat(LEAST), L::splat(MOST)) };
    let smallest = sizes[0].min(sizes[1]).min(sizes[2]);
    let largest = sizes[0].max(sizes[1]).max(sizes[2]);
    // Lanes outside the range of the proofs stay open: `least > size` is false exactly where the size is large enough.
    let in_range = all & !least.greater(smallest) & most.greater(largest);
    // SAFETY: as above.
    let (volume, reach) = unsafe { (L::splat(margins.volume), L::splat(2.5 * margins.reach)) };
    let error = sizes[0].mul(sizes[1]).mul(sizes[2]).mul(volume);
    open &= !(never_zero(&edges, error, zero) & in_range);
    if open == 0 {
        return 0;
    }
    open & !(apart_on_a_found_axis(kind, &edges, reach.mul(largest), zero, open & in_range) & in_range)
}

/// Lanes whose bodies a coordinate axis separates at all times.
#[inline(always)]
fn apart_on_an_axis<L: Lanes>(kind: Kind, edges: &Edges<L>, zero: L) -> u8 {
    let mut apart = 0;
    for k in 0..3 {
        let [[a, b, c], [d, e, f]] = [0, 1].map(|end| [0, 1, 2].map(|i| edges[end][i][k]));
        apart |= match kind {
            Kind::VertexFace => {
                let low = a.min(b).min(c).min(d.min(e).min(f));
                let high = a.max(b).max(c).max(d.max(e).max(f));
                low.greater(zero) | zero.greater(high)
            }
            Kind::EdgeEdge => {
                let above = b.min(c).greater(a.max(zero)) & e.min(f).greater(d.max(zero));
                above | a.min(zero).greater(b.max(c)) & d.min(zero).greater(e.max(f))
            }
        };
    }
    apart
}

#[inline(always)]
fn dot<L: Lanes>(a: &Vector<L>, b: &Vector<L>) -> L {
    a[0].mul_add(b[0], a[1].mul_add(b[1], a[2].mul(b[2])))
}

#[inline(always)]
fn cross<L: Lanes>(a: &Vector<L>, b: &Vector<L>) -> Vector<L> {
    std::array::from_fn(|k| {
        let (x, y) = ((k + 1) % 3, (k + 2) % 3);
        a[x].mul_sub(b[y], a[y].mul(b[x]))
    })
}

/// Lanes whose volume has Bernstein coefficients of one certain sign. The inner two are taken times 3, the error as well; they
/// then lack the rounding of the third.
#[inline(always)]
fn never_zero<L: Lanes>(edges: &Edges<L>, error: L, zero: L) -> u8 {
    let [[a0, b0, c0], [a1, b1, c1]] = edges;
    let start = cross(b0, c0);
    let end = cross(b1, c1);
    let [left, right] = [cross(b0, c1), cross(b1, c0)];
    let twice_middle: Vector<L> = std::array::from_fn(|k| left[k].add(right[k]));
    let thrice = error.add(error).add(error);
    let coefficients = [
        (dot(a0, &start), error),
        (dot(a1, &start).add(dot(a0, &twice_middle)), thrice),
        (dot(a0, &end).add(dot(a1, &twice_middle)), thrice),
        (dot(a1, &end), error),
    ];
    let positive = coefficients.map(|(b, error)| b.greater(error));
    let negative = coefficients.map(|(b, error)| zero.sub(error).greater(b));
    positive.iter().fold(!0, |all, bits| all & bits) | negative.iter().fold(!0, |all, bits| all & bits)
}

/// Lanes in which Gilbert's steps find a separating direction; stops when all `wanted` lanes are decided.
#[inline(always)]
fn apart_on_a_found_axis<L: Lanes>(kind: Kind, edges: &Edges<L>, bound: L, zero: L, wanted: u8) -> u8 {
    // SAFETY: lanes exist, so the processor was checked.
    let (share, tiny) = unsafe {
        let share = L::splat(if kind == Kind::VertexFace { 1.0 / 6.0 } else { 0.25 });
        (share, L::splat(f64::from_bits((1023 - 900) << 52)))
    };
    let mut d: Vector<L> = std::array::from_fn(|k| {
        let side = |end: &[Vector<L>; 3]| match kind {
            Kind::VertexFace => end[0][k].add(end[1][k]).add(end[2][k]),
            Kind::EdgeEdge => end[1][k].add(end[2][k]).sub(end[0][k]),
        };
        side(&edges[0]).add(side(&edges[1])).mul(share)
    });
    let mut apart = 0;
    for step in 0..STEPS {
        let (gap, nearest) = gap(kind, edges, &d, zero);
        let error = d[0].abs().max(d[1].abs()).max(d[2].abs()).mul(bound);
        apart |= gap.greater(error) & error.greater(tiny);
        if wanted & !apart == 0 || step + 1 == STEPS {
            break;
        }
        let away: Vector<L> = std::array::from_fn(|k| d[k].sub(nearest[k]));
        let share = dot(&d, &away).div(dot(&away, &away));
        d = std::array::from_fn(|k| d[k].sub(share.mul(away[k])));
    }
    apart
}

/// The least reach along d over all differences of corners and both ends, and the difference it comes from.
#[inline(always)]
fn gap<L: Lanes>(kind: Kind, edges: &Edges<L>, d: &Vector<L>, zero: L) -> (L, Vector<L>) {
    let [start, end] = [0, 1].map(|time| {
        let corners = &edges[time];
        let reach = [0, 1, 2].map(|i| dot(d, &corners[i]));
        let nearer = |(gap, at): (L, Vector<L>), i: usize| {
            let bits = gap.greater(reach[i]);
            (gap.min(reach[i]), std::array::from_fn(|k| at[k].replaced(corners[i][k], bits)))
        };
        match kind {
            Kind::VertexFace => nearer(nearer((reach[0], corners[0]), 1), 2),
            Kind::EdgeEdge => {
                let (low, at): (L, Vector<L>) = nearer((reach[1], corners[1]), 2);
                let bits = reach[0].greater(zero);
                let from: Vector<L> = std::array::from_fn(|k| zero.replaced(corners[0][k], bits));
                (low.sub(reach[0].max(zero)), std::array::from_fn(|k| at[k].sub(from[k])))
            }
        }
    });
    let bits = start.0.greater(end.0);
    (start.0.min(end.0), std::array::from_fn(|k| start.1[k].replaced(end.1[k], bits)))
}
