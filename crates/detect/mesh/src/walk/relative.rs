//! Where B's packed coordinates lie in A's.

use kontakt_hierarchy::PackedMap;
use kontakt_math::round::length_up;
use kontakt_math::{DVec3, U};

use crate::face::Between;
use crate::mesh::Mesh;

/// Bodies farther apart than this many times their sizes are *far*.
const FAR: f64 = 64.0;
/// Largest exponent of the ratio of sizes that single precision is asked to handle.
const MOST_RATIO: i32 = 50;

/// How two bodies lie to each other at first sight.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sight {
    /// Near enough and of sizes alike enough for single precision.
    Near(PackedMap),
    /// Proven to be apart, by more than all their sizes.
    Far(PackedMap),
    /// Sizes beyond comparison or coordinates beyond doubles: no box is a help.
    Blind,
}

impl Sight {
    /// Compares two bodies at their poses.
    pub(crate) fn of(between: &Between, a: &Mesh, b: &Mesh) -> Sight {
        let (a, b) = (a.tree(), b.tree());
        let origin = between.b_in_a(b.origin());
        let ratio = b.exponent() - a.exponent();
        let offset = origin - a.origin();
        let error = between.error_at(b.origin()) + 2.0 * U * length_up(offset);
        let unit = -a.exponent();
        let (shift, shift_error) = (scaled(offset, unit), 1.001 * scaled(DVec3::splat(error), unit).x);
        if ratio.abs() > MOST_RATIO || !shift.is_finite() || !shift_error.is_finite() {
            return Sight::Blind;
        }
        let scale = power(ratio);
        let relative = PackedMap::new(between.turn(), scale, shift, shift_error);
        let sizes = 1.0 + scale;
        if shift_error > sizes {
            Sight::Blind
        } else if length_up(shift) > FAR * sizes {
            Sight::Far(relative)
        } else {
            Sight::Near(relative)
        }
    }
}

/// 2^exponent, or 0 or infinity beyond the doubles.
fn power(exponent: i32) -> f64 {
    2.0_f64.powi(exponent)
}

/// x·2^exponent; in two steps, so that no step but the last can leave the doubles.
fn scaled(x: DVec3, exponent: i32) -> DVec3 {
    x * power(exponent / 2) * power(exponent - exponent / 2)
}
