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

    /// About a length in this frame.
    pub(crate) fn length(&self, x: f32) -> f32 {
        (f64::from(x) * 0.5 * self.scale) as f32
    }

    /// A box that **encloses** all that is mapped into these ends.
    ///
    /// With y the end and x a coordinate mapped to it: rounding to single precision is off by 2⁻²⁴·|y| or half the least number
    /// above 0, the difference and the product before it by far less, so that the exact product lies within e = 2⁻²²·|y| + 10⁻⁴⁰
    /// of y. The way back is a division by a power of two, exact unless it leaves the range, and a sum; 2⁻⁵⁰ of the terms is
    /// more than it can be off.
    pub(crate) fn around_ends(&self, low: [f32; 3], high: [f32; 3]) -> Aabb {
        let origin = self.half_origin.to_array();
        let back = |k: usize, y: f32, out: f64| {
            let y = f64::from(y);
            let e = y.abs() * 2.0_f64.powi(-22) + 1e-40;
            let half = (y + out * e) / self.scale;
            let sum = half + origin[k];
            let x =
                2.0 * (sum + out * ((half.abs() + origin[k].abs()) * 2.0_f64.powi(-50) + f64::MIN_POSITIVE));
            if y.abs() >= f64::from(FARTHEST) * 0.999 || !x.is_finite() { out * f64::INFINITY } else { x }
        };
        Aabb {
            min: DVec3::from_array(std::array::from_fn(|k| back(k, low[k], -1.0))),
            max: DVec3::from_array(std::array::from_fn(|k| back(k, high[k], 1.0))),
        }
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

    #[test]
    fn the_way_back_is_a_box_around() {
        for (min, max) in [(0.0, 1.0), (1e12, 1e12 + 1.0), (-1e308, 1e308), (0.0, 5e-324), (-1e-200, 1e-180)]
        {
            let frame = Frame::around([aabb(min, max)]);
            for (low, high) in
                [(min, max), (min, min), (max, max), (-f64::MAX, 3.0), (f64::NEG_INFINITY, f64::INFINITY)]
            {
                let map = |x: f64| std::array::from_fn(|k| frame.map(k, x));
                let back = frame.around_ends(map(low), map(high));
                assert!(
                    back.min.cmple(DVec3::splat(low)).all() && back.max.cmpge(DVec3::splat(high)).all(),
                    "{back:?}"
                );
            }
        }
    }
}
