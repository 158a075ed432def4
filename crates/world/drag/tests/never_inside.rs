//! A dragged body is never inside anything, whatever the hand does.
//!
//! Every stored pose is asked about exactly; of the pieces between them some are asked about by `rigid_ccd`, which shares no code with
//! the drag's own proof but the bounds of motions.

mod help;

use help::{Stage, at, cube, mesh, obstacle};
use kontakt_convex::{Part, Shape};
use kontakt_drag::{DragOptions, Ending};
use kontakt_math::{DQuat, DVec3, Pose};
use kontakt_pair::{Body, Query};
use kontakt_shapes::make;
use testbodies::moving::{Dice, bumpy_sphere};

/// How many samples of the hand a scene gets: `KONTAKT_DRAG_SAMPLES` (see `docs/long-runs.md`), or what suits a quick run, in twentieths.
fn samples(twentieths: usize) -> usize {
    let wanted = std::env::var("KONTAKT_DRAG_SAMPLES").ok().and_then(|text| text.parse().ok());
    wanted.unwrap_or(5_000_usize) * twentieths / 20
}

/// What a hand did to a body, counted.
#[derive(Debug, Default)]
struct Count {
    samples: usize,
    arrived: usize,
    held: usize,
    lagging: usize,
    stuck: usize,
    pieces: usize,
    retries: usize,
    ways_asked: usize,
}

/// A hand that wanders, jumps, spins and pushes.
fn hand(dice: &mut Dice, before: Pose, home: Pose, size: f64, k: usize) -> Pose {
    let turned = |pose: Pose, angle: f64, dice: &mut Dice| {
        (DQuat::from_axis_angle(dice.direction(), angle) * pose.rotation()).normalize()
    };
    let (rotation, place) = match k % 40 {
        // A jump, near or far.
        0 => (dice.rotation(), home.translation() + dice.vector() * size),
        20 => (home.rotation(), home.translation() + dice.vector() * (1e3 * size)),
        // Back to where it started.
        10 | 21..=24 => (home.rotation(), home.translation()),
        // Spins.
        30 => (turned(before, 2.0, dice), before.translation()),
        // A steady hand.
        _ => {
            (turned(before, 0.03 * dice.signed(), dice), before.translation() + dice.vector() * (0.05 * size))
        }
    };
    Pose::new(rotation, place).unwrap()
}

/// Drags through a scene; every pose and some ways are checked.
fn wander(name: &str, stage: &Stage, (seed, size, twentieths): (u64, f64, usize)) {
    let mut drag = stage.drag(DragOptions::default());
    let (mut dice, mut query, mut count) = (Dice::new(seed), Query::new(), Count::default());
    let mut target = stage.start;
    for k in 0..samples(twentieths) {
        target = hand(&mut dice, target, stage.start, size, k);
        let mut from = drag.pose();
        let sample = drag.follow(target).clone();
        count.samples += 1;
        count.pieces += sample.pieces.len();
        count.retries += sample.work.retries as usize;
        match sample.ending {
            Ending::Arrived => count.arrived += 1,
            Ending::Held => count.held += 1,
            Ending::Lagging => count.lagging += 1,
            Ending::Stuck => count.stuck += 1,
        }
        for (piece, &to) in sample.pieces.iter().enumerate() {
            assert!(stage.is_free(&mut query, to), "{name}: sample {k}, piece {piece} ends in contact");
            if (k + piece) % 16 == 0 {
                count.ways_asked += 1;
                assert!(stage.way_is_free(&mut query, &drag, from, to), "{name}: sample {k}, piece {piece}");
            }
            from = to;
        }
    }
    println!("{name}: {count:?}");
    // The test says something: the body moves, and it is held.
    assert!(count.pieces > count.samples / 3 && count.held > count.samples / 20, "{name}: {count:?}");
    assert_eq!(count.stuck, 0, "{name}: {count:?}");
}

/// Three walls of a corner, a floor, and a post.
fn corner() -> Stage {
    let wall = DVec3::new(10.0, 10.0, 0.5);
    let quarter =
        |axis: DVec3, place: DVec3| Pose::from_axis_angle(axis, std::f64::consts::FRAC_PI_2, place).unwrap();
    let obstacles = vec![
        obstacle("floor", cube(wall), at(0.0, 0.0, -2.0)),
        obstacle("left", cube(wall), quarter(DVec3::Y, DVec3::new(-3.0, 0.0, 0.0))),
        obstacle("right", cube(wall), quarter(DVec3::Y, DVec3::new(3.0, 0.0, 0.0))),
        obstacle("back", cube(wall), quarter(DVec3::X, DVec3::new(0.0, 3.0, 0.0))),
        obstacle("post", cube(DVec3::new(0.2, 0.2, 3.0)), at(1.2, -2.0, 0.0)),
    ];
    Stage { body: cube(DVec3::new(1.0, 0.6, 0.4)), start: at(0.0, 0.0, 0.0), obstacles }
}

/// A block with a square hole, and a peg with a clearance of 0.01 in it.
fn peg() -> Stage {
    let side =
        |x: f64, y: f64, half: DVec3, k: usize| obstacle(&format!("side {k}"), cube(half), at(x, y, 0.0));
    let hole = 0.51;
    let obstacles = vec![
        side(hole + 1.0, 0.0, DVec3::new(1.0, 3.0, 1.0), 0),
        side(-hole - 1.0, 0.0, DVec3::new(1.0, 3.0, 1.0), 1),
        side(0.0, hole + 1.0, DVec3::new(hole, 1.0, 1.0), 2),
        side(0.0, -hole - 1.0, DVec3::new(hole, 1.0, 1.0), 3),
    ];
    Stage { body: cube(DVec3::new(0.5, 0.5, 1.5)), start: at(0.0, 0.0, 0.3), obstacles }
}

