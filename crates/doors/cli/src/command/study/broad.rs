//! `study broad`: ways to find pairs of boxes by number, mix of sizes and share of movers.

use super::page::{Cell, Page, Table};
use crate::command::broad::{Course, set_named};
use crate::failure::Failure;
use crate::plot::{Bars, Lines, Spacing};
use kontakt::broad::Way;
use kontakt_lab_broad::{Crowd, Mix, Other};

/// How large the study is.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    /// Numbers of boxes, all moving, in every mix.
    counts: &'static [usize],
    /// Numbers of boxes for the growth of the product's own ways.
    growth: &'static [usize],
    /// Boxes of which a share moves.
    resting: usize,
    steps: usize,
    /// Steps where few move.
    few_steps: usize,
}

impl Extent {
    pub(super) const FULL: Extent = Extent {
        counts: &[1_000, 10_000, 50_000],
        growth: &[1_000, 10_000, 100_000, 1_000_000],
        resting: 100_000,
        steps: 24,
        few_steps: 200,
    };
    pub(super) const QUICK: Extent = Extent {
        counts: &[200, 2_000],
        growth: &[300, 1_000, 3_000],
        resting: 2_000,
        steps: 9,
        few_steps: 20,
    };
}

/// Boxes up to which everything is compared with everything.
const BRUTE_FORCE: usize = 10_000;

const WORDS: &str = "\
**Words.** Boxes have their sides along the axes. A *pair* overlaps or touches. *Rows* are the boxes of a grid over two axes, sorted along the third, one grid for each octave \
of sizes; the *tree* is a balanced binary tree of boxes; *auto* takes rows unless they are crowded. The others are laboratory: *sweep-and-prune* keeps three sorted \
lists by insertion, the *uniform grid* has a box in every cell that it touches, the *hash grid* in one cell of the grid of its octave, the *octrees* cut cells in halves of length or of content. \
All stand behind one interface that keeps boxes a little larger than they are and remembers which of those are near each other; so a way is asked only about boxes that have left their \
fat boxes. Times are processor time of one thread, telling the set where all boxes are and finding all pairs, the mean of a step.";

/// A run: mean time of a step in milliseconds, the slowest, and what came out.
struct Run {
    mean: f64,
    slowest: f64,
    outcome: (usize, u64),
}

fn run(method: &str, mix: Mix, count: usize, movers: usize, steps: usize) -> Result<Run, Failure> {
    let mut course = Course::new(Crowd::new(mix, count, movers, 1), set_named(method))?;
    for _ in 0..steps {
        course.step()?;
    }
    let [update, found] = course.means();
    let outcome = (course.pairs, course.fingerprint()?);
    Ok(Run { mean: (update + found) * 1e3, slowest: course.slowest * 1e3, outcome })
}

fn methods() -> Vec<&'static str> {
    Way::ALL.map(Way::name).into_iter().chain(Other::ALL.map(Other::name)).collect()
}

/// What the sections count together.
#[derive(Default)]
struct Tally {
    runs: usize,
    differ: usize,
    /// Greatest factor of auto to the best of all.
    worst: f64,
    /// Where the laboratory won.
    won: Vec<String>,
}

