//! One step of a pile that nearly rests, and how deep its bodies lie in each other.

use crate::bench::Bench;
use crate::contest::{Contender, Outcome, hold};
use crate::data::heap::{Grain, Heap};
use crate::product::pile::{self, Stepped};
use crate::rapier;
use crate::report::{Fact, Ratio, Row, Table, Time, Unit};

const COUNT: usize = 3000;
/// Steps before the clock runs, in which everybody makes the pile its own; and of a call.
const BEFORE: usize = 200;
const STEPS: usize = 20;
/// The greatest parts of rapier's time and mean depth that pass.
const TIME: f64 = 0.7;
const DEPTH: f64 = 1.0 / 20.0;

pub(super) fn ask(bench: &mut Bench) -> Table {
    let effort = bench.effort(7, 1, 20.0);
    let mut rows = Vec::new();
    for (case, grain) in [("spheres", Grain::Sphere), ("cubes", Grain::Cube)] {
        if !bench.wants(case) {
            continue;
        }
        let (heap, contenders) = match started(grain) {
            Ok(started) => started,
            Err(problem) => {
                bench.skip(format!("{case}: {problem}"));
                continue;
            }
        };
        let outcomes = hold(contenders, effort);
        let times: Vec<Time> = outcomes.iter().map(Time::from).collect();
        let mut facts = Vec::new();
        if let Some(contacts) = outcomes[0].answers.last().and_then(|stepped| stepped.contacts) {
            facts.push(Fact::plain("our contact points", contacts.to_string()));
        }
        facts.extend(depths(&heap, &outcomes));
        let ratio = Ratio::of(&times, "kontakt", "rapier f64", Some(TIME));
        rows.push(Row { case: case.into(), size: COUNT.to_string(), times, ratio, facts });
    }
    Table {
        key: "pile",
        title: "A step of a pile that nearly rests",
        target: "at most 0.7 of rapier's time in double precision, at no more than a twentieth of its mean depth",
        notes: "3000 spheres of diameter 1.2, or cubes of edge 1.2, have fallen at random into a box 14.4 wide and been left for 16 s (kontakt did that; places and turns are kept in \
                target/bench-piles, and nothing else is loaded). Everybody loads that state and goes on: gravity 10, friction 0.1, restitution 0, steps of 5 ms, nobody sleeps. The first 200 steps are not \
                measured; a call is 20 steps, the time is the mean of one. kontakt: its default solver, 16 sweeps and 10 of shifts, contacts of up to four points a pair, kept where a pair moved by less than 2e-3 of its size. rapier: all as it is by default (4 \
                iterations, contacts kept where a pair hardly moved), walls and floor as boxes. Depths are those of kontakt's exact contacts at the end of the last call for everybody, the mean over pairs that \
                overlap of the deepest point of each, in widths of a body. One thread.",
        unit: Unit::Milliseconds,
        effort,
        rows,
    }
}

type Started = (Heap, Vec<Contender<'static, Stepped>>);

fn started(grain: Grain) -> Result<Started, String> {
    let heap = Heap::new(grain, COUNT)?;
    let contenders = vec![
        pile::contender(&heap, BEFORE, STEPS)?,
        rapier::double::contender("rapier f64", &heap, BEFORE, STEPS),
        rapier::single::contender("rapier f32", &heap, BEFORE, STEPS),
    ];
    Ok((heap, contenders))
}

fn depths(heap: &Heap, outcomes: &[Outcome<Stepped>]) -> Vec<Fact> {
    let of = |name: &str| {
        let outcome = outcomes.iter().find(|outcome| outcome.name == name)?;
        pile::depths(heap, &outcome.answers.last()?.places).ok()
    };
    let (ours, double, single) = (of("kontakt"), of("rapier f64"), of("rapier f32"));
    let shown = |depths: Option<[f64; 2]>| {
        depths.map_or("–".to_owned(), |[mean, greatest]| format!("{mean:.1e}, {greatest:.1e}"))
    };
    let mut facts = vec![
        Fact::plain("our depth, mean and greatest", shown(ours)),
        Fact::plain("rapier f64's", shown(double)),
        Fact::plain("rapier f32's", shown(single)),
    ];
    if let (Some([ours, _]), Some([theirs, _])) = (ours, double) {
        facts.push(Fact::judged(
            "mean depth / rapier f64's",
            format!("{:.4}", ours / theirs),
            ours <= DEPTH * theirs,
        ));
    }
    facts
}
