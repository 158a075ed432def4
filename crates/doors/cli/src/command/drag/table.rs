//! The report of a drag for people: how far it followed, where it stopped and on what.

use super::{Course, Dragged, word};
use crate::input::remarks;
use crate::text::{self, Table};
use kontakt::drag::{Ending, Sample};
use std::io::{self, Write};

/// Rows of the table; the rest is counted.
const SHOWN: usize = 30;

pub(super) fn write(dragged: &Dragged, out: &mut dyn Write) -> io::Result<()> {
    let stretches = stretches(&dragged.course);
    if stretches.iter().any(|stretch| stretch.ending != Ending::Arrived) {
        text::heading(out, "How it went")?;
        rows(dragged, &stretches, out)?;
        writeln!(out)?;
    }
    let course = &dragged.course;
    let largest = course.samples.iter().flat_map(|sample| &sample.contacts).map(|touch| touch.force);
    let touched = course.samples.iter().filter(|sample| !sample.contacts.is_empty()).count();
    writeln!(out, "  skin           {}", text::number(course.skin))?;
    writeln!(out, "  pieces         {}, each proven free", course.pieces())?;
    writeln!(out, "  in contact     {touched} of {} samples", course.samples.len())?;
    if touched > 0 {
        writeln!(out, "  largest force  {} at a point", text::number(largest.fold(0.0, f64::max)))?;
    }
    remarks::write(&dragged.remarks, out)?;
    text::warnings(&dragged.warnings, out)?;
    last(dragged, out)
}

/// Samples one after another that ended alike.
struct Stretch {
    from: usize,
    to: usize,
    ending: Ending,
    /// The obstacles that held the body, by the forces of the last sample, the largest first.
    by: Vec<(usize, f64)>,
}

fn stretches(course: &Course) -> Vec<Stretch> {
    let mut all: Vec<Stretch> = Vec::new();
    for (k, sample) in course.samples.iter().enumerate() {
        let by = holders(sample);
        let alike = |last: &&mut Stretch| {
            let names = |by: &[(usize, f64)]| {
                let mut names: Vec<usize> = by.iter().map(|(body, _)| *body).collect();
                names.sort_unstable();
                names
            };
            last.ending == sample.ending && names(&last.by) == names(&by)
        };
        match all.last_mut().filter(alike) {
            Some(last) => (last.to, last.by) = (k, by),
            None => all.push(Stretch { from: k, to: k, ending: sample.ending, by }),
        }
    }
    all
}

/// The obstacles of a sample with their forces, the largest first.
fn holders(sample: &Sample) -> Vec<(usize, f64)> {
    let mut by: Vec<(usize, f64)> = Vec::new();
    for touch in &sample.contacts {
        match by.iter_mut().find(|(body, _)| *body == touch.obstacle) {
            Some((_, force)) => *force += touch.force,
            None => by.push((touch.obstacle, touch.force)),
        }
    }
    by.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    by
}

fn rows(dragged: &Dragged, stretches: &[Stretch], out: &mut dyn Write) -> io::Result<()> {
    let course = &dragged.course;
    let mut table = Table::new(["from", "to", "", "lag", "by (force)"]);
    for stretch in stretches.iter().take(SHOWN) {
        let by: Vec<String> = stretch
            .by
            .iter()
            .map(|&(body, force)| {
                format!("{} ({})", text::shortened(dragged.obstacle(body)), text::number(force))
            })
            .collect();
        table.row([
            text::number(course.times[stretch.from]),
            text::number(course.times[stretch.to]),
            word(stretch.ending).into(),
            text::number(course.samples[stretch.to].lag),
            if by.is_empty() { "–".into() } else { by.join(", ") },
        ]);
    }
    table.write(out)?;
    if stretches.len() > SHOWN {
        writeln!(out, "     … and {} more; --json or --out FILE gives all", stretches.len() - SHOWN)?;
    }
    Ok(())
}

fn last(dragged: &Dragged, out: &mut dyn Write) -> io::Result<()> {
    let name = text::shortened(dragged.name());
    let Some(sample) = dragged.course.samples.last() else {
        return writeln!(out, "undecided: the time limit passed before {name} was moved");
    };
    let cut = if dragged.course.complete { "" } else { ", cut short by the time limit" };
    match sample.ending {
        Ending::Arrived => writeln!(out, "arrived: {name} is where the hand is{cut}"),
        ending => {
            let (lag, angle) = (text::number(sample.lag), text::number(sample.lag_angle));
            writeln!(out, "{}: {name} is {lag} and {angle} rad behind the hand{cut}", word(ending))
        }
    }
}
