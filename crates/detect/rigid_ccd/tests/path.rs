//! Paths: tunnelling, sliding, leaving a touch, resting, odd segments, allowed depths; static and continuous never contradict.

use kontakt_answers::Initial;
use kontakt_math::motion::Interpolation;
use kontakt_math::{DQuat, DVec3, Motion, Pose};
use kontakt_mesh::{Mesh, MeshQuery, PlacedMesh, RelationOptions};
use kontakt_rigid_ccd::path::{
    PathOptions, PathReport, PathScene, PathVerdict, Rule, Segment, SegmentReport, Unwatched, Watch, check,
};
use kontakt_schedule::Deadline;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use testbodies::moving::{Dice, block, bumpy_sphere};

const SLERP: Interpolation = Interpolation::Slerp { pivot: DVec3::ZERO };

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::new(DQuat::IDENTITY, DVec3::new(x, y, z)).expect("finite")
}

fn path(poses: &[Pose]) -> Vec<Segment> {
    let times: Vec<f64> = (0..poses.len()).map(|k| 10.0 + 2.0 * k as f64).collect();
    Segment::between(&times, poses, SLERP).expect("times grow")
}

fn checked(mover: &Mesh, bodies: &[PlacedMesh], poses: &[Pose]) -> PathReport {
    check(&PathScene::new(&[mover], bodies), &path(poses), &PathOptions::default(), &Unwatched)
}

fn verdicts(report: &PathReport) -> Vec<PathVerdict> {
    report.segments.iter().map(|segment| segment.verdict).collect()
}

fn time_of(segment: &SegmentReport) -> [f64; 2] {
    [segment.free_until, segment.proven_by().expect("not free")]
}

#[test]
fn a_plate_jumped_over_between_two_poses_is_found() {
    let (cube, plate) = (block(DVec3::splat(0.5)), block(DVec3::new(1e-3, 4.0, 4.0)));
    let poses = [at(-6.0, 0.0, 0.0), at(-3.0, 0.0, 0.0), at(3.0, 0.0, 0.0), at(6.0, 0.0, 0.0)];
    let report = checked(&cube, &[PlacedMesh::at_rest(&plate)], &poses);
    assert_eq!(verdicts(&report), [PathVerdict::Free, PathVerdict::Contact, PathVerdict::Free]);
    assert_eq!((report.at_poses, report.initial), (PathVerdict::Free, Some(Initial::Separate)));
    let segment = &report.segments[1];
    // The cube's face at x − ½ … the plate's at −10⁻³: after 2.499 of 6, from time 12 on.
    let truth = 12.0 + 2.0 * 2.499 / 6.0;
    let [lo, hi] = time_of(segment);
    assert!(lo <= truth && truth <= hi && hi - lo <= 2.1e-6, "{lo} {hi} {truth}");
    let contact = segment.findings[0].contact.expect("where");
    assert!((contact.normal - DVec3::X).length() < 1e-9, "from the mover to the body: {contact:?}");
    assert!((contact.point_b.x + 1e-3).abs() < 1e-9 && contact.feature_a.is_some());
    let least = report.least_clearance.expect("asked for");
    assert_eq!((least.range.lo(), least.range.hi(), least.body), (0.0, 0.0, 0));
    let first = report.segments[0].clearance.expect("asked for").range;
    assert!(first.lo() <= 2.499 && 2.499 <= first.hi() && first.lo() > 1.2, "{first:?}");
}

#[test]
fn sliding_along_with_a_gap_is_free_and_the_gap_is_bounded() {
    let (cube, floor) = (block(DVec3::splat(0.5)), block(DVec3::new(20.0, 20.0, 1.0)));
    let gap = 0.01;
    let poses: Vec<Pose> = (0..12).map(|k| at(f64::from(k) - 5.0, 0.0, 1.5 + gap)).collect();
    let far = PlacedMesh::new(&floor, at(0.0, 0.0, -1000.0));
    let scene = [PlacedMesh::at_rest(&floor), far];
    let report = checked(&cube, &scene, &poses);
    assert_eq!(verdicts(&report), [PathVerdict::Free; 11]);
    assert!(report.segments.iter().all(|segment| segment.near == 0), "boxes prove it");
    for segment in &report.segments {
        assert_eq!(segment.free_until, segment.times[1]);
        assert!(segment.first().is_none() && segment.proven_by().is_none());
        let range = segment.clearance.expect("asked for").range;
        assert!(range.lo() <= gap + 1e-15 && gap <= range.hi() + 1e-15, "{range:?}");
    }
    let least = report.least_clearance.expect("asked for");
    assert!(least.range.width() <= 1e-3 && least.range.lo() > 0.0 && least.body == 0, "{least:?}");
    assert!(report.complete);
}

