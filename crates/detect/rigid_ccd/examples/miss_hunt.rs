//! Hunts for missed contacts: random motions, grazes, spins and thin plates against exact tests at many times.
//!
//! `cargo run --release --example miss_hunt -- 100000 [SEED]` prints, per family, how many were free, in contact, undecided, and how many
//! samples before the certified time were in contact (must be 0).
#![allow(missing_docs, reason = "an example")]

#[path = "../tests/rigid_help/mod.rs"]
mod rigid_help;

use kontakt_answers::{Impact, Initial};
use kontakt_math::{DQuat, DVec3, Motion, Pose};
use kontakt_mesh::{Mesh, Placed};
use kontakt_rigid_ccd::{Asker, Moving, Options};
use rigid_help::{Dice, block, bumpy_sphere, wavy_torus};

const SAMPLES: u32 = 200;
const FAMILIES: [&str; 5] = ["random", "grazing", "spinning", "thin plates", "grazing, nlerp"];

#[derive(Default, Clone, Copy)]
struct Tally {
    free: u32,
    contact: u32,
    touching: u32,
    overlapping: u32,
    undecided: u32,
    missed: u32,
    early: u32,
    wide: u32,
}

struct Scene<'a> {
    a: (&'a Mesh, Motion),
    b: (&'a Mesh, Motion),
}

fn random<'a>(dice: &mut Dice, bodies: &'a [Mesh]) -> Scene<'a> {
    let (a, b) = (dice.0.usize(0..bodies.len()), dice.0.usize(0..bodies.len()));
    let start = dice.direction() * 3.5;
    let pose_b = dice.pose(start);
    let way = -start * 2.0 + dice.vector() * 3.0;
    let end_b = dice.moved(pose_b, way);
    let pose_a = dice.pose(DVec3::ZERO);
    let shift = dice.vector();
    let end_a = dice.moved(pose_a, shift);
    let motion_a = if dice.0.bool() { Motion::Rest(pose_a) } else { dice.motion(pose_a, end_a) };
    Scene { a: (&bodies[a], motion_a), b: (&bodies[b], dice.motion(pose_b, end_b)) }
}

/// Passing by at about the distance of contact: from far too near to far too far, on a logarithmic scale down to 1e-9.
fn grazing<'a>(
    dice: &mut Dice,
    bodies: &'a [Mesh],
    asker: &mut kontakt_mesh::Asker,
    rational: bool,
) -> Scene<'a> {
    let mut scene = random(dice, bodies);
    if rational && !matches!(scene.a.1, Motion::Rest(_)) {
        scene.a.1 =
            Motion::nlerp(scene.a.1.pose_at(0.0), scene.a.1.pose_at(1.0), DVec3::ZERO).expect("finite");
    }
    let distance = |motion: &Motion, asker: &mut kontakt_mesh::Asker, scene: &Scene, t: f64| {
        asker
            .distance(Placed::new(scene.a.0, scene.a.1.pose_at(t)), Placed::new(scene.b.0, motion.pose_at(t)))
    };
    let aside = dice.direction();
    let shifted = |by: f64| {
        let moved =
            |pose: Pose| Pose::new(pose.given_rotation(), pose.translation() + aside * by).expect("finite");
        let (start, end) = (moved(scene.b.1.pose_at(0.0)), moved(scene.b.1.pose_at(1.0)));
        if rational { Motion::nlerp(start, end, DVec3::ZERO) } else { Motion::slerp(start, end, DVec3::ZERO) }
            .expect("finite")
    };
    // The sideways shift at which the sampled way just clears, by halving.
    let clears = |by: f64, asker: &mut kontakt_mesh::Asker| {
        let motion = shifted(by);
        (0..40).all(|i| distance(&motion, asker, &scene, f64::from(i) / 39.0).range.lo() > 0.0)
    };
    let (mut near, mut far) = (0.0, 12.0);
    for _ in 0..16 {
        let middle = 0.5 * (near + far);
        if clears(middle, asker) { far = middle } else { near = middle }
    }
    let offset = 10.0_f64.powf(-9.0 * dice.0.f64()) * if dice.0.bool() { 1.0 } else { -1.0 };
    let motion = shifted(far + offset);
    scene.b.1 = motion;
    scene
}

fn spinning<'a>(dice: &mut Dice, bodies: &'a [Mesh]) -> Scene<'a> {
    let (a, b) = (dice.0.usize(0..bodies.len()), dice.0.usize(0..bodies.len()));
    let place = dice.direction() * (1.2 + 1.3 * dice.0.f64());
    let pose_a = dice.pose(place);
    let pose_b = dice.pose(DVec3::ZERO);
    let turns = 1.0 + 5.0 * dice.0.f64();
    let spin = Motion::helix(pose_b, DVec3::ZERO, dice.direction(), turns * 6.3, 0.0).expect("finite");
    let motion_a = if dice.0.bool() {
        Motion::Rest(pose_a)
    } else {
        Motion::helix(pose_a, place, dice.direction(), -turns * 3.0, 0.0).expect("finite")
    };
    Scene { a: (&bodies[a], motion_a), b: (&bodies[b], spin) }
}

