//! Many distinct convex bodies: distance, depth and verdict when every shape is new to the caches.

use crate::bench::Bench;
use crate::check::convex_truth::separations;
use crate::contest::{Contender, Effort, hold};
use crate::data::bodies::{Bodies, Class};
use crate::parry_convex::double;
use crate::questions::convex_scene::{classes, contenders, errors, hand_out, ours, ratio};
use crate::report::{Row, Table, Time, Unit};

/// Pairs of a scene, if no other number is asked for.
const PAIRS: u64 = 100_000;
/// As many pairs as are held against the references, which take their time.
const CHECKED: usize = 1000;
/// kontakt's time over that of the best peer is wanted to be at most this.
const AT_MOST: f64 = 0.5;

pub(super) fn ask(bench: &mut Bench) -> Table {
    let effort = bench.effort(5, 1, 4.0);
    let mut rows = Vec::new();
    for class in classes(bench).into_iter().filter(|class| matches!(class.0, "box" | "hull32" | "hull128")) {
        rows.extend(of_scene(bench, class, true, effort));
        rows.extend(of_scene(bench, class, false, effort));
    }
    Table {
        key: "distinct",
        title: "Convex bodies that are all distinct",
        target: "at most 0.5 of the best of parry f64 and coal",
        notes: "Time of a query, mean over 100000 pairs of as many shapes, each in two pairs in random order, so that none is in the \
                caches; no warm start. kontakt has all it needs from the making of a shape on; making is not part of the time.",
        unit: Unit::Nanoseconds,
        effort,
        rows,
    }
}

/// The rows of one scene: distance or depth, and whether the bodies meet.
fn of_scene(bench: &mut Bench, class: Class, apart: bool, effort: Effort) -> Vec<Row> {
    let count = bench.pairs.unwrap_or(PAIRS) as usize;
    let Some(bodies) = hand_out(bench, class.0, Bodies::distinct(class, apart, count)) else {
        return Vec::new();
    };
    let (parry, ours) = (double::Bodies::of(&bodies), ours(bench, &bodies));
    let few = Bodies { queries: bodies.queries.iter().copied().take(CHECKED).collect(), ..bodies };
    let truth: Vec<f64> = separations(&few).into_iter().map(f64::abs).collect();
    let met = vec![if apart { 0.0 } else { 1.0 }; few.queries.len()];
    let file = bench.scratch.path("answers");
    let mut rows = Vec::new();
    for (question, truth, limit) in
        [(if apart { "distance" } else { "depth" }, &truth, 1e-12), ("meet", &met, 0.0)]
    {
        let mut all = Vec::new();
        if let Some(ours) = &ours {
            all.push(Contender::new("kontakt", || {
                Ok(match question {
                    "distance" => ours.distance(),
                    "depth" => ours.depth(),
                    _ => ours.verdict(),
                })
            }));
        }
        all.extend(
            contenders(&mut bench.peers, question, &file).into_iter().filter(|one| one.name == "coal"),
        );
        if let Ok(parry) = &parry {
            all.push(Contender::new("parry f64", || {
                Ok(match question {
                    "distance" => parry.distance(),
                    "depth" => parry.depth(),
                    _ => parry.verdict(),
                })
            }));
        }
        let outcomes = hold(all, effort);
        let times: Vec<Time> = outcomes.iter().map(Time::from).collect();
        let ratio = ratio(&times, &["parry f64", "coal"], "best of parry f64, coal", Some(AT_MOST));
        let facts = errors(&outcomes, truth, limit);
        let place = if apart { "apart" } else { "in contact" };
        let case = format!("{}, {question}, {place}", class.0);
        rows.push(Row { case, size: format!("{count} pairs"), times, ratio, facts });
    }
    rows
}
