//! Are balls that are pressed into a face a little seen to overlap?

use crate::bench::Bench;
use crate::clock::timed;
use crate::data::curved::Actor;
use crate::data::files::short_name;
use crate::occt::{self, Balls, CONFUSION};
use crate::product::curved::{self, Pressed};
use crate::report::{Fact, Ratio, Row, Table, Time, Unit};
use kontakt::math::DVec3;
use kontakt_curved::CommonPoint;
use std::path::PathBuf;

/// How deep, of the radius.
const DEPTHS: [f64; 4] = [1e-1, 1e-2, 1e-3, 1e-4];
/// Places on a body for each depth.
const PLACES: usize = 60;

pub(super) fn ask(bench: &mut Bench) -> Table {
    let effort = bench.effort(1, 1, 1.0);
    let sources: [(&str, Option<PathBuf>); 4] = [
        ("torus R10 r3", bench.made_file("torus R10 r3")),
        ("screw", bench.step_file("screw.step")),
        ("featuretype", bench.step_file("featuretype.STEP")),
        ("smooth cube", bench.made_file("smooth cube")),
    ];
    let mut rows = Vec::new();
    for (name, file) in sources {
        let Some(file) = file.filter(|_| bench.wants(name)) else { continue };
        let actor = bench.actors(&file).and_then(|all| all.into_iter().next().ok_or("no solid".to_owned()));
        match actor.and_then(|actor| row(bench, name, &actor)) {
            Ok(row) => rows.push(row),
            Err(reason) => bench.skip(format!("balls in {name}: {reason}")),
        }
    }
    Table {
        key: "balls",
        title: "Balls pressed into faces",
        target: "every ball seen to overlap; kontakt with proof",
        notes: "Balls of 1 % of the body's size, their centres over seeded points of the true surface, pressed in by 1e-1, 1e-2, 1e-3 and 1e-4 \
                of their radius, 60 places each: all overlap for certain. kontakt: `surface_distance` and `common_point`, a point of one \
                surface proven inside the other. OCCT: `BRepExtrema_DistShapeShape` above 1e-7, or `BRepAlgoAPI_Common` empty, is wrong. \
                Time is the mean of a ball; OCCT's is that of the distance alone.",
        unit: Unit::Milliseconds,
        effort,
        rows,
    }
}

/// A centre in the body's axes and how deep the ball is.
type Ball = (DVec3, f64);

fn balls(actor: &Actor, radius: f64, seed: u64) -> Vec<Ball> {
    let mut random = fastrand::Rng::with_seed(seed + 7);
    let triangles = actor.solid.body.tessellation().triangles.len();
    let mut place = || (0..100).find_map(|_| actor.solid.place(random.usize(..triangles)));
    let mut at =
        |part: f64| place().map(|(on, normal)| (on + normal * (radius - part * radius), part * radius));
    DEPTHS.iter().flat_map(|&part| (0..PLACES).filter_map(|_| at(part)).collect::<Vec<_>>()).collect()
}

fn row(bench: &mut Bench, name: &str, actor: &Actor) -> Result<Row, String> {
    let radius = 0.01 * actor.solid.size;
    let balls = balls(actor, radius, bench.seed);
    let ball = curved::ball(radius)?;
    // What bodies make on their first question is not counted.
    let _ = curved::pressed(&actor.solid, &ball, balls[0].0);
    let answers: Vec<(f64, Option<Pressed>)> =
        balls.iter().map(|(centre, _)| timed(|| curved::pressed(&actor.solid, &ball, *centre))).collect();
    let placed: Vec<(DVec3, f64)> =
        balls.iter().map(|(centre, _)| (actor.solid.pose.apply(*centre), radius)).collect();
    let peer = bench.peers.occt.as_mut().map_err(|reason| reason.clone())?;
    let theirs = occt::balls(peer, &actor.name, &placed)?;
    let mut seconds: Vec<f64> = answers.iter().map(|(seconds, _)| *seconds).collect();
    seconds.sort_by(f64::total_cmp);
    let count = balls.len() as f64;
    let ours = seconds.iter().sum::<f64>() / count;
    let times = vec![time("kontakt", ours), time("OCCT", theirs.seconds / count)];
    let ratio = Ratio::of(&times, "kontakt", "OCCT", None);
    let mut facts = of_kontakt(bench, actor, radius, &balls, &answers);
    facts.push(Fact::plain("slowest, ms", format!("{:.1}", 1e3 * seconds.last().copied().unwrap_or(0.0))));
    facts.extend(of_occt(bench, actor, &balls, &theirs));
    Ok(Row { case: name.to_owned(), size: format!("{} balls", balls.len()), times, ratio, facts })
}

