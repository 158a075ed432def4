//! The contract of the dispatcher: one verdict, whatever is asked, in whatever order, with whatever memory.

use kontakt_convex::{Answer, ConvexQuery, Part, PlacedShape, Shape, Verdict};
use kontakt_math::{DQuat, DVec3, Pose};
use testkit::Generator;

/// A shape of any kind; in grid mode with small integer sizes, zero included.
fn shape(source: &mut Generator, kind: usize) -> Shape {
    let length = |source: &mut Generator| (source.point()[0] % 2.0).abs();
    let vector = |source: &mut Generator| DVec3::from_array(source.point().map(|x| x % 2.0));
    let shape = match kind {
        0 => Shape::sphere(length(source)),
        1 => Shape::cuboid(vector(source).abs()),
        2 => Shape::capsule(length(source), length(source)),
        3 => Ok(Shape::point()),
        4 => Shape::segment([vector(source), vector(source)]),
        5 => Shape::triangle([vector(source), vector(source), vector(source)]),
        6 => {
            let count = 1 + source.index(12);
            let points: Vec<DVec3> = (0..count).map(|_| vector(source)).collect();
            Shape::hull(&points)
        }
        7 => Shape::ellipsoid(vector(source).abs()),
        8 => Shape::cylinder(length(source), length(source)),
        9 => Shape::cone(length(source), length(source)),
        10 => {
            let normal = vector(source);
            Shape::half_space(if normal == DVec3::ZERO { DVec3::Z } else { normal }, source.point()[1])
        }
        _ => {
            let count = 1 + source.index(3);
            let parts = (0..count)
                .map(|_| {
                    let kind = source.index(10);
                    Part { shape: shape(source, kind), pose: pose(source) }
                })
                .collect();
            Shape::union(parts)
        }
    };
    let shape = shape.unwrap();
    if source.index(4) == 0 { shape.with_margin(0.25 * length(source)).unwrap() } else { shape }
}

fn pose(source: &mut Generator) -> Pose {
    // Small integers stay so small that bodies often touch; free reals are not changed.
    let place = source.point().map(|x| x % 2.0);
    Pose::new(DQuat::from_array(source.quaternion()), DVec3::from_array(place)).unwrap()
}

fn check(answer: &Answer) {
    assert!(!answer.separation.lo().is_nan() && !answer.separation.hi().is_nan());
    assert!(answer.normal.is_finite() && (answer.normal.length() - 1.0).abs() < 1e-9, "{answer:?}");
    assert!(answer.point_a.is_finite() && answer.point_b.is_finite(), "{answer:?}");
    assert!(answer.normal_error >= 0.0 && answer.point_error >= 0.0, "{answer:?}");
    let range = answer.separation;
    match answer.verdict {
        Verdict::Separate => assert!(range.lo() > 0.0, "{answer:?}"),
        Verdict::Overlapping => assert!(range.hi() < 0.0, "{answer:?}"),
        Verdict::Touching | Verdict::Undecided => {
            assert!(range.lo() <= 0.0 && range.hi() >= 0.0, "{answer:?}");
        }
    }
}

/// Asks everything about a pair and says its verdict.
fn agreed(asker: &mut ConvexQuery, a: PlacedShape, b: PlacedShape) -> Verdict {
    let contact = asker.contact(a, b);
    check(&contact);
    let told = format!("{a:?}\n{b:?}\n{contact:?}");
    let verdict = contact.verdict;
    assert_eq!(asker.intersect(a, b), verdict, "intersect\n{told}");
    let distance = asker.distance(a, b);
    check(&distance);
    assert_eq!(distance.verdict, verdict, "distance {distance:?}\n{told}");
    if verdict == Verdict::Separate {
        let (p, q) = (distance.separation, contact.separation);
        assert!(p.lo() <= q.hi() && q.lo() <= p.hi(), "bounds have a common number {distance:?}\n{told}");
    }
    assert_eq!(asker.contact(b, a).verdict, verdict, "other order\n{told}");
    assert_eq!(asker.intersect(b, a), verdict, "other order\n{told}");
    let manifold = asker.manifold(a, b, 0.0);
    assert_eq!(manifold.answer.verdict, verdict, "manifold\n{told}");
    assert!(verdict == Verdict::Separate || !manifold.contacts.is_empty(), "{told}");
    for contact in &manifold.contacts {
        assert!(contact.point_a.is_finite() && contact.point_b.is_finite(), "{contact:?}\n{told}");
    }
    let cold = ConvexQuery::new().contact(a, b);
    assert_eq!(cold.verdict, verdict, "cold\n{told}");
    verdict
}

fn run(mut source: Generator, count: usize) -> [usize; 4] {
    let mut verdicts = [0; 4];
    let mut asker = ConvexQuery::new();
    for round in 0..count {
        let (kind_a, kind_b) = (round % 12, (round / 12) % 12);
        let (a, b) = (shape(&mut source, kind_a), shape(&mut source, kind_b));
        let (pose_a, pose_b) = (pose(&mut source), pose(&mut source));
        let verdict = agreed(&mut asker, PlacedShape::new(&a, pose_a), PlacedShape::new(&b, pose_b));
        verdicts[verdict as usize] += 1;
    }
    verdicts
}

#[test]
fn every_question_gives_the_same_verdict_for_free_reals() {
    let [separate, touching, overlapping, undecided] = run(Generator::free(81), 144 * 4);
    assert!(separate > 50 && overlapping > 50, "{separate} {touching} {overlapping} {undecided}");
    assert_eq!(undecided, 0);
}

#[test]
fn every_question_gives_the_same_verdict_for_small_integers() {
    let [separate, touching, overlapping, undecided] = run(Generator::grid(82), 144 * 4);
    assert!(
        separate > 50 && touching > 50 && overlapping > 50,
        "{separate} {touching} {overlapping} {undecided}"
    );
    assert_eq!(undecided, 0);
}

/// A body that moves a little each time, the asker remembering where it was: the same verdicts as without memory, and
/// bounds that have the exact number in common.
#[test]
fn memory_changes_nothing_but_speed() {
    let cube = Shape::cuboid(DVec3::new(1.0, 0.5, 0.25)).unwrap();
    let can = Shape::cylinder(0.5, 0.3).unwrap();
    for other in [&cube, &can] {
        let mut asker = ConvexQuery::new();
        for step in 0..200 {
            let s = f64::from(step) * 0.01;
            let pose = Pose::from_axis_angle(DVec3::new(1.0, 0.3, 0.2), s, DVec3::new(2.0 - s, 0.1 * s, 0.0))
                .unwrap();
            let (a, b) = (PlacedShape::new(&cube, Pose::IDENTITY), PlacedShape::new(other, pose));
            let (warm, cold) = (asker.contact(a, b), ConvexQuery::new().contact(a, b));
            assert_eq!(warm.verdict, cold.verdict);
            assert!(
                warm.separation.lo() <= cold.separation.hi() && cold.separation.lo() <= warm.separation.hi()
            );
        }
    }
}
