//! Distances of up to sixteen pairs of triangles at once, in single precision: proven lower bounds and estimates.

// Why the lower bounds are proven (u = 2⁻²⁴). For any direction w ≠ 0 the distance of two sets is at least
// (min over B of w·x − max over A of w·x)/|w|. The estimate finds a good w, the bound is evaluated for whatever w was found, so
// no error of the estimate matters. Let ω bound all coordinates of corners relative to one corner of A. The points enter as
// such differences, or as differences of two of them: they err by 2r + 4uω a coordinate, hence by 1.8(2r + 4uω)|w| in w·x, and
// the dot product rounds by 3u·1.8·2ω|w|. For both sets and divided by |w|: 7.2r + 36uω. The square of |w| errs by 3u, its
// inverse root by 8u and the product by u relative, of at most 3.5ω: 37uω. Taken: 8r + 96uω. Squares below 10⁻³⁰ are not divided by; others err by underflow
// far less than u.

use super::batch::Batch;
use super::lanes::{Lanes, MOST, OCTET, Plain, Vector, eight};
use super::octet::{COUPLE, Close, Octet, QUAD};
use kontakt_bounds::batch::Isa;

#[cfg(target_arch = "x86_64")]
use super::lanes_x86::{Avx2, Avx512};

/// Squares of directions below this are not used.
const LEAST_SQUARE: f32 = 1e-30;

/// Distances of the pairs (triangle i of A's octet, triangle j of B's). The buffer is reused.
#[derive(Clone, Debug)]
pub struct Gaps {
    counts: [usize; 2],
    lower: [[f64; OCTET]; OCTET],
    estimate: [[f64; OCTET]; OCTET],
}

impl Default for Gaps {
    fn default() -> Gaps {
        Gaps { counts: [0; 2], lower: [[0.0; OCTET]; OCTET], estimate: [[0.0; OCTET]; OCTET] }
    }
}

impl Gaps {
    /// **Never more** than the exact distance of a pair.
    pub fn lower(&self, i: usize, j: usize) -> f64 {
        self.lower[i][j]
    }

    /// About the distance of a pair: a hint which pair to try first. For triangles that meet, and for needles, it may be
    /// any length.
    pub fn estimate(&self, i: usize, j: usize) -> f64 {
        self.estimate[i][j]
    }

    fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let [n, m] = self.counts;
        (0..n).flat_map(move |i| (0..m).map(move |j| (i, j)))
    }

    /// The pairs whose distance may be below `bound`.
    pub fn below(&self, bound: f64) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.pairs().filter(move |&(i, j)| self.lower(i, j) < bound)
    }

    /// The pair with the least estimate, if there is any pair.
    pub fn nearest(&self) -> Option<(usize, usize)> {
        self.pairs().min_by(|p, q| self.estimate(p.0, p.1).total_cmp(&self.estimate(q.0, q.1)))
    }
}

/// Every triangle of A's octet with every one of B's.
pub fn gap_batch(isa: Isa, a: &Octet, b: &Octet, gaps: &mut Gaps) {
    *gaps = Gaps { counts: [a.len(), b.len()], ..Gaps::default() };
    let Some(close) = Close::new(a, b) else { return };
    let (mut batch, mut lengths) = (Batch::default(), Lengths::default());
    for (i, j) in (0..a.couples()).flat_map(|i| (0..b.couples()).map(move |j| (i, j))) {
        batch.clear();
        batch.add(&close, (a, i), (b, j));
        lengths_of(isa, &batch, &mut lengths);
        for lane in 0..QUAD {
            let (i, j) = (COUPLE * i + lane / COUPLE, COUPLE * j + lane % COUPLE);
            gaps.lower[i][j] = f64::from(lengths.lower[lane]) / close.scale;
            gaps.estimate[i][j] = f64::from(lengths.estimate[lane]) / close.scale;
        }
    }
}

/// Distances of the pairs of a batch, each in the coordinates of its lane.
#[derive(Clone, Debug, Default)]
#[repr(align(64))]
pub(crate) struct Lengths {
    /// **Never more** than the exact distance.
    pub(crate) lower: [f32; MOST],
    /// A hint only.
    pub(crate) estimate: [f32; MOST],
}

