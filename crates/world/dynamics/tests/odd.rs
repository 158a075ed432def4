//! What is odd or wrong: masses, settings, overlaps, borders, sizes, and bodies that sleep.

use kontakt_convex::{Part, Shape};
use kontakt_dynamics::rigid::arrange::{ArrangeError, Arrangement, Drop, Drum, Grain, Hopper};
use kontakt_dynamics::rigid::{
    Body, Form, FormError, Periodic, Settings, Sleep, StepError, Sweeps, World, WorldError,
};
use kontakt_math::{DQuat, DVec3, Pose};
use kontakt_mesh::Mesh;
use kontakt_shapes::FaceSet;

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::new(DQuat::IDENTITY, DVec3::new(x, y, z)).unwrap()
}

fn ball(radius: f64) -> Form {
    Form::solid(Shape::sphere(radius).unwrap()).unwrap()
}

fn cube(half: f64) -> Form {
    Form::solid(Shape::cuboid(DVec3::splat(half)).unwrap()).unwrap()
}

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

/// The surface of a box, as a mesh.
fn box_mesh(half: f64) -> Mesh {
    let surface = Shape::cuboid(DVec3::splat(half)).unwrap().surface().unwrap();
    Mesh::new(FaceSet::from_triangles(surface.vertices, surface.triangles).unwrap()).unwrap()
}

#[test]
fn masses_that_are_none_are_refused_by_name() {
    let mut world =
        World::new(Settings::default(), vec![ball(0.5), Form::fixed(Shape::sphere(1.0).unwrap()).unwrap()])
            .unwrap();
    for density in [0.0, -1.0, f64::NAN, 1e-320, 1e308] {
        let fault = world.add(Body::moving(7, 0, at(0.0, 0.0, 0.0), density));
        assert!(matches!(fault, Err(WorldError::Density { id: 7, .. })), "{density}: {fault:?}");
    }
    world.add(Body::moving(7, 0, at(0.0, 0.0, 0.0), f64::INFINITY)).unwrap();
    assert_eq!(world.add(Body::moving(8, 1, at(0.0, 0.0, 0.0), 1.0)), Err(WorldError::Massless(8)));
    assert_eq!(world.add(Body::moving(7, 0, at(0.0, 0.0, 0.0), 1.0)), Err(WorldError::TwiceGiven(7)));
    assert!(matches!(
        world.add(Body::moving(9, 5, at(0.0, 0.0, 0.0), 1.0)),
        Err(WorldError::NoSuchForm { form: 5, .. })
    ));
    let mut lost = Body::moving(9, 0, at(0.0, 0.0, 0.0), 1.0);
    lost.velocity.x = f64::NAN;
    assert_eq!(world.add(lost), Err(WorldError::NotFinite(9)));
    assert_eq!(Form::solid(Shape::sphere(0.0).unwrap()).err(), Some(FormError::NoVolume(0.0)));
    assert_eq!(Form::solid(Shape::half_space(DVec3::Z, 0.0).unwrap()).err(), Some(FormError::Endless));
    let sheet = FaceSet::from_triangles(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]]).unwrap();
    assert_eq!(Form::solid(Mesh::new(sheet).unwrap()).err(), Some(FormError::Open));
}

#[test]
fn settings_out_of_range_are_refused_by_name() {
    let usual = Settings::default();
    let wrong = [
        Settings { friction: -0.1, ..usual },
        Settings { rolling: f64::NAN, ..usual },
        Settings { restitution: 1.1, ..usual },
        Settings { time_step: 0.0, ..usual },
        Settings { substeps: 0, ..usual },
        Settings { gravity: DVec3::splat(f64::INFINITY), ..usual },
        Settings { sweeps: Sweeps { least: 0, ..Sweeps::default() }, ..usual },
        Settings { domain: [DVec3::ONE, DVec3::ZERO], ..usual },
        Settings { cell: Some(0.0), ..usual },
        Settings { periodic: Periodic { period: [Some(-1.0), None, None] }, ..usual },
    ];
    for settings in wrong {
        assert!(matches!(World::new(settings, Vec::new()), Err(WorldError::Setting { .. })), "{settings:?}");
    }
    World::new(Settings { friction: 1e9, ..usual }, Vec::new()).unwrap().step().unwrap();
}

