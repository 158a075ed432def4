//! Certified inversion finds all parameters, and proves them.

mod random;
mod thesis;

use kontakt_curved::{Curve, Preimages, Surface};
use kontakt_math::DVec3;
use random::{frame, nurbs_curve, nurbs_surface, surfaces, vector};
use std::f64::consts::TAU;

/// Table 2.1: 500 points of each surface, all certified.
#[test]
fn the_points_of_table_2_1_are_found_and_proven() {
    for (name, spline) in thesis::table() {
        let mut rng = fastrand::Rng::with_seed(5);
        let surface = Surface::Nurbs(spline);
        let mut boxes = 0;
        let begun = std::time::Instant::now();
        for _ in 0..500 {
            let at = [rng.f64(), rng.f64()];
            let found = surface.invert(surface.point(at[0], at[1]), 1e-9);
            assert!(found.complete, "{name} at {at:?}");
            assert_eq!(found.places.len(), 1, "{name} at {at:?}: {found:?}");
            assert!(holds(&found, at, [None; 2]), "{name} at {at:?}: {found:?}");
            assert!(found.places[0].proven, "{name} at {at:?}: {found:?}");
            boxes += found.boxes;
        }
        let each = begun.elapsed().as_secs_f64() * 1e3 / 500.0;
        println!("{name}: {each:.4} ms, {} boxes each", boxes as f64 / 500.0);
    }
}

fn holds(found: &Preimages<2>, at: [f64; 2], periods: [Option<f64>; 2]) -> bool {
    found.places.iter().any(|place| {
        (0..2).all(|i| {
            let range = place.within[i];
            // The test's own parameters are exact, what a period adds is not.
            let turned = |k: f64| at[i] + k * periods[i].unwrap_or(0.0);
            range.contains(at[i])
                || (periods[i].is_some()
                    && [-2.0, -1.0, 0.0, 1.0, 2.0]
                        .iter()
                        .any(|&k| range.lo() - 1e-12 <= turned(k) && turned(k) <= range.hi() + 1e-12))
        })
    })
}

#[test]
fn no_parameters_of_any_surface_are_missed() {
    let mut rng = fastrand::Rng::with_seed(31);
    for _ in 0..40 {
        let mut all = surfaces(&mut rng);
        all.extend((0..3).map(|_| Surface::Nurbs(nurbs_surface(&mut rng))));
        for surface in all {
            let finite = |domain: [f64; 2]| if domain[0].is_finite() { domain } else { [-3.0, 3.0] };
            let [us, vs] = match &surface {
                Surface::Nurbs(surface) => surface.domain(),
                Surface::Extrusion { curve, .. } => [finite(curve.domain()), [-3.0, 3.0]],
                Surface::Revolution { curve, .. } => [[0.0, TAU], finite(curve.domain())],
                Surface::Sphere { .. } => [[0.0, TAU], [-1.5, 1.5]],
                _ => [[0.0, TAU], [-3.0, 3.0]],
            };
            let at = [us, vs].map(|[lo, hi]| lo + (hi - lo) * rng.f64());
            let aside = vector(&mut rng).normalize() * 1e-6 * rng.f64();
            let point = surface.point(at[0], at[1]) + aside;
            for distance in [1e-6, 1e-3] {
                let found = surface.invert(point, distance);
                assert!(holds(&found, at, surface.periods()), "{surface:?} at {at:?}: {found:?}");
                if found.complete {
                    assert!(found.places.len() < 20, "{surface:?} at {at:?}: {found:?}");
                }
            }
            let far = surface.invert(point + DVec3::splat(1e3), 1e-6);
            assert!(far.places.iter().all(|place| !place.proven) || surface.kind() != "sphere");
        }
    }
}

#[test]
fn seams_and_poles_return_all_parameters() {
    let torus = Surface::Nurbs(thesis::torus());
    let found = torus.invert(torus.point(0.0, 0.0), 1e-9);
    assert_eq!(found.places.len(), 4, "{found:?}");
    for at in [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]] {
        assert!(holds(&found, at, [None; 2]), "{found:?}");
    }
    for surface in [thesis::sphere(), thesis::cone()] {
        let surface = Surface::Nurbs(surface);
        let found = surface.invert(surface.point(0.3, 1.0), 1e-9);
        for k in 0..=100 {
            assert!(holds(&found, [f64::from(k) / 100.0, 1.0], [None; 2]), "{found:?}");
        }
        assert_eq!(found.places.len(), 1, "{found:?}");
        assert!(found.places[0].proven && found.complete, "{found:?}");
    }
}

#[test]
fn no_parameters_of_any_curve_are_missed() {
    let mut rng = fastrand::Rng::with_seed(32);
    for round in 0..300 {
        let curve = match round % 3 {
            0 => Curve::Line { origin: vector(&mut rng), direction: vector(&mut rng) },
            1 => Curve::Ellipse { frame: frame(&mut rng), radii: [rng.f64() + 0.1, rng.f64() + 0.1] },
            _ => Curve::Nurbs(nurbs_curve(&mut rng)),
        };
        let [lo, hi] = if curve.domain()[0].is_finite() { curve.domain() } else { [0.0, TAU] };
        let t = lo + (hi - lo) * rng.f64();
        let point = curve.point(t) + vector(&mut rng).normalize() * 0.9e-6 * rng.f64();
        let found = curve.invert(point, 1e-6);
        let inside = |place: &kontakt_curved::Preimage<1>| {
            let range = place.within[0];
            range.contains(t) || (curve.period().is_some() && range.contains(t + TAU))
        };
        assert!(found.complete && found.places.iter().any(inside), "{curve:?} at {t}: {found:?}");
        assert!(found.places.len() < 4, "{found:?}");
    }
}

/// In closed form as well: a sphere's pole, a cone's apex and a spindle's have every angle, a point beside them a narrow one.
#[test]
fn singular_places_of_analytic_surfaces_have_every_angle() {
    let frame = frame(&mut fastrand::Rng::with_seed(33));
    let cases = [
        (Surface::Sphere { frame, radius: 2.0 }, [1.0, TAU / 4.0]),
        (Surface::Cone { frame, radii: [1.0, 2.0], slope: -0.5 }, [1.0, 2.0]),
        (Surface::Torus { frame, major: 1.0, minor: 2.0 }, [1.0, TAU / 3.0]),
    ];
    for (surface, [u, v]) in cases {
        let found = surface.invert(surface.point(u, v), 1e-9);
        for k in 0..63 {
            assert!(holds(&found, [f64::from(k) * 0.1, v], surface.periods()), "{surface:?}: {found:?}");
        }
        assert!(found.places.iter().any(|place| place.proven), "{surface:?}: {found:?}");
        let beside = surface.invert(surface.point(u, v - 0.01), 1e-9);
        assert_eq!(beside.places.len(), 1, "{surface:?}: {beside:?}");
        assert!(beside.places[0].proven && beside.places[0].within.iter().all(|x| x.width() < 1e-5));
    }
}
