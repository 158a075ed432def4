//! Gases against brute force, conservation laws, and their own past.

use fastrand::Rng;
use kontakt_event_driven::{Boundary, Domain, Ending, Gas, GasError, Restitution, Sphere, Until};
use kontakt_math::DVec3;

fn direction(random: &mut Rng) -> DVec3 {
    loop {
        let v = DVec3::new(random.f64(), random.f64(), random.f64()) * 2.0 - 1.0;
        if (0.01..1.0).contains(&v.length_squared()) {
            return v.normalize();
        }
    }
}

/// Spheres of many sizes and masses on a lattice, somewhat off it, in a domain of any kind of ends.
fn gas_of(random: &mut Rng, per_side: usize) -> (Domain, Vec<Sphere>) {
    let size = DVec3::splat(2.0 * per_side as f64);
    let boundary = std::array::from_fn(|_| if random.bool() { Boundary::Periodic } else { Boundary::Wall });
    let mut spheres = Vec::new();
    for place in 0..per_side.pow(3) {
        let at = [place % per_side, place / per_side % per_side, place / per_side / per_side];
        let radius = 0.2 + 0.6 * random.f64();
        let off = (1.0 - radius) * 0.999 * random.f64();
        let centre = DVec3::from_array(at.map(|k| 2.0 * k as f64 + 1.0)) + direction(random) * off;
        let velocity = direction(random) * (10.0 * random.f64());
        spheres.push(Sphere { centre, velocity, radius, mass: 0.1 + random.f64() });
    }
    (Domain { size, boundary }, spheres)
}

/// The slow way: all times of contact from where all spheres are, the least of them, all moved there. Stops after so many events and gives each
/// one's time with its spheres; the second is the sphere itself where it is a wall.
fn brute_force(domain: &Domain, e: f64, spheres: &mut [Sphere], events: usize) -> Vec<(f64, usize, usize)> {
    let mut now = 0.0;
    let mut all = Vec::new();
    let images = |axis: usize| if domain.boundary[axis] == Boundary::Periodic { -2..=2 } else { 0..=0 };
    for _ in 0..events {
        let mut first = (f64::INFINITY, 0, 0, DVec3::ZERO);
        for (i, a) in spheres.iter().enumerate() {
            for axis in 0..3 {
                let v = a.velocity[axis];
                if domain.boundary[axis] == Boundary::Wall && v != 0.0 {
                    let wall = if v > 0.0 { domain.size[axis] - a.radius } else { a.radius };
                    let time = (wall - a.centre[axis]) / v;
                    if time < first.0 {
                        first = (time, i, i, DVec3::AXES[axis]);
                    }
                }
            }
            for (j, b) in spheres.iter().enumerate().skip(i + 1) {
                for x in images(0) {
                    for y in images(1) {
                        for z in images(2) {
                            let shift = domain.size * DVec3::new(f64::from(x), f64::from(y), f64::from(z));
                            let d = b.centre + shift - a.centre;
                            let v = b.velocity - a.velocity;
                            let sigma = a.radius + b.radius;
                            let (p, q) = (d.dot(v), d.length_squared() - sigma * sigma);
                            let root = p * p - v.length_squared() * q;
                            if p < 0.0 && root >= 0.0 {
                                let time = (q / (root.sqrt() - p)).max(0.0);
                                if time < first.0 {
                                    first = (time, i, j, d + v * time);
                                }
                            }
                        }
                    }
                }
            }
        }
        let (time, i, j, d) = first;
        now += time;
        all.push((now, i, j));
        for sphere in spheres.iter_mut() {
            sphere.centre += sphere.velocity * time;
            for axis in 0..3 {
                if domain.boundary[axis] == Boundary::Periodic {
                    sphere.centre[axis] = sphere.centre[axis].rem_euclid(domain.size[axis]);
                }
            }
        }
        if i == j {
            spheres[i].velocity -= d * ((1.0 + e) * spheres[i].velocity.dot(d));
        } else {
            let n = d.normalize();
            let (m, k) = (spheres[i].mass, spheres[j].mass);
            let j_n = (1.0 + e) * (spheres[j].velocity - spheres[i].velocity).dot(n) / (1.0 / m + 1.0 / k);
            spheres[i].velocity += n * (j_n / m);
            spheres[j].velocity -= n * (j_n / k);
        }
    }
    all
}

