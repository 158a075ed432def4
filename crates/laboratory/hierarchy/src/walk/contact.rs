//! All pairs of faces whose leaves' volumes may overlap.

use super::agenda::Agenda;
use super::placed::may_overlap;
use super::{NodePair, PlacedTree, Strategy};
use kontakt_answers::Visits;
use kontakt_bounds::Bound;
use std::ops::ControlFlow;

/// What a walk did.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Walked {
    /// Tests of volumes and of faces.
    pub visits: Visits,
    /// What the tests of volumes cost by the cost matrix of the first tree's grades: their number, if it is uniform.
    pub cost: f64,
    /// Whether the visitor ended it.
    pub stopped: bool,
}

impl Walked {
    /// Whether the volumes of two nodes may overlap; counted.
    pub(super) fn test<B: Bound>(
        &mut self,
        a: &mut PlacedTree<B>,
        b: &mut PlacedTree<B>,
        pair: NodePair,
    ) -> bool {
        self.visits.volume_tests += 1;
        self.cost += a.grades.cost_of_test(pair.a, b.grades, pair.b);
        may_overlap(a, b, pair)
    }
}

/// Calls `visit` with every pair of triangles that the volumes cannot prove apart: **a superset of the pairs that meet**.
/// `visit` may end the walk by [`ControlFlow::Break`]. Each call counts as a face test.
///
/// Proof: a pair of faces is below the pair of roots; expansion covers the same faces; a pair of nodes is dropped only when
/// volumes that enclose all faces below, in the same world coordinates, are proven disjoint.
pub fn face_pairs<B: Bound>(
    a: &mut PlacedTree<B>,
    b: &mut PlacedTree<B>,
    strategy: Strategy,
    visit: &mut dyn FnMut(u32, u32) -> ControlFlow<()>,
) -> Walked {
    let mut walked = Walked::default();
    if a.tree.nodes.is_empty() || b.tree.nodes.is_empty() {
        return walked;
    }
    let mut agenda = Agenda::new(strategy.order);
    agenda.push(0.0, NodePair::ROOTS);
    while let Some((_, pair)) = agenda.pop() {
        if !walked.test(a, b, pair) {
            continue;
        }
        if a.tree.is_leaf(pair.a) && b.tree.is_leaf(pair.b) {
            if visit_leaves(a, b, pair, &mut walked.visits, visit).is_break() {
                walked.stopped = true;
                return walked;
            }
            continue;
        }
        for next in strategy.expansion.expand(a, b, pair) {
            agenda.push(quality(a, b, next), next);
        }
    }
    walked
}

/// What best-first and worst-first order by.
pub(super) fn quality<B>(a: &PlacedTree<B>, b: &PlacedTree<B>, pair: NodePair) -> f64 {
    a.grades.quality(pair.a) + b.grades.quality(pair.b)
}

/// Every face of one leaf with every face of the other.
pub(super) fn visit_leaves<B>(
    a: &PlacedTree<B>,
    b: &PlacedTree<B>,
    pair: NodePair,
    visits: &mut Visits,
    visit: &mut dyn FnMut(u32, u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for one in a.tree.triangles(pair.a) {
        for two in b.tree.triangles(pair.b) {
            visits.face_tests += 1;
            visit(*one, *two)?;
        }
    }
    ControlFlow::Continue(())
}
