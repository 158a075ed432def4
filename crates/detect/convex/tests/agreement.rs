//! All methods say the same about the same bodies, in both orders; what does not matter changes nothing.

use kontakt_convex::{ConvexQuery, Method, PlacedShape, Verdict};
use kontakt_math::{DQuat, DVec3, Pose};
use testbodies::convex::{placed, pose, shape};
use testkit::Generator;
use testkit::convex::pairs::{Family, Mode, pair};

const KINDS: [(Family, Mode, u64); 6] = [
    (Family::Polytopal, Mode::Free, 150),
    (Family::Polytopal, Mode::Grid, 150),
    (Family::Polytopal, Mode::Thin, 100),
    (Family::Polytopal, Mode::Scales, 100),
    (Family::Round, Mode::Free, 60),
    (Family::Round, Mode::Grid, 60),
];

#[test]
fn methods_and_orders_agree() {
    let mut asked = 0;
    for (family, mode, count) in KINDS {
        for number in 1000..1000 + count {
            let items = pair(family, mode, number);
            let shapes = [shape(&items[0]), shape(&items[1])];
            let [a, b] = placed(&shapes, &items);
            let reference = ConvexQuery::new().contact(a, b);
            for method in Method::ALL {
                for (first, second) in [(a, b), (b, a)] {
                    let answer = ConvexQuery::with_method(method).contact(first, second);
                    // Iteration may give up, but never contradict.
                    if answer.verdict == Verdict::Undecided && method != Method::Default {
                        continue;
                    }
                    asked += 1;
                    let name = method.name();
                    assert_eq!(answer.verdict, reference.verdict, "{name} {family:?} {mode:?} {number}");
                    let apart = answer.separation.hi() < reference.separation.lo()
                        || reference.separation.hi() < answer.separation.lo();
                    assert!(!apart, "{name} {family:?} {mode:?} {number}: {answer:?} {reference:?}");
                }
            }
        }
    }
    assert!(asked > 1000, "{asked}");
}

/// Both bodies moved together by a pose whose products are exact: the same verdict and the same numbers up to rounding.
#[test]
fn place_turn_and_scale_change_only_rounding() {
    let mut random = Generator::grid(3);
    for mode in [Mode::Free, Mode::Grid] {
        for number in 2000..2100 {
            let items = pair(Family::Polytopal, mode, number);
            let shapes = [shape(&items[0]), shape(&items[1])];
            let turn = DQuat::from_array(random.quaternion());
            let shift = DVec3::from_array(random.point());
            let moved = |k: usize| {
                let before = pose(&items[k]);
                let (rotation, translation) =
                    (turn * before.given_rotation(), turn * before.translation() + shift);
                PlacedShape::new(&shapes[k], Pose::new(rotation, translation).unwrap())
            };
            let [a, b] = placed(&shapes, &items);
            let still = ConvexQuery::new().contact(a, b);
            let away = ConvexQuery::new().contact(moved(0), moved(1));
            let off = (still.separation.lo() - away.separation.hi())
                .max(away.separation.lo() - still.separation.hi());
            assert!(off <= 1e-13, "{mode:?} {number}: {still:?} {away:?}");
        }
    }
}
