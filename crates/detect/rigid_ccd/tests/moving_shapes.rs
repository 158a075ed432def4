//! Convex shapes in motion: never late, not too early, against the exact query at rest at many times.

use kontakt_answers::{Impact, Initial};
use kontakt_convex::{Part, PlacedShape, Shape, Verdict};
use kontakt_math::{DVec3, Motion, Pose};
use kontakt_rigid_ccd::{ClearanceOptions, MotionOptions, MotionQuery, MovingShape};
use testbodies::moving::Dice;

/// One of all kinds of shapes, about the size of 1.
fn shape(dice: &mut Dice, kind: usize) -> Shape {
    let mut size = || 0.2 + 0.8 * dice.0.f64();
    let made = match kind {
        0 => Shape::sphere(size()),
        1 => Shape::cuboid(DVec3::new(size(), size(), size())),
        2 => Shape::capsule(size(), 0.5 * size()),
        3 => Shape::ellipsoid(DVec3::new(size(), size(), size())),
        4 => Shape::cylinder(size(), size()),
        5 => Shape::cone(size(), size()),
        6 => {
            let points: Vec<DVec3> = (0..20).map(|_| dice.direction()).collect();
            Shape::hull(&points)
        }
        7 => Shape::cuboid(DVec3::new(size(), size(), size())).and_then(|shape| shape.with_margin(0.2)),
        8 => Shape::triangle([dice.vector(), dice.vector(), dice.vector()]),
        9 => Shape::segment([dice.vector(), dice.vector()]),
        10 => {
            let parts = [(1, 0.6), (4, -0.6)]
                .map(|(kind, x)| Part { shape: shape(dice, kind), pose: dice.pose(DVec3::new(x, 0.1, 0.0)) });
            Shape::union(parts.into())
        }
        11 => Shape::half_space(dice.vector(), dice.signed()),
        _ => Shape::cylinder(size(), size()).and_then(|shape| shape.with_margin(0.1)),
    };
    made.expect("sound numbers")
}

const KINDS: usize = 13;

#[derive(Default, Debug)]
struct Tally {
    free: u32,
    contact: u32,
    undecided: u32,
    overlapping: u32,
}

/// Checks one answer; poses at the samples are rounded, which moves points by 1e-15.
fn check(
    a: (&Shape, &Motion),
    b: (&Shape, &Motion),
    tolerance: f64,
    tally: &mut Tally,
    asker: &mut MotionQuery,
) {
    let mut at_rest = kontakt_convex::ConvexQuery::new();
    let options = MotionOptions { tolerance, most_work: 200_000, ..MotionOptions::default() };
    let [x, y] = [a, b].map(|(shape, motion)| MovingShape { shape, motion });
    let answer = asker.impact_of_shapes(x, y, &options);
    let mut separation = |t: f64| {
        let answer =
            at_rest.distance(PlacedShape::new(a.0, a.1.pose_at(t)), PlacedShape::new(b.0, b.1.pose_at(t)));
        (answer.verdict, answer.separation)
    };
    let until = match answer {
        Impact::Free { initial } => {
            assert_eq!(initial, Initial::Separate);
            tally.free += 1;
            2.0
        }
        Impact::Contact { initial: Initial::Overlapping, .. } => {
            tally.overlapping += 1;
            assert_eq!(separation(0.0).0, Verdict::Overlapping);
            return;
        }
        Impact::Contact { time, contact, .. } => {
            tally.contact += 1;
            assert!(time.width() <= 1.02 * tolerance, "{time:?}");
            // Speeds are below 60 in these tests.
            let gap = separation(time.lo()).1;
            assert!(gap.lo() <= 60.0 * tolerance + 1e-12, "too early: {gap:?} {answer:?} {a:?} {b:?}");
            let meets = separation(time.hi());
            assert!(meets.0 != Verdict::Separate, "no contact at the end: {meets:?} {answer:?}");
            let contact = contact.unwrap_or_else(|| panic!("no points: {answer:?}\n{a:?}\n{b:?}"));
            assert!(contact.point_a.distance(contact.point_b) <= 60.0 * tolerance + 1e-6, "{contact:?}");
            assert!((contact.normal.length() - 1.0).abs() < 1e-9, "{contact:?}");
            time.lo()
        }
        Impact::Undecided { free_until, .. } => {
            tally.undecided += 1;
            eprintln!("undecided {answer:?}\n  {a:?}\n  {b:?}");
            free_until
        }
    };
    for sample in 0..=100 {
        let t = f64::from(sample) / 100.0;
        if t >= until - 1e-12 {
            break;
        }
        let (verdict, gap) = separation(t);
        assert!(verdict == Verdict::Separate, "missed contact at {t}: {gap:?} {answer:?}\n{a:?}\n{b:?}");
    }
}

