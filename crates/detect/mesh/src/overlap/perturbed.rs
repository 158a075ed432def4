//! Signs of two bodies in general position: B is moved by an infinitely small translation τ = (ε, ε², ε³).
//!
//! A sign that is not zero does not change. One that is zero gets that of its derivative along τ, which is the sign of the first
//! component of a vector that is not zero: of a face's normal, or of the product of two edges' directions. Those vectors are zero
//! only for faces without area, which are left out, and for parallel edges; and an edge parallel to a side of a face
//! is parallel to its plane, so that τ moves both its ends to one side of it: nobody asks.

use crate::space::{Space, Spot, height, plane_through};
use kontakt_answers::Side;
use kontakt_math::{DVec3, Dyadic, Sign};
use std::cmp::Ordering;

/// Whether a corner of the other body is behind a face of `side` (the side opposite to its normal).
pub(super) fn is_behind(space: &Space, side: Side, [p, q, r]: &[Spot; 3], corner: &Spot) -> bool {
    // n·(p − s); with B moved, the face or the corner is moved by τ.
    let sign = match space.orient(p, q, r, corner) {
        Sign::Zero => {
            let normal = first_sign((0..3).map(|axis| space.turn(axis, p, q, r)));
            if side == Side::B { normal } else { normal.times(Sign::Negative) }
        }
        sign => sign,
    };
    sign == Sign::Positive
}

/// On which side of each other two lines run, the one through u and v of A, the other through p and q of B: the sign of
/// (u − q)·((v − u)×(p − q)), whose derivative along τ is τ·((v − u)×(q − p)).
pub(super) fn passing(space: &Space, [u, v]: [&Spot; 2], [p, q]: [&Spot; 2]) -> Sign {
    match space.orient(u, v, p, q) {
        Sign::Zero => first_sign((0..3).map(|axis| cross_sign(space, axis, [u, v], [p, q]))),
        sign => sign,
    }
}

/// In which order an edge of `side` goes through the planes of two faces of the other body, on whose sides its ends are.
///
/// With the height h of a point over a plane with normal n, the edge from u to v is there at t = h(u)/D, D = h(u) − h(v). If B is
/// moved by τ, h(u) and h(v) both change by ±n·τ, so t changes by ±n·τ/D: where t is the same for both planes, the first
/// component of n/D that is not decides.
pub(super) fn compare_along(space: &Space, side: Side, ends: &[Spot; 2], faces: [&[Spot; 3]; 2]) -> Ordering {
    let [u, v] = [&ends[0], &ends[1]].map(|spot| space.exact(spot));
    let [(m, h, d), (n, j, e)] = faces.map(|face| {
        let [p, q, r] = [&face[0], &face[1], &face[2]].map(|spot| space.exact(spot));
        let plane = plane_through(&p, &q, &r);
        let (from, to) = (&height(&plane, &u) * &v[3], &height(&plane, &v) * &u[3]);
        let span = &from - &to;
        (plane, from, span)
    });
    // x/d against y/e.
    let compared = |x: &Dyadic, y: &Dyadic| {
        let order = (x * &e).cmp(&(y * &d));
        if d.sign() == e.sign() { order } else { order.reverse() }
    };
    // A's edge meets planes of B that move with τ: h changes by −n·τ. B's edge moves itself: by n·τ.
    let moved = |k: usize| {
        let order = compared(&m[k], &n[k]);
        if side == Side::A { order.reverse() } else { order }
    };
    compared(&h, &j).then_with(|| (0..3).map(moved).find(|order| order.is_ne()).unwrap_or(Ordering::Equal))
}

fn first_sign(mut signs: impl Iterator<Item = Sign>) -> Sign {
    signs.find(|sign| *sign != Sign::Zero).unwrap_or(Sign::Zero)
}

/// Exact sign of a component of (v − u)×(q − p).
///
/// Filter: each difference errs by 2r and a rounding, so each product by 2r(|a| + |b|) + 4r² and three roundings; 6 and 8 cover.
fn cross_sign(space: &Space, axis: usize, [u, v]: [&Spot; 2], [p, q]: [&Spot; 2]) -> Sign {
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    let [(u_at, u_off), (v_at, v_off), (p_at, p_off), (q_at, q_off)] = [u, v, p, q].map(Spot::rounded);
    let radius = u_off.max(v_off).max(p_off).max(q_off) + 0.0 * (u_off + v_off + p_off + q_off);
    let (d, e): (DVec3, DVec3) = (v_at - u_at, q_at - p_at);
    let (left, right) = (d[i] * e[j], d[j] * e[i]);
    let reach = d.abs().element_sum() + e.abs().element_sum() + radius;
    let error = 6.0 * radius * reach + 8.0 * f64::EPSILON * (left.abs() + right.abs()) + f64::MIN_POSITIVE;
    if left - right > error {
        return Sign::Positive;
    }
    if right - left > error {
        return Sign::Negative;
    }
    let [u, v, p, q] = [u, v, p, q].map(|spot| space.exact(spot));
    let along = |k: usize| &(&v[k] * &u[3]) - &(&u[k] * &v[3]);
    let other = |k: usize| &(&q[k] * &p[3]) - &(&p[k] * &q[3]);
    (&(&along(i) * &other(j)) - &(&along(j) * &other(i))).sign()
}
