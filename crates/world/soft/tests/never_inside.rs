//! Every stored state, checked by brute force in rationals: no edge meets a face that it shares no vertex with.

use kontakt_math::DVec3;
use kontakt_shapes::FaceSet;
use kontakt_shapes::tetrahedra::{bear, slab, tetrahedron};
use kontakt_soft::{Body, Drive, FillError, Forces, Material, Options, SoftError, System, fill, move_apart};
use testkit::rational::{Vector, vector};
use testkit::triangle_meeting::intersection;

fn cases(quick: u64) -> u64 {
    std::env::var("KONTAKT_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(quick)
}

/// Boxes first, then rationals.
fn is_free(system: &System) -> bool {
    let (x, surface) = (system.places(), system.surface());
    let exact: Vec<Vector> = x.iter().map(|p| vector(p.to_array())).collect();
    let of = |vs: &[u32]| {
        let at = || vs.iter().map(|&v| x[v as usize]);
        (at().fold(DVec3::INFINITY, DVec3::min), at().fold(DVec3::NEG_INFINITY, DVec3::max))
    };
    surface.edges().iter().all(|edge| {
        let (low, high) = of(edge);
        surface.triangles().iter().all(|face| {
            let (l, h) = of(face);
            let shares = edge.iter().any(|v| face.contains(v));
            if shares || !(low.cmple(h).all() && l.cmple(high).all()) {
                return true;
            }
            let [p, q] = edge.map(|v| exact[v as usize].clone());
            let corners = face.map(|v| exact[v as usize].clone());
            intersection(&[p, q.clone(), q], &corners).is_empty()
        })
    })
}

fn random(rng: &mut fastrand::Rng) -> DVec3 {
    DVec3::new(rng.f64() - 0.5, rng.f64() - 0.5, rng.f64() - 0.5)
}

fn cloth(n: u32, size: f64, material: Material) -> Body {
    let at = |i: u32, j: u32| j * (n + 1) + i;
    let place = |k: u32| {
        let (i, j) = (f64::from(k % (n + 1)), f64::from(k / (n + 1)));
        DVec3::new(i / f64::from(n) - 0.5, j / f64::from(n) - 0.5, 0.0) * size
    };
    let cells = (0..n * n).map(|c| (c % n, c / n));
    let triangles = cells.flat_map(|(i, j)| {
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        [[a, b, c], [a, c, d]]
    });
    Body::cloth((0..(n + 1) * (n + 1)).map(place).collect(), triangles.collect(), material).expect("a cloth")
}

/// Two or three small bodies and a held cloth or slab, at up to 20 body sizes a step.
fn scene(rng: &mut fastrand::Rng) -> Option<System> {
    let mut material = Material::rubber();
    material.restitution = rng.f64();
    material.friction = rng.f64();
    material.stiffness = 10_f64.powf(2.0 + 4.0 * rng.f64());
    let floor = if rng.bool() {
        Body::solid(&slab([3, 3, 1], DVec3::new(0.5, 0.5, 0.05)).expect("a slab"), material).expect("a body")
    } else {
        cloth(4, 0.5, Material::cotton())
    };
    let held = rng.bool();
    let mut bodies = vec![floor.pinned(|p| held && p.x.abs() > 0.2)];
    for _ in 0..rng.usize(1..4) {
        let body = Body::solid(&tetrahedron(0.1).expect("a tetrahedron"), material).expect("a body");
        let at = random(rng) * 0.4 + DVec3::Z * 0.2;
        // dt 0.01: 20 body sizes are 2 m a step.
        let speed = 10_f64.powf(rng.f64() * 2.3);
        let body = body.moved(at).at_velocity((random(rng) * 0.3 - DVec3::Z).normalize() * speed);
        bodies.push(body);
    }
    System::new(&bodies).ok()
}

#[test]
fn random_scenes_stay_free_and_get_no_energy() {
    let (mut contacts, mut scenes, mut zones, mut cooled) = (0, 0, 0, 0);
    for seed in 0..cases(8) {
        let mut rng = fastrand::Rng::with_seed(seed);
        let Some(mut system) = scene(&mut rng) else { continue };
        scenes += 1;
        let (forces, options) = (Forces::default(), Options::default());
        let mut energy = system.energy(0.01, &forces, &options);
        for step in 0..15 {
            let report = system.step(0.01, &forces, &options).expect("a step ends");
            contacts += report.new_contacts;
            zones += report.stopped;
            assert!(is_free(&system), "seed {seed}, step {step}: {report:?}");
            let now = system.energy(0.01, &forces, &options);
            cooled += usize::from(report.cooled > 0);
            assert!(now <= energy + 1e-9 * energy.abs(), "seed {seed}, step {step}: {energy} to {now}");
            assert!(now.is_finite());
            energy = now;
        }
    }
    println!("{scenes} scenes, {contacts} contacts, {zones} stops in zones, {cooled} steps cooled");
    assert!(scenes > 0 && contacts > scenes, "generator drifted: {contacts} contacts in {scenes} scenes");
}

/// No rounds of response: zones must do it.
#[test]
fn without_response_zones_alone_keep_it_free() {
    let options = Options { rounds: 0, ..Options::default() };
    let (mut stops, mut zone_rounds) = (0, 0);
    for seed in 0..cases(10) {
        let mut rng = fastrand::Rng::with_seed(seed);
        let Some(mut system) = scene(&mut rng) else { continue };
        for step in 0..8 {
            let report = system.step(0.01, &Forces::default(), &options).expect("a step ends");
            assert!(is_free(&system), "seed {seed}, step {step}: {report:?}");
            stops += report.stopped;
            zone_rounds = zone_rounds.max(report.zone_rounds);
        }
    }
    println!("{stops} stops, at most {zone_rounds} rounds of zones");
    assert!(stops > 0);
}

fn pressed() -> System {
    let plate = |z: f64| {
        let plate =
            Body::solid(&slab([3, 3, 1], DVec3::new(0.4, 0.4, 0.05)).expect("a slab"), Material::rubber());
        plate.expect("a body").moved(DVec3::new(0.013, 0.007, z)).at_velocity(DVec3::Z * -30.0 * z.signum())
    };
    let block = Body::solid(&slab([2, 2, 2], DVec3::splat(0.2)).expect("a block"), Material::rubber());
    let block = block.expect("a body").pinned(|p| p.z.abs() < 0.01);
    System::new(&[plate(0.2), plate(-0.2), block]).expect("free")
}

#[test]
fn a_squeezed_block_is_never_entered() {
    let mut system = pressed();
    for step in 0..20 {
        let report = system.step(0.02, &Forces::none(), &Options::default()).expect("a step ends");
        assert!(is_free(&system), "step {step}: {report:?}");
    }
    let sizes = |range: std::ops::Range<usize>| system.places()[range].iter().map(|p| p.z).sum::<f64>();
    assert!(sizes(0..32) > 0.0 && sizes(32..64) < 0.0, "the plates are still on their sides");
}

#[test]
fn steps_of_no_time_and_of_an_hour() {
    let mut system = pressed();
    let before = system.places().to_vec();
    system.step(0.0, &Forces::default(), &Options::default()).expect("a step");
    assert_eq!(before, system.places());
    for _ in 0..3 {
        system.step(3600.0, &Forces::default(), &Options::default()).expect("a step ends");
        assert!(is_free(&system));
    }
    let wrong = system.step(f64::NAN, &Forces::default(), &Options::default());
    assert!(matches!(wrong, Err(SoftError::Step { .. })));
}

#[test]
fn the_same_bits_for_any_number_of_threads_and_after_a_restart() {
    let run = |threads: usize, restart: bool| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let mut system = pressed();
            for step in 0..12 {
                if restart && step == 6 {
                    let state = system.state();
                    system = pressed();
                    system.restore(&state).expect("its own state");
                }
                system.step(0.01, &Forces::default(), &Options::default()).expect("a step");
            }
            system.state()
        })
    };
    let one = run(1, false);
    for threads in [2, 3, 8] {
        assert_eq!(one, run(threads, false), "{threads} threads");
    }
    assert_eq!(one, run(2, true), "restarted");
}