#[test]
fn a_start_in_touch_may_be_left_and_an_end_in_touch_is_contact() {
    let cube = block(DVec3::ONE);
    let still = PlacedMesh::at_rest(&cube);
    // Lifts off, comes back to touch at the second pose's height, lifts off again.
    let poses = [at(0.0, 0.0, 2.0), at(0.0, 0.0, 5.0), at(0.5, 0.25, 2.0), at(0.5, 0.25, 3.0)];
    let report = checked(&cube, &[still], &poses);
    assert_eq!(verdicts(&report), [PathVerdict::Free, PathVerdict::Contact, PathVerdict::Free]);
    let initials: Vec<_> = report.segments.iter().map(|segment| segment.initial).collect();
    assert_eq!(initials, [Initial::Touching, Initial::Separate, Initial::Touching].map(Some));
    let [lo, hi] = time_of(&report.segments[1]);
    assert!(lo > 13.99 && hi == 14.0, "at the pose itself: {lo} {hi}");
    let poses: Vec<_> = report.segments.iter().map(|segment| segment.at_poses).collect();
    assert_eq!(poses, [PathVerdict::Free, PathVerdict::Contact, PathVerdict::Free]);
    let clearance = report.segments[0].clearance.expect("asked for");
    assert_eq!((clearance.range.hi(), clearance.time), (0.0, 10.0), "it touches at its start");
}

#[test]
fn resting_and_sliding_in_touch_are_contact_from_the_start_unless_allowed() {
    let cube = block(DVec3::ONE);
    let still = PlacedMesh::at_rest(&cube);
    let rest = [at(0.0, 0.0, 2.0), at(0.0, 0.0, 2.0), at(0.5, 0.0, 2.0)];
    let report = checked(&cube, &[still], &rest);
    assert_eq!(verdicts(&report), [PathVerdict::Contact; 2]);
    for segment in &report.segments {
        assert_eq!((segment.initial, segment.free_until), (Some(Initial::Touching), segment.times[0]));
    }
    let scene = PathScene::new(&[&cube], &[still]).with_rules(|_, _| Rule::Allowed(0.01));
    let report = check(&scene, &path(&rest), &PathOptions::default(), &Unwatched);
    assert_eq!(verdicts(&report), [PathVerdict::Free; 2], "{report:?}");
    assert_eq!(report.segments[0].findings[0].allowed, Some(0.01));
    let scene = scene.with_rules(|_, _| Rule::Allowed(0.0));
    let resting = check(&scene, &path(&rest[..2]), &PathOptions::default(), &Unwatched);
    assert_eq!(verdicts(&resting), [PathVerdict::Free], "a touch at rest needs no depth");
    assert!(report.least_clearance.is_none(), "no body is to stay apart");
}

#[test]
fn a_start_in_overlap_is_said_and_later_segments_are_judged_on_their_own() {
    let (small, large) = (block(DVec3::splat(0.1)), block(DVec3::ONE));
    let poses =
        [at(0.0, 0.0, 0.0), at(0.0, 0.0, 0.2), at(0.0, 0.0, 3.0), at(0.0, 0.0, 4.0), at(0.0, 0.0, 1.0)];
    let report = checked(&small, &[PlacedMesh::at_rest(&large)], &poses);
    assert_eq!(
        verdicts(&report),
        [PathVerdict::Overlap, PathVerdict::Overlap, PathVerdict::Free, PathVerdict::Contact]
    );
    assert_eq!(time_of(&report.segments[0]), [10.0, 10.0], "inside, without touching");
    assert_eq!((report.initial, report.at_poses), (Some(Initial::Overlapping), PathVerdict::Overlap));
}

