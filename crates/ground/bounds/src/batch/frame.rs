//! The frame in which a batch keeps single-precision copies of boxes.

use crate::volume::{Obb, SquareObb};
use kontakt_math::DVec3;

/// Single-precision coordinates beyond this (2⁶⁰) are not used: sums and products stay far from overflow.
const FARTHEST: f64 = (1_u64 << 60) as f64;
/// Smallest half extent stored (2⁻⁶⁰): keeps products out of the subnormal range, where processors are slow.
const THINNEST: f32 = 1.0 / (1_u64 << 60) as f32;

/// Coordinates (x − origin)·2^−exponent. A batch chooses it so that its members lie within about ±1: places of 10¹² and
/// sizes of 10³⁰⁰ do no harm to single precision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    origin: DVec3,
    exponent: i32,
}

/// The single-precision stand-in of a box in a frame: **encloses** it in the sense of `obb_kernel`.
#[derive(Clone, Copy, Debug)]
pub(super) struct FrameObb {
    pub(super) centre: [f32; 3],
    pub(super) axes: [[f32; 3]; 3],
    pub(super) half_extents: [f32; 3],
}

impl Frame {
    /// The frame around the boxes; members that are not finite are left out.
    pub fn around<'a>(boxes: impl Iterator<Item = &'a Obb> + Clone) -> Frame {
        let finite = boxes.filter(|b| b.centre.is_finite() && b.half_extents.is_finite());
        let ends = finite.clone().map(|b| (b.centre, b.centre));
        let (low, high) =
            ends.reduce(|(l, h), (p, q)| (l.min(p), h.max(q))).unwrap_or((DVec3::ZERO, DVec3::ZERO));
        let origin = low * 0.5 + high * 0.5;
        let half = (high * 0.5 - low * 0.5).max_element();
        let largest = finite.map(|b| b.half_extents.max_element()).fold(half, f64::max);
        Frame { origin, exponent: exponent_above(largest) }
    }

    /// The exact power of two that takes lengths into the frame, in two factors because one could overflow.
    fn scale(&self) -> (f64, f64) {
        let first = -self.exponent / 2;
        (power_of_two(first), power_of_two(-self.exponent - first))
    }

    /// The stand-in of a box, or `None` where it is too far out or not finite.
    ///
    /// Proof that it encloses. Let the scaled box be (c, A, h), in orthonormal stand-in axes Q with extents
    /// h + 49u₅₃·Σh (`obb/sat.rs`, step 1). c − origin is rounded by 2⁻⁵³ relative, then to single precision; the
    /// whole difference d of the centres is bounded by what `shift` sums up, and moving a box by d is covered by
    /// growing its extents by |d|₂ ≤ |d|₁. Scaling by powers of two is exact but for underflow below 2⁻¹⁰⁷⁴, which the
    /// least extent 2⁻⁶⁰ covers. The axes are rounded to nearest: each column moves by at most 2⁻²⁴·1.01,
    /// which the kernel's error term knows.
    pub(super) fn stand_in(&self, square: &SquareObb) -> Option<FrameObb> {
        let b = square.as_obb();
        let (s, t) = self.scale();
        let centre = (b.centre - self.origin) * s * t;
        let half = b.half_extents * s * t;
        let size = centre.abs().element_sum() + half.element_sum();
        if size.is_nan() || size > FARTHEST {
            return None;
        }
        let rounded = centre.to_array().map(|x| x as f32);
        let shift: f64 = centre
            .to_array()
            .into_iter()
            .zip(rounded)
            .map(|(x, y)| (x - f64::from(y)).abs() + x.abs() * f64::EPSILON)
            .sum();
        let grow = shift + half.element_sum() * (32.0 * f64::EPSILON);
        let half_extents =
            half.to_array().map(|h| single_up((h + grow) * (1.0 + 4.0 * f64::EPSILON)).max(THINNEST));
        let column = |v: DVec3| v.to_array().map(|x| x as f32);
        let axes = [column(b.axes.x_axis), column(b.axes.y_axis), column(b.axes.z_axis)];
        Some(FrameObb { centre: rounded, axes, half_extents })
    }
}

impl FrameObb {
    /// A box that no member or query of a frame is apart from.
    pub(super) fn everything() -> FrameObb {
        let huge = (FARTHEST * 8.0) as f32;
        FrameObb {
            centre: [0.0; 3],
            axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            half_extents: [huge; 3],
        }
    }
}

/// Never less than `x` (`x` below the largest single).
fn single_up(x: f64) -> f32 {
    let y = x as f32;
    if f64::from(y) < x { y.next_up() } else { y }
}

/// An exponent e with `x` ≤ 2^e, for positive normal `x` the least; 0 for zero.
fn exponent_above(x: f64) -> i32 {
    if x <= 0.0 {
        return 0;
    }
    // Biased exponent of x, minus the bias, plus one; subnormals count as 2⁻¹⁰²².
    ((x.to_bits() >> 52) & 0x7ff) as i32 - 1022
}

/// 2^e for |e| ≤ 1022.
fn power_of_two(e: i32) -> f64 {
    f64::from_bits(u64::from((e + 1023).cast_unsigned()) << 52)
}
