//! What the search encloses: points or balls, asked block by block how far they reach from a centre.

use super::farthest;
use crate::ball::Sphere;
use kontakt_math::{DVec3, U};
use std::ops::Range;

/// A sequence of balls (points have radius 0).
pub(super) trait Sites {
    /// How many.
    fn count(&self) -> usize;

    /// One of them as a ball.
    fn ball(&self, index: usize) -> Sphere;

    /// **Never less** than the exact largest |p − centre| + ρ of the range; NaN or infinite if any number is not
    /// finite or overflows. Exact to 7u relative where distances lie within 1e±150.
    fn reach_above(&self, range: Range<usize>, centre: DVec3) -> f64;
}

/// |p − centre| + ρ to nearest.
pub(super) fn reach(ball: &Sphere, centre: DVec3) -> f64 {
    farthest::squared(ball.centre, centre).sqrt() + ball.radius
}

/// Never less than the exact distance whose square was computed as `squared` by [`farthest::squared`].
///
/// Proof: the computed square has a relative error below γ₅ (difference 1u twice, product 1u, two sums 2u), so its root
/// is below the exact distance by less than 2.6u, and rooting and the product here cost 1u each: 5u suffices.
/// 2⁻⁵⁰⁰ exceeds the root of all underflow errors together.
fn root_up(squared: f64) -> f64 {
    squared.sqrt() * (1.0 + 5.0 * U + U) + f64::from_bits((1023 - 500) << 52)
}

impl Sites for [DVec3] {
    fn count(&self) -> usize {
        self.len()
    }

    fn ball(&self, index: usize) -> Sphere {
        Sphere { centre: self[index], radius: 0.0 }
    }

    fn reach_above(&self, range: Range<usize>, centre: DVec3) -> f64 {
        root_up(farthest::most_squared(&self[range], centre))
    }
}

impl Sites for [Sphere] {
    fn count(&self) -> usize {
        self.len()
    }

    fn ball(&self, index: usize) -> Sphere {
        self[index]
    }

    fn reach_above(&self, range: Range<usize>, centre: DVec3) -> f64 {
        let mut most = 0.0_f64;
        let mut poison = 0.0;
        for ball in &self[range] {
            let reach = root_up(farthest::squared(ball.centre, centre)) + ball.radius;
            poison += reach;
            most = most.max(reach);
        }
        if poison.is_finite() { most * (1.0 + 2.0 * U) } else { f64::NAN }
    }
}
