//! Random curves and surfaces.
#![allow(dead_code, reason = "not every test uses all of them")]

use fastrand::Rng;
use kontakt_curved::{Curve, Frame, NurbsCurve, NurbsSurface, Surface};
use kontakt_math::DVec3;

pub(crate) fn vector(rng: &mut Rng) -> DVec3 {
    DVec3::new(rng.f64() - 0.5, rng.f64() - 0.5, rng.f64() - 0.5) * 4.0
}

pub(crate) fn frame(rng: &mut Rng) -> Frame {
    Frame::new(vector(rng), vector(rng), Some(vector(rng))).unwrap()
}

/// Clamped or not, knots repeated at times but never enough for a jump of the curve itself.
pub(crate) fn knots(rng: &mut Rng, degree: usize, points: usize) -> Vec<f64> {
    let inner = points - degree - 1;
    let mut breaks = vec![0.0];
    let mut knot = 0.0;
    for i in 0..inner {
        let repeated = breaks[1..].iter().rev().take_while(|&&k| k == knot).count();
        let again = i > 0 && degree > 1 && repeated < degree - 1 && rng.f64() < 0.2;
        knot += if again { 0.0 } else { 0.2 + rng.f64() };
        breaks.push(knot);
    }
    let end = knot + 0.2 + rng.f64();
    breaks.push(end);
    let clamped = rng.f64() < 0.8;
    let step = if clamped { 0.0 } else { 0.4 };
    let before = (1..=degree).rev().map(|k| -(k as f64) * step);
    let after = (1..=degree).map(|k| end + k as f64 * step);
    before.chain(breaks).chain(after).collect()
}

pub(crate) fn nurbs_curve(rng: &mut Rng) -> NurbsCurve {
    let degree = rng.usize(1..=5);
    let points = degree + 1 + rng.usize(0..5);
    let weights = rng.bool().then(|| (0..points).map(|_| 0.2 + rng.f64() * 3.0).collect());
    let knots = knots(rng, degree, points);
    let points = (0..points).map(|_| vector(rng)).collect();
    NurbsCurve::new(degree, knots, points, weights).unwrap()
}

pub(crate) fn nurbs_surface(rng: &mut Rng) -> NurbsSurface {
    let degrees = [rng.usize(1..=4), rng.usize(1..=4)];
    let [rows, across] = degrees.map(|degree| degree + 1 + rng.usize(0..4));
    let knots = [knots(rng, degrees[0], rows), knots(rng, degrees[1], across)];
    let weights: Option<Vec<Vec<f64>>> =
        rng.bool().then(|| (0..rows).map(|_| (0..across).map(|_| 0.2 + rng.f64() * 3.0).collect()).collect());
    let points: Vec<Vec<DVec3>> = (0..rows)
        .map(|i| (0..across).map(|j| vector(rng) * 0.3 + DVec3::new(i as f64, j as f64, 0.0)).collect())
        .collect();
    NurbsSurface::new(degrees, knots, &points, weights.as_deref()).unwrap()
}

/// One of each kind but B-splines; some with a B-spline in them.
pub(crate) fn surfaces(rng: &mut Rng) -> Vec<Surface> {
    let mut positive = || 0.2 + 2.0 * rng.f64();
    let radii = [positive(), positive()];
    let round = [radii[0]; 2];
    let (major, minor, slope) = (positive(), positive(), positive() - 1.2);
    let frame = frame(rng);
    let ellipse = Curve::Ellipse { frame: self::frame(rng), radii };
    let line = Curve::Line { origin: vector(rng), direction: vector(rng) };
    let spline = Curve::Nurbs(nurbs_curve(rng));
    let mut all = vec![
        Surface::Plane(frame),
        Surface::Sphere { frame, radius: major },
        Surface::Cylinder { frame, radii },
        Surface::Cylinder { frame, radii: round },
        Surface::Cone { frame, radii, slope },
        Surface::Cone { frame, radii: round, slope },
        Surface::Torus { frame, major, minor },
    ];
    for curve in [ellipse, line, spline] {
        all.push(Surface::Extrusion { curve: Box::new(curve.clone()), direction: vector(rng) });
        all.push(Surface::Revolution { curve: Box::new(curve), frame });
    }
    all
}
