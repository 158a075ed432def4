//! When do two moving boxes first meet?

use crate::bench::Bench;
use crate::contest::Effort;
use crate::data::flights::Flights;
use crate::questions::moving_scene::{self, Counts, Question};
use crate::report::{Fact, Ratio, Row, Table, Unit};

/// Width of the times asked for.
const WIDTH: f64 = 1e-9;
/// Motions of a case.
const COUNT: usize = 1000;

pub(super) fn ask(bench: &mut Bench) -> Table {
    let effort = bench.effort(9, 1, 2.0);
    let mut rows = Vec::new();
    for flight in moving_scene::cases(3.0, 1.2) {
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
    let question = Question { width: WIDTH, counts, sampled: COUNT };
    let row = moving_scene::row(bench, flights, question, effort, |seconds| {
        let [median, _, p99, most] = seconds.map(|seconds| 1e6 * seconds);
        Fact::plain("kontakt median/p99/max, µs", format!("{median:.1}/{p99:.1}/{most:.0}"))
    });
    let ours = row.times.iter().find(|time| time.contender == "kontakt").and_then(|time| time.least);
    let ratio = ours.map(|seconds| Ratio {
        against: "8 µs",
        value: seconds / 8e-6,
        of_medians: None,
        at_most: flights.plain.then_some(1.0),
    });
    Row { ratio, ..row }
}