#[test]
fn all_kinds_in_all_motions() {
    let mut dice = Dice::new(5);
    let mut asker = MotionQuery::new();
    let mut whole = Tally::default();
    for kind_a in 0..KINDS {
        for kind_b in 0..KINDS {
            if kind_a == 11 && kind_b == 11 {
                continue;
            }
            for round in 0..8 {
                let (a, b) = (shape(&mut dice, kind_a), shape(&mut dice, kind_b));
                let [motion_a, motion_b] = dice.encounter(3.5, 2.0, round % 2 != 0);
                let tolerance = [1e-3, 1e-6, 1e-9][round % 3];
                check((&a, &motion_a), (&b, &motion_b), tolerance, &mut whole, &mut asker);
            }
        }
    }
    eprintln!("{whole:?} {:?}", asker.visits);
    assert!(whole.contact > 500 && whole.free > 200 && whole.overlapping > 20, "{whole:?}");
    assert_eq!(whole.undecided, 0, "{whole:?}");
}

/// A user's law: a body that swings along a curve, with no more than a bound of its speed told.
#[test]
fn carried_shapes() {
    let mut dice = Dice::new(6);
    let mut asker = MotionQuery::new();
    let mut tally = Tally::default();
    for round in 0..40 {
        let (a, b) = (shape(&mut dice, round % 8), shape(&mut dice, (3 * round + 1) % 8));
        let [start, end] = dice.ends(3.5, 1.0);
        let fixed = dice.pose(DVec3::new(0.1, 0.2, 0.0));
        let motion_b = dice.motion(start, end).carrying(fixed);
        let motion_a = Motion::Rest(dice.pose(DVec3::ZERO));
        check((&a, &motion_a), (&b, &motion_b), 1e-6, &mut tally, &mut asker);
    }
    assert!(tally.contact > 15 && tally.undecided == 0, "{tally:?}");
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::new(Pose::IDENTITY.rotation(), DVec3::new(x, y, z)).expect("finite")
}

fn impact(a: (&Shape, &Motion), b: (&Shape, &Motion), tolerance: f64) -> Impact {
    let [a, b] = [a, b].map(|(shape, motion)| MovingShape { shape, motion });
    MotionQuery::new().impact_of_shapes(a, b, &MotionOptions { tolerance, ..MotionOptions::default() })
}

fn straight(from: Pose, to: Pose) -> Motion {
    Motion::slerp(from, to, DVec3::ZERO).expect("finite")
}

#[test]
fn times_known_by_arithmetic() {
    let rest = Motion::Rest(Pose::IDENTITY);
    let motion = straight(at(5.0, 0.0, 0.0), at(-5.0, 0.0, 0.0));
    let table = Shape::half_space(DVec3::new(3.0, 0.0, 0.0), 1.5).expect("a plane");
    let ball = Shape::sphere(1.0).expect("a ball");
    let cube = Shape::cuboid(DVec3::ONE).expect("a box");
    let capsule = Shape::capsule(2.0, 0.25).expect("a capsule");
    let ellipsoid = Shape::ellipsoid(DVec3::new(1.5, 1.0, 0.5)).expect("an ellipsoid");
    for (a, b, truth) in [
        (&ball, &ball, 0.3),
        (&cube, &cube, 0.3),
        (&cube, &ball, 0.3),
        (&capsule, &ball, 0.375),
        (&ellipsoid, &cube, 0.25),
        (&table, &ball, 0.35),
        (&table, &cube, 0.35),
        (&table, &ellipsoid, 0.3),
        (&table, &capsule, 0.425),
    ] {
        let found = impact((a, &rest), (b, &motion), 1e-9);
        let Impact::Contact { time, initial: Initial::Separate, contact } = found else {
            panic!("{found:?} {a:?} {b:?}")
        };
        assert!(time.lo() <= truth + 1e-15 && time.hi() >= truth - 1e-15 && time.width() <= 1e-9, "{time:?}");
        let contact = contact.expect("points");
        assert!((contact.normal - DVec3::X).length() < 1e-6, "{contact:?}");
        // In the other order the normal turns round.
        let Impact::Contact { time: other, contact: back, .. } = impact((b, &motion), (a, &rest), 1e-9)
        else {
            panic!("{a:?} {b:?}")
        };
        assert!((other.lo() - time.lo()).abs() <= 1e-9);
        assert!((back.expect("points").normal + DVec3::X).length() < 1e-6, "{back:?}");
    }
}

