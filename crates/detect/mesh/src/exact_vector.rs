//! Vectors of exact numbers.

use kontakt_math::{DVec3, Dyadic};

/// Three exact coordinates.
pub(crate) type Vector = [Dyadic; 3];

/// The exact value of a finite double.
pub(crate) fn exact(x: f64) -> Dyadic {
    Dyadic::new(x).unwrap_or(Dyadic::ZERO)
}

/// The exact values of finite coordinates.
pub(crate) fn vector(v: DVec3) -> Vector {
    v.to_array().map(exact)
}

/// a − b
pub(crate) fn sub(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|i| &a[i] - &b[i])
}

/// a·b
pub(crate) fn dot(a: &Vector, b: &Vector) -> Dyadic {
    &(&(&a[0] * &b[0]) + &(&a[1] * &b[1])) + &(&a[2] * &b[2])
}

/// a×b
pub(crate) fn cross(a: &Vector, b: &Vector) -> Vector {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| &(&a[i] * &b[j]) - &(&a[j] * &b[i]))
}