#[test]
fn the_same_events_as_brute_force() {
    let mut random = Rng::with_seed(7);
    let (mut collisions, mut walls) = (0, 0);
    for case in 0..24 {
        let (domain, spheres) = gas_of(&mut random, 3 + case % 2);
        let e = if case % 3 == 0 { 0.7 } else { 1.0 };
        let mut slow = spheres.clone();
        let events = brute_force(&domain, e, &mut slow, 30);
        let end = events.last().unwrap().0;
        let mut gas = Gas::new(domain, Restitution::new(e, e).unwrap(), &spheres).unwrap();
        // Half way between the last event and what follows is not known: right after it will do.
        assert_eq!(gas.run(&Until::time(end * (1.0 + 1e-12))), Ending::Time);
        let hit_walls = events.iter().filter(|(_, i, j)| i == j).count() as u64;
        assert_eq!(gas.collisions(), events.len() as u64 - hit_walls, "case {case}");
        assert_eq!(gas.wall_hits(), hit_walls, "case {case}");
        collisions += gas.collisions();
        walls += hit_walls;
        for (number, (quick, slow)) in gas.spheres().zip(&slow).enumerate() {
            // Each contact multiplies what rounding did before it.
            let off = (quick.velocity - slow.velocity).length();
            assert!(off < 1e-7, "case {case}, sphere {number}: {off:e}");
            let mut d = (quick.centre - slow.centre).abs();
            for axis in 0..3 {
                if domain.boundary[axis] == Boundary::Periodic {
                    d[axis] = d[axis].min(domain.size[axis] - d[axis]);
                }
            }
            assert!(d.length() < 1e-7, "case {case}, sphere {number}: {d}");
        }
        gas.validate().unwrap();
    }
    assert!(collisions > 100 && walls > 100, "generator drifted: {collisions}, {walls}");
}

fn energy(gas: &Gas) -> f64 {
    gas.spheres().map(|s| s.mass * s.velocity.length_squared()).sum()
}

fn momentum(gas: &Gas) -> DVec3 {
    gas.spheres().map(|s| s.velocity * s.mass).sum()
}

#[test]
fn energy_and_momentum_are_kept_to_rounding() {
    let mut random = Rng::with_seed(3);
    let (domain, spheres) = gas_of(&mut random, 6);
    let mut gas = Gas::new(Domain::periodic(domain.size), Restitution::ELASTIC, &spheres).unwrap();
    let (energy_before, momentum_before) = (energy(&gas), momentum(&gas));
    assert_eq!(gas.run(&Until::collisions(20_000)), Ending::Collisions);
    assert_eq!(gas.collisions(), 20_000);
    assert!((energy(&gas) / energy_before - 1.0).abs() < 1e-12);
    let scale: f64 = spheres.iter().map(|s| s.velocity.length() * s.mass).sum();
    assert!((momentum(&gas) - momentum_before).length() < 1e-12 * scale);
    gas.validate().unwrap();
}

#[test]
fn walls_keep_energy_and_all_spheres() {
    let mut random = Rng::with_seed(4);
    let (domain, spheres) = gas_of(&mut random, 5);
    let mut gas = Gas::new(Domain::walled(domain.size), Restitution::ELASTIC, &spheres).unwrap();
    let before = energy(&gas);
    gas.run(&Until::collisions(10_000));
    assert!(gas.wall_hits() > 1_000);
    assert!((energy(&gas) / before - 1.0).abs() < 1e-12);
    for sphere in gas.spheres() {
        let low = (sphere.centre - sphere.radius).min_element();
        let high = (domain.size - sphere.centre - sphere.radius).min_element();
        assert!(low > -1e-12 && high > -1e-12, "{sphere:?}");
    }
}

#[test]
fn velocities_turned_round_lead_back() {
    let mut random = Rng::with_seed(5);
    let (domain, spheres) = gas_of(&mut random, 4);
    let mut gas = Gas::new(domain, Restitution::ELASTIC, &spheres).unwrap();
    let there = 0.7;
    gas.run(&Until::time(there));
    let met = gas.collisions();
    assert!(met > 60, "{met}");
    gas.reverse();
    gas.run(&Until::time(2.0 * there));
    assert_eq!(gas.collisions(), 2 * met);
    for (end, start) in gas.spheres().zip(&spheres) {
        assert!((end.velocity + start.velocity).length() < 1e-8, "{end:?} {start:?}");
    }
}

#[test]
fn pauses_and_the_order_of_the_spheres_change_no_bit() {
    let mut random = Rng::with_seed(6);
    let (domain, spheres) = gas_of(&mut random, 4);
    let run = |spheres: &[Sphere], pause: u64| {
        let mut gas = Gas::new(domain, Restitution::ELASTIC, spheres).unwrap();
        while gas.run(&Until { time: 1.0, collisions: u64::MAX, events: pause }) == Ending::Events {}
        gas
    };
    let whole = run(&spheres, u64::MAX);
    assert_eq!(whole.hash(), run(&spheres, 1).hash());
    assert_eq!(whole.hash(), run(&spheres, 17).hash());
    let backwards: Vec<Sphere> = spheres.iter().rev().copied().collect();
    let other = run(&backwards, u64::MAX);
    for (number, sphere) in whole.spheres().enumerate() {
        assert_eq!(sphere, other.sphere(spheres.len() - 1 - number));
    }
}

