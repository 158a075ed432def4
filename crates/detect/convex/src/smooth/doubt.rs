//! How far a normal and a pair of points may be from exact ones.

use super::ascent::Stand;
use super::body::{Bend, Body, Spot, U};
use super::pair::{Pair, View, tangents};
use kontakt_math::DVec3;

/// Directions of A and B, as computed, are less than this far from the exact image of one common direction: 64u for the
/// turn between the frames, some roundings for the rest. For chains of poses the pair's noise tells more.
const TURN: f64 = 256.0 * U;

/// **Never less** than the angle between the stand's direction and the exact normal of separate cores that are between
/// `lo` > 0 and `hi` apart.
///
/// First bound: the nearest point w* of B − A has n·w* ≥ lo and |w*| ≤ hi, so the cosine is at least lo/hi. Second, where
/// both bodies show one smooth piece: φ(v) = ½|v|² − f(v) is strongly convex with modulus 1 and has its minimum at w*, so
/// |v − w*| ≤ |∇φ(v)| = |v − w| for the point w seen along v; that the directions for A and B differ by `TURN` makes w an
/// ε-subgradient with ε ≤ |v|·κ·TURN², κ the sum of the second derivatives, and adds √ε at most.
pub(super) fn angle_of_separate(pair: &Pair, stand: &Stand, lo: f64, hi: f64) -> f64 {
    // 1 − cos φ = 2·sin²(φ/2).
    let by_ends = 2.0 * ((0.5 * (hi - lo) / hi).sqrt() * (1.0 + 8.0 * U)).min(1.0).asin();
    let Some(bends) = smooth_bends(pair, stand) else { return by_ends };
    let across = (stand.view.w - stand.n * stand.gap).length() + pair.noise;
    let curve = bends.map(|bend| bend.xx + bend.yy).iter().sum::<f64>();
    let moved = across + 2.0 * TURN * (hi * curve).sqrt();
    if moved < 0.1 * lo { by_ends.min(1.01 * moved / lo) } else { by_ends }
}

/// The bends of both bodies, where both show one piece each that does not change within `TURN`.
fn smooth_bends(pair: &Pair, stand: &Stand) -> Option<[Bend; 2]> {
    let [a, b] = [bend_of(pair, stand, true)?, bend_of(pair, stand, false)?];
    Some([a, b])
}

/// The bend of one body where the piece seen does not change within `TURN`.
fn bend_of(pair: &Pair, stand: &Stand, first: bool) -> Option<Bend> {
    let View { a, b, .. } = stand.view;
    let (e, f) = tangents(stand.n);
    let bends = pair.bends(&stand.view, stand.n, e, f);
    let (body, spot, bend, direction) = if first {
        (&pair.a, a, bends.a, stand.n)
    } else {
        (&pair.b, b, bends.b, pair.against_in_b(stand.n))
    };
    (is_certain(body, spot, direction) && bend.kept(4.0 * TURN) >= 0.9).then_some(bend)
}

/// Whether the same piece is seen from all directions within `TURN` of d.
fn is_certain(body: &Body, spot: Spot, d: DVec3) -> bool {
    if spot.piece == super::body::ALONE {
        return false;
    }
    match body {
        Body::Ellipsoid(_) => true,
        Body::Box(half) => (0..3).all(|i| half[i] == 0.0 || d[i].abs() > TURN),
        Body::Cylinder { half_length, .. } => *half_length == 0.0 || d.z.abs() > TURN,
        Body::Cone { half_length, radius } => {
            let lead = 2.0 * half_length * d.z - radius * d.x.hypot(d.y);
            lead.abs() > 2.0 * TURN * (2.0 * half_length + radius)
        }
        Body::Points(points) => {
            let reach = body.reach();
            let best = spot.point.dot(d);
            let rivals = points.iter().filter(|p| best - p.dot(d) <= 2.0 * TURN * reach);
            rivals.filter(|p| **p != spot.point).count() == 0
        }
        Body::User(_) => false,
    }
}

/// **Never less** than the distance of a pair of points (together) from an exact pair, when the direction is off by no more
/// than `angle` and the separation lies between `lo` and `hi`.
///
/// A body that shows one smooth piece moves its point by at most 1.4·trace·angle: with Hessian Mᵀ(1 − ûûᵀ)M/|Mn|, |Mn| falls by
/// no more than a tenth and û turns so little that the quadratic form grows by less than 1.25, as long as 9/10 of the
/// form are kept. The other point is then the first one plus the exact shortest vector, of length within [lo, hi] along the
/// exact normal. Where neither body shows one piece, no more is known than the size.
pub(super) fn points(pair: &Pair, stand: &Stand, found: (DVec3, DVec3), angle: f64, lo: f64, hi: f64) -> f64 {
    let unknown = 2.0 * pair.size;
    if angle >= 0.1 {
        return unknown;
    }
    let turn = angle + TURN;
    let swing = |first: bool| {
        let bend = bend_of(pair, stand, first).filter(|bend| bend.kept(4.0 * turn) >= 0.9)?;
        let seen = if first { stand.view.a.point - found.0 } else { stand.view.b_in_a - found.1 };
        Some(seen.length() + 1.4 * (bend.xx + bend.yy) * turn + pair.noise)
    };
    let (a, b) = (swing(true), swing(false));
    let vector = found.1 - found.0;
    let apart =
        (vector - stand.n * stand.gap).length() + (hi - lo) + hi.abs().max(lo.abs()) * turn + pair.noise;
    let by_one = |one: f64| 2.0 * one + apart;
    match (a, b) {
        (Some(a), Some(b)) => (a + b).min(by_one(a)).min(by_one(b)),
        (Some(one), None) | (None, Some(one)) => by_one(one),
        (None, None) => unknown,
    }
    .min(unknown)
}
