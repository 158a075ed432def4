//! Does anybody miss a contact?

use crate::bench::Bench;
use crate::clock::timed;
use crate::data::flights::Flights;
use crate::parry_moving::Bodies as Parry;
use crate::questions::moving_scene::{Counts, Deviations, peers};
use crate::report::{Fact, Row, Table, Time, Unit};
use kontakt::answers::{Impact, Initial};
use kontakt::math::Motion;
use kontakt::rigid_ccd::MotionQuery;
use std::collections::BTreeMap;
use testbodies::moving::Dice;
use testbodies::moving::hunt::{Bodies, Family, Scene, check};

/// Motions of each kind that peers are asked about.
const OF_PEERS: usize = 300;

pub(super) fn ask(bench: &mut Bench) -> Table {
    let effort = bench.effort(1, 1, 1.0);
    let motions = bench.pairs.unwrap_or(if bench.quick { 400 } else { 100_000 });
    let bodies = Bodies::default();
    let mut rows = Vec::new();
    for (number, family) in Family::ALL.into_iter().enumerate() {
        if bench.wants(family.name()) {
            rows.push(row(bench, &bodies, family, motions / Family::ALL.len() as u64, number as u64));
        }
    }
    Table {
        key: "misses",
        title: "Missed contacts",
        target: "0 missed over 100000 motions, none reported too early or too wide",
        notes: "Small bodies (12 to 264 triangles, plates of 1e-6 and 1e-9 among them), one or both moving by slerp, nlerp, screws or helices of several turns, asked to 1e-4, 1e-6 and 1e-9 in turn. \
                Every answer is held against exact tests at some 250 times before the time reported, in ever finer steps where the bodies come nearest. Peers are asked about the first \
                motions of each kind that are straight with slerp, as meshes, and compared with the certified times. Time is the mean of a motion.",
        unit: Unit::Microseconds,
        effort,
        rows,
    }
}

/// Counts of kontakt's answers.
#[derive(Default)]
struct Tally {
    contact: u64,
    free: u64,
    overlapping: u64,
    undecided: u64,
    missed: u64,
    early: u64,
    wide: u64,
}

fn row(bench: &mut Bench, bodies: &Bodies, family: Family, motions: u64, number: u64) -> Row {
    let mut dice = Dice::new(bench.seed * Family::ALL.len() as u64 + number + 1);
    let (mut asker, mut at_rest) = (MotionQuery::new(), kontakt::mesh::MeshQuery::new());
    let mut tally = Tally::default();
    let mut seconds = 0.0;
    let mut groups: BTreeMap<[usize; 2], (Flights, Vec<Impact>)> = BTreeMap::new();
    let mut grouped = 0;
    for round in 0..motions {
        let scene = bodies.scene(family, &mut dice, &mut at_rest);
        let tolerance = [1e-4, 1e-6, 1e-9][(round % 3) as usize];
        let [a, b] = scene.moving();
        let options = kontakt::rigid_ccd::MotionOptions { tolerance, ..Default::default() };
        seconds += timed(|| std::hint::black_box(asker.impact(a, b, &options))).0;
        let checked = check(&scene, tolerance, &mut asker, &mut at_rest);
        match checked.answer {
            Impact::Free { .. } => tally.free += 1,
            Impact::Contact { initial: Initial::Overlapping, .. } => tally.overlapping += 1,
            Impact::Contact { .. } => tally.contact += 1,
            Impact::Undecided { .. } => tally.undecided += 1,
        }
        tally.missed += u64::from(checked.missed.is_some());
        tally.early += u64::from(checked.early);
        tally.wide += u64::from(checked.wide);
        if grouped < OF_PEERS && is_plain(&scene) {
            let key = [scene.a.0, scene.b.0].map(|mesh| std::ptr::from_ref(mesh) as usize);
            let (flights, truth) = groups.entry(key).or_insert_with(|| {
                let bodies = [scene.a.0.clone(), scene.b.0.clone()];
                let name = family.name().to_owned();
                (Flights { name, bodies, halves: None, motions: Vec::new(), plain: true }, Vec::new())
            });
            flights.motions.push([scene.a.1, scene.b.1]);
            truth.push(checked.answer);
            grouped += 1;
        }
    }
    let mut times = vec![Time {
        contender: "kontakt",
        least: Some(seconds / motions.max(1) as f64),
        median: Some(seconds / motions.max(1) as f64),
        calls: 1,
        error: None,
    }];
    let mut facts = vec![
        Fact::plain(
            "contact/free/overlapping/undecided",
            format!("{}/{}/{}/{}", tally.contact, tally.free, tally.overlapping, tally.undecided),
        ),
        Fact::judged("missed", tally.missed.to_string(), tally.missed == 0),
        Fact::judged("too early", tally.early.to_string(), tally.early == 0),
        Fact::judged("too wide", tally.wide.to_string(), tally.wide == 0),
    ];
    of_peers(bench, groups.values(), &mut times, &mut facts);
    Row { case: family.name().to_owned(), size: format!("{motions} motions"), times, ratio: None, facts }
}

/// Whether both motions are what peers know: the origin goes straight, slerp about it.
fn is_plain(scene: &Scene) -> bool {
    [&scene.a.1, &scene.b.1].into_iter().all(|motion| match motion {
        Motion::Rest(_) => true,
        Motion::Slerp(_) => {
            let [start, middle, end] = [0.0, 0.5, 1.0].map(|t| motion.pose_at(t).translation());
            (start.midpoint(end) - middle).length() <= 1e-9 * (1.0 + start.length() + end.length())
        }
        _ => false,
    })
}

/// Asks parry and FCL about all groups.
fn of_peers<'a>(
    bench: &mut Bench,
    groups: impl Iterator<Item = &'a (Flights, Vec<Impact>)>,
    times: &mut Vec<Time>,
    facts: &mut Vec<Fact>,
) {
    let file = bench.scratch.path("flights");
    let columns = [
        ("parry f64", "parry f64 against certified"),
        ("FCL advancement", "FCL advancement against certified"),
        ("FCL 20 samples", "FCL 20 samples against certified"),
    ];
    let mut sums: BTreeMap<&str, (f64, usize, Deviations)> = BTreeMap::new();
    for (flights, truth) in groups {
        let count = flights.motions.len();
        let parry = Parry::of(flights, count).ok();
        let counts = Counts { parry: count, advance: count, naive: count };
        for mut contender in peers(&mut bench.peers, parry.as_ref(), flights, counts, &file) {
            if let Ok((seconds, answers)) = (contender.run)() {
                let sum = sums.entry(contender.name).or_default();
                *sum = (
                    sum.0 + seconds * count as f64,
                    sum.1 + count,
                    sum.2.and(Deviations::of(&answers, truth)),
                );
            }
        }
    }
    for (name, column) in columns {
        if let Some((seconds, count, found)) = sums.get(name) {
            let mean = Some(seconds / *count as f64);
            times.push(Time { contender: name, least: mean, median: mean, calls: 1, error: None });
            facts.push(Fact::plain(column, found.words()));
        }
    }
}
