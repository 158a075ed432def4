//! Sizes of slab solids whose formulas are known, and direction sets that cannot bound space.

use kontakt_bounds::{
    Aabb, Bound, DirectionSet, Dop6, Dop8, Dop12, Dop14, Dop18, Dop20, Dop24, Dop26, FitError, Measure, Obb,
    SlabVolume, Support,
};
use kontakt_math::DVec3;
use std::sync::Arc;

fn near(found: Measure, volume: f64, surface: f64, diameter: f64) {
    for (name, found, expected) in [
        ("volume", found.volume, volume),
        ("surface", found.surface, surface),
        ("diameter", found.diameter, diameter),
    ] {
        assert!((found - expected).abs() <= 1e-9 * (1.0 + expected), "{name}: {found}, not {expected}");
    }
}

#[test]
fn sizes_of_known_solids() {
    let octahedron = [DVec3::X, DVec3::Y, DVec3::Z, -DVec3::X, -DVec3::Y, -DVec3::Z];
    near(Dop8::fit(&octahedron).expect("finite").measure(), 4.0 / 3.0, 4.0 * 3.0_f64.sqrt(), 2.0);
    let cube = Aabb { min: DVec3::ZERO, max: DVec3::new(1.0, 2.0, 3.0) };
    let box_sizes = (6.0, 22.0, 14.0_f64.sqrt());
    near(cube.measure(), box_sizes.0, box_sizes.1, box_sizes.2);
    near(Dop6::fit(&cube.corners()).expect("finite").measure(), box_sizes.0, box_sizes.1, box_sizes.2);
    near(Dop14::fit(&cube.corners()).expect("finite").measure(), box_sizes.0, box_sizes.1, box_sizes.2);
    near(Dop26::fit(&cube.corners()).expect("finite").measure(), box_sizes.0, box_sizes.1, box_sizes.2);
    near(Obb::from_aabb(&cube).measure(), box_sizes.0, box_sizes.1, box_sizes.2);
    let dodecahedron = Dop12 { min: [-2.0; 6], max: [2.0; 6] };
    near(dodecahedron.measure(), 16.0, 24.0 * 2.0_f64.sqrt(), 4.0);
}

#[test]
fn flat_thin_and_huge_solids_are_finite_or_infinite_never_nan() {
    let square = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::new(1.0, 1.0, 0.0)];
    let flat = Dop18::fit(&square).expect("finite").measure();
    assert!(flat.volume.abs() < 1e-15 && (flat.surface - 2.0).abs() < 1e-9);
    let segment = Dop26::fit(&[DVec3::ZERO, DVec3::X]).expect("finite").measure();
    assert!((segment.diameter - 1.0).abs() < 1e-9 && segment.volume.abs() < 1e-15);
    let point = Dop24::fit(&[DVec3::splat(0.1)]).expect("finite").measure();
    assert!(point.volume == 0.0 || point.volume < 1e-40);
    let huge = Dop20::fit(&[DVec3::ZERO, DVec3::X * 1e300]).expect("finite").measure();
    assert!(!huge.volume.is_nan() && !huge.surface.is_nan() && huge.diameter >= 0.9e300);
    let plate = Aabb { min: DVec3::ZERO, max: DVec3::new(0.0, 1e300, 1e300) }.measure();
    assert_eq!(plate.volume, 0.0);
}

fn refusal(directions: &[DVec3]) -> String {
    match DirectionSet::bounding(directions) {
        Err(FitError::Parameter { what }) => what,
        other => panic!("expected a refusal, got {other:?}"),
    }
}

#[test]
fn direction_sets_that_do_not_bound_space_are_named() {
    assert!(refusal(&[]).contains("empty"));
    assert!(refusal(&[DVec3::X, DVec3::ZERO]).contains("direction 1"));
    assert!(refusal(&[DVec3::X, DVec3::NAN]).contains("direction 1"));
    assert!(refusal(&[DVec3::X, DVec3::Y, -3.0 * DVec3::X]).contains("0 and 2 are parallel"));
    let coplanar = [DVec3::X, DVec3::Y, DVec3::new(1.0, 1.0, 0.0), DVec3::new(1.0, -0.3, 0.0)];
    assert!(refusal(&coplanar).contains("do not bound space"));
    let huge = [DVec3::X * 1e300, DVec3::Y * 1e-300, DVec3::new(1e300, 1e300, 1e300)];
    assert!(DirectionSet::bounding(&huge).is_ok());
}

#[test]
fn an_open_slab_volume_says_so() {
    let set = Arc::new(DirectionSet::any(&[DVec3::X, DVec3::new(0.0, 1.0, 0.0)]).expect("independent"));
    let tube = SlabVolume::fit_along(set, &[DVec3::ZERO, DVec3::new(1.0, 2.0, 3.0)]).expect("finite");
    assert_eq!(tube.reach(DVec3::X), 1.0_f64.max(tube.max()[0]));
    assert_eq!(tube.reach(DVec3::Z), f64::INFINITY);
    assert_eq!(tube.measure().volume, f64::INFINITY);
    assert!(tube.contains(DVec3::new(0.5, 0.5, 1e9)) && !tube.contains(DVec3::new(1.5, 0.5, 0.0)));
    assert!(tube.contains(tube.farthest(DVec3::new(1.0, -1.0, 0.5))));
    let other = tube.transformed(&kontakt_math::Pose::IDENTITY);
    assert!(tube.may_overlap(&other));
}
