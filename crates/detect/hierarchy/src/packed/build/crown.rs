//! The upper levels: clusters divided from the root down until a part is a patch.

use super::clusters::Cluster;
use super::patch::PATCH;
use super::split::split;
use crate::packed::node::WIDTH;
use crate::packed::vector::Bounds;
use std::ops::Range;

/// Levels after which parts are halved instead of split by cost, so that no input makes a deep tree.
const DEEPEST: usize = 20;

/// What a lane of a crown node leads to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Below {
    /// A node of the crown.
    Crown(usize),
    /// A patch.
    Patch(usize),
}

/// A node of the crown.
#[derive(Clone, Debug, Default)]
pub(super) struct CrownNode {
    /// Box of each child in packed coordinates, and what it is.
    pub(super) lanes: Vec<(Bounds, Below)>,
}

/// Upper levels of the tree, over patches of clusters.
pub(super) struct Crown {
    /// The root first; empty if all triangles are one patch.
    pub(super) nodes: Vec<CrownNode>,
    /// Clusters in the order of the patches.
    pub(super) order: Vec<u32>,
    /// The clusters of each patch, a part of `order`.
    pub(super) patches: Vec<Range<usize>>,
}

struct Part {
    range: Range<usize>,
    weight: usize,
    bounds: Bounds,
}

impl Crown {
    pub(super) fn new(clusters: &[Cluster]) -> Crown {
        let mut crown =
            Crown { nodes: Vec::new(), order: (0..clusters.len() as u32).collect(), patches: Vec::new() };
        let all = crown.part(clusters, 0..clusters.len());
        if all.weight <= PATCH {
            crown.patches.push(all.range);
            return crown;
        }
        crown.nodes.push(CrownNode::default());
        let mut open = vec![(0, all, 0)];
        while let Some((node, part, level)) = open.pop() {
            for part in crown.divide(clusters, part, level) {
                let bounds = part.bounds;
                let below = if part.weight <= PATCH {
                    crown.patches.push(part.range);
                    Below::Patch(crown.patches.len() - 1)
                } else {
                    crown.nodes.push(CrownNode::default());
                    open.push((crown.nodes.len() - 1, part, level + 1));
                    Below::Crown(crown.nodes.len() - 1)
                };
                crown.nodes[node].lanes.push((bounds, below));
            }
        }
        crown.sort_patches();
        crown
    }

    fn part(&self, clusters: &[Cluster], range: Range<usize>) -> Part {
        let mut part = Part { range: range.clone(), weight: 0, bounds: Bounds::EMPTY };
        for &c in &self.order[range] {
            part.weight += clusters[c as usize].count as usize;
            part.bounds = part.bounds.join(clusters[c as usize].bounds);
        }
        part
    }

    /// Splits the part with the largest surface until there are eight or only patches.
    fn divide(&mut self, clusters: &[Cluster], all: Part, level: usize) -> Vec<Part> {
        let mut parts = vec![all];
        while parts.len() < WIDTH {
            let divisible = (0..parts.len()).filter(|&i| parts[i].weight > PATCH);
            let chance = |i: usize| parts[i].bounds.chance(0.0);
            let Some(largest) = divisible.max_by(|&i, &j| chance(i).total_cmp(&chance(j))) else { break };
            let Range { start, end } = parts[largest].range.clone();
            let cut = if level < DEEPEST {
                split(clusters, &mut self.order[start..end])
            } else {
                (end - start) / 2
            };
            parts[largest] = self.part(clusters, start..start + cut);
            parts.insert(largest + 1, self.part(clusters, start + cut..end));
        }
        parts
    }

    /// Numbers the patches in the order of their clusters, so that the slots below every node are one run.
    fn sort_patches(&mut self) {
        let mut by_place: Vec<usize> = (0..self.patches.len()).collect();
        by_place.sort_by_key(|&p| self.patches[p].start);
        let mut number = vec![0; by_place.len()];
        for (new, &old) in by_place.iter().enumerate() {
            number[old] = new;
        }
        self.patches = by_place.iter().map(|&p| self.patches[p].clone()).collect();
        for (_, below) in self.nodes.iter_mut().flat_map(|node| &mut node.lanes) {
            if let Below::Patch(patch) = below {
                *patch = number[*patch];
            }
        }
    }
}
