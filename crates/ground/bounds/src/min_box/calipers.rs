//! The best rectangle around a fixed direction: rotating calipers in the plane across it.

use super::cost::cost;
use super::principal::orthonormal;
use crate::bound::Objective;
use kontakt_math::predicates::{Sign, orient2d};
use kontakt_math::{DMat3, DVec2, DVec3};

/// The best axes among those with the first along `axis` and a side flush with an edge of the points' shadow.
pub(super) fn around(points: &[DVec3], axis: DVec3, objective: Objective) -> DMat3 {
    let frame = orthonormal(axis, DVec3::ZERO);
    let (u, v) = (frame.y_axis, frame.z_axis);
    let along = points.iter().map(|p| frame.x_axis.dot(*p));
    let (low, high) = along.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
    let ring = shadow(points.iter().map(|p| DVec2::new(u.dot(*p), v.dot(*p))).collect());
    let mut best = (f64::INFINITY, DVec2::X);
    let n = ring.len();
    // Farthest along the edge, across it, and against it: each only ever moves on around the ring.
    let (mut ahead, mut across, mut behind) = (1, 1, 1);
    for k in 0..n {
        let (a, b) = (ring[k], ring[(k + 1) % n]);
        let Some(d) = (b - a).try_normalize() else { continue };
        let side = d.perp();
        let advance = |mut at: usize, direction: DVec2| {
            for _ in 0..n {
                if direction.dot(ring[(at + 1) % n] - ring[at % n]) <= 0.0 {
                    break;
                }
                at += 1;
            }
            at
        };
        ahead = advance(ahead.max(k + 1), d);
        across = advance(across.max(ahead), side);
        behind = advance(behind.max(across), -d);
        let widths = [high - low, d.dot(ring[ahead % n] - ring[behind % n]), side.dot(ring[across % n] - a)];
        let value = cost(objective, widths);
        // Lengths break ties where the cost is zero.
        if value < best.0 {
            best = (value, d);
        }
    }
    orthonormal(frame.x_axis, u * best.1.x + v * best.1.y)
}

/// Convex hull in the plane, counter-clockwise, strictly convex.
fn shadow(mut points: Vec<DVec2>) -> Vec<DVec2> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let chain = |points: &mut dyn Iterator<Item = &DVec2>| {
        let mut turn: Vec<DVec2> = Vec::new();
        for &p in points {
            while let [.., a, b] = turn[..] {
                if orient2d(a, b, p) == Sign::Positive {
                    break;
                }
                turn.pop();
            }
            turn.push(p);
        }
        turn.pop();
        turn
    };
    let mut ring = chain(&mut points.iter());
    ring.extend(chain(&mut points.iter().rev()));
    ring
}
