//! Steps of worlds of random groups against brute force: what is called free is free, and nothing depends on order or threads.

use kontakt_convex::{Shape, Verdict};
use kontakt_math::{DVec3, Motion, Pose};
use kontakt_mesh::Mesh;
use kontakt_pair::{Body, Placed, Query};
use kontakt_scene::{
    Layers, Mode, NodeId, PairVerdict, Response, StepBudget, StepOptions, StepReport, World, WorldError,
};
use kontakt_schedule::{Budget, Policy};
use kontakt_shapes::make;

/// A world as data, so that it can be built in any order.
#[derive(Clone)]
struct Plan {
    /// Name, parent, place in the parent.
    groups: Vec<(String, Option<String>, Pose)>,
    bodies: Vec<(String, Option<String>, Body, Pose)>,
}

fn pose(random: &mut fastrand::Rng, reach: f64) -> Pose {
    let mut side = || (random.f64() - 0.5) * 2.0;
    let (axis, place) = (DVec3::new(side(), side(), side()), DVec3::new(side(), side(), side()));
    Pose::from_axis_angle(axis + DVec3::Z * 2.0, 3.0 * side(), reach * place).unwrap()
}

fn body(random: &mut fastrand::Rng) -> Body {
    let size = 0.3 + 0.7 * random.f64();
    match random.u32(0..4) {
        0 => Shape::cuboid(DVec3::new(size, 0.5, 0.3)).unwrap().into(),
        1 => Shape::sphere(0.6 * size).unwrap().into(),
        2 => Shape::capsule(0.5 * size, 0.2).unwrap().into(),
        _ => Body::mesh(Mesh::with_threads(make::bumpy_ball(1, 0.3).unwrap(), 1).unwrap()),
    }
}

fn plan(random: &mut fastrand::Rng) -> Plan {
    let mut groups: Vec<(String, Option<String>, Pose)> = Vec::new();
    for k in 0..random.usize(1..5) {
        let parent = (k > 0 && random.bool()).then(|| groups[random.usize(0..k)].0.clone());
        groups.push((format!("g{k}"), parent, pose(random, 6.0)));
    }
    let bodies = (0..random.usize(4..14))
        .map(|k| {
            let parent = random.bool().then(|| groups[random.usize(0..groups.len())].0.clone());
            let reach = if parent.is_some() { 2.0 } else { 6.0 };
            (format!("b{k:02}"), parent, body(random), pose(random, reach))
        })
        .collect();
    Plan { groups, bodies }
}

impl Plan {
    fn build(&self, backwards: bool) -> World {
        let mut world = World::new();
        for (name, parent, pose) in &self.groups {
            let parent = parent.as_ref().and_then(|parent| world.find(parent));
            world.add_group(name, parent, *pose).unwrap();
        }
        let mut bodies: Vec<_> = self.bodies.iter().collect();
        if backwards {
            bodies.reverse();
        }
        for (name, parent, body, pose) in bodies {
            let parent = parent.as_ref().and_then(|parent| world.find(parent));
            world.add_body(name, parent, body.clone(), *pose).unwrap();
        }
        world
    }
}

/// Random motions of nodes of which none hangs below another.
fn moves(random: &mut fastrand::Rng, plan: &Plan, world: &mut World, reach: f64) -> Vec<String> {
    let mut moved = Vec::new();
    let names = plan.groups.iter().map(|g| &g.0).chain(plan.bodies.iter().map(|b| &b.0));
    for name in names {
        if random.u32(0..3) > 0 {
            continue;
        }
        let node = world.find(name).unwrap();
        let start = world.pose(node).unwrap();
        let by = pose(random, reach);
        let end =
            Pose::new(by.rotation() * start.rotation(), start.translation() + by.translation()).unwrap();
        let pivot = DVec3::new(random.f64(), 0.0, 0.0);
        let motion = match random.u32(0..3) {
            0 => Motion::slerp(start, end, pivot).unwrap(),
            1 => Motion::screw(start, end),
            _ => Motion::nlerp(start, end, pivot).unwrap(),
        };
        if world.set_motion(node, &motion).is_ok() {
            moved.push(name.clone());
        }
    }
    moved
}

