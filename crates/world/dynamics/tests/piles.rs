//! Bodies that rest, slide, bounce and roll as mechanics says, with the same bits in any order and on any number of threads.

use kontakt_convex::Shape;
use kontakt_dynamics::rigid::arrange::{Arch, Arrangement, Cards, Drop, Grain};
use kontakt_dynamics::rigid::{Body, Form, Settings, Sleep, Sweeps, World};
use kontakt_math::{DQuat, DVec3, Pose};

fn world(settings: &Settings, scene: &Arrangement) -> World {
    let mut world = World::new(*settings, scene.forms.clone()).unwrap();
    for body in &scene.bodies {
        world.add(*body).unwrap();
    }
    world
}

fn floor() -> Arrangement {
    let mut scene = Arrangement::default();
    scene.wall(DVec3::ZERO, DVec3::Z).unwrap();
    scene
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::new(DQuat::IDENTITY, DVec3::new(x, y, z)).unwrap()
}

/// Sweeps for small scenes: until nothing changes.
const EXACT: Sweeps = Sweeps { least: 20, most: 2000, shifts: 20, accuracy: 1e-12 };

/// A block on a slope slides with g(sin α − μ cos α) or not at all.
#[test]
fn a_block_slides_as_coulomb_says() {
    let slope = 0.4_f64;
    let gravity = DVec3::new(slope.sin(), 0.0, -slope.cos()) * 10.0;
    for friction in [0.0, 0.2, 0.4, 0.43, 1.0, 1e9] {
        let mut scene = floor();
        let block = scene.form(Form::solid(Shape::cuboid(DVec3::new(1.0, 0.8, 0.2)).unwrap()).unwrap());
        scene.moving(block, at(0.0, 0.0, 0.2), 2.5);
        let settings = Settings { friction, gravity, sweeps: EXACT, ..Settings::default() };
        let mut world = world(&settings, &scene);
        for _ in 0..200 {
            world.step().unwrap();
        }
        let speed = world.bodies()[1].velocity;
        let known = 10.0 * (slope.sin() - friction * slope.cos()).max(0.0) * world.time();
        assert!(
            (speed.x - known).abs() < 1e-9 && speed.z.abs() < 1e-9,
            "friction {friction}: {speed}, {known}"
        );
    }
}

/// A solid ball that is thrown flat ends up rolling with 5/7 of its speed.
#[test]
fn a_ball_ends_up_rolling() {
    let mut scene = floor();
    let ball = scene.form(Form::solid(Shape::sphere(0.5).unwrap()).unwrap());
    let id = scene.moving(ball, at(0.0, 0.0, 0.5), 1.0);
    scene.bodies[id as usize].velocity = DVec3::X * 7.0;
    let settings = Settings { friction: 0.3, sweeps: EXACT, ..Settings::default() };
    let mut world = world(&settings, &scene);
    for _ in 0..400 {
        world.step().unwrap();
    }
    let body = world.bodies()[1];
    assert!((body.velocity.x - 5.0).abs() < 0.02, "{body:?}");
    assert!((body.velocity.x - 0.5 * body.spin.y).abs() < 1e-9, "{body:?}");
}

/// What resists rolling slows a rolling ball by 5/7 of g times arm over radius, and one that spins on the spot by g times arm × m/I.
#[test]
fn rolling_and_drilling_balls_come_to_rest() {
    let mut scene = floor();
    let ball = scene.form(Form::solid(Shape::sphere(0.5).unwrap()).unwrap());
    scene.moving(ball, at(0.0, 0.0, 0.5), 1.0);
    scene.moving(ball, at(0.0, 3.0, 0.5), 1.0);
    scene.bodies[1].velocity = DVec3::X;
    scene.bodies[1].spin = DVec3::Y * 2.0;
    scene.bodies[2].spin = DVec3::Z * 2.0;
    let settings = Settings { friction: 0.5, rolling: 0.01, sweeps: EXACT, ..Settings::default() };
    let mut world = world(&settings, &scene);
    for _ in 0..100 {
        world.step().unwrap();
    }
    let (rolls, drills) = (world.bodies()[1], world.bodies()[2]);
    let time = world.time();
    let speed = 1.0 - 5.0 / 7.0 * 10.0 * 0.01 / 0.5 * time;
    assert!(
        (rolls.velocity.x - speed).abs() < 1e-3 && (rolls.velocity.x - 0.5 * rolls.spin.y).abs() < 1e-3,
        "{rolls:?} {speed}"
    );
    let spin = 2.0 - 10.0 * 0.01 / (0.4 * 0.25) * time;
    assert!((drills.spin.z - spin).abs() < 1e-9, "{drills:?} {spin}");
    for _ in 0..1500 {
        world.step().unwrap();
    }
    assert!(world.is_at_rest() && world.energy().relative() < 1e-20, "{:?}", world.energy());
}

/// Two equal balls exchange their speeds; nothing is lost, nothing found.
#[test]
fn elastic_balls_keep_momentum_and_energy() {
    for restitution in [0.0, 0.5, 1.0] {
        let mut scene = Arrangement::default();
        let ball = scene.form(Form::solid(Shape::sphere(0.5).unwrap()).unwrap());
        scene.moving(ball, at(0.0, 0.0, 0.0), 1.0);
        scene.moving(ball, at(3.0, 0.0, 0.0), 1.0);
        scene.bodies[0].velocity = DVec3::X * 4.0;
        let settings = Settings { restitution, gravity: DVec3::ZERO, sweeps: EXACT, ..Settings::default() };
        let mut world = world(&settings, &scene);
        for _ in 0..300 {
            world.step().unwrap();
        }
        let [a, b] = [0, 1].map(|k: usize| world.bodies()[k].velocity.x);
        assert!((a - 2.0 * (1.0 - restitution)).abs() < 1e-12, "{a}");
        assert!((b - 2.0 * (1.0 + restitution)).abs() < 1e-12, "{b}");
    }
}

