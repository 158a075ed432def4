//! `study budget`: what is known of many pairs when a budget ends, by its size and by who gets how much of it.

mod scene;

use super::made::ECKSTEIN;
use super::page::{Cell, Page, Table};
use crate::failure::Failure;
use crate::plot::{Lines, Spacing};
use kontakt::answers::Impact;
use kontakt::pair::Query;
use kontakt::rigid_ccd::MotionQuery;
use kontakt::schedule::{Budget, Policy, Task, Work, run};
use kontakt_lab_budget::End;
use scene::{Pair, Scene};

/// How large the study is.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    /// Faces around a lamp, and poses of a stretch of a removal.
    lamp: [u32; 2],
    /// Bodies along a side of the crowd, and their fineness.
    crowd: [u32; 2],
    /// Units of work, as many for each pair in the mean: of the product's searches, and of the thesis's.
    budgets: &'static [u64],
    approximate: &'static [u64],
}

impl Extent {
    pub(super) const FULL: Extent = Extent {
        lamp: [80, 12],
        crowd: [4, 10],
        budgets: &[4, 16, 64, 256, 1024, 4096, 16384],
        approximate: &[4, 16, 64, 256, 1024, 4096],
    };
    pub(super) const QUICK: Extent = Extent {
        lamp: [30, 4],
        crowd: [3, 4],
        budgets: &[4, 16, 64, 256, 1024, 4096],
        approximate: &[4, 16, 64, 256],
    };
}

const POLICIES: [(&str, Policy); 3] =
    [("even", Policy::Even), ("weighted", Policy::Weighted), ("queue", Policy::Queue)];
/// A contact told later than this after the certified time is late.
const LATE: f64 = 1e-3;

const WORDS: &str = "\
**Words.** A *budget* is a number of units of work that all pairs of a scene share; it is given as units for each pair in the mean. A unit is a pair of nodes or a look at two triangles, some half \
a microsecond, in the product's searches, and a test of two boxes in the thesis's. *Even* gives every pair the same in turn, *weighted* in proportion to its nearness to a viewer, *queue* always \
serves the pair with the most left open for the work spent on it so far (time not proven free, width of the bounds), in the thesis's search the one with the coarsest boxes. A pair is *decided* when its search is done. Budgets of time run \
through the same sequence and stop when the time is over.";

const ENDS: &str = "\
When the budget ends, the thesis's search is left with pairs of boxes. It may say that the bodies meet *at once*; that they meet when the first of *all* remaining *volumes* do; that they meet when \
the boxes of one *indicator* do, the pair with the least sum of directed Hausdorff distances from box to faces; or when the *approximating faces* of that pair do: two rectangles across the mean normal, \
or a box where the faces bend too much. The first two are never late. *Missed* is a contact that is not told, *late* one told after its time, *false* one told of bodies that stay apart. The product's own search \
tells none of these: what it calls free is proven, and the rest it calls open.";

/// A task with a weight.
struct Weighted<T> {
    task: T,
    weight: f64,
}

impl<D, T: Task<D>> Task<D> for Weighted<T> {
    fn work(&mut self, desk: &mut D, units: u64) -> Work {
        self.task.work(desk, units)
    }

    fn weight(&self) -> f64 {
        self.weight
    }

    fn urgency(&self) -> f64 {
        self.task.urgency()
    }
}

/// Spends a budget on the searches of a scene; whether each is done.
fn spend<D, T: Task<D>>(
    scene: &Scene,
    tasks: Vec<T>,
    desk: &mut D,
    policy: Policy,
    each: u64,
) -> (Vec<T>, Vec<bool>) {
    let weighted = |(task, pair): (T, &Pair)| Weighted { task, weight: pair.weight };
    let mut tasks: Vec<Weighted<T>> = tasks.into_iter().zip(&scene.pairs).map(weighted).collect();
    let units = each.saturating_mul(tasks.len() as u64);
    let spent = run(&mut tasks, desk, policy, Budget::Units(units));
    (tasks.into_iter().map(|weighted| weighted.task).collect(), spent.done)
}

/// Runs the whole study.
pub(super) fn study(extent: Extent) -> Result<Page, Failure> {
    let mut page = Page::new("budget", "What is known when the budget ends");
    page.words(format!(
        "This page measures chapter 8 of a thesis, collision detection within a given time, on scenes of the project's own making: {ECKSTEIN}. The thesis has no measurements of it."
    ));
    page.words(WORDS);
    let scenes =
        [scene::lamp(extent.lamp[0], extent.lamp[1])?, scene::crowd(extent.crowd[0], extent.crowd[1])?];
    let mut points = Vec::new();
    for scene in &scenes {
        points.extend(of_scene(&mut page, scene, &extent));
    }
    page.summary(&points);
    Ok(page)
}

