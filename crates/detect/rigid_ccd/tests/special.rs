//! Starts in touch, grazes that are exact, bodies that pass through in an instant, odd motions and odd input.

use kontakt_answers::{Feature, Impact, Initial};
use kontakt_math::{DQuat, DVec3, Interpolation, Motion, Pose};
use kontakt_mesh::{Mesh, PlacedMesh};
use kontakt_rigid_ccd::{ClearanceOptions, MotionOptions, MotionQuery, MovingMesh};
use testbodies::moving::{Dice, block, bumpy_sphere, mesh};

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::new(DQuat::IDENTITY, DVec3::new(x, y, z)).expect("finite")
}

fn straight(from: Pose, to: Pose) -> Motion {
    Motion::slerp(from, to, DVec3::ZERO).expect("finite")
}

fn impact(a: (&Mesh, &Motion), b: (&Mesh, &Motion), tolerance: f64) -> Impact {
    let options = MotionOptions { tolerance, ..MotionOptions::default() };
    MotionQuery::new().impact(
        MovingMesh { mesh: a.0, motion: a.1 },
        MovingMesh { mesh: b.0, motion: b.1 },
        &options,
    )
}

#[test]
fn head_on_boxes_meet_when_arithmetic_says() {
    let cube = block(DVec3::ONE);
    let rest = Motion::Rest(Pose::IDENTITY);
    // Gap 3 closes at 7 a unit of time.
    let motion = straight(at(5.0, 0.25, 0.125), at(-2.0, 0.25, 0.125));
    let Impact::Contact { initial, time, contact } = impact((&cube, &rest), (&cube, &motion), 1e-9) else {
        panic!("contact")
    };
    assert_eq!(initial, Initial::Separate);
    assert!(time.lo() <= 3.0 / 7.0 && 3.0 / 7.0 <= time.hi() && time.width() <= 1e-9, "{time:?}");
    let contact = contact.expect("where");
    assert!((contact.normal - DVec3::X).length() < 1e-9, "{contact:?}");
    assert!((contact.point_a.x - 1.0).abs() < 1e-6, "{contact:?}");
    assert!(contact.feature_a.is_some() && contact.feature_b.is_some());
}

/// Cubes of one size that meet face to face, flush: no faces cross at any time.
#[test]
fn flush_cubes_are_seen() {
    let cube = block(DVec3::ONE);
    let rest = Motion::Rest(Pose::IDENTITY);
    let motion = straight(at(4.0, 0.0, 0.0), at(1.0, 0.0, 0.0));
    let answer = impact((&cube, &rest), (&cube, &motion), 1e-9);
    let Impact::Contact { time, .. } = answer else { panic!("{answer:?}") };
    assert!(time.lo() <= 2.0 / 3.0 && 2.0 / 3.0 <= time.hi() + 1e-15 && time.width() <= 1e-9, "{time:?}");
}

/// A body that slides past another in exactly the plane of its face touches it; a little higher it does not.
#[test]
fn grazes_of_straight_motions_are_exact() {
    let cube = block(DVec3::ONE);
    let rest = Motion::Rest(Pose::IDENTITY);
    for (height, touches) in [(2.0, true), (2.0_f64.next_up(), false), (2.0_f64.next_down(), true)] {
        let motion = straight(at(-5.0, 0.0, height), at(5.0, 0.0, height));
        let answer = impact((&cube, &rest), (&cube, &motion), 1e-6);
        match answer {
            Impact::Contact { time, .. } => {
                assert!(touches, "{height}");
                assert!(time.lo() <= 0.3 && 0.3 <= time.hi() + 1e-12 && time.width() <= 2e-6, "{time:?}");
            }
            Impact::Free { .. } => assert!(!touches, "{height}"),
            // A gap of one step of doubles is beyond doubles; never the wrong answer.
            Impact::Undecided { free_until, .. } => {
                assert!(free_until <= 0.3 + 1e-9 && !touches, "{answer:?}");
            }
        }
    }
}