/// Free turning keeps the angular momentum, whatever the shape.
#[test]
fn a_spinning_block_keeps_its_angular_momentum() {
    let mut scene = Arrangement::default();
    let half = DVec3::new(1.0, 0.5, 0.2);
    let block = scene.form(Form::solid(Shape::cuboid(half).unwrap()).unwrap());
    scene.moving(block, at(0.0, 0.0, 0.0), 1.0);
    scene.bodies[0].spin = DVec3::new(0.1, 3.0, 0.1);
    let settings = Settings { gravity: DVec3::ZERO, time_step: 1e-3, ..Settings::default() };
    let mut world = world(&settings, &scene);
    let momentum = |world: &World| {
        let body = world.bodies()[0];
        let s = half * half;
        let inertia = DVec3::new(s.y + s.z, s.z + s.x, s.x + s.y);
        body.turn * (inertia * (body.turn.conjugate() * body.spin))
    };
    let first = momentum(&world);
    for _ in 0..5000 {
        world.step().unwrap();
    }
    assert!((momentum(&world) - first).length() < 1e-9, "{} {first}", momentum(&world));
}

/// Cubes exactly on each other stay there, from the first step, in which nothing is remembered, on.
#[test]
fn a_stack_of_ten_cubes_stays() {
    let mut scene = floor();
    scene.stack(1.0, 10, 1.0).unwrap();
    let sweeps = Sweeps { least: 20, most: 100_000, shifts: 8, accuracy: 1e-10 };
    let settings = Settings { sweeps, friction: 0.5, ..Settings::default() };
    let mut world = world(&settings, &scene);
    for _ in 0..2000 {
        world.step().unwrap();
    }
    for body in world.bodies().iter().filter(|body| body.is_free()) {
        let start = DVec3::Z * (body.id as f64 - 0.5);
        assert!((body.place - start).length() < 1e-9, "{body:?}");
    }
}

fn greatest_drift(world: &World, scene: &Arrangement) -> f64 {
    let place = |body: &Body| world.pose(body.id).unwrap().translation();
    scene.bodies.iter().map(|body| (place(body) - body.place).length()).fold(0.0, f64::max)
}

#[test]
fn a_house_of_cards_and_an_arch_stand() {
    let mut house = floor();
    house.card_house(&Cards { storeys: 3, length: 1.0, thickness: 0.02, lean: 0.3, density: 1.0 }).unwrap();
    let mut arch = floor();
    arch.arch(&Arch { wedges: 9, radii: [1.0, 1.3], depth: 0.5, density: 1.0 }).unwrap();
    for scene in [house, arch] {
        let settings = Settings { sweeps: EXACT, friction: 0.7, ..Settings::default() };
        let mut world = world(&settings, &scene);
        for _ in 0..200 {
            world.step().unwrap();
        }
        assert!(greatest_drift(&world, &scene) < 1e-3, "{}", greatest_drift(&world, &scene));
        assert!(world.energy().relative() < 1e-9, "{:?}", world.energy());
    }
}

fn pile(count: u64) -> Arrangement {
    let mut scene = Arrangement::default();
    scene.container(5.0).unwrap();
    let grain = |shape: Shape, part| Grain { form: Form::solid(shape).unwrap(), part, density: 1.0 };
    let grains = [
        grain(Shape::sphere(0.5).unwrap(), 2),
        grain(Shape::cuboid(DVec3::splat(0.5)).unwrap(), 2),
        grain(Shape::capsule(0.3, 0.3).unwrap(), 1),
        grain(Shape::sphere(0.2).unwrap(), 1),
    ];
    scene.rain(&grains, &Drop { count, from: DVec3::ZERO, base: 5.0, spacing: 1.02, seed: 5 }).unwrap();
    scene
}

#[test]
fn one_hash_for_any_threads_and_any_order_of_insertion() {
    let scene = pile(90);
    let settings = Settings { sleep: Some(Sleep { energy: 1e-4, time: 0.1 }), ..Settings::default() };
    let run = |threads: usize, backwards: bool| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut scene = scene.clone();
            if backwards {
                scene.bodies.reverse();
            }
            let mut world = world(&settings, &scene);
            for _ in 0..300 {
                world.step().unwrap();
            }
            (world.hash(), world.bodies().iter().filter(|body| body.asleep).count())
        })
    };
    let first = run(1, false);
    assert_eq!(first, run(2, true));
    assert_eq!(first, run(8, false));
}

/// Taken out and put back as plain data in the middle, it goes on to the same bits.
#[test]
fn a_restored_world_goes_on_to_the_same_bits() {
    let scene = pile(60);
    let mut one = world(&Settings::default(), &scene);
    for _ in 0..150 {
        one.step().unwrap();
    }
    let mut other = World::restore(Settings::default(), scene.forms.clone(), one.state().clone()).unwrap();
    for _ in 0..100 {
        one.step().unwrap();
        other.step().unwrap();
    }
    assert_eq!(one.hash(), other.hash());
}
