//! Springs and dashpots against closed forms.

use kontakt_lab_dynamics::{Contact, Integrator, SpringGas, SpringGasError};
use kontakt_math::DVec3;

/// Two spheres head-on, across the border of the cube: how fast they part, and how deep they were.
fn head_on(contact: Contact, integrator: Integrator, dt: f64) -> (f64, f64, f64) {
    let spheres = [(DVec3::new(9.4, 5.0, 5.0), DVec3::X), (DVec3::new(0.6, 5.0, 5.0), -DVec3::X)];
    let mut gas = SpringGas::new(10.0, 0.5, 1.0, contact, integrator, &spheres).unwrap();
    while gas.time() < 0.4 {
        gas.step(dt);
    }
    let parting = gas.velocities()[1].x - gas.velocities()[0].x;
    (parting / 2.0, gas.deepest(), gas.kinetic() + gas.stored())
}

#[test]
fn two_spheres_part_as_the_oscillator_says() {
    let lasting = 0.02;
    for integrator in [Integrator::SemiImplicit, Integrator::Verlet] {
        let (speed, deep, energy) = head_on(Contact::elastic(1.0, lasting), integrator, lasting / 2000.0);
        // Half a swing of √(m/2k) · v.
        assert!((speed - 1.0).abs() < 1e-3 && (energy - 1.0).abs() < 2e-3, "{speed} {energy}");
        assert!((deep - 2.0 * lasting / std::f64::consts::PI).abs() < 1e-4, "{deep}");
        for e in [0.2, 0.5, 0.9] {
            let (speed, ..) = head_on(Contact::lossy(1.0, lasting, e), integrator, lasting / 2000.0);
            assert!((speed - e).abs() < 2e-3, "{speed} {e}");
        }
    }
}

/// Forces from the grid against all pairs and images: one step of a dense, random gas.
#[test]
fn no_contact_is_missed() {
    let mut random = fastrand::Rng::with_seed(4);
    for side in [3.0, 3.7, 8.0] {
        let mut number = || random.f64() * side;
        let spheres: Vec<(DVec3, DVec3)> =
            (0..200).map(|_| (DVec3::new(number(), number(), number()), DVec3::ZERO)).collect();
        let contact = Contact { stiffness: 10.0, damping: 0.0 };
        let mut gas = SpringGas::new(side, 0.5, 2.0, contact, Integrator::SemiImplicit, &spheres).unwrap();
        gas.step(1e-3);
        for (a, (at, _)) in spheres.iter().enumerate() {
            let mut force = DVec3::ZERO;
            for (b, (other, _)) in spheres.iter().enumerate().filter(|(b, _)| *b != a) {
                let mut way = *other - *at;
                way -= (way / side).round() * side;
                let overlap = 1.0 - way.length();
                assert!(a != b);
                if overlap > 0.0 {
                    force -= way.normalize() * (10.0 * overlap);
                }
            }
            assert!((gas.velocities()[a] - force * (1e-3 / 2.0)).length() < 1e-12, "{a}");
        }
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let contact = Contact::elastic(1.0, 0.1);
    let new = |side: f64, radius: f64, at: f64| {
        SpringGas::new(side, radius, 1.0, contact, Integrator::Verlet, &[(DVec3::splat(at), DVec3::ZERO)])
            .unwrap_err()
    };
    assert!(matches!(new(0.0, 0.5, 1.0), SpringGasError::Value { what: "side", .. }));
    assert!(matches!(new(2.0, 0.5, 1.0), SpringGasError::TooNarrow { .. }));
    assert_eq!(new(9.0, 0.5, f64::NAN), SpringGasError::NotFinite(0));
}
