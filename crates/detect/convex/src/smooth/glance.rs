//! What the line of centres and a few directions tell of two cores: most pairs that are asked for a verdict need no more.

use super::ascent::Stand;
use super::body::Body;
use super::pair::Pair;
use super::total_up;
use crate::{Core, Shape, Verdict};
use kontakt_math::round::add_up;
use kontakt_math::{Between, DVec3, U};

/// A glance says something only of bodies that are, in parts of the pair's size, as far as this from touching: there all searches end with
/// the same verdict.
const CLEAR: f64 = 1e-6;

/// Directions looked along: that of the centres, then those to the nearest point of what was seen so far.
const LOOKS: usize = 4;

/// Sizes of which squares neither overflow nor vanish.
const USUAL: std::ops::Range<f64> = 1e-80..1e80;

/// Whether a glance is worth its time: one of the bodies curved, and neither one of many points.
pub(crate) fn is_worth_it(a: &Core, b: &Core) -> bool {
    let is_curved =
        |core: &Core| matches!(core, Core::Ellipsoid(_) | Core::Cylinder { .. } | Core::Cone { .. });
    let is_simple = |core: &Core| {
        is_curved(core) || matches!(core, Core::Point | Core::Segment(_) | Core::Triangle(_) | Core::Box(_))
    };
    (is_curved(a) && is_simple(b)) || (is_curved(b) && is_simple(a))
}

/// The verdict, if a glance tells: certified, whatever the roundings.
pub(crate) fn verdict(a: &Shape, b: &Shape, between: &Between) -> Option<Verdict> {
    let pair = Pair::new(a.core(), b.core(), between, 1.0)?;
    if !USUAL.contains(&pair.size) || !pair.noise.is_finite() {
        return None;
    }
    let enough = add_up(total_up(a, b), pair.noise) + CLEAR * pair.size;
    if enough.is_nan() {
        return None;
    }
    if shared_room(&pair, between) > CLEAR * pair.size {
        return Some(Verdict::Overlapping);
    }
    let mut towards = pair.shift();
    for _ in 0..LOOKS {
        let stand = Stand::new(&pair, towards)?;
        // A computed gap is off by the noise, and the gap along any direction is no more than the distance.
        if stand.gap > enough {
            return Some(Verdict::Separate);
        }
        towards = nearer(towards, stand.view.w)?;
    }
    None
}

/// The point nearest to the origin of the segment between two points of the difference; only a hint.
fn nearer(from: DVec3, to: DVec3) -> Option<DVec3> {
    let way = to - from;
    let share = -from.dot(way) / way.length_squared();
    (share > 0.0).then(|| from + way * share.min(1.0))
}

/// **Never more** than the radius of a ball in both cores; 0 where none is seen on the line of centres.
///
/// Let t be the way from A's origin to B's, g and h the gauges of A and B along t and against it: λt is in A for λ·g ≤ 1, and t less
/// (1 − λ)t in B for (1 − λ)·h ≤ 1. With S = 1/g + 1/h > 1 and λ = 1/(gS) both are 1/S, so that about this point there is, in both,
/// (1 − 1/S) times the ball that each has about its origin, because x/S + (1 − 1/S)·K lies in a convex K for x in K.
///
/// Gauges are sublinear: an error e of t, or of t in B's frame, changes them by no more than e over the radius of that ball; they are
/// computed to 16u.
fn shared_room(pair: &Pair, between: &Between) -> f64 {
    let (ball_a, ball_b) = (inner_radius(&pair.a), inner_radius(&pair.b));
    if !(ball_a > 0.0 && ball_b > 0.0) {
        return 0.0;
    }
    let error = pair.noise + (between.turn_error() + 16.0 * U) * pair.size;
    let up = |gauge: f64, ball: f64| gauge * (1.0 + 16.0 * U) + error / ball;
    let way = pair.shift();
    let (gauge_a, gauge_b) =
        (up(gauge(&pair.a, way), ball_a), up(gauge(&pair.b, pair.against_in_b(way)), ball_b));
    // Roundings of these few operations are far below the least room that counts.
    let sum = 1.0 / gauge_a + 1.0 / gauge_b;
    let room = (1.0 - 1.0 / sum) * ball_a.min(ball_b);
    if room > 0.0 { room } else { 0.0 }
}

