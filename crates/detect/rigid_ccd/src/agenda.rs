//! What is still to be looked at, the earliest first.

use std::cmp::Ordering;
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

impl PartialEq for Item {
    fn eq(&self, other: &Item) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Item {}

impl PartialOrd for Item {
    fn partial_cmp(&self, other: &Item) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Item {
    fn cmp(&self, other: &Item) -> Ordering {
        other.lo.total_cmp(&self.lo).then(self.depth.cmp(&other.depth))
    }
}

/// The items, earliest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Agenda {
    heap: BinaryHeap<Item>,
}

impl Agenda {
    pub(crate) fn clear(&mut self) {
        self.heap.clear();
    }

    pub(crate) fn add(&mut self, item: Item) {
        self.heap.push(item);
    }

    pub(crate) fn next(&mut self) -> Option<Item> {
        self.heap.pop()
    }

    pub(crate) fn len(&self) -> usize {
        self.heap.len()
    }
}