#[test]
fn two_sheets_that_pass_through_each_other_meet() {
    let triangle = |size: f64| {
        mesh(
            vec![DVec3::new(-size, -size, 0.0), DVec3::new(size, -size, 0.0), DVec3::new(0.0, size, 0.0)],
            vec![[0, 1, 2]],
        )
    };
    let (small, large) = (triangle(0.5), triangle(2.0));
    let rest = Motion::Rest(Pose::IDENTITY);
    for motion in [
        straight(at(0.0, 0.0, 1.0), at(0.0, 0.0, -2.0)),
        straight(
            at(0.0, 0.0, 1.0),
            Pose::from_axis_angle(DVec3::Z, 1.0, DVec3::new(0.0, 0.0, -2.0)).expect("pose"),
        ),
    ] {
        for (a, b) in [(&small, &large), (&large, &small)] {
            let answer = impact((a, &rest), (b, &motion), 1e-6);
            let Impact::Contact { time, .. } = answer else { panic!("{answer:?}") };
            assert!(time.lo() <= 1.0 / 3.0 && 1.0 / 3.0 <= time.hi() && time.width() <= 1.1e-6, "{time:?}");
        }
    }
}

#[test]
fn a_start_in_touch_may_leave() {
    let cube = block(DVec3::ONE);
    let table = block(DVec3::new(4.0, 4.0, 1.0));
    for (turn, name) in
        [(Pose::IDENTITY, "straight"), (Dice::new(3).pose(DVec3::new(0.5, -2.0, 7.0)), "turned")]
    {
        // The same scene anywhere in space: touching is decided exactly only where the product is, so both get one pose.
        let rest = Motion::Rest(turn);
        for (a, low) in [(&cube, 1.0), (&table, 1.0)] {
            let shapes = mesh(
                cube.faces().vertices().iter().map(|v| *v + DVec3::new(0.0, 0.0, 1.0 + low)).collect(),
                cube.faces().triangles().to_vec(),
            );
            let go = |way: DVec3| {
                let end =
                    Pose::new(turn.given_rotation(), turn.translation() + turn.rotate(way)).expect("pose");
                impact((a, &rest), (&shapes, &straight(turn, end)), 1e-6)
            };
            let up = go(DVec3::new(0.0, 0.0, 3.0));
            assert_eq!(up, Impact::Free { initial: Initial::Touching }, "{name}");
            let aslant = go(DVec3::new(1.0, 0.5, 1.0));
            assert_eq!(aslant, Impact::Free { initial: Initial::Touching }, "{name}");
            let down = go(DVec3::new(0.1, 0.2, -1.0));
            let Impact::Contact { initial: Initial::Touching, time, .. } = down else {
                panic!("{name} {down:?}")
            };
            assert!(time.lo() == 0.0 && time.hi() <= 1e-6, "{time:?}");
        }
    }
}

/// A lid that opens about its hinge leaves the rim it lay on.
#[test]
fn a_turn_may_leave_a_touch() {
    let plate = block(DVec3::new(2.0, 1.0, 0.5));
    // Narrower than the plate: that flush walls meet as they turn would be beyond doubles.
    let lid = mesh(
        plate.faces().vertices().iter().map(|v| DVec3::new(0.9 * v.x, 0.9 * v.y, v.z + 1.0)).collect(),
        plate.faces().triangles().to_vec(),
    );
    let rest = Motion::Rest(Pose::IDENTITY);
    let hinge = DVec3::new(-2.5, 0.0, 0.5);
    for (angle, free) in [(-1.5, true), (0.2, false)] {
        let motion = Motion::helix(Pose::IDENTITY, hinge, DVec3::Y, angle, 0.0).expect("finite");
        match impact((&plate, &rest), (&lid, &motion), 1e-6) {
            Impact::Free { initial } => assert!(free && initial == Initial::Touching),
            Impact::Contact { time, .. } => assert!(!free && time.lo() == 0.0 && time.hi() <= 1e-6),
            other @ Impact::Undecided { .. } => panic!("{other:?}"),
        }
    }
}

