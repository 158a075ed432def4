//! `study piles`: the GJK thesis's bodies that fall into a box, with one contact a pair and with all.

mod picture;
mod runs;

use super::made::LEEMANN;
use super::page::{Cell, Page, Table};
use crate::failure::Failure;
use crate::plot::{Lines, Spacing};
use crate::progress;
use runs::{Kind, Outcome, run};

/// How large the study is.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    /// Bodies of a pile.
    count: u64,
    /// Piles of each kind.
    seeds: u64,
    /// The longest simulated time.
    time: f64,
    /// Sizes of the piles whose step is timed.
    growth: &'static [u64],
}

impl Extent {
    pub(super) const FULL: Extent =
        Extent { count: 3000, seeds: 10, time: 25.0, growth: &[1_000, 3_000, 10_000, 30_000] };
    pub(super) const QUICK: Extent = Extent { count: 60, seeds: 2, time: 1.5, growth: &[60, 120] };
}

const WORDS: &str = "\
**Words.** *Size* d is a sphere's diameter and a cube's edge, both 1.2. The *slab* lies between d above the floor and d below the height under which nine of ten \
centres lie; *solid* is the share of it that bodies fill, on the whole cross-section. *Top* is the volume of all bodies in that of the box up to the highest point of \
any. A *manifold* has all corners of the common part of two faces as contacts, here up to four; *single* takes the deepest only, as a solver has it that asks GJK \
and EPA once a pair. A *depth* is the deepest point of a pair that overlaps. A pile is *at rest* when its kinetic energy is below 1e-9 of mass × gravity × size \
and no pair has begun or ceased to push for half a second.";

const CHOSEN: &str = "\
The thesis says: 3000 bodies fall from random heights into a box with a square base until they are stable; cubes start with random turns. It does not say sizes, base, \
time step, friction, restitution, or how the filled volume is bounded. Chosen here: size 1.2 (which the thesis's own estimate gives away), base 14.4, layers of 6 × 6 boxes 2.1 wide, in \
each of which a body is somewhere (84 layers, 176 high), gravity 10, friction 0.1, rolling friction 1e-3 sizes (single spheres on the floor roll \
and spin for ever without), restitution 0, steps of 5 ms, 16 sweeps and 6 of shifts. Its solver knows no warm start and few sweeps, so its depths are larger. \
Round ellipsoids are ellipsoids of equal radii: the same bodies as spheres, by the general way to a contact.";

/// What the thesis found: kind, solid by one contact a pair, by analytic contacts, mean depths of both, in percent and thousandths.
const THESIS: [(Kind, [f64; 4]); 5] = [
    (Kind::Spheres, [f64::NAN, 59.28, f64::NAN, 0.35]),
    (Kind::RoundEllipsoids, [59.25, f64::NAN, 0.37, f64::NAN]),
    (Kind::Mixture, [62.83, 62.23, 0.57, 0.39]),
    (Kind::Cubes, [f64::NAN, 71.72, f64::NAN, 2.92]),
    (Kind::CubesSingle, [78.96, f64::NAN, 9.50, f64::NAN]),
];

/// Runs the whole study.
pub(super) fn study(extent: Extent) -> Result<Page, Failure> {
    let mut page = Page::new("piles", "Piles: bodies that fall into a box");
    page.words(format!(
        "This page repeats the experiment with piles (Tables 5 to 7) of {LEEMANN}, here *the thesis*, with the rigid bodies of `kontakt simulate` (`kind = \"pile\"`)."
    ));
    page.words(WORDS);
    page.words(CHOSEN);
    let all = piles(extent)?;
    fractions(&mut page, &all);
    contacts(&mut page, &all);
    settling(&mut page, &all);
    pictures(&mut page, &all);
    let growth = growing(&mut page, extent)?;
    summarise(&mut page, &all, growth);
    Ok(page)
}

/// The piles of a kind, by seed.
type Piles = (Kind, Vec<Outcome>);

