//! The upper levels: clusters divided from the root down until a part is a patch.

use super::clusters::Cluster;
use super::patch::PATCH;
use super::split::split;
use crate::packed::node::WIDTH;
use crate::packed::parallel::{lock, run};
use crate::packed::vector::Bounds;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Mutex;

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

#[derive(Clone)]
struct Part {
    range: Range<usize>,
    weight: usize,
    bounds: Bounds,
}

/// Parts of the crown that are divided side by side, at least, if there are so many.
const SIDE_BY_SIDE: usize = 32;

/// A node still to be made: its index, what it holds, and its level.
type Open = (usize, Part, usize);

impl Crown {
    /// The result does not depend on the threads: they share branches that are always the same.
    pub(super) fn new(clusters: &[Cluster], threads: usize) -> Crown {
        let mut order: Vec<u32> = (0..clusters.len() as u32).collect();
        let mut top =
            Divider { clusters, first: 0, order: &mut order, nodes: Vec::new(), patches: Vec::new() };
        let all = top.part(0..clusters.len());
        if all.weight <= PATCH {
            let patches = vec![all.range];
            return Crown { nodes: Vec::new(), order, patches };
        }
        top.nodes.push(CrownNode::default());
        let mut open = VecDeque::from([(0, all, 0)]);
        while open.len() < SIDE_BY_SIDE
            && let Some(next) = open.pop_front()
        {
            top.divide_node(next, |next| open.push_back(next));
        }
        let Divider { nodes, patches, .. } = top;
        let mut crown = Crown { nodes, order: Vec::new(), patches };
        let branches = branches(clusters, &mut order, &open, threads);
        for ((node, ..), (mut nodes, patches)) in open.into_iter().zip(branches) {
            // Node 0 of a branch has its place already, the others follow all before.
            let (before, patch) = (crown.nodes.len(), crown.patches.len());
            for (_, below) in nodes.iter_mut().flat_map(|node| &mut node.lanes) {
                match below {
                    Below::Crown(inner) => *inner += before - 1,
                    Below::Patch(inner) => *inner += patch,
                }
            }
            let mut nodes = nodes.into_iter();
            crown.nodes[node] = nodes.next().unwrap_or_default();
            crown.nodes.extend(nodes);
            crown.patches.extend(patches);
        }
        crown.order = order;
        crown.sort_patches();
        crown
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

/// Nodes and patches of a branch, counted from 0; its root is node 0.
type Branch = (Vec<CrownNode>, Vec<Range<usize>>);

/// Divides branches to the end, each its own part of the order.
fn branches(clusters: &[Cluster], order: &mut [u32], open: &VecDeque<Open>, threads: usize) -> Vec<Branch> {
    let mut by_place: Vec<usize> = (0..open.len()).collect();
    by_place.sort_by_key(|&k| open[k].1.range.start);
    let (mut rest, mut at) = (order, 0);
    let mut pieces: Vec<(usize, Mutex<&mut [u32]>)> = by_place
        .into_iter()
        .map(|k| {
            let Range { start, end } = open[k].1.range.clone();
            let (own, after) = std::mem::take(&mut rest).split_at_mut(end - at);
            (rest, at) = (after, end);
            let skipped = own.len() - (end - start);
            (k, Mutex::new(&mut own[skipped..]))
        })
        .collect();
    pieces.sort_by_key(|(k, _)| *k);
    run(threads, &pieces, |(k, order)| {
        let (_, part, level) = open[*k].clone();
        let mut order = lock(order);
        let nodes = vec![CrownNode::default()];
        let mut branch =
            Divider { clusters, first: part.range.start, order: &mut order, nodes, patches: Vec::new() };
        let mut open = vec![(0, part, level)];
        while let Some(next) = open.pop() {
            branch.divide_node(next, |next| open.push(next));
        }
        (branch.nodes, branch.patches)
    })
}

/// Divides a part of the clusters.
struct Divider<'a> {
    clusters: &'a [Cluster],
    /// Place of the first of `order` among all.
    first: usize,
    order: &'a mut [u32],
    nodes: Vec<CrownNode>,
    patches: Vec<Range<usize>>,
}

impl Divider<'_> {
    /// Fills the lanes of a node; what is more than a patch becomes another one, still to be made.
    fn divide_node(&mut self, (node, part, level): Open, mut open: impl FnMut(Open)) {
        for part in self.divide(part, level) {
            let bounds = part.bounds;
            let below = if part.weight <= PATCH {
                self.patches.push(part.range);
                Below::Patch(self.patches.len() - 1)
            } else {
                self.nodes.push(CrownNode::default());
                open((self.nodes.len() - 1, part, level + 1));
                Below::Crown(self.nodes.len() - 1)
            };
            self.nodes[node].lanes.push((bounds, below));
        }
    }

    fn places(&self, range: &Range<usize>) -> Range<usize> {
        range.start - self.first..range.end - self.first
    }

    fn part(&self, range: Range<usize>) -> Part {
        let mut part = Part { range: range.clone(), weight: 0, bounds: Bounds::EMPTY };
        for &c in &self.order[self.places(&range)] {
            part.weight += self.clusters[c as usize].count as usize;
            part.bounds = part.bounds.join(self.clusters[c as usize].bounds);
        }
        part
    }

    /// Splits the part with the largest surface until there are eight or only patches.
    fn divide(&mut self, all: Part, level: usize) -> Vec<Part> {
        let mut parts = vec![all];
        while parts.len() < WIDTH {
            let divisible = (0..parts.len()).filter(|&i| parts[i].weight > PATCH);
            let chance = |i: usize| parts[i].bounds.chance(0.0);
            let Some(largest) = divisible.max_by(|&i, &j| chance(i).total_cmp(&chance(j))) else { break };
            let range = parts[largest].range.clone();
            let places = self.places(&range);
            let cut = if level < DEEPEST {
                split(self.clusters, &mut self.order[places])
            } else {
                places.len() / 2
            };
            parts[largest] = self.part(range.start..range.start + cut);
            parts.insert(largest + 1, self.part(range.start + cut..range.end));
        }
        parts
    }
}
