//! A first contact searched for bit by bit: what is said to be free is, and grows, and in the end it is the answer in one go.

use kontakt_answers::{Impact, Initial};
use kontakt_math::motion::{Interpolation, Path};
use kontakt_math::{DQuat, DVec3, Motion, Pose};
use kontakt_mesh::{Mesh, MeshQuery, PlacedMesh};
use kontakt_rigid_ccd::{ImpactSearch, MotionOptions, MotionQuery, MovingMesh};
use testbodies::moving::flights::{Between, Flight};
use testbodies::moving::hunt::{Bodies, Family};
use testbodies::moving::{Dice, block, bumpy_sphere, wavy_torus};

/// How the searches of a test ended.
#[derive(Debug, Default)]
struct Count {
    free: u32,
    contact: u32,
    undecided: u32,
    overlapping: u32,
    /// Steps at which more was known than before.
    grown: u32,
}

fn same(one: &Impact, other: &Impact) -> bool {
    format!("{one:?}") == format!("{other:?}")
}

/// Bit by bit, against the answer in one go.
fn check(bodies: [MovingMesh; 2], options: &MotionOptions, portions: &[u64], count: &mut Count) {
    let [a, b] = bodies;
    let answer = MotionQuery::new().impact(a, b, options);
    let (mut query, mut fresh) = (MotionQuery::new(), MotionQuery::new());
    let mut search = ImpactSearch::new(a, b, options);
    let (mut until, mut total) = (0.0, 0);
    for &units in portions.iter().cycle() {
        if search.is_done() {
            break;
        }
        total += search.work(&mut query, bodies, units).units;
        let known = search.impact();
        if search.is_done() {
            break;
        }
        assert!(matches!(known, Impact::Undecided { .. }));
        assert!(known.free_until() >= until, "{known:?} after {until}");
        assert!(known.free_until() <= answer.free_until(), "{known:?} of {answer:?}");
        count.grown += u32::from(known.free_until() > until);
        until = known.free_until();
        if total < 1000 && total % 7 == 0 {
            let mut at_once = ImpactSearch::new(a, b, options);
            at_once.work(&mut fresh, bodies, total);
            assert!(same(&at_once.impact(), &known), "{total} units: {:?}, {known:?}", at_once.impact());
        }
    }
    assert!(same(&search.impact(), &answer), "{:?} instead of {answer:?}", search.impact());
    assert!(answer.free_until() >= until);
    let mut swapped = ImpactSearch::new(b, a, options);
    swapped.work(&mut query, [b, a], u64::MAX);
    assert!(same(&swapped.impact(), &answer.swapped()));
    match answer {
        Impact::Free { .. } => count.free += 1,
        Impact::Contact { initial: Initial::Overlapping, .. } => count.overlapping += 1,
        Impact::Contact { .. } => count.contact += 1,
        Impact::Undecided { .. } => count.undecided += 1,
    }
}

#[test]
fn small_bodies_on_all_kinds_of_ways() {
    let (bodies, mut dice, mut at_rest) = (Bodies::default(), Dice::new(3), MeshQuery::new());
    let (options, mut count) = (MotionOptions::default(), Count::default());
    for family in Family::ALL {
        for round in 0..40 {
            let scene = bodies.scene(family, &mut dice, &mut at_rest);
            let portions: &[u64] = [&[1][..], &[5, 1, 9], &[64]][round % 3];
            check(scene.moving(), &options, portions, &mut count);
        }
    }
    assert!(count.free > 40 && count.contact > 40 && count.grown > 500, "{count:?}");
}

fn of<'a>(mesh: &'a Mesh, motion: &'a Motion) -> MovingMesh<'a> {
    MovingMesh { mesh, motion }
}

#[test]
fn bodies_of_many_faces() {
    let (ball, ring) = (bumpy_sphere(16, 0.1), wavy_torus(40, 12, 0.3, 0.2));
    let mut count = Count::default();
    for (aside, both) in [(0.0, false), (1.6, true)] {
        let flight = Flight { far: 3.0, aside, both, between: Between::Slerp };
        for motions in flight.motions(20, 4) {
            let bodies = [of(&ring, &motions[0]), of(&ball, &motions[1])];
            check(bodies, &MotionOptions::default(), &[3, 40], &mut count);
            let little = MotionOptions { most_work: 200, ..MotionOptions::default() };
            check(bodies, &little, &[1, 17], &mut count);
        }
    }
    assert!(count.contact > 8 && count.undecided > 8 && count.grown > 300, "{count:?}");
}

