//! `study motion`: parts taken out of an engine bay, as in section 10.2 of the VR thesis, with a certificate instead of samples.

mod bay;
mod lamp;
mod lathe;
mod method;
mod misses;
mod removal;
mod removals;
mod screws;
mod steps;
mod thread;

use super::page::Page;
use crate::clock::Clock;
use crate::failure::Failure;
use bay::Bay;
use kontakt::rigid_ccd::ClearanceOptions;
use lathe::Fineness;
use removal::Steps;
use std::path::Path;

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
    let clock = Clock::start();
    let mut page = Page::new("motion", "Motion without misses");
    page.words(
        "Made by `kontakt study motion -o docs/studies`; every number below comes from that run. It repeats what section 10.2 of the VR thesis did with its \
         dynamic collision detection, on a scene of the project's own making, and holds the thesis's approximate methods, as the project built them for \
         comparison, against certified answers: before the time reported a motion is proven free, by the end of it contact is proven. The thesis's curves \
         (Figures D.49–D.56) are known by their captions only.",
    );
    let bay = Bay::new(extent.fineness)?;
    let removals = removals::verdicts(&mut page, &bay, extent.steps, &extent.clearance)?;
    removals::times(&mut page, &removals, extent.every);
    misses::section(&mut page, extent.generated)?;
    let most = extent.clearance.most_distances;
    screws::section(&mut page, extent.turns, most, data)?;
    page.words(format!("*The study took {:.0} s of the main thread's processor time.*", clock.seconds()));
    Ok(page)
}
