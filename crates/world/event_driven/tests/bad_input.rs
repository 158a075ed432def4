//! What cannot be a gas is refused by name.

use kontakt_event_driven::{Domain, Gas, GasError, Restitution, Sphere};
use kontakt_math::DVec3;

fn sphere(x: f64) -> Sphere {
    Sphere { centre: DVec3::new(x, 5.0, 5.0), velocity: DVec3::X, radius: 0.5, mass: 1.0 }
}

fn refused(domain: Domain, spheres: &[Sphere]) -> GasError {
    Gas::new(domain, Restitution::ELASTIC, spheres).unwrap_err()
}

#[test]
fn spheres() {
    let domain = Domain::periodic(DVec3::splat(10.0));
    assert_eq!(refused(domain, &[]), GasError::Empty);
    for mass in [0.0, -1.0, f64::INFINITY, f64::NAN] {
        let error = refused(domain, &[sphere(1.0), Sphere { mass, ..sphere(5.0) }]);
        assert!(matches!(error, GasError::Value { sphere: 1, what: "mass", .. }), "{error}");
    }
    for radius in [0.0, -1.0, f64::INFINITY, f64::NAN] {
        let error = refused(domain, &[Sphere { radius, ..sphere(5.0) }]);
        assert!(matches!(error, GasError::Value { sphere: 0, what: "radius", .. }), "{error}");
    }
    for bad in [f64::NAN, f64::INFINITY, 1e200] {
        let error = refused(domain, &[Sphere { velocity: DVec3::Y * bad, ..sphere(5.0) }]);
        assert!(matches!(error, GasError::Value { sphere: 0, what: "velocity", .. }), "{error}");
        let error = refused(domain, &[Sphere { centre: DVec3::Z * bad, ..sphere(5.0) }]);
        assert!(matches!(error, GasError::Value { sphere: 0, what: "centre", .. }), "{error}");
    }
    assert!(matches!(refused(domain, &[sphere(10.5)]), GasError::Outside { sphere: 0, axis: 'x', .. }));
    // With walls the whole sphere must be inside; without, its centre.
    let walled = Domain::walled(DVec3::splat(10.0));
    assert!(matches!(refused(walled, &[sphere(0.4)]), GasError::Outside { sphere: 0, axis: 'x', .. }));
    assert!(Gas::new(domain, Restitution::ELASTIC, &[sphere(0.4)]).is_ok());
}

#[test]
fn overlapping_spheres_are_named() {
    let domain = Domain::periodic(DVec3::splat(10.0));
    let error = refused(domain, &[sphere(3.0), sphere(7.0), sphere(6.5)]);
    assert_eq!(error, GasError::Overlap { a: 1, b: 2, depth: 0.5 });
    // Across the end of the domain too.
    let error = refused(domain, &[sphere(0.25), sphere(9.75)]);
    assert_eq!(error, GasError::Overlap { a: 0, b: 1, depth: 0.5 });
    // Touching is no overlap.
    assert!(Gas::new(domain, Restitution::ELASTIC, &[sphere(3.0), sphere(4.0)]).is_ok());
}

#[test]
fn domains_and_restitution() {
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-200] {
        let error = refused(Domain::periodic(DVec3::new(10.0, bad, 10.0)), &[sphere(1.0)]);
        assert!(matches!(error, GasError::Side { axis: 'y', .. }), "{error}");
    }
    let narrow = refused(Domain::periodic(DVec3::new(10.0, 10.0, 2.9)), &[sphere(1.0)]);
    assert!(matches!(narrow, GasError::TooNarrow { axis: 'z', .. }), "{narrow}");
    for bad in [-0.1, 1.1, f64::NAN] {
        assert!(matches!(Restitution::new(bad, 1.0), Err(GasError::Restitution(_))));
        assert!(matches!(Restitution::new(1.0, bad), Err(GasError::Restitution(_))));
    }
}
