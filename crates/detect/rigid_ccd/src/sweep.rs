//! The children of one node against those of another while both move: 8 × 8 boxes at once, and when they can meet.

// Every test is an axis L fixed in one of the bodies, on which that body's box has a constant interval. Seen from that body the
// other body's points move. Between the two ends of a slab a point's way differs by at most `bow` from the straight way at
// constant speed between its places at the ends (`Leg::bend_of_b`), so with λ the share of the slab's time that has passed
//   L·x(λ) ≥ (1−λ)·L·x(0) + λ·L·x(1) − bow·|L| ≥ (1−λ)·low(0) + λ·low(1) − bow·|L|,
// where low(0), low(1) are the lower ends of the box's interval at the ends of the slab; likewise above. So the boxes are apart at
// every λ at which the linear function low(λ) − bow·|L| exceeds the upper end of the other interval. What is left of [0, 1] after
// all six axes (each from both sides) is an interval, and outside of it the two boxes are **proven apart**.
//
// Why the ends are right (u = 2⁻²⁴; in A's packed units). Let L = aₖ, row k of A's axes as stored. For a point p of A's child,
// aₖ·(p − o_A) is in [c − h, c + h] by the promise of `WideNode`. For a point of B's child `PackedMap::between` encloses the same at
// each end, with more than u·|end| to spare, which covers the rounding of A's own ends. The bow is grown by 2⁻¹⁹ for
// |aₖ| ≤ 1 + 2⁻²⁰ and its rounding. Nothing overflows: `slab` bounds all by 2⁶⁰ and ratios by 2⁵⁰.
//
// The quotient λ = d₀/(d₀ − d₁) of numbers of different sign has no cancellation: it rounds by 4u relative, and 2⁻²⁰ of it is taken
// off (added to the end).

use kontakt_bounds::batch::Isa;
use kontakt_hierarchy::WideNode;
use kontakt_hierarchy::packed::{IntoAxes, PackedMap};

/// 2⁻²⁰
const GROW_SHIFT: f32 = 1.0 / 1_048_576.0;
type Row = [f32; 8];

/// What two nodes' children are asked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question<'a> {
    /// The maps at the ends of the slab.
    pub(crate) sight: &'a [PackedMap; 2],
    pub(crate) a: &'a WideNode,
    pub(crate) b: &'a WideNode,
    /// Children of A and of B asked about, one bit each.
    pub(crate) rows: u32,
    pub(crate) columns: u32,
    /// Bow of A's points in B's frame, in B's packed units, and of B's points in A's frame, in A's.
    pub(crate) bow_a: f32,
    pub(crate) bow_b: f32,
    /// Shares of the slab asked about.
    pub(crate) clip: [f32; 2],
}

/// When children can meet, as shares of the slab.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spans {
    enter: [Row; 8],
    leave: [Row; 8],
}

impl Spans {
    pub(crate) const NONE: Spans = Spans { enter: [[0.0; 8]; 8], leave: [[0.0; 8]; 8] };
    /// All the time.
    pub(crate) const WHOLE: Spans = Spans { enter: [[0.0; 8]; 8], leave: [[1.0; 8]; 8] };

    /// The span of the pair with a bit.
    pub(crate) fn of(&self, bit: u32) -> [f32; 2] {
        let (i, j) = ((bit >> 3) as usize & 7, (bit & 7) as usize);
        [self.enter[i][j], self.leave[i][j]]
    }
}

/// Intervals of eight boxes on three axes.
#[derive(Clone, Copy)]
struct Intervals {
    lo: [Row; 3],
    hi: [Row; 3],
}

/// On the node's own axes.
#[inline(always)]
fn own(node: &WideNode) -> Intervals {
    let (c, h) = (&node.centre, &node.half);
    Intervals {
        lo: std::array::from_fn(|k| std::array::from_fn(|j| c[k][j] - h[k][j])),
        hi: std::array::from_fn(|k| std::array::from_fn(|j| c[k][j] + h[k][j])),
    }
}