/// A carried body that touches, dips into the table at once and ends above it: not free. One that is lifted off first is met where it
/// comes down again on the other side, half a turn later.
#[test]
fn a_touch_that_comes_back_is_no_leave() {
    let cube = block(DVec3::ONE);
    let table = block(DVec3::new(40.0, 40.0, 1.0));
    let rest = Motion::Rest(Pose::IDENTITY);
    let (axle, start) = (DVec3::new(2.0, 0.0, 2.0), at(0.0, 0.0, 2.0));
    let turned = |angle: f64| {
        let turn = Motion::helix(start, axle, DVec3::Y, angle, 0.0).expect("finite");
        impact((&table, &rest), (&cube, &turn.carrying(Pose::IDENTITY)), 1e-6)
    };
    // About an axle beside it the cube goes down first (its far corner with it) and comes up on the other side.
    let dip = turned(-4.0);
    assert!(!matches!(dip, Impact::Free { .. }) && dip.free_until() < 0.5, "{dip:?}");
    let Impact::Contact { time, .. } = turned(4.0) else { panic!("it comes down") };
    let half = std::f64::consts::FRAC_PI_4;
    assert!(time.lo() <= half && half <= time.hi() + 1e-15 && time.width() <= 1e-6, "{time:?}");
}

#[test]
fn overlap_and_containment_at_the_start_are_told() {
    let (small, large) = (block(DVec3::splat(0.5)), block(DVec3::splat(2.0)));
    let rest = Motion::Rest(Pose::IDENTITY);
    for place in [at(0.0, 0.0, 0.0), at(1.8, 0.0, 0.0)] {
        let motion = straight(place, at(9.0, 0.0, 0.0));
        for answer in [
            impact((&small, &motion), (&large, &rest), 1e-6),
            impact((&large, &rest), (&small, &motion), 1e-6),
        ] {
            let Impact::Contact { initial, time, .. } = answer else { panic!("{answer:?}") };
            assert_eq!(initial, Initial::Overlapping);
            assert_eq!((time.lo(), time.hi()), (0.0, 0.0));
        }
    }
}

#[test]
fn thin_plates_are_not_tunnelled() {
    let plate = block(DVec3::new(3.0, 3.0, 1e-9));
    let bullet = block(DVec3::splat(1e-3));
    let rest =
        Motion::Rest(Pose::from_axis_angle(DVec3::new(1.0, 2.0, 3.0), 0.7, DVec3::ZERO).expect("pose"));
    let mut dice = Dice::new(5);
    for _ in 0..200 {
        let place = dice.direction() * 100.0;
        let start = dice.pose(place);
        let end = Pose::new(dice.rotation(), -start.translation() * 3.0 + dice.vector()).expect("pose");
        let motion = dice.motion(start, end);
        if matches!(motion, Motion::Helix(_)) {
            continue;
        }
        let answer = impact((&plate, &rest), (&bullet, &motion), 1e-9);
        // Straight through the middle for a pivot at the origin; screws may go around.
        if matches!(motion, Motion::Slerp(_)) {
            assert!(matches!(answer, Impact::Contact { .. } | Impact::Free { .. }), "{answer:?}");
        }
        assert!(!matches!(answer, Impact::Undecided { .. }), "{answer:?}");
    }
    let through = straight(at(0.1, 0.2, 1e6), at(0.1, 0.2, -2e6));
    let flat = Motion::Rest(Pose::IDENTITY);
    let Impact::Contact { time, .. } = impact((&plate, &flat), (&bullet, &through), 1e-12) else {
        panic!("tunnelled")
    };
    assert!(time.lo() <= 1.0 / 3.0 && time.hi() >= 1.0 / 3.0 - 1e-8, "{time:?}");
}

