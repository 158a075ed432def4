//! Ranges of B-splines against exact rational evaluation from the definition.

mod random;

use kontakt_curved::{NurbsCurve, NurbsSurface};
use kontakt_math::{DVec3, Interval, IntervalVector};
use random::{nurbs_curve, nurbs_surface};
use testkit::Rational;
use testkit::rational::{Vector, add, dot, exact, integer, scale, sub, vector};

/// Basis function i of a degree, or its derivative of an order, at t, as Cox and de Boor define it.
fn basis(knots: &[Rational], i: usize, degree: usize, order: usize, t: &Rational) -> Rational {
    if order > 0 && degree == 0 {
        return integer(0);
    }
    if degree == 0 {
        return integer(i64::from(&knots[i] <= t && t < &knots[i + 1]));
    }
    let part = |i: usize, factor: Rational| {
        let length = &knots[i + degree] - &knots[i];
        if length == integer(0) {
            return integer(0);
        }
        factor * basis(knots, i, degree - 1, order.saturating_sub(1), t) / length
    };
    if order > 0 {
        let degree = exact(degree as f64);
        part(i, degree.clone()) - part(i + 1, degree)
    } else {
        part(i, t - &knots[i]) + part(i + 1, &knots[i + degree + 1] - t)
    }
}

fn exact_knots(knots: &[f64]) -> Vec<Rational> {
    knots.iter().map(|&knot| exact(knot)).collect()
}

/// Σ wPN and Σ wN for given values of the basis functions.
fn sums(points: &[DVec3], weights: &[f64], values: &[Rational]) -> (Vector, Rational) {
    let mut sum = (vector([0.0; 3]), integer(0));
    for (at, value) in values.iter().enumerate().filter(|(_, value)| **value != integer(0)) {
        let weighted = exact(weights.get(at).copied().unwrap_or(1.0)) * value;
        sum.0 = add(&sum.0, &scale(&weighted, &vector(points[at].to_array())));
        sum.1 += weighted;
    }
    sum
}

/// (a − Σ fᵢSᵢ)/w
fn quotient(a: Vector, less: &[(&Rational, &Vector)], w: &Rational) -> Vector {
    let rest = less.iter().fold(a, |rest, (factor, of)| sub(&rest, &scale(factor, of)));
    scale(&w.recip(), &rest)
}

/// S, Su, Sv, Suu, Suv, Svv.
fn exact_jet(surface: &NurbsSurface, [u, v]: [f64; 2]) -> [Vector; 6] {
    let ([ku, kv], [p, q]) = (surface.knots().map(exact_knots), surface.degrees());
    let [u, v] = [u, v].map(exact);
    let row = |knots: &[Rational], degree: usize, order: usize, t: &Rational| -> Vec<Rational> {
        (0..knots.len() - degree - 1).map(|i| basis(knots, i, degree, order, t)).collect()
    };
    let along_u: Vec<Vec<Rational>> = (0..3).map(|order| row(&ku, p, order, &u)).collect();
    let along_v: Vec<Vec<Rational>> = (0..3).map(|order| row(&kv, q, order, &v)).collect();
    let sum = |i: usize, j: usize| {
        let values: Vec<Rational> =
            along_u[i].iter().flat_map(|a| along_v[j].iter().map(move |b| a * b)).collect();
        sums(surface.points(), surface.weights(), &values)
    };
    let [(a, w), (au, wu), (av, wv), (auu, wuu), (auv, wuv), (avv, wvv)] =
        [sum(0, 0), sum(1, 0), sum(0, 1), sum(2, 0), sum(1, 1), sum(0, 2)];
    let s = quotient(a, &[], &w);
    let su = quotient(au, &[(&wu, &s)], &w);
    let sv = quotient(av, &[(&wv, &s)], &w);
    let suu = quotient(auu, &[(&wu, &su), (&wu, &su), (&wuu, &s)], &w);
    let suv = quotient(auv, &[(&wu, &sv), (&wv, &su), (&wuv, &s)], &w);
    let svv = quotient(avv, &[(&wv, &sv), (&wv, &sv), (&wvv, &s)], &w);
    [s, su, sv, suu, suv, svv]
}

fn holds(range: IntervalVector, of: &Vector) -> bool {
    let holds = |range: Interval, of: &Rational| {
        let above = range.lo() == f64::NEG_INFINITY || exact(range.lo()) <= *of;
        above && (range.hi() == f64::INFINITY || *of <= exact(range.hi()))
    };
    holds(range.x, &of[0]) && holds(range.y, &of[1]) && holds(range.z, &of[2])
}

fn width(range: IntervalVector) -> f64 {
    range.x.width().max(range.y.width()).max(range.z.width())
}

