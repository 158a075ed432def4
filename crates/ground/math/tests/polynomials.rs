//! Polynomials, Bernstein forms, roots and signs at roots against exact rationals.

use kontakt_math::roots::{RootCount, SubdivisionLimit, ZeroPolynomial, isolate, roots_in_unit_interval};
use kontakt_math::{AlgebraicNumber, Bernstein, Dyadic, ExactPolynomial, Interval, Polynomial, Sign};
use std::cmp::Ordering;
use testkit::Generator;
use testkit::polynomial::{distinct_roots, evaluate, product, sign_at_root};
use testkit::rational::{Rational, exact, integer, sign};

fn number(sign: Sign) -> i32 {
    match sign {
        Sign::Negative => -1,
        Sign::Zero => 0,
        Sign::Positive => 1,
    }
}

fn encloses(range: Interval, value: &Rational) -> bool {
    let above = range.lo() == f64::NEG_INFINITY || exact(range.lo()) <= *value;
    above && (range.hi() == f64::INFINITY || *value <= exact(range.hi()))
}

fn rationals(coefficients: &[f64]) -> Vec<Rational> {
    coefficients.iter().map(|&c| exact(c)).collect()
}

/// Coefficients of degree up to `most`, in one case out of three with products of factors that have roots in [0, 1]
/// with small denominators, simple and multiple.
fn coefficients(data: &mut Generator, most: usize) -> Vec<f64> {
    let degree = 1 + data.index(most);
    if data.index(3) > 0 {
        return (0..=degree).map(|_| data.coordinate()).collect();
    }
    let mut p = vec![1.0];
    for _ in 0..=data.index(most / 2) {
        let (d, n) = ([1.0, 2.0, 3.0, 4.0, 5.0, 8.0][data.index(6)], data.index(7) as f64 - 1.0);
        for _ in 0..=data.index(2) {
            let mut next = vec![0.0; p.len() + 1];
            for (i, c) in p.iter().enumerate() {
                next[i] -= n * c;
                next[i + 1] += d * c;
            }
            p = next;
        }
    }
    p
}

#[test]
fn values_are_enclosed_by_both_forms() {
    for mut data in [Generator::free(21), Generator::grid(22)] {
        for _ in 0..400 {
            let c = coefficients(&mut data, 9);
            let (p, q) = (Polynomial::from_doubles(&c), rationals(&c));
            let form = p.to_bernstein();
            let (left, right) = form.split();
            let t = data.unit();
            let truth = evaluate(&q, &exact(t));
            assert!(encloses(p.evaluate(Interval::point(t)), &truth));
            assert!(encloses(form.evaluate(Interval::point(t)), &truth));
            assert!(encloses(form.range(), &truth));
            let outside = evaluate(&q, &exact(t + 2.0));
            assert!(encloses(form.evaluate(Interval::point(t + 2.0)), &outside));
            assert!(encloses(p.evaluate(Interval::new(t * 0.9, t * 1.1)), &truth));
            let (half, local) = if t < 0.5 { (&left, 2.0 * t) } else { (&right, 2.0 * t - 1.0) };
            assert!(encloses(half.evaluate(Interval::point(local)), &truth));
            let slope = evaluate(&testkit::polynomial::derivative(&q), &exact(t));
            assert!(encloses(form.derivative().evaluate(Interval::point(t)), &slope));
            let size: f64 = c.iter().map(|c| c.abs()).sum();
            assert!(form.evaluate(Interval::point(t)).width() <= 1e-13 * size * 32.0);
        }
    }
}