fn piles(extent: Extent) -> Result<Vec<Piles>, Failure> {
    let steps = Kind::ALL.len() as u64 * extent.seeds;
    progress::over("piles", steps, |bar| {
        let of = |kind: Kind| {
            let outcomes = (1..=extent.seeds).map(|seed| {
                let outcome = run(kind, extent.count, seed, extent.time);
                bar.inc(1);
                outcome
            });
            Ok((kind, outcomes.collect::<Result<Vec<_>, Failure>>()?))
        };
        Kind::ALL.into_iter().map(of).collect()
    })
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// Standard deviation; NaN of one.
fn scatter(values: &[f64]) -> f64 {
    let middle = mean(values);
    let squares: f64 = values.iter().map(|x| (x - middle) * (x - middle)).sum();
    if values.len() > 1 { (squares / (values.len() - 1) as f64).sqrt() } else { f64::NAN }
}

fn each(outcomes: &[Outcome], of: impl Fn(&Outcome) -> f64) -> Vec<f64> {
    outcomes.iter().map(of).collect()
}

fn fractions(page: &mut Page, all: &[Piles]) {
    page.heading("Solid fraction");
    let mut table = Table::new(
        "Solid, % (Table 5)",
        [
            "bodies",
            "piles",
            "slab",
            "scatter",
            "from the floor",
            "to the top",
            "scatter",
            "thesis: single",
            "thesis: analytic",
        ],
    );
    for ((kind, outcomes), (_, thesis)) in all.iter().zip(THESIS) {
        let slab = each(outcomes, |o| 100.0 * o.fill.slab);
        let floor = each(outcomes, |o| 100.0 * o.fill.from_floor);
        let top = each(outcomes, |o| 100.0 * o.fill.up_to_top);
        table.row(vec![
            kind.name().into(),
            Cell::Number(outcomes.len() as f64, 0),
            Cell::Number(mean(&slab), 2),
            Cell::Number(scatter(&slab), 2),
            Cell::Number(mean(&floor), 2),
            Cell::Number(mean(&top), 2),
            Cell::Number(scatter(&top), 2),
            Cell::Number(thesis[0], 2),
            Cell::Number(thesis[1], 2),
        ]);
    }
    page.table(table);
}

fn contacts(page: &mut Page, all: &[Piles]) {
    page.heading("Contacts and depths");
    let mut table = Table::new(
        "Pairs by gap, in sizes, and depths, in thousandths of a length (Tables 6 and 7)",
        [
            "bodies",
            "pairs to 1e-8",
            "1e-6",
            "1e-4",
            "with several points, %",
            "mean depth",
            "greatest",
            "thesis: single",
            "thesis: analytic",
        ],
    );
    for ((kind, outcomes), (_, thesis)) in all.iter().zip(THESIS) {
        let pairs = |k: usize| Cell::Number(mean(&each(outcomes, |o| o.counts[k].pairs as f64)), 0);
        let several =
            each(outcomes, |o| 100.0 * o.counts[2].several as f64 / o.counts[2].pairs.max(1) as f64);
        table.row(vec![
            kind.name().into(),
            pairs(0),
            pairs(1),
            pairs(2),
            Cell::Number(mean(&several), 1),
            Cell::Number(1e3 * mean(&each(outcomes, |o| o.counts[2].mean_depth)), 5),
            Cell::Number(1e3 * mean(&each(outcomes, |o| o.counts[2].greatest_depth)), 4),
            Cell::Number(thesis[2], 2),
            Cell::Number(thesis[3], 2),
        ]);
    }
    page.table(table);
    page.words("The thesis has 9891 pairs of cubes with analytic contacts, 34.6 % of them with several points, and 10 397, 37.2 %, with iterated ones, within 1e-8.");
}

fn settling(page: &mut Page, all: &[Piles]) {
    page.heading("Coming to rest");
    let mut table = Table::new(
        "The end of the runs",
        ["bodies", "at rest", "of", "time", "energy / (m·g·d)", "ms a step, in the pile"],
    );
    let (mut energies, mut depths) = (Vec::new(), Vec::new());
    for (kind, outcomes) in all {
        table.row(vec![
            kind.name().into(),
            Cell::Number(outcomes.iter().filter(|o| o.at_rest).count() as f64, 0),
            Cell::Number(outcomes.len() as f64, 0),
            Cell::Number(mean(&each(outcomes, |o| o.time)), 2),
            Cell::Word(format!("{:.1e}", mean(&each(outcomes, |o| o.energy)))),
            Cell::Number(mean(&each(outcomes, |o| o.step_ms)), 2),
        ]);
        if let Some(first) = outcomes.first() {
            energies.push((kind.name().to_owned(), first.energies.clone()));
            depths.push((kind.name().to_owned(), first.depths.clone()));
        }
    }
    page.table(table);
    let figures = [
        ("energy", "Kinetic energy of the first piles", "energy / (m·g·d)", energies),
        ("depth", "Mean depth of pairs that overlap, in the first piles", "depth / d", depths),
    ];
    for (file, title, y_label, series) in figures {
        let (x_label, y_label) = ("time".into(), y_label.into());
        let spacing = Spacing::Logarithmic;
        page.figure(
            file,
            title,
            Lines { title: title.into(), x_label, y_label, spacing, dots: false, series }.svg(),
        );
    }
}

fn pictures(page: &mut Page, all: &[Piles]) {
    page.heading("What they look like");
    for (kind, outcomes) in all {
        if let Some(first) = outcomes.first() {
            page.figure(
                kind.file(),
                &format!("Half of the first pile of {}", kind.name()),
                first.picture.clone(),
            );
        }
    }
}

/// Gives the factor for ten times as many, from the first to the last.
fn growing(page: &mut Page, extent: Extent) -> Result<f64, Failure> {
    page.heading("Growth");
    let mut table = Table::new(
        "Spheres in a box as wide as it is high: a step in the pile",
        ["bodies", "contacts", "ms", "µs a body"],
    );
    let mut ends = Vec::new();
    for &count in extent.growth {
        let (ms, contacts) = runs::step_time(count)?;
        ends.push([count as f64, ms]);
        table.row(vec![
            Cell::Number(count as f64, 0),
            Cell::Number(contacts as f64, 0),
            Cell::Number(ms, 2),
            Cell::Number(1e3 * ms / count as f64, 3),
        ]);
    }
    page.table(table);
    let [first, .., last] = ends.as_slice() else { return Ok(f64::NAN) };
    Ok((last[1] / first[1]).powf(1.0 / (last[0] / first[0]).log10()))
}

fn summarise(page: &mut Page, all: &[Piles], growth: f64) {
    let of = |kind: Kind, value: fn(&Outcome) -> f64| {
        all.iter()
            .find(|(other, _)| *other == kind)
            .map_or(f64::NAN, |(_, outcomes)| mean(&each(outcomes, value)))
    };
    let slab = |kind| 100.0 * of(kind, |o| o.fill.slab);
    let top = |kind| 100.0 * of(kind, |o| o.fill.up_to_top);
    page.summary(&[
        format!(
            "Spheres fill {:.1} % of the slab and {:.1} % up to the top (thesis: 59.3 %), round ellipsoids {:.1} and {:.1} % (59.3), the mixture {:.1} and {:.1} % (62.2).",
            slab(Kind::Spheres), top(Kind::Spheres), slab(Kind::RoundEllipsoids), top(Kind::RoundEllipsoids), slab(Kind::Mixture), top(Kind::Mixture)
        ),
        format!(
            "Cubes fill {:.1} % with manifolds (thesis: 71.7) and {:.1} % with one contact a pair (79.0): single contacts let stacks topple into each other and lie {:.0} times as deep.",
            slab(Kind::Cubes),
            slab(Kind::CubesSingle),
            of(Kind::CubesSingle, |o| o.counts[2].mean_depth) / of(Kind::Cubes, |o| o.counts[2].mean_depth)
        ),
        format!("Ten times as many bodies take {growth:.1} times as long a step."),
    ]);
}
