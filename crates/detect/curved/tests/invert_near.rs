//! Plain inversion comes back to where it began, and is no farther than any sample.

mod random;

use kontakt_curved::{Curve, Surface};
use random::{frame, nurbs_curve, nurbs_surface, surfaces, vector};
use std::f64::consts::TAU;

fn domain(surface: &Surface) -> [[f64; 2]; 2] {
    let finite = |domain: [f64; 2]| if domain[0].is_finite() { domain } else { [-3.0, 3.0] };
    match surface {
        Surface::Nurbs(surface) => surface.domain(),
        Surface::Extrusion { curve, .. } => [finite(curve.domain()), [-3.0, 3.0]],
        Surface::Revolution { curve, .. } => [[0.0, TAU], finite(curve.domain())],
        Surface::Sphere { .. } => [[0.0, TAU], [-TAU / 4.0, TAU / 4.0]],
        _ => [[0.0, TAU], [-3.0, 3.0]],
    }
}

#[test]
fn points_of_a_surface_are_found_on_it() {
    let mut rng = fastrand::Rng::with_seed(21);
    for _ in 0..100 {
        let mut all = surfaces(&mut rng);
        all.extend((0..4).map(|_| Surface::Nurbs(nurbs_surface(&mut rng))));
        for surface in all {
            let [u, v] = domain(&surface).map(|[lo, hi]| lo + (hi - lo) * rng.f64());
            let point = surface.point(u, v);
            let free = surface.invert_near(point, None).unwrap();
            let gap = (surface.point(free[0], free[1]) - point).length();
            assert!(gap < 1e-7, "{surface:?} at {u} {v}: {free:?}, off by {gap}");
            let guess = [u + 1e-3 * (rng.f64() - 0.5), v + 1e-3 * (rng.f64() - 0.5)];
            let near = surface.invert_near(point, Some(guess)).unwrap();
            let gap = (surface.point(near[0], near[1]) - point).length();
            assert!(gap < 1e-7, "{surface:?} at {u} {v} from {guess:?}: {near:?}, off by {gap}");
            for (free, period) in free.into_iter().zip(surface.periods()) {
                assert!(period.is_none_or(|period| (0.0..period).contains(&free)), "{surface:?}: {free}");
            }
        }
    }
}

#[test]
fn no_sample_of_an_analytic_surface_is_nearer() {
    let mut rng = fastrand::Rng::with_seed(22);
    for _ in 0..50 {
        for surface in surfaces(&mut rng) {
            let spline = |curve: &Curve| matches!(curve, Curve::Nurbs(_));
            if matches!(&surface, Surface::Extrusion { curve, .. } | Surface::Revolution { curve, .. } if spline(curve))
            {
                continue;
            }
            let point = vector(&mut rng);
            let [u, v] = surface.invert_near(point, None).unwrap();
            let gap = (surface.point(u, v) - point).length();
            let [us, vs] = domain(&surface);
            for _ in 0..400 {
                let [a, b] = [us, vs].map(|[lo, hi]| lo + (hi - lo) * rng.f64());
                let sample = (surface.point(a, b) - point).length();
                assert!(
                    sample >= gap - 1e-9,
                    "{surface:?}, {point}: {u} {v} at {gap}, but {a} {b} at {sample}"
                );
            }
        }
    }
}

#[test]
fn points_of_a_curve_are_found_on_it() {
    let mut rng = fastrand::Rng::with_seed(23);
    for round in 0..500 {
        let curve = match round % 3 {
            0 => Curve::Line { origin: vector(&mut rng), direction: vector(&mut rng) },
            1 => Curve::Ellipse { frame: frame(&mut rng), radii: [rng.f64() + 0.1, rng.f64() + 0.1] },
            _ => Curve::Nurbs(nurbs_curve(&mut rng)),
        };
        let [lo, hi] = if curve.domain()[0].is_finite() { curve.domain() } else { [0.0, TAU] };
        let t = lo + (hi - lo) * rng.f64();
        let point = curve.point(t);
        for guess in [None, Some(t + 1e-3 * (rng.f64() - 0.5))] {
            let found = curve.invert_near(point, guess).unwrap();
            let gap = (curve.point(found) - point).length();
            assert!(gap < 1e-7, "{curve:?} at {t}: {found}, off by {gap}");
        }
        let aside = vector(&mut rng);
        let found = curve.invert_near(aside, None).unwrap();
        let gap = (curve.point(found) - aside).length();
        for _ in 0..100 {
            let sample = (curve.point(lo + (hi - lo) * rng.f64()) - aside).length();
            assert!(sample >= gap - 1e-9, "{curve:?}: {gap} but {sample}");
        }
    }
}