/// All sections of a scene; what came out.
fn of_scene(page: &mut Page, scene: &Scene, extent: &Extent) -> Vec<String> {
    let met = scene.pairs.iter().filter(|pair| matches!(pair.answer, Impact::Contact { .. })).count();
    page.heading(&format!("The {}", scene.name));
    page.words(format!(
        "Pairs: {}, of bodies with {} faces together. Contacts: {met}. Left out because they start in contact, or because their answer is open: {}.",
        scene.pairs.len(),
        scene.faces(),
        scene.left_out
    ));
    let mut points: Vec<String> = searched(page, scene, extent.budgets).into_iter().collect();
    measured(page, scene, extent.budgets);
    points.push(ended(page, scene, extent.approximate));
    points
}

/// Names and points of lines.
type Series = Vec<(String, Vec<[f64; 2]>)>;

/// A line for each policy.
fn by_policy() -> Series {
    POLICIES.iter().map(|(name, _)| ((*name).to_owned(), Vec::new())).collect()
}

fn figure(page: &mut Page, name: &str, caption: &str, y_label: &str, series: Series) {
    let lines = Lines {
        title: caption.to_owned(),
        x_label: "power of two of the units for each pair".into(),
        y_label: y_label.to_owned(),
        spacing: Spacing::Even,
        dots: true,
        series,
    };
    page.figure(name, caption, lines.svg());
}

fn percent(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { 100.0 * part / whole } else { 100.0 }
}

/// First contacts by the product's search.
fn searched(page: &mut Page, scene: &Scene, budgets: &[u64]) -> Option<String> {
    let title = format!("First contacts, {}", scene.name);
    let columns = [
        "policy",
        "units a pair",
        "decided %",
        "decided by weight %",
        "of the free time proven %",
        "said too much",
    ];
    let mut table = Table::new(&title, columns);
    let (mut decided, mut proven) = (by_policy(), by_policy());
    let weights: f64 = scene.pairs.iter().map(|pair| pair.weight).sum();
    let mut query = Query::new();
    let mut wrong = 0;
    for (at, (name, policy)) in POLICIES.into_iter().enumerate() {
        for &each in budgets {
            let (searches, done) = spend(scene, scene.impacts(), &mut query, policy, each);
            let count = done.iter().filter(|&&done| done).count() as f64;
            let by_weight = scene
                .pairs
                .iter()
                .zip(&done)
                .fold(0.0, |sum, (pair, done)| if *done { sum + pair.weight } else { sum });
            let until = |impact: &Impact| impact.free_until();
            let free: f64 = scene.pairs.iter().map(|pair| until(&pair.answer)).sum();
            let known: f64 = searches.iter().map(|search| until(&search.impact())).sum();
            let late = searches
                .iter()
                .zip(&scene.pairs)
                .filter(|(search, pair)| until(&search.impact()) > until(&pair.answer));
            let late = late.count();
            wrong += late;
            let share = percent(count, scene.pairs.len() as f64);
            table.row(vec![
                Cell::from(name),
                Cell::Number(each as f64, 0),
                Cell::Number(share, 1),
                Cell::Number(percent(by_weight, weights), 1),
                Cell::Number(percent(known, free), 1),
                Cell::Number(late as f64, 0),
            ]);
            decided[at].1.push([(each as f64).log2(), share]);
            proven[at].1.push([(each as f64).log2(), percent(known, free)]);
        }
    }
    page.table(table);
    let shares: Vec<f64> =
        decided.iter().filter_map(|(_, points)| points.get(points.len() / 2)).map(|p| p[1]).collect();
    figure(
        page,
        &format!("{}-decided", scene.name),
        &format!("Pairs decided, {}", scene.name),
        "% of the pairs",
        decided,
    );
    figure(
        page,
        &format!("{}-proven", scene.name),
        &format!("Free time proven, {}", scene.name),
        "% of the free time",
        proven,
    );
    let each = budgets.get(budgets.len() / 2)?;
    Some(format!(
        "{}: with {each} units for each pair {} % of the pairs are decided (even, weighted, queue); of all that was said to be free {wrong} times too much was.",
        scene.name,
        shares.iter().map(|share| format!("{share:.0}")).collect::<Vec<_>>().join(", ")
    ))
}

