//! Exact orientation predicates: the sign returned is that of the exact determinant of the doubles given, for all
//! finite doubles. Coordinates that are not finite give `Zero`.
//!
//! Three stages. A filter in plain doubles with a proven error bound; Shewchuk's adaptive expansions (crate
//! `robust`), which are exact as long as nothing over- or underflows, after a scaling by a power of two that makes
//! sure of it; integers of any size where the coordinates are too far apart for that.

use crate::dyadic::Dyadic;
use crate::round::U;
pub use crate::sign::Sign;
use glam::{DVec2, DVec3};
use robust::{Coord, Coord3D};

/// Side of `d` of the plane through `a`, `b`, `c`: positive when (a−d)·((b−d)×(c−d)) > 0, that is when `d` lies
/// *below* the plane seen with a, b, c counter-clockwise from above.
///
/// Filter: with differences exact to u relative, Shewchuk's bound (7 + 56·2u)u·permanent holds for the rounding
/// errors; 8u leaves room for that of the bound itself. Six products of two factors may underflow by η = 2⁻¹⁰⁷⁵
/// each, which the third factor multiplies, and three outer products by η: 2⁻¹⁰²²·(1 + Σ|third factors|) covers
/// both many times over (a tighter, subnormal constant would cost a slow path of the processor on every call). An overflow makes the bound infinite or NaN, and the comparison fails.
#[inline]
pub fn orient3d(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> Sign {
    const ROUNDING: f64 = 8.0 * U;
    const UNDERFLOW: f64 = f64::MIN_POSITIVE;
    let (a_d, b_d, c_d) = (a - d, b - d, c - d);
    let (bc, cb) = (b_d.x * c_d.y, c_d.x * b_d.y);
    let (ca, ac) = (c_d.x * a_d.y, a_d.x * c_d.y);
    let (ab, ba) = (a_d.x * b_d.y, b_d.x * a_d.y);
    let determinant = a_d.z * (bc - cb) + b_d.z * (ca - ac) + c_d.z * (ab - ba);
    let (za, zb, zc) = (a_d.z.abs(), b_d.z.abs(), c_d.z.abs());
    let permanent = (bc.abs() + cb.abs()) * za + (ca.abs() + ac.abs()) * zb + (ab.abs() + ba.abs()) * zc;
    let error = permanent * ROUNDING + (1.0 + za + zb + zc) * UNDERFLOW;
    if determinant > error {
        Sign::Positive
    } else if -determinant > error {
        Sign::Negative
    } else if level([a, b, c, d]) {
        Sign::Zero
    } else {
        orient3d_exact(a, b, c, d)
    }
}

/// Whether points agree in a coordinate, as those of caps and of boxes do: they are in one plane, without any arithmetic.
#[inline]
#[expect(clippy::needless_bitwise_bool, reason = "no branch is worth nine comparisons")]
fn level([p, q, r, s]: [DVec3; 4]) -> bool {
    let agree = |axis: usize| (p[axis] == q[axis]) & (p[axis] == r[axis]) & (p[axis] == s[axis]);
    agree(0) | agree(1) | agree(2)
}

/// Sign of a·(b×c) where it is **certain**: where its size exceeds what rounding (the filter of [`orient3d`]) and `moved`, a bound of
/// what else it may be off, do together. None elsewhere, and for NaN.
#[inline]
pub fn certain_volume([a, b, c]: [DVec3; 3], moved: f64) -> Option<Sign> {
    const ROUNDING: f64 = 8.0 * U;
    let (bc, cb) = (b.x * c.y, c.x * b.y);
    let (ca, ac) = (c.x * a.y, a.x * c.y);
    let (ab, ba) = (a.x * b.y, b.x * a.y);
    let determinant = a.z * (bc - cb) + b.z * (ca - ac) + c.z * (ab - ba);
    let (za, zb, zc) = (a.z.abs(), b.z.abs(), c.z.abs());
    let permanent = (bc.abs() + cb.abs()) * za + (ca.abs() + ac.abs()) * zb + (ab.abs() + ba.abs()) * zc;
    let error = permanent * ROUNDING + moved + (1.0 + za + zb + zc) * f64::MIN_POSITIVE;
    if determinant > error {
        Some(Sign::Positive)
    } else if -determinant > error {
        Some(Sign::Negative)
    } else {
        None
    }
}

/// Sign of (p−s)·((q−s)×(r−s)) where it is **certain** for points that are off by at most `error` each. None elsewhere, and where the
/// error is infinite or NaN.
///
/// Moving points by r changes the three edges e by at most 2r each and the determinant by at most
/// 2r(|e₁||e₂| + |e₁||e₃| + |e₂||e₃|) + 4r²Σ|e| + 8r³ ≤ 6r(E + 2r)², E ≥ every |e|; 7 covers rounding.
#[inline]
pub fn certain_side(p: DVec3, q: DVec3, r: DVec3, s: DVec3, error: f64) -> Option<Sign> {
    let (a, b, c) = (p - s, q - s, r - s);
    let size = |e: DVec3| e.abs().element_sum();
    let reach = size(a).max(size(b)).max(size(c)) + 2.0 * error;
    certain_volume([a, b, c], 7.0 * error * (reach * reach))
}

#[cold]
fn orient3d_exact(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> Sign {
    let mut points = [a, b, c, d].map(|p| p.to_array());
    match fit_to_range(points.as_flattened_mut()) {
        Fit::Safe => {
            let [a, b, c, d] = points.map(|[x, y, z]| Coord3D { x, y, z });
            Sign::of(robust::orient3d(a, b, c, d))
        }
        Fit::TooFar => {
            let [a, b, c, d] = points.map(|p| p.map(Dyadic::of_finite));
            determinant3(&difference(&a, &d), &difference(&b, &d), &difference(&c, &d)).sign()
        }
        Fit::NotFinite => Sign::Zero,
    }
}

/// Positive when `a`, `b`, `c` turn counter-clockwise.
///
/// Filter: Shewchuk's bound (3 + 16u)u·(|left| + |right|) for the rounding errors, with 4u leaving room for that of
/// the bound itself; two underflows are far below the smallest normal double.
#[inline]
pub fn orient2d(a: DVec2, b: DVec2, c: DVec2) -> Sign {
    const ROUNDING: f64 = 4.0 * U;
    let (a_c, b_c) = (a - c, b - c);
    let (left, right) = (a_c.x * b_c.y, a_c.y * b_c.x);
    let determinant = left - right;
    let error = (left.abs() + right.abs()) * ROUNDING + f64::MIN_POSITIVE;
    if determinant > error {
        Sign::Positive
    } else if -determinant > error {
        Sign::Negative
    } else {
        orient2d_close(a, b, c)
    }
}

/// Points whose turn the filter leaves open. Differences are zero, or have their sign, exactly (underflow is gradual); so where a
/// product has a factor zero, as along the axes it has, the other one's sign tells.
fn orient2d_close(a: DVec2, b: DVec2, c: DVec2) -> Sign {
    let (a_c, b_c) = (a - c, b - c);
    if a_c.x == 0.0 || b_c.y == 0.0 {
        Sign::of(a_c.y).times(Sign::of(b_c.x)).opposite()
    } else if a_c.y == 0.0 || b_c.x == 0.0 {
        Sign::of(a_c.x).times(Sign::of(b_c.y))
    } else {
        orient2d_exact(a, b, c)
    }
}

#[cold]
fn orient2d_exact(a: DVec2, b: DVec2, c: DVec2) -> Sign {
    let mut points = [a, b, c].map(|p| p.to_array());
    match fit_to_range(points.as_flattened_mut()) {
        Fit::Safe => {
            let [a, b, c] = points.map(|[x, y]| Coord { x, y });
            Sign::of(robust::orient2d(a, b, c))
        }
        Fit::TooFar => {
            let [a, b, c] = points.map(|p| p.map(Dyadic::of_finite));
            let (u, v) = (difference(&a, &c), difference(&b, &c));
            (&(&u[0] * &v[1]) - &(&u[1] * &v[0])).sign()
        }
        Fit::NotFinite => Sign::Zero,
    }
}

/// Positive when `d` lies inside the circle through `a`, `b`, `c`, given counter-clockwise; the sign flips when they
/// are given clockwise.
pub fn incircle(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> Sign {
    let mut points = [a, b, c, d].map(|p| p.to_array());
    match fit_to_range(points.as_flattened_mut()) {
        Fit::Safe => {
            let [a, b, c, d] = points.map(|[x, y]| Coord { x, y });
            Sign::of(robust::incircle(a, b, c, d))
        }
        Fit::TooFar => {
            let [a, b, c, d] = points.map(|p| p.map(Dyadic::of_finite));
            let [a, b, c] = [a, b, c].map(|p| lifted(&difference(&p, &d)));
            determinant3(&a, &b, &c).sign()
        }
        Fit::NotFinite => Sign::Zero,
    }
}

/// Positive when `e` lies inside the sphere through `a`, `b`, `c`, `d`, given with `orient3d` positive; the sign flips
/// when that is negative.
pub fn insphere(a: DVec3, b: DVec3, c: DVec3, d: DVec3, e: DVec3) -> Sign {
    let mut points = [a, b, c, d, e].map(|p| p.to_array());
    match fit_to_range(points.as_flattened_mut()) {
        Fit::Safe => {
            let [a, b, c, d, e] = points.map(|[x, y, z]| Coord3D { x, y, z });
            Sign::of(robust::insphere(a, b, c, d, e))
        }
        Fit::TooFar => {
            let [a, b, c, d, e] = points.map(|p| p.map(Dyadic::of_finite));
            let rows = [a, b, c, d].map(|p| difference(&p, &e));
            insphere_dyadic(&rows).sign()
        }
        Fit::NotFinite => Sign::Zero,
    }
}

/// Whether expansions are exact on the numbers.
enum Fit {
    /// They are, on the numbers as scaled.
    Safe,
    /// They need not be; the numbers are as given.
    TooFar,
    /// A number is NaN or infinite.
    NotFinite,
}

/// Scales the numbers by a common power of two (which changes no sign of a homogeneous predicate) into the range
/// 2⁻¹⁴²..2²⁰¹, in which Shewchuk proves all four predicates free of over- and underflow.
fn fit_to_range(numbers: &mut [f64]) -> Fit {
    let low = f64::from_bits((1023 - 142) << 52);
    let high = f64::from_bits((1023 + 200) << 52);
    let mut largest = 0.0_f64;
    let mut safe = true;
    for &number in numbers.iter() {
        let size = number.abs();
        if !size.is_finite() {
            return Fit::NotFinite;
        }
        largest = largest.max(size);
        safe &= size == 0.0 || (low..=high).contains(&size);
    }
    if safe {
        return Fit::Safe;
    }
    // 2^(200 − exponent of the largest), in two factors because one may leave the range of doubles.
    let normal = if largest < f64::MIN_POSITIVE { largest * 2f64.powi(100) } else { largest };
    let lift = if largest < f64::MIN_POSITIVE { 100 } else { 0 };
    let exponent = (normal.to_bits() >> 52) as i32 - 1023 - lift;
    let shift = 200 - exponent;
    let (first, second) = (2f64.powi(shift / 2), 2f64.powi(shift - shift / 2));
    let scaled = |number: f64| number * first * second;
    if numbers.iter().any(|&number| number != 0.0 && scaled(number).abs() < low) {
        return Fit::TooFar;
    }
    for number in numbers {
        *number = scaled(*number);
    }
    Fit::Safe
}

fn difference<const N: usize>(a: &[Dyadic; N], b: &[Dyadic; N]) -> [Dyadic; N] {
    std::array::from_fn(|i| &a[i] - &b[i])
}

/// (x, y) with x² + y² as third coordinate.
fn lifted(p: &[Dyadic; 2]) -> [Dyadic; 3] {
    let square = &(&p[0] * &p[0]) + &(&p[1] * &p[1]);
    [p[0].clone(), p[1].clone(), square]
}

/// a·(b×c)
fn determinant3(a: &[Dyadic; 3], b: &[Dyadic; 3], c: &[Dyadic; 3]) -> Dyadic {
    let minor = |i: usize, j: usize| &(&b[i] * &c[j]) - &(&b[j] * &c[i]);
    let sum = &(&a[0] * &minor(1, 2)) + &(&a[1] * &minor(2, 0));
    &sum + &(&a[2] * &minor(0, 1))
}

/// Determinant of the rows (x, y, z, x²+y²+z²), by its last column.
fn insphere_dyadic(rows: &[[Dyadic; 3]; 4]) -> Dyadic {
    let mut sum = Dyadic::ZERO;
    for (i, row) in rows.iter().enumerate() {
        let square = row.iter().fold(Dyadic::ZERO, |s, x| &s + &(x * x));
        let others: Vec<&[Dyadic; 3]> =
            rows.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, r)| r).collect();
        let term = &square * &determinant3(others[0], others[1], others[2]);
        sum = if i % 2 == 0 { &sum - &term } else { &sum + &term };
    }
    sum
}
