//! Up to eight triangles side by side for the batch kernels, and their single-precision copies near an origin.

use super::lanes::{Lanes, MOST, OCTET, Vector};
use kontakt_math::Between;
use kontakt_math::DVec3;

/// Up to eight triangles in A's frame, with a certified error. A leaf of a packed hierarchy fits.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Octet {
    /// Row 3k + c: coordinate c of corner k. Unused lanes repeat a used one.
    rows: [[f64; OCTET]; 9],
    count: usize,
    /// Every coordinate is within `reach` of the centre's.
    centre: DVec3,
    reach: f64,
    /// **Never too small**: distance of a corner from its exact place.
    error: f64,
}

impl Default for Octet {
    fn default() -> Octet {
        Octet { rows: [[0.0; OCTET]; 9], count: 0, centre: DVec3::ZERO, reach: 0.0, error: 0.0 }
    }
}

impl Octet {
    /// Most triangles of an octet.
    pub const MOST: usize = OCTET;

    /// Takes triangles of A, in A's frame; more than eight are left out.
    #[inline]
    pub fn fill_a(&mut self, vertices: &[DVec3], triangles: &[[u32; 3]]) {
        self.fill(vertices, triangles, |x| x);
        self.error = 0.0;
    }

    /// Takes triangles of B, in B's frame, and brings them to A's; more than eight are left out.
    #[inline]
    pub fn fill_b(&mut self, between: &Between, vertices: &[DVec3], triangles: &[[u32; 3]]) {
        let farthest = self.fill(vertices, triangles, |x| between.b_in_a(x));
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

    /// The corners of a triangle in A's frame; B's are rounded.
    #[inline]
    pub fn corners(&self, triangle: usize) -> [DVec3; 3] {
        [0, 3, 6].map(|row| {
            let at = |c: usize| self.rows[row + c][triangle];
            DVec3::new(at(0), at(1), at(2))
        })
    }

    /// **Never too small**: distance of a corner from its exact place.
    pub fn error(&self) -> f64 {
        self.error
    }

    /// Fills the lanes and returns a bound of |x|₁ over the corners before the map.
    #[inline(always)]
    fn fill(&mut self, vertices: &[DVec3], triangles: &[[u32; 3]], map: impl Fn(DVec3) -> DVec3) -> f64 {
        let triangles = &triangles[..triangles.len().min(OCTET)];
        self.count = triangles.len();
        let (mut farthest, mut reach, mut sum) = (DVec3::ZERO, DVec3::ZERO, DVec3::ZERO);
        self.centre = triangles.first().map_or(DVec3::ZERO, |t| map(vertices[t[0] as usize]));
        for (lane, triangle) in triangles.iter().enumerate() {
            for (k, vertex) in triangle.iter().enumerate() {
                let own = vertices[*vertex as usize];
                let x = map(own);
                sum += x;
                farthest = farthest.max(own.abs());
                reach = reach.max((x - self.centre).abs());
                self.rows[3 * k][lane] = x.x;
                self.rows[3 * k + 1][lane] = x.y;
                self.rows[3 * k + 2][lane] = x.z;
            }
        }
        for row in &mut self.rows {
            for lane in self.count..OCTET {
                row[lane] = row[0];
            }
        }
        // The differences round by u relative, the sum by 2u.
        self.reach = reach.max_element() * (1.0 + 4.0 * f64::EPSILON);
        if !sum.is_finite() {
            // A place overflowed; maxima would pass over NaN.
            self.reach = f64::INFINITY;
        }
        farthest.element_sum() * (1.0 + 4.0 * f64::EPSILON)
    }
}

/// Two octets in single precision, with coordinates (x − origin)·scale within ±1.
pub(super) struct Close {
    a: [[f32; OCTET]; 9],
    b: [[f32; OCTET]; 9],
    /// **Never too small**: how far a coordinate may be from the exact one's.
    pub(super) error: f32,
    /// The power of two that lengths are multiplied with.
    pub(super) scale: f64,
}

impl Close {
    /// `None` where sizes or errors are out of reach of single precision.
    ///
    /// The coordinates' errors: the difference rounds by 2⁻⁵³ relative, the power of two by nothing (coordinates far below
    /// the size may underflow: by less than 2⁻¹⁰⁷⁴), the single-precision number, at most 1, by 2⁻²⁵; and
    /// the corner's own error.
    #[inline(always)]
    pub(super) fn new(a: &Octet, b: &Octet) -> Option<Close> {
        let size = ((a.centre - b.centre).abs().max_element() + a.reach + b.reach) * (1.0 + 1e-9);
        if !(1e-200..1e200).contains(&size) {
            return None;
        }
        // 2⁻ᵉ with 2ᵉ > size.
        let scale = f64::from_bits((2045 - (size.to_bits() >> 52)) << 52);
        let error = a.error.max(b.error) * scale;
        if error.is_nan() || error > 1e-3 {
            return None;
        }
        let error = ((error + ROUNDING) as f32).next_up();
        let mut close = Close { a: [[0.0; OCTET]; 9], b: [[0.0; OCTET]; 9], error, scale };
        for row in 0..9 {
            let origin = b.centre[row % 3];
            for lane in 0..OCTET {
                close.a[row][lane] = ((a.rows[row][lane] - origin) * scale) as f32;
            }
            for lane in 0..OCTET {
                close.b[row][lane] = ((b.rows[row][lane] - origin) * scale) as f32;
            }
        }
        Some(close)
    }