#[test]
fn a_body_that_leaves_ends_the_run_by_name() {
    let mut scene = Arrangement::default();
    let form = scene.form(ball(0.5));
    scene.moving(form, at(0.0, 0.0, 0.0), 1.0);
    let domain = [DVec3::splat(-2.0), DVec3::splat(2.0)];
    let mut world = world(&Settings { domain, ..Settings::default() }, &scene);
    let fault = (0..1000).find_map(|_| world.step().err()).unwrap();
    assert!(matches!(fault, StepError::Left { id: 0, .. }), "{fault}");
    // The world stays as it was before that step.
    assert!(world.bodies()[0].place.z >= -2.0);
}

#[test]
fn overlaps_at_the_start_are_told_and_pushed_apart() {
    let mut scene = floor();
    let (cubes, balls) = (scene.form(cube(0.5)), scene.form(ball(0.5)));
    for k in 0..12 {
        let form = if k % 2 == 0 { cubes } else { balls };
        scene.moving(form, at(f64::from(k % 3) * 0.6, f64::from(k / 3) * 0.7, 0.45), 1.0);
    }
    let mut world = world(&Settings::default(), &scene);
    let overlaps = world.overlaps(1e-9);
    assert!(overlaps.len() > 12 && overlaps[0].1 > 0.3, "{overlaps:?}");
    assert!(overlaps.windows(2).all(|two| two[0].1 >= two[1].1));
    let left = world.separate(1e-6, 1000).unwrap();
    assert!(left <= 1e-6, "{left}");
    assert!(world.bodies().iter().all(|body| body.velocity == DVec3::ZERO) && world.time() == 0.0);
}

/// Unions, meshes and hulls rest where they should, on planes, boxes and meshes.
#[test]
fn all_families_come_to_rest_on_all_floors() {
    let part = |x: f64| Part { shape: Shape::cuboid(DVec3::splat(0.25)).unwrap(), pose: at(x, 0.0, 0.0) };
    let bar = Shape::union(vec![
        part(-0.5),
        part(0.5),
        Part { shape: Shape::capsule(0.02, 0.2).unwrap(), pose: at(0.0, 0.0, 0.0) },
    ]);
    let octahedron: Vec<DVec3> =
        [DVec3::X, DVec3::Y, DVec3::Z].into_iter().flat_map(|x| [x * 0.5, x * -0.5]).collect();
    let movers: Vec<(Form, f64)> = vec![
        (ball(0.5), 0.5),
        (cube(0.5), 0.5),
        (Form::solid(bar.unwrap()).unwrap(), 0.25),
        (Form::solid(Shape::cylinder(0.4, 0.5).unwrap()).unwrap(), 0.4),
        (Form::solid(Shape::hull(&octahedron).unwrap()).unwrap(), 0.5 / 3.0_f64.sqrt()),
        (Form::solid(box_mesh(0.5)).unwrap(), 0.5),
    ];
    let floors = [
        Form::fixed(Shape::half_space(DVec3::Z, 0.0).unwrap()).unwrap(),
        Form::fixed(
            Shape::union(vec![Part {
                shape: Shape::cuboid(DVec3::new(6.0, 6.0, 1.0)).unwrap(),
                pose: at(0.0, 0.0, -1.0),
            }])
            .unwrap(),
        )
        .unwrap(),
        Form::fixed(kontakt_pair::Body::mesh(Mesh::new(slab()).unwrap())).unwrap(),
    ];
    for (f, floor) in floors.iter().enumerate() {
        for (m, (mover, height)) in movers.iter().enumerate() {
            if f == 2 && m == 5 {
                // Two meshes have no contacts before they overlap; they are tested apart.
                continue;
            }
            let mut scene = Arrangement::default();
            let own = scene.form(floor.clone());
            scene.fixed(own, Pose::IDENTITY);
            let form = scene.form(mover.clone());
            // The octahedron starts a hair off its face.
            let turn = if m == 4 {
                DQuat::from_rotation_arc(DVec3::ONE.normalize(), DVec3::NEG_Z)
            } else {
                DQuat::IDENTITY
            };
            scene.moving(form, Pose::new(turn, DVec3::new(0.1, 0.2, height + 0.05)).unwrap(), 2.0);
            let settings = Settings {
                friction: 0.5,
                sweeps: Sweeps { most: 200, ..Sweeps::default() },
                ..Settings::default()
            };
            let mut world = world(&settings, &scene);
            for _ in 0..300 {
                world.step().unwrap();
            }
            let z = world.pose(1).unwrap().translation().z;
            assert!((z - height).abs() < 1e-6, "mover {m} on floor {f}: {z}, not {height}");
            assert!(world.energy().relative() < 1e-9, "mover {m} on floor {f}: {:?}", world.energy());
        }
    }
}

