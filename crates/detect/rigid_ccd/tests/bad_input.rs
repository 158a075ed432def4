//! What no motion should be, and what is at the edge of being one: typed errors or honest answers, soon.

use kontakt_answers::{Impact, Initial};
use kontakt_math::{DQuat, DVec3, Interpolation, Motion, Pose};
use kontakt_mesh::{Mesh, PlacedMesh};
use kontakt_rigid_ccd::{MotionOptions, MotionQuery, MovingMesh};
use testbodies::moving::{block, mesh};

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::new(DQuat::IDENTITY, DVec3::new(x, y, z)).expect("finite")
}

fn turned(axis: DVec3, angle: f64, place: DVec3) -> Pose {
    Pose::from_axis_angle(axis, angle, place).expect("finite")
}

fn impact(a: (&Mesh, &Motion), b: (&Mesh, &Motion), tolerance: f64, most_work: u64) -> Impact {
    let [x, y] = [a, b].map(|(mesh, motion)| MovingMesh { mesh, motion });
    MotionQuery::new().impact(x, y, &MotionOptions { tolerance, most_work, ..MotionOptions::default() })
}

#[test]
fn what_is_not_finite_is_no_motion() {
    let still = Pose::IDENTITY;
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(Pose::new(DQuat::IDENTITY, DVec3::new(0.0, bad, 0.0)).is_err());
        assert!(Pose::new(DQuat::from_xyzw(bad, 0.0, 0.0, 1.0), DVec3::ZERO).is_err());
        let pivot = DVec3::new(bad, 0.0, 0.0);
        assert!(Motion::slerp(still, still, pivot).is_err() && Motion::nlerp(still, still, pivot).is_err());
        assert!(Motion::helix(still, DVec3::ZERO, DVec3::Z, bad, 0.0).is_err());
        assert!(Motion::helix(still, DVec3::ZERO, DVec3::Z, 0.0, bad).is_err());
        assert!(Motion::helix(still, pivot, DVec3::Z, 0.0, 0.0).is_err());
        assert!(Motion::helix(still, DVec3::ZERO, pivot, 0.0, 0.0).is_err());
        let times = vec![0.0, bad, 1.0];
        assert!(Motion::path(times, vec![still; 3], Interpolation::Slerp { pivot: DVec3::ZERO }).is_err());
    }
    for times in [vec![0.0, 0.5, 0.5, 1.0], vec![0.0, 0.7, 0.3, 1.0]] {
        assert!(Motion::path(times, vec![still; 4], Interpolation::Slerp { pivot: DVec3::ZERO }).is_err());
    }
    assert!(Pose::new(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), DVec3::ZERO).is_err());
}

#[test]
fn motions_that_lead_nowhere() {
    let cube = block(DVec3::ONE);
    for (place, initial) in [
        (DVec3::new(3.0, 0.0, 0.0), Initial::Separate),
        (DVec3::new(2.0, 0.0, 0.0), Initial::Touching),
        (DVec3::new(0.5, 0.2, 0.1), Initial::Overlapping),
        (DVec3::ZERO, Initial::Overlapping),
    ] {
        let pose = at(place.x, place.y, place.z);
        let rest = Motion::Rest(Pose::IDENTITY);
        for motion in [
            Motion::Rest(pose),
            Motion::slerp(pose, pose, DVec3::ONE).expect("finite"),
            Motion::nlerp(pose, pose, DVec3::ONE).expect("finite"),
            Motion::screw(pose, pose),
            Motion::helix(pose, DVec3::ONE, DVec3::Z, 0.0, 0.0).expect("finite"),
        ] {
            match impact((&cube, &rest), (&cube, &motion), 1e-6, 1_000_000) {
                Impact::Free { initial: found } => assert!(found == initial && initial == Initial::Separate),
                Impact::Contact { initial: found, time, .. } => {
                    assert!(found == initial && initial != Initial::Separate, "{motion:?}");
                    assert!(time.lo() == 0.0, "{motion:?} {time:?}");
                }
                // Touching for ever is contact; in motions that could turn doubles may not tell.
                Impact::Undecided { initial: found, free_until } => {
                    assert!(found == Some(Initial::Touching) && free_until == 0.0, "{motion:?}");
                }
            }
        }
    }
}

#[test]
fn a_million_turns() {
    let bar = block(DVec3::new(2.0, 0.1, 0.1));
    let wall = block(DVec3::new(0.1, 3.0, 3.0));
    let rest = |x: f64| Motion::Rest(at(x, 0.0, 0.0));
    let angle = 1e6 * std::f64::consts::TAU;
    // The bar starts upright and falls onto the wall within the first quarter turn.
    let upright = turned(DVec3::Z, 1.5, DVec3::ZERO);
    let spin = Motion::helix(upright, DVec3::ZERO, DVec3::Z, -angle, 0.0).expect("finite");
    let answer = impact((&wall, &rest(1.5)), (&bar, &spin), 1e-9, 5_000_000);
    let Impact::Contact { time, initial: Initial::Separate, .. } = answer else { panic!("{answer:?}") };
    // Its corner (2, −0.1), which goes ahead, reaches x = 1.4 first.
    let reach = 2.0_f64.hypot(0.1);
    let truth = (1.5 - 0.05_f64.atan() - (1.4 / reach).acos()) / angle;
    assert!(
        time.lo() <= truth + 1e-15 && time.hi() >= truth - 1e-15 && time.width() <= 1.01e-9,
        "{time:?} {truth}"
    );
    // Out of reach it never does, however often it turns.
    let answer = impact((&wall, &rest(2.2)), (&bar, &spin), 1e-9, 5_000_000);
    assert_eq!(answer, Impact::Free { initial: Initial::Separate });
}

