//! How far apart are two meshes?

use crate::bench::Bench;
use crate::contest::{Contender, Effort, hold};
use crate::data::scenes::Scene;
use crate::parry;
use crate::questions::mesh_scene::{
    NATIVE_DISTANCE, contenders, least, load, numbers, ours, ratio, scenes, stand_in,
};
use crate::report::{Fact, Row, Table, Time, Unit};

/// Wanted: distances within this × (size + distance).
const ERROR: f64 = 1e-12;

pub(super) fn ask(bench: &mut Bench) -> Table {
    let effort = bench.effort(5, 1, 12.0);
    let rows = scenes(bench).iter().map(|scene| row(bench, scene, effort)).collect();
    Table {
        key: "distance",
        title: "Two meshes: distance",
        target: "at most 0.35 of native FCL; equal to FCL's distance to 1e-12 × (size + distance)",
        notes: "Time of a query, mean over 1000 random poses (parry's `distance`: the first 2, or 100 of the small pair). \"Native \
                FCL\" is Debian's FCL times 0.87. Differences are the largest of any pose from FCL's answer, over size + \
                distance.",
        unit: Unit::Microseconds,
        effort,
        rows,
    }
}

fn row(bench: &mut Bench, scene: &Scene, effort: Effort) -> Row {
    if let Err(reason) = load(bench, scene) {
        bench.skip(format!("{}: {reason}", scene.name));
    }
    let (low, high) = scene.a.bounds();
    let size = (0..3).map(|k| high[k] - low[k]).fold(0.0, f64::max);
    let ours = ours(bench, scene);
    let parrys =
        parry::single::Meshes::of(scene).and_then(|f32s| Ok((f32s, parry::double::Meshes::of(scene)?)));
    let few = if scene.a.triangles.len() > 10_000 { 2 } else { 100 };
    let file = bench.scratch.path("answers");
    let mut all: Vec<Contender<'_, Vec<f64>>> = Vec::new();
    if let Some(ours) = &ours {
        all.push(Contender::new("kontakt", || Ok(ours.distance(ERROR, size))));
    }
    all.extend(contenders(&mut bench.peers, "distance", &file, numbers));
    if let Ok((single, double)) = &parrys {
        all.push(Contender::new("parry f32", move || Ok(single.distance_by_call(few))));
        all.push(Contender::new("parry f64", move || Ok(double.distance_by_call(few))));
    }
    let outcomes = hold(all, effort);
    let times: Vec<Time> = outcomes.iter().map(Time::from).collect();
    let native = least(&times, "FCL").map(|seconds| NATIVE_DISTANCE * seconds);
    let mut facts = vec![stand_in("native FCL, µs", native)];
    let reference =
        outcomes.iter().find(|outcome| outcome.name == "FCL").and_then(|outcome| outcome.answers.last());
    if let Some(reference) = reference {
        for outcome in &outcomes {
            let Some(answers) = outcome.answers.last() else { continue };
            let error = largest_difference(answers, reference, size);
            let shown = format!("{error:.1e}");
            match outcome.name {
                "kontakt" => facts.push(Fact::judged("kontakt off by", shown, error <= ERROR)),
                "coal" => facts.push(Fact::plain("coal off by", shown)),
                "parry f32" => facts.push(Fact::plain("parry f32 off by", shown)),
                "parry f64" => facts.push(Fact::plain("parry f64 off by", shown)),
                _ => {}
            }
        }
    }
    let ratio = ratio(&times, native, "native FCL", 0.35);
    Row { case: scene.name.to_owned(), size: scene.size(), times, ratio, facts }
}

/// Largest |answer − reference| / (size + reference); infinite if an answer is no number. FCL and coal say −1 or less
/// than 0 for contact, which is distance 0.
fn largest_difference(answers: &[f64], reference: &[f64], size: f64) -> f64 {
    let differ = |(answer, reference): (&f64, &f64)| {
        if answer.is_nan() {
            return f64::INFINITY;
        }
        let (answer, reference) = (answer.max(0.0), reference.max(0.0));
        (answer - reference).abs() / (size + reference)
    };
    answers.iter().zip(reference).map(differ).fold(0.0, f64::max)
}