#[test]
fn all_roots_are_found_and_separated() {
    let (mut found, mut doubles) = (0, 0);
    for mut data in [Generator::free(23), Generator::grid(24)] {
        for _ in 0..80 {
            let c = coefficients(&mut data, 9);
            let Some(p) = ExactPolynomial::from_doubles(&c) else { panic!("finite") };
            if p.is_zero() {
                assert_eq!(roots_in_unit_interval(&p, 1e-9).err(), Some(ZeroPolynomial));
                continue;
            }
            let q = rationals(&c);
            let q: Vec<Rational> = q[..p.coefficients().len()].to_vec();
            let expected = distinct_roots(&q, &integer(0), &integer(1))
                + i64::from(sign(&evaluate(&q, &integer(0))) == 0);
            let roots = roots_in_unit_interval(&p, 1e-9).expect("not zero");
            assert_eq!(i64::try_from(roots.len()).expect("few"), expected, "{c:?}");
            for pair in roots.windows(2) {
                assert_eq!(pair[0].compare(&pair[1]), Ordering::Less);
                assert_eq!(pair[1].compare(&pair[0]), Ordering::Greater);
            }
            for root in &roots {
                let bounds = root.bounds();
                assert!(bounds.width() <= 1e-9, "{bounds:?}");
                let (lo, hi) = (exact(bounds.lo()), exact(bounds.hi()));
                let inside = distinct_roots(&q, &lo, &hi) + i64::from(sign(&evaluate(&q, &lo)) == 0);
                assert!(inside >= 1, "no root in {bounds:?} of {c:?}");
                assert_eq!(root.sign_of(&p), Sign::Zero);
                assert_eq!(root.compare(root), Ordering::Equal);
                doubles += usize::from(root.multiplicity_in(&p) > 1);
            }
            found += roots.len();
        }
    }
    assert!(found > 100 && doubles > 15, "generator drifted: {found} roots, {doubles} multiple");
}

#[test]
fn signs_at_roots_are_exact() {
    let mut counts = [0; 3];
    for mut data in [Generator::free(25), Generator::grid(26)] {
        for _ in 0..300 {
            let c = coefficients(&mut data, 5);
            let mut g = coefficients(&mut data, 5);
            let Some(p) = ExactPolynomial::from_doubles(&c).filter(|p| !p.is_zero()) else { continue };
            let f = rationals(&c)[..p.coefficients().len()].to_vec();
            let mut gq = rationals(&g);
            let mut ge = ExactPolynomial::from_doubles(&g).expect("finite");
            let kind = data.index(9);
            if kind < 3 {
                // A multiple of f vanishes at all its roots; a copy that is off by 2⁻⁵² of one coefficient does not.
                gq = product(&gq, &f);
                ge = &ge * &p;
            } else if kind < 5 {
                g = c.clone();
                g[0] += g[0].abs() * f64::EPSILON;
                gq = rationals(&g);
                ge = ExactPolynomial::from_doubles(&g).expect("finite");
            }
            for root in roots_in_unit_interval(&p, 1e-6).expect("not zero") {
                let bounds = root.bounds();
                let expected = if let Some(point) = root.as_point() {
                    assert_eq!(p.sign_at(point), Sign::Zero);
                    sign(&evaluate(&gq, &exact(bounds.lo())))
                } else {
                    let (lo, hi) = (exact(bounds.lo()), exact(bounds.hi()));
                    if distinct_roots(&f, &lo, &hi) != 1 {
                        continue;
                    }
                    sign_at_root(&f, &gq, &lo, &hi)
                };
                assert_eq!(number(root.sign_of(&ge)), expected, "{c:?} {g:?}");
                counts[usize::try_from(expected + 1).expect("sign")] += 1;
            }
        }
    }
    assert!(counts.iter().all(|&n| n > 50), "generator drifted: {counts:?}");
}

/// Roots 1/3 and 1/3 + 2⁻⁷⁰ lie between the same two doubles; they stay two numbers, in order.
#[test]
fn roots_closer_than_doubles_stay_apart() {
    let dyadic = |x: f64| Dyadic::new(x).expect("finite");
    // 3t − 1 − 3s has the root 1/3 + s.
    let third = |s: f64| ExactPolynomial::new(vec![-(&dyadic(1.0) + &dyadic(3.0 * s)), dyadic(3.0)]);
    let (a, b) = (third(0.0), third(2f64.powi(-70)));
    let roots = roots_in_unit_interval(&(&a * &b), 0.0).expect("not zero");
    assert_eq!(roots.len(), 2);
    assert_eq!(roots[0].compare(&roots[1]), Ordering::Less);
    assert_eq!(roots[0].sign_of(&a), Sign::Zero);
    assert_eq!(roots[0].sign_of(&b), Sign::Negative);
    assert_eq!(roots[1].sign_of(&a), Sign::Positive);
    assert!(roots[0].bounds().width() <= f64::EPSILON);
}

