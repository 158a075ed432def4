//! The batch filter on queries that do not touch.

use crate::bench::Bench;
use crate::clock::timed;
use crate::contest::{Contender, hold};
use crate::report::{Fact, Ratio, Row, Table, Time, Unit};
use kontakt::math::DVec3;
use kontakt::soft_ccd::{Batch, Kind, Query, touches};
use testkit::moving_pairs::{Motion, cloth, random};

/// Queries of a set before those that touch are taken out.
const COUNT: usize = 40_000;

pub(super) fn ask(bench: &mut Bench) -> Table {
    let effort = bench.effort(40, 1, 2.0);
    let mut rows = Vec::new();
    for (kind, short) in [(Kind::VertexFace, "VF"), (Kind::EdgeEdge, "EE")] {
        let sets = [
            ("random", random(COUNT, bench.seed)),
            ("cloth-like", cloth(kind == Kind::EdgeEdge, COUNT, bench.seed)),
        ];
        for (name, motions) in sets {
            let case = format!("{short} {name}");
            if bench.wants(&case) && !bench.peers_only {
                rows.push(row(case, kind, &motions, effort));
            }
        }
    }
    Table {
        key: "filter",
        title: "Batch filter on queries that do not touch",
        target: "15 ns a query",
        notes: "Time of a query, mean over the batch; widest instruction set of the machine. \"Left open\" is what goes on to the next \
                stage. \"decided\" is the whole cascade over the batch.",
        unit: Unit::Nanoseconds,
        effort,
        rows,
    }
}

fn row(case: String, kind: Kind, motions: &[Motion], effort: crate::contest::Effort) -> Row {
    let mut batch = Batch::new(kind);
    for [start, end] in motions {
        let query = Query::new(kind, start.map(DVec3::from_array), end.map(DVec3::from_array));
        if let Ok(query) = query
            && !touches(&query)
        {
            batch.push(&query);
        }
    }
    let count = batch.len() as f64;
    let (mut open, mut hits) = (Vec::new(), Vec::new());
    let outcomes = hold(
        vec![
            Contender::new("kontakt", || {
                let (seconds, ()) = timed(|| batch.filter(&mut open));
                Ok((seconds / count, open.len()))
            }),
            Contender::new("decided", || {
                let (seconds, ()) = timed(|| batch.touching(&mut hits));
                Ok((seconds / count, hits.len()))
            }),
        ],
        effort,
    );
    let times: Vec<Time> = outcomes.iter().map(Time::from).collect();
    let last = |i: usize| outcomes[i].answers.last().copied().unwrap_or(0);
    let facts = vec![
        Fact::plain("left open", format!("{:.1} %", 100.0 * last(0) as f64 / count)),
        Fact::judged("false hits", last(1).to_string(), last(1) == 0),
    ];
    let ratio = times[0].least.map(|seconds| Ratio {
        against: "15 ns",
        value: seconds / 15e-9,
        of_medians: None,
        at_most: Some(1.0),
    });
    Row { case, size: format!("{} queries", batch.len()), times, ratio, facts }
}
