//! What the fuzz targets of `tools/fuzz` found, one test a finding: each failed before its fix.

use kontakt_lab_flat::{Circle, FlatBound, FlatKDop, FlatPose};
use kontakt_math::DVec2;

/// Of a circle at the least doubles: a radius that grew by an error which had underflowed to zero.
#[test]
fn a_circle_at_the_least_doubles_is_turned_with_room_for_rounding() {
    let centre = DVec2::new(12_689.0, 19_763.0) * f64::from_bits(1);
    let circle = Circle::new(centre, 0.0).expect("a point");
    for angle in [0.1, 1.0, 2.0, 3.0] {
        let turned = circle.transformed(&FlatPose::new(angle, DVec2::ZERO).expect("finite"));
        assert!(turned.radius > 0.0);
    }
    let still = circle.transformed(&FlatPose::IDENTITY);
    assert_eq!(still, circle);
}

/// Areas of polygons overflowed to ∞ − ∞, which is NaN, and a NaN cost makes a search keep anything.
#[test]
fn sizes_of_huge_flat_things_are_numbers() {
    let corners = [[-1.0, 0.5], [-0.999, 1.5], [-0.998, 0.2]].map(|p| DVec2::from_array(p) * 1e255);
    let measure = FlatKDop::<4>::fit(&corners).expect("finite").measure();
    assert!(measure.area == f64::INFINITY && measure.perimeter.is_finite());
    let corner = FlatKDop::<8>::fit(&[DVec2::new(-1.74e308, 0.0)]).expect("finite");
    assert!(corner.measure().perimeter >= 0.0);
}
