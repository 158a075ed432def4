//! Do two meshes touch at all? First contact found ends the search.

use crate::bench::Bench;
use crate::contest::{Contender, Effort, hold};
use crate::data::scenes::{POSES, Scene};
use crate::parry;
use crate::questions::mesh_scene::{
    NATIVE_COLLISION, contenders, flags, least, load, ours, ratio, scenes, share_in_contact, stand_in, truth,
    wrong_answers,
};
use crate::report::{Fact, Row, Table, Time, Unit};

pub(super) fn ask(bench: &mut Bench) -> Table {
    let effort = bench.effort(7, 1, 8.0);
    let rows = scenes(bench).iter().map(|scene| row(bench, scene, effort)).collect();
    Table {
        key: "contact",
        title: "Two meshes: any contact",
        target: "at most 0.5 of the best of native FCL, coal and the loop over parry's tree pairs; no wrong answer",
        notes: "Time of a query, mean over 1000 random poses. \"Native FCL\" is Debian's FCL times 0.48, measured once for a build \
                from source. parry's loop walks `leaf_pairs` and tests triangles by its GJK; \"parry\" is its \
                `intersection_test` at a few poses. Wrong answers are poses where a contender differs from exact arithmetic on \
                the given doubles.",
        unit: Unit::Microseconds,
        effort,
        rows,
    }
}

fn row(bench: &mut Bench, scene: &Scene, effort: Effort) -> Row {
    if let Err(reason) = load(bench, scene) {
        bench.skip(format!("{}: {reason}", scene.name));
    }
    let ours = ours(bench, scene);
    let parrys =
        parry::single::Meshes::of(scene).and_then(|f32s| Ok((f32s, parry::double::Meshes::of(scene)?)));
    let few = if scene.a.triangles.len() > 10_000 { 40 } else { 200 };
    let file = bench.scratch.path("answers");
    let mut all: Vec<Contender<'_, Vec<bool>>> = Vec::new();
    if let Some(ours) = &ours {
        all.push(Contender::new("kontakt", || Ok(ours.contact())));
    }
    all.extend(contenders(&mut bench.peers, "contact", &file, flags));
    if let Ok((single, double)) = &parrys {
        let each = |(seconds, answers)| Ok((seconds / POSES as f64, answers));
        all.push(Contender::new("parry f32 loop", move || each(single.contact_by_loop())));
        all.push(Contender::new("parry f64 loop", move || each(double.contact_by_loop())));
        all.push(Contender::new("parry f32", move || Ok(single.contact_by_call(few))));
        all.push(Contender::new("parry f64", move || Ok(double.contact_by_call(few))));
    }
    let outcomes = hold(all, effort);
    let times: Vec<Time> = outcomes.iter().map(Time::from).collect();
    let native = least(&times, "FCL").map(|seconds| NATIVE_COLLISION * seconds);
    let rivals = ["coal", "parry f32 loop", "parry f64 loop"].map(|name| least(&times, name));
    let best = rivals.into_iter().flatten().chain(native).reduce(f64::min);
    let mut facts = vec![stand_in("native FCL, µs", native)];
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
    let ratio = ratio(&times, best, "the best of native FCL, coal and parry's loops", 0.5);
    Row { case: scene.name.to_owned(), size: scene.size(), times, ratio, facts }
}