/// Pairs of bodies that meet where they are.
fn meeting(world: &World) -> Vec<[NodeId; 2]> {
    let (bodies, mut query) = (world.bodies(), Query::new());
    let mut found = Vec::new();
    for (k, &a) in bodies.iter().enumerate() {
        for &b in &bodies[k + 1..] {
            let placed = |node| Placed::new(world.body(node).unwrap(), world.pose(node).unwrap());
            if query.intersect(placed(a), placed(b)) != Verdict::Separate {
                found.push([a, b]);
            }
        }
    }
    found
}

/// The report with names for nodes, a line each.
fn told(world: &World, report: &StepReport) -> Vec<String> {
    let pairs = report
        .pairs
        .iter()
        .map(|pair| format!("{} {} {:?}", world.name(pair.a), world.name(pair.b), pair.verdict));
    let groups = report.groups.iter().map(|group| {
        let by = group.first_met.map(|pair| pair.map(|node| world.name(node)));
        format!("{} {:?} {by:?}", world.name(group.node), group.reached)
    });
    pairs.chain(groups).collect()
}

#[test]
fn what_a_step_leaves_is_free_and_told_the_same_whatever_the_order() {
    let rounds = std::env::var("KONTAKT_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(60);
    let (mut stops, mut whole, mut again) = (0, 0, 0);
    for seed in 0..rounds {
        let mut random = fastrand::Rng::with_seed(seed);
        let plan = plan(&mut random);
        let mut world = plan.build(false);
        let mut twin = plan.build(true);
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        for step in 0..6 {
            let before = meeting(&world);
            let mut dice = random.clone();
            let reach = if step % 2 == 0 { 6.0 } else { 0.5 };
            moves(&mut random, &plan, &mut world, reach);
            moves(&mut dice, &plan, &mut twin, reach);
            let report = world.step(&StepOptions::default()).unwrap();
            let other = one.install(|| twin.step(&StepOptions::default())).unwrap();
            assert_eq!(told(&world, &report), told(&twin, &other), "seed {seed}, step {step}");
            let new: Vec<_> = meeting(&world).into_iter().filter(|pair| !before.contains(pair)).collect();
            let names: Vec<_> = new.iter().map(|pair| pair.map(|node| world.name(node))).collect();
            assert!(names.is_empty(), "seed {seed}, step {step}: {names:?} met");
            stops += report.groups.iter().filter(|group| group.reached < 1.0).count();
            whole += report.groups.iter().filter(|group| group.reached == 1.0).count();
            again += report.counts.asked_again;
        }
    }
    assert!(stops > 30 && whole > 30 && again > 30, "generator drifted: {stops}, {whole}, {again}");
}

/// Every pair is free at sampled times of the courses that were really followed.
#[test]
fn the_way_there_is_free_too() {
    for seed in 100..160 {
        let mut random = fastrand::Rng::with_seed(seed);
        let plan = plan(&mut random);
        let mut world = plan.build(false);
        let before = meeting(&world);
        let nodes = world.bodies();
        let starts: Vec<Pose> = nodes.iter().map(|&node| world.pose(node).unwrap()).collect();
        let mut motions: Vec<(NodeId, Motion)> = Vec::new();
        for &node in &nodes {
            let start = world.pose(node).unwrap();
            let by = pose(&mut random, 8.0);
            let end = Pose::new(start.rotation(), start.translation() + by.translation()).unwrap();
            let motion = Motion::slerp(start, end, DVec3::ZERO).unwrap();
            if world.set_motion(node, &motion).is_ok() {
                motions.push((node, motion));
            }
        }
        let report = world.step(&StepOptions::default()).unwrap();
        let at = |node: NodeId, t: f64| {
            let reached = report.groups.iter().find(|group| group.node == node).map_or(0.0, |g| g.reached);
            let place = nodes.iter().position(|&other| other == node).unwrap();
            let motion = motions.iter().find(|(other, _)| *other == node);
            motion.map_or(starts[place], |(_, motion)| motion.pose_at(t.min(reached)))
        };
        let mut query = Query::new();
        for sample in 0..=32 {
            let t = f64::from(sample) / 32.0;
            for (k, &a) in nodes.iter().enumerate() {
                for &b in &nodes[k + 1..] {
                    if before.contains(&[a, b]) {
                        continue;
                    }
                    let placed = |node| Placed::new(world.body(node).unwrap(), at(node, t));
                    let meet = query.intersect(placed(a), placed(b)) == Verdict::Overlapping;
                    assert!(!meet, "seed {seed}: {} and {} at {t}", world.name(a), world.name(b));
                }
            }
        }
    }
}

fn at(x: f64) -> Pose {
    Pose::from_axis_angle(DVec3::Z, 0.0, DVec3::X * x).unwrap()
}

fn cube() -> Body {
    Shape::cuboid(DVec3::splat(0.5)).unwrap().into()
}

fn straight(world: &mut World, name: &str, to: f64) {
    let node = world.find(name).unwrap();
    let start = world.pose(node).unwrap();
    world.set_motion(node, &Motion::slerp(start, at(to), DVec3::ZERO).unwrap()).unwrap();
}

/// [VR 7.2-7.3] tests every group against the whole motions of the others: the follower would be let through to 4, since its leader
/// was to be gone by then.
#[test]
fn what_follows_a_group_that_is_stopped_is_asked_again() {
    let mut world = World::new();
    for (name, x) in [("follower", 0.0), ("leader", 2.0), ("wall", 6.0)] {
        world.add_body(name, None, cube(), at(x)).unwrap();
    }
    straight(&mut world, "leader", 12.0);
    straight(&mut world, "follower", 9.0);
    let report = world.step(&StepOptions::default()).unwrap();
    let place = |name: &str| world.pose(world.find(name).unwrap()).unwrap().translation().x;
    assert!((place("leader") - 5.0).abs() < 1e-4 && place("leader") <= 5.0, "{report:?}");
    assert!((place("follower") - 4.0).abs() < 1e-4 && place("follower") <= 4.0, "{report:?}");
    let stopped: Vec<_> =
        report.groups.iter().map(|g| g.first_met.unwrap().map(|node| world.name(node))).collect();
    assert_eq!(stopped, [["follower", "leader"], ["leader", "wall"]]);
}

#[test]
fn a_static_step_jumps_through_and_a_mixed_one_finds_what_is_hit_at_the_end() {
    let ends = |mode: Mode, to: f64| {
        let mut world = World::new();
        world.add_body("ball", None, Shape::sphere(0.5).unwrap().into(), at(0.0)).unwrap();
        world.add_body("wall", None, cube(), at(5.0)).unwrap();
        straight(&mut world, "ball", to);
        let report = world.step(&StepOptions { mode, ..StepOptions::default() }).unwrap();
        (
            world.pose(world.find("ball").unwrap()).unwrap().translation().x,
            report.pairs.first().map(|p| p.verdict),
        )
    };
    assert_eq!(ends(Mode::Static, 10.0), (10.0, Some(PairVerdict::ClearAtEnd)), "that is its nature");
    assert_eq!(ends(Mode::Mixed, 10.0).0, 10.0);
    let (x, verdict) = ends(Mode::Static, 5.0);
    assert!(x == 0.0 && matches!(verdict, Some(PairVerdict::Contact { .. })), "{verdict:?}");
    for (mode, to) in [(Mode::Mixed, 5.0), (Mode::Continuous, 5.0), (Mode::Continuous, 10.0)] {
        let (x, verdict) = ends(mode, to);
        assert!((x - 4.0).abs() < 1e-4 && x <= 4.0, "{mode:?} {x} {verdict:?}");
    }
}

#[test]
fn layers_and_pairs_left_aside_are_not_looked_at() {
    let mut world = World::new();
    let cart = world.add_group("cart", None, at(0.0)).unwrap();
    let load = world.add_body("load", Some(cart), cube(), at(0.0)).unwrap();
    let wall = world.add_body("wall", None, cube(), at(3.0)).unwrap();
    let drive = |world: &mut World| {
        world.place(cart, at(0.0)).unwrap();
        straight(world, "cart", 6.0);
        let report = world.step(&StepOptions::default()).unwrap();
        (report.pairs.len(), world.pose(load).unwrap().translation().x)
    };
    let (pairs, x) = drive(&mut world);
    assert!(pairs == 1 && x < 2.1);
    world.set_ignored(cart, wall, true).unwrap();
    assert_eq!(drive(&mut world), (0, 6.0), "a group stands for all that hang below it");
    world.set_ignored(wall, cart, false).unwrap();
    world.set_layers(cart, Layers { on: 2, with: 1 }).unwrap();
    assert_eq!(drive(&mut world).0, 1);
    world.set_layers(wall, Layers { on: 1, with: 4 }).unwrap();
    assert_eq!(drive(&mut world), (0, 6.0));
}

#[test]
fn what_makes_no_sense_is_refused_and_changes_nothing() {
    let mut world = World::new();
    let outer = world.add_group("outer", None, at(1.0)).unwrap();
    let inner = world.add_group("inner", Some(outer), at(1.0)).unwrap();
    let body = world.add_body("body", Some(inner), cube(), at(1.0)).unwrap();
    assert_eq!(world.pose(body).unwrap().translation().x, 3.0);
    let taken = |name: &str| WorldError::NameTaken { name: name.into() };
    assert_eq!(world.add_body("body", None, cube(), at(0.0)), Err(taken("body")));
    assert_eq!(world.add_group("inner", None, at(0.0)), Err(taken("inner")));
    assert!(matches!(world.add_group("x", Some(body), at(0.0)), Err(WorldError::NotAGroup { .. })));
    assert!(matches!(world.attach(outer, Some(inner)), Err(WorldError::Cycle { .. })));
    assert!(matches!(world.attach(outer, Some(outer)), Err(WorldError::Cycle { .. })));
    assert!(matches!(
        world.place(outer, at(1e308)).and_then(|()| world.place(inner, at(1.5e308))),
        Err(WorldError::OutOfRange { .. })
    ));
    world.place(outer, at(1.0)).unwrap();
    assert_eq!(world.pose(body).unwrap().translation().x, 3.0);
    straight(&mut world, "outer", 2.0);
    let twice = world.set_motion(body, &Motion::Rest(at(3.0)));
    assert!(matches!(twice, Err(WorldError::MovedTwice { .. })), "{twice:?}");
    let elsewhere = world.set_motion(outer, &Motion::Rest(at(7.0)));
    assert!(matches!(elsewhere, Err(WorldError::StartsElsewhere { .. })));
    let free = world.add_body("free", None, cube(), at(20.0)).unwrap();
    straight(&mut world, "free", 21.0);
    assert!(matches!(world.attach(free, Some(inner)), Err(WorldError::MovedTwice { .. })));
    world.remove(inner).unwrap();
    assert_eq!(world.pose(body), Err(WorldError::Unknown));
    assert_eq!(world.remove(body), Err(WorldError::Unknown));
    let report = world.step(&StepOptions::default()).unwrap();
    assert_eq!(report.groups.len(), 2);
    assert_eq!(world.pose(free).unwrap().translation().x, 21.0);
    assert_eq!(world.pose(outer).unwrap().translation().x, 2.0);
}

/// A group that ends within the doubles carries a body beyond them.
#[test]
fn what_would_leave_the_doubles_stays_and_is_told() {
    let mut world = World::new();
    let arm = world.add_group("arm", None, at(0.0)).unwrap();
    let tip = world.add_body("tip", Some(arm), cube(), at(1e308)).unwrap();
    let other = world.add_body("other", None, cube(), at(5.0)).unwrap();
    straight(&mut world, "arm", 1.5e308);
    straight(&mut world, "other", 6.0);
    let report = world.step(&StepOptions::default()).unwrap();
    assert_eq!(report.quarantined, [arm]);
    assert_eq!(world.pose(tip).unwrap().translation().x, 1e308);
    assert_eq!(world.pose(other).unwrap().translation().x, 6.0);
}

#[test]
fn bodies_that_start_in_one_another_stand_and_are_told() {
    let mut world = World::new();
    world.add_body("a", None, cube(), at(0.0)).unwrap();
    world.add_body("b", None, cube(), at(0.5)).unwrap();
    straight(&mut world, "a", -3.0);
    let report = world.step(&StepOptions::default()).unwrap();
    assert_eq!(report.groups[0].reached, 0.0);
    assert!(matches!(report.pairs[0].verdict, PairVerdict::Contact { time, .. } if time.hi() == 0.0));
    // The caller may let it out.
    straight(&mut world, "a", -3.0);
    world.step(&StepOptions { response: Response::PassThrough, ..StepOptions::default() }).unwrap();
    straight(&mut world, "a", -4.0);
    let report = world.step(&StepOptions::default()).unwrap();
    assert_eq!(report.groups[0].reached, 1.0);
}

/// A pair far apart is measured once and then left alone until the bodies may have come together.
#[test]
fn a_distance_once_known_is_used_until_it_is_spent() {
    let mut world = World::new();
    // Two slanting bars side by side: their boxes overlap, they themselves are 1.1 apart.
    let bar = || Body::from(Shape::cuboid(DVec3::new(4.0, 0.2, 0.2)).unwrap());
    let aside = DVec3::new(-0.7_f64.sin(), 0.7_f64.cos(), 0.0);
    let start = |aside: DVec3, x: f64| Pose::from_axis_angle(DVec3::Z, 0.7, aside + DVec3::X * x).unwrap();
    world.add_body("rail", None, bar(), start(DVec3::ZERO, 0.0)).unwrap();
    let bar = world.add_body("bar", None, bar(), start(1.5 * aside, 0.0)).unwrap();
    let (mut kept, mut measured) = (0, 0);
    for step in 0..100 {
        let x = 0.01 * f64::from(step);
        let motion =
            Motion::slerp(world.pose(bar).unwrap(), start(1.5 * aside, x + 0.01), DVec3::ZERO).unwrap();
        world.set_motion(bar, &motion).unwrap();
        let report = world.step(&StepOptions::default()).unwrap();
        kept += report.counts.kept_apart;
        measured += report.counts.measured;
    }
    assert!(kept >= 90 && measured <= 5, "{kept} {measured}");
}

/// While a pair is left aside its bodies may come together unseen: what was known of their distance must not be used later.
#[test]
fn a_distance_from_before_a_pair_was_left_aside_is_forgotten() {
    let bar = || Body::from(Shape::cuboid(DVec3::new(4.0, 0.2, 0.2)).unwrap());
    let aside = DVec3::new(-0.7_f64.sin(), 0.7_f64.cos(), 0.0);
    let at = |by: f64| Pose::from_axis_angle(DVec3::Z, 0.7, by * aside).unwrap();
    let mut world = World::new();
    let rail = world.add_body("rail", None, bar(), at(0.0)).unwrap();
    let bar = world.add_body("bar", None, bar(), at(1.5)).unwrap();
    let go = |world: &mut World, by: f64| {
        let start = world.pose(bar).unwrap();
        world.set_motion(bar, &Motion::slerp(start, at(by), DVec3::ZERO).unwrap()).unwrap();
        world.step(&StepOptions::default()).unwrap()
    };
    assert_eq!(go(&mut world, 1.45).counts.candidates, 1, "the distance, 1.1 or so, is known now");
    world.set_ignored(rail, bar, true).unwrap();
    assert_eq!(go(&mut world, 0.6).counts.candidates, 0, "0.2 apart");
    world.set_ignored(rail, bar, false).unwrap();
    let report = go(&mut world, 0.2);
    assert!(report.groups[0].reached < 1.0 && meeting(&world).is_empty(), "{report:?}");
}

fn within(budget: Budget, policy: Policy) -> StepOptions {
    let viewer = Some(DVec3::new(3.0, 0.0, 0.0));
    StepOptions { budget: Some(StepBudget { budget, policy, viewer }), ..StepOptions::default() }
}

const POLICIES: [Policy; 3] = [Policy::Even, Policy::Weighted, Policy::Queue];

/// Every budget leaves a state that is free; what is not decided stops.
#[test]
fn whatever_the_budget_nothing_meets() {
    let mut unfinished = 0;
    for seed in 200..230 {
        for (k, policy) in POLICIES.into_iter().enumerate() {
            let mut random = fastrand::Rng::with_seed(seed);
            let plan = plan(&mut random);
            let mut world = plan.build(false);
            for step in 0..4 {
                let before = meeting(&world);
                moves(&mut random, &plan, &mut world, 3.0);
                let units = [0, 7, 60, 500][(step + k) % 4];
                let budget = if step == 3 {
                    Budget::Time(std::time::Duration::from_micros(units))
                } else {
                    Budget::Units(units)
                };
                let report = world.step(&within(budget, policy)).unwrap();
                unfinished += report.counts.unfinished;
                let met: Vec<_> = meeting(&world).into_iter().filter(|pair| !before.contains(pair)).collect();
                assert!(met.is_empty(), "seed {seed}, step {step}, {policy:?}");
            }
        }
    }
    assert!(unfinished > 100, "generator drifted: {unfinished}");
}

/// More units never make a verdict worse, to the last bit, for any number of threads, and enough of them are as good as no budget.
#[test]
fn more_budget_is_never_worse() {
    let stay = |options: StepOptions| StepOptions { response: Response::Stay, ..options };
    let threads = [1, 3].map(|n| rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap());
    let mut grown = 0;
    for seed in 300..312 {
        let step = |options: StepOptions, pool: &rayon::ThreadPool| {
            let mut random = fastrand::Rng::with_seed(seed);
            let plan = plan(&mut random);
            let mut world = plan.build(false);
            moves(&mut random, &plan, &mut world, 4.0);
            let report = pool.install(|| world.step(&stay(options))).unwrap();
            (told(&world, &report), report)
        };
        let (whole, _) = step(StepOptions::default(), &threads[0]);
        for policy in POLICIES {
            let mut last: Option<StepReport> = None;
            for units in [0, 5, 20, 80, 300, 1_200, 20_000, u64::MAX] {
                let (said, report) = step(within(Budget::Units(units), policy), &threads[0]);
                assert_eq!(
                    said,
                    step(within(Budget::Units(units), policy), &threads[1]).0,
                    "{policy:?}, {units}"
                );
                if let Some(last) = &last {
                    for (old, new) in last.pairs.iter().zip(&report.pairs) {
                        assert!(old.verdict.free_until() <= new.verdict.free_until(), "{policy:?}, {units}");
                        grown += usize::from(old.verdict.free_until() < new.verdict.free_until());
                    }
                }
                if units == u64::MAX {
                    assert_eq!(said, whole, "{policy:?}");
                }
                last = Some(report);
            }
        }
    }
    assert!(grown > 50, "generator drifted: {grown}");
}

#[test]
fn budgets_that_make_no_sense_do_no_harm() {
    for viewer in [DVec3::NAN, DVec3::INFINITY, DVec3::splat(1e300)] {
        for budget in
            [Budget::Time(std::time::Duration::ZERO), Budget::Time(std::time::Duration::from_secs(3600))]
        {
            let mut world = World::new();
            for (name, x) in [("a", 0.0), ("b", 3.0), ("c", 6.0)] {
                world.add_body(name, None, cube(), at(x)).unwrap();
            }
            straight(&mut world, "b", 9.0);
            let budget = StepBudget { budget, policy: Policy::Weighted, viewer: Some(viewer) };
            let options = StepOptions { budget: Some(budget), ..StepOptions::default() };
            let report = world.step(&options).unwrap();
            assert!(meeting(&world).is_empty() && report.groups[0].reached < 1.0);
        }
    }
}
