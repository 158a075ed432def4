//! How far a normal and a pair of points may be from exact ones.

use super::ascent::Stand;
use super::body::{Bend, Body, Spot};
use super::pair::{Bends, Pair, tangents};
use kontakt_math::{DVec3, U};

/// Directions of A and B, as computed, are less than this far from the exact image of one common direction: 64u for the
/// turn between the frames, some roundings for the rest. For chains of poses the pair's noise tells more.
const TURN: f64 = 256.0 * U;

/// A stand with the bends of the bodies that show one piece there, the same within `TURN`.
pub(super) struct Sight<'p> {
    pair: &'p Pair<'p>,
    stand: Stand,
    a: Option<Bend>,
    b: Option<Bend>,
}

impl<'p> Sight<'p> {
    /// Looks whether the pieces are certain.
    pub(super) fn new(pair: &'p Pair<'p>, stand: &Stand) -> Sight<'p> {
        let (e, f) = tangents(stand.n);
        let Bends { a, b } = pair.bends(&stand.view, stand.n, e, f);
        let certain = |body: &Body, spot: Spot, bend: Bend, d: DVec3| {
            (bend.kept(4.0 * TURN) >= 0.9 && is_certain(body, spot, d)).then_some(bend)
        };
        let a = certain(&pair.a, stand.view.a, a, stand.n);
        let b = certain(&pair.b, stand.view.b, b, pair.against_in_b(stand.n));
        Sight { pair, stand: *stand, a, b }
    }

    /// **Never less** than the angle between the stand's direction and the exact normal of separate cores that are between
    /// `lo` > 0 and `hi` apart.
    ///
    /// First bound: the nearest point w* of B − A has n·w* ≥ lo and |w*| ≤ hi, so the cosine is at least lo/hi. Second, where
    /// both bodies show one smooth piece: φ(v) = ½|v|² − f(v) is strongly convex with modulus 1 and has its minimum at w*, so
    /// |v − w*| ≤ |∇φ(v)| = |v − w| for the point w seen along v; that the directions for A and B differ by `TURN` makes w an
    /// ε-subgradient with ε ≤ |v|·κ·TURN², κ the sum of the second derivatives, and adds √ε at most.
    pub(super) fn angle_of_separate(&self, lo: f64, hi: f64) -> f64 {
        // 1 − cos φ = 2·sin²(φ/2).
        let by_ends = || 2.0 * ((0.5 * (hi - lo) / hi).sqrt() * (1.0 + 8.0 * U)).min(1.0).asin();
        let (Some(a), Some(b)) = (self.a, self.b) else { return by_ends() };
        let Stand { n, view, gap } = self.stand;
        let across = (view.w - n * gap).length() + self.pair.noise;
        let curve = a.xx + a.yy + b.xx + b.yy;
        let moved = across + 2.0 * TURN * (hi * curve).sqrt();
        if moved < 1e-6 * lo { 1.01 * moved / lo } else { by_ends().min(1.01 * moved / lo) }
    }

    /// **Never less** than the distance of a pair of points (together) from an exact pair, when the direction is off by no
    /// more than `angle` and the separation lies between `lo` and `hi`.
    ///
    /// A body that shows one smooth piece moves its point by at most 1.4·trace·angle: with Hessian Mᵀ(1 − ûûᵀ)M/|Mn|, |Mn|
    /// falls by no more than a tenth and û turns so little that the quadratic form grows by less than 1.25, as long as 9/10 of
    /// the form are kept. The other point is then the first one plus the exact shortest vector, of length within [lo, hi]
    /// along the exact normal. Where neither body shows one piece, no more is known than the size.
    pub(super) fn points(&self, found: (DVec3, DVec3), angle: f64, lo: f64, hi: f64) -> f64 {
        let Sight { pair, stand, .. } = self;
        let unknown = 2.0 * pair.size;
        if angle >= 0.1 {
            return unknown;
        }
        let turn = angle + TURN;
        let swing = |bend: Option<Bend>, off: DVec3| {
            let bend = bend.filter(|bend| bend.kept(4.0 * turn) >= 0.9)?;
            Some(off.length() + 1.4 * (bend.xx + bend.yy) * turn + pair.noise)
        };
        let a = swing(self.a, stand.view.a.point - found.0);
        let b = swing(self.b, stand.view.b_in_a - found.1);
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