#[test]
fn spinning_in_place() {
    let bar = block(DVec3::new(2.0, 0.05, 0.05));
    let peg = block(DVec3::splat(0.1));
    let rest = Motion::Rest(at(0.0, 1.5, 0.0));
    // A quarter of the circle is away: the bar reaches the peg before π/2.
    let spin = Motion::helix(Pose::IDENTITY, DVec3::ZERO, DVec3::Z, 100.0 * std::f64::consts::TAU, 0.0)
        .expect("finite");
    let Impact::Contact { time, .. } = impact((&peg, &rest), (&bar, &spin), 1e-9) else { panic!("missed") };
    assert!(time.hi() < 0.25 / 100.0 && time.lo() > 0.2 / 100.0, "{time:?}");
    // Out of reach: free, for any number of turns.
    let far = Motion::Rest(at(0.0, 2.5, 0.0));
    let many = Motion::helix(Pose::IDENTITY, DVec3::ZERO, DVec3::Z, 1e6 * std::f64::consts::TAU, 0.0)
        .expect("finite");
    let answer = impact((&peg, &far), (&bar, &many), 1e-6);
    assert!(matches!(answer, Impact::Free { .. }), "{answer:?}");
    // Within reach, a million turns: contact in the first one, or at worst undecided in bounded time.
    let answer = impact((&peg, &rest), (&bar, &many), 1e-9);
    assert!(!matches!(answer, Impact::Free { .. }) && answer.free_until() <= 0.25e-6, "{answer:?}");
}

#[test]
fn recorded_paths_and_carried_bodies() {
    let cube = block(DVec3::splat(0.5));
    let rest = Motion::Rest(Pose::IDENTITY);
    let poses = vec![at(3.0, 0.0, 0.0), at(3.0, 3.0, 0.0), at(0.0, 3.0, 0.0), at(0.0, -3.0, 0.0)];
    for how in [
        Interpolation::Slerp { pivot: DVec3::ZERO },
        Interpolation::Screw,
        Interpolation::Nlerp { pivot: DVec3::X },
    ] {
        let path = Motion::path(vec![0.0, 1.0, 3.0, 7.0], poses.clone(), how).expect("sorted");
        // On the last piece y falls from 3 to −3: contact at y = 1, a third of it.
        let expected = (3.0 + 4.0 / 3.0) / 7.0;
        // Flush faces are told apart exactly only where motions say how they go.
        let narrow = block(DVec3::new(0.4, 0.5, 0.45));
        for (body, motion, tolerance) in [
            (&cube, path.clone(), 1e-6),
            (&narrow, path.clone(), 1e-6),
            (&narrow, path.carrying(Pose::IDENTITY), 1e-3),
        ] {
            let answer = impact((&cube, &rest), (body, &motion), tolerance);
            let Impact::Contact { time, .. } = answer else { panic!("{answer:?} {how:?}") };
            assert!(time.lo() <= expected + 1e-15 && expected <= time.hi() + 1e-15, "{time:?} {expected}");
            assert!(time.width() <= 1.1 * tolerance);
        }
    }
}

#[test]
fn bodies_carried_together_stay_free() {
    let cube = block(DVec3::splat(0.5));
    let mut dice = Dice::new(11);
    let (start, end) = (dice.pose(DVec3::ZERO), dice.pose(DVec3::new(50.0, 0.0, 0.0)));
    let carrier = Motion::slerp(start, end, DVec3::ZERO).expect("finite");
    let other = carrier.carrying(at(1.5, 0.0, 0.0));
    let answer = impact((&cube, &carrier), (&cube, &other), 1e-3);
    assert!(!matches!(answer, Impact::Contact { .. }), "{answer:?}");
}

#[test]
fn the_order_of_bodies_does_not_matter() {
    let (a, b) = (block(DVec3::new(0.5, 0.7, 0.3)), bumpy_sphere(6, 0.1));
    let mut dice = Dice::new(21);
    for _ in 0..60 {
        let pose_b = dice.pose(DVec3::new(3.0, 0.0, 0.0));
        let way = DVec3::new(-6.0, 0.0, 0.0) + dice.vector();
        let end_b = dice.moved(pose_b, way);
        let (pose_a, shift) = (dice.pose(DVec3::ZERO), dice.vector());
        let end_a = dice.moved(pose_a, shift);
        let (motion_a, motion_b) = (dice.motion(pose_a, end_a), dice.motion(pose_b, end_b));
        let one = impact((&a, &motion_a), (&b, &motion_b), 1e-6);
        let two = impact((&b, &motion_b), (&a, &motion_a), 1e-6);
        match (one, two) {
            (Impact::Contact { time: s, .. }, Impact::Contact { time: t, .. }) => {
                assert!(s.lo() <= t.hi() && t.lo() <= s.hi(), "{s:?} {t:?}");
            }
            (one, two) => assert_eq!(one, two),
        }
    }
}

