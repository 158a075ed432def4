//! `study gas`: the speeds of a gas of elastic spheres (Table 8 of the GJK thesis), what steps of fixed length do to its energy, and a rod that falls.

mod drift;
mod rod;
mod sample;

use super::made::LEEMANN;
use super::page::{Cell, Page, Table};
use crate::clock::Clock;
use crate::failure::Failure;
use crate::plot::{Lines, Spacing};
use kontakt::event_driven::{Gas, Speeds, Until};
use sample::{MEAN_SQUARE, SPEED, Values};

/// How large the study is.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    /// Spheres along a side of the lattice, and how many runs with other directions.
    side: u64,
    seeds: u64,
    /// Of the gas whose histograms are drawn on the way.
    small: u64,
    drift: drift::Extent,
    bounces: usize,
}

impl Extent {
    pub(super) const FULL: Extent =
        Extent { side: 40, seeds: 5, small: 20, drift: drift::Extent::FULL, bounces: 300 };
    pub(super) const QUICK: Extent =
        Extent { side: 8, seeds: 2, small: 8, drift: drift::Extent::QUICK, bounces: 30 };
}

/// Collisions of each sphere after which a gas counts as mixed.
const MIXED: f64 = 20.0;

/// Runs the whole study.
pub(super) fn study(extent: Extent) -> Result<Page, Failure> {
    let mut page = Page::new("gas", "A gas of hard spheres");
    page.words(format!(
        "This page repeats section 4.2.2 of a thesis beside ours: {LEEMANN}. There 64 000 elastic spheres in a periodic cube, all equally fast at first, come to the speeds of Maxwell and Boltzmann. \
         The thesis says v₀ = 10 by its mathematical values, but neither sizes nor times: here spheres of radius 0.5 and mass 1 start on a cubic lattice of spacing 2 (6.5 % of the volume) in random directions."
    ));
    let (mut points, time) = distribution(&mut page, extent)?;
    histograms(&mut page, extent)?;
    points.push(drift::section(&mut page, extent.drift, time)?);
    points.push(rod::section(&mut page, extent.bounces)?);
    page.summary(&points);
    Ok(page)
}

/// Table 8, ours after so many collisions a sphere; the points for the summary, and when that was.
fn distribution(page: &mut Page, extent: Extent) -> Result<(Vec<String>, f64), Failure> {
    page.heading("Speeds after 20 collisions each");
    let mut runs = Vec::new();
    let (mut seconds, mut time) = (0.0, 0.0);
    for seed in 1..=extent.seeds {
        let mut gas = sample::gas(extent.side, seed)?;
        let clock = Clock::start();
        gas.run(&Until::collisions((MIXED / 2.0 * gas.len() as f64) as u64));
        if seed == 1 {
            (seconds, time) = (clock.seconds(), gas.time());
        }
        runs.push(sample::speeds(&gas));
    }
    let count = extent.side.pow(3);
    page.words(format!(
        "{count} spheres, {} runs with other directions. A sample of so many from the equilibrium scatters by itself: what may differ is four standard deviations of the sample (Monte Carlo for 64 000: mean 0.0038, \
         variance 0.071, median 0.0138, skewness 0.0102; with the root of the count for others), and for the greatest distance of the shares 1.95 / √n.",
        extent.seeds
    ));
    let values: Vec<Values> = runs.iter().map(Values::of).collect();
    let columns = [
        "value",
        "thesis, iterative",
        "thesis, analytic",
        "equilibrium",
        "ours, least",
        "ours, most",
        "may differ by",
        "runs beyond",
    ];
    let mut table = Table::new("Speeds (Table 8)", columns);
    let mut beyond = 0;
    for row in Values::rows(count) {
        let ours: Vec<f64> = values.iter().map(row.ours).collect();
        let (least, most) =
            ours.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, m), v| (l.min(*v), m.max(*v)));
        let out = ours.iter().filter(|value| (**value - row.meant).abs() > row.allowed).count();
        beyond += out;
        table.row(vec![
            row.name.into(),
            Cell::Number(row.thesis[0], 4),
            Cell::Number(row.thesis[1], 4),
            Cell::Number(row.meant, 4),
            Cell::Number(least, row.decimals),
            Cell::Number(most, row.decimals),
            Cell::Number(row.allowed, row.decimals),
            Cell::Number(out as f64, 0),
        ]);
    }
    page.table(table);
    let worst = runs.iter().map(|speeds| (speeds.mean_square / MEAN_SQUARE - 1.0).abs()).fold(0.0, f64::max);
    let drawn = runs.first().map_or_else(Vec::new, |speeds| shares(speeds, "ours"));
    page.figure(
        "speeds",
        "Speeds after 20 collisions each, and the density of Maxwell and Boltzmann (Figure 24)",
        against_density("Speeds after 20 collisions each", drawn),
    );
    let point = format!(
        "{count} elastic spheres after 20 collisions each: {beyond} of {} values of {} runs are beyond four standard deviations of a sample in equilibrium; the mean square of the speeds differs from 100 by at most {:.0e} of it; \
         {seconds:.1} s of one thread for a run.",
        Values::rows(count).len() * runs.len(),
        runs.len(),
        worst.max(1e-16)
    );
    Ok((vec![point], time))
}

