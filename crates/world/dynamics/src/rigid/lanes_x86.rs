//! Lanes in one register of AVX-512.

#![allow(unsafe_code, reason = "SIMD leaf: intrinsics behind run-time detection")]

use super::kernel::{Sweep, start, sweep};
use super::lanes::{Lanes, Motions, Wide};
use super::pack::Pack;
use std::arch::x86_64::{
    __m512d, _CMP_GT_OQ, _mm512_add_pd, _mm512_cmp_pd_mask, _mm512_div_pd, _mm512_load_pd,
    _mm512_mask_blend_pd, _mm512_max_pd, _mm512_mul_pd, _mm512_set1_pd, _mm512_shuffle_f64x2, _mm512_sqrt_pd,
    _mm512_store_pd, _mm512_sub_pd, _mm512_unpackhi_pd, _mm512_unpacklo_pd,
};
use std::ops::{Add, Mul, Sub};

/// Sweeps once over a pack; `None` without AVX-512.
pub(super) fn sweep_wide(pack: &mut Pack, motions: &Motions, inertias: &[Wide], how: Sweep) -> Option<f64> {
    // SAFETY: AVX-512F was just detected.
    is_x86_feature_detected!("avx512f").then(|| unsafe { sweep_avx512(pack, motions, inertias, how) })
}

/// Applies the impulses that a pack remembers; false without AVX-512.
pub(super) fn start_wide(pack: &Pack, motions: &Motions, inertias: &[Wide]) -> bool {
    let able = is_x86_feature_detected!("avx512f");
    if able {
        // SAFETY: AVX-512F was just detected.
        unsafe { start_avx512(pack, motions, inertias) };
    }
    able
}

#[target_feature(enable = "avx512f")]
fn sweep_avx512(pack: &mut Pack, motions: &Motions, inertias: &[Wide], how: Sweep) -> f64 {
    sweep::<Avx512>(pack, motions, inertias, how)
}

#[target_feature(enable = "avx512f")]
fn start_avx512(pack: &Pack, motions: &Motions, inertias: &[Wide]) {
    start::<Avx512>(pack, motions, inertias);
}

/// Only made and used within the two functions above, which have AVX-512F.
#[derive(Clone, Copy, Debug)]
struct Avx512(__m512d);

// SAFETY of all blocks below: AVX-512F is there, see `Avx512`.

impl Add for Avx512 {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Avx512(unsafe { _mm512_add_pd(self.0, other.0) })
    }
}

impl Sub for Avx512 {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Avx512(unsafe { _mm512_sub_pd(self.0, other.0) })
    }
}

impl Mul for Avx512 {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Avx512(unsafe { _mm512_mul_pd(self.0, other.0) })
    }
}

impl Lanes for Avx512 {
    #[inline(always)]
    fn read(from: &Wide) -> Self {
        // `Wide` is eight doubles, aligned to 64 bytes.
        Avx512(unsafe { _mm512_load_pd(from.0.as_ptr()) })
    }