#[test]
fn odd_input() {
    let cube = block(DVec3::ONE);
    let flat = mesh(
        vec![DVec3::ZERO, DVec3::X, DVec3::X * 2.0, DVec3::ZERO, DVec3::Y, DVec3::new(0.3, 0.3, 0.0)],
        vec![[0, 1, 2], [3, 3, 3], [4, 5, 4]],
    );
    let rest = Motion::Rest(Pose::IDENTITY);
    // Degenerate faces meet what they meet.
    let motion = straight(at(5.0, 0.1, 0.2), at(-5.0, 0.1, 0.2));
    let answer = impact((&cube, &rest), (&flat, &motion), 1e-6);
    let Impact::Contact { time, .. } = answer else { panic!("{answer:?}") };
    assert!(time.lo() <= 0.4 && 0.4 <= time.hi() + 1e-12, "{time:?}");
    // A motion that leads nowhere.
    let still = straight(at(5.0, 0.0, 0.0), at(5.0, 0.0, 0.0));
    assert_eq!(impact((&cube, &rest), (&cube, &still), 1e-6), Impact::Free { initial: Initial::Separate });
    // Sizes at the ends of the doubles: any honest answer, soon.
    for size in [1e-300, 1e-150, 1e150, 1e300] {
        let huge = block(DVec3::splat(size));
        for (a, b) in [(&cube, &huge), (&huge, &cube), (&huge, &huge)] {
            let far = straight(at(3.0 * size.max(1.0), 0.0, 0.0), at(-3.0 * size.max(1.0), 0.0, 0.0));
            let options = MotionOptions { tolerance: 1e-6, most_work: 20_000, ..MotionOptions::default() };
            let answer = MotionQuery::new().impact(
                MovingMesh { mesh: a, motion: &rest },
                MovingMesh { mesh: b, motion: &far },
                &options,
            );
            assert!(!matches!(answer, Impact::Free { .. }), "{size} {answer:?}");
            assert!(answer.free_until() <= 0.5, "{size} {answer:?}");
        }
    }
    // No work at all: undecided from the beginning.
    let options = MotionOptions { tolerance: f64::NAN, most_work: 0, ..MotionOptions::default() };
    let answer = MotionQuery::new().impact(
        MovingMesh { mesh: &cube, motion: &rest },
        MovingMesh { mesh: &cube, motion: &motion },
        &options,
    );
    assert_eq!(answer, Impact::Undecided { initial: Some(Initial::Separate), free_until: 0.0 });
    assert!(Motion::slerp(Pose::IDENTITY, Pose::IDENTITY, DVec3::splat(f64::NAN)).is_err());
    assert!(Motion::helix(Pose::IDENTITY, DVec3::ZERO, DVec3::Z, f64::INFINITY, 0.0).is_err());
}

#[test]
fn least_clearance_is_bounded() {
    let mut dice = Dice::new(31);
    let (a, b) = (block(DVec3::new(0.5, 0.7, 0.3)), block(DVec3::splat(0.4)));
    let mut asker = MotionQuery::new();
    for _ in 0..40 {
        let aside = dice.direction();
        let place = aside.any_orthonormal_vector() * 3.0 + aside * (1.0 + dice.0.f64());
        let start = dice.pose(place);
        let way = aside.any_orthonormal_vector() * -6.0;
        let end = dice.moved(start, way);
        let motion = dice.motion(start, end);
        let rest = Motion::Rest(Pose::IDENTITY);
        let (one, two) = (MovingMesh { mesh: &a, motion: &rest }, MovingMesh { mesh: &b, motion: &motion });
        let (range, time) =
            asker.least_clearance(one, two, &ClearanceOptions { tolerance: 1e-2, most_distances: 4000 });
        assert!(range.width() <= 1.0001e-2, "{range:?}");
        let at_rest = &mut kontakt_mesh::MeshQuery::new();
        let mut distance = |t: f64| {
            at_rest
                .distance(PlacedMesh::new(&a, Pose::IDENTITY), PlacedMesh::new(&b, motion.pose_at(t)))
                .range
        };
        assert!(distance(time).lo() <= range.hi());
        for sample in 0..=200 {
            let d = distance(f64::from(sample) / 200.0);
            assert!(d.hi() + 1e-12 >= range.lo(), "{d:?} {range:?}");
        }
    }
}