/// The same surface far off, where coordinates lose most of their digits.
fn moved(surface: &NurbsSurface, by: DVec3) -> NurbsSurface {
    let across = surface.knots()[1].len() - surface.degrees()[1] - 1;
    let points: Vec<DVec3> = surface.points().iter().map(|&point| point + by).collect();
    let rows: Vec<Vec<DVec3>> = points.chunks(across).map(<[_]>::to_vec).collect();
    let weights: Vec<Vec<f64>> = surface.weights().chunks(across).map(<[_]>::to_vec).collect();
    let weights = (!weights.is_empty()).then_some(weights);
    NurbsSurface::new(surface.degrees(), surface.knots().map(<[_]>::to_vec), &rows, weights.as_deref())
        .unwrap()
}

#[test]
fn ranges_of_a_surface_hold_the_exact_values() {
    let mut rng = fastrand::Rng::with_seed(51);
    for round in 0..24 {
        let mut surface = nurbs_surface(&mut rng);
        if round % 3 == 0 {
            surface = moved(&surface, DVec3::new(1e7, -3e6, 0.1));
        }
        for wide in [0.0, 1e-9, 0.05] {
            let domain = surface.domain();
            let at = domain.map(|[lo, hi]| lo + (hi - lo) * rng.f64());
            let grown = |at: f64| [at - wide * rng_part(at), at + wide];
            let boxes = at.map(grown);
            let exact_jet = exact_jet(&surface, at);
            let ranges = surface.second_range_over(boxes[0], boxes[1]);
            for (range, of) in ranges.into_iter().zip(&exact_jet) {
                assert!(holds(range, of), "{surface:?} at {at:?}, {wide}");
            }
            for (range, of) in surface.range_over(boxes[0], boxes[1]).into_iter().zip(&exact_jet) {
                assert!(holds(range, of), "{surface:?} at {at:?}, {wide}");
            }
            let bounds = surface.second_bounds(boxes[0], boxes[1]);
            for (bound, of) in bounds.into_iter().zip(&exact_jet[3..]) {
                assert!(dot(of, of) <= exact(bound) * exact(bound), "{surface:?} at {at:?}, {wide}");
            }
            if wide == 0.0 {
                // Rounding grows with the knots' closeness, twice for a second derivative.
                assert!(width(ranges[0]) < 1e-8 && width(ranges[1]) < 1e-8, "{ranges:?}");
                assert!(width(ranges[3]) < 1e-7, "{ranges:?}");
            }
        }
    }
}

/// A part of one that depends on a number, so that boxes are not about their middle.
fn rng_part(x: f64) -> f64 {
    (x * 7.3).fract().abs()
}

fn exact_curve(curve: &NurbsCurve, t: f64) -> [Vector; 3] {
    let (knots, degree, t) = (exact_knots(curve.knots()), curve.degree(), exact(t));
    let sum = |order: usize| {
        let count = knots.len() - degree - 1;
        let values: Vec<Rational> = (0..count).map(|i| basis(&knots, i, degree, order, &t)).collect();
        sums(curve.points(), curve.weights(), &values)
    };
    let [(a, w), (a1, w1), (a2, w2)] = [sum(0), sum(1), sum(2)];
    let c = quotient(a, &[], &w);
    let c1 = quotient(a1, &[(&w1, &c)], &w);
    let c2 = quotient(a2, &[(&w1, &c1), (&w1, &c1), (&w2, &c)], &w);
    [c, c1, c2]
}

#[test]
fn ranges_of_a_curve_hold_the_exact_values() {
    let mut rng = fastrand::Rng::with_seed(52);
    for _ in 0..200 {
        let curve = nurbs_curve(&mut rng);
        let [lo, hi] = curve.domain();
        for wide in [0.0, 1e-9, 0.05] {
            let t = lo + (hi - lo) * rng.f64();
            let range = [t - wide * rng_part(t), t + wide];
            let exact_jet = exact_curve(&curve, t);
            for (range, of) in curve.second_range_over(range).into_iter().zip(&exact_jet) {
                assert!(holds(range, of), "{curve:?} at {t}, {wide}");
            }
            let bound = exact(curve.second_bound(range));
            assert!(dot(&exact_jet[2], &exact_jet[2]) <= &bound * &bound, "{curve:?} at {t}, {wide}");
        }
    }
}

/// Plain evaluation goes by the same definition.
#[test]
fn jets_are_exact_to_rounding() {
    let mut rng = fastrand::Rng::with_seed(53);
    for _ in 0..40 {
        let surface = nurbs_surface(&mut rng);
        let at = surface.domain().map(|[lo, hi]| lo + (hi - lo) * rng.f64());
        let jet = surface.jet(at[0], at[1]);
        let all = [jet.point, jet.du, jet.dv, jet.duu, jet.duv, jet.dvv];
        for (of, exact_one) in all.into_iter().zip(exact_jet(&surface, at)) {
            let off = sub(&vector(of.to_array()), &exact_one);
            let allowed = exact(1e-9 * (1.0 + of.length()));
            assert!(dot(&off, &off) <= &allowed * &allowed, "{surface:?} at {at:?}");
        }
    }
}