#[test]
fn subdivision_is_honest_and_bounded() {
    // (t − ½)²: a touching root cannot be decided by intervals; it must be reported, not lost.
    let touching = Polynomial::from_doubles(&[0.25, -1.0, 1.0]).to_bernstein();
    let brackets = isolate(&touching, &SubdivisionLimit::default());
    assert!(brackets.iter().any(|b| b.count == RootCount::Undecided && b.lo <= 0.5 && 0.5 <= b.hi));
    let unknown = Polynomial::new(vec![Interval::ENTIRE; 4]).to_bernstein();
    assert_eq!(isolate(&unknown, &SubdivisionLimit::default()).len(), 1);
    // Opposite ends, unknown middle: there may be three roots.
    let (wide, one) = (Interval::new(-2.0, 2.0), Interval::ONE);
    assert!(!Bernstein::new(vec![-one, wide, wide, one]).has_one_root());
    assert!(Bernstein::new(vec![-one, -one, one, one]).has_one_root());
    let crossing = Polynomial::from_doubles(&[-0.3, 1.0]).to_bernstein();
    assert_eq!(isolate(&crossing, &SubdivisionLimit::default())[0].count, RootCount::One);
}

#[test]
fn extreme_coefficients_are_no_problem() {
    for scale in [1e-320, 1e-200, 1e200, 1e307] {
        let c = [-scale, 3.0 * scale];
        let p = ExactPolynomial::from_doubles(&c).expect("finite");
        let roots = roots_in_unit_interval(&p, 1e-12).expect("not zero");
        let bounds = roots[0].bounds();
        assert!(roots.len() == 1 && bounds.width() <= 1e-12, "{bounds:?} at {scale}");
        let truth = Rational::new(1.into(), 3.into());
        assert!(scale < 1e-300 || encloses(bounds, &truth), "{bounds:?} at {scale}");
    }
    let mixed = ExactPolynomial::from_doubles(&[-1e-300, 1e300, 1e-300]).expect("finite");
    assert_eq!(roots_in_unit_interval(&mixed, 1e-12).expect("not zero").len(), 1);
    assert!(ExactPolynomial::from_doubles(&[f64::NAN]).is_none());
}

#[test]
fn dyadics_are_exact() {
    let mut data = Generator::free(27);
    for _ in 0..500 {
        let wild = |data: &mut Generator| data.coordinate() * 10f64.powf(data.index(600) as f64 - 300.0);
        let (a, b) = (wild(&mut data), wild(&mut data));
        let (x, y) = (Dyadic::new(a).expect("finite"), Dyadic::new(b).expect("finite"));
        for (dyadic, rational) in
            [(&x + &y, exact(a) + exact(b)), (&x - &y, exact(a) - exact(b)), (&x * &y, exact(a) * exact(b))]
        {
            let range = dyadic.enclosure();
            assert!(encloses(range, &rational), "{a} {b} {range:?}");
            let normal = range.mignitude() >= f64::MIN_POSITIVE && range.is_bounded();
            assert!(!normal || range.lo().next_up() >= range.hi(), "{range:?}");
            assert_eq!(number(dyadic.sign()), sign(&rational));
        }
        assert_eq!(x.cmp(&y), exact(a).cmp(&exact(b)));
        assert_eq!(x.enclosure(), Interval::point(a));
    }
    let _ = AlgebraicNumber::point(Dyadic::ZERO);
    assert_eq!(Dyadic::new(5e-324).map(|d| d.enclosure()), Some(Interval::point(5e-324)));
}
