//! The pairs still to be looked at, and which comes next.

use super::NodePair;
use kontakt_math::order::Total;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// Which pair comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Order {
    /// The oldest: breadth first.
    Fifo,
    /// The youngest: depth first; the least memory.
    #[default]
    Lifo,
    /// The pair with the smallest key: the best quality, or the least gap.
    BestFirst,
    /// The pair with the largest key.
    WorstFirst,
}

impl Order {
    /// All of them.
    pub const ALL: [Order; 4] = [Order::Fifo, Order::Lifo, Order::BestFirst, Order::WorstFirst];

    /// Name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Order::Fifo => "fifo",
            Order::Lifo => "lifo",
            Order::BestFirst => "best-first",
            Order::WorstFirst => "worst-first",
        }
    }
}

/// An explicit queue: depth of a tree costs no stack.
#[derive(Debug)]
pub(super) enum Agenda {
    Queue(VecDeque<(f64, NodePair)>),
    Stack(Vec<(f64, NodePair)>),
    /// Largest key first, then the oldest: the order never depends on the heap. `sign` makes the wanted key the largest.
    Heap {
        sign: f64,
        heap: BinaryHeap<(Total, Reverse<u64>, NodePair)>,
        pushed: u64,
    },
}

impl Agenda {
    pub(super) fn new(order: Order) -> Agenda {
        let heap = |sign| Agenda::Heap { sign, heap: BinaryHeap::new(), pushed: 0 };
        match order {
            Order::Fifo => Agenda::Queue(VecDeque::new()),
            Order::Lifo => Agenda::Stack(Vec::new()),
            Order::BestFirst => heap(-1.0),
            Order::WorstFirst => heap(1.0),
        }
    }

    pub(super) fn push(&mut self, key: f64, pair: NodePair) {
        match self {
            Agenda::Queue(queue) => queue.push_back((key, pair)),
            Agenda::Stack(stack) => stack.push((key, pair)),
            Agenda::Heap { sign, heap, pushed } => {
                heap.push((Total(*sign * key), Reverse(*pushed), pair));
                *pushed += 1;
            }
        }
    }

    pub(super) fn pop(&mut self) -> Option<(f64, NodePair)> {
        match self {
            Agenda::Queue(queue) => queue.pop_front(),
            Agenda::Stack(stack) => stack.pop(),
            Agenda::Heap { sign, heap, .. } => heap.pop().map(|(key, _, pair)| (*sign * key.0, pair)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_gives_its_own_sequence() {
        let keys = [2.0, 1.0, 3.0, 1.0];
        for (order, expected) in [
            (Order::Fifo, [0, 1, 2, 3]),
            (Order::Lifo, [3, 2, 1, 0]),
            (Order::BestFirst, [1, 3, 0, 2]),
            (Order::WorstFirst, [2, 0, 1, 3]),
        ] {
            let mut agenda = Agenda::new(order);
            for (i, key) in keys.into_iter().enumerate() {
                agenda.push(key, NodePair { a: i as u32, b: 0 });
            }
            let found: Vec<u32> = std::iter::from_fn(|| agenda.pop().map(|(_, pair)| pair.a)).collect();
            assert_eq!(found, expected, "{order:?}");
        }
    }
}