/// On another node's axes, grown by all that may be wrong and by the bow.
#[inline(always)]
fn mapped(node: &WideNode, into: &IntoAxes, bow: f32) -> Intervals {
    let (c, h) = (&node.centre, &node.half);
    let fixed = into.pad + bow * (1.0 + 8.0 * GROW_SHIFT);
    let pad: Row =
        std::array::from_fn(|j| (c[0][j].abs() + c[1][j].abs() + c[2][j].abs()) * into.grow + fixed);
    let mut out = Intervals { lo: [[0.0; 8]; 3], hi: [[0.0; 8]; 3] };
    for k in 0..3 {
        let row = &into.turn[k];
        for j in 0..8 {
            let centre = c[0][j] * row[0] + c[1][j] * row[1] + c[2][j] * row[2] + into.shift[k];
            let radius = h[0][j] * (row[0].abs() + into.grow)
                + h[1][j] * (row[1].abs() + into.grow)
                + h[2][j] * (row[2].abs() + into.grow)
                + pad[j];
            out.lo[k][j] = centre - radius;
            out.hi[k][j] = centre + radius;
        }
    }
    out
}

/// Cuts the shares at which a linear function, `d0` at the beginning and `d1` at the end, is positive off a span, lane by lane.
#[inline(always)]
fn cut(d0: Row, d1: Row, enter: &mut Row, leave: &mut Row) {
    for j in 0..8 {
        let quotient = d0[j] / (d0[j] - d1[j]);
        let (early, late) = (quotient * (1.0 - GROW_SHIFT), quotient * (1.0 + GROW_SHIFT));
        // Positive all the time: nothing is left.
        let from = if d0[j] > 0.0 { if d1[j] > 0.0 { 2.0 } else { early } } else { 0.0 };
        let to = if d1[j] > 0.0 { if d0[j] > 0.0 { -1.0 } else { late } } else { 1.0 };
        enter[j] = if from > enter[j] { from } else { enter[j] };
        leave[j] = if to < leave[j] { to } else { leave[j] };
    }
}

/// The pairs that may meet (bit 8i + j for child i of A and child j of B) and when. A bit not set, and a time outside
/// the span, is a proof that they are apart.
#[inline(always)]
fn sweep_lanes(question: &Question, spans: &mut Spans) -> u64 {
    let Question { sight, a, b, rows, columns, bow_a, bow_b, clip } = *question;
    let (into_a0, into_b0) = sight[0].between(a, b);
    let (into_a1, into_b1) = sight[1].between(a, b);
    let (a_own, b_own) = (own(a), own(b));
    let (b0, b1) = (mapped(b, &into_a0, bow_b), mapped(b, &into_a1, bow_b));
    let (a0, a1) = (mapped(a, &into_b0, bow_a), mapped(a, &into_b1, bow_a));
    let used = |node: &WideNode| (0..8).fold(0, |bits, i| bits | u32::from(node.half[0][i] >= 0.0) << i);
    let columns = columns & used(b);
    let mut left = rows & used(a);
    let mut pairs = 0;
    while left != 0 {
        let i = (left.trailing_zeros() & 7) as usize;
        left &= left - 1;
        let (mut enter, mut leave) = ([clip[0]; 8], [clip[1]; 8]);
        for k in 0..3 {
            let (lo, hi) = (a_own.lo[k][i], a_own.hi[k][i]);
            let above = |end: &Intervals| -> Row { std::array::from_fn(|j| end.lo[k][j] - hi) };
            let below = |end: &Intervals| -> Row { std::array::from_fn(|j| lo - end.hi[k][j]) };
            cut(above(&b0), above(&b1), &mut enter, &mut leave);
            cut(below(&b0), below(&b1), &mut enter, &mut leave);
        }
        for k in 0..3 {
            let above = |end: &Intervals| -> Row { std::array::from_fn(|j| end.lo[k][i] - b_own.hi[k][j]) };
            let below = |end: &Intervals| -> Row { std::array::from_fn(|j| b_own.lo[k][j] - end.hi[k][i]) };
            cut(above(&a0), above(&a1), &mut enter, &mut leave);
            cut(below(&a0), below(&a1), &mut enter, &mut leave);
        }
        let mut meets = 0;
        for j in 0..8 {
            meets |= u32::from(enter[j] <= leave[j]) << j;
        }
        (spans.enter[i], spans.leave[i]) = (enter, leave);
        pairs |= u64::from(meets & columns) << (8 * i);
    }
    pairs
}

