//! A core that is a point and one that is a box: spheres against boxes, which may be rounded.

use crate::{Answer, PlacedShape, Verdict};
use kontakt_answers::Range;
use kontakt_math::{DVec3, U};

/// Sizes whose squares are far from the ends of the range of doubles.
const TAME: std::ops::Range<f64> = 1e-100..1e100;

/// The nearest place of the box to the point, in the box's frame, or the shallowest way out of the box.
struct Nearest {
    /// From the box to the point.
    normal: DVec3,
    /// **Never less** than the angle that it may be off.
    normal_error: f64,
    /// Signed distance of the point from the box, and how far it may be off.
    separation: f64,
    error: f64,
    /// On the surface of the box.
    place: DVec3,
}

/// The answer about a box (A) with this half extent and a point (B), if doubles tell the verdict and one nearest place. In the
/// box's own frame the three coordinates of the nearest place can be sought one by one, so that an iteration ends where it begins.
///
/// Errors, to first order in u. The offset d of the point errs by u|d|, and by 35u|d| more when it is turned back into the box's
/// frame ([`kontakt_math::Pose::apply_error`]): `noise` has 48u|d|₁. The nearest place moves by no more than the point does, and so does the
/// line between them; its roundings are below 8u of its length.
#[inline]
pub(crate) fn answer(body: &PlacedShape, half: DVec3, point: &PlacedShape) -> Option<Answer> {
    let centre = point.pose.translation();
    let offset = centre - body.pose.translation();
    let size = half.element_sum() + offset.abs().element_sum();
    if !TAME.contains(&size) {
        return None;
    }
    let noise = offset.abs().element_sum() * (48.0 * U) + f64::MIN_POSITIVE;
    let seen = body.pose.rotation().conjugate() * offset;
    let place = seen.clamp(-half, half);
    let nearest = if place == seen { way_out(seen, half, noise) } else { outside(seen, place, noise) }?;
    in_world(body, point, &nearest, noise)
}

/// Of a point outside; none if it is so near that the direction would be noise.
#[inline]
fn outside(seen: DVec3, place: DVec3, noise: f64) -> Option<Nearest> {
    let line = seen - place;
    let separation = line.length();
    let error = noise + separation * (8.0 * U);
    (separation > 1e4 * noise).then(|| Nearest {
        normal: line / separation,
        normal_error: 2.0 * noise / separation + 8.0 * U,
        separation,
        error,
        place,
    })
}

/// Of a point inside; none if two ways out are alike up to rounding. The room to a wall is rounded by u of itself.
#[inline]
fn way_out(seen: DVec3, half: DVec3, noise: f64) -> Option<Nearest> {
    let room = half - seen.abs();
    let error = noise + half.element_sum() * (2.0 * U);
    let axis = room.min_position();
    let is_rival = |i: usize| i != axis && room[i] - room[axis] <= 4.0 * error;
    if is_rival(0) || is_rival(1) || is_rival(2) {
        return None;
    }
    let (mut normal, mut place) = (DVec3::ZERO, seen);
    normal[axis] = 1.0_f64.copysign(seen[axis]);
    place[axis] = half[axis].copysign(seen[axis]);
    Some(Nearest { normal, normal_error: 0.0, separation: -room[axis], error, place })
}

/// With the radii, in the world; none if that leaves the verdict open.
///
/// The sum of four radii errs by 3u, here 4u. A turned unit vector errs by 40u; so does a placed point, and by 2u of the
/// translation.
#[inline]
fn in_world(body: &PlacedShape, point: &PlacedShape, nearest: &Nearest, noise: f64) -> Option<Answer> {
    let ([r, margin_body], [q, margin_point]) = (body.shape.radii(), point.shape.radii());
    let (radius_body, radius_point) = (r + margin_body, q + margin_point);
    let radii = radius_body + radius_point;
    let lo = (nearest.separation - nearest.error - radii * (1.0 + 4.0 * U)).next_down();
    let hi = (nearest.separation + nearest.error - radii * (1.0 - 4.0 * U)).next_up();
    let verdict = Verdict::of_bounds(lo, hi)?;
    let normal = body.pose.rotate(nearest.normal);
    let normal_error = nearest.normal_error + 48.0 * U;
    let point_a = body.pose.apply(nearest.place) + normal * radius_body;
    let point_b = point.pose.translation() - normal * radius_point;
    let size = |x: DVec3| x.abs().element_sum();
    let placing =
        size(nearest.place) * 40.0 + (size(body.pose.translation()) + size(point_a) + size(point_b)) * 4.0;
    Some(Answer {
        verdict,
        separation: Range::new(lo, hi).ok()?,
        normal,
        normal_error,
        point_a,
        point_b,
        point_error: 2.0 * noise + radii * (normal_error + 8.0 * U) + placing * U,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ConvexQuery, Shape};
    use kontakt_math::{DQuat, Pose};

    fn placed(shape: &Shape, at: DVec3) -> PlacedShape<'_> {
        let turn = DQuat::from_xyzw(0.36, 0.48, 0.0, 0.8);
        PlacedShape::new(shape, Pose::new(turn, at).expect("a pose"))
    }

    #[test]
    fn swapped_bodies_get_the_same_numbers() {
        let body = Shape::cuboid(DVec3::new(0.3, 0.5, 0.7)).expect("a box");
        let ball = Shape::sphere(0.25).expect("a ball");
        for at in [DVec3::new(0.1, 0.02, -0.03), DVec3::new(0.4, 0.5, 0.6), DVec3::new(2.0, -1.0, 0.5)] {
            let (a, b) = (placed(&body, DVec3::ZERO), placed(&ball, at));
            let (first, second) = (ConvexQuery::new().contact(a, b), ConvexQuery::new().contact(b, a));
            assert_eq!(first, second.swapped());
            assert!(first.verdict != Verdict::Undecided && first.normal_error < 1e-12, "{first:?}");
        }
    }

    #[test]
    fn rounding_of_the_room_counts_where_the_offset_has_none() {
        let half = DVec3::new(0.3, 0.5, 0.7);
        let (body, ball) = (Shape::cuboid(half).expect("a box"), Shape::point());
        let found =
            answer(&placed(&body, DVec3::ZERO), half, &placed(&ball, DVec3::X * 1e-20)).expect("inside");
        assert!(found.separation.lo() <= -0.3 && found.separation.hi() > -0.3 + 1e-19, "{found:?}");
    }
}
