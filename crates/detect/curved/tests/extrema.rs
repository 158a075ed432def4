//! Every stationary place that plain Newton's method finds from random starts is among the certified ones.

mod random;
mod thesis;

use kontakt_curved::extrema::Place;
use kontakt_curved::newton::Known;
use kontakt_curved::{Aim, Curve, Frame, Surface};
use kontakt_math::DVec3;
use random::{frame, nurbs_curve, nurbs_surface, surfaces, vector};
use std::f64::consts::TAU;

fn finite(domain: [f64; 2]) -> [f64; 2] {
    if domain[0].is_finite() { domain } else { [-3.0, 3.0] }
}

fn domains(surface: &Surface) -> [[f64; 2]; 2] {
    match surface {
        Surface::Nurbs(surface) => surface.domain(),
        Surface::Extrusion { curve, .. } => [finite(curve.domain()), [-9.0, 9.0]],
        Surface::Revolution { curve, .. } => [[0.0, TAU], finite(curve.domain())],
        Surface::Sphere { .. } => [[0.0, TAU], [-1.57, 1.57]],
        Surface::Torus { .. } => [[0.0, TAU]; 2],
        _ => [[0.0, TAU], [-20.0, 20.0]],
    }
}

fn gradient(aim: Aim, point: DVec3) -> DVec3 {
    match aim {
        Aim::Distance(p) => point - p,
        Aim::Extent(d) => d,
    }
}

/// A place where the gradient is zero to rounding and the second derivatives are regular, if Newton's method goes there.
fn stationary(surface: &Surface, aim: Aim, mut at: [f64; 2]) -> Option<[f64; 2]> {
    let square = if matches!(aim, Aim::Distance(_)) { 1.0 } else { 0.0 };
    for _ in 0..40 {
        let jet = surface.jet(at[0], at[1]);
        let g = gradient(aim, jet.point);
        let slope = [g.dot(jet.du), g.dot(jet.dv)];
        let a = square * jet.du.length_squared() + g.dot(jet.duu);
        let b = square * jet.du.dot(jet.dv) + g.dot(jet.duv);
        let c = square * jet.dv.length_squared() + g.dot(jet.dvv);
        let det = a * c - b * b;
        let step = [(b * slope[1] - c * slope[0]) / det, (b * slope[0] - a * slope[1]) / det];
        at = [at[0] + step[0], at[1] + step[1]];
        if !(at[0].is_finite() && at[1].is_finite()) {
            return None;
        }
        if step[0].abs() + step[1].abs() < 1e-13 {
            return (det.abs() > 1e-6 * (a * a + b * b + c * c)).then_some(at);
        }
    }
    None
}

fn inside<const N: usize>(places: &[Place<N>], at: [f64; N], periods: [Option<f64>; N]) -> bool {
    places.iter().any(|place| {
        (0..N).all(|i| {
            let (lo, hi) = (place.within[i].lo() - 1e-9, place.within[i].hi() + 1e-9);
            let period = periods[i].unwrap_or(0.0);
            (-3..=3)
                .any(|k| (lo..=hi).contains(&(at[i].rem_euclid(period.max(1e300)) + f64::from(k) * period)))
                || (-9..=9).any(|k| (lo..=hi).contains(&(at[i] + f64::from(k) * period)))
        })
    })
}

fn check(surface: &Surface, aim: Aim, rng: &mut fastrand::Rng) -> usize {
    let found = surface.extrema(aim);
    let domains = domains(surface);
    let periods = surface.periods();
    let mut seen = 0;
    for _ in 0..60 {
        let start = domains.map(|[lo, hi]| lo + (hi - lo) * rng.f64());
        let Some(at) = stationary(surface, aim, start) else { continue };
        let mut outside = false;
        for i in 0..2 {
            let [lo, hi] = domains[i];
            outside |= periods[i].is_none() && !(lo..=hi).contains(&at[i]);
            outside |= at[i].abs() > 40.0;
        }
        if outside {
            continue;
        }
        seen += 1;
        assert!(inside(&found.places, at, periods), "{surface:?}\n{aim:?} at {at:?}: {found:?}");
    }
    seen
}

#[test]
fn no_stationary_place_of_a_surface_is_missed() {
    let mut rng = fastrand::Rng::with_seed(41);
    let mut seen = 0;
    for _ in 0..30 {
        let mut all = surfaces(&mut rng);
        all.extend((0..3).map(|_| Surface::Nurbs(nurbs_surface(&mut rng))));
        for surface in all {
            seen += check(&surface, Aim::Distance(vector(&mut rng)), &mut rng);
            seen += check(&surface, Aim::Extent(vector(&mut rng)), &mut rng);
        }
    }
    println!("{seen} stationary places compared");
    assert!(seen > 4000, "the generator drifted: {seen}");
}

