//! How deep are two convex bodies in each other?

use crate::bench::Bench;
use crate::check::convex_truth::separations;
use crate::contest::{Contender, Effort, hold};
use crate::data::bodies::{Class, Kind};
use crate::questions::convex_scene::{Parrys, classes, contenders, errors, load, ours, ratio};
use crate::report::{Row, Table, Time, Unit};

pub(super) fn ask(bench: &mut Bench) -> Table {
    let effort = bench.effort(7, 1, 3.0);
    let rows = classes(bench).into_iter().filter_map(|class| row(bench, class, effort)).collect();
    Table {
        key: "depth",
        title: "Convex bodies in contact: penetration depth, normal and points",
        target: "at most 0.35 (hull128: 0.5, ellipsoids: 1.0) of the best of coal's and parry's EPA",
        notes: "Time of a query, mean over 2000 pairs of 20 shapes at random poses, all in contact, no warm start. libccd: \
                `ccdGJKPenetration`; FCL: `collide` with contacts (MPR, not the least depth; boxes by separating axes); coal: \
                signed `distance`; parry: GJK and EPA.",
        unit: Unit::Nanoseconds,
        effort,
        rows,
    }
}

fn row(bench: &mut Bench, class: Class, effort: Effort) -> Option<Row> {
    let bodies = load(bench, class, false)?;
    let (parrys, ours) = (Parrys::of(&bodies), ours(bench, &bodies));
    let file = bench.scratch.path("answers");
    let mut all = Vec::new();
    if let Some(ours) = &ours {
        all.push(Contender::new("kontakt", || Ok(ours.depth())));
    }
    all.extend(contenders(&mut bench.peers, "depth", &file));
    if let Ok(parrys) = &parrys {
        all.push(Contender::new("parry f32", || Ok(parrys.single.depth())));
        all.push(Contender::new("parry f64", || Ok(parrys.double.depth())));
    }
    let outcomes = hold(all, effort);
    let times: Vec<Time> = outcomes.iter().map(Time::from).collect();
    let at_most = match class {
        (_, Kind::Ellipsoid, _) => Some(1.0),
        ("hull128", ..) => Some(0.5),
        ("hull8" | "hull1000", ..) => None,
        _ => Some(0.35),
    };
    let ratio = ratio(&times, &["parry f64", "parry f32", "coal"], "best of coal, parry", at_most);
    let truth = separations(&bodies).into_iter().map(|separation| -separation).collect();
    let limit = if class.1 == Kind::Ellipsoid { 1e-10 } else { 1e-12 };
    let facts = errors(&outcomes, &truth, limit);
    Some(Row { case: class.0.to_owned(), size: String::new(), times, ratio, facts })
}
