//! What came after the thesis, and the winners of then and now side by side.

use super::super::arena::{Arena, Entry, Scored, best, model, real, table};
use super::super::contest::{self, Step, Volumes};
use super::super::page::{Cell, Page, Table};
use super::super::scene::Scene;
use super::builders::{steps_of, steps_plot};
use crate::failure::Failure;
use kontakt_lab_hierarchy::build::{Arity, Plan};
use kontakt_lab_hierarchy::walk::Strategy;

/// Steps of the progress bar, about.
pub(super) const LENGTH: u64 = 20 * 5;

/// Settings worth running on meshes that the project did not make.
const FINAL: [(&str, Arity, &str); 5] = [
    ("zachmann", Arity::Fixed(3), "aabb"),
    ("gottschalk", Arity::Improve { alpha: 0.75, smin: 12, vmax: 6 }, "obb"),
    ("centres", Arity::Improve { alpha: 0.75, smin: 12, vmax: 6 }, "obb"),
    ("sah", Arity::Fixed(2), "aabb"),
    ("sah", Arity::Fixed(2), "obb"),
];

pub(super) fn sections(
    page: &mut Page,
    arena: &mut Arena,
    winners: Vec<Scored>,
    public: &[Scene],
) -> Result<(), Failure> {
    let modern = since(page, arena)?;
    then_and_now(page, arena, winners, modern);
    for scene in public {
        foreign(page, arena, scene)?;
    }
    Ok(())
}

/// Builders and volumes that the thesis did not have.
fn since(page: &mut Page, arena: &mut Arena) -> Result<Vec<Scored>, Failure> {
    page.heading("Builders since then");
    page.words(
        "The surface heuristic over bins (`sah`), its form for collisions (`steiner`: volume of the box grown by the opponent's size; \
         `steiner-node`: by an opponent that shrinks with the node), PLOC and the linear builder, all binary, and other kinds \
         of volume over the best of them.",
    );
    let entry = |method: &'static str, volumes: &'static str| {
        let plan = Plan { arity: Arity::Fixed(2), ..Plan::by(method).ok()? };
        Some(Entry::new(format!("{method}, {volumes}"), plan, Volumes::Kind(volumes)))
    };
    let entries: Vec<Entry> = [
        ("sah", "aabb"),
        ("steiner", "aabb"),
        ("steiner-node", "aabb"),
        ("ploc", "aabb"),
        ("linear", "aabb"),
        ("median", "aabb"),
        ("sah", "obb"),
        ("steiner", "obb"),
        ("steiner-node", "obb"),
        ("ploc", "obb"),
        ("sah", "kdop14"),
        ("sah", "kdop18"),
        ("sah", "kdop26"),
        ("sah", "sphere"),
    ]
    .into_iter()
    .filter_map(|(method, volumes)| entry(method, volumes))
    .collect();
    let scored = arena.compete(&entries, Strategy::default())?;
    page.table(table("Two children a node, one-sided", "builder, volumes", &scored));
    if let (Some(by_model), Some(by_time)) = (best(&scored, model), best(&scored, real)) {
        page.words(format!(
            "**Here** {} has the least comparison number ({:.1} µs), {} the least real time ({:.1} µs).",
            by_model.label,
            by_model.mean(model),
            by_time.label,
            by_time.mean(real)
        ));
    }
    Ok(scored)
}

/// The thesis's finalists, the best of today's laboratory trees, and the runtime form.
fn then_and_now(page: &mut Page, arena: &mut Arena, winners: Vec<Scored>, modern: Vec<Scored>) {
    page.heading("Then and now");
    let mut finalists = winners;
    let mut modern = modern;
    modern.sort_by(|a, b| a.mean(real).total_cmp(&b.mean(real)));
    finalists.extend(modern.into_iter().take(2));
    finalists.push(packed_of(arena));
    page.words(
        "The thesis's builders at their best settings here, the two best of the newer ones, and the default of the mesh queries: \
         nodes of eight boxes in single precision rounded outward, sharing the node's axes, tested by SIMD; its tests are \
         counted one by one and have no comparison number.",
    );
    page.table(table("Means over all scenes", "hierarchy", &finalists));
    for (scene, name) in [(0, "cover"), (2, "screw")] {
        let lines = finalists.iter().map(|e| (e.label.clone(), steps_of(e, scene, real))).collect();
        page.figure(
            &format!("then-and-now-{name}"),
            &format!("Processor time of each step of the scene {name}"),
            steps_plot(&format!("Then and now, scene “{name}”: processor time"), "µs a step", lines),
        );
    }
    let packed = finalists.last().map_or(f64::NAN, |entry| entry.mean(real));
    let others = &finalists[..finalists.len() - 1];
    if let Some(next) = best(others, real) {
        page.words(format!(
            "**Here** the runtime form takes {packed:.1} µs a step, the best laboratory tree ({}) {:.1} µs: {:.1} times as much. \
             The comparison \
             number leaves out that every volume that moves has to be enclosed again; for k-DOPs that is most of the real time.",
            next.label,
            next.mean(real),
            next.mean(real) / packed
        ));
    }
}

fn packed_of(arena: &Arena) -> Scored {
    let trees = || arena.scenes.iter().flat_map(|scene| [scene.fixed.tree(), scene.moving.tree()]);
    Scored {
        label: "runtime form (mesh default)".into(),
        steps: arena.packed.clone(),
        nodes: trees().map(|tree| tree.nodes().len()).sum(),
        depth: trees().map(|tree| tree.counts().depth as u32).max().unwrap_or(0),
        build_seconds: f64::NAN,
    }
}

/// A scene of public meshes.
fn foreign(page: &mut Page, arena: &mut Arena, scene: &Scene) -> Result<(), Failure> {
    page.heading(&format!("Public meshes: {}", scene.name));
    let mut table = Table::new(
        format!("{}; means a step", scene.about),
        ["hierarchy", "volume tests", "face tests", "comparison µs", "real µs", "build ms"],
    );
    let mut row = |label: String, steps: &[Step], build: f64| {
        let mean = |of: &dyn Fn(&Step) -> f64| steps.iter().map(of).sum::<f64>() / steps.len().max(1) as f64;
        table.row(vec![
            label.into(),
            Cell::Number(mean(&|s| s.visits.volume_tests as f64), 0),
            Cell::Number(mean(&|s| s.visits.face_tests as f64), 1),
            Cell::Number(mean(&model), 1),
            Cell::Number(mean(&real), 1),
            Cell::Number(1e3 * build, 0),
        ]);
    };
    let truth = contest::packed(scene);
    for (method, arity, volumes) in FINAL {
        let Ok(plan) = Plan::by(method) else { continue };
        let plan = Plan { arity, ..plan };
        let pair = contest::build(scene, &plan, Volumes::Kind(volumes), &arena.costs)?;
        let steps = pair.walk(scene, Strategy::default(), &arena.costs);
        arena.answers += steps.len();
        arena.wrong += steps.iter().zip(&truth).filter(|(a, b)| a.contact != b.contact).count();
        let how = match arity {
            Arity::Fixed(children) => format!("children {children}"),
            Arity::Improve { alpha, .. } => format!("rate {alpha}"),
        };
        row(format!("{method}, {how}, {volumes}"), &steps, pair.build_seconds());
    }
    row("runtime form (mesh default)".into(), &truth, f64::NAN);
    page.table(table);
    Ok(())
}
