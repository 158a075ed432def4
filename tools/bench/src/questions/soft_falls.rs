//! What does a step of falling soft bodies cost, and who falls through?

use crate::bench::Bench;
use crate::contest::hold;
use crate::product::soft::{self, Falls};
use crate::rapier_soft;
use crate::report::{Fact, Ratio, Row, Table, Time, Unit};
use kontakt::soft::Body;
use kontakt_lab_soft::scenes;

const STEPS: usize = 100;
/// Seconds that a step of the bears may take.
const MOST: f64 = 5e-3;

pub(super) fn ask(bench: &mut Bench) -> Table {
    let effort = bench.effort(5, 1, 30.0);
    let mut rows = Vec::new();
    for speed in [0.5, 5.0, 20.0, 100.0] {
        let case = format!("stone at {speed} m/s");
        if bench.wants(&case) {
            let bodies = scenes::membrane(speed, 0.4).map_err(|problem| problem.to_string());
            rows.extend(bodies.map(|bodies| row(bench, &case, &bodies, Some(1.0))));
        }
    }
    if bench.wants("five bears") {
        let bodies = scenes::bears(0.22, 2.3).map_err(|problem| problem.to_string());
        rows.extend(bodies.map(|bodies| row(bench, "five bears", &bodies, None)));
    }
    Table {
        key: "falls",
        title: "Steps of bodies that fall on one another",
        target: "the scene of 484 surface triangles at most as long as rapier's soft bodies; five bears 5 ms; nothing through, nothing met",
        notes: "A tetrahedron on a held slab, 484 surface triangles, and five bears; 100 steps of 10 ms from the start, the time is the mean of one: deformation, detection, response. One thread. kontakt takes 10 substeps in double \
                precision, searches within bodies too and proves every state free; rapier comes with its own settings (single precision, 4 iterations, no contacts within a body, 30 Hz springs and volumes). \"through\" counts vertices that went in on one side of the slab and out on the other, told from exact crossings; \
                \"met\" are edges in or through faces in the last state, decided exactly.",
        unit: Unit::Milliseconds,
        effort,
        rows,
    }
}

fn row(bench: &mut Bench, case: &str, bodies: &[Body], at_most: Option<f64>) -> Row {
    let effort = bench.effort(5, 1, 30.0);
    let mut contenders = Vec::new();
    for contender in [soft::contender(bodies, STEPS), rapier_soft::contender(bodies, STEPS)] {
        match contender {
            Ok(contender) => contenders.push(contender),
            Err(problem) => bench.skip(format!("{case}: {problem}")),
        }
    }
    let outcomes = hold(contenders, effort);
    let times: Vec<Time> = outcomes.iter().map(Time::from).collect();
    let last = |name: &str| outcomes.iter().find(|o| o.name == name).and_then(|o| o.answers.last().copied());
    let mut facts = Vec::new();
    if let Some(Falls { slowest, through, meetings, most }) = last("kontakt") {
        facts.push(Fact::plain("slowest", format!("{:.2} ms", slowest * 1e3)));
        if at_most.is_some() {
            facts.push(Fact::judged("through", through.to_string(), through == 0));
        }
        facts.push(Fact::judged("met", meetings.to_string(), meetings == 0));
        facts.push(Fact::plain("rounds", most.rounds.to_string()));
        facts.push(Fact::plain("contacts", most.contacts.to_string()));
        facts.push(Fact::plain("stops", most.stopped.to_string()));
        let least = outcomes[0].least().unwrap_or(f64::INFINITY);
        if at_most.is_none() {
            facts.push(Fact::judged("at most 5 ms", format!("{:.2}", least * 1e3), least <= MOST));
        }
    }
    if let Some(theirs) = last("rapier") {
        facts.push(Fact::plain("rapier: slowest", format!("{:.2} ms", theirs.slowest * 1e3)));
        if at_most.is_some() {
            facts.push(Fact::plain("rapier: through", theirs.through.to_string()));
        }
        facts.push(Fact::plain("rapier: met", theirs.meetings.to_string()));
    }
    let ratio = Ratio::of(&times, "kontakt", "rapier", at_most);
    let triangles: usize = bodies.iter().map(|body| body.triangles().len()).sum();
    Row { case: case.to_owned(), size: format!("{triangles} triangles"), ratio, times, facts }
}
