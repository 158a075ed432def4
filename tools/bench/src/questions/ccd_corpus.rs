//! Do moving primitives touch, and when first? The public queries with exact truth.

use crate::bench::Bench;
use crate::clock::timed;
use crate::contest::{Contender, hold};
use crate::data::moving::{self, QuerySet};
use crate::peer::{Peer, number};
use crate::report::{Fact, Ratio, Row, Table, Time, Unit};
use kontakt::soft_ccd::first_contact;

/// Width of the bounds of a time asked for.
const WIDTH: f64 = 1e-9;

/// Verdicts, and the time of each query.
#[derive(Clone)]
struct Answers {
    hits: Vec<bool>,
    each: Vec<f64>,
}

pub(super) fn ask(bench: &mut Bench) -> Table {
    let effort = bench.effort(3, 1, 5.0);
    let sets = match moving::corpus() {
        Ok(sets) => sets,
        Err(reason) => {
            bench.skip(format!("queries of moving primitives: {reason}"));
            Vec::new()
        }
    };
    let mut rows = Vec::new();
    for set in &sets {
        if bench.wants(&set.name) {
            rows.push(row(bench, set));
        }
    }
    Table {
        key: "corpus",
        title: "Moving vertex–face and edge–edge: the public queries",
        target: "no false verdict; mean 2 µs, median 0.4 µs, p99 20 µs, worst 1 ms",
        notes: "Mean time of a query; kontakt with bounds of the time of contact to 1e-9. ipctk is called from Python; the time of a \
                call that does next to nothing is taken off its mean, not off the others. Tight-Inclusion with tolerance 1e-6 and at \
                most 1e6 iterations, additive CCD with its defaults. Who needs more than 1 s for a \
                set runs once, others nine times. Times of single queries are least of three for kontakt, of one for the peers.",
        unit: Unit::Microseconds,
        effort,
        rows,
    }
}

fn row(bench: &mut Bench, set: &QuerySet) -> Row {
    let count = set.queries.len() as f64;
    // Samples are times of one query: a contender that needs more than 1 s for all of them runs once, not nine times.
    let effort = bench.effort(9, 1, 1.0 / count);
    let file = bench.scratch.path("queries.f64");
    let handed = std::fs::write(&file, moving::raw(set)).map_err(|problem| problem.to_string());
    if let Ok(peer) = &mut bench.peers.ipctk
        && let Err(reason) = handed.and_then(|()| peer.load(&file))
    {
        bench.peers.ipctk = Err(reason);
    }
    let shared = bench.peers.ipctk.as_mut().ok().map(std::cell::RefCell::new);
    let mut all: Vec<Contender<'_, Answers>> = Vec::new();
    if !bench.peers_only {
        all.push(Contender::new("kontakt", || {
            let (seconds, hits) =
                timed(|| set.queries.iter().map(|q| first_contact(q, WIDTH).verdict.is_contact()).collect());
            Ok((seconds / count, Answers { hits, each: Vec::new() }))
        }));
    }
    if let Some(peer) = &shared {
        for (name, request) in [("Tight-Inclusion", "tight"), ("Additive", "additive")] {
            let ask = move || ask_peer(&mut peer.borrow_mut(), request, count);
            all.push(Contender::new(name, ask));
        }
    }
    let outcomes = hold(all, effort);
    let times: Vec<Time> = outcomes.iter().map(Time::from).collect();
    let mut facts = Vec::new();
    for outcome in &outcomes {
        let Some(answers) = outcome.answers.last() else { continue };
        let wrong = |hit: bool| {
            answers
                .hits
                .iter()
                .zip(&set.truth)
                .filter(|(said, truth)| **said == hit && **truth != hit)
                .count()
        };
        let verdicts = format!("{}/{}", wrong(true), wrong(false));
        let each = if outcome.name == "kontakt" { own_times(set) } else { answers.each.clone() };
        let [median, p99, most] = spread(each).map(|seconds| 1e6 * seconds);
        let shown = format!("{median:.2}/{p99:.1}/{most:.0}");
        match outcome.name {
            "kontakt" => {
                facts.push(Fact::judged("kontakt FP/FN", verdicts, wrong(true) + wrong(false) == 0));
                let fast = median <= 0.4 && p99 <= 20.0 && most <= 1000.0;
                facts.push(Fact::judged("kontakt median/p99/max, µs", shown, fast));
            }
            "Additive" => facts.push(Fact::plain("Additive FP/FN", verdicts)),
            _ => {
                facts.push(Fact::plain("Tight-Inclusion FP/FN", verdicts));
                facts.push(Fact::plain("Tight-Inclusion median/p99/max, µs", shown));
            }
        }
    }
    let ours = times.iter().find(|time| time.contender == "kontakt").and_then(|time| time.least);
    let ratio = ours.map(|seconds| Ratio {
        against: "2 µs",
        value: seconds / 2e-6,
        of_medians: None,
        at_most: Some(1.0),
    });
    let hits = set.truth.iter().filter(|truth| **truth).count();
    Row {
        case: set.name.clone(),
        size: format!("{} queries, {hits} hits", set.queries.len()),
        times,
        ratio,
        facts,
    }
}

fn ask_peer(peer: &mut Peer, request: &str, count: f64) -> Result<(f64, Answers), String> {
    let answer = peer.ask(request)?;
    let seconds = (number(&answer, "seconds")? - number(&answer, "overhead")?).max(0.0);
    let list = |key: &str| answer[key].as_array().ok_or_else(|| format!("no list {key}"));
    let hits = list("hits")?.iter().map(|hit| hit.as_i64() == Some(1)).collect();
    let each = list("each")?.iter().filter_map(serde_json::Value::as_f64).collect();
    Ok((seconds / count, Answers { hits, each }))
}

/// Least of three times of each query, each over a few calls.
fn own_times(set: &QuerySet) -> Vec<f64> {
    const CALLS: u32 = 4;
    let once = |query| {
        let (seconds, ()) = timed(|| {
            for _ in 0..CALLS {
                std::hint::black_box(first_contact(std::hint::black_box(query), WIDTH));
            }
        });
        seconds / f64::from(CALLS)
    };
    set.queries.iter().map(|query| (0..3).map(|_| once(query)).fold(f64::INFINITY, f64::min)).collect()
}

/// Median, 99th percentile and maximum.
fn spread(mut seconds: Vec<f64>) -> [f64; 3] {
    seconds.sort_by(f64::total_cmp);
    let last = seconds.len().saturating_sub(1);
    [last / 2, last * 99 / 100, last].map(|i| seconds.get(i).copied().unwrap_or(0.0))
}
