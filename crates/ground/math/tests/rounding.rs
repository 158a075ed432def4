//! Directed rounding against exact rationals, at ordinary, huge, tiny and subnormal scales.

use kontakt_math::DVec3;
use kontakt_math::round::{
    add_down, add_up, dot_down, dot_up, length_up, mul_down, mul_up, sqrt_down, sqrt_up,
};
use testkit::Generator;
use testkit::rational::{Rational, dot, exact, vector};

fn at_most(value: f64, truth: &Rational) -> bool {
    value == f64::NEG_INFINITY || exact(value) <= *truth
}

fn at_least(value: f64, truth: &Rational) -> bool {
    value == f64::INFINITY || exact(value) >= *truth
}

#[test]
fn bounds_are_on_their_side_and_near() {
    for mut data in [Generator::free(61), Generator::grid(62)] {
        for _ in 0..2000 {
            let scales = [1.0, 1e-160, 1e-310, 1e200, 1e300];
            let (s, r) = (scales[data.index(5)], scales[data.index(5)]);
            let a = DVec3::from_array(data.point()) * s;
            let b = DVec3::from_array(data.point()) * r;
            let (p, q) = (vector(a.to_array()), vector(b.to_array()));
            let (x, y) = (a.x, b.y);
            let (sum, product) = (exact(x) + exact(y), exact(x) * exact(y));
            assert!(at_most(add_down(x, y), &sum) && at_least(add_up(x, y), &sum));
            assert!(at_most(mul_down(x, y), &product) && at_least(mul_up(x, y), &product));
            let inner = dot(&p, &q);
            assert!(at_most(dot_down(a, b), &inner) && at_least(dot_up(a, b), &inner), "{a} {b}");
            let square = dot(&p, &p);
            let length = length_up(a);
            assert!(length.is_finite() && exact(length).pow(2) >= square, "{a}");
            let below = exact(length * (1.0 - 16.0 * f64::EPSILON)) - exact(1e-322);
            assert!(below <= exact(0.0) || below.pow(2) <= square, "{length} for {a} is loose");
            let size = x.abs();
            assert!(exact(sqrt_down(size)).pow(2) <= exact(size));
            assert!(exact(sqrt_up(size)).pow(2) >= exact(size));
        }
    }
}

#[test]
fn what_cannot_be_told_is_infinite() {
    assert_eq!(length_up(DVec3::new(f64::NAN, 0.0, 0.0)), f64::INFINITY);
    assert_eq!(length_up(DVec3::new(1.0, f64::NAN, 0.0)), f64::INFINITY);
    assert_eq!(length_up(DVec3::splat(1.7e308)), f64::INFINITY);
    assert_eq!(length_up(DVec3::ZERO), 0.0);
    assert_eq!(dot_up(DVec3::splat(1e200), DVec3::new(1e200, -1e200, 1.0)), f64::INFINITY);
    assert_eq!(dot_down(DVec3::splat(1e200), DVec3::new(1e200, -1e200, 1.0)), f64::NEG_INFINITY);
}
