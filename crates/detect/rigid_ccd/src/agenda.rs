//! What is still to be looked at, the earliest first.

use crate::slab::Slab;
use kontakt_math::order::{ByRank, Ranked, Total};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Two parts of the bodies that may meet in a span of time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    /// Proven free before this time.
    pub(crate) lo: f64,
    /// Proven free after this time, within the span it was taken from.
    pub(crate) hi: f64,
    pub(crate) what: What,
    /// The slab the span lies in.
    pub(crate) slab: u32,
    /// Deeper ones first among equals: they lead to an answer.
    pub(crate) depth: u32,
}

/// Which parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// Child `lanes[0]` of node `a` and child `lanes[1]` of node `b`.
    Boxes { a: u32, b: u32, lanes: [u8; 2] },
    /// Both bodies.
    Whole,
    /// The triangles in two slots.
    Faces { a: u32, b: u32 },
}

/// The earliest first, of equals the deepest.
impl Ranked for Item {
    type Rank = (Reverse<Total>, u32);

    #[inline]
    fn rank(&self) -> Self::Rank {
        (Reverse(Total(self.lo)), self.depth)
    }
}

/// Most items on the agenda, and most slabs: memory is bounded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    pub(crate) items: usize,
    pub(crate) slabs: usize,
}

impl Default for Room {
    fn default() -> Room {
        Room { items: 1 << 20, slabs: 1 << 18 }
    }
}

/// The items, earliest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Agenda {
    heap: BinaryHeap<ByRank<Item>>,
}

impl Agenda {
    pub(crate) fn clear(&mut self) {
        self.heap.clear();
    }

    pub(crate) fn add(&mut self, item: Item) {
        self.heap.push(ByRank(item));
    }

    pub(crate) fn next(&mut self) -> Option<Item> {
        self.heap.pop().map(|item| item.0)
    }

    /// Where the first item begins.
    pub(crate) fn beginning(&self) -> Option<f64> {
        self.heap.peek().map(|item| item.0.lo)
    }

    pub(crate) fn len(&self) -> usize {
        self.heap.len()
    }

    /// Drops all items that begin at the middle one's beginning or later, and says when that is: what they cover is to be asked
    /// again from then on. None, and nothing is dropped, where the middle one begins with the first, or not before `end`.
    pub(crate) fn drop_later_half(&mut self, end: f64) -> Option<f64> {
        let first = self.heap.peek()?.0.lo;
        let mut beginnings: Vec<f64> = self.heap.iter().map(|item| item.0.lo).collect();
        let place = beginnings.len() / 2;
        let (_, &mut middle, _) = beginnings.select_nth_unstable_by(place, f64::total_cmp);
        if middle <= first || middle >= end {
            return None;
        }
        self.heap.retain(|item| item.0.lo < middle);
        Some(middle)
    }

    /// Drops the slabs that no item lies in.
    pub(crate) fn drop_unused(&mut self, slabs: &mut Vec<Slab>) {
        const UNUSED: u32 = u32::MAX;
        let mut items = std::mem::take(&mut self.heap).into_vec();
        let mut places = vec![UNUSED; slabs.len()];
        let mut kept = Vec::new();
        for ByRank(item) in &mut items {
            let place = &mut places[item.slab as usize];
            if *place == UNUSED {
                *place = kept.len() as u32;
                kept.push(slabs[item.slab as usize]);
            }
            item.slab = *place;
        }
        *slabs = kept;
        self.heap = items.into();
    }
}
