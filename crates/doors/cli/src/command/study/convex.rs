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

use super::page::Page;
use crate::clock::Clock;
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
    let clock = Clock::start();
    let mut page = Page::new("convex", "Convex bodies: contact that can be trusted");
    page.words(
        "Made by `kontakt study convex -o docs/studies`; every number below comes from that run, those of the thesis aside. It repeats the \
         tests and measurements of the GJK thesis (chapters 3 and 4) with kontakt's certified answers, and with the thesis's own \
         EPA as the project built it for comparison.",
    );
    detection::section(&mut page)?;
    black_box::section(&mut page)?;
    brute_force::section(&mut page, extent.pairs)?;
    corner::section(&mut page)?;
    stop::section(&mut page, extent.ellipsoids)?;
    speed::section(&mut page, extent.timed)?;
    page.words(format!("*The study took {:.0} s of the main thread's processor time.*", clock.seconds()));
    Ok(page)
}
