//! All against all.

use crate::each::{each_with_its_partners, existing};
use kontakt_broad::{Ends, Finder, Take};
use std::ops::ControlFlow;

/// Keeps nothing and compares everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct BruteForce;

impl Finder for BruteForce {
    fn rebuild(&mut self, _: &[Ends]) {}

    fn pairs(&mut self, boxes: &[Ends], take: &mut Take<'_>) -> ControlFlow<()> {
        each_with_its_partners(self, boxes, take)
    }

    fn put(&mut self, _: u32, _: &[Ends]) {}

    fn take_out(&mut self, _: u32) {}

    fn meeting(&self, ends: &Ends, boxes: &[Ends], found: &mut Vec<u32>) {
        found.extend(existing(boxes).filter(|&id| boxes[id as usize].meets(ends)));
    }
}
