//! Hunts for missed contacts: random motions, grazes, spins and thin plates against exact tests at many times.
//!
//! `cargo run --release --example miss_hunt -- 100000 [SEED]` prints, per family, how many were free, in contact, undecided, and how many
//! samples before the certified time were in contact (must be 0). `cargo xtask bench moving misses` does the same beside peers.
#![allow(missing_docs, reason = "an example")]

use kontakt_answers::{Impact, Initial};
use kontakt_rigid_ccd::MotionQuery;
use testbodies::moving::Dice;
use testbodies::moving::hunt::{Bodies, Family, check};

#[derive(Default, Clone, Copy)]
struct Tally {
    free: u32,
    contact: u32,
    overlapping: u32,
    undecided: u32,
    missed: u32,
    early: u32,
    wide: u32,
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let count: u32 = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(2000);
    let seed: u64 = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(1);
    let bodies = Bodies::default();
    let mut dice = Dice::new(seed);
    let (mut asker, mut at_rest) = (MotionQuery::new(), kontakt_mesh::MeshQuery::new());
    let mut tallies = [Tally::default(); 5];
    for round in 0..count {
        let family = (round % 5) as usize;
        let scene = bodies.scene(Family::ALL[family], &mut dice, &mut at_rest);
        let tolerance = [1e-4, 1e-6, 1e-9][(round / 5 % 3) as usize];
        let checked = check(&scene, tolerance, &mut asker, &mut at_rest);
        let tally = &mut tallies[family];
        match checked.answer {
            Impact::Free { .. } => tally.free += 1,
            Impact::Contact { initial: Initial::Overlapping, .. } => tally.overlapping += 1,
            Impact::Contact { .. } => tally.contact += 1,
            Impact::Undecided { .. } => tally.undecided += 1,
        }
        tally.early += u32::from(checked.early);
        tally.wide += u32::from(checked.wide);
        if let Some(t) = checked.missed {
            tally.missed += 1;
            println!("MISSED at {t}: {:?}\n{:?}\n{:?}", checked.answer, scene.a.1, scene.b.1);
        }
    }
    for (family, t) in Family::ALL.iter().zip(tallies) {
        println!(
            "{}: free {}, contact {}, overlapping {}, undecided {}, MISSED {}, early {}, wide {}",
            family.name(),
            t.free,
            t.contact,
            t.overlapping,
            t.undecided,
            t.missed,
            t.early,
            t.wide
        );
    }
}