fn slab() -> FaceSet {
    let surface = Shape::cuboid(DVec3::new(6.0, 6.0, 1.0)).unwrap().surface().unwrap();
    let vertices = surface.vertices.into_iter().map(|x| x - DVec3::Z).collect();
    FaceSet::from_triangles(vertices, surface.triangles).unwrap()
}

/// A ball that flies round and round a periodic box, and pairs that meet across its faces, edges and corners, as if they met inside.
#[test]
fn a_periodic_world_has_no_borders() {
    let period = 8.0;
    let ends: Vec<Vec<DVec3>> =
        [DVec3::ZERO, DVec3::X, DVec3::new(1.0, 1.0, 0.0), DVec3::ONE]
            .into_iter()
            .map(|across| {
                let mut scene = Arrangement::default();
                let (balls, cubes) = (scene.form(ball(0.4)), scene.form(cube(0.3)));
                // Clustered about the middle, or the same moved half a period along some axes.
                let mut random = kontakt_dynamics::rigid::arrange::Random(3);
                for k in 0..40 {
                    let place =
                        DVec3::new(random.unit(), random.unit(), random.unit()) * 6.0 + 1.0 + across * 4.0;
                    let turn = random.turn();
                    let wrapped = place - DVec3::splat(period) * (place / period).floor();
                    let form = if k % 2 == 0 { balls } else { cubes };
                    scene.moving(form, Pose::new(turn, wrapped).unwrap(), 1.0);
                    if let Some(body) = scene.bodies.last_mut() {
                        body.velocity = DVec3::new(random.unit(), random.unit(), random.unit()) * 4.0 - 2.0;
                    }
                }
                let settings = Settings {
                    gravity: DVec3::ZERO,
                    restitution: 0.5,
                    periodic: Periodic { period: [Some(period); 3] },
                    sweeps: Sweeps { least: 30, most: 3000, shifts: 10, accuracy: 1e-12 },
                    restitution_speed: Some(1e-3),
                    ..Settings::default()
                };
                let mut world = world(&settings, &scene);
                let momentum = |world: &World| {
                    world
                        .bodies()
                        .iter()
                        .map(|body| {
                            body.velocity
                                * if body.form == balls {
                                    4.0 / 3.0 * std::f64::consts::PI * 0.064
                                } else {
                                    0.216
                                }
                        })
                        .sum::<DVec3>()
                };
                let before = momentum(&world);
                world.separate(1e-6, 500).unwrap();
                for _ in 0..100 {
                    world.step().unwrap();
                }
                assert!((momentum(&world) - before).length() < 1e-9, "{across}");
                assert!(world.overlaps(1e-2).is_empty(), "{across}: {:?}", world.overlaps(1e-2));
                assert!(world.bodies().iter().all(|body| body.place.cmpge(DVec3::ZERO).all()
                    && body.place.cmple(DVec3::splat(period)).all()));
                world.bodies().iter().map(|body| body.velocity).collect()
            })
            .collect();
    // The moved ones do the same, up to the order in which cells are solved.
    let differing =
        |other: &Vec<DVec3>| ends[0].iter().zip(other).filter(|(a, b)| (**a - **b).length() > 0.3).count();
    assert!(
        ends[1..].iter().all(|other| differing(other) < 20),
        "{:?}",
        ends[1..].iter().map(differing).collect::<Vec<_>>()
    );
    let wide = Settings { periodic: Periodic { period: [Some(3.0); 3] }, ..Settings::default() };
    let mut narrow = World::new(wide, vec![ball(0.4)]).unwrap();
    assert!(matches!(
        narrow.add(Body::moving(0, 0, at(0.0, 0.0, 0.0), 1.0)),
        Err(WorldError::TooWide { .. })
    ));
}

/// Bodies a thousand times as large as others, and far larger than the cells.
#[test]
fn sizes_may_differ_by_far() {
    let mut scene = floor();
    let (large, small) = (scene.form(ball(20.0)), scene.form(cube(0.02)));
    scene.moving(large, at(0.0, 0.0, 20.0), 1.0);
    for k in 0..30 {
        scene.moving(small, at(f64::from(k % 6) * 0.1, f64::from(k / 6) * 0.1, 40.5), 1.0);
    }
    let settings = Settings { cell: Some(0.05), friction: 0.6, ..Settings::default() };
    let mut world = world(&settings, &scene);
    for _ in 0..200 {
        world.step().unwrap();
    }
    assert!(world.bodies().iter().skip(2).all(|body| (body.place - DVec3::Z * 20.0).length() > 20.015));
}