#[test]
fn no_stationary_place_of_a_curve_is_missed() {
    let mut rng = fastrand::Rng::with_seed(42);
    for round in 0..600 {
        let curve = match round % 3 {
            0 => Curve::Line { origin: vector(&mut rng), direction: vector(&mut rng) },
            1 => Curve::Ellipse { frame: frame(&mut rng), radii: [rng.f64() + 0.1, rng.f64() + 0.1] },
            _ => Curve::Nurbs(nurbs_curve(&mut rng)),
        };
        let aim = if rng.bool() { Aim::Distance(vector(&mut rng)) } else { Aim::Extent(vector(&mut rng)) };
        let [lo, hi] = if curve.domain()[0].is_finite() { curve.domain() } else { [0.0, TAU] };
        let found = curve.extrema(aim);
        assert!(found.complete && found.places.len() < 20, "{curve:?} {aim:?}: {found:?}");
        // A change of sign of the derivative is a zero, or a kink.
        let slope = |t: f64| {
            let jet = curve.jet(t);
            gradient(aim, jet.point).dot(jet.d1)
        };
        let at = |k: u32| lo + (hi - lo) * f64::from(k) / 500.0;
        for k in 0..500 {
            let (a, b) = (at(k), at(k + 1).min(hi.next_down()));
            if slope(a) * slope(b) < 0.0 {
                let near = |place: &Place<1>| place.within[0].lo() <= b && a <= place.within[0].hi();
                let turned = |place: &Place<1>| {
                    curve.period().is_some_and(|period| {
                        place.within[0].lo() - period <= b && a <= place.within[0].hi() - period
                            || place.within[0].lo() + period <= b && a <= place.within[0].hi() + period
                    })
                };
                assert!(
                    found.places.iter().any(|place| near(place) || turned(place)),
                    "{curve:?} {aim:?} between {a} and {b}: {found:?}"
                );
            }
        }
    }
}

/// Families are whole: a point on an axis, a direction along it.
#[test]
fn families_are_kept_whole() {
    let frame = Frame::IDENTITY;
    let torus = Surface::Torus { frame, major: 3.0, minor: 1.0 };
    let found = torus.extrema(Aim::Distance(DVec3::Z));
    assert_eq!(found.places.len(), 2, "{found:?}");
    assert!(found.places.iter().all(|place| place.within[0].width() > TAU - 1e-9));
    let found = torus.extrema(Aim::Extent(DVec3::Z));
    for v in [TAU / 4.0, 3.0 * TAU / 4.0] {
        assert!(inside(&found.places, [1.0, v], [Some(TAU); 2]), "{found:?}");
    }
    let found = torus.extrema(Aim::Distance(DVec3::X * 3.0));
    assert!(inside(&found.places, [0.0, 1.0], [Some(TAU); 2]), "{found:?}");
    let cone = Surface::Cone { frame, radii: [1.0, 1.0], slope: -0.5 };
    let found = cone.extrema(Aim::Extent(DVec3::Z));
    assert!(inside(&found.places, [0.0, 2.0], [Some(TAU), None]), "the apex: {found:?}");
    let sphere = Surface::Sphere { frame, radius: 1.0 };
    assert!(sphere.extrema(Aim::Distance(DVec3::ZERO)).places[0].within[0].width() > 6.0);
}

/// A thing's nearest and farthest places on the surfaces of Table 2.1; a spindle's apex is kept.
#[test]
fn splines_of_the_thesis() {
    let mut rng = fastrand::Rng::with_seed(43);
    for (name, spline) in thesis::table() {
        let surface = Surface::Nurbs(spline);
        let begun = std::time::Instant::now();
        let (mut boxes, mut proven, mut cut) = (0, 0, 0);
        for _ in 0..20 {
            let found = surface.extrema(Aim::Distance(vector(&mut rng)));
            boxes += found.boxes;
            proven += found.places.iter().filter(|place| place.known == Known::One).count();
            cut += usize::from(!found.complete);
            let found = surface.extrema(Aim::Extent(vector(&mut rng)));
            boxes += found.boxes;
            cut += usize::from(!found.complete);
        }
        let each = begun.elapsed().as_secs_f64() * 1e3 / 40.0;
        println!("{name}: {each:.3} ms, {} boxes, {proven} proven, {cut} cut short", boxes / 40);
    }
    let spindle = Surface::Torus { frame: Frame::IDENTITY, major: 1.0, minor: 2.0 };
    let found = spindle.extrema(Aim::Extent(DVec3::X));
    assert!(inside(&found.places, [0.3, TAU / 3.0], [Some(TAU); 2]), "{found:?}");
}

/// Whole families on B-splines end the search early: about a centre, on an axis, on the circle of centres.
#[test]
fn families_of_splines_end() {
    for (name, spline) in thesis::table() {
        let surface = Surface::Nurbs(spline);
        for point in [DVec3::ZERO, DVec3::Z * 0.7, DVec3::X * 3.0, DVec3::X, DVec3::Z] {
            for aim in [Aim::Distance(point), Aim::Extent(point)] {
                if aim == Aim::Extent(DVec3::ZERO) {
                    continue;
                }
                let found = surface.extrema(aim);
                assert!(found.complete && found.places.len() < 20, "{name} {aim:?}: {found:?}");
                check(&surface, aim, &mut fastrand::Rng::with_seed(44));
            }
        }
    }
}