#[test]
fn features_are_those_that_meet() {
    let cube = block(DVec3::ONE);
    // A corner first: turned so that a diagonal points at the face.
    let q = DQuat::from_rotation_arc(DVec3::ONE.normalize(), DVec3::NEG_X);
    let from = Pose::new(q, DVec3::new(4.0, 0.1, 0.2)).expect("pose");
    let to = Pose::new(q, DVec3::new(1.0, 0.1, 0.2)).expect("pose");
    let rest = Motion::Rest(Pose::IDENTITY);
    let Impact::Contact { contact: Some(contact), .. } =
        impact((&cube, &rest), (&cube, &straight(from, to)), 1e-9)
    else {
        panic!("contact")
    };
    assert!(
        matches!((contact.feature_a, contact.feature_b), (Some(Feature::Face(_)), Some(Feature::Vertex(7)))),
        "{contact:?}"
    );
    assert!((contact.point_a - DVec3::new(1.0, 0.1, 0.2)).length() < 1e-6);
}

/// Bodies that touch exactly at the end of the motion and at no other time, anywhere in space: rounding must not lose them.
#[test]
fn contact_at_the_very_end_is_not_lost() {
    let mut dice = Dice::new(51);
    let boxes = [block(DVec3::ONE), bumpy_sphere(5, 0.2), block(DVec3::new(100.0, 90.0, 80.0))];
    let mut contacts = 0;
    for round in 0..180 {
        let far = [1.0, 30.0, 1e3][round / 9 % 3];
        let end = dice.pose(DVec3::ZERO);
        let end = Pose::new(end.given_rotation(), dice.vector() * far).expect("pose");
        let a = &boxes[round % 3];
        // Flush with A's highest corner along an axis, exactly, in A's own frame.
        let axis = round / 3 % 3;
        let top = a.faces().vertices().iter().fold(f64::NEG_INFINITY, |top, v| top.max(v[axis]));
        // A small body at the rim of a large one asks most of single precision.
        let (half, spread) = if round % 3 == 2 { (0.0625, 75.0) } else { (2.0, 0.25) };
        let mut shift = (dice.vector() * spread * 64.0).round() / 64.0;
        shift[axis] = top + half;
        let cube = block(DVec3::splat(half));
        let b = mesh(
            cube.faces().vertices().iter().map(|v| *v + shift).collect(),
            cube.faces().triangles().to_vec(),
        );
        if b.faces().vertices().iter().all(|v| v[axis] != top) {
            continue;
        }
        let mut away = DVec3::new(0.1, -0.2, 0.15);
        away[axis] = 1.0 + dice.0.f64();
        let start = Pose::new(end.given_rotation(), end.translation() + end.rotate(away)).expect("pose");
        let rest = Motion::Rest(end);
        for answer in [
            impact((a, &rest), (&b, &straight(start, end)), 1e-6),
            impact((&b, &straight(start, end)), (a, &rest), 1e-6),
        ] {
            assert!(!matches!(answer, Impact::Free { .. }), "round {round}: {answer:?}");
            contacts += u32::from(matches!(answer, Impact::Contact { .. }));
        }
        // Turned into place about a point of B: no exact arithmetic there, but never free.
        let turned = dice.moved(start, DVec3::ZERO);
        let pivot = shift;
        let swing = Motion::slerp(turned, end, pivot).expect("finite");
        let answer = impact((a, &rest), (&b, &swing), 1e-6);
        assert!(!matches!(answer, Impact::Free { .. }), "round {round}: {answer:?}");
    }
    assert!(contacts > 100, "{contacts}");
}