#[test]
fn a_start_in_touch_may_leave() {
    let rest = Motion::Rest(Pose::IDENTITY);
    let floor = Shape::half_space(DVec3::Z, 0.0).expect("a plane");
    let cube = Shape::cuboid(DVec3::ONE).expect("a box");
    let ball = Shape::sphere(1.0).expect("a ball");
    let top = Shape::cuboid(DVec3::new(3.0, 3.0, 1.0)).expect("a box");
    for (a, b, height) in [
        (&floor, &cube, 1.0),
        (&floor, &ball, 1.0),
        (&top, &cube, 2.0),
        (&top, &ball, 2.0),
        (&ball, &ball, 2.0),
    ] {
        for (way, free) in
            [(DVec3::Z, true), (DVec3::new(0.3, 0.2, 0.5), true), (DVec3::new(0.1, 0.0, -1.0), false)]
        {
            let start = DVec3::new(0.0, 0.0, height);
            let motion = straight(at(0.0, 0.0, height), at(way.x, way.y, height + way.z));
            match impact((a, &rest), (b, &motion), 1e-6) {
                Impact::Free { initial } => {
                    assert!(free && initial == Initial::Touching, "{a:?} {b:?} {way}");
                }
                Impact::Contact { initial, time, .. } => {
                    assert!(!free && initial == Initial::Touching, "{a:?} {b:?} {way} {start}");
                    assert!(time.lo() == 0.0 && time.hi() <= 1e-6);
                }
                other @ Impact::Undecided { .. } => panic!("{other:?} {a:?} {b:?} {way}"),
            }
        }
    }
    // Parts of a union, and bodies that are nearer than doubles tell.
    let pair = [(-2.0, 1.0), (2.0, 1.0)].map(|(x, z)| Part { shape: cube.clone(), pose: at(x, 0.0, z) });
    let legs = Shape::union(pair.into()).expect("a union");
    for (z, initial) in [(0.0, Initial::Touching), (1e-17, Initial::Separate)] {
        let lift = straight(at(0.0, 0.0, z), at(1.0, 0.0, 3.0));
        for (shape, low) in [(&legs, 0.0), (&ball, 1.0)] {
            let ground = Motion::Rest(at(0.0, 0.0, -low));
            assert_eq!(
                impact((&floor, &ground), (shape, &lift), 1e-6),
                Impact::Free { initial },
                "{z} {shape:?}"
            );
        }
    }
    // A box that slides along the table touches it all the time.
    let slide = straight(at(0.0, 0.0, 2.0), at(1.0, 0.0, 2.0));
    let found = impact((&top, &rest), (&cube, &slide), 1e-6);
    assert!(
        matches!(found, Impact::Contact { initial: Initial::Touching, time, .. } if time.lo() == 0.0),
        "{found:?}"
    );
}

/// Balls that pass each other at a distance of 1e-12 or meet by as little.
#[test]
fn grazes_are_told_apart() {
    let rest = Motion::Rest(Pose::IDENTITY);
    let ball = Shape::sphere(1.0).expect("a ball");
    let cube = Shape::cuboid(DVec3::ONE).expect("a box");
    for (shape, reach) in [(&ball, 2.0), (&cube, 2.0)] {
        for (offset, meets) in [(1e-12, false), (-1e-12, true)] {
            let y = reach + offset;
            let motion = straight(at(5.0, y, 0.0), at(-5.0, y, 0.0));
            let found = impact((shape, &rest), (shape, &motion), 1e-6);
            assert_eq!(matches!(found, Impact::Contact { .. }), meets, "{offset} {found:?}");
            assert_eq!(matches!(found, Impact::Free { .. }), !meets, "{offset} {found:?}");
        }
    }
    // Exactly in touch for straight motions of boxes: exact numbers tell.
    let motion = straight(at(5.0, 2.0, 0.0), at(-5.0, 2.0, 0.0));
    let found = impact((&cube, &rest), (&cube, &motion), 1e-6);
    assert!(
        matches!(found, Impact::Contact { time, .. } if time.lo() <= 0.3 && time.hi() >= 0.3 - 1e-6),
        "{found:?}"
    );
}

