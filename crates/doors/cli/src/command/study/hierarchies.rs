//! `study hierarchies`: the comparison of the VR thesis's section 10.1 on our own scenes, and what came after it.

mod builders;
mod distances;
mod today;
mod walks;

use super::arena::Arena;
use super::contest;
use super::made::ECKSTEIN;
use super::page::{Cell, Page, Table};
use super::scene::{self, Scene};
use crate::failure::Failure;
use crate::progress;
use std::path::Path;

/// Kinds of volume whose tests are measured.
const KINDS: [&str; 8] = ["sphere", "aabb", "obb", "kdop14", "kdop18", "kdop26", "lss", "rss"];

/// Times of the thesis, in milliseconds on a 195 MHz MIPS R10000.
const THESIS_COSTS: [(&str, &str, f64); 6] = [
    ("sphere", "sphere", 0.0090),
    ("sphere", "aabb", 0.0098),
    ("sphere", "obb", 0.0110),
    ("aabb", "aabb", 0.0089),
    ("aabb", "obb", 0.0136),
    ("obb", "obb", 0.0137),
];
const THESIS_FACE: f64 = 0.0081;

/// How large the study is.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    /// Fineness of the bodies.
    pub(super) detail: u32,
    /// Poses of each scene.
    pub(super) steps: u32,
}

impl Extent {
    pub(super) const FULL: Extent = Extent { detail: 8, steps: 50 };
    pub(super) const QUICK: Extent = Extent { detail: 1, steps: 3 };
}

/// Runs the whole study. `data` is a folder of public meshes, if there is one.
pub(super) fn study(extent: Extent, data: Option<&Path>) -> Result<Page, Failure> {
    let scenes = scene::own(extent.detail, extent.steps)?;
    let public = data.map_or(Ok(Vec::new()), |folder| scene::public(folder, extent.steps))?;
    let costs = progress::during("measuring what tests cost".into(), || contest::costs(&KINDS, &scenes[0]))?;
    progress::over("hierarchies", builders::LENGTH + walks::LENGTH + today::LENGTH, |bar| {
        let mut page = Page::new("hierarchies", "Hierarchies of bounding volumes: which are best?");
        let mut arena = Arena::new(&scenes, costs, bar);
        introduction(&mut page, &arena, &public);
        test_costs(&mut page, &arena);
        let winners = builders::sections(&mut page, &mut arena)?;
        walks::sections(&mut page, &mut arena)?;
        distances::section(&mut page, &arena)?;
        today::sections(&mut page, &mut arena, winners, &public)?;
        page.words(format!(
            "*{} answers of laboratory trees were compared with the exact queries of the runtime form: {} differ.*",
            arena.answers, arena.wrong
        ));
        summarise(&mut page, &arena);
        Ok(page)
    })
}

fn introduction(page: &mut Page, arena: &Arena, public: &[Scene]) {
    page.words(
        format!(
            "This page repeats the comparison of section 10.1 of a thesis (here *the thesis*): {ECKSTEIN}. How many children should a node have, \
             which volumes, which builder, which traversal? The thesis's curves (Figures D.8–D.48) are known by their captions only, so its \
             words stand beside our curves."
        ),
    );
    page.words(WORDS);
    page.words(
        "The thesis took headlight covers and bulbs out of an engine bay. Our scenes are of that kind, made by formulas so that \
         anybody can repeat them: tight fits, thin gaps, steps with and without contact. A step asks for the first \
         contact, exactly. *Comparison* is the thesis's number: tests × their mean cost, as measured below; *real* is processor \
         time of the step, the least of three. Both are means over all steps of all scenes.",
    );
    let mut table = Table::new("Scenes", ["scene", "what happens", "fixed", "moving", "steps", "in contact"]);
    for (scene, steps) in arena.scenes.iter().zip(&arena.packed) {
        let contacts = steps.iter().filter(|step| step.contact).count();
        table.row(scene_row(scene, contacts));
    }
    for scene in public {
        let contacts = contest::packed(scene).iter().filter(|step| step.contact).count();
        table.row(scene_row(scene, contacts));
    }
    page.table(table);
    for scene in arena.scenes.iter().chain(public) {
        let svg = scene.drawing().svg();
        page.figure(
            &format!("scene-{}", scene.name.replace(' ', "-")),
            &format!("The scene {}", scene.name),
            svg,
        );
    }
}