    #[inline(always)]
    fn write(self, to: &mut Wide) {
        unsafe { _mm512_store_pd(to.0.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn splat(x: f64) -> Self {
        Avx512(unsafe { _mm512_set1_pd(x) })
    }

    #[inline(always)]
    fn root(self) -> Self {
        Avx512(unsafe { _mm512_sqrt_pd(self.0) })
    }

    #[inline(always)]
    fn over(self, divisor: Self) -> Self {
        Avx512(unsafe { _mm512_div_pd(self.0, divisor.0) })
    }

    #[inline(always)]
    fn or_more(self, other: Self) -> Self {
        Avx512(unsafe { _mm512_max_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn if_above(self, other: Self, yes: Self, no: Self) -> Self {
        Avx512(unsafe {
            let above = _mm512_cmp_pd_mask::<_CMP_GT_OQ>(self.0, other.0);
            _mm512_mask_blend_pd(above, no.0, yes.0)
        })
    }

    #[inline(always)]
    fn gather(motions: &Motions, slots: &[u32; 8]) -> [Self; 8] {
        // Rows are eight words, aligned to 64 bytes. Nobody else writes them meanwhile: a free body's row is written by one cell of a
        // colour alone (`solver::apart`), that of another body by none.
        let mut rows = [Self::splat(0.0).0; 8];
        for lane in 0..8 {
            rows[lane] = unsafe { _mm512_load_pd(motions.words(slots[lane]).as_ptr().cast::<f64>()) };
        }
        wrapped(transposed(rows))
    }

    #[inline(always)]
    fn scatter(columns: [Self; 8], motions: &Motions, slots: &[u32; 8], free: u8) {
        let [a, b, c, d, e, f, g, h] = columns;
        let rows = transposed([a.0, b.0, c.0, d.0, e.0, f.0, g.0, h.0]);
        for lane in 0..8 {
            if free >> lane & 1 == 1 {
                // As above; atomics may be written through a shared reference.
                unsafe {
                    _mm512_store_pd(motions.words(slots[lane]).as_ptr().cast::<f64>().cast_mut(), rows[lane]);
                };
            }
        }
    }

    #[inline(always)]
    fn gather_rows(rows: &[Wide], slots: &[u32; 8]) -> [Self; 8] {
        let mut own = [Self::splat(0.0).0; 8];
        for lane in 0..8 {
            own[lane] = Self::read(&rows[slots[lane] as usize]).0;
        }
        wrapped(transposed(own))
    }
}

#[inline(always)]
fn wrapped([a, b, c, d, e, f, g, h]: [__m512d; 8]) -> [Avx512; 8] {
    [Avx512(a), Avx512(b), Avx512(c), Avx512(d), Avx512(e), Avx512(f), Avx512(g), Avx512(h)]
}

/// Rows to columns: pairs, then quarters, then halves change places.
#[inline(always)]
fn transposed(r: [__m512d; 8]) -> [__m512d; 8] {
    unsafe {
        macro_rules! even {
            ($a:expr, $b:expr) => {
                _mm512_shuffle_f64x2::<0b10_00_10_00>($a, $b)
            };
        }
        macro_rules! odd {
            ($a:expr, $b:expr) => {
                _mm512_shuffle_f64x2::<0b11_01_11_01>($a, $b)
            };
        }
        // a0: columns 0, 2, 4, 6 of rows 0 and 1; a1: columns 1, 3, 5, 7.
        let (a0, a1) = (_mm512_unpacklo_pd(r[0], r[1]), _mm512_unpackhi_pd(r[0], r[1]));
        let (a2, a3) = (_mm512_unpacklo_pd(r[2], r[3]), _mm512_unpackhi_pd(r[2], r[3]));
        let (a4, a5) = (_mm512_unpacklo_pd(r[4], r[5]), _mm512_unpackhi_pd(r[4], r[5]));
        let (a6, a7) = (_mm512_unpacklo_pd(r[6], r[7]), _mm512_unpackhi_pd(r[6], r[7]));
        // Columns 0 and 4, 2 and 6 of rows 0 to 3 and of rows 4 to 7.
        let (b0, b2, c0, c2) = (even!(a0, a2), odd!(a0, a2), even!(a4, a6), odd!(a4, a6));
        let (b1, b3, c1, c3) = (even!(a1, a3), odd!(a1, a3), even!(a5, a7), odd!(a5, a7));
        let (low, high) = ([even!(b0, c0), even!(b1, c1)], [odd!(b0, c0), odd!(b1, c1)]);
        [low[0], low[1], even!(b2, c2), even!(b3, c3), high[0], high[1], odd!(b2, c2), odd!(b3, c3)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[target_feature(enable = "avx512f")]
    fn turned(rows: &[Wide; 8]) -> [Wide; 8] {
        let columns = transposed(std::array::from_fn(|k| Avx512::read(&rows[k]).0));
        columns.map(|column| {
            let mut to = Wide::ZERO;
            Avx512(column).write(&mut to);
            to
        })
    }

    #[test]
    fn rows_become_columns() {
        if !is_x86_feature_detected!("avx512f") {
            eprintln!("skipped: no AVX-512");
            return;
        }
        let rows: [Wide; 8] = std::array::from_fn(|r| Wide(std::array::from_fn(|c| (10 * r + c) as f64)));
        // SAFETY: AVX-512F was just detected.
        let columns = unsafe { turned(&rows) };
        for (r, row) in rows.iter().enumerate() {
            for (c, x) in row.0.iter().enumerate() {
                assert_eq!(columns[c].0[r], *x);
            }
        }
    }
}
