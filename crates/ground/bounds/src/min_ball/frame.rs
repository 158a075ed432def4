//! A coordinate frame in which the data have about unit size, for data near the ends of the range of doubles.

use super::support::power_of_two_near;
use crate::ball::Sphere;
use kontakt_math::{DVec3, U};

/// x ↦ (x − origin)/scale; `scale` is a power of two. Large scales go with origin zero, so that the map is exact but
/// for underflow of what is 2⁻¹⁰⁰⁰ of the whole; with small scales only the difference rounds, by u relative.
pub(crate) struct Frame {
    origin: DVec3,
    scale: f64,
}

impl Frame {
    /// A frame for these balls (finite, at least one); `None` if all are one point.
    pub(crate) fn around(balls: &[Sphere]) -> Option<Frame> {
        let first = balls.first()?;
        let (mut low, mut high, mut radius) = (first.centre, first.centre, 0.0_f64);
        for ball in balls {
            low = low.min(ball.centre);
            high = high.max(ball.centre);
            radius = radius.max(ball.radius);
        }
        let half_extent = (high * 0.5 - low * 0.5).max_element();
        // Halving loses what is below the least double; the plain difference does not, and cannot overflow then.
        let extent = (high - low).max_element();
        let size = if extent.is_finite() { extent } else { half_extent }.max(radius);
        if size == 0.0 {
            return None;
        }
        let scale = power_of_two_near(size);
        let origin = if scale > 1.0 { DVec3::ZERO } else { first.centre };
        Some(Frame { origin, scale })
    }

    fn shrink(&self, difference_of: DVec3, from: DVec3) -> DVec3 {
        let factor = 1.0 / self.scale;
        if self.scale > 1.0 {
            difference_of * factor - from * factor
        } else {
            (difference_of - from) * factor
        }
    }

    /// The ball in this frame.
    pub(crate) fn enter(&self, ball: &Sphere) -> Sphere {
        Sphere { centre: self.shrink(ball.centre, self.origin), radius: ball.radius * (1.0 / self.scale) }
    }

    /// A point of this frame in the outer one, to rounding.
    pub(crate) fn leave_point(&self, point: DVec3) -> DVec3 {
        self.origin + point * self.scale
    }

    /// A difference of points of this frame in the outer one, to rounding.
    pub(crate) fn leave_vector(&self, vector: DVec3) -> DVec3 {
        vector * self.scale
    }

    /// **Never less** than the exact |p − centre| + ρ in the outer frame, with room for a checker in plain doubles.
    ///
    /// Proof: components of the shrunk difference are right to u relative and 2⁻¹⁰⁷⁴ absolute, their squares' sum to 6u,
    /// the root to 4u, all that follows to 2u; the factor spends 12u. The absolute parts are below 2⁻⁵³⁰ in the root.
    /// `next_up` covers a subnormal result.
    pub(crate) fn reach_above(&self, ball: &Sphere, centre: DVec3) -> f64 {
        let inside = self.shrink(ball.centre, centre);
        let distance = inside.length();
        let reach = (distance + ball.radius * (1.0 / self.scale)) * (1.0 + 12.0 * U);
        if reach == 0.0 { 0.0 } else { ((reach + f64::from_bits((1023 - 500) << 52)) * self.scale).next_up() }
    }

    /// **Never more** than the outer length of a length of this frame that is itself a lower bound for coordinates
    /// rounded by [`Frame::enter`]: those moved by at most 2u of the extent, which is at most twice the radius.
    pub(crate) fn leave_length_below(&self, length: f64) -> f64 {
        (length * (1.0 - 16.0 * U) * self.scale).next_down().max(0.0)
    }
}