impl Tally {
    /// One crowd by all methods: a row of times.
    fn row(&mut self, place: &str, pairs: usize, times: &[(&'static str, f64)], differ: usize) -> Vec<Cell> {
        self.runs += times.iter().filter(|(_, time)| time.is_finite()).count();
        self.differ += differ;
        let auto = times[0].1;
        let best = times[1..].iter().filter(|(_, time)| time.is_finite()).min_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((name, time)) = best {
            self.worst = self.worst.max(auto / time);
            if !Way::ALL.iter().any(|way| way.name() == *name) {
                self.won.push(format!("{name} ({place})"));
            }
        }
        let mut cells = vec![Cell::from(place), Cell::Number(pairs as f64, 0)];
        cells.extend(times.iter().map(|(_, time)| Cell::Number(*time, 3)));
        cells
    }
}

/// Milliseconds a step by method; NaN where it was not asked.
type Times = Vec<(&'static str, f64)>;

/// Times of all methods on one crowd, pairs, and how many methods differ from the first.
fn all_methods(
    mix: Mix,
    count: usize,
    movers: usize,
    steps: usize,
) -> Result<(Times, usize, usize), Failure> {
    let mut times = Vec::new();
    let mut first = None;
    let mut differ = 0;
    for method in methods() {
        if method == Other::BruteForce.name() && count > BRUTE_FORCE {
            times.push((method, f64::NAN));
            continue;
        }
        let run = run(method, mix, count, movers, steps)?;
        times.push((method, run.mean));
        differ += usize::from(*first.get_or_insert(run.outcome) != run.outcome);
    }
    Ok((times, first.map_or(0, |(pairs, _)| pairs), differ))
}

fn table(title: String, first: &str) -> Table {
    let columns = [first, "pairs"].into_iter().chain(methods()).map(String::from).collect();
    Table { title, columns, rows: Vec::new() }
}

/// Runs the whole study.
pub(super) fn study(extent: Extent) -> Result<Page, Failure> {
    let mut page = Page::new("broad", "Broad phases: pairs of many boxes");
    page.words(WORDS);
    let mut tally = Tally::default();
    all_moving(&mut page, extent, &mut tally)?;
    few_moving(&mut page, extent, &mut tally)?;
    let growth = growing(&mut page, extent)?;
    summarise(&mut page, &tally, growth);
    Ok(page)
}

fn all_moving(page: &mut Page, extent: Extent, tally: &mut Tally) -> Result<(), Failure> {
    page.heading("Mixes of sizes and places, all moving");
    for &count in extent.counts {
        let mut shown = table(format!("{count} boxes, all moving: ms a step"), "mix");
        let mut series: Vec<(String, Vec<f64>)> =
            methods().iter().map(|name| ((*name).to_owned(), Vec::new())).collect();
        for mix in Mix::ALL {
            let (times, pairs, differ) = all_methods(mix, count, count, extent.steps)?;
            shown.row(tally.row(mix.name(), pairs, &times, differ));
            for ((_, values), (_, time)) in series.iter_mut().zip(&times) {
                values.push(*time);
            }
        }
        page.table(shown);
        let bars = Bars {
            title: format!("{count} boxes, all moving"),
            y_label: "ms a step".into(),
            spacing: Spacing::Logarithmic,
            categories: Mix::ALL.map(|mix| mix.name().to_owned()).to_vec(),
            series,
        };
        page.figure(&format!("mixes-{count}"), &format!("{count} boxes by mix and method"), bars.svg());
    }
    Ok(())
}

fn few_moving(page: &mut Page, extent: Extent, tally: &mut Tally) -> Result<(), Failure> {
    page.heading("Shares of movers");
    let count = extent.resting;
    let mut shown = table(format!("{count} boxes of the even mix: ms a step"), "moving");
    let mut series: Vec<(String, Vec<[f64; 2]>)> =
        methods().iter().map(|name| ((*name).to_owned(), Vec::new())).collect();
    for share in [0.001, 0.01, 0.1, 1.0] {
        let movers = (count as f64 * share) as usize;
        let steps = if share < 0.05 { extent.few_steps } else { extent.steps };
        let (times, pairs, differ) = all_methods(Mix::Even, count, movers, steps)?;
        shown.row(tally.row(&movers.to_string(), pairs, &times, differ));
        for ((_, points), (_, time)) in series.iter_mut().zip(&times) {
            points.push([share.log10(), *time]);
        }
    }
    page.table(shown);
    series.retain(|(_, points)| points.iter().any(|point| point[1].is_finite()));
    let lines = Lines {
        title: format!("{count} boxes, some moving"),
        x_label: "power of ten of the share that moves".into(),
        y_label: "ms a step".into(),
        spacing: Spacing::Logarithmic,
        dots: true,
        series,
    };
    page.figure("movers", "Time of a step by the share of movers", lines.svg());
    Ok(())
}

/// Gives the factor from the last number but one to the last, for ten times as many.
fn growing(page: &mut Page, extent: Extent) -> Result<Option<f64>, Failure> {
    page.heading("Growth");
    let ways = Way::ALL.map(Way::name);
    let mut shown = Table::new(
        "Even mix, all moving: ms a step",
        ["boxes", "pairs", "auto", "rows", "tree", "slowest step of auto"],
    );
    let mut series: Vec<(String, Vec<[f64; 2]>)> =
        ways.iter().map(|name| ((*name).to_owned(), Vec::new())).collect();
    for &count in extent.growth {
        let mut cells = vec![Cell::Number(count as f64, 0)];
        let mut slowest = 0.0;
        for (at, way) in ways.iter().enumerate() {
            let run = run(way, Mix::Even, count, count, extent.steps)?;
            if at == 0 {
                slowest = run.slowest;
                cells.push(Cell::Number(run.outcome.0 as f64, 0));
            }
            cells.push(Cell::Number(run.mean, 3));
            series[at].1.push([(count as f64).log10(), run.mean]);
        }
        cells.push(Cell::Number(slowest, 3));
        shown.row(cells);
    }
    page.table(shown);
    let auto = &series[0].1;
    let growth = match (auto.len().checked_sub(2).map(|at| auto[at]), auto.last()) {
        (Some(before), Some(last)) => Some((last[1] / before[1]).powf(1.0 / (last[0] - before[0]))),
        _ => None,
    };
    let lines = Lines {
        title: "Even mix, all moving".into(),
        x_label: "power of ten of the number of boxes".into(),
        y_label: "ms a step".into(),
        spacing: Spacing::Logarithmic,
        dots: true,
        series,
    };
    page.figure("growth", "Time of a step by the number of boxes", lines.svg());
    Ok(growth)
}

fn summarise(page: &mut Page, tally: &Tally, growth: Option<f64>) {
    let mut points = vec![format!(
        "{} runs of different methods on the same crowds: {} differ in their pairs.",
        tally.runs, tally.differ
    )];
    points
        .push(format!("`auto` takes at most {:.2} times as long as the best method of a row.", tally.worst));
    points.push(if tally.won.is_empty() {
        "No method of the laboratory is the fastest in any row.".to_owned()
    } else {
        format!("Rows in which the laboratory was faster: {}.", tally.won.join(", "))
    });
    if let Some(growth) = growth {
        points.push(format!(
            "Ten times as many boxes take {growth:.1} times as long, by the last two rows of the growth."
        ));
    }
    page.summary(&points);
}
