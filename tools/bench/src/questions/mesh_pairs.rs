//! All pairs of triangles of two meshes that meet.

use crate::bench::Bench;
use crate::contest::{Contender, Effort, hold};
use crate::data::scenes::{POSES, Scene};
use crate::parry;
use crate::questions::mesh_scene::{
    NATIVE_COLLISION, contenders, least, load, ours, pair_lists, ratio, scenes, stand_in, truth,
    wrong_answers,
};
use crate::report::{Fact, Row, Table, Time, Unit};

type PairLists = Vec<Vec<[u32; 2]>>;

pub(super) fn ask(bench: &mut Bench) -> Table {
    let effort = bench.effort(5, 1, 25.0);
    let rows = scenes(bench).iter().map(|scene| row(bench, scene, effort)).collect();
    Table {
        key: "pairs",
        title: "Two meshes: all intersecting pairs of triangles",
        target: "at most 0.35 of native FCL; the set equal, pair for pair, to exact predicates",
        notes: "Time of a query, mean over 1000 random poses. \"Native FCL\" is Debian's FCL times 0.48. Wrong answers are pairs over \
                all poses, missing + too many, against exact arithmetic on the given doubles; touching counts as meeting.",
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
    let file = bench.scratch.path("answers");
    let mut all: Vec<Contender<'_, PairLists>> = Vec::new();
    if let Some(ours) = &ours {
        all.push(Contender::new("kontakt", || Ok(ours.pairs())));
    }
    all.extend(contenders(&mut bench.peers, "pairs", &file, pair_lists));
    if let Ok((single, double)) = &parrys {
        let each = |(seconds, answers)| Ok((seconds / POSES as f64, answers));
        all.push(Contender::new("parry f32 loop", move || each(single.pairs_by_loop())));
        all.push(Contender::new("parry f64 loop", move || each(double.pairs_by_loop())));
    }
    let outcomes = hold(all, effort);
    let times: Vec<Time> = outcomes.iter().map(Time::from).collect();
    let native = least(&times, "FCL").map(|seconds| NATIVE_COLLISION * seconds);
    let mut facts = vec![stand_in("native FCL, µs", native)];
    match truth(scene) {
        Ok(truth) => {
            facts.push(Fact::plain("pairs", truth.iter().map(Vec::len).sum::<usize>().to_string()));
            facts.extend(wrong_answers(&outcomes, |answers| {
                let (missing, extra) = differences(&truth, answers);
                if missing + extra == 0 { "0".to_owned() } else { format!("{missing} + {extra}") }
            }));
        }
        Err(reason) => facts.push(Fact::plain("truth", reason)),
    }
    let ratio = ratio(&times, native, "native FCL", 0.35);
    Row { case: scene.name.to_owned(), size: scene.size(), times, ratio, facts }
}

/// Pairs of the truth that are not among the answers, and the other way round; a pair given twice counts as extra.
fn differences(truth: &PairLists, answers: &PairLists) -> (usize, usize) {
    let (mut missing, mut extra) = (0, 0);
    for (truth, answer) in truth.iter().zip(answers) {
        let mut answer = answer.clone();
        answer.sort_unstable();
        missing += truth.iter().filter(|pair| answer.binary_search(pair).is_err()).count();
        let given = answer.len();
        answer.dedup();
        extra +=
            given - answer.len() + answer.iter().filter(|pair| truth.binary_search(pair).is_err()).count();
    }
    (missing, extra)
}

#[cfg(test)]
mod tests {
    use super::differences;

    #[test]
    fn missing_and_extra_pairs_are_counted() {
        let truth = vec![vec![[0, 1], [2, 3]], vec![]];
        assert_eq!(differences(&truth, &truth), (0, 0));
        assert_eq!(differences(&truth, &vec![vec![[2, 3], [2, 3], [0, 2]], vec![[1, 1]]]), (1, 3));
    }
}
