//! Octree with the two splitting rules of [VR 6.1.2]: edges halved, or content halved.

use crate::each::{each_with_its_partners, existing};
use kontakt_broad::{Ends, Finder, Take};
use std::ops::ControlFlow;

/// A node with more boxes is split.
const FEW: usize = 8;
/// Not deeper: boxes at one place cannot be told apart by splitting.
const DEEPEST: u32 = 20;
/// No node.
const NONE: u32 = u32::MAX;

/// Where an octree cuts a box along each axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// In the middle.
    Halves,
    /// So that half of the content lies on either side.
    Median,
}

#[derive(Clone, Debug)]
struct Node {
    /// Around all boxes in and below; does not shrink when boxes leave.
    around: Ends,
    /// Of the cell.
    cell: Ends,
    cut: [f32; 3],
    children: [u32; 8],
    is_split: bool,
    depth: u32,
    ids: Vec<u32>,
}

/// Cells of eight, each box in the smallest that holds it; boxes across a cut stay above.
#[derive(Clone, Debug)]
pub struct Octree {
    split: Split,
    nodes: Vec<Node>,
    /// Node by id.
    homes: Vec<u32>,
}

impl Octree {
    /// Empty.
    pub fn new(split: Split) -> Octree {
        Octree { split, nodes: Vec::new(), homes: Vec::new() }
    }

    fn add_node(&mut self, cell: Ends, depth: u32) -> u32 {
        self.nodes.push(Node {
            around: Ends::NONE,
            cell,
            cut: [0.0; 3],
            children: [NONE; 8],
            is_split: false,
            depth,
            ids: Vec::new(),
        });
        self.nodes.len() as u32 - 1
    }

    /// The child that holds a box, by bits: set on the upper side of a cut. `None` across a cut.
    fn octant(cut: [f32; 3], ends: &Ends) -> Option<usize> {
        (0..3).try_fold(0, |bits, k| {
            if ends.low[k] > cut[k] {
                Some(bits | 1 << k)
            } else if ends.high[k] <= cut[k] {
                Some(bits)
            } else {
                None
            }
        })
    }

    fn child(&mut self, at: u32, octant: usize) -> u32 {
        let node = &self.nodes[at as usize];
        if node.children[octant] != NONE {
            return node.children[octant];
        }
        let (mut cell, cut, depth) = (node.cell, node.cut, node.depth);
        for (k, at) in cut.into_iter().enumerate() {
            let side = if octant >> k & 1 == 1 { &mut cell.low } else { &mut cell.high };
            side[k] = at;
        }
        let child = self.add_node(cell, depth + 1);
        self.nodes[at as usize].children[octant] = child;
        child
    }

    fn insert(&mut self, id: u32, boxes: &[Ends]) {
        let ends = boxes[id as usize];
        let mut at = 0;
        loop {
            let node = &mut self.nodes[at as usize];
            node.around = node.around.around(&ends);
            let octant = if node.is_split { Octree::octant(node.cut, &ends) } else { None };
            let Some(octant) = octant else { break };
            at = self.child(at, octant);
        }
        self.nodes[at as usize].ids.push(id);
        self.homes[id as usize] = at;
        self.split_if_full(at, boxes);
    }

    fn split_if_full(&mut self, at: u32, boxes: &[Ends]) {
        let node = &self.nodes[at as usize];
        if node.is_split || node.ids.len() <= FEW || node.depth >= DEEPEST {
            return;
        }
        let cut = std::array::from_fn(|k| self.cut(at, k, boxes));
        let node = &mut self.nodes[at as usize];
        (node.cut, node.is_split) = (cut, true);
        let ids = std::mem::take(&mut node.ids);
        for id in ids {
            let ends = &boxes[id as usize];
            let home = match Octree::octant(cut, ends) {
                Some(octant) => self.child(at, octant),
                None => at,
            };
            let node = &mut self.nodes[home as usize];
            node.around = node.around.around(ends);
            node.ids.push(id);
            self.homes[id as usize] = home;
        }
        for child in self.nodes[at as usize].children {
            if child != NONE {
                self.split_if_full(child, boxes);
            }
        }
    }

    fn cut(&self, at: u32, axis: usize, boxes: &[Ends]) -> f32 {
        let node = &self.nodes[at as usize];
        let middle = |low: f32, high: f32| low * 0.5 + high * 0.5;
        match self.split {
            Split::Halves => middle(node.cell.low[axis], node.cell.high[axis]),
            Split::Median => {
                let centre = |&id: &u32| {
                    let ends = &boxes[id as usize];
                    middle(ends.low[axis], ends.high[axis])
                };
                let mut centres: Vec<f32> = node.ids.iter().map(centre).collect();
                let half = centres.len() / 2;
                *centres.select_nth_unstable_by(half, f32::total_cmp).1
            }
        }
    }

    fn walk(&self, wanted: &dyn Fn(&Ends) -> bool, boxes: &[Ends], found: &mut Vec<u32>) {
        let mut open = if self.nodes.is_empty() { vec![] } else { vec![0] };
        while let Some(at) = open.pop() {
            let node = &self.nodes[at as usize];
            if wanted(&node.around) {
                found.extend(node.ids.iter().filter(|&&id| wanted(&boxes[id as usize])));
                open.extend(node.children.iter().filter(|&&child| child != NONE));
            }
        }
    }
}

impl Finder for Octree {
    fn rebuild(&mut self, boxes: &[Ends]) {
        self.nodes.clear();
        self.homes.clear();
        self.homes.resize(boxes.len(), NONE);
        let cell = boxes.iter().fold(Ends::NONE, |around, ends| around.around(ends));
        let root = self.add_node(cell, 0);
        self.nodes[root as usize].around = cell;
        self.nodes[root as usize].ids.extend(existing(boxes));
        for id in existing(boxes) {
            self.homes[id as usize] = root;
        }
        self.split_if_full(root, boxes);
    }

    fn pairs(&mut self, boxes: &[Ends], take: &mut Take<'_>) -> ControlFlow<()> {
        each_with_its_partners(self, boxes, take)
    }

    fn put(&mut self, id: u32, boxes: &[Ends]) {
        self.take_out(id);
        if self.homes.len() < boxes.len() {
            self.homes.resize(boxes.len(), NONE);
        }
        self.insert(id, boxes);
    }

    fn take_out(&mut self, id: u32) {
        let Some(home) = self.homes.get_mut(id as usize).filter(|home| **home != NONE) else { return };
        let home = std::mem::replace(home, NONE);
        self.nodes[home as usize].ids.retain(|&other| other != id);
    }

    fn meeting(&self, ends: &Ends, boxes: &[Ends], found: &mut Vec<u32>) {
        self.walk(&|other| other.meets(ends), boxes, found);
    }

    fn reached(&self, boxes: &[Ends], wanted: &dyn Fn(&Ends) -> bool, found: &mut Vec<u32>) {
        self.walk(wanted, boxes, found);
    }
}
