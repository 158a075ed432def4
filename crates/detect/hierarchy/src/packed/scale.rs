//! Packed coordinates: the body's coordinates moved and scaled by a power of two into ±1.

use kontakt_math::DVec3;

/// The map (x − origin)·2^−exponent, with the power kept as two factors because 2^1074 is not a double.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scale {
    pub(crate) origin: DVec3,
    pub(crate) exponent: i32,
    factors: [f64; 2],
}

impl Scale {
    /// The map given by its parts.
    pub(crate) fn new(origin: DVec3, exponent: i32) -> Scale {
        let first = -exponent / 2;
        Scale { origin, exponent, factors: [first, -exponent - first].map(|e| f64::powi(2.0, e)) }
    }

    /// The map that takes a finite box into ±1: its middle to 0, and the scale the largest power of two that fits.
    pub(crate) fn around(low: DVec3, high: DVec3) -> Scale {
        let origin = low * 0.5 + high * 0.5;
        // The middle may round to either side, so the farther end counts.
        let reach = (high - origin).max(origin - low).max_element();
        Scale::new(origin, if reach > 0.0 { exponent_above(reach) } else { 0 })
    }

    /// Packed coordinates, rounded to single precision.
    ///
    /// **Error.** For points of the box the scale was made for, each coordinate is within 2⁻²⁵·(1 + 2⁻²⁷) of the exact one:
    /// the exact value is within ±1; the difference in double precision costs 2⁻⁵³ of it (no overflow: it is at most half
    /// the box), the powers of two nothing but 2⁻¹⁰⁷⁴, and rounding a number within ±1 to single precision at most 2⁻²⁵.
    #[inline(always)]
    pub(crate) fn pack(&self, x: DVec3) -> [f32; 3] {
        self.to_packed(x).to_array().map(|c| c as f32)
    }

    /// Packed coordinates to nearest: 2⁻⁵³ relative to each difference.
    #[inline(always)]
    pub(crate) fn to_packed(self, x: DVec3) -> DVec3 {
        (x - self.origin) * self.factors[0] * self.factors[1]
    }

    /// A length of the body in packed units; exact unless it leaves the range of normal doubles.
    #[inline(always)]
    pub(crate) fn length_to_packed(&self, length: f64) -> f64 {
        length * self.factors[0] * self.factors[1]
    }
}

/// The smallest e with x ≤ 2^e, for finite x > 0.
fn exponent_above(x: f64) -> i32 {
    let bits = x.to_bits();
    let biased = (bits >> 52) as i32 & 0x7ff;
    let fraction = bits & ((1 << 52) - 1);
    if biased == 0 {
        // Subnormal: fraction · 2^−1074.
        let top = fraction.ilog2().cast_signed();
        return top - 1074 + i32::from(!fraction.is_power_of_two());
    }
    biased - 1023 + i32::from(fraction != 0)
}

/// The box around points.
pub(crate) fn box_around(points: impl Iterator<Item = DVec3>) -> (DVec3, DVec3) {
    points.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_are_tight_at_both_ends() {
        for (x, e) in [(1.0, 0), (1.5, 1), (2.0, 1), (0.5, -1), (f64::from_bits(1), -1074), (f64::MAX, 1024)]
        {
            assert_eq!(exponent_above(x), e, "{x}");
        }
        assert_eq!(exponent_above(f64::from_bits(3)), -1072);
        assert_eq!(exponent_above(f64::MIN_POSITIVE), -1022);
    }

    #[test]
    fn all_sizes_fit_within_one() {
        for size in [1e-320, 1e-300, 1e-5, 1.0, 3.0, 1e12, 1e300, f64::MAX] {
            for place in [0.0, 0.5 * size, -size] {
                let low = DVec3::new(-size, place.min(0.0), 0.0);
                let high = DVec3::new(size, place.max(0.0), 0.0);
                let scale = Scale::around(low, high);
                let reach = scale.to_packed(low).abs().max(scale.to_packed(high).abs());
                assert!(reach.max_element() <= 1.0, "{size}");
                let widest = scale.pack(high)[0].max(-scale.pack(low)[0]);
                assert!(widest > 0.5 && widest <= 1.0, "{size} {widest}");
                assert!((scale.length_to_packed(size) / f64::from(widest) - 1.0).abs() < 1e-4, "{size}");
            }
        }
        let point = Scale::around(DVec3::ONE, DVec3::ONE);
        assert_eq!(point.pack(DVec3::ONE), [0.0; 3]);
    }
}
