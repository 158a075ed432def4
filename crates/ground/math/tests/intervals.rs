//! Intervals and the enclosures of elementary functions against exact rationals.

use kontakt_math::trigonometry::{atan, cos, sin, sin_up, sinc};
use kontakt_math::{DVec3, Interval, IntervalVector, Sign};
use testkit::Generator;
use testkit::rational::{Rational, exact, integer};
use testkit::series::{atan_between, cos_between, sin_between};

fn encloses(range: Interval, value: &Rational) -> bool {
    let above = range.lo() == f64::NEG_INFINITY || exact(range.lo()) <= *value;
    above && (range.hi() == f64::INFINITY || *value <= exact(range.hi()))
}

/// Doubles of all kinds: ordinary, small integers, huge, tiny and subnormal.
fn double(data: &mut Generator) -> f64 {
    let x = data.coordinate();
    match data.index(6) {
        0 => x * 1e300,
        1 => x * 1e-300,
        2 => x * 1e-320,
        3 => (x * 3.0).round(),
        _ => x,
    }
}

fn interval(data: &mut Generator) -> (Interval, f64) {
    let (a, b) = (double(data), double(data));
    let range = Interval::new(a.min(b), a.max(b));
    let member = [a, b, range.middle()][data.index(3)];
    (range, member)
}

#[test]
fn every_operation_encloses_the_exact_result() {
    for mut data in [Generator::free(31), Generator::grid(32)] {
        for _ in 0..4000 {
            let ((x, a), (y, b)) = (interval(&mut data), interval(&mut data));
            assert!(x.contains(a));
            let (p, q) = (exact(a), exact(b));
            assert!(encloses(x + y, &(&p + &q)));
            assert!(encloses(x - y, &(&p - &q)));
            assert!(encloses(x * y, &(&p * &q)));
            assert!(encloses(x.square(), &(&p * &p)));
            assert!(encloses(x.powi(3), &(&p * &p * &p)));
            assert!(encloses(x.powi(4), &(&p * &p * &p * &p)));
            assert!(encloses(x.abs(), &exact(a.abs())));
            assert!(encloses(x.min(y), &exact(a.min(b))) && encloses(x.max(y), &exact(a.max(b))));
            assert!(encloses(x.hull(y), &p) && encloses(x.half(), &(&p / integer(2))));
            if b != 0.0 {
                let quotient = &p / &q;
                assert!(encloses(x / y, &quotient), "{x:?} / {y:?}");
                let [below, above] = x.divide_extended(y);
                assert!(encloses(below, &quotient) || encloses(above, &quotient));
            }
            if a >= 0.0 {
                // s = √a lies in the range exactly when its ends' squares straddle a.
                let root = x.sqrt();
                let (lo, hi) = (exact(root.lo()), exact(root.hi().min(f64::MAX)));
                assert!(&lo * &lo <= p && p <= &hi * &hi, "{x:?} {root:?}");
            }
            let common = x.intersect(y);
            assert_eq!(common.contains(a), y.contains(a) && x.contains(a));
            assert!(x.width() >= 0.0 && x.contains(x.middle()));
        }
    }
}

#[test]
fn points_stay_tight() {
    let mut data = Generator::free(33);
    for _ in 0..1000 {
        let (a, b) = (data.coordinate(), data.coordinate());
        let (x, y) = (Interval::point(a), Interval::point(b));
        for range in [x + y, x - y, x * y, x / y, x.abs().sqrt()] {
            assert!(range.lo().next_up().next_up() >= range.hi(), "{range:?}");
        }
    }
    let three = Interval::point(3.0);
    assert_eq!(three + three, Interval::point(6.0));
    assert_eq!((three - three).sign(), Some(Sign::Zero));
    assert_eq!(three * Interval::ZERO, Interval::ZERO);
}

#[test]
fn division_by_an_interval_around_zero_has_a_gap() {
    let [below, above] = Interval::new(1.0, 2.0).divide_extended(Interval::new(-4.0, 2.0));
    assert!(below.hi() <= -0.249 && below.lo() == f64::NEG_INFINITY);
    assert!(above.lo() >= 0.499 && above.hi() == f64::INFINITY);
    let negative = Interval::new(-2.0, -1.0).divide_extended(Interval::new(0.0, 4.0));
    assert!(negative[0].hi() <= -0.249 && negative[1].is_empty());
    let nothing = Interval::ONE.divide_extended(Interval::ZERO);
    assert!(nothing[0].is_empty() && nothing[1].is_empty());
    assert_eq!(Interval::new(-1.0, 1.0).divide_extended(Interval::ZERO)[0], Interval::ENTIRE);
    assert_eq!(Interval::ONE / Interval::new(-1.0, 1.0), Interval::ENTIRE);
}

