//! The frame in which boxes are kept in single precision.

use kontakt_bounds::Aabb;
use kontakt_math::DVec3;

/// Largest size of a coordinate kept: differences and products of two stay far from overflow.
const FARTHEST: f32 = 1e30;

/// Coordinates (x − origin)·2^−exponent, rounded to single precision. Chosen so that a scene lies within about ±1, at any place
/// and scale.
///
/// The map of a coordinate is **monotone**: x ≤ y implies f(x) ≤ f(y), because each of its steps (halving, subtracting the
/// same number, multiplying by the same positive number, rounding, clamping) is. So two intervals that meet still meet when all
/// four ends are mapped, and nothing has to be rounded outward.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    half_origin: DVec3,
    scale: f64,
}

impl Frame {
    /// The frame around all boxes; what is not finite is left out.
    pub fn around(boxes: impl IntoIterator<Item = Aabb>) -> Frame {
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for b in boxes {
            if b.min.is_finite() && b.max.is_finite() {
                low = low.min(b.min);
                high = high.max(b.max);
            }
        }
        if !low.is_finite() || !high.is_finite() {
            return Frame { half_origin: DVec3::ZERO, scale: 1.0 };
        }
        // Quarters and halves, since a sum or a difference of doubles may overflow.
        let half_origin = low * 0.25 + high * 0.25;
        Frame { half_origin, scale: scale_for((high * 0.25 - low * 0.25).max_element()) }
    }

    /// A coordinate in this frame.
    #[inline]
    pub(crate) fn map(&self, axis: usize, x: f64) -> f32 {
        let origin = match axis {
            0 => self.half_origin.x,
            1 => self.half_origin.y,
            _ => self.half_origin.z,
        };
        // Rounds to nearest; saturates at infinity, which the clamp takes back.
        (((x * 0.5 - origin) * self.scale) as f32).clamp(-FARTHEST, FARTHEST)
    }
}

/// The power of two that takes `size` ≥ 0 to about 1, as far as doubles reach.
fn scale_for(size: f64) -> f64 {
    if size == 0.0 {
        return 1.0;
    }
    // The biased exponent e of size is that of 2^(e − 1023); its inverse has the biased exponent 2046 − e.
    let biased = (size.to_bits() >> 52) & 0x7ff;
    f64::from_bits((2046 - biased).clamp(1, 2045) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn aabb(min: f64, max: f64) -> Aabb {
        Aabb { min: DVec3::splat(min), max: DVec3::splat(max) }
    }

    #[test]
    fn every_scale_and_place_lies_within_a_few_units() {
        for (min, max) in [
            (0.0, 0.0),
            (1e12, 1e12 + 1.0),
            (-1e308, 1e308),
            (-f64::MAX, f64::MAX),
            (0.0, 5e-324),
            (1e-310, 3e-310),
            (-1e-200, 1e-180),
        ] {
            let frame = Frame::around([aabb(min, max)]);
            let (low, high) = (frame.map(0, min), frame.map(0, max));
            assert!(low.abs() <= 4.0 && high.abs() <= 4.0 && low <= high, "{min} {max}: {low} {high}");
            assert!(max - min < 1e-300 || high - low > 0.4, "{min} {max}: {low} {high}");
        }
    }

    #[test]
    fn what_lies_outside_keeps_its_order() {
        let frame = Frame::around([aabb(0.0, 1e-300)]);
        assert!(frame.map(2, -f64::MAX) <= frame.map(2, -1.0));
        assert!(frame.map(1, f64::MAX).is_finite() && frame.map(1, 1.0) <= frame.map(1, f64::MAX));
        assert_eq!(Frame::around([aabb(f64::NAN, 1.0)]), Frame::around([]));
    }
}
