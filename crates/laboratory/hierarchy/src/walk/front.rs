//! The front of the last step as the start of the next: when bodies move a little, most pairs end where they ended before.

use super::agenda::Agenda;
use super::contact::{Walked, quality, visit_leaves};
use super::{NodePair, PlacedTree, Strategy};
use kontakt_bounds::Bound;
use std::ops::ControlFlow;

/// How the front changed in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct FrontCounts {
    /// Pairs of the front after the step.
    pub size: usize,
    /// Pairs replaced by their children.
    pub sprouted: usize,
    /// Pairs that took the place of their children.
    pub pruned: usize,
}

/// Pairs of nodes at which the last walk ended: together they cover all pairs of faces. The comparison tree above them is
/// kept, so that pairs can grow together again.
///
/// A step visits **a superset of the pairs that meet**, like a walk from the roots, though not always the same superset:
/// where a child's volume reaches beyond its parent's, a pair kept from before may overlap below one that does not.
#[derive(Clone, Debug)]
pub struct Front {
    strategy: Strategy,
    /// The comparison tree; a free place has `parent` = `FREE`.
    records: Vec<Record>,
    free: Vec<u32>,
    /// The pair that ended the last step: looked at first.
    last: Option<u32>,
    /// Steps between attempts to prune.
    prune_every: u32,
    steps: u32,
    counts: FrontCounts,
}

#[derive(Clone, Debug)]
struct Record {
    pair: NodePair,
    parent: u32,
    /// Empty: part of the front.
    children: Vec<u32>,
    /// Whether the volumes were proven apart when last tested, in this step.
    apart_in: u32,
}

const ROOT: u32 = 0;
const FREE: u32 = u32::MAX;

impl Front {
    /// At the roots. `prune_every`: how many steps pass between two attempts to let pairs grow together, at least 1; each
    /// attempt tests the parents of pairs that are apart.
    pub fn new(strategy: Strategy, prune_every: u32) -> Front {
        let root = Record { pair: NodePair::ROOTS, parent: ROOT, children: Vec::new(), apart_in: 0 };
        Front {
            strategy,
            records: vec![root],
            free: Vec::new(),
            last: None,
            prune_every: prune_every.max(1),
            steps: 0,
            counts: FrontCounts { size: 1, ..FrontCounts::default() },
        }
    }

    /// What the last step did to the front.
    pub fn counts(&self) -> FrontCounts {
        self.counts
    }

    /// Like [`face_pairs`](super::face_pairs), from where the last step ended. The trees must be those of the steps before.
    ///
    /// Ended by the visitor, the rest of the front stays as it was: it still covers everything.
    pub fn step<B: Bound>(
        &mut self,
        a: &mut PlacedTree<B>,
        b: &mut PlacedTree<B>,
        visit: &mut dyn FnMut(u32, u32) -> ControlFlow<()>,
    ) -> Walked {
        let mut walked = Walked::default();
        if a.tree.nodes.is_empty() || b.tree.nodes.is_empty() {
            return walked;
        }
        // 0 is never a step's number, so that a new record has not been found apart in it.
        self.steps = if self.steps == u32::MAX { 1 } else { self.steps + 1 };
        self.counts = FrontCounts { size: self.counts.size, ..FrontCounts::default() };
        self.descend(a, b, &mut walked, visit);
        if !walked.stopped && self.steps.is_multiple_of(self.prune_every) {
            self.prune(a, b, &mut walked);
        }
        walked
    }

    fn descend<B: Bound>(
        &mut self,
        a: &mut PlacedTree<B>,
        b: &mut PlacedTree<B>,
        walked: &mut Walked,
        visit: &mut dyn FnMut(u32, u32) -> ControlFlow<()>,
    ) {
        // The agenda holds records, named by `a`.
        let named = |record: u32| NodePair { a: record, b: 0 };
        let mut agenda = Agenda::new(self.strategy.order);
        let mut first = self.last.take().filter(|last| self.is_front(*last));
        for (id, record) in self.records.iter().enumerate() {
            if self.is_front(id as u32) && first != Some(id as u32) {
                agenda.push(quality(a, b, record.pair), named(id as u32));
            }
        }
        while let Some(id) = first.take().or_else(|| agenda.pop().map(|(_, named)| named.a)) {
            let pair = self.records[id as usize].pair;
            if !walked.test(a, b, pair) {
                self.records[id as usize].apart_in = self.steps;
            } else if a.tree.is_leaf(pair.a) && b.tree.is_leaf(pair.b) {
                if visit_leaves(a, b, pair, &mut walked.visits, visit).is_break() {
                    walked.stopped = true;
                    self.last = Some(id);
                    return;
                }
            } else {
                let below: Vec<NodePair> = self.strategy.expansion.expand(a, b, pair).collect();
                self.counts.sprouted += 1;
                self.counts.size += below.len() - 1;
                for pair in below {
                    let child = self.add(pair, id);
                    agenda.push(quality(a, b, pair), named(child));
                }
            }
        }
    }

    /// A pair all of whose children are of the front and apart takes their place when it is apart itself.
    fn prune<B: Bound>(&mut self, a: &mut PlacedTree<B>, b: &mut PlacedTree<B>, walked: &mut Walked) {
        let apart = |records: &[Record], id: u32, step: u32| {
            records[id as usize].children.is_empty() && records[id as usize].apart_in == step
        };
        let ripe = |records: &[Record], id: u32, step: u32| {
            let children = &records[id as usize].children;
            !children.is_empty() && children.iter().all(|child| apart(records, *child, step))
        };
        let mut open: Vec<u32> = (0..self.records.len() as u32)
            .filter(|id| self.records[*id as usize].parent != FREE && ripe(&self.records, *id, self.steps))
            .collect();
        while let Some(id) = open.pop() {
            if walked.test(a, b, self.records[id as usize].pair) {
                continue;
            }
            let children = std::mem::take(&mut self.records[id as usize].children);
            self.counts.pruned += 1;
            self.counts.size -= children.len() - 1;
            for child in children {
                self.records[child as usize].parent = FREE;
                self.free.push(child);
            }
            self.records[id as usize].apart_in = self.steps;
            let parent = self.records[id as usize].parent;
            if id != ROOT && ripe(&self.records, parent, self.steps) {
                open.push(parent);
            }
        }
    }

    fn is_front(&self, id: u32) -> bool {
        let record = &self.records[id as usize];
        record.parent != FREE && record.children.is_empty()
    }

    fn add(&mut self, pair: NodePair, parent: u32) -> u32 {
        let record = Record { pair, parent, children: Vec::new(), apart_in: 0 };
        let id = if let Some(id) = self.free.pop() {
            self.records[id as usize] = record;
            id
        } else {
            self.records.push(record);
            self.records.len() as u32 - 1
        };
        self.records[parent as usize].children.push(id);
        id
    }
}