#[test]
fn odd_segments_have_an_answer() {
    let (cube, plate) = (block(DVec3::splat(0.5)), block(DVec3::new(0.1, 4.0, 4.0)));
    let still = [PlacedMesh::at_rest(&plate)];
    let scene = PathScene::new(&[&cube], &still);
    let ask = |motion: Motion| {
        let segments = [Segment::new(0.0, 1.0, motion).expect("times grow")];
        check(&scene, &segments, &PathOptions { most_work: 200_000, ..PathOptions::default() }, &Unwatched)
    };
    // No motion at all, apart and far away.
    assert_eq!(verdicts(&ask(Motion::Rest(at(2.0, 0.0, 0.0)))), [PathVerdict::Free]);
    let still_slerp = Motion::slerp(at(2.0, 0.0, 0.0), at(2.0, 0.0, 0.0), DVec3::ZERO).expect("finite");
    assert_eq!(verdicts(&ask(still_slerp)), [PathVerdict::Free]);
    let far = ask(Motion::Rest(at(1e9, 0.0, 0.0)));
    assert_eq!((far.segments[0].near, verdicts(&far)), (0, vec![PathVerdict::Free]));
    let range = far.least_clearance.expect("asked for").range;
    assert!(range.lo() <= 1e9 - 0.6 && 1e9 - 0.6 <= range.hi() && range.width() <= 1e-3, "{range:?}");
    // A million turns about an axis: beside the plate, and so that the corners reach it.
    let turns = |x: f64| {
        let centre = DVec3::new(x, 0.0, 0.0);
        Motion::helix(at(x, 0.0, 0.0), centre, DVec3::Z, 1e6 * std::f64::consts::TAU, 0.0).expect("finite")
    };
    assert_eq!(verdicts(&ask(turns(1.0))), [PathVerdict::Free]);
    assert!(ask(turns(0.81)).verdict() <= PathVerdict::Undecided, "a gap of 0.003");
    let hit = ask(turns(0.8));
    assert_eq!(verdicts(&hit), [PathVerdict::Contact], "{hit:?}");
    assert!(hit.segments[0].proven_by().expect("contact") < 1e-6);
    // A path without a segment.
    let none = check(&scene, &[], &PathOptions::default(), &Unwatched);
    assert_eq!((none.verdict(), none.least_clearance), (PathVerdict::Free, None));
}

#[test]
fn an_allowed_depth_is_kept_or_exceeded() {
    let (peg, floor) = (block(DVec3::splat(0.5)), block(DVec3::new(20.0, 20.0, 1.0)));
    let still = [PlacedMesh::at_rest(&floor)];
    let turned = |angle: f64, place: DVec3| Pose::from_axis_angle(DVec3::Z, angle, place).expect("axis");
    // Down to a depth of 0.2, along with a turn at it, up again.
    let poses = [
        at(0.0, 0.0, 2.0),
        at(0.0, 0.0, 1.3),
        turned(1.0, DVec3::new(3.0, 0.0, 1.3)),
        turned(1.0, DVec3::new(3.0, 0.0, 2.0)),
    ];
    let ask = |depth: f64| {
        let scene = PathScene::new(&[&peg], &still).with_rules(|_, _| Rule::Allowed(depth));
        check(&scene, &path(&poses), &PathOptions::default(), &Unwatched)
    };
    let report = ask(0.25);
    assert_eq!(verdicts(&report), [PathVerdict::Free; 3], "{report:?}");
    assert_eq!((report.at_poses, report.segments[1].findings.len()), (PathVerdict::Free, 1));
    let report = ask(0.1);
    assert_eq!(verdicts(&report), [PathVerdict::Overlap; 3], "{report:?}");
    // Deeper than 0.1 from z = 1.4 on: after 0.6 of 0.7.
    let truth = 10.0 + 2.0 * 0.6 / 0.7;
    let [lo, hi] = time_of(&report.segments[0]);
    assert!(lo <= truth && truth <= hi && hi - lo < 1e-5, "{lo} {truth} {hi}");
    assert_eq!(report.at_poses, PathVerdict::Overlap);
}

/// A peg in a hole of its own size must be pulled out altogether when it is turned: depths do not grow as points move.
#[test]
fn an_allowance_is_not_fooled_by_a_peg_in_its_hole() {
    let frame = kontakt_shapes::make::hex_nut(4.0, 2.0, 1.0, 4).expect("nut");
    let nut = Mesh::with_threads(frame, 1).expect("mesh");
    let peg = block(DVec3::new(0.1, 0.1, 3.0));
    let scene = PathScene::new(&[&peg], &[PlacedMesh::at_rest(&nut)]).with_rules(|_, _| Rule::Allowed(0.05));
    // Loose in the bore at both poses, far through its wall between them.
    let poses = [
        Pose::from_axis_angle(DVec3::Y, 0.0, DVec3::ZERO).expect("axis"),
        Pose::from_axis_angle(DVec3::Y, 1.3, DVec3::ZERO).expect("axis"),
    ];
    let report = check(&scene, &path(&poses), &PathOptions::default(), &Unwatched);
    assert_ne!(report.verdict(), PathVerdict::Free, "{report:?}");
}

