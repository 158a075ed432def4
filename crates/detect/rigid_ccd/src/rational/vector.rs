//! Vectors and quaternions of exact numbers and of exact polynomials.

use kontakt_math::{DVec3, Dyadic, ExactPolynomial};

/// Three exact numbers.
pub(super) type Vector = [Dyadic; 3];
/// Three exact polynomials in time.
pub(super) type Way = [ExactPolynomial; 3];
/// Three rows.
pub(super) type Matrix = [Way; 3];

/// The exact value of a double; 0 for NaN and infinities, which no mesh and no pose holds.
pub(super) fn exact(value: f64) -> Dyadic {
    Dyadic::new(value).unwrap_or(Dyadic::ZERO)
}

pub(super) fn vector(v: DVec3) -> Vector {
    v.to_array().map(exact)
}

pub(super) fn minus(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|i| &a[i] - &b[i])
}

pub(super) fn cross(a: &Vector, b: &Vector) -> Vector {
    let minor = |i: usize, j: usize| &(&a[i] * &b[j]) - &(&a[j] * &b[i]);
    [minor(1, 2), minor(2, 0), minor(0, 1)]
}

pub(super) fn dot(a: &Vector, b: &Vector) -> Dyadic {
    &(&(&a[0] * &b[0]) + &(&a[1] * &b[1])) + &(&a[2] * &b[2])
}

/// A polynomial that does not change.
pub(super) fn constant(value: &Dyadic) -> ExactPolynomial {
    ExactPolynomial::new(vec![value.clone()])
}

/// (1−t)·from + t·to
pub(super) fn blend(from: &Dyadic, to: &Dyadic) -> ExactPolynomial {
    ExactPolynomial::new(vec![from.clone(), to - from])
}

pub(super) fn scaled(p: &ExactPolynomial, by: &Dyadic) -> ExactPolynomial {
    ExactPolynomial::new(p.coefficients().iter().map(|c| c * by).collect())
}

pub(super) fn sum(a: &Way, b: &Way) -> Way {
    std::array::from_fn(|i| &a[i] + &b[i])
}

pub(super) fn cross_ways(a: &Way, b: &Way) -> Way {
    let minor = |i: usize, j: usize| &(&a[i] * &b[j]) - &(&a[j] * &b[i]);
    [minor(1, 2), minor(2, 0), minor(0, 1)]
}

/// n·p for a vector that does not change.
pub(super) fn along(n: &Vector, p: &Way) -> ExactPolynomial {
    let terms: [ExactPolynomial; 3] = std::array::from_fn(|i| scaled(&p[i], &n[i]));
    &(&terms[0] + &terms[1]) + &terms[2]
}

/// a × p for a vector that does not change.
pub(super) fn cross_with(a: &Vector, p: &Way) -> Way {
    cross_ways(&[0, 1, 2].map(|i: usize| constant(&a[i])), p)
}

/// m·v for a vector that does not change.
pub(super) fn turned(m: &Matrix, v: &Vector) -> Way {
    [0, 1, 2].map(|i: usize| along(v, &m[i]))
}

/// mᵀ·p
pub(super) fn turned_back(m: &Matrix, p: &Way) -> Way {
    [0, 1, 2].map(|i: usize| {
        let terms: [ExactPolynomial; 3] = std::array::from_fn(|k| &m[k][i] * &p[k]);
        &(&terms[0] + &terms[1]) + &terms[2]
    })
}

/// |q|²·R(q/|q|) as rows for q = (x, y, z, w), and |q|².
pub(super) fn scaled_rotation(q: &[ExactPolynomial; 4]) -> (Matrix, ExactPolynomial) {
    let [x, y, z, w] = q;
    let (xx, yy, zz, ww) = (x * x, y * y, z * z, w * w);
    let twice = |p: ExactPolynomial| &p + &p;
    let more = |a, b, c, d| twice(&(a * b) + &(c * d));
    let less = |a, b, c, d| twice(&(a * b) - &(c * d));
    let diagonal = |a: &ExactPolynomial, b: &ExactPolynomial, c: &ExactPolynomial| &(&ww + a) - &(b + c);
    let rows = [
        [diagonal(&xx, &yy, &zz), less(x, y, w, z), more(x, z, w, y)],
        [more(x, y, w, z), diagonal(&yy, &xx, &zz), less(y, z, w, x)],
        [less(x, z, w, y), more(y, z, w, x), diagonal(&zz, &xx, &yy)],
    ];
    (rows, &(&xx + &yy) + &(&zz + &ww))
}

/// Conjugate of `a` times `b`.
pub(super) fn back_and_forth(a: &[ExactPolynomial; 4], b: &[ExactPolynomial; 4]) -> [ExactPolynomial; 4] {
    let [ax, ay, az, aw] = a;
    let [bx, by, bz, bw] = b;
    let four = |p: ExactPolynomial, q: ExactPolynomial, r: ExactPolynomial, s: ExactPolynomial| {
        &(&p + &q) - &(&r + &s)
    };
    [
        four(aw * bx, az * by, ax * bw, ay * bz),
        four(aw * by, ax * bz, ay * bw, az * bx),
        four(aw * bz, ay * bx, ax * by, az * bw),
        &(&(aw * bw) + &(ax * bx)) + &(&(ay * by) + &(az * bz)),
    ]
}
