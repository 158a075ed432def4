//! Up to sixteen pairs of triangles at once, in single precision with certified errors: apart, crossing, or for
//! [`super::meeting()`] to decide.

// Why the verdicts are proven (u = 2⁻²⁴). Coordinates are within ±1 and off by at most r each. Let α, β bound the
// coordinates of all edges of A's and of B's triangle, ω those of all differences between a corner of A and one of B, each
// enlarged by 4r so that they hold for exact and computed vectors alike. Edges and differences err by 2r + u·(α, β or ω).
// A determinant of three vectors x, y, z is trilinear and at most 6|x||y||z| in largest coordinates, so
// these errors change it by at most 6(δx|y||z| + |x|δy|z| + |x||y|δz), and evaluating (x×y)·z rounds by 4u|x||y| a component of
// the cross product (12u|x||y||z| in the end) and 18u|x||y||z| in the dot product: 30u, fused or not.
// - heights over A's plane, x = y = α, z = ω: 24rαω + 12rα² + (18 + 30)uα²ω. Taken: 26rα(ω + α) + 56uα²ω.
// - heights over B's plane: the same with β.
// - two edges, x = α, y = β, z = ω: 12r((α + β)ω + αβ) + 48uαβω. Taken: 14r(…) + 56uαβω.
// The excess covers the roundings of the bounds themselves (below 10u relative). Products below 2⁻¹²⁶ may underflow, by
// 2⁻¹⁴⁹ each: FLOOR covers that.
//
// The decision is that of `meeting::across` for certain signs: with the corner alone on its side first, next corners in the
// order in which both triangles cross the line of the planes, two determinants of edges tell whether the two intervals
// overlap. Let k and g be the heights (along the normals) of the lone corners of A over B and of B over A,
// D(x, y) = ((x − a)×(y − b))·(b − a) for the lone corners a, b. If k and g have the same sign, the pairs to
// compare are (next of A, next of B) and (last of A, last of B), else (next, last) and (last, next). The triangles cross iff
// D of the first has the sign of g and D of the second the opposite one, and are apart if one of them is certainly wrong.

use super::batch::Batch;
use super::lanes::{Lanes, Plain, Vector, eight};
use super::octet::{COUPLE, Close, Octet, QUAD};
use kontakt_bounds::batch::Isa;

#[cfg(target_arch = "x86_64")]
use super::lanes_x86::{Avx2, Avx512};

const U: f32 = f32::EPSILON / 2.0;
/// Covers all underflows.
const FLOOR: f32 = 1e-30;

/// What the batch found out about the pairs (triangle i of A's octet, triangle j of B's).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Verdicts {
    /// Bit 8i + j where there is such a pair; likewise below.
    used: u64,
    apart: u64,
    crossing: u64,
}

impl Verdicts {
    /// Pairs proven to cross ([`super::Meeting::Crossing`]).
    pub fn crossing(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        pairs(self.crossing)
    }

    /// Pairs that are neither proven apart nor proven crossing.
    pub fn undecided(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        pairs(self.used & !self.apart & !self.crossing)
    }

    /// Whether every pair is proven apart.
    pub fn all_apart(&self) -> bool {
        self.used & !self.apart == 0
    }

    /// Whether a pair is proven apart.
    pub fn is_apart(&self, i: usize, j: usize) -> bool {
        self.apart >> (8 * i + j) & 1 == 1
    }

    /// Whether a pair is proven crossing.
    pub fn is_crossing(&self, i: usize, j: usize) -> bool {
        self.crossing >> (8 * i + j) & 1 == 1
    }
}

/// The pairs whose bits are set.
fn pairs(bits: u64) -> impl Iterator<Item = (usize, usize)> {
    (0..64).filter(move |bit| bits >> bit & 1 == 1).map(|bit| (bit >> 3, bit & 7))
}

