//! Exact rationals from doubles and small exact vector algebra on `[Rational; 3]`.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, Zero};
use std::cmp::Ordering;

/// An exact rational number.
pub type Rational = BigRational;
/// An exact vector.
pub type Vector = [Rational; 3];

/// The exact value of a finite double.
///
/// # Panics
/// If `value` is not finite: an oracle must not be asked about it.
pub fn exact(value: f64) -> Rational {
    Rational::from_float(value).expect("oracle needs finite numbers")
}

/// The exact value of three doubles.
pub fn vector(v: [f64; 3]) -> Vector {
    v.map(exact)
}

/// A small integer as a rational.
pub fn integer(value: i64) -> Rational {
    Rational::from_integer(BigInt::from(value))
}

/// a + b
pub fn add(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|i| &a[i] + &b[i])
}

/// a − b
pub fn sub(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|i| &a[i] - &b[i])
}

/// s · a
pub fn scale(s: &Rational, a: &Vector) -> Vector {
    std::array::from_fn(|i| s * &a[i])
}

/// a · b
pub fn dot(a: &Vector, b: &Vector) -> Rational {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

/// a × b
pub fn cross(a: &Vector, b: &Vector) -> Vector {
    [&a[1] * &b[2] - &a[2] * &b[1], &a[2] * &b[0] - &a[0] * &b[2], &a[0] * &b[1] - &a[1] * &b[0]]
}

/// −1, 0 or 1.
pub fn sign(value: &Rational) -> i32 {
    match value.cmp(&Rational::zero()) {
        Ordering::Less => -1,
        Ordering::Equal => 0,
        Ordering::Greater => 1,
    }
}

/// Sign of (a−d)·((b−d)×(c−d)).
pub fn orient3d(a: [f64; 3], b: [f64; 3], c: [f64; 3], d: [f64; 3]) -> i32 {
    let d = vector(d);
    let [a, b, c] = [a, b, c].map(|p| sub(&vector(p), &d));
    sign(&dot(&a, &cross(&b, &c)))
}

/// Absolute value.
pub fn abs(value: &Rational) -> Rational {
    value.abs()
}
