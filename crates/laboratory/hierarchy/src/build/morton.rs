//! Morton codes: places in space as one number, near places with near numbers.

use super::workpiece::Workpiece;
use kontakt_math::DVec3;

/// Bits per axis.
const BITS: u32 = 21;

/// The code of a place in working coordinates: 21 bits an axis, interleaved, x lowest. Places outside ±1 are moved to the
/// border.
pub(super) fn code(place: DVec3) -> u64 {
    spread(cell(place.x)) | spread(cell(place.y)) << 1 | spread(cell(place.z)) << 2
}

#[expect(clippy::cast_sign_loss, reason = "clamped to what is not negative")]
fn cell(x: f64) -> u64 {
    ((x * 0.5 + 0.5) * f64::from(1 << BITS)).clamp(0.0, f64::from((1 << BITS) - 1)) as u64
}

/// The codes of the middles of all faces.
pub(super) fn codes(workpiece: &Workpiece<'_>) -> Vec<u64> {
    workpiece.centroids.iter().map(|c| code(*c)).collect()
}

/// Moves bit i to bit 3i.
fn spread(x: u64) -> u64 {
    let mut x = x & 0x1F_FFFF;
    x = (x | x << 32) & 0x001F_0000_0000_FFFF;
    x = (x | x << 16) & 0x001F_0000_FF00_00FF;
    x = (x | x << 8) & 0x100F_00F0_0F00_F00F;
    x = (x | x << 4) & 0x10C3_0C30_C30C_30C3;
    (x | x << 2) & 0x1249_2492_4924_9249
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_go_to_their_places() {
        for bit in 0..BITS {
            assert_eq!(spread(1 << bit), 1 << (3 * bit));
        }
        assert_eq!(code(DVec3::splat(-1.0)), 0);
        assert_eq!(code(DVec3::splat(1.0)), (1 << 63) - 1);
        assert_eq!(code(DVec3::new(0.0, -1.0, -1.0)), 1 << 60);
    }
}
