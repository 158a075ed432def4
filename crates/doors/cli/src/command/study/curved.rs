//! `study curved`: inversion and smallest volumes of the curved thesis, with our certified ones beside its local searches.

mod inversion;
mod volumes;

use super::page::{Cell, Page};
use crate::failure::Failure;
use std::time::Duration;

/// How large the study is.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    /// Points of each surface in Table 2.1.
    points: usize,
    /// Starts of each local search.
    starts: usize,
    /// Starts of annealing.
    annealed: usize,
    /// Longest time for a certified box.
    limit: Duration,
}

impl Extent {
    pub(super) const FULL: Extent =
        Extent { points: 500, starts: 100, annealed: 5, limit: Duration::from_secs(20) };
    pub(super) const QUICK: Extent =
        Extent { points: 10, starts: 4, annealed: 1, limit: Duration::from_secs(2) };
}

const THESIS: &str = "a German thesis of about 2001 on smallest enclosing volumes of bodies with curved faces (`seeds/002` of the project's material, which has no title page)";

/// Words of the field that the page uses.
const WORDS: &str = "\
**Words.** A *face* is a part of a surface such as a plane, a sphere or a torus; a *B-spline* is a surface of polynomial pieces (rational ones, NURBS, have \
spheres and tori among them). *Inversion* finds the parameters (u, v) of a point of a B-spline. An *operator* makes a range of parameters smaller that \
must hold all solutions. The *smallest ball* and the *smallest box* (in any orientation) hold the whole body. *Certified* means proven: \
no other is smaller by more than the *gap*, a share of the value. *Local search* goes downhill from a start and ends in the next valley: the *downhill simplex* \
of Nelder and Mead, *Powell's* directions, and *annealing*, which now and then goes uphill. A *call* is one evaluation of the function that is made small: the radius about \
a centre (3.4 of the thesis), or the box's volume for three angles (3.10).";

/// Runs the whole study.
pub(super) fn study(extent: Extent) -> Result<Page, Failure> {
    let mut page = Page::new("curved", "Curved bodies: the smallest ball and box, proven");
    page.words(format!(
        "This page repeats the measurements of {THESIS}, here *the thesis*. Its times are those of a Pentium III with 450 MHz; they show the order of things, no more."
    ));
    page.words(WORDS);
    inversion::section(&mut page, extent.points)?;
    let nothing_smaller = volumes::section(&mut page, &extent)?;
    summarise(&mut page, nothing_smaller);
    Ok(page)
}

/// The greatest number in a column of the table with a title.
fn greatest(page: &Page, title: &str, column: &str) -> Option<f64> {
    let table = page.tables().find(|table| table.title.starts_with(title))?;
    let column = table.columns.iter().position(|name| name == column)?;
    let numbers = table.rows.iter().filter_map(|row| match row.get(column) {
        Some(Cell::Number(value, _)) => Some(*value),
        _ => None,
    });
    numbers.reduce(f64::max)
}

fn summarise(page: &mut Page, nothing_smaller: bool) {
    let mut points = Vec::new();
    if let (Some(ball), Some(cuboid)) =
        (greatest(page, "Table 3.1", "certified ms"), greatest(page, "Table 3.2", "certified ms"))
    {
        points.push(format!(
            "Every smallest ball is proven to a billionth within {ball:.1} ms, every smallest box to the gap shown within {cuboid:.0} ms; local search proves nothing."
        ));
    }
    if let (Some(worst), Some(powell)) =
        (greatest(page, "Table 3.3", "greatest"), greatest(page, "Table 3.1", "Powell: worst"))
    {
        points.push(format!(
            "A single local search for a box ends up to {:.0} % above the smallest one, and Powell's for a ball, which has one valley only, up to {:.0} %: the radius has creases, along which it stops.",
            100.0 * (worst - 1.0),
            100.0 * (powell - 1.0)
        ));
    }
    let said = if nothing_smaller { "No" } else { "**Wrong**: a" };
    points.push(format!("{said} local search found less than the certified lower ends."));
    page.summary(&points);
}
