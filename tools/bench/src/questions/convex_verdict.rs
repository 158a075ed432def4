//! Do two convex bodies meet?

use crate::bench::Bench;
use crate::contest::{Contender, Effort, hold};
use crate::data::bodies::Class;
use crate::questions::convex_scene::{Parrys, classes, contenders, errors, load, ours, ratio};
use crate::report::{Row, Table, Time, Unit};

pub(super) fn ask(bench: &mut Bench) -> Table {
    let effort = bench.effort(9, 2, 1.0);
    let mut rows = Vec::new();
    for class in classes(bench) {
        rows.extend([true, false].into_iter().filter_map(|apart| row(bench, class, apart, effort)));
    }
    Table {
        key: "verdict",
        title: "Convex bodies: do they meet?",
        target: "no target; wrong answers none",
        notes: "Time of a query, mean over 2000 pairs of 20 shapes at random poses, no warm start. libccd and FCL: MPR; parry: \
                GJK, boxes by separating axes; coal: GJK.",
        unit: Unit::Nanoseconds,
        effort,
        rows,
    }
}

fn row(bench: &mut Bench, class: Class, apart: bool, effort: Effort) -> Option<Row> {
    let bodies = load(bench, class, apart)?;
    let (parrys, ours) = (Parrys::of(&bodies), ours(bench, &bodies));
    let file = bench.scratch.path("answers");
    let mut all = Vec::new();
    if let Some(ours) = &ours {
        all.push(Contender::new("kontakt", || Ok(ours.verdict())));
    }
    all.extend(contenders(&mut bench.peers, "meet", &file));
    if let Ok(parrys) = &parrys {
        all.push(Contender::new("parry f32", || Ok(parrys.single.verdict())));
        all.push(Contender::new("parry f64", || Ok(parrys.double.verdict())));
    }
    let outcomes = hold(all, effort);
    let times: Vec<Time> = outcomes.iter().map(Time::from).collect();
    let ratio = ratio(&times, &["parry f64", "coal", "FCL", "libccd"], "best of all in f64", None);
    let truth = vec![if apart { 0.0 } else { 1.0 }; bodies.queries.len()];
    let facts = errors(&outcomes, &truth, 0.0);
    let case = format!("{}, {}", class.0, if apart { "apart" } else { "in contact" });
    Some(Row { case, size: String::new(), times, ratio, facts })
}
