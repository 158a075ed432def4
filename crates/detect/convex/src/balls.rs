//! What balls inside of two solids and about them tell: more than half of all pairs that get past their boxes, from two numbers a body.

use crate::gjk::cores::Radii;
use crate::polytope::TINY;
use crate::{Core, PlacedShape, Verdict};
use kontakt_math::{Between, DVec3, U};

/// Two balls about one centre, in the body's frame.
#[derive(Clone, Copy, Debug)]
struct Balls {
    centre: DVec3,
    /// The ball of this radius is in the core; 0 where none is known.
    inner: f64,
    /// The core is in the ball of this radius.
    outer: f64,
    /// Never less than |x|₁ of the centre, nor than |x| of any point of the core.
    reach: f64,
}

impl Balls {
    /// None for cores that are no solids.
    #[inline(always)]
    fn of(core: &Core) -> Option<Balls> {
        match core {
            Core::Box(half) => Some(Balls {
                centre: DVec3::ZERO,
                inner: half.min_element(),
                outer: half.length() * (1.0 + 8.0 * U) + TINY,
                reach: half.element_sum() * (1.0 + 4.0 * U),
            }),
            Core::Hull(hull) => {
                let (centre, [inner, outer]) = hull.middle_and_balls();
                Some(Balls { centre, inner, outer, reach: 3.0 * hull.near_reach() })
            }
            _ => None,
        }
    }
}

/// The verdict on two solids, if the balls tell.
///
/// The centres' offset in A's frame errs by B's error of placing and by u of a sum, its length by 4u besides: less than `slack`. Radii err by
/// u for each sum. NaN and what overflows tell nothing.
#[inline(always)]
pub(crate) fn verdict(a: &PlacedShape, b: &PlacedShape, between: &Between) -> Option<Verdict> {
    let (ball_a, ball_b) = (Balls::of(a.shape.core())?, Balls::of(b.shape.core())?);
    let radii = Radii::of(a.shape, b.shape).sum;
    let offset = between.b_in_a(ball_b.centre) - ball_a.centre;
    let far = offset.length();
    let size = ball_a.reach + ball_b.reach + between.shift().abs().element_sum();
    let slack = between.error_within(ball_b.reach) + 32.0 * U * size + TINY;
    if far - slack > (ball_a.outer + ball_b.outer + radii[1]) * (1.0 + 8.0 * U) {
        Some(Verdict::Separate)
    } else if far + slack < (ball_a.inner + ball_b.inner + radii[0]) * (1.0 - 8.0 * U) {
        Some(Verdict::Overlapping)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Shape, Warm, gjk};
    use kontakt_math::{DQuat, Pose};
    use testkit::Generator;

    /// GJK, which is exact in the end, says the same wherever balls say something; also of hulls far from their frame's origin.
    #[test]
    fn balls_and_iteration_agree() {
        let mut random = Generator::free(31);
        let mut told = [0; 4];
        for round in 0..20_000 {
            let off = if round % 5 == 0 { 1e3 } else { 0.0 };
            let mut solid = |count: usize| {
                let radii = DVec3::from_array(random.point()).abs() + 0.2;
                if count == 0 {
                    return Shape::cuboid(radii).unwrap();
                }
                let mut point = || radii * DVec3::from_array(random.point()).normalize_or_zero() + off;
                Shape::hull(&(0..count).map(|_| point()).collect::<Vec<_>>()).unwrap()
            };
            let margin = if round % 3 == 0 { 0.125 } else { 0.0 };
            let shapes = [solid(round % 4 * 9), solid(24)].map(|shape| shape.with_margin(margin).unwrap());
            let middle = |shape: &Shape| Balls::of(shape.core()).unwrap().centre;
            let turns = [0, 1].map(|_| DQuat::from_array(random.quaternion()));
            let way = DVec3::from_array(random.point()) * if round % 2 == 0 { 2.0 } else { 0.25 };
            let places = [
                -(turns[0].normalize() * middle(&shapes[0])),
                way - turns[1].normalize() * middle(&shapes[1]),
            ];
            let poses = [0, 1].map(|i| Pose::new(turns[i], places[i]).unwrap());
            let [a, b] = [0, 1].map(|i| PlacedShape::new(&shapes[i], poses[i]));
            let between = Between::new(poses[0], poses[1]);
            let Some(found) = verdict(&a, &b, &between) else { continue };
            let exact = gjk::verdict(&shapes[0], &shapes[1], &between, &mut Warm::default());
            assert_eq!(found, exact, "{shapes:?} {poses:?}");
            told[exact as usize] += 1;
        }
        assert!(
            told[Verdict::Separate as usize] > 2_000 && told[Verdict::Overlapping as usize] > 2_000,
            "{told:?}"
        );
    }
}