/// Several legs, starts in touch, in overlap and one inside the other.
#[test]
fn legs_and_starts() {
    let (ball, cube) = (bumpy_sphere(12, 0.1), block(DVec3::ONE));
    let at =
        |x: f64, turn: f64| Pose::new(DQuat::from_rotation_z(turn), DVec3::new(x, 0.0, 0.0)).expect("finite");
    let rest = Motion::Rest(Pose::IDENTITY);
    // Cubes that turn away from a common face are left open after any work.
    let options = MotionOptions { most_work: 3000, ..MotionOptions::default() };
    let mut count = Count::default();
    let mut go = |mesh: &Mesh, motion: &Motion| {
        for portions in [&[1][..], &[2, 31]] {
            check([of(&cube, &rest), of(mesh, motion)], &options, portions, &mut count);
        }
    };
    let way = |poses: Vec<Pose>| {
        let times = (0..poses.len()).map(|k| k as f64).collect();
        let how = Interpolation::Slerp { pivot: DVec3::ZERO };
        Motion::Path(Path::new(times, poses, how).expect("poses").into())
    };
    go(&ball, &way(vec![at(4.0, 0.0), at(3.0, 1.0), at(3.5, 2.0), at(1.0, 2.5)]));
    go(&ball, &way(vec![at(4.0, 0.0), at(3.0, 1.0), at(5.0, 2.0)]));
    go(&cube, &way(vec![at(2.0, 0.0), at(3.0, 0.5), at(2.5, 0.5), at(0.0, 0.0)]));
    for (x, end) in [(1.5, 4.0), (0.1, 3.0), (2.0, 3.0), (2.0, 1.0)] {
        let motion = Motion::slerp(at(x, 0.0), at(end, 0.3), DVec3::ZERO).expect("finite");
        go(&ball, &motion);
        go(&cube, &motion);
    }
    let small = block(DVec3::splat(0.1));
    go(&small, &Motion::Rest(Pose::IDENTITY));
    assert!(count.overlapping >= 8 && count.contact >= 4 && count.free >= 2, "{count:?}");
}

#[test]
fn other_bodies_end_a_search_where_it_is() {
    let (ball, ring) = (bumpy_sphere(16, 0.1), wavy_torus(40, 12, 0.3, 0.2));
    let motions = &Flight { far: 3.0, aside: 0.0, both: true, between: Between::Slerp }.motions(1, 4)[0];
    let (a, b) = (of(&ring, &motions[0]), of(&ball, &motions[1]));
    let mut search = ImpactSearch::new(a, b, &MotionOptions::default());
    let mut query = MotionQuery::new();
    search.work(&mut query, [a, b], 30);
    let known = search.impact();
    assert!(!search.is_done());
    assert!(search.work(&mut query, [b, a], 30).done);
    assert!(same(&search.impact(), &known));
    search.restart(a, b, &MotionOptions::default());
    assert!(search.work(&mut query, [a, b], u64::MAX).done);
    assert!(same(&search.impact(), &query.impact(a, b, &MotionOptions::default())));
}

/// Where bodies are known to be apart, and which triangles may meet, saves work; what is certified stays.
#[test]
fn what_is_known_beforehand_changes_nothing() {
    let (bodies, mut dice, mut at_rest) = (Bodies::default(), Dice::new(17), MeshQuery::new());
    let (options, mut query) = (MotionOptions::default(), MotionQuery::new());
    let (mut free, mut contact, mut less) = (0, 0, 0);
    for family in Family::ALL {
        for round in 0..60 {
            let scene = bodies.scene(family, &mut dice, &mut at_rest);
            let [a, b] = scene.moving();
            let mut whole = ImpactSearch::new(a, b, &options);
            whole.work(&mut query, [a, b], u64::MAX);
            let answer = whole.impact();
            let (Impact::Free { initial } | Impact::Contact { initial, .. }) = answer else { continue };
            if initial != Initial::Separate {
                continue;
            }
            let mut search = ImpactSearch::new(a, b, &options);
            search.skip_to([0.0, 0.5, 0.999][round % 3] * answer.free_until());
            search.expect(if round % 4 == 0 { [0, 0] } else { whole.met().unwrap_or([1, 0]) });
            search.work(&mut query, [a, b], u64::MAX);
            less += u32::from(search.spent() < whole.spent());
            match (answer, search.impact()) {
                (Impact::Free { .. }, Impact::Free { .. }) => free += 1,
                (Impact::Contact { time: one, .. }, Impact::Contact { time: other, initial, .. }) => {
                    assert_eq!(initial, Initial::Separate);
                    assert!(
                        one.lo() <= other.hi() && other.lo() <= one.hi(),
                        "{family:?} {round}: {one:?} {other:?}"
                    );
                    assert!(other.width() <= 1.01 * options.tolerance, "{family:?} {round}: {other:?}");
                    contact += 1;
                }
                (one, other) => panic!("{family:?} {round}: {one:?} {other:?}"),
            }
        }
    }
    assert!(free > 40 && contact > 40 && less > 40, "{free} free, {contact} contacts, {less} with less work");
}

/// Gaps that planes tell are never more than distances.
#[test]
fn gaps_of_planes_are_below_distances() {
    let (bodies, mut dice, mut at_rest) = (Bodies::default(), Dice::new(18), MeshQuery::new());
    let (options, mut query, mut told) = (MotionOptions::default(), MotionQuery::new(), [0; 2]);
    for family in Family::ALL {
        for round in 0..60 {
            let scene = bodies.scene(family, &mut dice, &mut at_rest);
            let [a, b] = scene.moving();
            let placed = |t: f64| [a, b].map(|body| PlacedMesh::new(body.mesh, body.motion.pose_at(t)));
            let mut search = ImpactSearch::new(a, b, &options);
            search.work(&mut query, [a, b], u64::MAX);
            let [first, last] = [0.0, 1.0].map(placed);
            let gaps = [query.gap_by_plane(first[0], first[1]), search.gap_at_end()];
            for (k, [x, y]) in [first, last].into_iter().enumerate() {
                let distance = at_rest.distance(x, y).range;
                // The pose at the end is rounded.
                assert!(
                    gaps[k] <= distance.hi() * (1.0 + 1e-12) + 1e-12,
                    "{family:?} {round}: {gaps:?} {distance:?}"
                );
                told[k] += u32::from(gaps[k] > 0.5 * distance.lo() && gaps[k] > 0.0);
            }
        }
    }
    assert!(told[0] > 100 && told[1] > 40, "{told:?}");
}