#[test]
fn empty_entire_nan_and_infinity_are_total() {
    let odd = [
        Interval::EMPTY,
        Interval::ENTIRE,
        Interval::point(f64::NAN),
        Interval::point(f64::INFINITY),
        Interval::new(f64::NEG_INFINITY, 0.0),
        Interval::new(2.0, 1.0),
        Interval::ZERO,
        Interval::new(-0.0, 0.0),
        Interval::point(f64::MAX),
        Interval::point(5e-324),
    ];
    assert_eq!(odd[2], Interval::ENTIRE);
    assert!(odd[5].is_empty() && odd[3].contains(f64::MAX));
    for x in odd {
        for y in odd {
            for z in [x + y, x - y, x * y, x / y, x.min(y), x.max(y), x.hull(y), x.intersect(y)] {
                assert!(!z.lo().is_nan() && !z.hi().is_nan(), "{x:?} {y:?}");
                assert!(z.is_empty() || z.lo() <= z.hi());
            }
            assert_eq!((x + y).is_empty(), x.is_empty() || y.is_empty());
            assert_eq!((x * y).is_empty(), x.is_empty() || y.is_empty());
        }
        for z in [x.sqrt(), x.square(), x.powi(5), x.abs(), sin(x), cos(x), atan(x), sinc(x), x.half()] {
            assert!(!z.lo().is_nan() && !z.hi().is_nan(), "{x:?}");
        }
        assert!(x.middle().is_finite() && x.width() >= 0.0);
    }
}

#[test]
fn elementary_functions_enclose_their_series() {
    let mut data = Generator::free(34);
    for _ in 0..100 {
        // Few bits, because the oracle's fractions grow with them.
        let x = f64::from(data.coordinate() as f32 * [1.0, 2f32.powi(-26), 8.0, 0.125][data.index(4)]);
        let t = exact(x);
        let point = Interval::point(x);
        for (range, (lo, hi)) in
            [(sin(point), sin_between(&t)), (cos(point), cos_between(&t)), (atan(point), atan_between(&t))]
        {
            assert!(encloses(range, &lo) || encloses(range, &hi), "{x} {range:?}");
            assert!(exact(range.lo()) <= hi && lo <= exact(range.hi()));
            assert!(range.width() <= 1e-14 * range.magnitude().max(x.abs().min(1.0)), "{x} {range:?}");
        }
        if x > 0.0 && x < 1.57 {
            let (lo, hi) = sin_between(&t);
            let up = exact(sin_up(x));
            assert!(hi <= up && up <= &lo * exact(1.000_005), "{x}");
        }
        if x != 0.0 {
            let (lo, hi) = sin_between(&t);
            let range = sinc(point);
            let (a, b) = (&lo / &t, &hi / &t);
            assert!(encloses(range, &a) || encloses(range, &b), "{x}");
        }
    }
}

#[test]
fn sine_of_a_range_knows_its_extrema() {
    assert_eq!(sin(Interval::new(1.5, 1.6)).hi(), 1.0);
    assert_eq!(sin(Interval::new(-1.6, 1.6)), Interval::new(-1.0, 1.0));
    assert!(sin(Interval::new(1.6, 4.7)).hi() < 1.0 && sin(Interval::new(1.6, 4.7)).lo() > -1.0);
    assert_eq!(cos(Interval::new(-0.1, 0.1)).hi(), 1.0);
    let mut data = Generator::free(35);
    for _ in 0..2000 {
        let (a, b) = (data.coordinate() * 20.0, data.unit() * 5.0);
        let range = Interval::new(a, a + b);
        let x = (a + b * data.unit()).clamp(range.lo(), range.hi());
        assert!(sin(range).encloses(sin(Interval::point(x)).intersect(sin(range))));
        assert!(
            sin(range).contains(x.sin())
                || (sin(range).lo() - x.sin()).abs() < 1e-15
                || x.sin() - sin(range).hi() < 1e-15
        );
        assert!(
            cos(range).width() <= 2.0
                && cos(range).lo() - 1e-15 <= x.cos()
                && x.cos() <= cos(range).hi() + 1e-15
        );
    }
}

#[test]
fn vectors_enclose() {
    let mut data = Generator::free(36);
    for _ in 0..500 {
        let (a, b) = (data.point(), data.point());
        let (p, q) = (a.map(exact), b.map(exact));
        let [v, w] = [a, b].map(|p| IntervalVector::point(DVec3::from_array(p)));
        assert!(encloses(v.dot(w), &testkit::rational::dot(&p, &q)));
        let cross = testkit::rational::cross(&p, &q);
        let range = v.cross(w);
        assert!(encloses(range.x, &cross[0]) && encloses(range.y, &cross[1]) && encloses(range.z, &cross[2]));
        let square = testkit::rational::dot(&p, &p);
        let length = v.length();
        assert!(exact(length.lo()) * exact(length.lo()) <= square);
        assert!(square <= exact(length.hi()) * exact(length.hi()));
    }
    let huge = IntervalVector::point(DVec3::new(3e300, 4e300, 0.0)).length();
    assert!(huge.contains(5e300) && huge.width() < 1e286);
    let tiny = IntervalVector::point(DVec3::new(3e-310, 4e-310, 0.0)).length();
    assert!(tiny.contains(5e-310) && tiny.width() < 1e-320);
}