/// Words of the field and of the thesis that the page uses.
const WORDS: &str = "\
**Words.** A *hierarchy* is a tree of volumes: each node's volume holds the faces below it. Two bodies are compared by walking both trees, from pairs of \
nodes whose volumes overlap to their children, down to pairs of faces. The *degree* (or *arity*) is the number of children a node has; with an *improvement \
rate* a node gets the least number of children, up to *vmax*, whose volumes together measure at most the rate times its own; where none does, a node of fewer than \
*smin* faces stays whole. Volumes: *aabb* a box along the axes, *obb* a box turned to fit, *kdopN* a polytope of N/2 pairs of parallel planes, *lss* and *rss* a segment and a \
rectangle grown by a ball. Builders split the faces of a node: *zachmann* and *gottschalk* after these authors, *centres* is the thesis's heuristic without \
and *grow* the one with optimisation, *sah* the surface-area heuristic of ray tracing. A *traversal* opens one node of a pair (*one-sided*), both \
(*simultaneous*) or as the pair demands (*hybrid*), and takes the open pairs first in first out (*fifo*), last in first out (*lifo*) or by their overlap. \
The *runtime form* is the hierarchy that all other commands of kontakt use.";

fn summarise(page: &mut Page, arena: &Arena) {
    let mut points = vec![format!(
        "Every tree gives the right answer: {} of {} answers differ from the exact one.",
        arena.wrong, arena.answers
    )];
    let mut least = |title: &str, column: &str, words: &dyn Fn(&str, f64) -> String| {
        points.extend(page.least(title, column).map(|(name, value)| words(&name, value)));
    };
    least("Each builder at its best setting here (least comparison number)", "real µs", &|name, value| {
        format!(
            "Of the thesis's builders the fastest here is **{name}**: {value:.0} µs a step in the mean. The thesis had both heuristics with oriented \
                 boxes in front; on its machine all tests took about the same time."
        )
    });
    least(
        "Trees of the heuristic without optimisation, rate 0.75, oriented boxes",
        "real µs",
        &|name, _| {
            format!("Of the traversals the fastest is **{name}**. The thesis found one-sided expansion best.")
        },
    );
    least("Means over all scenes", "real µs", &|name, value| {
        format!("Of everything, then and now, the fastest is **{name}** with {value:.0} µs a step.")
    });
    page.summary(&points);
}

fn scene_row(scene: &Scene, contacts: usize) -> Vec<Cell> {
    let triangles = |mesh: &kontakt::mesh::Mesh| Cell::Number(mesh.faces().triangles().len() as f64, 0);
    vec![
        scene.name.into(),
        scene.about.into(),
        triangles(&scene.fixed),
        triangles(&scene.moving),
        Cell::Number(scene.poses.len() as f64, 0),
        Cell::Number(contacts as f64, 0),
    ]
}

fn test_costs(page: &mut Page, arena: &Arena) {
    page.heading("What a test costs");
    let (matrix, face) = (&arena.costs.matrix, arena.costs.face);
    let mut table = Table::new(
        "One test of volumes or faces",
        ["test", "thesis µs", "here ns", "thesis, face = 1", "here, face = 1"],
    );
    let mut row = |words: String, thesis: f64, here: f64| {
        table.row(vec![
            words.into(),
            Cell::Number(1e3 * thesis, 1),
            Cell::Number(1e9 * here, 1),
            Cell::Number(thesis / THESIS_FACE, 2),
            Cell::Number(here / face, 2),
        ]);
    };
    for (a, b, thesis) in THESIS_COSTS {
        row(format!("{a} – {b}"), thesis, matrix.seconds(matrix.index(a), matrix.index(b)));
    }
    for name in ["kdop14", "kdop18", "kdop26", "lss", "rss"] {
        row(format!("{name} – {name}"), f64::NAN, matrix.seconds(matrix.index(name), matrix.index(name)));
    }
    row("edge – face (thesis), face – face exact (here)".into(), THESIS_FACE, face);
    page.table(table);
    page.words(
        "The volumes are in one frame already; moving them there is extra and counts in the real times. In the thesis all tests cost \
         about the same, so fewer tests meant less time. Today an axis-aligned test is a handful of comparisons and an \
         exact face test costs several tens of them: counts and times no longer say the same.",
    );
}