/// Every triangle of A's octet with every one of B's. A verdict is a proof; what is undecided is for [`super::meeting()`].
pub fn meet_batch(isa: Isa, a: &Octet, b: &Octet) -> Verdicts {
    let mut verdicts = Verdicts::default();
    for (i, j) in (0..a.len()).flat_map(|i| (0..b.len()).map(move |j| (i, j))) {
        verdicts.used |= 1 << (8 * i + j);
    }
    let Some(close) = Close::new(a, b) else { return verdicts };
    let mut batch = Batch::default();
    for (i, j) in (0..a.couples()).flat_map(|i| (0..b.couples()).map(move |j| (i, j))) {
        batch.clear();
        batch.add(&close, (a, i), (b, j));
        let found = meetings(isa, &batch);
        for lane in 0..QUAD {
            let bit = 8 * (COUPLE * i + lane / COUPLE) + COUPLE * j + lane % COUPLE;
            verdicts.apart |= u64::from(found.apart >> lane & 1) << bit;
            verdicts.crossing |= u64::from(found.crossing >> lane & 1) << bit;
        }
    }
    verdicts
}

/// What is proven of the pairs of a batch, by lanes; only lanes in use are set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Meetings {
    pub(crate) apart: u32,
    pub(crate) crossing: u32,
}