#[test]
fn what_is_wrong_is_named() {
    let body = || Body::solid(&tetrahedron(0.1).expect("one"), Material::rubber()).expect("a body");
    let met = System::new(&[body(), body().moved(DVec3::splat(0.01))]);
    assert!(matches!(met, Err(SoftError::NotFree(pairs)) if pairs.iter().all(|m| m.bodies != [0, 0])));
    let stiff = Material { stiffness: f64::INFINITY, ..Material::rubber() };
    assert!(matches!(Body::solid(&tetrahedron(0.1).expect("one"), stiff), Err(SoftError::Material { .. })));
    let light = Material { density: 0.0, ..Material::rubber() };
    assert!(matches!(Body::solid(&tetrahedron(0.1).expect("one"), light), Err(SoftError::Material { .. })));
    let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    let orphan = Body::cloth(corners.clone(), vec![[0, 1, 2]], Material::cotton());
    assert_eq!(orphan.err(), Some(SoftError::NoMass { vertex: 3 }));
    let flat = Body::cloth(corners, vec![[0, 1, 1]], Material::cotton());
    assert_eq!(flat.err(), Some(SoftError::Flat { triangle: 0 }));
}

/// Bears fall into a heap: pushed apart, hits leave nothing for zones to stop.
#[test]
fn a_heap_ends_in_no_zones() {
    let teddy = Body::solid(&bear(0.22).expect("a bear"), Material::rubber()).expect("a body");
    let mut bears: Vec<Body> =
        (0..4).map(|i| teddy.clone().moved(DVec3::new(0.05, 0.03, 2.1) * f64::from(i))).collect();
    bears[0] = bears[0].clone().pinned(|p| p.z < -0.4);
    let mut system = System::new(&bears).expect("free");
    let (mut stopped, mut contacts) = (0, 0);
    for step in 0..70 {
        let report = system.step(0.01, &Forces::default(), &Options::default()).expect("a step ends");
        assert!(step % 10 > 0 || is_free(&system), "step {step}: {report:?}");
        stopped += report.stopped;
        contacts = contacts.max(report.contacts);
    }
    assert!(contacts > 50 && stopped == 0, "{contacts} contacts, {stopped} stops");
}

