//! Steps of a crowded world.

use crate::bench::Bench;
use crate::contest::hold;
use crate::parry_world;
use crate::product::world::{self, Steps};
use crate::report::{Fact, Ratio, Row, Table, Time, Unit};

/// Steps of a call; of the peer, which takes much longer, fewer.
const STEPS: usize = 100;
const PEER_STEPS: usize = 4;
/// Seconds that a step may take.
const MOST: f64 = 5e-3;

pub(super) fn ask(bench: &mut Bench) -> Table {
    let effort = bench.effort(5, 1, 30.0);
    let mut rows = Vec::new();
    for (case, pressing) in [("wandering", false), ("pressing", true)] {
        if !bench.wants(case) {
            continue;
        }
        let mut contenders = Vec::new();
        if !bench.peers_only {
            match world::contender(pressing, STEPS) {
                Ok(contender) => contenders.push(contender),
                Err(problem) => bench.skip(format!("{case}: {problem}")),
            }
        }
        match parry_world::contender(pressing, PEER_STEPS) {
            Ok(contender) => contenders.push(contender),
            Err(problem) => bench.skip(format!("{case}, parry: {problem}")),
        }
        let outcomes = hold(contenders, effort);
        let times: Vec<Time> = outcomes.iter().map(Time::from).collect();
        let own = outcomes.iter().find(|outcome| outcome.name == "kontakt");
        let mut facts = Vec::new();
        if let Some((own, last)) = own.and_then(|own| Some((own, own.answers.last()?))) {
            let per = |count: usize| format!("{:.0}", count as f64 / STEPS as f64);
            let Steps { candidates, stopped, slowest } = *last;
            facts.push(Fact::plain("candidates", per(candidates)));
            facts.push(Fact::plain("stopped", per(stopped)));
            let median = own.median().unwrap_or(f64::INFINITY);
            facts.push(Fact::judged("mean step", format!("{:.2} ms", median * 1e3), median <= MOST));
            facts.push(Fact::plain("slowest", format!("{:.1} ms", slowest * 1e3)));
        }
        let ratio = Ratio::of(&times, "kontakt", "parry", None);
        rows.push(Row { case: case.into(), size: "1000 × 980".into(), ratio, times, facts });
    }
    Table {
        key: "step",
        title: "Steps of a crowded world",
        target: "5 ms for a certified continuous step of 1000 bodies, 50 of them moving",
        notes: "1000 bumpy balls of 980 faces on a lattice, 2 to 2.4 across and 2.3 apart; 50 of them wander, by up to 0.04 along each axis and a turn of 3 degrees per step. \
                Wandering: what is stopped turns to another way. Pressing: it goes on, so that most are stopped in every step. kontakt proves every motion free or stops before the contact, and what \
                meets a stopped one is asked again; parry is its tree over swept boxes and `cast_shapes_nonlinear` for every pair, which proves nothing, each mover going to 0.999 of its earliest time. One thread. A call is 100 steps (parry 4), the time is the \
                mean of one.",
        unit: Unit::Milliseconds,
        effort,
        rows,
    }
}