    /// The corners of the pairs from `start` on.
    ///
    /// # Safety
    /// The processor must have the instruction set of `L`.
    #[inline(always)]
    #[allow(unsafe_code, reason = "loads into SIMD registers; callers have checked the processor")]
    pub(super) unsafe fn pairs<L: Lanes>(&self, layout: Layout, start: usize) -> [Vector<L>; 6] {
        let in_a = &A_LANES[layout.shift][(start / 8) & 7];
        let in_b = &B_LANES[layout.shift];
        // SAFETY: passed on to the caller; indices are below 8.
        unsafe {
            let (a, b) = (&self.a, &self.b);
            [
                Vector([L::pick(&a[0], in_a), L::pick(&a[1], in_a), L::pick(&a[2], in_a)]),
                Vector([L::pick(&a[3], in_a), L::pick(&a[4], in_a), L::pick(&a[5], in_a)]),
                Vector([L::pick(&a[6], in_a), L::pick(&a[7], in_a), L::pick(&a[8], in_a)]),
                Vector([L::pick(&b[0], in_b), L::pick(&b[1], in_b), L::pick(&b[2], in_b)]),
                Vector([L::pick(&b[3], in_b), L::pick(&b[4], in_b), L::pick(&b[5], in_b)]),
                Vector([L::pick(&b[6], in_b), L::pick(&b[7], in_b), L::pick(&b[8], in_b)]),
            ]
        }
    }
}

/// 2⁻²⁵ and a little for the difference's rounding.
const ROUNDING: f64 = 1.001 / (1_u64 << 25) as f64;

/// Where a pair of triangles (i of A, j of B) is among the lanes: at i·stride + j, with a stride of 1, 2, 4 or 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Layout {
    shift: usize,
    counts: [usize; 2],
}

impl Layout {
    #[inline(always)]
    pub(super) fn new(a: &Octet, b: &Octet) -> Layout {
        let shift = [0, 0, 1, 2, 2, 3, 3, 3, 3][b.count.min(OCTET)];
        Layout { shift, counts: [a.count, b.count] }
    }

    /// How many lanes are used, gaps included.
    #[inline(always)]
    pub(super) fn lanes(self) -> usize {
        self.counts[0] << self.shift
    }

    /// The lanes that hold a pair.
    #[inline(always)]
    pub(super) fn used(self) -> u64 {
        if self.counts[0] == 0 || self.counts[1] == 0 {
            return 0;
        }
        // A row of b's, repeated at every stride, up to the last a.
        let row = (1_u64 << self.counts[1]) - 1;
        let repeat = [u64::MAX, 0x5555_5555_5555_5555, 0x1111_1111_1111_1111, 0x0101_0101_0101_0101];
        (row.wrapping_mul(repeat[self.shift])) & (u64::MAX >> (64 - self.lanes()))
    }

    /// Triangle of A and of B in a lane.
    #[inline(always)]
    pub(super) fn pair(self, lane: usize) -> (usize, usize) {
        (lane >> self.shift, lane & ((1 << self.shift) - 1))
    }

    /// The lane of a pair.
    pub(super) fn lane(self, i: usize, j: usize) -> usize {
        (i << self.shift) + j
    }
}

/// `A_LANES[shift][start/8]`: the triangle of A in each lane.
static A_LANES: [[[u32; MOST]; 8]; 4] = a_lanes();
/// `B_LANES[shift]`: the triangle of B in each lane.
static B_LANES: [[u32; MOST]; 4] = b_lanes();

const fn a_lanes() -> [[[u32; MOST]; 8]; 4] {
    let mut table = [[[0; MOST]; 8]; 4];
    let mut at = 0;
    while at < 4 * 8 * MOST {
        let (shift, start, lane) = (at / (8 * MOST), at / MOST % 8 * 8, at % MOST);
        let triangle = (start + lane) >> shift;
        // Lanes beyond the last triangle repeat it.
        table[shift][start / 8][lane] = if triangle < OCTET { triangle as u32 } else { OCTET as u32 - 1 };
        at += 1;
    }
    table
}

const fn b_lanes() -> [[u32; MOST]; 4] {
    let mut table = [[0; MOST]; 4];
    let mut at = 0;
    while at < 4 * MOST {
        let (shift, lane) = (at / MOST, at % MOST);
        table[shift][lane] = (lane & ((1 << shift) - 1)) as u32;
        at += 1;
    }
    table
}