fn thin<'a>(dice: &mut Dice, plate: &'a Mesh, bullet: &'a Mesh) -> Scene<'a> {
    let far = 10.0_f64.powf(3.0 * dice.0.f64());
    let start = dice.direction() * far;
    let pose_b = dice.pose(start);
    let end_b =
        Pose::new(dice.rotation(), -start * (0.5 + dice.0.f64()) + dice.vector() * 2.0).expect("finite");
    let pose_a = dice.pose(DVec3::ZERO);
    let end_a = Pose::new(
        (DQuat::from_axis_angle(dice.direction(), 0.5) * pose_a.rotation()).normalize(),
        dice.vector(),
    )
    .expect("finite");
    let motion_a = if dice.0.bool() { Motion::Rest(pose_a) } else { dice.motion(pose_a, end_a) };
    Scene { a: (plate, motion_a), b: (bullet, dice.motion(pose_b, end_b)) }
}

fn check(
    scene: &Scene,
    tolerance: f64,
    asker: &mut Asker,
    at_rest: &mut kontakt_mesh::Asker,
    tally: &mut Tally,
) {
    let (a, b) = (&scene.a, &scene.b);
    let options = Options { tolerance, ..Options::default() };
    let answer =
        asker.impact(Moving { mesh: a.0, motion: &a.1 }, Moving { mesh: b.0, motion: &b.1 }, &options);
    let placed = |t: f64| (Placed::new(a.0, a.1.pose_at(t)), Placed::new(b.0, b.1.pose_at(t)));
    let until = match answer {
        Impact::Free { initial } => {
            tally.free += 1;
            tally.touching += u32::from(initial == Initial::Touching);
            2.0
        }
        Impact::Contact { initial: Initial::Overlapping, .. } => {
            tally.overlapping += 1;
            return;
        }
        Impact::Contact { time, .. } => {
            tally.contact += 1;
            tally.wide += u32::from(time.width() > 1.02 * tolerance);
            let (x, y) = placed(time.lo());
            // Not before the bodies are within what they move in the tolerance: speeds here are below 6000.
            tally.early += u32::from(at_rest.distance(x, y).range.lo() > 6000.0 * tolerance + 1e-9);
            time.lo()
        }
        Impact::Undecided { free_until, .. } => {
            tally.undecided += 1;
            free_until
        }
    };
    let limit = until.min(1.0);
    let mut nearest = (f64::INFINITY, 0.0);
    for sample in 0..=SAMPLES {
        let t = f64::from(sample) / f64::from(SAMPLES) * limit;
        if t > until - 1e-12 {
            break;
        }
        let (x, y) = placed(t);
        if at_rest.any_contact(x, y).is_some() {
            tally.missed += 1;
            println!("MISSED at {t}: {answer:?}\n{:?}\n{:?}", a.1, b.1);
            return;
        }
        if sample % 10 == 0 {
            let distance = at_rest.distance(x, y).range.hi();
            if distance < nearest.0 {
                nearest = (distance, t);
            }
        }
    }
    // Once more where they come nearest, in ever finer steps.
    let mut step = 10.0 * limit / f64::from(SAMPLES);
    for _ in 0..24 {
        for t in [nearest.1 - step, nearest.1 + step] {
            if !(0.0..=limit).contains(&t) || t > until - 1e-12 {
                continue;
            }
            let (x, y) = placed(t);
            if at_rest.any_contact(x, y).is_some() {
                tally.missed += 1;
                println!("MISSED at {t}: {answer:?}\n{:?}\n{:?}", a.1, b.1);
                return;
            }
            let distance = at_rest.distance(x, y).range.hi();
            if distance < nearest.0 {
                nearest = (distance, t);
            }
        }
        step *= 0.6;
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let count: u32 = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(2000);
    let seed: u64 = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(1);
    let bodies = [
        block(DVec3::new(0.5, 0.7, 0.3)),
        block(DVec3::new(1.2, 0.1, 0.1)),
        bumpy_sphere(6, 0.1),
        wavy_torus(12, 6, 0.3, 0.3),
        block(DVec3::new(1.0, 1.0, 1e-6)),
    ];
    let (plate, bullet) = (block(DVec3::new(2.0, 2.0, 1e-9)), block(DVec3::new(0.02, 0.01, 0.015)));
    let mut dice = Dice::new(seed);
    let (mut asker, mut at_rest) = (Asker::new(), kontakt_mesh::Asker::new());
    let mut tallies = [Tally::default(); 5];
    for round in 0..count {
        let family = (round % 5) as usize;
        let scene = match family {
            0 => random(&mut dice, &bodies),
            1 | 4 => grazing(&mut dice, &bodies, &mut at_rest, family == 4),
            2 => spinning(&mut dice, &bodies),
            _ => thin(&mut dice, &plate, &bullet),
        };
        let tolerance = [1e-4, 1e-6, 1e-9][(round / 5 % 3) as usize];
        check(&scene, tolerance, &mut asker, &mut at_rest, &mut tallies[family]);
    }
    for (name, t) in FAMILIES.iter().zip(tallies) {
        println!(
            "{name}: free {}, contact {}, overlapping {}, undecided {}, MISSED {}, early {}, wide {}",
            t.free, t.contact, t.overlapping, t.undecided, t.missed, t.early, t.wide
        );
    }
}