/// Three spheres in a row between walls, which lose half of their approach at each contact: an infinite number of contacts comes in finite time
/// (`McNamara` and Young 1992 have the row of three with e < 7 − 4√3 ≈ 0.072).
#[test]
fn collapse_is_an_ending() {
    let sphere = |x: f64, v: f64| Sphere {
        centre: DVec3::new(x, 2.0, 2.0),
        velocity: DVec3::X * v,
        radius: 0.5,
        mass: 1.0,
    };
    let domain = Domain::walled(DVec3::new(12.0, 4.0, 4.0));
    let row = [sphere(2.0, 1.0), sphere(5.0, 0.0), sphere(8.0, -1.0)];
    let mut gas = Gas::new(domain, Restitution::new(0.05, 1.0).unwrap(), &row).unwrap();
    assert!(matches!(gas.run(&Until::time(100.0)), Ending::Collapse { .. }));
    assert!(gas.time() < 5.0 && gas.collisions() < 10_000);
    // A little above the threshold they part.
    let mut gas = Gas::new(domain, Restitution::new(0.1, 1.0).unwrap(), &row).unwrap();
    assert_eq!(gas.run(&Until::time(2.6)), Ending::Time);
    assert!(gas.collisions() >= 3);
}

#[test]
fn every_restitution_ends() {
    let mut random = Rng::with_seed(8);
    for e in [0.0, 1e-3, 0.3, 0.6, 0.9, 0.999] {
        let (domain, spheres) = gas_of(&mut random, 4);
        let mut gas = Gas::new(domain, Restitution::new(e, e).unwrap(), &spheres).unwrap();
        let before = energy(&gas);
        let ending = gas.run(&Until { time: 1e3, collisions: 20_000, events: 10_000_000 });
        assert_ne!(ending, Ending::Events, "{e}");
        assert!(energy(&gas) < before);
        gas.validate().unwrap();
    }
}

#[test]
fn what_never_meets_is_quiet() {
    let alone = Sphere { centre: DVec3::ONE, velocity: DVec3::X, radius: 0.1, mass: 1.0 };
    let mut gas = Gas::new(Domain::periodic(DVec3::splat(2.0)), Restitution::ELASTIC, &[alone]).unwrap();
    assert_eq!(gas.run(&Until::collisions(1)), Ending::Quiet);
    let resting = Sphere { velocity: DVec3::ZERO, ..alone };
    let mut gas = Gas::new(Domain::periodic(DVec3::splat(2.0)), Restitution::ELASTIC, &[resting]).unwrap();
    assert_eq!(gas.run(&Until::collisions(1)), Ending::Quiet);
    assert_eq!(gas.run(&Until::time(5.0)), Ending::Time);
    assert_eq!(gas.time(), 5.0);
}

/// A gas taken up from its state again and again, a few events on each time, against one that nobody touched.
#[test]
fn a_resumed_gas_goes_the_same_way_to_the_last_bit() {
    let mut random = Rng::with_seed(12);
    for round in 0..20 {
        let (domain, spheres) = gas_of(&mut random, 4);
        let restitution =
            if round % 2 == 0 { Restitution::ELASTIC } else { Restitution::new(0.95, 0.99).unwrap() };
        let whole = Gas::new(domain, restitution, &spheres).unwrap();
        let (mut whole, mut pieces) = (whole.clone(), whole);
        whole.run(&Until { events: 3000, ..Until::time(f64::INFINITY) });
        while pieces.events() < 3000 {
            let events = random.u64(1..200).min(3000 - pieces.events());
            pieces.run(&Until { events, ..Until::time(f64::INFINITY) });
            let state = pieces.state();
            pieces = Gas::resumed(domain, restitution, &state).unwrap();
            assert_eq!(pieces.state(), state);
        }
        assert_eq!((pieces.state(), pieces.hash()), (whole.state(), whole.hash()));
        pieces.validate().unwrap();
    }
}

#[test]
fn states_of_no_gas_are_refused() {
    let (domain, spheres) = gas_of(&mut Rng::with_seed(13), 3);
    let state = Gas::new(domain, Restitution::ELASTIC, &spheres).unwrap().state();
    let refused = |changes: &[(usize, u64)]| {
        let mut state = state.clone();
        for &(word, value) in changes {
            state.spheres[5][word] = value;
        }
        Gas::resumed(domain, Restitution::ELASTIC, &state).unwrap_err()
    };
    // A place that is no number, a plan of no kind, a partner that there is not, a rank taken twice, a cell outside.
    let spoilt: [&[(usize, u64)]; 5] =
        [&[(0, f64::NAN.to_bits())], &[(12, 7)], &[(12, 0), (13, 99)], &[(14, 3 << 32)], &[(16, 1000)]];
    for changes in spoilt {
        let error = refused(changes);
        assert!(matches!(error, GasError::State { .. }), "{changes:?}: {error}");
    }
    assert!(matches!(refused(&[(7, 0)]), GasError::Value { sphere: 5, .. }));
}