/// The distances of all pairs of a batch; lanes not in use get any number.
#[inline]
#[allow(unsafe_code, reason = "enters functions compiled for an instruction set after checking for it")]
pub(crate) fn lengths_of(isa: Isa, batch: &Batch, lengths: &mut Lengths) {
    // SAFETY: each call is guarded by `is_available`; plain lanes need nothing.
    unsafe {
        match isa {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 if isa.is_available() => gap_avx512(batch, lengths),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 if isa.is_available() => gap_avx2(batch, lengths),
            _ => gap_all::<Plain>(batch, lengths),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq")]
#[allow(unsafe_code, reason = "the kernel's only condition is the instruction set enabled here")]
fn gap_avx512(batch: &Batch, lengths: &mut Lengths) {
    // SAFETY: the instruction set is enabled for this function.
    unsafe { gap_all::<Avx512>(batch, lengths) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
#[allow(unsafe_code, reason = "the kernel's only condition is the instruction set enabled here")]
fn gap_avx2(batch: &Batch, lengths: &mut Lengths) {
    // SAFETY: the instruction set is enabled for this function.
    unsafe { gap_all::<Avx2>(batch, lengths) }
}

/// # Safety
/// The processor must have the instruction set of `L`.
#[inline(always)]
#[allow(unsafe_code, reason = "SIMD registers; callers have checked the processor")]
unsafe fn gap_all<L: Lanes>(batch: &Batch, lengths: &mut Lengths) {
    let mut start = 0;
    while start < batch.lanes() {
        // SAFETY: passed on to the caller.
        let (lower, length) = unsafe {
            let (corners, error) = batch.pairs::<L>(start);
            let constants = Constants {
                zero: L::splat(0.0),
                one: L::splat(1.0),
                u: L::splat(f32::EPSILON / 2.0),
                r: error,
                least_square: L::splat(LEAST_SQUARE),
            };
            gap_lanes(&corners, &constants)
        };
        lower.store(&mut lengths.lower, start);
        length.store(&mut lengths.estimate, start);
        start += L::COUNT;
    }
}

/// Numbers in every lane.
struct Constants<L> {
    zero: L,
    one: L,
    u: L,
    r: L,
    least_square: L,
}

/// The shortest gap so far.
#[derive(Clone, Copy)]
struct Best<L> {
    squared: L,
    gap: Vector<L>,
}

impl<L: Lanes> Best<L> {
    #[inline(always)]
    fn take(&mut self, squared: L, gap: Vector<L>) {
        let shorter = squared.sub(self.squared);
        self.squared = shorter.choose(squared, self.squared);
        self.gap = Vector::choose(shorter, gap, self.gap);
    }
}

/// Lower bounds of the distances, and estimates. No closures: see `meet_batch`.
#[inline(always)]
fn gap_lanes<L: Lanes>(corners: &[Vector<L>; 6], c: &Constants<L>) -> (L, L) {
    let [a0, a1, a2, b0, b1, b2] = *corners;
    // Everything relative to a0.
    let a = [a0.sub(a0), a1.sub(a0), a2.sub(a0)];
    let b = [b0.sub(a0), b1.sub(a0), b2.sub(a0)];
    let d = [a[1], a[2].sub(a[1]), a[0].sub(a[2])];
    let e = [b[1].sub(b[0]), b[2].sub(b[1]), b[0].sub(b[2])];
    let mut best = Best { squared: b[0].dot(b[0]), gap: b[0] };

    let by_a = over_face(a, d, b, c, &mut best, false);
    let by_b = over_face(b, e, a, c, &mut best, true);

    let d_squared = squares(d, c);
    let e_squared = squares(e, c);
    let d_inverse = [d_squared[0].reciprocal(), d_squared[1].reciprocal(), d_squared[2].reciprocal()];
    let e_inverse = [e_squared[0].reciprocal(), e_squared[1].reciprocal(), e_squared[2].reciprocal()];
    let mut i = 0;
    while i < 3 {
        let mut j = 0;
        while j < 3 {
            let squares = [d_squared[i], e_squared[j]];
            let gap = between_edges(b[j].sub(a[i]), d[i], e[j], squares, [d_inverse[i], e_inverse[j]], c);
            best.take(gap.dot(gap), gap);
            j += 1;
        }
        i += 1;
    }

    // The proven bound for the direction found, and for the normals.
    let w = best.gap;
    let low = w.dot(b[0]).min(w.dot(b[1])).min(w.dot(b[2]));
    let high = w.dot(a[1]).max(w.dot(a[2])).max(c.zero);
    let by_gap = per_length(low.sub(high), w.dot(w), c);
    let bound = by_gap.max(by_a).max(by_b);
    let omega = b[0].extent().max(b[1].extent()).max(b[2].extent());
    let omega = omega.max(a[1].extent()).max(a[2].extent());
    let twelve_u = eight(c.u).add(c.u).add(c.u).add(c.u).add(c.u);
    let error = eight(c.r).add(eight(twelve_u).mul(omega));
    let length = best.squared.mul(best.squared.max(c.least_square).inverse_root());
    (bound.sub(error).max(c.zero), length)
}

/// x/√square, and 0 where the square is too small.
#[inline(always)]
fn per_length<L: Lanes>(x: L, square: L, c: &Constants<L>) -> L {
    square.sub(c.least_square).choose(c.zero, x.mul(square.max(c.least_square).inverse_root()))
}

/// The corners of a triangle against a face: how far they are beyond its plane if all are on one side, else 0. Where the
/// lowest corner's foot is inside the face, its height is a candidate.
#[inline(always)]
fn over_face<L: Lanes>(
    face: [Vector<L>; 3],
    edges: [Vector<L>; 3],
    others: [Vector<L>; 3],
    c: &Constants<L>,
    best: &mut Best<L>,
    swapped: bool,
) -> L {
    let n = edges[0].cross(edges[1]);
    let square = n.dot(n);
    let offsets = [others[0].sub(face[0]), others[1].sub(face[0]), others[2].sub(face[0])];
    let (x, y, z) = (n.dot(offsets[0]), n.dot(offsets[1]), n.dot(offsets[2]));
    // The face itself: nearly 0, but for a needle its rounded normal may lean.
    let (p, q) = (n.dot(edges[0]), c.zero.sub(n.dot(edges[2])));
    let (bottom, top) = (p.min(q).min(c.zero), p.max(q).max(c.zero));
    // All above: the least; all below: minus the greatest; else negative.
    let (low, high) = (x.min(y).min(z), x.max(y).max(z));
    let height = low.sub(top).max(bottom.sub(high));
    let distance = per_length(height, square, c).max(c.zero);

    // The lowest corner by absolute height.
    let (x, y, z) = (x.abs(), y.abs(), z.abs());
    let first = Vector::choose(y.sub(x), offsets[1], offsets[0]);
    let lowest = Vector::choose(z.sub(x.min(y)), offsets[2], first);
    // Barycentric coordinates of its foot times the square: 0 ≤ s, t and s + t ≤ square.
    let s = c.zero.sub(lowest.cross(edges[2]).dot(n));
    let t = edges[0].cross(lowest).dot(n);
    let room = s.min(t).min(square.sub(s.add(t))).min(height).min(square.sub(c.least_square));
    let scale = n.dot(lowest).mul(square.max(c.least_square).reciprocal());
    let gap = Vector([n.0[0].mul(scale), n.0[1].mul(scale), n.0[2].mul(scale)]);
    let gap = if swapped { Vector([c.zero; 3]).sub(gap) } else { gap };
    let squared = room.choose(best.squared, gap.dot(gap));
    best.take(squared, gap);
    distance
}

/// |x|² of three vectors, but never less than what may be divided by.
#[inline(always)]
fn squares<L: Lanes>(x: [Vector<L>; 3], c: &Constants<L>) -> [L; 3] {
    let [p, q, r] = x;
    [p.dot(p).max(c.least_square), q.dot(q).max(c.least_square), r.dot(r).max(c.least_square)]
}

/// From the nearest point of the segment s·d to that of r + t·e, 0 ≤ s, t ≤ 1, about; with the squares of d and e and their
/// reciprocals.
#[inline(always)]
fn between_edges<L: Lanes>(
    r: Vector<L>,
    d: Vector<L>,
    e: Vector<L>,
    squares: [L; 2],
    inverses: [L; 2],
    c: &Constants<L>,
) -> Vector<L> {
    let (dr, er, de) = (d.dot(r), e.dot(r), d.dot(e));
    let determinant = squares[0].mul(squares[1]).sub_mul(de, de).max(c.least_square);
    let s = unit(dr.mul(squares[1]).sub_mul(de, er).mul(determinant.reciprocal()), c);
    let t = unit(s.mul(de).sub(er).mul(inverses[1]), c);
    let s = unit(t.mul_add(de, dr).mul(inverses[0]), c);
    r.along(e, t).along(d, c.zero.sub(s))
}

/// Into [0, 1].
#[inline(always)]
fn unit<L: Lanes>(x: L, c: &Constants<L>) -> L {
    x.max(c.zero).min(c.one)
}