/// Which pairs of a batch are proven to be apart and which to cross.
#[inline]
#[allow(unsafe_code, reason = "enters functions compiled for an instruction set after checking for it")]
pub(crate) fn meetings(isa: Isa, batch: &Batch) -> Meetings {
    // SAFETY: each call is guarded by `is_available`; plain lanes need nothing.
    unsafe {
        match isa {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 if isa.is_available() => meet_avx512(batch),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 if isa.is_available() => meet_avx2(batch),
            _ => meet_all::<Plain>(batch),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq")]
#[allow(unsafe_code, reason = "the kernel's only condition is the instruction set enabled here")]
fn meet_avx512(batch: &Batch) -> Meetings {
    // SAFETY: the instruction set is enabled for this function.
    unsafe { meet_all::<Avx512>(batch) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
#[allow(unsafe_code, reason = "the kernel's only condition is the instruction set enabled here")]
fn meet_avx2(batch: &Batch) -> Meetings {
    // SAFETY: the instruction set is enabled for this function.
    unsafe { meet_all::<Avx2>(batch) }
}

/// # Safety
/// The processor must have the instruction set of `L`.
#[inline(always)]
#[allow(unsafe_code, reason = "SIMD registers; callers have checked the processor")]
unsafe fn meet_all<L: Lanes>(batch: &Batch) -> Meetings {
    let mut meetings = Meetings::default();
    let mut start = 0;
    while start < batch.lanes() {
        // SAFETY: passed on to the caller.
        let (apart, crossing) = unsafe {
            let (corners, error) = batch.pairs::<L>(start);
            meet_lanes(&corners, error, L::splat(U), L::splat(FLOOR))
        };
        meetings.apart |= apart << start;
        meetings.crossing |= crossing << start;
        start += L::COUNT;
    }
    meetings.apart &= batch.used();
    meetings.crossing &= batch.used();
    meetings
}

/// Bits of the lanes proven apart and of those proven crossing. Written without closures: those are compiled for the
/// baseline and would not always be inlined into the wider instruction set.
#[inline(always)]
fn meet_lanes<L: Lanes>(corners: &[Vector<L>; 6], r: L, u: L, floor: L) -> (u32, u32) {
    let all = u32::MAX >> (32 - L::COUNT);
    let [a0, a1, a2, b0, b1, b2] = *corners;
    let (d1, d2, e1, e2) = (a1.sub(a0), a2.sub(a0), b1.sub(b0), b2.sub(b0));
    let (w0, w1, w2) = (b0.sub(a0), b1.sub(a0), b2.sub(a0));
    let four_r = r.add(r).add(r.add(r));
    let alpha = d1.extent().max(d2.extent()).max(d2.sub(d1).extent()).add(four_r);
    let beta = e1.extent().max(e2.extent()).max(e2.sub(e1).extent()).add(four_r);
    let omega = w0.extent().max(w1.extent()).max(w2.extent()).add(alpha).add(four_r);

    // Heights of B's corners over A's plane, of A's corners over B's.
    let (n, m) = (d1.cross(d2), e1.cross(e2));
    let g = [n.dot(w0), n.dot(w1), n.dot(w2)];
    let k = [m.dot(a0.sub(b0)), m.dot(a1.sub(b0)), m.dot(a2.sub(b0))];
    let g_error = height_error(alpha, omega, r, u, floor);
    let k_error = height_error(beta, omega, r, u, floor);
    let (by_g, sure_g) = sides(g, g_error);
    let (by_k, sure_k) = sides(k, k_error);
    let apart = by_g | by_k;
    if apart == all {
        return (apart, 0);
    }

    // The corner alone on its side, then the next two.
    let [g0, g1, g2] = g;
    let [k0, k1, k2] = k;
    let (k01, k02) = (k0.mul(k1), k0.mul(k2));
    let (g01, g02) = (g0.mul(g1), g0.mul(g2));
    let alone_a = Vector::choose(k01, Vector::choose(k02, a0, a1), a2);
    let next_a = Vector::choose(k01, Vector::choose(k02, a1, a2), a0);
    let last_a = Vector::choose(k01, Vector::choose(k02, a2, a0), a1);
    let alone_b = Vector::choose(g01, Vector::choose(g02, b0, b1), b2);
    let next_b = Vector::choose(g01, Vector::choose(g02, b1, b2), b0);
    let last_b = Vector::choose(g01, Vector::choose(g02, b2, b0), b1);
    let side_a = k01.choose(k02.choose(k0, k1), k2);
    let side_b = g01.choose(g02.choose(g0, g1), g2);
    let unlike = side_a.flip(side_b);
    let with_next = Vector::choose(unlike, last_b, next_b);
    let with_last = Vector::choose(unlike, next_b, last_b);

    let w = alone_b.sub(alone_a);
    let first = next_a.sub(alone_a).cross(with_next.sub(alone_b)).dot(w).flip(side_b);
    let second = last_a.sub(alone_a).cross(with_last.sub(alone_b)).dot(w).flip(side_b);
    let product = alpha.mul(beta);
    let spread = alpha.add(beta).mul_add(omega, product);
    // 14r·spread + 56u·product·ω
    let two_r = r.add(r);
    let twelve_r = four_r.add(four_r).add(four_r);
    let error = eight(eight(u)).sub(eight(u)).mul(product.mul(omega));
    let error = twelve_r.add(two_r).mul_add(spread, error).add(floor);
    let least = first.min(negated(second, error));
    let sure = sure_g & sure_k & !apart;
    let separate = negated(least, error).greater(error);
    (apart | (sure & separate), sure & least.greater(error))
}

/// 0 − x; `like` is any vector.
#[inline(always)]
fn negated<L: Lanes>(x: L, like: L) -> L {
    like.sub(like).sub(x)
}

/// 26r·α(ω + α) + 56u·α²ω and the floor.
#[inline(always)]
fn height_error<L: Lanes>(alpha: L, omega: L, r: L, u: L, floor: L) -> L {
    let by_corners = eight(r).add(eight(r)).add(eight(r)).add(r).add(r).mul(omega.add(alpha));
    let by_rounding = eight(eight(u)).sub(eight(u)).mul(alpha.mul(omega));
    alpha.mul_add(by_corners.add(by_rounding), floor)
}

/// Bits of the lanes with all heights certainly on one side, and of those whose heights all have a certain sign.
#[inline(always)]
fn sides<L: Lanes>(heights: [L; 3], error: L) -> (u32, u32) {
    let [x, y, z] = heights;
    let (low, high) = (x.min(y).min(z), x.max(y).max(z));
    let one_side = low.greater(error) | negated(high, error).greater(error);
    let sure = x.abs().min(y.abs()).min(z.abs()).greater(error);
    (one_side, sure)
}
