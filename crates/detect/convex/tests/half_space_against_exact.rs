//! Half-spaces against exact references.

use kontakt_convex::{ConvexQuery, PlacedShape, Shape};
use kontakt_math::{DQuat, DVec3, Pose};
use testbodies::convex::{pose, shape, side};
use testkit::Generator;
use testkit::convex::half_space::{HalfSpace, half_space_truth};
use testkit::convex::pairs::{Family, Mode, pair};
use testkit::convex::truth::Side;

fn space(random: &mut Generator) -> HalfSpace {
    let normal = loop {
        let normal = random.point();
        if normal != [0.0; 3] {
            break normal;
        }
    };
    HalfSpace {
        normal,
        offset: random.coordinate(),
        margin: if random.index(3) == 0 { random.coordinate().abs() } else { 0.0 },
        rotation: random.quaternion(),
        translation: random.point(),
    }
}

#[test]
fn verdicts_are_exact_and_bounds_hold_the_truth() {
    let mut sides = [0; 4];
    for (family, mode, count) in [
        (Family::Polytopal, Mode::Free, 300),
        (Family::Polytopal, Mode::Grid, 400),
        (Family::Polytopal, Mode::Thin, 100),
        (Family::Round, Mode::Free, 100),
    ] {
        let mut random = if mode == Mode::Grid { Generator::grid(7) } else { Generator::free(7) };
        for number in 0..count {
            let [item, _] = pair(family, mode, number);
            let space = space(&mut random);
            let truth = half_space_truth(&space, &item.body());
            sides[truth.side as usize] += 1;
            let half_space = Shape::half_space(DVec3::from_array(space.normal), space.offset)
                .and_then(|shape| shape.with_margin(space.margin))
                .unwrap();
            let place =
                Pose::new(DQuat::from_array(space.rotation), DVec3::from_array(space.translation)).unwrap();
            let body = shape(&item);
            let (a, b) = (PlacedShape::new(&half_space, place), PlacedShape::new(&body, pose(&item)));
            let answer = ConvexQuery::new().contact(a, b);
            let words = format!("{family:?} {mode:?} {number}: {answer:?} {truth:?} {space:?} {item:?}");
            if family == Family::Polytopal {
                assert_eq!(side(answer.verdict), Some(truth.side), "{words}");
            }
            let s = truth.separation.high;
            let slack = truth.error + 1e-16 * s.abs();
            assert!(answer.separation.lo() <= s + slack && s - slack <= answer.separation.hi(), "{words}");
            let off = (answer.normal - DVec3::from_array(truth.normal)).length();
            assert!(off <= answer.normal_error + 1e-15, "{words}");
            let swapped = ConvexQuery::new().contact(b, a);
            assert_eq!(swapped.verdict, answer.verdict, "{words}");
        }
    }
    for wanted in [Side::Apart, Side::Touching, Side::Overlapping] {
        assert!(sides[wanted as usize] > 8, "{sides:?}");
    }
}
