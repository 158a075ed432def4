//! Whether the origin, known to lie in the difference, lies inside it or on its boundary.

use super::scene::Scene;
use super::simplex::Nearest;
use crate::difference::corners::Corners;
use kontakt_math::exact_vector::{Vector, cross, dot, is_zero, neg, rounded_direction};
use kontakt_math::{DVec3, Dyadic, Sign};

/// A unit vector n (rounded) with n·x ≤ 0 for all x of the difference, exactly before rounding; `None` when the origin lies
/// inside.
///
/// Grows a list of vertices: while some plane through the origin has all of them on one side, the vertex farthest on the
/// other side joins; when there is none, the plane proves the boundary. Ends because each step adds another vertex.
pub(crate) fn outer_normal<A: Corners, B: Corners>(
    scene: &Scene<'_, A, B>,
    nearest: &Nearest,
) -> Option<DVec3> {
    let mut places: Vec<Vector> = nearest.spots.iter().map(|spot| spot.place.clone()).collect();
    while let Some(inward) = one_sided(&places) {
        let lowest = scene.spot(scene.lowest(&inward)).place;
        if dot(&inward, &lowest).sign() != Sign::Negative {
            let outward = -rounded_direction(&inward);
            return Some(outward.normalize_or_zero());
        }
        places.push(lowest);
    }
    None
}

/// A vector n ≠ 0 with n·p ≥ 0 for all places; `None` when their cone is all of space.
///
/// If they span space and their cone is not all of it, it has a facet that holds two of them that are not parallel; n is
/// its normal. If they span less, any n across them will do.
fn one_sided(places: &[Vector]) -> Option<Vector> {
    let Some(first) = places.iter().find(|p| !is_zero(p)) else { return Some(unit(0)) };
    let Some(plane) = places.iter().map(|p| cross(first, p)).find(|n| !is_zero(n)) else {
        // All on one line: across it and an axis that is not parallel to it.
        return [0, 1, 2].map(|axis| cross(first, &unit(axis))).into_iter().find(|n| !is_zero(n));
    };
    let sides: Vec<Sign> = places.iter().map(|p| dot(&plane, p).sign()).collect();
    if !sides.contains(&Sign::Negative) {
        return Some(plane);
    }
    if !sides.contains(&Sign::Positive) {
        return Some(neg(&plane));
    }
    for (i, p) in places.iter().enumerate() {
        for q in &places[..i] {
            let normal = cross(p, q);
            if is_zero(&normal) {
                continue;
            }
            let has = |side: Sign| places.iter().any(|x| dot(&normal, x).sign() == side);
            if !has(Sign::Negative) {
                return Some(normal);
            }
            if !has(Sign::Positive) {
                return Some(neg(&normal));
            }
        }
    }
    None
}

fn unit(axis: usize) -> Vector {
    let mut v = [Dyadic::ZERO, Dyadic::ZERO, Dyadic::ZERO];
    v[axis] = kontakt_math::exact_vector::exact(1.0);
    v
}
