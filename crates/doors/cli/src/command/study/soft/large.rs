//! Scenes a thousand times as large.

use super::super::page::{Cell, Page, Table};
use super::Extent;
use super::scene::DT;
use crate::clock::ProcessClock;
use crate::failure::Failure;
use crate::plot::{Lines, Spacing};
use crate::progress;
use kontakt::soft::free::meetings;
use kontakt::soft::{Body, Forces, Options, Report, System};
use kontakt_lab_soft::scenes::{draped, hollow_bears, many_stones};
use std::error::Error;

const WORDS: &str = "\
**Larger.** The scenes of the thesis a thousand times as large, contacts within bodies searched too: many tetrahedra at 5 m/s on a wide slab; five hollow bears, each faster than the one below; a cloth that comes down on a ball. \
Times are processor time of all threads. Every state is proven free by its step; the last one is checked once more, from nothing.";

type Scene = Result<Vec<Body>, Box<dyn Error>>;

pub(super) fn section(page: &mut Page, extent: Extent) -> Result<Vec<String>, Failure> {
    page.heading("A thousand times as large");
    page.words(WORDS);
    let columns = [
        "scene",
        "surface triangles",
        "steps",
        "mean s",
        "most s",
        "contacts at most",
        "rounds at most",
        "stops in zones",
        "meetings at the end",
    ];
    let mut table = Table::new("A step of larger scenes", columns);
    let mut series = Vec::new();
    let mut points = Vec::new();
    let [slab, cloth] = extent.large;
    let scenes: [(&str, &dyn Fn() -> Scene, usize); 3] = [
        ("stones on a slab", &|| many_stones(slab), 6),
        ("five hollow bears", &|| hollow_bears(extent.hollow), 12),
        ("cloth on a ball", &|| draped(cloth), 12),
    ];
    for (name, scene, steps) in scenes {
        let wrong = |error: &dyn Error| Failure::Usage(format!("{name}: {error}"));
        let mut system = System::new(&scene().map_err(|e| wrong(&*e))?).map_err(|e| wrong(&e))?;
        let (mut seconds, mut most) = (Vec::new(), Report::default());
        progress::over(name, steps as u64, |bar| -> Result<(), Failure> {
            for _ in 0..steps {
                let clock = ProcessClock::start();
                let report =
                    system.step(DT, &Forces::default(), &Options::default()).map_err(|e| wrong(&e))?;
                seconds.push(clock.seconds());
                most.contacts = most.contacts.max(report.contacts);
                most.rounds = most.rounds.max(report.rounds);
                most.stopped += report.stopped;
                bar.inc(1);
            }
            Ok(())
        })?;
        let met = meetings(system.surface(), system.places(), 1).map_err(|e| wrong(&e))?.len();
        let triangles = system.surface().triangles().len();
        let mean = seconds.iter().sum::<f64>() / steps as f64;
        let counts = [most.contacts, most.rounds, most.stopped, met].map(|n| Cell::Number(n as f64, 0));
        let mut row = vec![name.into(), Cell::Number(triangles as f64, 0), Cell::Number(steps as f64, 0)];
        row.extend([mean, seconds.iter().copied().fold(0.0, f64::max)].map(|s| Cell::Number(s, 2)));
        row.extend(counts);
        table.row(row);
        points.push(format!("{name}, {triangles} surface triangles: {mean:.1} s of processor time a step, {met} meetings at the end."));
        series.push((name.to_owned(), (0..).zip(&seconds).map(|(step, &s)| [f64::from(step), s]).collect()));
    }
    page.table(table);
    let caption = "Time of each step of the larger scenes".to_owned();
    let plot = Lines {
        title: caption.clone(),
        x_label: "step".into(),
        y_label: "s".into(),
        spacing: Spacing::Logarithmic,
        dots: false,
        series,
    };
    page.figure("large-times", &caption, plot.svg());
    Ok(points)
}
