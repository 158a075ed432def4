//! Kept sets that are large, crowded or far away.

use kontakt_bounds::Aabb;
use kontakt_broad::{BoxId, BroadPhase, PairCount, TooManyPairs, Way};
use kontakt_math::DVec3;
use std::ops::ControlFlow;

fn cube(at: DVec3, half: f64) -> Aabb {
    Aabb { min: at - half, max: at + half }
}

/// A million boxes at one point have 5·10¹¹ pairs: refused as a list, counted up to a limit, visited as long as one likes, and the set
/// goes on as if nothing had been.
#[test]
fn a_million_boxes_at_one_point() {
    let count = 1_000_000;
    let mut set = BroadPhase::new().with_limit(1_000_000);
    let ids: Vec<BoxId> = (0..count).map(|_| set.insert(cube(DVec3::ZERO, 0.0)).expect("a box")).collect();
    assert_eq!(set.update().map(|_| ()), Err(TooManyPairs { limit: 1_000_000 }));
    assert_eq!(set.count(3_000_000), PairCount::MoreThan(3_000_000));
    let mut seen = 0;
    let flow = set.visit(|some| {
        seen += some.len();
        if seen > 10_000 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(flow.is_break() && seen < 100_000);
    assert_eq!(set.meeting(cube(DVec3::ZERO, 0.0)).expect("a box").len(), count);
    for (at, &id) in ids.iter().enumerate().skip(3) {
        set.move_to(id, cube(DVec3::splat(1.0 + at as f64), 0.1)).expect("a box");
    }
    let step = set.update().expect("three pairs");
    assert_eq!(step.pairs, [[ids[0], ids[1]], [ids[0], ids[2]], [ids[1], ids[2]]]);
    assert_eq!(step.new, step.pairs);
    assert_eq!(set.count(u64::MAX), PairCount::Exactly(3));
}

/// Two swarms so far apart that single precision cannot tell the boxes of either from each other: slow, but right.
#[test]
fn swarms_at_the_ends_of_the_world() {
    for way in Way::ALL {
        let mut set = BroadPhase::with_way(way).with_limit(2_000);
        let place =
            |n: usize| DVec3::new(if n.is_multiple_of(2) { 1e12 } else { -1e12 }, (n / 2) as f64, 0.0);
        let ids: Vec<BoxId> = (0..400).map(|n| set.insert(cube(place(n), 0.5)).expect("a box")).collect();
        for step in 0..5 {
            let shift = DVec3::new(0.0, 0.0, f64::from(step));
            for (n, &id) in ids.iter().enumerate().filter(|(n, _)| n % 50 < 4) {
                set.move_to(id, cube(place(n) + shift, 0.5)).expect("a box");
            }
            let found = set.update().expect("few pairs").pairs.to_vec();
            let mut expected = Vec::new();
            for (a, &first) in ids.iter().enumerate() {
                for &second in &ids[a + 1..] {
                    let (one, two) = (set.get(first).expect("there"), set.get(second).expect("there"));
                    if one.min.cmple(two.max).all() && two.min.cmple(one.max).all() {
                        expected.push([first, second]);
                    }
                }
            }
            assert_eq!(found, expected, "{way:?}, step {step}");
            assert!(found.len() >= 300);
        }
    }
}

/// The same bodies inserted in any order, on any number of threads, have the same pairs.
#[test]
fn orders_and_threads_change_nothing() {
    let mut random = fastrand::Rng::with_seed(7);
    let mut point = |size: f64| DVec3::new(random.f64(), random.f64(), random.f64()) * size;
    let bodies: Vec<(DVec3, DVec3)> = (0..2_000).map(|_| (point(20.0), point(0.2) - 0.1)).collect();
    let pairs_of = |order: &[usize]| {
        let mut set = BroadPhase::new();
        let mut names = vec![usize::MAX; bodies.len()];
        let mut ids = vec![None; bodies.len()];
        for &body in order {
            let id = set.insert(cube(bodies[body].0, 0.5)).expect("a box");
            names[id.index()] = body;
            ids[body] = Some(id);
        }
        let mut all = Vec::new();
        for step in 0..12 {
            for &body in order {
                let (at, velocity) = bodies[body];
                let to = cube(at + velocity * f64::from(step), 0.5);
                set.move_to(ids[body].expect("inserted"), to).expect("a box");
            }
            let pairs = set.update().expect("few pairs").pairs;
            let mut named: Vec<[usize; 2]> = pairs
                .iter()
                .map(|[a, b]| [names[a.index()], names[b.index()]])
                .map(|[a, b]| [a.min(b), a.max(b)])
                .collect();
            named.sort_unstable();
            all.push(named);
        }
        all
    };
    let forward: Vec<usize> = (0..bodies.len()).collect();
    let mut shuffled = forward.clone();
    fastrand::Rng::with_seed(1).shuffle(&mut shuffled);
    let expected = pairs_of(&forward);
    assert!(expected[11].len() > 500);
    assert_eq!(pairs_of(&shuffled), expected);
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        assert_eq!(pool.install(|| pairs_of(&forward)), expected);
    }
}

/// A box that reaches everywhere meets all; where it is removed, all its pairs are lost at once, and its name is free only then.
#[test]
fn a_box_without_end() {
    let mut set = BroadPhase::new();
    let ground =
        Aabb { min: DVec3::splat(f64::NEG_INFINITY), max: DVec3::new(f64::INFINITY, f64::INFINITY, 0.0) };
    let ground = set.insert(ground).expect("a box");
    let ids: Vec<BoxId> =
        (0..500).map(|n| set.insert(cube(DVec3::X * 3.0 * f64::from(n), 1.0)).expect("a box")).collect();
    assert_eq!(set.update().expect("few pairs").pairs.len(), 500);
    assert_eq!(set.ray(DVec3::new(30.0, 0.0, 9.0), -DVec3::Z, f64::INFINITY).expect("a ray").len(), 2);
    set.remove(ground).expect("there");
    let late = set.insert(cube(DVec3::splat(-50.0), 1.0)).expect("a box");
    assert!(late != ground && !ids.contains(&late));
    let step = set.update().expect("few pairs");
    assert_eq!((step.pairs.len(), step.lost.len()), (0, 500));
    assert_eq!(set.insert(cube(DVec3::splat(-90.0), 1.0)), Ok(ground));
}

/// Two dense swarms far apart crowd the rows of any grid over both: the tree is taken. When few are left, all over the place, rows are
/// taken again.
#[test]
fn the_way_follows_the_crowd() {
    let mut random = fastrand::Rng::with_seed(5);
    let mut point = |size: f64| DVec3::new(random.f64(), random.f64(), random.f64()) * size;
    let mut set = BroadPhase::new();
    let swarm = |n: usize| DVec3::splat(if n.is_multiple_of(2) { 0.0 } else { 1e6 });
    let ids: Vec<BoxId> =
        (0..60_000).map(|n| set.insert(cube(swarm(n) + point(60.0), 2.1)).expect("a box")).collect();
    set.update().expect("few pairs");
    assert_eq!(set.way(), Some(Way::Tree));
    let (stay, go) = ids.split_at(1_000);
    for &id in go {
        set.remove(id).expect("there");
    }
    for _ in 0..40 {
        for &id in stay {
            set.move_to(id, cube(point(90.0), 0.5)).expect("a box");
        }
        set.update().expect("few pairs");
    }
    assert_eq!(set.way(), Some(Way::Rows));
}
