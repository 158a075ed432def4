//! `study convex`: the tests and measurements of the GJK thesis, with our methods beside its own.

mod black_box;
mod brute_force;
mod corner;
mod detection;
mod mover;
mod reference;
mod speed;
mod stop;
mod way;

use super::made::LEEMANN;
use super::page::{Cell, Page};
use crate::failure::Failure;

/// How large the study is.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    /// Pairs of the brute-force test.
    pairs: usize,
    /// Pairs of ellipsoids for the stop parameter.
    ellipsoids: usize,
    /// Pairs in contact that are timed.
    timed: usize,
}

impl Extent {
    pub(super) const FULL: Extent = Extent { pairs: 7_000_000, ellipsoids: 250_000, timed: 2000 };
    pub(super) const QUICK: Extent = Extent { pairs: 14_000, ellipsoids: 1000, timed: 20 };
}

/// Runs the whole study.
pub(super) fn study(extent: Extent) -> Result<Page, Failure> {
    let mut page = Page::new("convex", "Convex bodies: contact that can be trusted");
    page.words(format!(
        "This page repeats the tests and measurements of a thesis (here *the thesis*; its chapters 3 and 4): {LEEMANN}. kontakt's certified answers \
         stand beside those of the thesis's own EPA as the project built it for comparison."
    ));
    page.words(WORDS);
    detection::section(&mut page)?;
    black_box::section(&mut page)?;
    brute_force::section(&mut page, extent.pairs)?;
    corner::section(&mut page)?;
    stop::section(&mut page, extent.ellipsoids)?;
    speed::section(&mut page, extent.timed)?;
    summarise(&mut page);
    Ok(page)
}

/// Words of the field that the page uses.
const WORDS: &str = "\
**Words.** *GJK* (Gilbert, Johnson, Keerthi) finds the distance of two convex bodies from their support points, the farthest ones in a direction. *EPA*, the \
expanding polytope algorithm, goes on where they overlap: it grows a polytope inside their difference until its nearest face tells the *depth* (the least shift that \
frees them) and the *normal* (its direction). It *stops* when the last support point lies less than the stop parameter beyond that face. *libccd* is the \
library that the thesis compared with. A *verdict* is contact or none; a body's *size* is its greatest width.";

/// The least and the greatest ratio of EPA's time and the certified method's.
fn gain(page: &Page) -> Option<[f64; 2]> {
    let table = page.tables().find(|table| table.title.starts_with("Table 10"))?;
    let column = |name: &str| table.columns.iter().position(|column| column == name);
    let (ours, epa) = (column("iterative")?, column("EPA")?);
    let ratios = table.rows.iter().filter_map(|row| match (row.get(ours)?, row.get(epa)?) {
        (Cell::Number(ours, _), Cell::Number(epa, _)) => Some(epa / ours),
        _ => None,
    });
    ratios.fold(None, |ends, ratio| {
        let [least, most] = ends.unwrap_or([ratio; 2]);
        Some([ratio.min(least), ratio.max(most)])
    })
}

fn summarise(page: &mut Page) {
    let table = page.tables().find(|table| table.title.starts_with("Table 1"));
    let all = |column: &str| {
        let table = table?;
        let column = table.columns.iter().position(|name| name == column)?;
        match table.rows.last()?.get(column)? {
            Cell::Number(value, _) => Some(*value),
            Cell::Word(_) => None,
        }
    };
    let mut points = Vec::new();
    if let (Some(pairs), Some(wrong), Some(epa)) =
        (all("pairs"), all("wrong verdicts"), all("EPA: wrong verdicts"))
    {
        points.push(format!(
            "Of {pairs:.0} pairs of moving bodies kontakt has {wrong:.0} verdicts wrong, the thesis's EPA {epa:.0}."
        ));
    }
    points.push("kontakt's normals, depths and points are right to the rounding of doubles, in both orders of the bodies; EPA's to its stop parameter.".to_owned());
    if let Some([least, most]) = gain(page) {
        points.push(format!(
            "The certified method has no parameter to choose. Without any closed form it takes 1/{most:.0} to 1/{least:.0} of the time of EPA."
        ));
    }
    page.summary(&points);
}
