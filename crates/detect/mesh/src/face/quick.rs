//! The usual case in doubles: all signs are certain, one error bound for each kind of determinant.

use super::corners::{Corners, flattened};
use super::meeting::Meeting;
use kontakt_math::{DVec2, DVec3, U};

/// Above this size products of three lengths might overflow.
const HUGE: f64 = 1e95;

/// Apart or crossing where that is certain; `None` where a sign is in doubt.
///
/// The decision and the proof of its bounds are those of `meet_batch`, with u = 2⁻⁵³ and r = `error` of B's corners:
/// heights over A's plane err by less than 26rα(ω + α) + 56uα²ω, and so on. Products of three lengths that underflow err
/// by a few 2⁻¹⁰⁷⁵(1 + ω), far below the smallest normal double times that.
#[inline]
pub(super) fn decide(corners: &Corners) -> Option<Meeting> {
    let at = |corner: usize| corners.placed(corner);
    let (a, b) = ([at(0), at(1), at(2)], [at(3), at(4), at(5)]);
    let r = corners.error();
    let (d1, d2) = (a[1] - a[0], a[2] - a[0]);
    let w = [b[0] - a[0], b[1] - a[0], b[2] - a[0]];
    let alpha = extent([d1, d2, d2 - d1]) + 4.0 * r;
    let omega = extent(w) + alpha + 4.0 * r;
    if omega.is_nan() || omega > HUGE {
        return None;
    }
    let floor = (1.0 + omega) * f64::MIN_POSITIVE;
    let height_error = |edge: f64| edge * (26.0 * r * (omega + edge) + 56.0 * U * edge * omega) + floor;
    let n = d1.cross(d2);
    let g = w.map(|x| n.dot(x));
    let g_error = height_error(alpha);
    let (low, high) = ends(g);
    if low > g_error || -high > g_error {
        return Some(Meeting::Apart);
    }
    let (e1, e2) = (b[1] - b[0], b[2] - b[0]);
    let beta = extent([e1, e2, e2 - e1]) + 4.0 * r;
    let m = e1.cross(e2);
    let k = a.map(|x| m.dot(x - b[0]));
    let k_error = height_error(beta);
    let (low, high) = ends(k);
    if low > k_error || -high > k_error {
        return Some(Meeting::Apart);
    }
    if !(g.iter().all(|x| x.abs() > g_error) && k.iter().all(|x| x.abs() > k_error)) {
        let normal = if n.length_squared() > m.length_squared() { n } else { m };
        return are_apart_in_view(a, b, normal, [r, omega + beta]).then_some(Meeting::Apart);
    }
    let error =
        14.0 * r * ((alpha + beta) * omega + alpha * beta) + 56.0 * U * (alpha * beta) * omega + floor;
    let (i, j) = (alone(k), alone(g));
    let (apex_a, apex_b) = (a[i], b[j]);
    let (next_a, last_a) = (a[(i + 1) % 3] - apex_a, a[(i + 2) % 3] - apex_a);
    let (next_b, last_b) = (b[(j + 1) % 3] - apex_b, b[(j + 2) % 3] - apex_b);
    let (with_next, with_last) =
        if (k[i] > 0.0) == (g[j] > 0.0) { (next_b, last_b) } else { (last_b, next_b) };
    let between = apex_b - apex_a;
    let side = g[j].signum();
    let first = next_a.cross(with_next).dot(between) * side;
    let second = -last_a.cross(with_last).dot(between) * side;
    let least = first.min(second);
    if -least > error {
        Some(Meeting::Apart)
    } else if least > error {
        Some(Meeting::Crossing)
    } else {
        None
    }
}

/// Whether some edge's line keeps the triangles apart for certain, as they are seen along the axis next to `normal`: of triangles in one
/// plane heights tell nothing, and most that are asked about are far from each other in it.
///
/// Differences of corners are no larger than `size`, which is more than 4r, and err by less than 2r + u·size; so a turn, the difference of two
/// products, errs by less than 16·size·(r + u·size).
fn are_apart_in_view(a: [DVec3; 3], b: [DVec3; 3], normal: DVec3, [r, size]: [f64; 2]) -> bool {
    let normal = normal.abs();
    let axis =
        if normal.z >= normal.x && normal.z >= normal.y { 2 } else { usize::from(normal.y > normal.x) };
    let [a, b] = [a, b].map(|corners| corners.map(|x| flattened(x, axis)));
    let error = 16.0 * size * (r + U * size) + f64::MIN_POSITIVE;
    let separates = |one: &[DVec2; 3], other: &[DVec2; 3], i: usize| {
        let (start, side) = (one[i], one[(i + 1) % 3] - one[i]);
        let turn = |x: DVec2| side.perp_dot(x - start);
        let own = turn(one[(i + 2) % 3]);
        own.abs() > error && other.iter().all(|&x| turn(x) * own.signum() < -error)
    };
    (0..3).any(|i| separates(&a, &b, i) || separates(&b, &a, i))
}

/// The largest absolute coordinate.
#[inline]
fn extent([x, y, z]: [DVec3; 3]) -> f64 {
    x.abs().max(y.abs()).max(z.abs()).max_element()
}

/// Least and greatest.
#[inline]
fn ends([x, y, z]: [f64; 3]) -> (f64, f64) {
    (x.min(y).min(z), x.max(y).max(z))
}

/// The one whose sign is not that of the other two.
#[inline]
fn alone([x, y, z]: [f64; 3]) -> usize {
    if (x > 0.0) == (y > 0.0) { 2 } else { usize::from((x > 0.0) == (z > 0.0)) }
}
