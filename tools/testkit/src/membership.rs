//! Whether a point lies in a volume, decided exactly from the volume's stored doubles by its defining formula.

use crate::rational::{Rational, Vector, abs, cross, dot, exact, integer, scale, sub, vector};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

/// Image of a point under x ↦ R(q/|q|)x + t, exactly; the quaternion is (x, y, z, w).
pub fn image(point: &Vector, quaternion: [f64; 4], translation: [f64; 3]) -> Vector {
    let [x, y, z, w] = quaternion.map(exact);
    let b = [x, y, z];
    let square = dot(&b, &b) + &w * &w;
    // q v q* = v(w² − b²) + 2b(v·b) + 2w(b × v), divided by |q|².
    let first = scale(&(&w * &w - dot(&b, &b)), point);
    let second = scale(&(integer(2) * dot(point, &b)), &b);
    let third = scale(&(integer(2) * &w), &cross(&b, point));
    let t = vector(translation);
    std::array::from_fn(|i| (&first[i] + &second[i] + &third[i]) / &square + &t[i])
}

/// Bounds of a square root, 2⁻²⁰⁰ apart relative to 1.
pub fn root_bounds(value: &Rational) -> (Rational, Rational) {
    let shift = BigInt::from(1) << 400;
    let scaled = (value * Rational::from_integer(shift)).floor().to_integer();
    let low = scaled.sqrt();
    let unit = Rational::from_integer(BigInt::from(1) << 200);
    (Rational::from_integer(low.clone()) / &unit, Rational::from_integer(low + 1) / &unit)
}

/// {c + s·â + y : |s| ≤ h, |y| ≤ r}
pub fn in_cylinder(p: &Vector, centre: [f64; 3], axis: [f64; 3], half_length: f64, radius: f64) -> bool {
    let (w, a) = (sub(p, &vector(centre)), vector(axis));
    let square = dot(&a, &a);
    let along = dot(&w, &a);
    let around = cross(&w, &a);
    let (h, r) = (exact(half_length), exact(radius));
    &along * &along <= &h * &h * &square && dot(&around, &around) <= &r * &r * &square
}

/// {b + s·â + y : 0 ≤ s ≤ h, |y| ≤ r₀ + (r₁ − r₀)s/h}, up to 2⁻¹⁹⁰.
pub fn in_cone(p: &Vector, base: [f64; 3], axis: [f64; 3], height: f64, radii: [f64; 2]) -> bool {
    let (w, a) = (sub(p, &vector(base)), vector(axis));
    let (length, _) = root_bounds(&dot(&a, &a));
    let along = dot(&w, &a) / &length;
    let h = exact(height);
    let [r0, r1] = radii.map(exact);
    let tiny = Rational::new(1.into(), BigInt::from(1) << 190);
    if along < -&tiny || along > &h + &tiny {
        return false;
    }
    let radius = if h.is_zero() { r0.clone().max(r1.clone()) } else { &r0 + (&r1 - &r0) * along / h };
    let around = cross(&w, &a);
    dot(&around, &around) / dot(&a, &a) <= (&radius * &radius) + tiny
}

/// {x : r ≤ |x − c| ≤ R, (x − c)·â ≥ cos·|x − c|}
pub fn in_shell(p: &Vector, centre: [f64; 3], radii: [f64; 2], axis: [f64; 3], cos: f64) -> bool {
    let (w, a) = (sub(p, &vector(centre)), vector(axis));
    let square = dot(&w, &w);
    let [inner, outer] = radii.map(exact);
    let cos = exact(cos);
    let along = dot(&w, &a);
    // along ≥ cos·sqrt(square·a²), by signs and squares.
    let bound = &cos * &cos * &square * dot(&a, &a);
    let along_squared = &along * &along;
    let in_cone = if cos.is_negative() {
        !along.is_negative() || along_squared <= bound
    } else {
        !along.is_negative() && along_squared >= bound
    };
    in_cone && &inner * &inner <= square && square <= &outer * &outer
}

/// {c + A·(p, z) : p in the triangle, |z| ≤ h}, A by columns.
pub fn in_prism(
    p: &Vector,
    centre: [f64; 3],
    axes: [[f64; 3]; 3],
    triangle: [[f64; 2]; 3],
    half_height: f64,
) -> bool {
    let w = sub(p, &vector(centre));
    let [x, y, z] = axes.map(vector);
    let det = dot(&x, &cross(&y, &z));
    let local =
        [dot(&w, &cross(&y, &z)) / &det, dot(&x, &cross(&w, &z)) / &det, dot(&x, &cross(&y, &w)) / &det];
    let corners = triangle.map(|c| c.map(exact));
    let turn = |i: usize| {
        let (a, b) = (&corners[i], &corners[(i + 1) % 3]);
        (&b[0] - &a[0]) * (&local[1] - &a[1]) - (&b[1] - &a[1]) * (&local[0] - &a[0])
    };
    let turns = [turn(0), turn(1), turn(2)];
    let inside = turns.iter().all(|t| !t.is_negative()) || turns.iter().all(|t| !t.is_positive());
    inside && abs(&local[2]) <= exact(half_height)
}

/// {c + Σ sᵢgᵢ : |sᵢ| ≤ 1} for generators that span space, by the normals of all facets.
pub fn in_zonotope(p: &Vector, centre: [f64; 3], generators: &[[f64; 3]]) -> bool {
    let w = sub(p, &vector(centre));
    let g: Vec<Vector> = generators.iter().map(|g| vector(*g)).collect();
    if g.is_empty() {
        return w.iter().all(Zero::is_zero);
    }
    (0..g.len()).all(|i| {
        (0..i).all(|j| {
            let n = cross(&g[i], &g[j]);
            let reached: Rational = g.iter().map(|g| abs(&dot(&n, g))).fold(Rational::zero(), |a, b| a + b);
            abs(&dot(&n, &w)) <= reached
        })
    })
}
