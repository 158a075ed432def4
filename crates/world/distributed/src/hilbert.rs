//! Places on the Hilbert curve through cells, in the order of Skilling (skilling2004).

/// Bits an axis: three times as many fit a word.
pub(crate) const BITS: u32 = 21;

/// Where the curve through all points of `BITS` bits an axis passes this one.
///
/// The leading 3k bits depend on the leading k bits of the coordinates only: so all points of an aligned cube of side 2^j take one
/// aligned interval of length 8^j, and cubes of all octaves share one curve.
pub(crate) fn place(point: [u32; 3]) -> u64 {
    let mut x = point;
    let mut bit = 1 << (BITS - 1);
    while bit > 1 {
        // Only bits below `bit` change, by bits at or above it.
        let below = bit - 1;
        for k in 0..3 {
            if x[k] & bit != 0 {
                x[0] ^= below;
            } else {
                let differ = (x[0] ^ x[k]) & below;
                x[0] ^= differ;
                x[k] ^= differ;
            }
        }
        bit >>= 1;
    }
    // Gray code.
    x[1] ^= x[0];
    x[2] ^= x[1];
    let mut flip = 0;
    let mut bit = 1 << (BITS - 1);
    while bit > 1 {
        if x[2] & bit != 0 {
            flip ^= bit - 1;
        }
        bit >>= 1;
    }
    let x = x.map(|x| x ^ flip);
    (0..BITS).rev().fold(0, |sum, k| x.iter().fold(sum, |sum, x| (sum << 1) | u64::from((x >> k) & 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All points of a cube of 16³: an interval, each place once, neighbours on the curve are neighbours in space.
    #[test]
    fn the_curve_passes_every_point_once_and_never_jumps() {
        for corner in [[0; 3], [16, 48, 1 << 20], [(1 << 21) - 16, 32, 160]] {
            let mut all = Vec::new();
            for k in 0..4096_u32 {
                let point = [corner[0] + k % 16, corner[1] + k / 16 % 16, corner[2] + k / 256];
                all.push((place(point), point));
            }
            all.sort_unstable();
            assert_eq!(all[0].0 % 4096, 0);
            for (k, (at, _)) in all.iter().enumerate() {
                assert_eq!(*at, all[0].0 + k as u64);
            }
            for two in all.windows(2) {
                let way: u32 = (0..3).map(|k| two[0].1[k].abs_diff(two[1].1[k])).sum();
                assert_eq!(way, 1, "{two:?}");
            }
        }
    }

    #[test]
    fn coarse_cubes_are_intervals_of_the_fine_curve() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..10_000 {
            let point = [(); 3].map(|()| random.u32(0..1 << BITS));
            let level = random.u32(0..=BITS);
            let low = ((1_u64 << level) - 1) as u32;
            let other = point.map(|x| (x & !low) | (random.u32(..) & low));
            assert_eq!(place(point) >> (3 * level), place(other) >> (3 * level));
        }
    }
}