/// Distances where the motions begin.
fn measured(page: &mut Page, scene: &Scene, budgets: &[u64]) {
    let title = format!("Distances at the start, {}", scene.name);
    let mut table =
        Table::new(&title, ["policy", "units a pair", "done %", "known to be apart %", "mean width %"]);
    let mut widths = by_policy();
    let mut query = Query::new();
    let pairs = scene.pairs.len() as f64;
    for (at, (name, policy)) in POLICIES.into_iter().enumerate() {
        for &each in budgets {
            let (searches, done) = spend(scene, scene.distances(), &mut query, policy, each);
            let apart = searches.iter().filter(|search| search.any_contact() == Some(false)).count();
            let width = |search: &kontakt::pair::DistanceSearch| {
                let range = search.proximity().range;
                let width = range.width() / range.hi();
                if width.is_nan() { 1.0 } else { width }
            };
            let mean = percent(searches.iter().map(width).sum(), pairs);
            table.row(vec![
                Cell::from(name),
                Cell::Number(each as f64, 0),
                Cell::Number(percent(done.iter().filter(|&&done| done).count() as f64, pairs), 1),
                Cell::Number(percent(apart as f64, pairs), 1),
                Cell::Number(mean, 2),
            ]);
            widths[at].1.push([(each as f64).log2(), mean]);
        }
    }
    page.table(table);
    let caption = format!("Width of the bounds of a distance, {}", scene.name);
    figure(page, &format!("{}-width", scene.name), &caption, "% of the upper bound", widths);
}

/// What one end of the budget says of all pairs.
#[derive(Clone, Copy, Default)]
struct Errors {
    missed: usize,
    late: usize,
    false_contacts: usize,
}

impl Errors {
    fn take(&mut self, said: Option<f64>, answer: &Impact) {
        match (said, answer) {
            (None, Impact::Contact { .. }) => self.missed += 1,
            (Some(said), Impact::Contact { time, .. }) => self.late += usize::from(said > time.hi() + LATE),
            (Some(_), _) => self.false_contacts += 1,
            (None, _) => {}
        }
    }
}

/// The thesis's ends of a budget.
fn ended(page: &mut Page, scene: &Scene, budgets: &[u64]) -> String {
    page.words(ENDS);
    let title = format!("Missed / late / false at the end of the budget, {}", scene.name);
    let columns = ["policy", "units a pair", "pairs left open"].into_iter().chain(End::ALL.map(End::name));
    let mut table = Table { title, columns: columns.map(String::from).collect(), rows: Vec::new() };
    let by_end = || End::ALL.map(|end| (end.name().to_owned(), Vec::new())).to_vec();
    let (mut missing, mut too_many): (Series, Series) = (by_end(), by_end());
    let met = scene.pairs.iter().filter(|pair| matches!(pair.answer, Impact::Contact { .. })).count();
    let free = scene.pairs.len() - met;
    let mut query = MotionQuery::new();
    let mut worst = [0; 4];
    for (name, policy) in POLICIES {
        for &each in budgets {
            let (searches, done) = spend(scene, scene.approximate(), &mut query, policy, each);
            let mut cells = vec![
                Cell::from(name),
                Cell::Number(each as f64, 0),
                Cell::Number(done.iter().filter(|&&done| !done).count() as f64, 0),
            ];
            for (at, end) in End::ALL.into_iter().enumerate() {
                let mut errors = Errors::default();
                for (search, pair) in searches.iter().zip(&scene.pairs) {
                    errors.take(search.contact(&mut query, end), &pair.answer);
                }
                let Errors { missed, late, false_contacts } = errors;
                cells.push(format!("{missed} / {late} / {false_contacts}").into());
                if policy == Policy::Even {
                    let units = (each as f64).log2();
                    let wrong = missed + late;
                    missing[at].1.push([units, percent(wrong as f64, met as f64)]);
                    too_many[at].1.push([units, percent(false_contacts as f64, free as f64)]);
                    worst[at] = worst[at].max(wrong);
                }
            }
            table.row(cells);
        }
    }
    page.table(table);
    let caption = format!("Contacts missed or told late at the end of an even budget, {}", scene.name);
    figure(page, &format!("{}-missed", scene.name), &caption, "% of the contacts", missing);
    let caption = format!("False contacts at the end of an even budget, {}", scene.name);
    figure(page, &format!("{}-false", scene.name), &caption, "% of the pairs that stay apart", too_many);
    let [at_once, volumes, indicator, faces] = worst;
    format!(
        "{}: of {met} contacts the thesis's indicator misses or tells late up to {indicator}, its approximating faces up to {faces}; its two safe ends {}.",
        scene.name,
        at_once + volumes
    )
}
