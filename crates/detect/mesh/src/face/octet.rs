//! Up to eight triangles near a centre in single precision, ready for the batch kernels.

use super::lanes::OCTET;
use kontakt_math::{Between, DVec3};

/// Triangles that enter a batch together: two of A against two of B fill four lanes.
pub(super) const COUPLE: usize = 2;
/// Lanes of two couples.
pub(super) const QUAD: usize = COUPLE * COUPLE;
/// Sizes between these are within reach of the kernels.
const SIZES: std::ops::Range<f64> = 1e-200..1e200;

/// Up to eight triangles in A's frame, with a certified error. A leaf of a packed hierarchy fits.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Octet {
    /// Two triangles t, s each. Row 3k + c: coordinate c of corner k as (x − centre)·scale, within ±1; as t, t, s, s where
    /// the triangles are A's and as t, s, t, s where they are B's, so that lanes make all four pairs.
    couples: [[[f32; QUAD]; 9]; OCTET / COUPLE],
    count: usize,
    /// Every coordinate is within `reach` of the centre's; infinite where coordinates overflow.
    centre: DVec3,
    reach: f64,
    /// A power of two.
    scale: f64,
    /// **Never too small**: distance of a corner from its exact place, before single precision.
    error: f64,
}

impl Default for Octet {
    fn default() -> Octet {
        let couples = [[[0.0; QUAD]; 9]; OCTET / COUPLE];
        Octet { couples, count: 0, centre: DVec3::ZERO, reach: 0.0, scale: 1.0, error: 0.0 }
    }
}

impl Octet {
    /// Most triangles of an octet.
    pub const MOST: usize = OCTET;

    /// Takes triangles of A, in A's frame; more than eight are left out.
    #[inline]
    pub fn fill_a(&mut self, vertices: &[DVec3], triangles: &[[u32; 3]]) {
        self.fill(vertices, triangles, |x| x, [0, 0, 1, 1]);
        self.error = 0.0;
    }

    /// Takes triangles of B, in B's frame, and brings them to A's; more than eight are left out.
    #[inline]
    pub fn fill_b(&mut self, between: &Between, vertices: &[DVec3], triangles: &[[u32; 3]]) {
        let farthest = self.fill(vertices, triangles, |x| between.b_in_a(x), [0, 1, 0, 1]);
        self.error = between.error_within(farthest);
    }

    /// How many triangles.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// How many couples; the last may be one triangle twice.
    #[inline]
    pub(crate) fn couples(&self) -> usize {
        self.count.div_ceil(COUPLE)
    }

    /// How many triangles a couple stands for.
    #[inline]
    pub(super) fn in_couple(&self, couple: usize) -> usize {
        self.count.saturating_sub(COUPLE * couple).min(COUPLE)
    }

    /// The rows of a couple; see the field.
    #[inline]
    pub(super) fn couple(&self, couple: usize) -> &[[f32; QUAD]; 9] {
        &self.couples[couple % (OCTET / COUPLE)]
    }

    /// Fills the lanes, with the triangles of a couple in the order given, and returns a bound of |x|₁ over the corners
    /// before the map.
    #[inline(always)]
    fn fill(
        &mut self,
        vertices: &[DVec3],
        triangles: &[[u32; 3]],
        map: impl Fn(DVec3) -> DVec3,
        order: [usize; QUAD],
    ) -> f64 {
        let triangles = &triangles[..triangles.len().min(OCTET)];
        self.count = triangles.len();
        let mut offsets = [[DVec3::ZERO; 3]; OCTET];
        let (mut farthest, mut reach, mut sum) = (DVec3::ZERO, DVec3::ZERO, DVec3::ZERO);
        self.centre = triangles.first().map_or(DVec3::ZERO, |t| map(vertices[t[0] as usize]));
        for (triangle, offsets) in triangles.iter().zip(&mut offsets) {
            for (&vertex, offset) in triangle.iter().zip(offsets) {
                let own = vertices[vertex as usize];
                *offset = map(own) - self.centre;
                sum += *offset;
                farthest = farthest.max(own.abs());
                reach = reach.max(offset.abs());
            }
        }
        // The differences round by u relative.
        self.reach = reach.max_element() * (1.0 + 4.0 * f64::EPSILON);
        if !sum.is_finite() {
            // A place overflowed; maxima would pass over NaN.
            self.reach = f64::INFINITY;
        }
        self.scale = into_unit(self.reach.clamp(SIZES.start, SIZES.end));
        for couple in 0..self.couples() {
            let first = COUPLE * couple;
            let (t, s) = (&offsets[first], &offsets[(first + 1).min(self.count - 1)]);
            for (k, (t, s)) in t.iter().zip(s).enumerate() {
                let [t, s] = [t, s].map(|x| (*x * self.scale).as_vec3().to_array());
                for c in 0..3 {
                    self.couples[couple][3 * k + c] = order.map(|which| if which == 0 { t[c] } else { s[c] });
                }
            }
        }
        farthest.element_sum() * (1.0 + 4.0 * f64::EPSILON)
    }
}

/// 2⁻ᵉ with 2ᵉ > size, for a normal size.
#[inline(always)]
fn into_unit(size: f64) -> f64 {
    f64::from_bits((2045 - (size.to_bits() >> 52)) << 52)
}

/// How two octets come into common coordinates within ±1: (x − centre of B's)·`scale`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Close {
    /// What stored coordinates are multiplied with: powers of two, at most 1.
    pub(super) factors: [f32; 2],
    /// To be added to A's then.
    pub(super) shift: [f32; 3],
    /// **Never too small**: how far a coordinate may be from the exact one's.
    pub(super) error: f32,
    /// The power of two that lengths are multiplied with.
    pub(crate) scale: f64,
}

/// 2⁻²³ and a little for what is rounded in doubles.
const ROUNDING: f64 = 1.001 / (1_u64 << 23) as f64;

impl Close {
    /// `None` where sizes or errors are out of reach of single precision.
    ///
    /// The coordinates' errors, in units after scaling, u = 2⁻²⁴: stored coordinates are at most 1 and round by u/2, times a
    /// factor of at most 1 (an octet's own scale is not less than that of a pair it is in, since the pair's size is not less
    /// than its reach and than the least of `SIZES`); so does the shift; the sum is at most 1 up to these errors and rounds by u;
    /// together 2u = 2⁻²³. Roundings in doubles and products that underflow are below 2⁻⁵⁰. And the corner's own error.
    #[inline(always)]
    pub(crate) fn new(a: &Octet, b: &Octet) -> Option<Close> {
        let apart = a.centre - b.centre;
        let size = (apart.abs().max_element() + a.reach + b.reach) * (1.0 + 1e-9);
        if !SIZES.contains(&size) {
            return None;
        }
        let scale = into_unit(size);
        let error = a.error.max(b.error) * scale;
        if error.is_nan() || error > 1e-3 {
            return None;
        }
        let error = ((error + ROUNDING) as f32).next_up();
        let factors = [(scale / a.scale) as f32, (scale / b.scale) as f32];
        Some(Close { factors, shift: (apart * scale).as_vec3().to_array(), error, scale })
    }
}
