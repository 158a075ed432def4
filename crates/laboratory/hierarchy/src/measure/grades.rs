//! What a traversal wants to know of every node beside its volume (VR thesis 4.3.2).

use super::{CostMatrix, NodeMeasure, Quality, Summary};
use crate::Tree;
use kontakt_bounds::Bound;
use std::ops::Range;

/// Quality of every node and of its worst child. Small is good.
#[derive(Clone, Debug, PartialEq)]
pub struct Grades {
    /// q: geometric quality times what a test of the kind costs.
    quality: Vec<f64>,
    /// qᵉ: the worst quality among the children; a leaf's own, as it cannot get better.
    worst_child: Vec<f64>,
    /// Place of the node's kind in the cost matrix.
    kind: Vec<Option<usize>>,
    costs: CostMatrix,
}

impl Grades {
    /// From the nodes' measures: quality = geometry × cost of the kind (the matrix's row, by `weight`).
    pub fn new<B: Bound>(
        tree: &Tree<B>,
        measures: &[NodeMeasure],
        by: Quality,
        costs: &CostMatrix,
        weight: Summary,
    ) -> Grades {
        let weights: Vec<f64> = costs.names().iter().map(|name| costs.weight(name, weight)).collect();
        let kind: Vec<Option<usize>> =
            tree.nodes.iter().map(|node| costs.index(node.volume.kind())).collect();
        let quality: Vec<f64> = measures
            .iter()
            .zip(&kind)
            .map(|(measure, kind)| measure.by(by) * kind.map_or(1.0, |k| weights[k]))
            .collect();
        let worst = |id: usize| {
            let children = tree.nodes[id].content.children();
            children.map(|c| quality[c as usize]).reduce(f64::max).unwrap_or(quality[id])
        };
        let worst_child = (0..tree.nodes.len()).map(worst).collect();
        Grades { quality, worst_child, kind, costs: costs.clone() }
    }

    /// By the surface of the volumes, all tests at the same cost.
    pub fn by_surface<B: Bound>(tree: &Tree<B>) -> Grades {
        Grades::new(tree, &tree.measure_sizes(), Quality::Surface, &CostMatrix::uniform(), Summary::Mean)
    }

    /// q of a node.
    pub fn quality(&self, node: u32) -> f64 {
        self.quality[node as usize]
    }

    /// qᵉ of a node.
    pub fn worst_child(&self, node: u32) -> f64 {
        self.worst_child[node as usize]
    }

    /// Cost of testing every node of `ones` against every node of `others` of another tree: Σ c(hᵢ, hⱼ), the corrected
    /// form of the thesis's product of two sums.
    pub fn cost_of_tests(&self, ones: &Range<u32>, other: &Grades, others: &Range<u32>) -> f64 {
        let row = |one: u32| -> f64 { others.clone().map(|two| self.cost_of_test(one, other, two)).sum() };
        ones.clone().map(row).sum()
    }

    /// c(hᵢ, hⱼ): cost of testing a node against one of another tree.
    pub fn cost_of_test(&self, one: u32, other: &Grades, two: u32) -> f64 {
        self.costs.seconds(self.kind[one as usize], other.kind[two as usize])
    }
}