#[test]
fn sizes_at_the_ends_of_the_doubles_while_turning() {
    let cube = block(DVec3::ONE);
    let rest = Motion::Rest(Pose::IDENTITY);
    for size in [1e-305, 1e-160, 1e-20, 1e20, 1e153, 1e160, 1e305] {
        let huge = block(DVec3::splat(size));
        let far = 3.0 * size.max(1.0);
        let (start, end) = (
            turned(DVec3::new(1.0, 2.0, 3.0), 0.3, DVec3::new(far, 0.0, 0.0)),
            turned(DVec3::new(3.0, 1.0, 2.0), 1.7, DVec3::new(-far, 0.0, 0.0)),
        );
        for motion in [
            Motion::slerp(start, end, DVec3::ZERO).expect("finite"),
            Motion::nlerp(start, end, DVec3::ZERO).expect("finite"),
            Motion::screw(start, end),
        ] {
            for (a, b) in [(&cube, &huge), (&huge, &cube), (&huge, &huge)] {
                let answer = impact((a, &rest), (b, &motion), 1e-6, 4_000);
                // They pass through each other at half time, but for screws, which take another way.
                if !matches!(motion, Motion::Screw(_)) {
                    assert!(!matches!(answer, Impact::Free { .. }), "{size} {answer:?}");
                    assert!(answer.free_until() <= 0.5, "{size} {answer:?}");
                }
                assert!((0.0..=1.0).contains(&answer.free_until()), "{size} {answer:?}");
            }
        }
    }
}

#[test]
fn triangles_without_area_that_turn() {
    let cube = block(DVec3::ONE);
    let needles = mesh(
        vec![DVec3::ZERO, DVec3::X, DVec3::X * 0.5, DVec3::Y * 0.25],
        vec![[0, 1, 2], [3, 3, 3], [0, 3, 0]],
    );
    let rest = Motion::Rest(Pose::IDENTITY);
    let (start, end) =
        (turned(DVec3::Z, 0.0, DVec3::new(5.0, 0.1, 0.2)), turned(DVec3::Z, 1.0, DVec3::new(-5.0, 0.1, 0.2)));
    for motion in [
        Motion::slerp(start, end, DVec3::ZERO).expect("finite"),
        Motion::nlerp(start, end, DVec3::ZERO).expect("finite"),
    ] {
        let answer = impact((&cube, &rest), (&needles, &motion), 1e-6, 1_000_000);
        let hit = matches!(answer, Impact::Contact { .. } | Impact::Undecided { .. });
        assert!(hit && answer.free_until() > 0.3 && answer.free_until() <= 0.4, "{answer:?}");
    }
}

/// Two sheets in one plane, one of which turns and travels in it: exact polynomials tell when they meet, against exact
/// tests at many times.
#[test]
fn always_in_one_plane() {
    let mut dice = testbodies::moving::Dice::new(8);
    let sheet = |dice: &mut testbodies::moving::Dice| {
        let corners = (0..3).map(|_| DVec3::new(dice.signed(), dice.signed(), 0.0)).collect();
        mesh(corners, vec![[0, 1, 2]])
    };
    let at_rest = &mut kontakt_mesh::MeshQuery::new();
    let (mut hits, mut free) = (0, 0);
    for round in 0..60 {
        let (a, b) = (sheet(&mut dice), sheet(&mut dice));
        let area = |m: &Mesh| {
            let [p, q, r] = m.faces().triangle_points(0);
            (q - p).cross(r - p).length()
        };
        if area(&a) < 0.1 || area(&b) < 0.1 {
            continue;
        }
        let place = |x: f64, dice: &mut testbodies::moving::Dice| DVec3::new(x, 2.0 * dice.signed(), 0.0);
        let (start, end) = (place(3.0, &mut dice), place(-3.0, &mut dice));
        let pose =
            |dice: &mut testbodies::moving::Dice, place: DVec3| turned(DVec3::Z, 3.0 * dice.signed(), place);
        let moving =
            Motion::nlerp(pose(&mut dice, start), pose(&mut dice, end), DVec3::ZERO).expect("finite");
        let other = if round % 2 == 0 {
            Motion::Rest(pose(&mut dice, DVec3::ZERO))
        } else {
            Motion::nlerp(pose(&mut dice, DVec3::ZERO), pose(&mut dice, DVec3::Y * 0.5), DVec3::ZERO)
                .expect("finite")
        };
        let answer = impact((&a, &other), (&b, &moving), 1e-6, 1_000_000);
        let mut meets = |t: f64| {
            let [x, y] =
                [(&a, &other), (&b, &moving)].map(|(mesh, motion)| PlacedMesh::new(mesh, motion.pose_at(t)));
            at_rest.any_contact(x, y).is_some()
        };
        let until = match answer {
            Impact::Free { .. } => {
                free += 1;
                2.0
            }
            Impact::Contact { time, .. } => {
                hits += 1;
                assert!(
                    time.width() <= 1.01e-6 && meets((time.hi() + 1e-5).min(1.0)),
                    "round {round} {answer:?}"
                );
                time.lo()
            }
            Impact::Undecided { .. } => panic!("round {round} {answer:?}"),
        };
        for sample in 0..=200 {
            let t = f64::from(sample) / 200.0;
            assert!(t >= until - 1e-12 || !meets(t), "round {round}: missed at {t} {answer:?}");
        }
    }
    assert!(hits > 15 && free > 5, "{hits} {free}");
}