#[test]
fn a_pile_falls_asleep_and_wakes_when_it_is_hit() {
    let mut scene = floor();
    scene.stack(1.0, 4, 1.0).unwrap();
    let sleep = Some(Sleep { energy: 1e-6, time: 0.2 });
    let settings = Settings {
        friction: 0.5,
        sleep,
        sweeps: Sweeps { most: 4000, ..Sweeps::default() },
        ..Settings::default()
    };
    let mut world = world(&settings, &scene);
    for _ in 0..100 {
        world.step().unwrap();
    }
    assert!(world.bodies().iter().filter(|body| body.is_free()).all(|body| body.asleep));
    let asleep = world.hash();
    for _ in 0..10 {
        assert_eq!(world.step().unwrap().contacts, 0);
    }
    let still = world.bodies().iter().all(|body| body.velocity == DVec3::ZERO);
    assert!(still && asleep != world.hash(), "steps count");
    let (mut state, mut forms) = (world.state().clone(), world.forms().to_vec());
    forms.push(ball(0.5));
    let mut bullet = Body::moving(99, forms.len() as u32 - 1, at(-3.0, 0.0, 2.5), 5.0);
    bullet.velocity = DVec3::X * 20.0;
    state.bodies.push(bullet);
    let mut world = World::restore(settings, forms, state).unwrap();
    for _ in 0..60 {
        world.step().unwrap();
    }
    assert!(world.bodies().iter().filter(|body| (3..5).contains(&body.id)).all(|body| !body.asleep));
    assert!(world.bodies()[3].place.x > 0.1, "{:?}", world.bodies()[3]);
    // What slept has not taken the bullet's momentum away: only the floor's friction has, and that of the others while they woke.
    let mass = |body: &Body| body.density * if body.id == 99 { std::f64::consts::PI / 6.0 } else { 1.0 };
    let free = world.bodies().iter().filter(|body| body.is_free());
    let momentum: f64 = free.map(|body| mass(body) * body.velocity.x).sum();
    let first = 5.0 * std::f64::consts::PI / 6.0 * 20.0;
    assert!(momentum > 0.8 * first && momentum < first + 1e-9, "{momentum} of {first}");
    // What is taken away wakes what lay on it.
    world.remove(1);
    assert!(world.bodies().iter().any(|body| !body.asleep));
}

/// Grains in a drum that turns are carried up one side and stay inside; a hopper lets them out below.
#[test]
fn drums_turn_and_hoppers_pour() {
    let grain = [Grain { form: ball(0.12), part: 1, density: 1.0 }];
    let mut scene = Arrangement::default();
    scene.drum(&Drum { radius: 1.0, length: 0.6, staves: 24, spin: 1.5 }).unwrap();
    scene
        .rain(
            &grain,
            &Drop { count: 24, from: DVec3::new(0.0, 0.0, -0.7), base: 0.55, spacing: 1.05, seed: 1 },
        )
        .unwrap();
    let mut drum = world(&Settings { friction: 0.6, ..Settings::default() }, &scene);
    for _ in 0..300 {
        drum.step().unwrap();
    }
    let free: Vec<&Body> = drum.bodies().iter().filter(|body| body.is_free()).collect();
    assert!(free.iter().all(|body| body.place.x.hypot(body.place.z) < 1.0), "{free:?}");
    let lean = free.iter().map(|body| body.place.x).sum::<f64>() / free.len() as f64;
    assert!(lean < -0.1, "carried up the side that rises: {lean}");

    let mut scene = floor();
    let slope = 1.0;
    let mouth = scene.hopper(&Hopper { width: 2.0, outlet: 0.8, clearance: 0.6, slope }).unwrap();
    scene
        .rain(&grain, &Drop { count: 40, from: DVec3::Z * mouth, base: 1.2, spacing: 1.05, seed: 1 })
        .unwrap();
    let mut hopper = world(&Settings { friction: 0.2, ..Settings::default() }, &scene);
    for _ in 0..500 {
        hopper.step().unwrap();
    }
    let out = hopper.bodies().iter().filter(|body| body.is_free() && body.place.z < 0.6).count();
    assert!(out > 30, "{out} of 40 have passed");
    let none = scene.rain(&grain, &Drop { count: 1, from: DVec3::ZERO, base: 0.1, spacing: 1.0, seed: 1 });
    assert!(matches!(none, Err(ArrangeError::Narrow { .. })));
}
