//! How far apart are two convex bodies?

use crate::bench::Bench;
use crate::check::convex_truth::separations;
use crate::contest::{Contender, Effort, hold};
use crate::data::bodies::{Class, Kind};
use crate::questions::convex_scene::{Parrys, classes, contenders, errors, load, ours, ratio};
use crate::report::{Row, Table, Time, Unit};

pub(super) fn ask(bench: &mut Bench) -> Table {
    let effort = bench.effort(9, 2, 2.0);
    let rows = classes(bench).into_iter().filter_map(|class| row(bench, class, effort)).collect();
    Table {
        key: "distance",
        title: "Convex bodies apart: distance",
        target: "at most 0.5 of the best of parry f64, coal and FCL (ellipsoids 1.0)",
        notes: "Time of a query, mean over 2000 pairs of 20 shapes at random poses, all apart, no warm start. parry is \
                compiled with this tool; FCL and coal are generic builds of their distributors.",
        unit: Unit::Nanoseconds,
        effort,
        rows,
    }
}

fn row(bench: &mut Bench, class: Class, effort: Effort) -> Option<Row> {
    let bodies = load(bench, class, true)?;
    let (parrys, ours) = (Parrys::of(&bodies), ours(bench, &bodies));
    let file = bench.scratch.path("answers");
    let mut all = Vec::new();
    if let Some(ours) = &ours {
        all.push(Contender::new("kontakt", || Ok(ours.distance())));
    }
    all.extend(contenders(&mut bench.peers, "distance", &file));
    if let Ok(parrys) = &parrys {
        all.push(Contender::new("parry f32", || Ok(parrys.single.distance())));
        all.push(Contender::new("parry f64", || Ok(parrys.double.distance())));
    }
    let outcomes = hold(all, effort);
    let times: Vec<Time> = outcomes.iter().map(Time::from).collect();
    let at_most = match class {
        (_, Kind::Ellipsoid, _) => Some(1.0),
        ("hull8", ..) => None,
        _ => Some(0.5),
    };
    let ratio = ratio(&times, &["parry f64", "coal", "FCL"], "best of parry f64, coal, FCL", at_most);
    let truth = separations(&bodies);
    let limit = if class.1 == Kind::Ellipsoid { 1e-10 } else { 1e-12 };
    let facts = errors(&outcomes, &truth, limit);
    Some(Row { case: class.0.to_owned(), size: String::new(), times, ratio, facts })
}
