//! Do two meshes touch at all? First contact found ends the search.

use crate::bench::Bench;
use crate::contest::{Contender, hold};
use crate::data::scenes::{POSES, Scene};
use crate::parry;
use crate::questions::mesh_scene::{
    NATIVE_COLLISION, contender, flags, load, scenes, share_in_contact, truth, wrong_answers,
};
use crate::report::{Fact, Ratio, Row, Table, Time, Unit};

pub(super) fn ask(bench: &mut Bench) -> Table {
    let effort = bench.effort(7, 1, 8.0);
    let rows = scenes(bench).iter().map(|scene| row(bench, scene, effort)).collect();
    Table {
        key: "contact",
        title: "Two meshes: any contact",
        target: "at most 0.5 of the best of native FCL, coal and the loop over parry's tree pairs; no wrong answer",
        notes: "Time of a query, mean over 1000 random poses. \"Native FCL\" is Debian's FCL times 0.48, measured once for a build from \
                source. parry's loop walks `leaf_pairs` and tests triangles by its GJK; \"parry\" is its `intersection_test`. Wrong answers are \
                poses where a contender differs from exact arithmetic on the given doubles.",
        unit: Unit::Microseconds,
        effort,
        rows,
    }
}

fn row(bench: &mut Bench, scene: &Scene, effort: crate::contest::Effort) -> Row {
    if let Err(reason) = load(bench, scene) {
        bench.skip(format!("{}: {reason}", scene.name));
    }
    let few = if scene.a.triangles.len() > 10_000 { 40 } else { 200 };
    let file = bench.scratch.path("answers");
    let mut all: Vec<Contender<'_, Vec<bool>>> = Vec::new();
    if let Ok(peer) = &mut bench.peers.fcl {
        all.push(contender("FCL", peer, "contact", &file, POSES, flags));
    }
    if let Ok(peer) = &mut bench.peers.coal {
        all.push(contender("coal", peer, "contact", &file, POSES, flags));
    }
    let single = parry::single::Meshes::of(scene);
    let double = parry::double::Meshes::of(scene);
    if let (Ok(single), Ok(double)) = (&single, &double) {
        let each = |(seconds, answers)| Ok((seconds / POSES as f64, answers));
        all.push(Contender::new("parry f32 loop", move || each(single.contact_by_loop())));
        all.push(Contender::new("parry f64 loop", move || each(double.contact_by_loop())));
        all.push(Contender::new("parry f32", move || Ok(single.contact_by_call(few))));
        all.push(Contender::new("parry f64", move || Ok(double.contact_by_call(few))));
    }
    let outcomes = hold(all, effort);
    let times: Vec<Time> = outcomes.iter().map(Time::from).collect();
    let native = times.iter().find(|time| time.contender == "FCL").and_then(|time| time.least);
    let mut facts = vec![Fact::plain("native FCL, µs", native.map_or("–".to_owned(), |t| format!("{:.2}", NATIVE_COLLISION * t * 1e6)))];
    match truth(scene) {
        Ok(truth) => {
            facts.push(Fact::plain("in contact", share_in_contact(&truth)));
            facts.extend(wrong_answers(&outcomes, |answers| {
                let differ = |(answer, pairs): &(&bool, &Vec<_>)| **answer == pairs.is_empty();
                answers.iter().zip(&truth).filter(differ).count().to_string()
            }));
        }
        Err(reason) => facts.push(Fact::plain("truth", reason)),
    }
    Row { case: scene.name.to_owned(), size: scene.size(), times, ratio: None::<Ratio>, facts }
}