/// Two plates of pins, led through a block and each other: the step stands still where it must, and says so.
#[test]
fn pins_led_through_one_another_stop_and_are_told() {
    let plate = |z: f64| {
        let plate =
            Body::solid(&slab([3, 3, 1], DVec3::new(0.5, 0.5, 0.05)).expect("a slab"), Material::rubber());
        plate.expect("a body").moved(DVec3::new(0.013, 0.007, z)).pinned(|_| true)
    };
    let block = Body::solid(&slab([2, 2, 2], DVec3::splat(0.2)).expect("a block"), Material::rubber());
    let mut system = System::new(&[plate(0.2), plate(-0.2), block.expect("a body")]).expect("free");
    let drive = |body: u32, z: f64| Drive { body, velocity: DVec3::Z * z };
    let forces = Forces { drives: vec![drive(0, -2.0), drive(1, 2.0)], ..Forces::none() };
    let mut squeezed = 0;
    for step in 0..45 {
        let report = system.step(0.01, &forces, &Options::default()).expect("a step ends");
        assert!(step % 9 > 0 || is_free(&system), "step {step}: {report:?}");
        squeezed = squeezed.max(report.squeezed);
    }
    let height =
        |range: std::ops::Range<usize>| system.places()[range].iter().map(|p| p.z).sum::<f64>() / 32.0;
    let (upper, lower) = (height(0..32), height(32..64));
    assert!(upper > lower && upper < 0.15, "{upper} {lower}: pressed, not passed");
    assert!(squeezed > 0, "nothing was said");
    let nobody = Forces { drives: vec![drive(7, 1.0)], ..Forces::none() };
    let told = system.step(0.01, &nobody, &Options::default());
    assert_eq!(told.err(), Some(SoftError::NoBody { body: 7, bodies: 3 }));
}

/// Bodies on one spot are moved apart on request; what cannot be is named.
#[test]
fn a_start_that_is_not_free_is_resolved_on_request() {
    let body = |at: f64| {
        let body = Body::solid(&tetrahedron(0.1).expect("one"), Material::rubber()).expect("a body");
        body.moved(DVec3::splat(at))
    };
    let mut heap: Vec<Body> = (0..12).map(|k| body(0.003 * f64::from(k))).collect();
    heap.push(cloth(4, 0.5, Material::cotton()).pinned(|_| true));
    let moved = move_apart(&mut heap).expect("apart");
    assert_eq!((moved[0].length() > 0.0, moved[12]), (true, DVec3::ZERO), "the pins stayed");
    assert!(is_free(&System::new(&heap).expect("free")));
    let mut held = [body(0.0).pinned(|_| true), body(0.01).pinned(|_| true)];
    assert!(matches!(move_apart(&mut held), Err(SoftError::NotFree(pairs)) if !pairs.is_empty()));
}

/// What fills a closed mesh has about its volume.
#[test]
fn a_closed_mesh_is_filled() {
    let ball = kontakt_shapes::make::bumpy_ball(6, 0.0).expect("a ball");
    let mesh = kontakt_mesh::Mesh::new(ball).expect("a mesh");
    let solid = fill(&mesh, 0.25).expect("filled");
    let share = solid.total_volume() / (4.0 / 3.0 * std::f64::consts::PI);
    assert!((0.9..1.0).contains(&share), "{share}");
    let sheet =
        FaceSet::from_triangles(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]]).expect("a face");
    assert_eq!(fill(&kontakt_mesh::Mesh::new(sheet).expect("a mesh"), 0.1).err(), Some(FillError::Open));
}
