//! Vectors of exact numbers.

use crate::{DVec3, Dyadic};

/// Three exact coordinates.
pub type Vector = [Dyadic; 3];

/// The exact value of a double; 0 for NaN and infinities, which no mesh, no shape and no pose holds.
pub fn exact(value: f64) -> Dyadic {
    Dyadic::new(value).unwrap_or(Dyadic::ZERO)
}

/// The exact value of three doubles.
pub fn vector(v: DVec3) -> Vector {
    v.to_array().map(exact)
}

/// a − b
pub fn sub(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|i| &a[i] - &b[i])
}

/// a + b
pub fn add(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|i| &a[i] + &b[i])
}

/// −a
pub fn neg(a: &Vector) -> Vector {
    a.clone().map(|x| -x)
}

/// s · a
pub fn scale(s: &Dyadic, a: &Vector) -> Vector {
    std::array::from_fn(|i| s * &a[i])
}

/// a · b
pub fn dot(a: &Vector, b: &Vector) -> Dyadic {
    &(&(&a[0] * &b[0]) + &(&a[1] * &b[1])) + &(&a[2] * &b[2])
}

/// a × b
pub fn cross(a: &Vector, b: &Vector) -> Vector {
    let minor = |i: usize, j: usize| &(&a[i] * &b[j]) - &(&a[j] * &b[i]);
    [minor(1, 2), minor(2, 0), minor(0, 1)]
}

/// Whether all coordinates are zero.
pub fn is_zero(a: &Vector) -> bool {
    a.iter().all(Dyadic::is_zero)
}

/// The vector over its largest coordinate's size: coordinates in [−1, 1], each off by at most 4u relative (or an
/// underflow); zero for zero.
pub fn rounded_direction(a: &Vector) -> DVec3 {
    let size = |x: &Dyadic| if *x < Dyadic::ZERO { -x.clone() } else { x.clone() };
    let largest = a.iter().map(size).max().unwrap_or(Dyadic::ZERO);
    if largest.is_zero() {
        return DVec3::ZERO;
    }
    DVec3::from_array([0, 1, 2].map(|i: usize| a[i].quotient(&largest)))
}