/// The kernel, compiled for an instruction set.
pub(crate) type Sweep = fn(&Question, &mut Spans) -> u64;

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,popcnt")]
fn sweep_avx2(question: &Question, spans: &mut Spans) -> u64 {
    sweep_lanes(question, spans)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,popcnt,avx512f,avx512vl,avx512dq,avx512bw")]
fn sweep_avx512(question: &Question, spans: &mut Spans) -> u64 {
    sweep_lanes(question, spans)
}

/// The kernel for an instruction set; plain Rust where the processor lacks it. All give the same answers, bit by bit: no
/// operation is fused.
#[allow(unsafe_code, reason = "enters functions compiled for an instruction set after checking for it")]
pub(crate) fn sweep(isa: Isa) -> Sweep {
    #[cfg(target_arch = "x86_64")]
    {
        let small = is_x86_feature_detected!("popcnt") && is_x86_feature_detected!("bmi1");
        let two = small && is_x86_feature_detected!("avx2");
        let wide = is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512f");
        if isa == Isa::Avx512 && two && wide {
            // SAFETY: the processor has the instruction sets of the function, checked above.
            return |question, spans| unsafe { sweep_avx512(question, spans) };
        }
        if isa != Isa::Portable && two {
            // SAFETY: as above.
            return |question, spans| unsafe { sweep_avx2(question, spans) };
        }
    }
    let _ = isa;
    sweep_lanes
}

#[cfg(test)]
mod tests {
    use super::*;
    use kontakt_hierarchy::packed::Child;
    use kontakt_math::{DMat3, DQuat, DVec3};

    /// A node whose first child is a single point: any rounding that is not accounted for tears two such points apart.
    fn point_node(dice: &mut fastrand::Rng) -> (WideNode, DVec3) {
        let mut signed = || 2.0 * dice.f64() - 1.0;
        let q = DQuat::from_xyzw(signed(), signed(), signed(), signed() + 1.5).normalize();
        let axes = DMat3::from_quat(q);
        let rows = [axes.row(0), axes.row(1), axes.row(2)].map(|row| row.to_array().map(|x| x as f32));
        let origin = [signed() as f32, signed() as f32, signed() as f32];
        let y = [signed() as f32, signed() as f32, signed() as f32];
        let mut node = WideNode {
            centre: [[0.0; 8]; 3],
            half: [[-1.0; 8]; 3],
            axes: rows,
            origin,
            child: [Child::Empty.encode(); 8],
        };
        for (k, &place) in y.iter().enumerate() {
            (node.centre[k][0], node.half[k][0]) = (place, 0.0);
        }
        let wide = |v: [f32; 3]| DVec3::from_array(v.map(f64::from));
        let stored = DMat3::from_cols(wide(rows[0]), wide(rows[1]), wide(rows[2])).transpose();
        let point = wide(origin) + stored.inverse() * wide(y);
        (node, point)
    }

    /// Two points that meet at the end of the slab, or at its beginning, are never proven apart there.
    #[test]
    fn points_that_meet_are_not_torn_apart() {
        let mut dice = fastrand::Rng::with_seed(7);
        for round in 0..3000 {
            let ((a, p), (b, q)) = (point_node(&mut dice), point_node(&mut dice));
            let scale = [1.0, 0.0625, 16.0][round % 3];
            let mut map = |meet: bool| {
                let mut signed = || 2.0 * dice.f64() - 1.0;
                let turn = DMat3::from_quat(
                    DQuat::from_xyzw(signed(), signed(), signed(), signed() + 1.5).normalize(),
                );
                let away = DVec3::new(signed(), signed(), signed()) * if meet { 0.0 } else { 3.0 };
                PackedMap::new(turn, scale, p - turn * (q * scale) + away, 1e-14)
            };
            let at_end = round % 2 == 0;
            let ends = if at_end { [map(false), map(true)] } else { [map(true), map(false)] };
            let question = Question {
                sight: &ends,
                a: &a,
                b: &b,
                rows: 1,
                columns: 1,
                bow_a: 0.0,
                bow_b: 0.0,
                clip: [0.0, 1.0],
            };
            for kernel in [sweep(Isa::Portable), sweep(Isa::best())] {
                let mut spans = Spans::NONE;
                assert_eq!(kernel(&question, &mut spans), 1, "round {round}");
                let [enter, leave] = spans.of(0);
                assert!(if at_end { leave >= 1.0 } else { enter <= 0.0 }, "round {round}: {enter} {leave}");
            }
        }
    }
}
