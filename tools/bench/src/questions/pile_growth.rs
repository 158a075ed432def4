//! How the step of a pile grows with the number of its bodies.

use crate::bench::Bench;
use crate::contest::hold;
use crate::data::heap::{Grain, Heap};
use crate::product::pile;
use crate::report::{Fact, Row, Table, Time, Unit};

const COUNTS: [usize; 3] = [3_000, 30_000, 300_000];
/// Growth from one count to the next that passes.
const GROWTH: f64 = 11.5;
/// Steps before the clock runs, and of a call.
const BEFORE: usize = 20;
const STEPS: usize = 5;

pub(super) fn ask(bench: &mut Bench) -> Table {
    let effort = bench.effort(3, 1, 10.0);
    let mut rows = Vec::new();
    let mut last: Option<f64> = None;
    for count in COUNTS {
        let case = format!("{count} spheres");
        if !bench.wants(&case) || bench.quick && count == COUNTS[2] {
            continue;
        }
        let contender =
            Heap::new(Grain::Sphere, count).and_then(|heap| pile::contender(&heap, BEFORE, STEPS));
        let contender = match contender {
            Ok(contender) => contender,
            Err(problem) => {
                bench.skip(format!("{case}: {problem}"));
                continue;
            }
        };
        let outcomes = hold(vec![contender], effort);
        let times: Vec<Time> = outcomes.iter().map(Time::from).collect();
        let mut facts = Vec::new();
        if let Some(contacts) = outcomes[0].answers.last().and_then(|stepped| stepped.contacts) {
            facts.push(Fact::plain("contacts", contacts.to_string()));
        }
        let ours = times[0].least;
        if let (Some(ours), Some(before)) = (ours, last) {
            let growth = ours / before;
            facts.push(Fact::judged("ten times as many", format!("{growth:.1}"), growth <= GROWTH));
        }
        last = ours;
        rows.push(Row { case, size: count.to_string(), ratio: None, times, facts });
    }
    Table {
        key: "growth",
        title: "A step of ten times as many spheres",
        target: "at most 11.5 times as long for ten times as many",
        notes: "The pile of 3000 spheres above, and 10 and 100 of it side by side without walls between them (2 × 5 and 10 × 10), so that contacts per sphere and depth of the pile stay as \
                they are. 20 steps are not measured; a call is 5 steps, the time is the mean of one. One thread.",
        unit: Unit::Milliseconds,
        effort,
        rows,
    }
}
