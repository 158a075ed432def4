//! One triangle against eight in single precision: proven to be apart, proven to meet, or left to exact arithmetic.

// Written without closures over lanes: those are compiled for the baseline and not always inlined.
//
// Two triangles that are not coplanar have a common point iff an edge of one meets the other. An edge e from p meets
// triangle (q, f) properly iff its ends are strictly on both sides of the plane and the three numbers
//   side(e, f_k) = e·(q_k × f_k) + (p × e)·f_k   (six times the signed volume of the two edges' tetrahedron)
// have one strict sign; and it does *not* meet it (closed) if two of them have opposite strict signs or both ends are
// strictly on one side. Coplanar lines give zeros, so strict signs exclude that case by themselves; likewise degenerate triangles.
//
// Why the signs are right (u = 2⁻²⁴; |·| taxicab; S = largest |corner|, E and F = largest |edge| of the two triangles;
// η = error of a placed point): corners and edges are rounded from doubles, relative u, with placed errors η and 2η.
// - side: the moment q × f errs by 4u of Σ|q_i f_j|, the six products and sums by 7u: below 2·11u·S·E·F. Errors of placing:
//   4ηS(E + F) + 2ηEF ≤ 8ηS(E + F), as E ≤ 2S.
// - plane: n = e₀ × e₁ errs by 4u·E², n·q − n·p₀ by 5u more: below 2·10u·S·E². Placing: 12ηSE.
// The limits are S·(32u·E·F + 16η(E + F)) and S·E·(32u·E + 32η), plus 2⁻¹⁰⁰ for underflows; their own rounding is
// covered by the slack. Overflow gives infinite or NaN limits, above which there is nothing: undecided.

use super::batch::Batch;
use super::lanes::{LANES, Lanes};

/// 32u
const ROUNDING: f32 = 32.0 * (f32::EPSILON / 2.0);
/// 2⁻¹⁰⁰
const TINY: f32 = 7.888_609e-31;

/// What the plane and the edges of a batch need in every test with it.
#[derive(Clone, Debug)]
#[repr(align(32))]
pub(super) struct Planes {
    /// corner × edge, `[k][axis][lane]`
    moment: [[[f32; LANES]; 3]; 3],
    /// edge 0 × edge 1
    normal: [[f32; LANES]; 3],
    /// normal · corner 0
    offset: [f32; LANES],
}

/// Bits are lanes: which triangles are proven to be apart, which to have a common point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Verdicts {
    pub(super) apart: u32,
    pub(super) meet: u32,
}

#[inline(always)]
fn cross_product<L: Lanes>(a: [L; 3], b: [L; 3]) -> [L; 3] {
    [
        a[1].mul(b[2]).sub(a[2].mul(b[1])),
        a[2].mul(b[0]).sub(a[0].mul(b[2])),
        a[0].mul(b[1]).sub(a[1].mul(b[0])),
    ]
}

/// a·b + c
#[inline(always)]
fn dot_add<L: Lanes>(a: [L; 3], b: [L; 3], c: L) -> L {
    a[2].mul_add(b[2], a[1].mul_add(b[1], a[0].mul_add(b[0], c)))
}

#[inline(always)]
fn dot<L: Lanes>(a: [L; 3], b: [L; 3]) -> L {
    a[2].mul_add(b[2], a[1].mul_add(b[1], a[0].mul(b[0])))
}

/// Heights of three corners over a plane, not normalised.
#[inline(always)]
fn above<L: Lanes>(normal: [L; 3], minus_offset: L, corner: [[L; 3]; 3]) -> [L; 3] {
    [
        dot_add(normal, corner[0], minus_offset),
        dot_add(normal, corner[1], minus_offset),
        dot_add(normal, corner[2], minus_offset),
    ]
}

/// Safety
/// The processor must have the instruction set of `L`.
#[inline(always)]
#[allow(unsafe_code, reason = "SIMD registers; callers have checked the processor")]
unsafe fn load<L: Lanes>(from: &[[f32; LANES]; 3]) -> [L; 3] {
    // SAFETY: passed on to the caller.
    unsafe { [L::load(&from[0]), L::load(&from[1]), L::load(&from[2])] }
}

/// Safety
/// The processor must have the instruction set of `L`.
#[inline(always)]
#[allow(unsafe_code, reason = "SIMD registers; callers have checked the processor")]
unsafe fn splat<L: Lanes>(from: &[[f32; LANES]; 3], lane: usize) -> [L; 3] {
    // SAFETY: passed on to the caller.
    unsafe { [L::splat(from[0][lane]), L::splat(from[1][lane]), L::splat(from[2][lane])] }
}

impl Planes {
    /// Of no triangles.
    pub(super) const EMPTY: Planes =
        Planes { moment: [[[0.0; LANES]; 3]; 3], normal: [[0.0; LANES]; 3], offset: [0.0; LANES] };

    /// Computes them.
    ///
    /// Safety
    /// The processor must have the instruction set of `L`.
    #[inline(always)]
    #[allow(unsafe_code, reason = "SIMD registers; callers have checked the processor")]
    pub(super) unsafe fn fill<L: Lanes>(&mut self, batch: &Batch) {
        // SAFETY: passed on to the caller.
        unsafe {
            let mut k = 0;
            while k < 3 {
                let moment = cross_product::<L>(load(&batch.corner[k]), load(&batch.edge[k]));
                store(moment, &mut self.moment[k]);
                k += 1;
            }
            let normal = cross_product::<L>(load(&batch.edge[0]), load(&batch.edge[1]));
            store(normal, &mut self.normal);
            dot(normal, load(&batch.corner[0])).store(&mut self.offset);
        }
    }
}

