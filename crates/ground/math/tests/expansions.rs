//! Expansions are exact or say that they cannot be.

use kontakt_math::exact_polynomial::sign_at_double;
use kontakt_math::{Expansion, Sign};
use testkit::Generator;
use testkit::polynomial::evaluate;
use testkit::rational::{Rational, exact, sign};

fn value(e: &Expansion) -> Rational {
    e.components().iter().map(|&c| exact(c)).sum()
}

fn number(sign: Sign) -> i32 {
    match sign {
        Sign::Negative => -1,
        Sign::Zero => 0,
        Sign::Positive => 1,
    }
}

#[test]
fn sums_and_products_are_exact() {
    let (mut answered, mut asked) = (0, 0);
    for mut data in [Generator::free(51), Generator::grid(52)] {
        for _ in 0..500 {
            let scale = [1.0, 1e-60, 1e100, 1e-300, 1e300][data.index(5)];
            let n = 1 + data.index(4);
            let mut numbers = || -> Vec<f64> { (0..n).map(|_| data.coordinate() * scale).collect() };
            let (a, b) = (numbers(), numbers());
            let sum = |numbers: &[f64]| {
                numbers.iter().fold(Expansion::default(), |s, &x| {
                    s.add(&Expansion::new(x).expect("finite")).expect("no overflow")
                })
            };
            let (x, y) = (sum(&a), sum(&b));
            let (p, q) = (value(&x), value(&y));
            assert_eq!(p, a.iter().map(|&c| exact(c)).sum());
            assert_eq!(value(&x.compress()), p);
            assert_eq!(number(x.sign()), sign(&p));
            assert_eq!(value(&x.subtract(&y).expect("no overflow")), &p - &q);
            asked += 1;
            if let Some(product) = x.multiply(&y) {
                assert_eq!(value(&product), &p * &q);
                assert_eq!(number(product.sign()), sign(&(&p * &q)));
                answered += 1;
            }
            for pair in x.components().windows(2) {
                assert!(pair[0] != 0.0 && pair[0].abs() < pair[1].abs());
            }
        }
    }
    assert!(answered > asked / 2 && answered < asked, "{answered} of {asked}");
}

#[test]
fn signs_of_polynomials_at_doubles_are_exact() {
    let mut zeros = 0;
    for mut data in [Generator::free(53), Generator::grid(54)] {
        for _ in 0..1500 {
            let scale = [1.0, 1e-200, 1e200, 1e-310][data.index(4)];
            let t = data.coordinate() * 0.5;
            let mut c: Vec<f64> = (0..2 + data.index(5)).map(|_| data.coordinate() * scale).collect();
            if data.index(2) == 0 {
                // (x − t)·d up to rounding: values around the last bit.
                let d = c[1];
                c = vec![-(t * d), d];
            }
            let q: Vec<Rational> = c.iter().map(|&c| exact(c)).collect();
            let expected = sign(&evaluate(&q, &exact(t)));
            assert_eq!(number(sign_at_double(&c, t)), expected, "{c:?} at {t}");
            zeros += usize::from(expected == 0);
        }
    }
    assert!(zeros > 200, "generator drifted: {zeros} zeros");
    assert_eq!(sign_at_double(&[1.0, f64::NAN], 1.0), Sign::Zero);
}
