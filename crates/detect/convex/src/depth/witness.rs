//! How far witness points may be from exact ones.

use super::Bodies;
use super::body::Body;
use crate::difference::corners::Corners;
use crate::difference::{Difference, Spot};
use crate::facet::Facet;
use kontakt_math::{DVec3, U};

/// Corners that are followed one by one.
const MOST: usize = 24;

/// The points of A (in its frame) and B (in its frame) that mix the corners behind some vertices.
pub(crate) fn mix(pair: &Bodies<'_>, spots: &[Spot], weights: &[f64]) -> (DVec3, DVec3) {
    let mut sums = (DVec3::ZERO, DVec3::ZERO);
    for (spot, weight) in spots.iter().zip(weights) {
        sums.0 += pair.a.corner(spot.a) * *weight;
        sums.1 += pair.b.corner(spot.b) * *weight;
    }
    sums
}

/// The corners of a body that may belong to the exact face of contact.
struct Candidates {
    /// The first two.
    ids: [u32; 2],
    count: usize,
    /// Farthest of them from the witness point.
    farthest: f64,
}

/// A corner x can be extreme along an exact normal m only if n·(best − x) ≤ |m − n||best − x|: all others are ruled out.
///
/// As n turns to m, each face on the way shares a corner with the last, and all of them are candidates: so those connected
/// with the best corner are all.
fn candidates(body: &Body<'_>, first: u32, direction: DVec3, angle: f64, point: DVec3) -> Candidates {
    let best = body.corner(first);
    let height = direction.dot(best);
    let noise = 16.0 * U * body.reach();
    let may_be = |id: u32| {
        let x = body.corner(id);
        let below = height - direction.dot(x) - noise;
        below <= 0.0 || below * below <= angle * angle * (best - x).length_squared() * (1.0 + 1e-9)
    };
    let mut ids = [first; MOST];
    let (mut count, mut next) = (1, 0);
    while next < count.min(MOST) {
        body.neighbours(ids[next], |id| {
            if count <= MOST && !ids[..count.min(MOST)].contains(&id) && may_be(id) {
                if count < MOST {
                    ids[count] = id;
                }
                count += 1;
            }
        });
        next += 1;
    }
    let far = |id: &u32| (body.corner(*id) - point).length() * (1.0 + 8.0 * U);
    let farthest = if count > MOST {
        // Too many to follow: anywhere on the body.
        2.0 * body.reach()
    } else {
        ids[..count].iter().map(far).fold(0.0, f64::max)
    };
    Candidates { ids: [ids[0], ids[1]], count, farthest }
}

/// `tops` are the farthest corners along the normal. **Never less** than the distance of the facet's pair of points from the nearest exact pair.
///
/// Exact pairs are a* in A's exact face of contact, b* in B's, with a* − b* = p*, the depth's foot. Ours have
/// a − b = p with |p − p*| ≤ ε. One candidate on a side: that point is exact, the other one off by ε. Two edges
/// with the sine s of the angle between them: (a − a*) − (b − b*) = p − p*, a − a* along one and b − b* along the other, so each
/// is at most ε/s. Otherwise the exact points lie somewhere among the candidates.
pub(crate) fn point_error(pair: &Bodies<'_>, facet: &Facet, tops: [u32; 2]) -> f64 {
    let turn = pair.between.turn();
    let (n, angle) = (facet.normal, facet.normal_error);
    if !(angle < 1.0 && facet.low >= 0.0) {
        return f64::INFINITY;
    }
    let on_a = candidates(&pair.a, tops[0], n, angle, facet.point_a);
    // The direction turned back errs as the turn does, and by a few roundings.
    let turn_error = pair.between.error_within(1.0) - pair.between.error_within(0.0) + 8.0 * U;
    let on_b = candidates(&pair.b, tops[1], turn.transpose() * -n, angle + turn_error, facet.point_b);
    let noise = pair.error() + 16.0 * U * pair.size();
    let b = pair.between.b_in_a(facet.point_b);
    let middle = 0.5 * (facet.low + facet.high);
    let apart =
        (facet.point_a - b - n * middle).length() + (facet.high - facet.low) + facet.high * angle + noise;
    if on_a.count == 1 || on_b.count == 1 {
        return apart + noise;
    }
    if on_a.count == 2 && on_b.count == 2 {
        let u = pair.a.corner(on_a.ids[1]) - pair.a.corner(on_a.ids[0]);
        let v = turn * (pair.b.corner(on_b.ids[1]) - pair.b.corner(on_b.ids[0]));
        let sine = u.cross(v).length() / (u.length() * v.length()) - turn_error - 16.0 * U;
        if sine > 1e-12 {
            return (apart + noise) / sine * 1.5 + noise;
        }
    }
    on_a.farthest + on_b.farthest + noise
}
