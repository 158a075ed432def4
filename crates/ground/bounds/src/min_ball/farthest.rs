//! The inner loop of the search: the largest squared distance of a slice of points from a centre.
//!
//! All variants do the same operations in the same order on each point (no fused ones), so they agree in every bit.

use kontakt_math::DVec3;

/// |p − c|² to nearest: relative error below 5u/(1−5u) unless it under- or overflows.
#[inline]
pub(super) fn squared(p: DVec3, c: DVec3) -> f64 {
    let d = p - c;
    (d.x * d.x + d.y * d.y) + d.z * d.z
}

/// The largest [`squared`] distance; NaN or infinite when any of them is.
#[inline]
pub(super) fn most_squared(points: &[DVec3], centre: DVec3) -> f64 {
    #[cfg(target_arch = "x86_64")]
    {
        if let Some(most) = super::farthest_x86::most_squared(points, centre) {
            return most;
        }
    }
    most_squared_portable(points, centre)
}

/// The twin that runs anywhere.
pub(super) fn most_squared_portable(points: &[DVec3], centre: DVec3) -> f64 {
    let (mut most, mut poison) = (0.0_f64, 0.0_f64);
    for point in points {
        let square = squared(*point, centre);
        // A NaN would get lost in `max`, but not in a sum.
        poison += square;
        most = most.max(square);
    }
    if poison.is_finite() { most } else { poison }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::Generator;

    #[test]
    fn every_variant_gives_the_same_bits() {
        let mut generator = Generator::free(3);
        for count in 0..70 {
            let points: Vec<DVec3> = generator.points(count).into_iter().map(DVec3::from_array).collect();
            let centre = DVec3::from_array(generator.point());
            let expected = most_squared_portable(&points, centre);
            assert_eq!(most_squared(&points, centre).to_bits(), expected.to_bits());
            #[cfg(target_arch = "x86_64")]
            for most in super::super::farthest_x86::every_variant(&points, centre) {
                assert_eq!(most.to_bits(), expected.to_bits());
            }
        }
    }

    #[test]
    fn no_variant_loses_a_number_that_is_not_finite() {
        for bad in [f64::NAN, f64::INFINITY, f64::MAX] {
            for place in 0..35 {
                let mut points = vec![DVec3::splat(0.5); 35];
                points[place].y = bad;
                assert!(!most_squared(&points, DVec3::ZERO).is_finite());
                assert!(!most_squared_portable(&points, DVec3::ZERO).is_finite());
                #[cfg(target_arch = "x86_64")]
                for most in super::super::farthest_x86::every_variant(&points, DVec3::ZERO) {
                    assert!(!most.is_finite());
                }
            }
        }
    }
}
