//! How a hand moves things.

use kontakt::math::DVec3;

/// Slow, quick, slow: from 0 to 1.
pub(crate) fn eased(t: f64) -> f64 {
    t * t * (3.0 - 2.0 * t)
}

/// Something like a hand's tremble: no two steps alike, the same on every machine.
pub(crate) fn unsteady(t: f64) -> DVec3 {
    DVec3::new(
        (37.0 * t).sin() + 0.5 * (81.0 * t + 1.0).sin(),
        (43.0 * t + 2.0).sin() + 0.5 * (67.0 * t).cos(),
        (29.0 * t + 1.0).sin(),
    )
}