#[test]
fn many_turns_and_odd_sizes() {
    let rest = Motion::Rest(Pose::IDENTITY);
    let cube = Shape::cuboid(DVec3::ONE).expect("a box");
    // 10^6 turns beside a box: apart by their orbits.
    let spin =
        Motion::helix(at(10.0, 0.0, 0.0), DVec3::new(10.0, 0.0, 0.0), DVec3::Z, 6.3e6, 1.0).expect("finite");
    assert_eq!(impact((&cube, &rest), (&cube, &spin), 1e-6), Impact::Free { initial: Initial::Separate });
    // A ball that spins in place bends nowhere.
    let ball = Shape::sphere(1.0).expect("a ball");
    let spin =
        Motion::helix(at(2.1, 0.0, 0.0), DVec3::new(2.1, 0.0, 0.0), DVec3::Z, 6.3e6, 0.0).expect("finite");
    assert_eq!(impact((&ball, &rest), (&ball, &spin), 1e-6), Impact::Free { initial: Initial::Separate });
    // Sizes at the ends of the doubles: any honest answer.
    for size in [1e-300, 1e-150, 1e150, 1e300] {
        for shape in
            [Shape::cuboid(DVec3::splat(size)), Shape::ellipsoid(DVec3::splat(size)), Shape::sphere(size)]
        {
            let huge = shape.expect("finite");
            let far = 3.0 * size.max(1.0);
            let motion = straight(at(far, 0.0, 0.0), at(-far, 0.0, 0.0));
            for (a, b) in [(&cube, &huge), (&huge, &cube), (&huge, &huge)] {
                let answer = impact((a, &rest), (b, &motion), 1e-6);
                assert!(!matches!(answer, Impact::Free { .. }), "{size} {answer:?}");
                assert!(answer.free_until() <= 0.5, "{size} {answer:?}");
            }
        }
    }
    // A motion that leads nowhere, and no work at all.
    let still = straight(at(5.0, 0.0, 0.0), at(5.0, 0.0, 0.0));
    assert_eq!(
        impact((&cube, &rest), (&cube, &still), f64::NAN),
        Impact::Free { initial: Initial::Separate }
    );
    let [a, b] = [&rest, &still].map(|motion| MovingShape { shape: &cube, motion });
    let none = MotionOptions { tolerance: 1e-6, most_work: 0, ..MotionOptions::default() };
    let answer = MotionQuery::new().impact_of_shapes(a, b, &none);
    assert_eq!(answer, Impact::Undecided { initial: Some(Initial::Separate), free_until: 0.0 });
    // Half-spaces that face each other.
    let [up, down] = [1.0, -1.0].map(|z| Shape::half_space(DVec3::new(0.0, 0.0, z), -1.0).expect("a plane"));
    let apart = straight(at(0.0, 0.0, 0.0), at(3.0, 1.0, 5.0));
    assert_eq!(impact((&up, &rest), (&down, &apart), 1e-6), Impact::Free { initial: Initial::Separate });
    assert!(matches!(
        impact((&up, &rest), (&up, &apart), 1e-6),
        Impact::Contact { initial: Initial::Overlapping, .. }
    ));
}

#[test]
fn least_clearance_of_shapes_is_bounded() {
    let mut dice = Dice::new(31);
    let mut asker = MotionQuery::new();
    for round in 0..60 {
        let (a, b) = (shape(&mut dice, [11, 1, 3, 0, 10, 6][round % 6]), shape(&mut dice, round % 8));
        let start = dice.direction() * 3.5;
        let pose_b = dice.pose(start);
        let aside = dice.direction() * 2.5;
        let end_b = dice.moved(pose_b, -start * 2.0 + aside);
        let motions = [Motion::Rest(dice.pose(DVec3::ZERO)), dice.motion(pose_b, end_b)];
        let [x, y] =
            [MovingShape { shape: &a, motion: &motions[0] }, MovingShape { shape: &b, motion: &motions[1] }];
        let (range, when) = asker.least_clearance_of_shapes(x, y, &ClearanceOptions::default());
        let mut at_rest = kontakt_convex::ConvexQuery::new();
        let mut distance = |t: f64| {
            let [x, y] =
                [(&a, &motions[0]), (&b, &motions[1])].map(|(s, m)| PlacedShape::new(s, m.pose_at(t)));
            at_rest.distance(x, y).distance()
        };
        let least = (0..=300).map(|i| distance(f64::from(i) / 300.0).hi()).fold(f64::INFINITY, f64::min);
        assert!(range.lo() <= least + 1e-12, "{range:?} {least}");
        assert!(range.hi() <= least + 1e-12 || range.width() <= 1e-3 + 1e-12, "{range:?} {least}");
        assert!(distance(when).lo() <= range.hi() + 1e-12);
        assert!(range.width() <= 1e-3 + 1e-12, "{round} {range:?}");
    }
}