fn time(contender: &'static str, mean: f64) -> Time {
    Time { contender, least: Some(mean), median: Some(mean), calls: 1, error: None }
}

fn of_kontakt(
    bench: &mut Bench,
    actor: &Actor,
    radius: f64,
    balls: &[Ball],
    answers: &[(f64, Option<Pressed>)],
) -> Vec<Fact> {
    let (mut proven, mut wrong) = (0, 0);
    for ((centre, depth), (_, answer)) in balls.iter().zip(answers) {
        let apart = answer.is_some_and(|answer| answer.distance.range.lo() > 0.0);
        let common = answer.and_then(|answer| answer.common);
        let refuted = common.is_some_and(|common| is_refuted(bench, actor, *centre, radius, &common));
        proven += usize::from(common.is_some());
        wrong += usize::from(apart || refuted);
        if apart || refuted || common.is_none() {
            let shown = format!("{:?}", answer.map(|answer| (answer.distance.range, answer.common)));
            dispute(bench, actor, ["kontakt", &shown], (actor.solid.pose.apply(*centre), *depth));
        }
    }
    vec![
        Fact::judged("proven", proven.to_string(), proven == balls.len()),
        Fact::judged("kontakt wrong", wrong.to_string(), wrong == 0),
    ]
}

/// Whether OCCT does not find a common point where it is said to be: on the solid and deep in the ball, or on the ball and deep below the
/// solid's faces. Near concave places a ball is deeper than it was pressed.
fn is_refuted(bench: &mut Bench, actor: &Actor, centre: DVec3, radius: f64, common: &CommonPoint) -> bool {
    let Ok(peer) = &mut bench.peers.occt else { return false };
    let place = actor.solid.pose.apply(common.point);
    let Ok(off) = occt::off(peer, &actor.name, place, None) else { return true };
    let (away, deep) = ((common.point - centre).length(), common.depth.lo());
    let in_ball = off <= CONFUSION && away <= radius - deep + CONFUSION;
    let on_ball = (away - radius).abs() <= CONFUSION && off >= deep - CONFUSION;
    !(in_ball || on_ball)
}

fn dispute(bench: &mut Bench, actor: &Actor, [who, says]: [&str; 2], (centre, depth): Ball) {
    let column = if who == "OCCT" { "OCCT" } else { "kontakt" };
    let facts = vec![
        Fact::plain(column, says),
        Fact::plain("points", format!("centre {:?} in the file's axes, {depth:e} deep", centre.to_array())),
    ];
    let case = format!("ball in {}", short_name(&actor.name.0));
    bench.shelf.disputes.push(Row { case, facts, ..Row::default() });
}

fn of_occt(bench: &mut Bench, actor: &Actor, balls: &[Ball], theirs: &Balls) -> Vec<Fact> {
    let apart = |k: &usize| theirs.distances[*k].is_none_or(|distance| distance > CONFUSION);
    let wrong: Vec<usize> = (0..theirs.distances.len()).filter(apart).collect();
    let excess = |k: usize| theirs.distances[k].unwrap_or(0.0) / balls[k].1;
    let worst = wrong.iter().copied().max_by(|&a, &b| excess(a).total_cmp(&excess(b)));
    if let Some(k) = worst {
        let says = format!("{:?} apart", theirs.distances[k].unwrap_or(0.0));
        dispute(bench, actor, ["OCCT", &says], (actor.solid.pose.apply(balls[k].0), balls[k].1));
    }
    let empty = theirs.volumes.iter().filter(|volume| **volume <= 0.0).count();
    let common = 1e3 * theirs.common_seconds / balls.len() as f64;
    vec![
        Fact::plain("OCCT apart", wrong.len().to_string()),
        Fact::plain("by at most, of the depth", format!("{:.0}", worst.map_or(0.0, excess))),
        Fact::plain("OCCT common empty", empty.to_string()),
        Fact::plain("OCCT common, ms", format!("{common:.2}")),
    ]
}
