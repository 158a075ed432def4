//! A gas of elastic spheres until its speeds are those of a gas in equilibrium.

use crate::bench::Bench;
use crate::contest::hold;
use crate::data::atoms::{Atoms, SPEED};
use crate::product::gas;
use crate::rapier;
use crate::report::{Fact, Row, Table, Time, Unit};

const SIDE: usize = 40;
/// Of each sphere.
const COLLISIONS: f64 = 20.0;
/// CPU seconds that pass.
const MOST: f64 = 6.0;
/// Mean, variance, median, skewness of the speeds in equilibrium, and four standard deviations of a sample of 64,000; of the
/// distance between the shares, the limit alone.
const MEANT: [(&str, f64, f64); 5] = [
    ("mean", 9.2132, 0.016),
    ("variance", 15.117, 0.28),
    ("median", 8.8806, 0.055),
    ("skewness", 0.4857, 0.041),
    ("distance of shares", 0.0, 0.0077),
];

pub(super) fn ask(bench: &mut Bench) -> Table {
    let effort = bench.effort(3, 1, 15.0);
    let atoms = Atoms::new(SIDE, 1);
    let ours = hold(vec![gas::contender(&atoms, COLLISIONS)], effort);
    let mut rows = Vec::new();
    let mut time = None;
    if let Some((end, speeds)) = ours[0].answers.first() {
        time = Some(*end);
        let least = ours[0].least().unwrap_or(f64::INFINITY);
        let mut facts = vec![Fact::judged("seconds", format!("{least:.2}"), least <= MOST)];
        facts.extend(found(speeds, true));
        rows.push(row("from contact to contact", Time::from(&ours[0]), facts));
    }
    if let Some(time) = time.filter(|_| !bench.quick) {
        let theirs = hold(vec![rapier::double::gas("rapier f64", &atoms, time)], bench.effort(1, 1, 1.0));
        let mut facts = vec![Fact::plain("seconds", format!("{:.0}", theirs[0].least().unwrap_or(f64::NAN)))];
        facts.extend(theirs[0].answers.first().into_iter().flat_map(|speeds| found(speeds, false)));
        rows.push(row("rapier f64, steps of 5 ms to the same time", Time::from(&theirs[0]), facts));
    }
    Table {
        key: "gas",
        title: "A gas of 64,000 elastic spheres, 20 collisions each",
        target: "6 s on one thread; speeds as those of a gas in equilibrium to four standard deviations of such a sample; their mean square kept to 1e-12",
        notes: "Spheres of radius 0.5 on a lattice of spacing 2, all with speed 10 in random directions. kontakt: a periodic cube, from contact to contact, without steps. rapier has no periodic walls: \
                a closed box of the same size, once, everything by default but restitution 1 and friction 0. The distance of shares is that of Kolmogorov and Smirnov.",
        unit: Unit::Milliseconds,
        effort,
        rows,
    }
}

fn row(case: &str, time: Time, facts: Vec<Fact>) -> Row {
    Row { case: case.into(), size: (SIDE * SIDE * SIDE).to_string(), times: vec![time], ratio: None, facts }
}

fn found(speeds: &[f64], judged: bool) -> Vec<Fact> {
    let speeds = gas::speeds(speeds);
    let square = SPEED * SPEED;
    let fact = |column, value: String, pass| {
        if judged { Fact::judged(column, value, pass) } else { Fact::plain(column, value) }
    };
    let distance = speeds.distance_from_equilibrium(square);
    let values = [speeds.mean, speeds.variance, speeds.median, speeds.skewness, distance];
    let mut facts: Vec<Fact> = MEANT
        .into_iter()
        .zip(values)
        .map(|((column, meant, by), value)| fact(column, format!("{value:.4}"), (value - meant).abs() <= by))
        .collect();
    let change = speeds.mean_square / square - 1.0;
    facts.push(fact("change of the mean square", format!("{change:.1e}"), change.abs() <= 1e-12));
    facts
}
