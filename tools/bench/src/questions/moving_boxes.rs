//! When do two moving boxes first meet?

use crate::bench::Bench;
use crate::contest::{Contender, Effort, hold};
use crate::data::flights::Flights;
use crate::product;
use crate::questions::moving_scene::{
    Counts, deviations, ends, parry, peers, sampled_misses, spread, verdicts, widest,
};
use crate::report::{Fact, Ratio, Row, Table, Time, Unit};
use crate::rigid_help::flights::{Between, Flight};

/// Width of the times asked for.
const WIDTH: f64 = 1e-9;
/// Motions of a case.
const COUNT: usize = 1000;

const CASES: [Flight; 5] = [
    Flight { far: 3.0, aside: 0.0, both: true, between: Between::Slerp },
    Flight { far: 3.0, aside: 0.0, both: false, between: Between::Slerp },
    Flight { far: 3.0, aside: 1.2, both: true, between: Between::Slerp },
    Flight { far: 3.0, aside: 0.0, both: true, between: Between::Nlerp },
    Flight { far: 3.0, aside: 0.0, both: true, between: Between::Screw },
];

pub(super) fn ask(bench: &mut Bench) -> Table {
    let effort = bench.effort(9, 1, 2.0);
    let mut rows = Vec::new();
    for flight in CASES {
        let flights = Flights::boxes(flight, COUNT, bench.seed);
        if bench.wants(&flights.name) {
            rows.push(row(bench, &flights, effort));
        }
    }
    Table {
        key: "boxes",
        title: "Two moving boxes: first contact",
        target: "8 µs a motion, both boxes moving, certified to 1e-9; no miss",
        notes: "Mean time of a motion over 1000: straight through the other box, turning by up to 170°. kontakt gives bounds 1e-9 apart (\"verdicts\": contact, free, \
                undecided; the boxes are meshes of 12 triangles to it). parry: `cast_shapes_nonlinear` of cuboids. FCL: boxes with libccd, conservative advancement with its default error of 1e-4, \
                and tests at 20 places. Peers' times are compared with the certified ones; \"late\" and \"early\" are the largest. Sampled misses: motions with a contact before the time kontakt \
                reports, by exact tests at some 250 times each.",
        unit: Unit::Microseconds,
        effort,
        rows,
    }
}

fn row(bench: &mut Bench, flights: &Flights, effort: Effort) -> Row {
    let counts = Counts { parry: COUNT, advance: COUNT, naive: COUNT };
    let parry = parry(bench, flights, counts);
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
    let [median, _, p99, most] = spread(product::moving::each(flights, WIDTH)).map(|seconds| 1e6 * seconds);
    let missed = sampled_misses(flights, &truth, COUNT);
    let wide = widest(&truth);
    let mut facts = vec![
        Fact::plain("kontakt median/p99/max, µs", format!("{median:.1}/{p99:.1}/{most:.0}")),
        Fact::plain("verdicts", verdicts(&truth)),
        Fact::judged("widest", format!("{wide:.0e}"), wide <= 1.02 * WIDTH),
        Fact::judged("sampled misses", missed.to_string(), missed == 0),
    ];
    facts.extend(deviations(&outcomes, &truth));
    let ours = times.iter().find(|time| time.contender == "kontakt").and_then(|time| time.least);
    let ratio = ours.map(|seconds| Ratio {
        against: "8 µs",
        value: seconds / 8e-6,
        of_medians: None,
        at_most: flights.plain.then_some(1.0),
    });
    Row { case: flights.name.clone(), size: flights.size(), times, ratio, facts }
}
