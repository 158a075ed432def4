//! Pairs that may interfere: bolts in holes of about their size, sunk boxes; closed forms, and interference sampled at many poses.

use kontakt_answers::Initial;
use kontakt_math::motion::Interpolation;
use kontakt_math::{DQuat, DVec3, Motion, Pose};
use kontakt_mesh::{Mesh, MeshQuery, PlacedMesh, Region};
use kontakt_rigid_ccd::path::{
    PathOptions, PathReport, PathScene, PathVerdict, Rule, Segment, Unwatched, check,
};
use std::f64::consts::TAU;
use testbodies::moving::{Dice, block, mesh};

/// A profile of radii and heights turned about z, from below to above.
fn turned(count: u32, phase: f64, profile: &[[f64; 2]]) -> Mesh {
    let at = |k: u32, [radius, z]: [f64; 2]| {
        let (s, c) = ((f64::from(k % count) + phase) / f64::from(count) * TAU).sin_cos();
        DVec3::new(radius * c, radius * s, z)
    };
    let mut vertices: Vec<DVec3> =
        profile.iter().flat_map(|&ring| (0..count).map(move |k| at(k, ring))).collect();
    let (first, last) = (profile[0][1], profile[profile.len() - 1][1]);
    vertices.extend([DVec3::Z * first, DVec3::Z * last]);
    let (rings, n) = (profile.len() as u32, count);
    let mut triangles = Vec::new();
    for k in 0..n {
        let next = (k + 1) % n;
        for ring in 1..rings {
            let (low, high) = ((ring - 1) * n, ring * n);
            triangles.extend([[low + k, low + next, high + next], [low + k, high + next, high + k]]);
        }
        let top = (rings - 1) * n;
        triangles.extend([[rings * n, next, k], [rings * n + 1, top + k, top + next]]);
    }
    mesh(vertices, triangles)
}

fn bolt(count: u32, radius: f64, phase: f64) -> Mesh {
    turned(count, phase, &[[radius, -10.0], [radius, 20.0]])
}

/// A square plate from z = 0 to 8 with a round hole of as many corners.
fn plate(count: u32, hole: f64) -> Mesh {
    let at = |k: u32, outer: bool, z: f64| {
        let (s, c) = (f64::from(k % count) / f64::from(count) * TAU).sin_cos();
        let way = DVec3::new(c, s, 0.0);
        let reach = if outer { 20.0 / way.abs().max_element() } else { hole };
        way * reach + DVec3::Z * z
    };
    let mut vertices = Vec::new();
    for (outer, z) in [(true, 0.0), (true, 8.0), (false, 8.0), (false, 0.0)] {
        vertices.extend((0..count).map(|k| at(k, outer, z)));
    }
    let n = count;
    let mut triangles = Vec::new();
    for (a, b) in [(0, 1), (1, 2), (2, 3), (3, 0)] {
        for k in 0..n {
            let next = (k + 1) % n;
            triangles.extend([[a * n + k, a * n + next, b * n + next], [a * n + k, b * n + next, b * n + k]]);
        }
    }
    mesh(vertices, triangles)
}

fn at(place: DVec3) -> Pose {
    Pose::new(DQuat::IDENTITY, place).expect("finite")
}

fn straight(from: DVec3, to: DVec3) -> Motion {
    Motion::slerp(at(from), at(to), DVec3::ZERO).expect("finite")
}

fn asked(mover: &Mesh, still: &Mesh, motion: Motion, depth: f64) -> PathReport {
    let segments = [Segment::new(0.0, 1.0, motion).expect("times grow")];
    let scene =
        PathScene::new(&[mover], &[PlacedMesh::at_rest(still)]).with_rules(|_, _| Rule::Allowed(depth));
    check(&scene, &segments, &PathOptions::default(), &Unwatched)
}

/// What is proven before, and the time by which more is.
fn times(report: &PathReport) -> [f64; 2] {
    assert_eq!(report.verdict(), PathVerdict::Overlap, "{report:?}");
    [report.segments[0].free_until, report.segments[0].proven_by().expect("not free")]
}

#[test]
fn a_bolt_leaves_its_hole() {
    let hole = plate(64, 5.0);
    for (radius, phase) in [(5.0, 0.0), (5.02, 0.0), (5.02, 0.3), (5.04, 0.5)] {
        let report = asked(&bolt(48, radius, phase), &hole, straight(DVec3::ZERO, DVec3::Z * 30.0), 0.05);
        assert_eq!(report.verdict(), PathVerdict::Free, "{radius} {phase}: {report:?}");
        assert_eq!((report.at_poses, report.initial), (PathVerdict::Free, Some(Initial::Touching)));
        let report =
            asked(&bolt(48, radius + 0.1, phase), &hole, straight(DVec3::ZERO, DVec3::Z * 30.0), 0.05);
        assert_eq!((times(&report), report.at_poses), ([0.0, 0.0], PathVerdict::Overlap));
    }
    // With a turn on the way, about its own axis.
    let end = Pose::from_axis_angle(DVec3::Z, 0.7, DVec3::Z * 30.0).expect("axis");
    for motion in [
        Motion::slerp(Pose::IDENTITY, end, DVec3::ZERO).expect("finite"),
        Motion::screw(Pose::IDENTITY, end),
        Motion::helix(Pose::IDENTITY, DVec3::ZERO, DVec3::Z, 0.7, 30.0).expect("finite"),
    ] {
        let report = asked(&bolt(48, 5.02, 0.0), &hole, motion, 0.05);
        assert_eq!(report.verdict(), PathVerdict::Free, "{report:?}");
    }
}

