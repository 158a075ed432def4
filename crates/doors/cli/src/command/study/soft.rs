//! `study soft`: the DEF thesis's four scenes, by its discrete method and by the product's step.

mod finding;
mod large;
mod laws;
mod misses;
mod run;
mod scene;

use super::made::KNOBLAUCH;
use super::page::{Cell, Page, Table};
use crate::failure::Failure;
use crate::plot::{Bodies, Lines, Spacing};
use kontakt::math::DVec3;
use kontakt::soft_ccd::mesh::Surface;
use run::{Method, Run};
use scene::{SCENES, Scene};

/// How large the study is.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    /// Steps of the falls on the membrane, the contact in the eighth tenth of them, and of the bears.
    steps: [usize; 2],
    /// The bears' lattice.
    bear: f64,
    /// Random motions for the count of misses.
    motions: usize,
    /// Cells along the sides of the large slab and of the large cloth.
    large: [u32; 2],
    /// The hollow bears' lattice.
    hollow: f64,
}

impl Extent {
    pub(super) const FULL: Extent =
        Extent { steps: [100, 100], bear: 0.22, motions: 100_000, large: [346, 707], hollow: 0.0145 };
    pub(super) const QUICK: Extent =
        Extent { steps: [10, 36], bear: 0.4, motions: 2000, large: [20, 20], hollow: 0.1 };
}

const WORDS: &str = "\
**Scenes.** A tetrahedron flies at a held slab of 10 × 10 × 1 cells, 484 surface triangles together, without gravity, so that undisturbed its centroid would be in the middle of the slab after eight tenths of the steps, at three speeds: *slow*, \
0.4 m/s; *fast*, 5 m/s, a slab's thickness a step; *very fast*, 25 m/s, more than the slab and the tetrahedron together. *Bears*: five teddy bears of the project's own making fall on one another. The thesis gives neither \
speeds nor sizes nor stiffness: these are ours. A step is 10 ms, in 10 substeps of extended position-based dynamics, the same for all methods.\n\n\
**Methods.** *kontakt* is the product's step: exact search, response, zones. *Continuous, frozen* is the thesis's simplified response with kontakt's exact search: bodies that meet stop at the place of contact and \
stay. *Discrete* looks at the end of each step for vertices in tetrahedra by spatial hashing (`teschner2003`) and pushes them out by consistent penetration depth (`heidelberger2004`), all of it in one step. *Discrete, \
frozen* stops bodies at the end of the step in which a vertex is found inside.\n\n\
**Numbers.** A time covers deformation, detection and response of one step, in processor time of all threads. *Through* counts vertices that entered the slab by one side and left it by the other, told from exact crossings of \
its surface and not from heights; what bounces over the rim is not through. *Meetings* are edges in faces or through them in the last state, decided exactly.";

/// Runs the whole study.
pub(super) fn study(extent: Extent) -> Result<Page, Failure> {
    let mut page = Page::new("soft", "Bodies that deform: what a look at the end of each step loses");
    page.words(format!("This page repeats chapter 4 of a thesis: {KNOBLAUCH}."));
    page.words(WORDS);
    let mut points = Vec::new();
    let mut lost = Table::new(
        "What is found and what is lost",
        [
            "scene",
            "method",
            "first contact in step",
            "through",
            "crossings of the slab",
            "meetings at the end",
        ],
    );
    for scene in SCENES {
        points.extend(of_scene(&mut page, scene, extent, &mut lost)?);
    }
    page.heading("Who fell through");
    page.table(lost);
    points.extend(finding::section(&mut page, extent)?);
    points.extend(misses::section(&mut page, extent)?);
    points.extend(laws::section(&mut page)?);
    points.extend(large::section(&mut page, extent)?);
    page.summary(&points);
    Ok(page)
}

fn of_scene(page: &mut Page, scene: Scene, extent: Extent, lost: &mut Table) -> Result<Vec<String>, Failure> {
    page.heading(scene.title);
    let columns = ["method", "least µs", "most µs", "mean µs", "thesis: least µs", "most µs", "mean µs"];
    let mut times = Table::new(format!("Table {}: a step, {}", scene.table, scene.name), columns);
    let mut lines = Vec::new();
    let mut means = Vec::new();
    for method in Method::ALL {
        let run = Run::new(scene, method, extent)?;
        let [least, most, mean] = run.summary();
        let thesis = method.thesis(scene).map(|value| Cell::Number(value, 0));
        let mut row: Vec<Cell> = vec![method.name().into()];
        row.extend([least, most, mean].map(|value| Cell::Number(value, 0)));
        row.extend(thesis);
        times.row(row);
        lost.row(vec![
            scene.name.into(),
            method.name().into(),
            run.first.map_or("none".into(), |step| Cell::Number(step as f64, 0)),
            run.through.map_or("–".into(), |count| Cell::Number(count as f64, 0)),
            run.crossings.map_or("–".into(), |count| Cell::Number(count as f64, 0)),
            Cell::Number(run.meetings as f64, 0),
        ]);
        let points = run.micros.iter().enumerate().map(|(step, &micros)| [step as f64, micros]).collect();
        lines.push((method.name().to_owned(), points));
        means.push(mean);
        if matches!(method, Method::Kontakt | Method::Discrete) {
            let name = format!("{}-{}", scene.name.replace(' ', "-"), method.slug());
            let title = format!("{}, {}: the last state", scene.title, method.name());
            page.figure(&name, &title, picture(&title, run.surface(), run.places(), scene.from));
        }
    }
    page.table(times);
    let caption = format!("Figure {}: time of each step, {}", scene.figure, scene.name);
    let plot = Lines {
        title: caption.clone(),
        x_label: "step".into(),
        y_label: "µs".into(),
        spacing: Spacing::Logarithmic,
        dots: false,
        series: lines,
    };
    page.figure(&format!("{}-times", scene.name.replace(' ', "-")), &caption, plot.svg());
    let share = means[0] / means[2];
    Ok(vec![format!(
        "{}: kontakt's step takes {:.0} µs in the mean, {share:.1} times the discrete method's; the thesis's continuous method took {:.0} times its discrete one's.",
        scene.title,
        means[0],
        scene.thesis[0][2] / scene.thesis[1][2]
    )])
}

fn picture(title: &str, surface: &Surface, places: &[DVec3], from: DVec3) -> String {
    let bodies: Vec<u32> = (0..places.len() as u32).map(|v| surface.body(v).unwrap_or(0)).collect();
    let picture = Bodies {
        title: title.to_owned(),
        label: String::new(),
        places,
        triangles: surface.triangles(),
        owners: &bodies,
        from,
        is_open: false,
    };
    picture.svg()
}