/// **Never more** than the radius of the ball about the origin that is in the core, to 8u; 0 where there is none, or none is known.
fn inner_radius(body: &Body) -> f64 {
    match *body {
        Body::Points(_) | Body::User(_) => 0.0,
        Body::Box(half) | Body::Ellipsoid(half) => half.min_element(),
        Body::Cylinder { half_length, radius } => half_length.min(radius),
        // Across the slope of the mantle.
        Body::Cone { half_length, radius } => {
            half_length.min(radius * half_length / radius.hypot(2.0 * half_length))
        }
    }
}

/// The least factor by which the core must be enlarged about its origin to hold x.
fn gauge(body: &Body, x: DVec3) -> f64 {
    let across = (x.x * x.x + x.y * x.y).sqrt();
    match *body {
        Body::Points(_) | Body::User(_) => f64::INFINITY,
        Body::Box(half) => (x.abs() / half).max_element(),
        Body::Ellipsoid(radii) => (x / radii).length(),
        Body::Cylinder { half_length, radius } => (x.z.abs() / half_length).max(across / radius),
        Body::Cone { half_length, radius } => {
            (x.z / half_length + 2.0 * across / radius).max(-x.z / half_length)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ConvexQuery, PlacedShape};
    use kontakt_math::{DQuat, Pose};
    use testkit::Generator;

    /// Also of flat, long and turned bodies, near and far: what a glance says is what every search says, and it says something of most.
    #[test]
    fn a_glance_and_searches_agree() {
        let mut random = Generator::free(37);
        let (mut told, mut curved) = ([0; 4], 0);
        for round in 0..6000_usize {
            let mut shape = |kind: usize| {
                let thin = if round % 7 == 0 { 1e-4 } else { 1.0 };
                let lengths =
                    DVec3::from_array(random.point()).abs() * DVec3::new(1.0, 1.0, thin) + 0.05 * thin;
                match kind {
                    0 => Shape::cuboid(lengths),
                    1 => Shape::cylinder(lengths.x, lengths.z),
                    2 => Shape::cone(lengths.x, lengths.z),
                    3 => Shape::segment([lengths, -lengths]),
                    _ => Shape::ellipsoid(lengths),
                }
                .and_then(|shape| shape.with_margin(if round % 3 == 0 { 0.125 } else { 0.0 }))
                .unwrap()
            };
            let shapes = [shape(round % 6), shape(round / 6 % 6)];
            let scale = [1.0, 0.3, 2.0][round % 3];
            let mut pose = || {
                let turn = DQuat::from_array(random.quaternion());
                Pose::new(turn, DVec3::from_array(random.point()) * scale).unwrap()
            };
            let [a, b] = shapes.each_ref().map(|shape| PlacedShape::new(shape, pose()));
            if !is_worth_it(a.shape.core(), b.shape.core()) {
                continue;
            }
            curved += 1;
            let between = Between::new(a.pose, b.pose);
            let Some(found) = verdict(a.shape, b.shape, &between) else { continue };
            assert_eq!(ConvexQuery::new().contact(a, b).verdict, found, "{shapes:?} {between:?}");
            assert_eq!(verdict(b.shape, a.shape, &between.swapped()).unwrap_or(found), found);
            told[found as usize] += 1;
        }
        let [apart, deep] = [Verdict::Separate, Verdict::Overlapping].map(|verdict| told[verdict as usize]);
        assert!(apart > 1000 && deep > 300 && 10 * (apart + deep) > 8 * curved, "{told:?} of {curved}");
    }

    #[test]
    fn gauges_are_one_on_the_surface() {
        let bodies = [
            Body::Box(DVec3::new(0.5, 1.0, 2.0)),
            Body::Ellipsoid(DVec3::new(0.5, 1.0, 2.0)),
            Body::Cylinder { half_length: 1.5, radius: 0.7 },
            Body::Cone { half_length: 1.5, radius: 0.7 },
        ];
        let mut random = Generator::free(5);
        for body in bodies {
            for _ in 0..500 {
                let x = DVec3::from_array(random.point());
                let x = x / gauge(&body, x);
                assert!(body.room_about(x * (1.0 - 1e-9)) > 0.0, "{body:?} {x}");
                assert!(body.room_about(x * (1.0 + 1e-9)) == 0.0, "{body:?} {x}");
                assert!(x.length() > inner_radius(&body) * (1.0 - 1e-9), "{body:?} {x}");
            }
        }
    }
}