/// The collar's underside is at z = 10, the plate's top at 8.
#[test]
fn a_collar_is_in_the_way() {
    // The neck below it keeps the wall's edge off the corner between shaft and collar.
    let profile = [[5.02, -10.0], [5.02, 9.0], [4.8, 9.0], [4.8, 10.0], [7.0, 10.0], [7.0, 14.0]];
    let report =
        asked(&turned(48, 0.2, &profile), &plate(64, 5.0), straight(DVec3::ZERO, DVec3::Z * -30.0), 0.05);
    let ([lo, hi], truth) = (times(&report), 2.05 / 30.0);
    assert!(lo <= truth && truth <= hi && hi - lo < 1e-5, "{lo} {truth} {hi}");
    assert_eq!(report.at_poses, PathVerdict::Free, "it ends below the plate, the collar too");
    assert_eq!(report.initial, Some(Initial::Touching), "the start is within the allowance");
}

/// How far a corner of a polygon of 48 sides, shifted along x, sticks out of one of 64 of the same radius.
fn sticking_out(shift: f64) -> f64 {
    let corner = |k: u32, count: u32| {
        let (s, c) = (f64::from(k) / f64::from(count) * TAU).sin_cos();
        DVec3::new(5.0 * c, 5.0 * s, 0.0)
    };
    let outside = |x: DVec3| {
        let from_side = |k: u32| {
            let (p, q) = (corner(k, 64), corner(k + 1, 64));
            let along = ((x - p).dot(q - p) / (q - p).length_squared()).clamp(0.0, 1.0);
            let sign = (x - p).dot((q - p).cross(DVec3::Z)).signum();
            (x.distance(p + (q - p) * along), sign)
        };
        let sides: Vec<(f64, f64)> = (0..64).map(from_side).collect();
        let nearest = sides.iter().map(|side| side.0).fold(f64::INFINITY, f64::min);
        if sides.iter().any(|side| side.1 > 0.0) { nearest } else { 0.0 }
    };
    (0..48).map(|k| outside(corner(k, 48) + DVec3::X * shift)).fold(0.0, f64::max)
}

/// The distance from the hole's wall, a convex polygon, is largest at a corner of the bolt.
#[test]
fn a_bolt_pulled_askew_exceeds_what_is_allowed() {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if sticking_out(middle) > 0.05 { high = middle } else { low = middle }
    }
    let motion = straight(DVec3::ZERO, DVec3::new(1.0, 0.0, 10.0));
    let report = asked(&bolt(48, 5.0, 0.0), &plate(64, 5.0), motion, 0.05);
    let [from, by] = times(&report);
    assert!(low > 0.04 && low < 0.05, "{low}");
    assert!(from <= high + 1e-12 && low <= by + 1e-12 && by - from < 1e-5, "{from} {low} {by}");
    // Tilted about its lower end instead: more and more until it is too much.
    let end = Pose::from_axis_angle(DVec3::Y, 0.1, DVec3::ZERO).expect("axis");
    let tilt = Motion::slerp(Pose::IDENTITY, end, DVec3::ZERO).expect("finite");
    let (bolt, hole) = (bolt(48, 5.0, 0.0), plate(64, 5.0));
    let [from, by] = times(&asked(&bolt, &hole, tilt.clone(), 0.05));
    let depth = |t: f64| {
        let found =
            MeshQuery::new().overlap(PlacedMesh::at_rest(&hole), PlacedMesh::new(&bolt, tilt.pose_at(t)));
        found.expect("solids").depth()
    };
    assert!(depth(from).lo() <= 0.05 && depth(by).hi() > 0.05 && by - from < 1e-4, "{from} {by}");
}

#[test]
fn sunk_boxes_slide() {
    let (peg, floor) = (block(DVec3::splat(0.5)), block(DVec3::new(6.0, 5.0, 1.0)));
    // To the floor's edge and over it, across the diagonal of its top.
    let slide = || straight(DVec3::new(-3.0, -2.0, 1.4), DVec3::new(6.2, 3.1, 1.4));
    let report = asked(&peg, &floor, slide(), 0.1 + 1e-9);
    assert_eq!((report.verdict(), report.at_poses), (PathVerdict::Free, PathVerdict::Free), "{report:?}");
    let report = asked(&peg, &floor, slide(), 0.05);
    assert_eq!((times(&report), report.at_poses), ([0.0, 0.0], PathVerdict::Overlap));
    // A start within the allowance, down to twice as deep.
    let motion = straight(DVec3::new(0.0, 0.0, 1.45), DVec3::new(2.0, 1.0, 1.35));
    let ([lo, hi], truth) = (times(&asked(&peg, &floor, motion, 0.1)), 0.5);
    assert!(lo <= truth && truth <= hi && hi - lo < 1e-5, "{lo} {hi}");
}

