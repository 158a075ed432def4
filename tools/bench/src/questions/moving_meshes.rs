//! When do two moving meshes first meet?

use crate::bench::Bench;
use crate::contest::{Contender, Effort, hold};
use crate::data::flights::Flights;
use crate::product;
use crate::questions::moving_scene::{
    Counts, deviations, ends, parry, peers, sampled_misses, spread, verdicts, widest,
};
use crate::report::{Fact, Row, Table, Time, Unit};
use crate::rigid_help::flights::{Between, Flight};

/// Width of the times asked for.
const WIDTH: f64 = 1e-6;
/// Motions of a case.
const COUNT: usize = 100;

const CASES: [Flight; 5] = [
    Flight { far: 4.0, aside: 0.0, both: true, between: Between::Slerp },
    Flight { far: 4.0, aside: 0.0, both: false, between: Between::Slerp },
    Flight { far: 4.0, aside: 2.1, both: true, between: Between::Slerp },
    Flight { far: 4.0, aside: 0.0, both: true, between: Between::Nlerp },
    Flight { far: 4.0, aside: 0.0, both: true, between: Between::Screw },
];

pub(super) fn ask(bench: &mut Bench) -> Table {
    let effort = bench.effort(3, 1, 3.0);
    let mut rows = Vec::new();
    for (number, flight) in CASES.into_iter().enumerate() {
        let flights = Flights::meshes(flight, COUNT, bench.seed);
        if bench.wants(&flights.name) {
            // parry takes seconds a motion: few, and of the first case only.
            let parry = if number == 0 { 2 } else { 0 };
            rows.push(row(bench, &flights, Counts { parry, advance: 5, naive: COUNT }, effort));
        }
    }
    Table {
        key: "meshes",
        title: "Two moving meshes: first contact",
        target: "certified to 1e-6 in time: median 10 ms, worst 100 ms; no miss",
        notes: "Mean time of a motion over 100 (parry: 2 of the first case, FCL's advancement: 5): a bumpy ball and a wavy ring fly at each other, or past one another, and turn by up to 170°. \
                kontakt gives bounds 1e-6 apart. parry: `cast_shapes_nonlinear` of two `TriMesh`es. FCL: `BVHModel` of OBBRSS, conservative advancement, and tests at 20 places. \
                Sampled misses: motions, of the first 20, with a contact before the time kontakt reports, by exact tests at some 250 times each.",
        unit: Unit::Milliseconds,
        effort,
        rows,
    }
}

fn row(bench: &mut Bench, flights: &Flights, counts: Counts, effort: Effort) -> Row {
    let parry = if counts.parry > 0 { parry(bench, flights, counts) } else { None };
    let file = bench.scratch.path("flights");
    let mut all = Vec::new();
    if !bench.peers_only {
        all.push(Contender::new("kontakt", || {
            let (seconds, impacts) = product::moving::impacts(flights, WIDTH);
            Ok((seconds / impacts.len() as f64, ends(&impacts)))
        }));
    }
    all.extend(peers(&mut bench.peers, parry.as_ref(), flights, counts, &file));
    let outcomes = hold(all, effort);
    let times: Vec<Time> = outcomes.iter().map(Time::from).collect();
    let (_, truth) = product::moving::impacts(flights, WIDTH);
    let [median, p90, _, most] = spread(product::moving::each(flights, WIDTH)).map(|seconds| 1e3 * seconds);
    let missed = sampled_misses(flights, &truth, 20);
    let wide = widest(&truth);
    let fast = median <= 10.0 && most <= 100.0;
    let mut facts = vec![
        Fact::judged("kontakt median/p90/max, ms", format!("{median:.2}/{p90:.2}/{most:.1}"), fast),
        Fact::plain("verdicts", verdicts(&truth)),
        Fact::judged("widest", format!("{wide:.0e}"), wide <= 1.02 * WIDTH),
        Fact::judged("sampled misses", missed.to_string(), missed == 0),
    ];
    facts.extend(deviations(&outcomes, &truth));
    Row { case: flights.name.clone(), size: flights.size(), times, ratio: None, facts }
}
