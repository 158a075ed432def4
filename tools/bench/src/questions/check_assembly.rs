//! Whole assemblies checked, with interference, volume and place of every overlap.

use crate::bench::Bench;
use crate::contest::hold;
use crate::product::check::{self, Checked};
use crate::report::{Fact, Row, Table, Time, Unit};
use testbodies::assembly::{Faults, Part, bolted_grid, gearbox};

/// A case: name, parts, threads, and the seconds it may take.
type Case = (&'static str, fn() -> Vec<Part>, usize, f64);

const CASES: [Case; 3] = [
    ("gearbox, three faults", || gearbox(Faults::ALL), 2, 2.0),
    ("bolted grid, 100 bodies", || bolted_grid(5, 5), 1, 0.3),
    ("bolted grid, 1000 bodies", || bolted_grid(10, 25), 1, 3.0),
];
/// Growth from the small grid to the large one that passes.
const GROWTH: f64 = 11.0;

pub(super) fn ask(bench: &mut Bench) -> Table {
    let effort = bench.effort(5, 1, 30.0);
    let mut rows = Vec::new();
    let mut small_grid: Option<f64> = None;
    for (case, parts, threads, most) in CASES {
        if !bench.wants(case) || bench.peers_only {
            continue;
        }
        let parts = parts();
        let contender = match check::contender(&parts, threads) {
            Ok(contender) => contender,
            Err(problem) => {
                bench.skip(format!("{case}: {problem}"));
                continue;
            }
        };
        let outcomes = hold(vec![contender], effort);
        let mut facts = vec![Fact::plain("threads", threads.to_string())];
        if let (Some(median), Some(last)) = (outcomes[0].median(), outcomes[0].answers.last()) {
            let Checked { forbidden, near, cpu } = *last;
            facts.push(Fact::judged("at most", format!("{most} s"), median <= most));
            facts.push(Fact::plain("touching or deeper", near.to_string()));
            facts.push(Fact::plain("clashes", forbidden.to_string()));
            facts.push(Fact::plain("CPU of all threads", format!("{:.0} ms", cpu * 1e3)));
            match small_grid {
                None if case.contains("100 bodies") => small_grid = Some(median),
                Some(small) => {
                    let growth = median / small;
                    facts.push(Fact::judged("ten times as many", format!("{growth:.1}"), growth <= GROWTH));
                }
                None => {}
            }
        }
        let size = format!("{} bodies", parts.len());
        rows.push(Row {
            case: case.into(),
            size,
            times: outcomes.iter().map(Time::from).collect(),
            facts,
            ..Row::default()
        });
    }
    Table {
        key: "assembly",
        title: "Whole assemblies",
        target: "the gearbox in 2 s on two threads; the grids in 0.3 and 3 s on one, ten times as many bodies at most 11 times as long",
        notes: "What `kontakt check --deviation auto` does once its file is read: all pairs, with certified interference, volume and place of every overlap. The gearbox has 52 parts: round fits of one \
                nominal diameter tessellated apart, flush faces, quarter turns, single precision; three faults are planted, and are the clashes. The grids are flush blocks in two layers, a ring between them and a bolt per column; \
                every block touches four to six others. Parts are made by `testbodies::assembly`.",
        unit: Unit::Milliseconds,
        effort,
        rows,
    }
}