/// Surfaces that lie on each other have no interference, and yet all in common.
#[test]
fn one_body_twice_is_no_layer() {
    let body = bolt(24, 5.0, 0.0);
    for motion in [
        Motion::Rest(Pose::IDENTITY),
        straight(DVec3::ZERO, DVec3::X * 1e-3),
        // Into its own place, from beside it and from nearby.
        straight(DVec3::X * 1e-3, DVec3::ZERO),
        straight(DVec3::X * 30.0, DVec3::ZERO),
    ] {
        let report = asked(&body, &body, motion, 0.1);
        assert_eq!(
            (report.verdict(), report.at_poses),
            (PathVerdict::Overlap, PathVerdict::Overlap),
            "{report:?}"
        );
    }
}

fn cases(usual: u64) -> u64 {
    std::env::var("KONTAKT_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Free means that no sampled interference is more than allowed; exceeded that it is, at that time, and was not before.
#[test]
fn what_is_proven_agrees_with_samples() {
    let mut dice = Dice::new(3);
    let mut query = MeshQuery::new();
    let mut seen = [0; 4];
    for round in 0..cases(60) {
        let mut half = || DVec3::new(dice.0.f64(), dice.0.f64(), dice.0.f64()) + 0.2;
        let (one, other) = (half(), half());
        let (sides, radius) = (3 + dice.0.u32(0..9), 0.3 + dice.0.f64());
        let still = if round % 3 == 0 { plate(5 + dice.0.u32(0..9), 3.0) } else { block(other * 3.0) };
        let mover = if round % 2 == 0 {
            turned(sides, 0.3, &[[radius, -one.x], [0.8 * radius, 0.0], [radius, one.y]])
        } else {
            block(one)
        };
        let start = dice.direction() * if round % 3 == 0 { 4.0 } else { 2.0 };
        let way = dice.vector() * 2.0;
        let pose = dice.pose(start);
        let turn = if round % 4 == 0 { pose.rotation() } else { dice.moved(pose, way).rotation() };
        let end = Pose::new(turn, start + way).expect("finite");
        let motion = match round % 5 {
            0 => Motion::screw(pose, end),
            1 => Motion::nlerp(pose, end, DVec3::ZERO).expect("finite"),
            _ => Motion::slerp(pose, end, DVec3::ZERO).expect("finite"),
        };
        let mut depth_at = |t: f64| {
            let there = PlacedMesh::new(&mover, motion.pose_at(t));
            let found = query.overlap(PlacedMesh::at_rest(&still), there).expect("solids");
            assert!(!found.regions.iter().any(Region::is_coincident), "round {round}");
            found.depth()
        };
        let samples: Vec<f64> = (0..=24).map(|k| f64::from(k) / 24.0).collect();
        let most = samples.iter().map(|&t| depth_at(t).hi()).fold(0.0, f64::max);
        // Less than there is, more, or anything.
        let allowed = match round % 4 {
            0 | 1 => 1.05 * most + 0.02,
            2 => 0.5 * most + 0.01,
            _ => 0.3 * dice.0.f64() + 0.01,
        };
        let report = asked(&mover, &still, motion.clone(), allowed);
        seen[report.verdict() as usize] += 1;
        let until = report.segments[0].free_until;
        for &t in samples.iter().filter(|t| **t < until || until == 1.0) {
            assert!(depth_at(t).lo() <= allowed, "round {round}, {t}: {report:?}");
        }
        if report.verdict() == PathVerdict::Overlap {
            let by = report.segments[0].proven_by().expect("not free");
            assert!(depth_at(by).hi() > allowed, "round {round}: {report:?}");
            assert!(until <= by && by - until < 1e-2, "round {round}: {report:?}");
        }
        let worst = [0.0, 1.0].map(|t| depth_at(t).lo()).into_iter().fold(0.0, f64::max);
        assert!(worst <= allowed || report.at_poses == PathVerdict::Overlap, "round {round}: {report:?}");
    }
    println!("{seen:?}");
    assert!(seen[0] > 20 && seen[3] > 10 && seen[1] < 4, "the generator drifted: {seen:?}");
}

/// Several segments, recorded: the allowance holds for each.
#[test]
fn a_recorded_way_out_is_free() {
    let poses: Vec<Pose> = (0..7).map(|k| at(DVec3::Z * (5.0 * f64::from(k)))).collect();
    let stamps: Vec<f64> = (0..7).map(f64::from).collect();
    let segments = Segment::between(&stamps, &poses, Interpolation::Screw).expect("times grow");
    let (bolt, hole) = (bolt(48, 5.02, 0.1), plate(64, 5.0));
    let still = [PlacedMesh::at_rest(&hole)];
    let scene = PathScene::new(&[&bolt], &still).with_rules(|_, _| Rule::Allowed(0.05));
    let report = check(&scene, &segments, &PathOptions::default(), &Unwatched);
    assert_eq!((report.verdict(), report.at_poses), (PathVerdict::Free, PathVerdict::Free), "{report:?}");
}