/// A block that lies flush on a floor, in a corner.
fn flush() -> Stage {
    let obstacles = vec![
        obstacle("floor", cube(DVec3::new(5.0, 5.0, 1.0)), at(0.0, 0.0, -1.0)),
        obstacle("wall", cube(DVec3::new(1.0, 5.0, 5.0)), at(-2.0, 0.0, 0.0)),
    ];
    Stage { body: cube(DVec3::splat(0.5)), start: at(-0.5, 0.0, 0.5), obstacles }
}

fn scaled(scale: f64, centre: DVec3) -> Stage {
    let grown = |half: DVec3, place: DVec3| {
        (cube(half * scale), Pose::new(DQuat::IDENTITY, centre + place * scale).unwrap())
    };
    let (floor, floor_pose) = grown(DVec3::new(5.0, 5.0, 1.0), DVec3::new(0.0, 0.0, -1.0));
    let (wall, wall_pose) = grown(DVec3::new(1.0, 5.0, 5.0), DVec3::new(-2.0, 0.0, 0.0));
    let (body, start) = grown(DVec3::splat(0.5), DVec3::new(0.0, 0.0, 0.7));
    Stage {
        body,
        start,
        obstacles: vec![obstacle("floor", floor, floor_pose), obstacle("wall", wall, wall_pose)],
    }
}

fn bulb() -> Stage {
    let obstacles = vec![obstacle("reflector", mesh(make::reflector(5, 0.08).unwrap()), Pose::IDENTITY)];
    Stage { body: mesh(make::bulb(5).unwrap()), start: at(0.0, 0.0, 0.0), obstacles }
}

fn nut() -> Stage {
    let obstacles = vec![obstacle("rod", mesh(make::threaded_rod(6, 0.2, 12).unwrap()), Pose::IDENTITY)];
    Stage { body: mesh(make::threaded_nut(2, 0.2, 0.03, 12).unwrap()), start: at(0.0, 0.0, 0.6), obstacles }
}

/// A bumpy ball in the room between four others.
fn bumps() -> Stage {
    let ball =
        |x: f64, y: f64| obstacle(&format!("ball {x} {y}"), Body::mesh(bumpy_sphere(7, 0.1)), at(x, y, 0.0));
    Stage {
        body: Body::mesh(bumpy_sphere(6, 0.2)),
        start: at(0.0, 0.0, 0.0),
        obstacles: vec![ball(-1.3, -2.1), ball(1.3, -2.1), ball(-1.3, 2.1), ball(1.3, 2.1)],
    }
}

/// Shapes without faces.
fn shapes() -> Stage {
    let part = |shape: Shape, pose: Pose| Part { shape, pose };
    let dumbbell = Shape::union(vec![
        part(Shape::sphere(0.4).unwrap(), at(0.0, 0.0, 0.8)),
        part(Shape::capsule(0.6, 0.15).unwrap(), Pose::IDENTITY),
        part(Shape::cylinder(0.1, 0.5).unwrap(), at(0.0, 0.0, -0.8)),
    ])
    .unwrap();
    let obstacles = vec![
        obstacle("ground", Body::convex(Shape::half_space(DVec3::Z, -2.0).unwrap()), Pose::IDENTITY),
        obstacle("ball", Body::convex(Shape::sphere(1.0).unwrap()), at(2.0, 0.0, -1.0)),
        obstacle("can", Body::convex(Shape::cylinder(1.5, 0.7).unwrap()), at(-1.8, 0.0, -0.5)),
        obstacle("cone", Body::convex(Shape::cone(1.0, 0.8).unwrap()), at(0.0, 2.2, -1.0)),
        obstacle("rock", Body::mesh(bumpy_sphere(6, 0.2)), at(0.0, -2.4, -0.5)),
        obstacle("box", Body::convex(Shape::cuboid(DVec3::splat(0.5)).unwrap()), at(1.6, 1.6, -1.5)),
    ];
    Stage { body: Body::convex(dumbbell), start: at(0.0, 0.0, -0.5), obstacles }
}

#[test]
fn a_block_in_a_corner() {
    wander("corner", &corner(), (1, 6.0, 3));
}

#[test]
fn a_peg_in_its_hole() {
    wander("peg", &peg(), (2, 1.5, 3));
}

#[test]
fn a_block_that_lies_flush() {
    wander("flush", &flush(), (3, 2.0, 3));
}

#[test]
fn a_millimetre() {
    wander("small", &scaled(1e-3, DVec3::ZERO), (4, 2e-3, 2));
}

#[test]
fn a_thousand_kilometres() {
    wander("large", &scaled(1e6, DVec3::ZERO), (5, 2e6, 2));
}

#[test]
fn far_from_the_origin() {
    wander("far", &scaled(1.0, DVec3::new(1e6, -1e6, 1e6)), (6, 2.0, 2));
}

#[test]
fn a_bulb_in_its_headlamp() {
    wander("bulb", &bulb(), (7, 1.0, 1));
}

#[test]
fn a_nut_on_its_rod() {
    wander("nut", &nut(), (8, 1.0, 1));
}

#[test]
fn bumpy_balls() {
    wander("bumps", &bumps(), (9, 4.0, 1));
}

#[test]
fn round_shapes() {
    wander("shapes", &shapes(), (10, 3.0, 2));
}
