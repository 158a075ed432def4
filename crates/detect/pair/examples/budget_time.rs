//! How well a budget of time is kept: 100 candidate pairs of meshes of some thousand faces, at rest and in motion, all policies.
//! `cargo run --release -p kontakt-pair --example budget_time`
//!
//! Budgets in which the system gave the processor to others for a while (the thread's own time is shorter than the clock's) say nothing
//! of the schedule: they are counted and left out.
#![allow(missing_docs, reason = "an example")]

use kontakt_math::{DQuat, DVec3, Motion, Pose};
use kontakt_mesh::Mesh;
use kontakt_pair::{Body, DistanceSearch, ImpactSearch, Moving, Placed, Query};
use kontakt_rigid_ccd::MotionOptions;
use kontakt_schedule::{Budget, Policy, Task, run};
use kontakt_shapes::make;
use std::time::{Duration, Instant};

const PAIRS: usize = 100;
const ROUNDS: usize = 1000;
/// Seconds without the processor from which on a budget counts as interrupted.
const INTERRUPTED: f64 = 20e-6;
const POLICIES: [Policy; 3] = [Policy::Even, Policy::Weighted, Policy::Queue];

fn bodies() -> Vec<Body> {
    let all = [
        make::bumpy_ball(12, 0.1),
        make::bumpy_knot(100, 10, 0.3, 0.1),
        make::knobbly(10, 12, 1),
        make::gear(24, 0.1, 12),
    ];
    let mesh = |faces| Body::mesh(Mesh::new(faces).expect("mesh"));
    all.into_iter().map(|faces| mesh(faces.expect("faces"))).collect()
}

/// Neighbours: most apart by little, some in contact.
fn scattered(seed: u64) -> Vec<[Pose; 2]> {
    let mut dice = fastrand::Rng::with_seed(seed);
    let mut vector = |size: f64| (DVec3::new(dice.f64(), dice.f64(), dice.f64()) * 2.0 - 1.0) * size;
    let mut pose = |at: DVec3| {
        let axis = vector(3.0);
        let turn = DQuat::from_axis_angle(axis.normalize_or(DVec3::X), axis.length());
        Pose::new(turn, at).expect("finite")
    };
    let mut aside = fastrand::Rng::with_seed(seed + 1);
    (0..PAIRS).map(|_| [pose(DVec3::ZERO), pose(DVec3::X * (2.0 + 2.0 * aside.f64()))]).collect()
}

/// Processor time of this thread, in seconds.
fn own_time() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Runs budgets and prints by how much they were overrun, and what was reached.
fn report<T: Task<Query> + Clone>(name: &str, tasks: &[T], limit: Duration) {
    let mut query = Query::new();
    // What bodies find out about themselves once is known by then.
    run(&mut tasks.to_vec(), &mut query, Policy::Even, Budget::Units(u64::MAX));
    for policy in POLICIES {
        let (mut over, mut units, mut done, mut interrupted) = (Vec::new(), 0, 0, 0);
        for _ in 0..ROUNDS {
            let mut tasks = tasks.to_vec();
            let (own, start) = (own_time(), Instant::now());
            let spent = run(&mut tasks, &mut query, policy, Budget::Time(limit));
            let taken = start.elapsed();
            if spent.all_done() {
                println!("{name} {policy:?}: all done in {taken:?}, no overrun to measure");
                return;
            }
            if own_time() - own < taken.as_secs_f64() - INTERRUPTED {
                interrupted += 1;
                continue;
            }
            over.push(taken.saturating_sub(limit).as_secs_f64() * 1e6);
            units += spent.units;
            done += spent.done.iter().filter(|&&done| done).count();
        }
        over.sort_by(f64::total_cmp);
        let count = over.len();
        let at =
            |share: f64| over.get(((count.max(1) - 1) as f64 * share) as usize).copied().unwrap_or(f64::NAN);
        println!(
            "{name:8} {:9} {limit:?}: over by p50 {:.2} µs, p99 {:.2} µs, max {:.2} µs; {:.0} units, {:.1} of {PAIRS} pairs done; {count} budgets, {interrupted} interrupted",
            format!("{policy:?}"),
            at(0.5),
            at(0.99),
            at(1.0),
            units as f64 / count as f64,
            done as f64 / count as f64,
        );
    }
}

fn main() {
    let bodies = bodies();
    let faces = |body: &Body| body.surface().map_or(0, |mesh| mesh.faces().triangles().len());
    println!("faces: {:?}", bodies.iter().map(faces).collect::<Vec<_>>());
    let poses = scattered(1);
    let pick = |k: usize| (&bodies[k % bodies.len()], &bodies[k / bodies.len() % bodies.len()]);
    let at_rest = |(k, [a, b]): (usize, &[Pose; 2])| {
        DistanceSearch::new(Placed::new(pick(k).0, *a), Placed::new(pick(k).1, *b))
    };
    let distances: Vec<DistanceSearch> = poses.iter().enumerate().map(at_rest).collect();
    let in_motion = |(k, [a, b]): (usize, &[Pose; 2])| {
        let shift = Pose::new(DQuat::from_rotation_y(0.3), DVec3::new(-0.3, 0.1, 0.0)).expect("finite");
        let motion = Motion::slerp(*b, shift.then_from(b), DVec3::ZERO).expect("finite");
        let rest = Motion::Rest(*a);
        let (a, b) = (Moving::new(pick(k).0, &rest), Moving::new(pick(k).1, &motion));
        ImpactSearch::new(a, b, &MotionOptions::default())
    };
    let impacts: Vec<ImpactSearch> = poses.iter().enumerate().map(in_motion).collect();
    for limit in [1000, 250].map(Duration::from_micros) {
        report("distance", &distances, limit);
        report("impact", &impacts, limit);
    }
}
