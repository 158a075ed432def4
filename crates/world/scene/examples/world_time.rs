//! How long steps of a crowded world take: 1000 rigid meshes of some 1000 faces, 50 of them moving, certified continuous, one thread.
//! What is stopped turns to another way; with `pressed` it goes on pressing.

use kontakt_math::{DVec3, Motion, Pose};
use kontakt_mesh::Mesh;
use kontakt_pair::Body;
use kontakt_scene::{NodeId, StepOptions, World};
use kontakt_shapes::make;
use std::time::Instant;

const STEPS: usize = 300;

fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    pool.install(run)
}

fn run() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let mut random = fastrand::Rng::with_seed(1);
    let ball = Body::mesh(Mesh::with_threads(make::bumpy_ball(7, 0.2)?, 1)?);
    println!("{} faces each", ball.face_count());
    let mut world = World::new();
    let mut nodes: Vec<NodeId> = Vec::new();
    for k in 0..1000 {
        let place = DVec3::new(f64::from(k % 10), f64::from(k / 10 % 10), f64::from(k / 100)) * 2.45;
        let pose = Pose::from_axis_angle(DVec3::new(1.0, 0.3, 0.2), random.f64() * 6.0, place)?;
        nodes.push(world.add_body(&format!("body{k}"), None, ball.clone(), pose)?);
    }
    world.step(&StepOptions::default())?;
    let movers: Vec<NodeId> = (0..50).map(|k| nodes[(k * 20 + 7) % 1000]).collect();
    let homes: Vec<Pose> = movers.iter().map(|&node| world.pose(node)).collect::<Result<_, _>>()?;
    let pressed = std::env::args().any(|word| word == "pressed");
    let mut stopped: Vec<NodeId> = Vec::new();
    let mut ways = vec![DVec3::ZERO; movers.len()];
    let (mut times, mut candidates, mut kept, mut measured, mut stops) = (Vec::new(), 0, 0, 0, 0);
    for step in 0..STEPS {
        for (place, &node) in movers.iter().enumerate() {
            if step % 20 == 0 || stopped.contains(&node) && !pressed {
                let mut side = || random.f64() * 2.0 - 1.0;
                ways[place] = DVec3::new(side(), side(), side()) * 0.04;
            }
            let start = world.pose(node)?;
            let back = homes[place].translation() - start.translation();
            let to = start.translation() + ways[place] + 0.02 * back;
            let turn = Pose::from_axis_angle(DVec3::new(0.1, 1.0, 0.4), 0.05, DVec3::ZERO)?;
            let end = Pose::new(turn.rotation() * start.rotation(), to)?;
            world.set_motion(node, &Motion::slerp(start, end, DVec3::ZERO)?)?;
        }
        let clock = Instant::now();
        let report = world.step(&StepOptions::default())?;
        times.push(clock.elapsed().as_secs_f64() * 1e3);
        candidates += report.counts.candidates;
        kept += report.counts.kept_apart;
        measured += report.counts.measured;
        stopped = report.groups.iter().filter(|group| group.reached < 1.0).map(|group| group.node).collect();
        stops += report.groups.iter().filter(|group| group.reached < 1.0).count();
    }
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!("median {:.2} ms, p99 {:.2} ms, most {:.2} ms", at(0.5), at(0.99), at(1.0));
    let per = |count: usize| count as f64 / STEPS as f64;
    println!(
        "per step {:.1} candidates, {:.1} kept apart, {:.1} measured, {:.1} groups stopped",
        per(candidates),
        per(kept),
        per(measured),
        per(stops)
    );
    Ok(())
}