#[test]
fn ignored_pairs_are_not_looked_at() {
    let (cube, plate) = (block(DVec3::splat(0.5)), block(DVec3::new(0.1, 4.0, 4.0)));
    let still = [PlacedMesh::at_rest(&plate), PlacedMesh::new(&plate, at(1.0, 0.0, 0.0))];
    let rule = |_: usize, body: usize| if body == 0 { Rule::Ignored } else { Rule::Apart };
    let scene = PathScene::new(&[&cube], &still).with_rules(rule);
    assert_eq!(scene.pair_count(), 1);
    let report =
        check(&scene, &path(&[at(-3.0, 0.0, 0.0), at(0.3, 0.0, 0.0)]), &PathOptions::default(), &Unwatched);
    assert_eq!(verdicts(&report), [PathVerdict::Free]);
    let range = report.least_clearance.expect("asked for").range;
    assert!(range.lo() <= 0.1 + 1e-12 && 0.1 <= range.hi() + 1e-12, "{range:?}");
}

#[test]
fn several_movers_share_the_motion() {
    let (cube, plate) = (block(DVec3::splat(0.5)), block(DVec3::new(0.1, 4.0, 4.0)));
    // The second mover is a long bar that reaches the plate when the cube does not.
    let bar = block(DVec3::new(3.0, 0.1, 0.1));
    let scene = PathScene::new(&[&cube, &bar], &[PlacedMesh::at_rest(&plate)]);
    let report =
        check(&scene, &path(&[at(-6.0, 0.0, 0.0), at(-2.0, 0.0, 0.0)]), &PathOptions::default(), &Unwatched);
    assert_eq!(verdicts(&report), [PathVerdict::Contact]);
    let findings = &report.segments[0].findings;
    assert_eq!((findings.len(), findings[0].mover, findings[0].body), (1, 1, 0));
    assert_eq!(scene.pair_count(), 2);
    // A motion of several pieces in one segment: contact is found, an allowance is not proven but nothing false is said.
    let times = vec![0.0, 0.5, 1.0];
    let poses = vec![at(-6.0, 0.0, 0.0), at(-6.0, 1.0, 0.0), at(-2.95, 1.0, 0.0)];
    let pieces = Motion::path(times, poses, SLERP).expect("times grow");
    let segments = [Segment::new(0.0, 1.0, pieces).expect("times grow")];
    let ask = |scene: &PathScene| check(scene, &segments, &PathOptions::default(), &Unwatched).verdict();
    assert_eq!(ask(&scene), PathVerdict::Contact);
    assert_eq!(ask(&scene.clone().with_rules(|_, _| Rule::Allowed(0.3))), PathVerdict::Undecided);
}