#[inline(always)]
fn store<L: Lanes>(vector: [L; 3], to: &mut [[f32; LANES]; 3]) {
    vector[0].store(&mut to[0]);
    vector[1].store(&mut to[1]);
    vector[2].store(&mut to[2]);
}

/// Three numbers a pair, with the strict signs they are proven to have.
#[derive(Clone, Copy)]
struct Signs<L> {
    positive: [L; 3],
    negative: [L; 3],
}

impl<L: Lanes> Signs<L> {
    #[inline(always)]
    fn of(x: [L; 3], limit: L, minus_limit: L) -> Self {
        Signs {
            positive: [x[0].greater(limit), x[1].greater(limit), x[2].greater(limit)],
            negative: [minus_limit.greater(x[0]), minus_limit.greater(x[1]), minus_limit.greater(x[2])],
        }
    }

    /// All on one side.
    #[inline(always)]
    fn one_sided(&self) -> L {
        let (p, n) = (self.positive, self.negative);
        p[0].and(p[1]).and(p[2]).or(n[0].and(n[1]).and(n[2]))
    }

    /// Edge k has its ends on one side; edge k has them on both sides.
    #[inline(always)]
    fn edge(&self, k: usize) -> (L, L) {
        let (p, n, l) = (self.positive, self.negative, (k + 1) % 3);
        (p[k].and(p[l]).or(n[k].and(n[l])), p[k].and(n[l]).or(n[k].and(p[l])))
    }
}

/// Whether three sides have opposite signs for certain; whether they have one sign for certain.
#[inline(always)]
fn around<L: Lanes>(side: [L; 3], limit: L, minus_limit: L) -> (L, L) {
    let low = side[0].min(side[1]).min(side[2]);
    let high = side[0].max(side[1]).max(side[2]);
    let opposite = high.greater(limit).and(minus_limit.greater(low));
    (opposite, low.greater(limit).or(minus_limit.greater(high)))
}

/// Triangle `lane` of the one batch against all of the other; both in one local frame. `placing` is the error η of a corner.
///
/// Safety
/// The processor must have the instruction set of `L`.
#[inline(always)]
#[allow(unsafe_code, reason = "SIMD registers; callers have checked the processor")]
pub(super) unsafe fn judge<L: Lanes>(
    one: (&Batch, &Planes),
    lane: usize,
    eight: (&Batch, &Planes),
    placing: f32,
) -> Verdicts {
    // SAFETY: passed on to the caller.
    unsafe {
        let zero = L::splat(0.0);
        let reach = L::splat(one.0.reach.max(eight.0.reach));
        let (e, f) = (L::splat(one.0.size[lane]), L::load(&eight.0.size));
        let (rounding, tiny) = (L::splat(ROUNDING), L::splat(TINY));
        let placing = L::splat(32.0 * placing);

        // The corners of each about the other's plane.
        let (normal, offset) = (splat::<L>(&one.1.normal, lane), L::splat(one.1.offset[lane]));
        let minus = zero.sub(offset);
        let limit = e.mul_add(rounding, placing).mul(e).mul_add(reach, tiny);
        let corner = [load(&eight.0.corner[0]), load(&eight.0.corner[1]), load(&eight.0.corner[2])];
        let of_eight = Signs::of(above(normal, minus, corner), limit, zero.sub(limit));
        let mut apart = of_eight.one_sided();
        if apart.signs() == 0xff {
            return Verdicts { apart: 0xff, meet: 0 };
        }
        let (normal, minus) = (load::<L>(&eight.1.normal), zero.sub(L::load(&eight.1.offset)));
        let limit = f.mul_add(rounding, placing).mul(f).mul_add(reach, tiny);
        let corner = &one.0.corner;
        let corner = [splat(&corner[0], lane), splat(&corner[1], lane), splat(&corner[2], lane)];
        let of_one = Signs::of(above(normal, minus, corner), limit, zero.sub(limit));
        apart = apart.or(of_one.one_sided());
        if apart.signs() == 0xff {
            return Verdicts { apart: 0xff, meet: 0 };
        }

        // All nine pairs of edges.
        let limit = e.mul(f).mul_add(rounding, e.add(f).mul(placing)).mul_add(reach, tiny);
        let minus_limit = zero.sub(limit);
        let mut side = [[zero; 3]; 3];
        let mut i = 0;
        while i < 3 {
            let (edge, moment) = (splat::<L>(&one.0.edge[i], lane), splat::<L>(&one.1.moment[i], lane));
            let mut j = 0;
            while j < 3 {
                let half = dot(edge, load(&eight.1.moment[j]));
                side[i][j] = dot_add(moment, load(&eight.0.edge[j]), half);
                j += 1;
            }
            i += 1;
        }
        let (mut misses, mut pierces) = (L::splat(f32::from_bits(u32::MAX)), zero);
        let mut k = 0;
        while k < 3 {
            let (beside, across) = of_one.edge(k);
            let (opposite, uniform) = around(side[k], limit, minus_limit);
            misses = misses.and(beside.or(opposite));
            pierces = pierces.or(across.and(uniform));
            let (beside, across) = of_eight.edge(k);
            let (opposite, uniform) = around([side[0][k], side[1][k], side[2][k]], limit, minus_limit);
            misses = misses.and(beside.or(opposite));
            pierces = pierces.or(across.and(uniform));
            k += 1;
        }
        Verdicts { apart: apart.or(misses).signs(), meet: pierces.signs() }
    }
}
