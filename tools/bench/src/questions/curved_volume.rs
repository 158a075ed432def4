//! Boxes about curved bodies.

use crate::bench::Bench;
use crate::clock::timed;
use crate::contest::{Contender, Effort, hold};
use crate::data::curved::Actor;
use crate::occt::{self, Boxes};
use crate::product::small_box;
use crate::report::{Fact, Ratio, Row, Table, Time, Unit};
use std::path::PathBuf;

pub(super) fn ask(bench: &mut Bench) -> Table {
    let effort = bench.effort(5, 1, 2.0);
    let made = ["smooth cube", "six spheres", "torus R10 r3", "vase", "loft, smooth", "two tubes, filleted"];
    let given = ["screw.step", "featuretype.STEP", "io1-cm-214.stp", "sg1-c5-214.stp"];
    let mut sources: Vec<(&str, Option<PathBuf>)> = made.map(|name| (name, bench.made_file(name))).to_vec();
    sources.extend(given.map(|name| (name, bench.step_file(name))));
    let mut rows = Vec::new();
    for (name, file) in sources {
        let Some(file) = file.filter(|_| bench.wants(name)) else { continue };
        match bench.actors(&file) {
            Ok(actors) => rows.extend(actors.first().map(|actor| row(bench, name, actor, effort))),
            Err(reason) => bench.skip(format!("{name}: {reason}")),
        }
    }
    Table {
        key: "volume",
        title: "Turned boxes about curved bodies",
        target: "no target; the smaller the better",
        notes: "kontakt: the default method on the points of triangles, grown by their certified deviation, so that it holds the body \
                for certain; triangles are made before. OCCT: `BRepBndLib::AddOBB`, optimal, without triangles and tolerances; \
                \"AABB\" is its `AddOptimal`.",
        unit: Unit::Milliseconds,
        effort,
        rows,
    }
}

fn row(bench: &mut Bench, name: &str, actor: &Actor, effort: Effort) -> Row {
    let mut last: Option<Boxes> = None;
    let mut contenders: Vec<Contender<'_, f64>> = vec![Contender::new("kontakt", || ours(actor))];
    if let Ok(peer) = &mut bench.peers.occt {
        let last = &mut last;
        contenders.push(Contender::new("OCCT", move || {
            let boxes = occt::boxes(peer, &actor.name)?;
            *last = Some(boxes);
            Ok((boxes.seconds, boxes.volume))
        }));
    }
    let outcomes = hold(contenders, effort);
    let times: Vec<Time> = outcomes.iter().map(Time::from).collect();
    let volume = |k: usize| outcomes.get(k).and_then(|outcome| outcome.answers.last().copied());
    let show = |volume: Option<f64>| volume.map_or("–".to_owned(), |volume| format!("{volume:.4}"));
    let mut facts =
        vec![Fact::plain("kontakt's volume", show(volume(0))), Fact::plain("OCCT's volume", show(volume(1)))];
    if let Some((ours, theirs)) = volume(0).zip(volume(1)) {
        facts.push(Fact::plain("kontakt's / OCCT's", format!("{:.3}", ours / theirs)));
    }
    if let Some(boxes) = last {
        facts.push(Fact::plain("OCCT's AABB", show(Some(boxes.straight_volume))));
        facts.push(Fact::plain("OCCT AABB, ms", format!("{:.2}", 1e3 * boxes.straight_seconds)));
    }
    let ratio = Ratio::of(&times, "kontakt", "OCCT", None);
    let size = format!("{} faces", actor.solid.body.brep().faces().len());
    Row { case: name.to_owned(), size, times, ratio, facts }
}

/// Volume of the box that holds the body for certain.
fn ours(actor: &Actor) -> Result<(f64, f64), String> {
    let (seconds, found) = timed(|| small_box::default_method(&actor.solid.body.tessellation().points));
    let half = found?.half_extents.map(|half| half + actor.solid.body.deviation());
    Ok((seconds, 8.0 * half.iter().product::<f64>()))
}