/// Random poses among bodies; the test at rest at a pose and the certified one of both segments agree, for one thread and two.
#[test]
fn static_and_continuous_never_contradict_and_threads_change_nothing() {
    let mut dice = Dice::new(5);
    let (ball, cube) = (bumpy_sphere(5, 0.1), block(DVec3::new(0.5, 0.7, 0.9)));
    let (mut touched, mut free, mut hidden) = (0, 0, 0);
    for round in 0..16 {
        let grid = round % 2 == 0;
        let mut place = |reach: f64| {
            let v = DVec3::from_array([0, 1, 2].map(|_| reach * dice.signed()));
            if grid { (v * 2.0).round() * 0.5 } else { v }
        };
        let bodies: Vec<PlacedMesh> = (0..6)
            .map(|k| {
                let p = place(6.0);
                PlacedMesh::new(if k % 2 == 0 { &cube } else { &ball }, at(p.x, p.y, p.z))
            })
            .collect();
        let places: Vec<DVec3> = (0..6).map(|_| place(7.0)).collect();
        let poses: Vec<Pose> = places
            .into_iter()
            .map(|p| {
                if grid {
                    return at(p.x, p.y, p.z);
                }
                let axis = DVec3::new(1.0, dice.signed(), dice.signed());
                Pose::from_axis_angle(axis, 3.0 * dice.signed(), p).expect("axis")
            })
            .collect();
        let mover = if round % 4 < 2 { &cube } else { &ball };
        let scene = PathScene::new(&[mover], &bodies);
        let ask = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| check(&scene, &path(&poses), &PathOptions::default(), &Unwatched))
        };
        let report = ask(1);
        assert_eq!(report, ask(2));
        let mut asker = MeshQuery::new();
        for (k, segment) in report.segments.iter().enumerate() {
            let meets = |asker: &mut MeshQuery, pose: Pose| {
                bodies.iter().any(|body| {
                    let found =
                        asker.relation(*body, PlacedMesh::new(mover, pose), &RelationOptions::default());
                    !matches!(found.exact, kontakt_answers::Relation::Separate { .. })
                })
            };
            let (start, end) = (meets(&mut asker, poses[k]), meets(&mut asker, poses[k + 1]));
            assert_eq!(segment.initial != Some(Initial::Separate), start);
            if end {
                assert!(segment.verdict >= PathVerdict::Contact, "{segment:?}");
                assert!(segment.at_poses >= PathVerdict::Contact);
                assert!(segment.proven_by().is_some_and(|t| t <= segment.times[1]));
            }
            if segment.initial == Some(Initial::Overlapping) {
                assert_eq!((segment.verdict, segment.free_until), (PathVerdict::Overlap, segment.times[0]));
            }
            assert!(segment.verdict != PathVerdict::Undecided, "{segment:?}");
            let range = segment.clearance.expect("asked for").range;
            assert!(range.lo() == 0.0 || segment.verdict == PathVerdict::Free, "{segment:?}");
            let motion = Motion::slerp(poses[k], poses[k + 1], DVec3::ZERO).expect("finite");
            for share in (0..=8).map(|i| f64::from(i) / 8.0) {
                let there = PlacedMesh::new(mover, motion.pose_at(share));
                let apart = bodies.iter().map(|body| asker.distance(*body, there).range.hi());
                let nearest = apart.fold(f64::INFINITY, f64::min);
                assert!(nearest >= range.lo() * (1.0 - 1e-12), "{nearest} at {share}: {segment:?}");
                let left = segment.verdict == PathVerdict::Free && share > 0.0;
                assert!(!left || nearest > 0.0, "{share}: {segment:?}");
            }
            touched += usize::from(end);
            free += usize::from(segment.verdict == PathVerdict::Free);
            hidden +=
                usize::from(segment.verdict == PathVerdict::Contact && segment.at_poses == PathVerdict::Free);
        }
    }
    assert!(touched > 5 && free > 5 && hidden > 5, "the generator drifted: {touched} {free} {hidden}");
}

/// Without any work the search leaves all open; the overlap on the way proves contact nevertheless, in wide bounds.
#[test]
fn an_overlap_on_the_way_is_contact_even_if_the_search_gave_up() {
    let ball = bumpy_sphere(6, 0.1);
    let still = [PlacedMesh::at_rest(&ball)];
    let scene = PathScene::new(&[&ball], &still);
    let turned =
        |angle: f64, x: f64| Pose::from_axis_angle(DVec3::Z, angle, DVec3::new(x, 0.0, 0.0)).expect("axis");
    let segments = path(&[turned(0.0, -4.0), turned(1.0, 4.0)]);
    let ask = |most_work: u64| {
        check(&scene, &segments, &PathOptions { most_work, ..PathOptions::default() }, &Unwatched)
    };
    let (little, enough) = (ask(0), ask(1_000_000));
    assert_eq!((little.verdict(), little.at_poses), (PathVerdict::Contact, PathVerdict::Free));
    let ([lo, hi], [first, by]) = (time_of(&little.segments[0]), time_of(&enough.segments[0]));
    assert!(lo <= first && first <= hi && hi <= by + 0.1 && hi - lo > 0.1, "{lo} {first} {by} {hi}");
}

