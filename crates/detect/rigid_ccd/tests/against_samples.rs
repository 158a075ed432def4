//! Never late, and not too early: answers against exact tests at many times.

use kontakt_answers::{Impact, Initial};
use kontakt_math::{DVec3, Motion};
use kontakt_mesh::{Mesh, PlacedMesh};
use kontakt_rigid_ccd::{MotionOptions, MotionQuery, MovingMesh};
use testbodies::moving::{Dice, block, bumpy_sphere, wavy_torus};

#[derive(Default, Debug)]
struct Tally {
    free: u32,
    contact: u32,
    undecided: u32,
    overlapping: u32,
}

/// Checks one answer against exact tests at rest; the poses at the samples are rounded, which moves points by 1e-15.
fn check(
    a: (&Mesh, &Motion),
    b: (&Mesh, &Motion),
    samples: u32,
    tolerance: f64,
    tally: &mut Tally,
    asker: &mut MotionQuery,
) {
    let at_rest = &mut kontakt_mesh::MeshQuery::new();
    let options = MotionOptions { tolerance, ..MotionOptions::default() };
    let answer =
        asker.impact(MovingMesh { mesh: a.0, motion: a.1 }, MovingMesh { mesh: b.0, motion: b.1 }, &options);
    let meets = |at_rest: &mut kontakt_mesh::MeshQuery, t: f64| {
        at_rest
            .any_contact(PlacedMesh::new(a.0, a.1.pose_at(t)), PlacedMesh::new(b.0, b.1.pose_at(t)))
            .is_some()
    };
    let until = match answer {
        Impact::Free { initial } => {
            assert_eq!(initial, Initial::Separate);
            tally.free += 1;
            2.0
        }
        Impact::Contact { initial: Initial::Overlapping, .. } => {
            tally.overlapping += 1;
            return;
        }
        Impact::Contact { time, contact, .. } => {
            tally.contact += 1;
            assert!(time.width() <= 1.02 * tolerance, "{time:?}");
            let gap = at_rest
                .distance(
                    PlacedMesh::new(a.0, a.1.pose_at(time.lo())),
                    PlacedMesh::new(b.0, b.1.pose_at(time.lo())),
                )
                .range;
            // Speeds are below 40 in these tests.
            assert!(gap.lo() <= 40.0 * tolerance + 1e-12, "reported too early: {gap:?} {answer:?}");
            let contact = contact.expect("features");
            assert!(contact.point_a.distance(contact.point_b) <= 80.0 * tolerance + 1e-9, "{contact:?}");
            assert!((contact.normal.length() - 1.0).abs() < 1e-9, "{contact:?}");
            time.lo()
        }
        Impact::Undecided { free_until, .. } => {
            tally.undecided += 1;
            free_until
        }
    };
    for sample in 0..=samples {
        let t = f64::from(sample) / f64::from(samples);
        if t >= until - 1e-12 {
            break;
        }
        assert!(!meets(at_rest, t), "missed contact at {t}, answer {answer:?}\n{:?}\n{:?}", a.1, b.1);
    }
}

#[test]
fn boxes_in_all_motions() {
    let mut dice = Dice::new(1);
    let mut tally = Tally::default();
    let mut asker = MotionQuery::new();
    for round in 0..1500 {
        let (a, b) = (block(DVec3::new(0.5, 0.7, 0.3)), block(DVec3::splat(0.2) + dice.vector().abs()));
        let [motion_a, motion_b] = dice.encounter(3.0, 2.0, round % 2 != 0);
        let tolerance = [1e-3, 1e-6, 1e-9][round % 3];
        check((&a, &motion_a), (&b, &motion_b), 200, tolerance, &mut tally, &mut asker);
    }
    eprintln!("{tally:?} {:?}", asker.visits);
    assert!(tally.contact > 500 && tally.free > 200 && tally.undecided == 0, "{tally:?}");
}

#[test]
fn rough_bodies() {
    let mut dice = Dice::new(2);
    let mut tally = Tally::default();
    let mut asker = MotionQuery::new();
    let bodies = [bumpy_sphere(12, 0.1), wavy_torus(24, 10, 0.3, 0.3), block(DVec3::new(2.0, 2.0, 0.001))];
    for round in 0..150 {
        let (a, b) = (&bodies[round % 3], &bodies[(round / 3) % 3]);
        let [motion_a, motion_b] = dice.encounter(4.0, 1.5, true);
        check((a, &motion_a), (b, &motion_b), 300, 1e-6, &mut tally, &mut asker);
    }
    eprintln!("{tally:?} {:?}", asker.visits);
    assert!(tally.contact > 50 && tally.undecided == 0, "{tally:?}");
}
