//! `study motion`: parts taken out of an engine bay, as in section 10.2 of the VR thesis, with a certificate instead of samples.

mod bay;
pub(super) mod drags;
mod lamp;
mod lathe;
mod method;
mod misses;
mod removal;
mod removals;
mod screws;
mod steps;
mod taken;
mod thread;

use super::made::ECKSTEIN;
use super::page::{Cell, Page};
use crate::failure::Failure;
use bay::Bay;
use kontakt::rigid_ccd::ClearanceOptions;
use lathe::Fineness;
use removal::Steps;
use std::path::Path;
pub(super) use taken::{Taken, taken};

/// How large the study is.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    fineness: Fineness,
    steps: Steps,
    /// The dynamic methods run on one of so many steps.
    every: usize,
    /// Generated steps of each kind.
    generated: u64,
    /// Turns of the project's own nut.
    turns: u32,
    /// How near the bounds of the least clearance are, in millimetres, and with how much work.
    clearance: ClearanceOptions,
}

impl Extent {
    pub(super) const FULL: Extent = Extent {
        fineness: Fineness { around: 110, step: 5.0 },
        steps: Steps { turn: 40, pull: 60, away: 100 },
        every: 20,
        generated: 100,
        turns: 3,
        clearance: ClearanceOptions { tolerance: 0.05, most_distances: 1200 },
    };
    pub(super) const QUICK: Extent = Extent {
        fineness: Fineness { around: 36, step: 25.0 },
        steps: Steps { turn: 12, pull: 14, away: 12 },
        every: 30,
        generated: 6,
        turns: 1,
        clearance: ClearanceOptions { tolerance: 0.3, most_distances: 40 },
    };
}

/// Runs the whole study. `data` is a folder of public meshes, if there is one.
pub(super) fn study(extent: Extent, data: Option<&Path>) -> Result<Page, Failure> {
    let mut page = Page::new("motion", "Motion without misses");
    page.words(format!(
        "This page repeats what section 10.2 of a thesis (here *the thesis*) did with its dynamic collision detection: {ECKSTEIN}. The scene is of the \
         project's own making, and the thesis's approximate methods, as the project built them for comparison, are held against certified answers: before \
         the time reported a motion is proven free, by the end of it contact is proven. The thesis's curves (Figures D.49–D.56) are known by their captions only."
    ));
    page.words(WORDS);
    let bay = Bay::new(extent.fineness)?;
    let removals = removals::verdicts(&mut page, &bay, extent.steps, &extent.clearance)?;
    removals::times(&mut page, &removals, extent.every);
    misses::section(&mut page, extent.generated)?;
    let most = extent.clearance.most_distances;
    screws::section(&mut page, extent.turns, most, data)?;
    page.summary(&summary(&page));
    Ok(page)
}

/// Words of the field and of the thesis that the page uses.
const WORDS: &str = "\
**Words.** A *pose* is a place and an orientation; a *step* is the motion from one recorded pose to the next. A *static* test looks at poses only; a \
*dynamic* one asks for the first contact within a step. The thesis's dynamic methods look at every vertex and face, and every two edges, of faces that come near: \
their distance over time is replaced by a line (*linear interpolation*), a parabola (*quadratic*), or by values at a few times (*sampling*), its root is \
improved by *regula falsi*, and whether the point lies inside is asked at that time or interpolated (*interpolated inside test*). The *mixed* method looks \
statically at the end of a step and goes back from there. *Conservative advancement* goes forward by steps too short for any contact. A *bayonet* holds a part by lugs \
that must be turned past their stops.";

/// What came out, from the tables.
fn summary(page: &Page) -> Vec<String> {
    let rows =
        |title: &str| page.tables().find(|table| table.title == title).map_or(&[][..], |table| &table.rows);
    let word = |row: &[Cell], column: usize| match row.get(column) {
        Some(Cell::Word(word)) => word.clone(),
        _ => String::new(),
    };
    let removals = rows("Removals");
    let free = removals.iter().filter(|row| word(row, 5) == "free").count();
    let hidden = removals
        .iter()
        .filter(|row| word(row, 4).starts_with("free") && word(row, 5).starts_with("contact"))
        .count();
    let mut points = vec![format!(
        "Of {} ways to take a lamp's parts out of an engine bay {free} are proven free. Of the others {hidden} would have passed as free: the part goes \
         through a sheet between two poses, and no pose is in contact.",
        removals.len()
    )];
    let missed = |name: &str| {
        let row = rows("Missed / late / false of each method").iter().find(|row| word(row, 0) == name)?;
        match row.get(6)? {
            Cell::Number(missed, _) => Some(*missed),
            Cell::Word(_) => None,
        }
    };
    if let (Some(at_rest), Some(best)) = (missed("static"), missed("sampling and regula falsi")) {
        points.push(format!(
            "Of the generated steps the static test misses {at_rest:.0} contacts, the thesis's sampling with regula falsi {best:.0}; \
             the certified method misses none, by proof."
        ));
    }
    points.push(
        "A screw leaves its nut on its helix and no other way, though poses a whole turn apart look free."
            .to_owned(),
    );
    points
}
