//! `study ranks`: what a step of a pile costs on ranks that are threads, what they say to each other, and a model of many more.

mod counted;
mod model;
mod scene;

use super::page::{Cell, Page, Table};
use crate::failure::Failure;
use crate::plot::{Lines, Spacing};
use scene::Measured;

/// How large the study is.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    /// Balls along a side of the block that is shared among more and more ranks.
    strong: u32,
    /// Of the block that each rank has where blocks are added with ranks.
    weak: u32,
    ranks: &'static [usize],
    steps: u64,
}

impl Extent {
    pub(super) const FULL: Extent = Extent { strong: 20, weak: 12, ranks: &[1, 2, 3, 4, 8], steps: 10 };
    pub(super) const QUICK: Extent = Extent { strong: 6, weak: 4, ranks: &[1, 2], steps: 2 };
}

const WORDS: &str = "\
Ranks are threads here, each with one worker, on a machine that has fewer cores than most of these runs have ranks; so wall time says little of ranks beyond the cores. What counts is the *work*: the processor time of the \
busiest rank in a step. Were every rank alone on a core and talking free, a step would take that long; *efficiency* is the work of one rank alone over that of all together. All runs end in the same state, to the last bit: the hash is compared. \
The scene is a block of touching balls that settles in a container: three contacts a ball, 16 sweeps and 6 shifts a step.";

/// Runs the whole study.
pub(super) fn study(extent: Extent) -> Result<Page, Failure> {
    let mut page = Page::new("ranks", "A pile on many ranks");
    page.words(WORDS);
    page.heading("The same pile on more ranks");
    let strong: Vec<Measured> = extent
        .ranks
        .iter()
        .map(|&ranks| scene::measure([extent.strong; 3], ranks, extent.steps))
        .collect::<Result<_, Failure>>()?;
    page.table(table(&format!("{} balls", extent.strong.pow(3)), &strong, |one, all| one.work / all.total));
    page.heading("A pile that grows with the ranks");
    let weak: Vec<Measured> = extent
        .ranks
        .iter()
        .map(|&ranks| {
            scene::measure([extent.weak * ranks as u32, extent.weak, extent.weak], ranks, extent.steps)
        })
        .collect::<Result<_, Failure>>()?;
    page.table(table(&format!("{} balls a rank", extent.weak.pow(3)), &weak, |one, all| {
        one.work * all.ranks as f64 / all.total
    }));
    figure(&mut page, &strong, &weak);
    let same = strong.iter().all(|run| run.hash == strong[0].hash);
    let predicted = model::section(&mut page, &weak);
    let last = strong.last().map_or(1, |run| run.ranks);
    let best = strong.last().map_or(f64::NAN, |run| 100.0 * strong[0].work / run.total);
    page.summary(&[
        format!(
            "{} balls on 1 to {last} ranks: {}; of the work of {last} ranks {best:.0} % is that of one.",
            extent.strong.pow(3),
            if same { "one hash" } else { "**different states**" }
        ),
        predicted,
    ]);
    Ok(page)
}

fn table(title: &str, runs: &[Measured], efficiency: impl Fn(&Measured, &Measured) -> f64) -> Table {
    let columns = [
        "ranks",
        "balls",
        "work of the busiest rank, ms a step",
        "work of all, ms a step",
        "efficiency, %",
        "copies a rank, most",
        "calls a rank and step",
        "messages a rank and step",
        "kB sent a rank and step",
        "hash",
    ];
    let mut table = Table::new(title, columns);
    for run in runs {
        table.row(vec![
            Cell::Number(run.ranks as f64, 0),
            Cell::Number(run.balls as f64, 0),
            Cell::Number(1e3 * run.work, 2),
            Cell::Number(1e3 * run.total, 2),
            Cell::Number(100.0 * efficiency(&runs[0], run), 1),
            Cell::Number(run.copies as f64, 0),
            Cell::Number(run.calls, 1),
            Cell::Number(run.messages, 1),
            Cell::Number(run.bytes / 1e3, 1),
            format!("{:016x}", run.hash).into(),
        ]);
    }
    table
}

fn figure(page: &mut Page, strong: &[Measured], weak: &[Measured]) {
    let line = |runs: &[Measured]| runs.iter().map(|run| [run.ranks as f64, 1e3 * run.work]).collect();
    let lines = Lines {
        title: "Work of the busiest rank in a step".into(),
        x_label: "ranks".into(),
        y_label: "ms".into(),
        spacing: Spacing::Logarithmic,
        dots: true,
        series: vec![("the same pile".into(), line(strong)), ("a pile that grows".into(), line(weak))],
    };
    page.figure("scaling", "Work of the busiest rank in a step", lines.svg());
}
