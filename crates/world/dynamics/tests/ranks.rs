//! Piles over ranks: the same bits for any number of them, also after a checkpoint that other ranks wrote.

use kontakt_convex::Shape;
use kontakt_distributed::{Alone, Checkpoints, Comm, CommError, MemoryStore, ThreadComm};
use kontakt_dynamics::rigid::arrange::{Arrangement, Drop, Grain};
use kontakt_dynamics::rigid::{Form, Periodic, RankError, RankWorld, Settings, Sleep, World};
use kontakt_math::{DQuat, DVec3, Pose};

fn world(settings: &Settings, scene: &Arrangement) -> World {
    let mut world = World::new(*settings, scene.forms.clone()).unwrap();
    for body in &scene.bodies {
        world.add(*body).unwrap();
    }
    world
}

/// Balls, cubes and capsules of two octaves of sizes.
fn grains() -> Vec<Grain> {
    let grain = |shape: Shape, part| Grain { form: Form::solid(shape).unwrap(), part, density: 1.0 };
    vec![
        grain(Shape::sphere(0.5).unwrap(), 2),
        grain(Shape::cuboid(DVec3::splat(0.5)).unwrap(), 1),
        grain(Shape::capsule(0.3, 0.3).unwrap(), 1),
        grain(Shape::sphere(0.2).unwrap(), 2),
    ]
}

fn pile(count: u64) -> Arrangement {
    let mut scene = Arrangement::default();
    scene.container(4.0).unwrap();
    let drop = Drop { count, from: DVec3::ZERO, base: 4.0, spacing: 1.02, seed: 5 };
    scene.rain(&grains(), &drop).unwrap();
    scene
}

/// The hash at the end, and the most copies that a rank had.
fn run(comm: &dyn Comm, start: &World, steps: u64) -> Result<(u64, usize), RankError> {
    let mut part = RankWorld::new(comm, start)?;
    let mut copies = 0;
    for _ in 0..steps {
        part.step()?;
        copies = copies.max(part.counts()[1]);
    }
    Ok((part.gathered()?.hash(), copies))
}

fn alone(start: &World, steps: u64) -> u64 {
    let mut world = World::restore(*start.settings(), start.forms().to_vec(), start.state().clone()).unwrap();
    for _ in 0..steps {
        world.step().unwrap();
    }
    world.hash()
}

fn agree(settings: &Settings, scene: &Arrangement, steps: u64, ranks: &[usize]) {
    let start = world(settings, scene);
    let meant = alone(&start, steps);
    for &ranks in ranks {
        for (rank, end) in ThreadComm::run(ranks, |comm| run(comm, &start, steps)).into_iter().enumerate() {
            let (hash, copies) = end.unwrap().unwrap();
            assert_eq!(hash, meant, "rank {rank} of {ranks}");
            assert!(ranks == 1 || ranks > 4 || copies > 0, "rank {rank} of {ranks} had no copies");
        }
    }
}

#[test]
fn one_hash_for_any_number_of_ranks() {
    let sleep = Some(Sleep { energy: 1e-4, time: 0.1 });
    agree(&Settings { sleep, ..Settings::default() }, &pile(60), 240, &[1, 2, 3, 4]);
}

/// Parts of steps, bounces, and a world that repeats, across whose borders bodies touch.
#[test]
fn borders_that_are_the_same_place_and_bodies_that_bounce() {
    let mut scene = Arrangement::default();
    let floor = scene.form(Form::fixed(Shape::half_space(DVec3::Z, 0.0).unwrap()).unwrap());
    scene.fixed(floor, Pose::IDENTITY);
    let drop = Drop { count: 50, from: DVec3::new(4.0, 4.0, 0.0), base: 8.0, spacing: 1.02, seed: 8 };
    scene.rain(&grains(), &drop).unwrap();
    for (k, body) in scene.bodies.iter_mut().enumerate().skip(1) {
        body.velocity = DVec3::new(3.0, (k % 5) as f64 - 2.0, -1.0);
    }
    let settings = Settings {
        periodic: Periodic { period: [Some(8.0), Some(8.0), None] },
        restitution: 0.6,
        substeps: 2,
        ..Settings::default()
    };
    agree(&settings, &scene, 120, &[2, 3]);
}

/// Far more ranks than cells that anything is in, a world of one body, and none at all.
#[test]
fn ranks_without_bodies() {
    for count in [0, 1, 3] {
        agree(&Settings::default(), &pile(count), 40, &[6]);
    }
}

/// A body that crosses several cells in every step, and one far larger than a cell, among small ones.
#[test]
fn large_and_fast_bodies() {
    let mut scene = pile(25);
    let boulder = scene.form(Form::solid(Shape::sphere(1.4).unwrap()).unwrap());
    let high = Pose::new(DQuat::IDENTITY, DVec3::new(0.0, 0.0, 9.0)).unwrap();
    scene.moving(boulder, high, 2.0);
    let bullet = scene.form(Form::solid(Shape::sphere(0.1).unwrap()).unwrap());
    let id = scene.moving(bullet, Pose::new(DQuat::IDENTITY, DVec3::new(1.5, 1.5, 60.0)).unwrap(), 5.0);
    scene.bodies[id as usize].velocity = DVec3::new(0.0, 0.0, -900.0);
    agree(&Settings { cell: Some(0.6), ..Settings::default() }, &scene, 100, &[3]);
}

#[test]
fn other_ranks_go_on_from_a_checkpoint_to_the_same_bits() {
    let sleep = Some(Sleep { energy: 1e-4, time: 0.1 });
    let start = world(&Settings { sleep, ..Settings::default() }, &pile(40));
    let meant = alone(&start, 160);
    let store = MemoryStore::default();
    let checkpoints = Checkpoints::new(&store, 1);
    let mut clock = [0; 2];
    for (leg, ranks) in [(0, 3), (1, 2), (2, 4), (3, 1)] {
        let work = |comm: &dyn Comm| -> Result<([u64; 2], u64), RankError> {
            let mut part = match checkpoints.resume(comm).unwrap() {
                Some(resumed) => RankWorld::resumed(comm, &start, clock, &resumed.records)?,
                None => RankWorld::new(comm, &start)?,
            };
            for _ in 0..40 {
                part.step()?;
            }
            checkpoints.save(comm, leg, &[], &part.records()).unwrap();
            Ok((part.clock(), part.gathered()?.hash()))
        };
        let ends =
            if ranks == 1 { vec![Ok(work(&Alone))] } else { ThreadComm::run(ranks, |comm| work(comm)) };
        let ends: Vec<([u64; 2], u64)> = ends.into_iter().map(|end| end.unwrap().unwrap()).collect();
        clock = ends[0].0;
        if leg == 3 {
            assert_eq!(ends[0].1, meant);
        }
    }
}

#[test]
fn a_body_that_leaves_on_one_rank_ends_all_and_is_named() {
    let mut scene = pile(20);
    scene.bodies[9].velocity = DVec3::Z * 500.0;
    let settings = Settings { domain: [DVec3::splat(-50.0), DVec3::splat(50.0)], ..Settings::default() };
    let start = world(&settings, &scene);
    let ends = ThreadComm::run(3, |comm| run(comm, &start, 200));
    let mut named = 0;
    for end in ends {
        match end.unwrap().unwrap_err() {
            RankError::Step(error) => {
                assert!(error.to_string().contains("body 9 has left"), "{error}");
                named += 1;
            }
            RankError::Comm(CommError::Aborted { why, .. }) => {
                assert!(why.contains("body 9 has left"), "{why}");
            }
            other => panic!("{other}"),
        }
    }
    assert!(named >= 1);
}
