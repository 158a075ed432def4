//! Methods for study keep the certified verdict, in both orders, and are held against it.

use kontakt_convex::{ConvexQuery, Part, Shape, Verdict};
use kontakt_lab_convex::{StudyAsker, StudyMethod};
use testbodies::convex::{placed, shape};
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
    let (mut asked, mut heard) = (0, 0);
    for (family, mode, count) in KINDS {
        for number in 1000..1000 + count {
            let items = pair(family, mode, number);
            let shapes = [shape(&items[0]), shape(&items[1])];
            let [a, b] = placed(&shapes, &items);
            let reference = ConvexQuery::new().contact(a, b);
            for method in StudyMethod::ALL.into_iter().filter(|method| !method.is_certified()) {
                for (first, second) in [(a, b), (b, a)] {
                    let mut asker = StudyAsker::new(method);
                    let answer = asker.contact(first, second);
                    heard += asker.tally.runs;
                    // A method made for study may give up, but never contradict.
                    if answer.verdict == Verdict::Undecided {
                        continue;
                    }
                    asked += 1;
                    let name = method.name();
                    assert_eq!(answer.verdict, reference.verdict, "{name} {family:?} {mode:?} {number}");
                    let met = asker.intersect(first, second);
                    assert_eq!(
                        met,
                        ConvexQuery::new().intersect(a, b),
                        "{name} {family:?} {mode:?} {number}"
                    );
                }
            }
        }
    }
    assert!(asked > 1000 && heard > 1000, "{asked} {heard}");
}

/// A method is heard about the leaves of unions, not about the whole, which has no support map.
#[test]
fn methods_are_heard_about_leaves() {
    let items = pair(Family::Polytopal, Mode::Free, 1000);
    let shapes = [0, 1].map(|k| {
        let part = || Part { shape: shape(&items[k]), pose: kontakt_math::Pose::IDENTITY };
        Shape::union(vec![part(), part()]).unwrap()
    });
    let [_, b] = placed(&shapes, &items);
    let a = kontakt_convex::PlacedShape::new(&shapes[0], b.pose);
    let mut asker = StudyAsker::new(StudyMethod::Epa);
    let manifold = asker.manifold(a, b, 0.0);
    assert_eq!(manifold.answer.verdict, ConvexQuery::new().contact(a, b).verdict);
    assert_eq!(asker.tally.runs, 4);
}
