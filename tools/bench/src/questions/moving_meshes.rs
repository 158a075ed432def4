//! When do two moving meshes first meet?

use crate::bench::Bench;
use crate::data::flights::Flights;
use crate::questions::moving_scene::{self, Counts, Question};
use crate::report::{Fact, Table, Unit};

/// Width of the times asked for.
const WIDTH: f64 = 1e-6;
/// Motions of a case.
const COUNT: usize = 100;

pub(super) fn ask(bench: &mut Bench) -> Table {
    let effort = bench.effort(3, 1, 3.0);
    let mut rows = Vec::new();
    for (number, flight) in moving_scene::cases(4.0, 2.1).into_iter().enumerate() {
        let flights = Flights::meshes(flight, COUNT, bench.seed);
        if bench.wants(&flights.name) {
            // parry takes seconds a motion: few, and of the first case only.
            let parry = if number == 0 { 2 } else { 0 };
            let counts = Counts { parry, advance: 5, naive: COUNT };
            let question = Question { width: WIDTH, counts, sampled: 20 };
            rows.push(moving_scene::row(bench, &flights, question, effort, spread));
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

/// Milliseconds of the motions, held against the target.
fn spread(seconds: [f64; 4]) -> Fact {
    let [median, p90, _, most] = seconds.map(|seconds| 1e3 * seconds);
    let fast = median <= 10.0 && most <= 100.0;
    Fact::judged("kontakt median/p90/max, ms", format!("{median:.2}/{p90:.2}/{most:.1}"), fast)
}
