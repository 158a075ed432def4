//! Pairs of triangles side by side, from any number of octets, until the lanes of the widest registers are full.

use super::lanes::{Lanes, MOST, Vector};
use super::octet::{COUPLE, Close, Octet, QUAD};

/// Up to sixteen pairs of triangles, each in its own coordinates within ±1.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(crate) struct Batch {
    /// Row 3k + c: coordinate c of corner k of A's triangle.
    a: [[f32; MOST]; 9],
    b: [[f32; MOST]; 9],
    /// **Never too small**: how far a coordinate may be from the exact one's.
    error: [f32; MOST],
    /// Lanes that hold a pair.
    used: u32,
    /// Lanes taken, gaps included.
    lanes: usize,
}

impl Default for Batch {
    fn default() -> Batch {
        Batch { a: [[0.0; MOST]; 9], b: [[0.0; MOST]; 9], error: [0.0; MOST], used: 0, lanes: 0 }
    }
}

impl Batch {
    /// Takes the pairs of a couple of A's and one of B's octet: lane 2i + j of the next four is triangle i of the one and j
    /// of the other. The batch must not be full.
    #[inline(always)]
    pub(crate) fn add(&mut self, close: &Close, a: (&Octet, usize), b: (&Octet, usize)) {
        let start = self.lanes % MOST;
        let (rows_a, rows_b) = (a.0.couple(a.1), b.0.couple(b.1));
        for row in 0..9 {
            let shift = close.shift[row % 3];
            let to_a = &mut self.a[row][start..start + QUAD];
            let to_b = &mut self.b[row][start..start + QUAD];
            for lane in 0..QUAD {
                to_a[lane] = rows_a[row][lane] * close.factors[0] + shift;
                to_b[lane] = rows_b[row][lane] * close.factors[1];
            }
        }
        self.error[start..start + QUAD].fill(close.error);
        let row = (1_u32 << b.0.in_couple(b.1)) - 1;
        let both = if a.0.in_couple(a.1) == COUPLE { row | row << COUPLE } else { row };
        self.used |= both << start;
        self.lanes = start + QUAD;
    }

    /// Whether there is no room for two more couples.
    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.lanes == MOST
    }

    /// Whether no pair is in it.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.lanes == 0
    }

    /// Lets all pairs go.
    #[inline]
    pub(crate) fn clear(&mut self) {
        (self.used, self.lanes) = (0, 0);
    }

    /// Lets all pairs go but those of some lanes.
    #[inline]
    pub(crate) fn keep(&mut self, lanes: u32) {
        self.used &= lanes;
    }

    /// Lanes that hold a pair.
    #[inline]
    pub(crate) fn used(&self) -> u32 {
        self.used
    }

    /// Lanes taken, gaps included.
    #[inline]
    pub(crate) fn lanes(&self) -> usize {
        self.lanes
    }

    /// The corners of the pairs from `start` on, and the errors.
    ///
    /// # Safety
    /// The processor must have the instruction set of `L`.
    #[inline(always)]
    #[allow(unsafe_code, reason = "loads into SIMD registers; callers have checked the processor")]
    pub(super) unsafe fn pairs<L: Lanes>(&self, start: usize) -> ([Vector<L>; 6], L) {
        let (a, b) = (&self.a, &self.b);
        // SAFETY: passed on to the caller.
        unsafe {
            let corners = [
                Vector([L::load(&a[0], start), L::load(&a[1], start), L::load(&a[2], start)]),
                Vector([L::load(&a[3], start), L::load(&a[4], start), L::load(&a[5], start)]),
                Vector([L::load(&a[6], start), L::load(&a[7], start), L::load(&a[8], start)]),
                Vector([L::load(&b[0], start), L::load(&b[1], start), L::load(&b[2], start)]),
                Vector([L::load(&b[3], start), L::load(&b[4], start), L::load(&b[5], start)]),
                Vector([L::load(&b[6], start), L::load(&b[7], start), L::load(&b[8], start)]),
            ];
            (corners, L::load(&self.error, start))
        }
    }
}