/// Numbers of any size: nothing panics, nothing is endless, and what is said fits together.
#[test]
fn any_numbers_give_a_sound_report() {
    let mut dice = Dice::new(9);
    let cube = block(DVec3::ONE);
    let still = [PlacedMesh::at_rest(&cube), PlacedMesh::new(&cube, at(1e300, 0.0, 0.0))];
    let mut seen = [0; 4];
    for round in 0..30 {
        let exponent = [0, 0, 1, 10, 100, 307][round % 6];
        let mut number =
            |scale: i32| dice.signed() * 10.0_f64.powi((f64::from(scale) * dice.signed()) as i32);
        let poses: Vec<Pose> = (0..3)
            .filter_map(|_| {
                let place = DVec3::new(number(exponent), number(exponent), number(exponent));
                let turn = DQuat::from_xyzw(number(3), number(3), number(3), number(3)).normalize();
                Pose::new(turn, place).ok()
            })
            .collect();
        let mut times: Vec<f64> = poses.iter().map(|_| number(exponent)).collect();
        times.sort_by(f64::total_cmp);
        let pivot = DVec3::splat(number(exponent.min(2)));
        let how =
            [Interpolation::Slerp { pivot }, Interpolation::Nlerp { pivot }, Interpolation::Screw][round % 3];
        let Ok(segments) = Segment::between(&times, &poses, how) else { continue };
        let scene = PathScene::new(&[&cube], &still)
            .with_rules(|_, _| if round % 5 == 0 { Rule::Allowed(0.1) } else { Rule::Apart });
        let options = PathOptions { most_work: 2_000, most_distances: [8, 16], ..PathOptions::default() };
        let report = check(&scene, &segments, &options, &Unwatched);
        for segment in &report.segments {
            let [start, end] = segment.times;
            seen[segment.verdict as usize] += 1;
            assert!(start <= segment.free_until && segment.free_until <= end, "{segment:?}");
            assert_eq!(segment.verdict == PathVerdict::Free, segment.proven_by().is_none());
            assert!(segment.verdict != PathVerdict::Free || segment.free_until == end, "{segment:?}");
            assert!(
                segment.proven_by().is_none_or(|by| segment.free_until <= by && by <= end),
                "{segment:?}"
            );
            let static_found = segment.at_poses >= PathVerdict::Contact;
            assert!(
                !static_found || segment.verdict >= PathVerdict::Contact || round % 5 == 0,
                "{segment:?}"
            );
            assert!(segment.clearance.is_none_or(|clearance| clearance.range.lo() >= 0.0), "{segment:?}");
        }
    }
    assert!(seen[0] > 5 && seen[2] > 2 && seen[3] > 2, "the generator drifted: {seen:?}");
}

/// Ends the check after so many questions.
struct Impatient(AtomicU64);

impl Watch for Impatient {
    fn deadline(&self) -> Deadline {
        let left = self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        if left.is_ok() { Deadline::NEVER } else { Deadline::after(Duration::ZERO) }
    }
}

#[test]
fn what_is_ended_early_keeps_what_is_certain() {
    let (cube, plate) = (block(DVec3::splat(0.5)), block(DVec3::new(0.1, 4.0, 4.0)));
    let poses: Vec<Pose> = (0..5).map(|k| at(0.5 + 0.5 * f64::from(k % 2), 0.0, 0.0)).collect();
    let scene = [PlacedMesh::at_rest(&plate)];
    let scene = PathScene::new(&[&cube], &scene);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let watch = Impatient(AtomicU64::new(2));
    let report = pool.install(|| check(&scene, &path(&poses), &PathOptions::default(), &watch));
    assert!(!report.complete && report.verdict() == PathVerdict::Overlap, "{report:?}");
    let undecided =
        report.segments.iter().filter(|segment| segment.verdict == PathVerdict::Undecided).count();
    assert_eq!(undecided, 2, "{report:?}");
    assert!(report.least_clearance.is_none());
}

/// Half a million poses once took half a minute after the time was up: every segment was swept first.
#[test]
fn without_time_a_long_path_is_not_called_free() {
    let (cube, plate) = (block(DVec3::splat(0.5)), block(DVec3::new(0.1, 4.0, 4.0)));
    let others = [PlacedMesh::at_rest(&plate), PlacedMesh::new(&plate, at(0.0, 0.0, 50.0))];
    let scene = PathScene::new(&[&cube], &others).with_rules(|_, body| [Rule::Ignored, Rule::Apart][body]);
    let far: Vec<Pose> = (0..3000).map(|k| at(20.0 + f64::from(k % 2), 0.0, 0.0)).collect();
    let ended = check(&scene, &path(&far), &PathOptions::default(), &Impatient(AtomicU64::new(0)));
    assert!(!ended.complete && ended.least_clearance.is_none());
    let open = |segment: &SegmentReport| segment.verdict == PathVerdict::Undecided && segment.near == 1;
    assert!(ended.segments.len() == 2999 && ended.segments.iter().all(open));
    assert!(
        ended.segments.iter().all(|segment| segment.findings[0].body == 1),
        "an ignored pair is not open"
    );
    let whole = check(&scene, &path(&far), &PathOptions::default(), &Unwatched);
    assert!(whole.complete && whole.verdict() == PathVerdict::Free);
    // Short ones are looked at in any case.
    let short = check(&scene, &path(&far[..500]), &PathOptions::default(), &Impatient(AtomicU64::new(0)));
    assert_eq!(short.verdict(), PathVerdict::Free);
}
