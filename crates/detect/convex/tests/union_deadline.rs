//! Questions about unions end at a deadline, and what they say then holds.

use kontakt_convex::{Answer, ConvexQuery, Part, PlacedShape, Shape, Verdict};
use kontakt_math::{DQuat, DVec3, Pose};
use kontakt_schedule::Deadline;
use std::time::Duration;
use testkit::Generator;

/// Balls and boxes strewn over a box; half-spaces among them now and then.
fn strewn(random: &mut Generator, parts: usize, spaces: bool) -> Shape {
    let part = |k: usize, random: &mut Generator| {
        let shape = match k % 3 {
            0 => Shape::sphere(0.05 + 0.1 * random.unit()),
            1 if spaces && k == 1 => Shape::half_space(DVec3::X, -2.0),
            _ => Shape::cuboid(DVec3::splat(0.02) + 0.1 * DVec3::from_array(random.point()).abs()),
        };
        let turn = DQuat::from_array(random.quaternion());
        Part { shape: shape.unwrap(), pose: Pose::new(turn, DVec3::from_array(random.point())).unwrap() }
    };
    Shape::union((0..parts).map(|k| part(k, random)).collect()).unwrap()
}

fn holds(cut: &Answer, whole: &Answer, told: &str) {
    // What is final in one is not denied by the other.
    assert!(cut.verdict == Verdict::Undecided || cut.verdict == whole.verdict, "{told}");
    assert!(
        cut.separation.lo() <= whole.separation.hi() && cut.separation.hi() >= whole.separation.lo(),
        "{told}"
    );
}

/// Cut after no time at all, and after times that come somewhere in the middle on whatever machine this runs: bounds hold those of the whole
/// answer, and an answer that was not cut is the whole one.
#[test]
fn what_is_said_at_a_deadline_holds() {
    let mut random = Generator::free(11);
    let (mut cut, mut final_ones, mut seen) = (0, 0, [0; 4]);
    for round in 0..24 {
        let shapes = [30, 50].map(|parts| strewn(&mut random, parts, round % 6 == 0));
        let far = [0.0, 1.0, 2.5, 6.0][round % 4];
        let at = Pose::new(DQuat::from_array(random.quaternion()), DVec3::new(far, 0.1, 0.0)).unwrap();
        let (a, b) = (PlacedShape::new(&shapes[0], Pose::IDENTITY), PlacedShape::new(&shapes[1], at));
        let whole = ConvexQuery::new().contact(a, b);
        let contacts = ConvexQuery::new().manifold(a, b, 0.0).contacts;
        seen[whole.verdict as usize] += 1;
        for micros in [0, 0, 20, 100, 400, 2000] {
            let deadline = || Deadline::after(Duration::from_micros(micros));
            let told = |answer: &Answer| format!("round {round}, {micros} µs: {answer:?} of {whole:?}");
            let mut asker = ConvexQuery::new().with_deadline(deadline());
            let answer = asker.contact(a, b);
            holds(&answer, &whole, &told(&answer));
            assert!(asker.was_cut() || answer == whole, "{}", told(&answer));
            assert!(micros > 0 || asker.was_cut(), "{}", told(&answer));
            cut += usize::from(asker.was_cut());
            final_ones += usize::from(asker.was_cut() && answer.verdict != Verdict::Undecided);

            let mut asker = ConvexQuery::new().with_deadline(deadline());
            let manifold = asker.manifold(a, b, 0.0);
            holds(&manifold.answer, &whole, &told(&manifold.answer));
            let is_known = |contact| contacts.contains(contact);
            assert!(manifold.contacts.iter().all(is_known), "{}", told(&manifold.answer));
            assert!(asker.was_cut() || manifold.contacts.len() == contacts.len());

            let mut asker = ConvexQuery::new().with_deadline(deadline());
            let verdict = asker.intersect(a, b);
            assert!(verdict == whole.verdict || (asker.was_cut() && verdict == Verdict::Undecided));
            let distance = asker.distance(a, b);
            assert!(distance.distance().lo() <= whole.distance().hi(), "{}", told(&distance));
            assert!(distance.distance().hi() >= whole.distance().lo(), "{}", told(&distance));
        }
        // The next question begins anew.
        let mut asker = ConvexQuery::new().with_deadline(Deadline::after(Duration::ZERO));
        asker.contact(a, b);
        let ball = Shape::sphere(1.0).unwrap();
        asker.distance(PlacedShape::new(&ball, Pose::IDENTITY), PlacedShape::new(&ball, at));
        assert!(!asker.was_cut(), "two balls take no time");
    }
    assert!(cut >= 48 && final_ones > 0, "{cut} cut, {final_ones} of them with a verdict");
    assert!(seen[Verdict::Separate as usize] > 3 && seen[Verdict::Overlapping as usize] > 3, "{seen:?}");
}
