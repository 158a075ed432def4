//! On which side of a line through a point a segment passes: the sign of one determinant, exact.

use kontakt_math::exact_vector::{cross, dot, exact, sub, vector};
use kontakt_math::{DVec2, DVec3, Sign};

/// Sign of direction·((a−o)×(b−o)): which way the line through `o` along `direction` passes the segment from a to b; zero
/// when it meets the segment's line or is parallel to it. Exact for all finite doubles.
///
/// Filter: the differences are exact to u relative, `direction` is exact, so the bound of `math::predicates::orient3d`
/// (8u·permanent and a term for underflow) holds here too.
pub(crate) fn line_side(direction: DVec3, o: DVec3, a: DVec3, b: DVec3) -> Sign {
    const ROUNDING: f64 = 8.0 * (f64::EPSILON / 2.0);
    let (p, q) = (a - o, b - o);
    let (x1, x2) = (p.y * q.z, p.z * q.y);
    let (y1, y2) = (p.z * q.x, p.x * q.z);
    let (z1, z2) = (p.x * q.y, p.y * q.x);
    let value = direction.x * (x1 - x2) + direction.y * (y1 - y2) + direction.z * (z1 - z2);
    let size = direction.abs();
    let permanent =
        size.x * (x1.abs() + x2.abs()) + size.y * (y1.abs() + y2.abs()) + size.z * (z1.abs() + z2.abs());
    let error = permanent * ROUNDING + (1.0 + size.x + size.y + size.z) * f64::MIN_POSITIVE;
    if value > error {
        Sign::Positive
    } else if -value > error {
        Sign::Negative
    } else {
        exact_line_side(direction, o, a, b)
    }
}

#[cold]
fn exact_line_side(direction: DVec3, o: DVec3, a: DVec3, b: DVec3) -> Sign {
    let [d, o, a, b] = [direction, o, a, b].map(vector);
    dot(&d, &cross(&sub(&a, &o), &sub(&b, &o))).sign()
}

/// Sign of direction × (b − a) in the plane, exact.
pub(crate) fn turn(direction: DVec2, a: DVec2, b: DVec2) -> Sign {
    let along = |x: f64, y: f64| &exact(x) - &exact(y);
    (&(&exact(direction.x) * &along(b.y, a.y)) - &(&exact(direction.y) * &along(b.x, a.x))).sign()
}