/// Share of the speeds per unit of speed, as steps of a histogram.
fn shares(speeds: &Speeds, name: &str) -> Vec<(String, Vec<[f64; 2]>)> {
    const BINS: usize = 60;
    let width = 3.0 * SPEED / BINS as f64;
    let counts = speeds.histogram(width, BINS);
    let all = counts.iter().sum::<u64>().max(1) as f64;
    let steps = counts.iter().enumerate().flat_map(|(bin, &count)| {
        let height = count as f64 / all / width;
        [[bin as f64 * width, height], [(bin + 1) as f64 * width, height]]
    });
    vec![(name.to_owned(), steps.collect())]
}

fn against_density(title: &str, mut series: Vec<(String, Vec<[f64; 2]>)>) -> String {
    let a = SPEED / 3.0_f64.sqrt();
    let density =
        |v: f64| (2.0 / std::f64::consts::PI).sqrt() * v * v * (-v * v / (2.0 * a * a)).exp() / a.powi(3);
    let curve = (0..=200).map(|k| f64::from(k) * 3.0 * SPEED / 200.0).map(|v| [v, density(v)]).collect();
    series.push(("equilibrium".into(), curve));
    let (x_label, y_label) = ("speed".into(), "share per unit of speed".into());
    Lines { title: title.into(), x_label, y_label, spacing: Spacing::Even, dots: false, series }.svg()
}

/// Figure 23: from one speed to all of them.
fn histograms(page: &mut Page, extent: Extent) -> Result<(), Failure> {
    page.heading("From one speed to all");
    let mut gas = sample::gas(extent.small, 1)?;
    page.words(format!(
        "{} spheres (8000 in the thesis's Figure 23), after 0.5, 1, 2 and 5 collisions each.",
        gas.len()
    ));
    let mut series = Vec::new();
    let mut table = Table::new(
        "On the way to equilibrium",
        ["collisions a sphere", "time", "mean", "variance", "distance from equilibrium"],
    );
    for each in [0.5, 1.0, 2.0, 5.0, 10.0, 20.0] {
        gas.run(&Until::collisions((each / 2.0 * gas.len() as f64) as u64));
        let speeds = sample::speeds(&gas);
        if each <= 5.0 {
            series.extend(shares(&speeds, &format!("{each} collisions")));
        }
        table.row(vec![
            Cell::Number(each, 1),
            Cell::Number(Gas::time(&gas), 3),
            Cell::Number(speeds.mean, 4),
            Cell::Number(speeds.variance, 4),
            Cell::Number(speeds.distance_from_equilibrium(MEAN_SQUARE), 4),
        ]);
    }
    page.table(table);
    page.figure(
        "mixing",
        "Speeds on the way from one to all (Figure 23)",
        against_density("Speeds on the way", series),
    );
    Ok(())
}
