//! A tree of boxes that changes box by box.

use super::{Finder, Take};
use crate::ends::Ends;
use std::ops::ControlFlow;

/// No node.
const NONE: u32 = u32::MAX;
/// Pairs handed over at a time.
const BUNCH: usize = 1024;

/// A box around two children, or a leaf. A node that is free keeps the next free one in `parent`.
#[derive(Clone, Copy, Debug)]
struct Node {
    ends: Ends,
    parent: u32,
    /// Two nodes, or [`NONE`, id] of a leaf.
    children: [u32; 2],
    /// Longest way down to a leaf.
    height: u32,
}

impl Node {
    fn is_leaf(&self) -> bool {
        self.children[0] == NONE
    }
}

/// A binary tree of boxes, kept balanced like an AVL tree: the heights of siblings differ by at most one, so that no order of
/// insertions makes it deep, not even many boxes at one place. Where a box goes is decided by how much surfaces grow.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    root: u32,
    free: u32,
    /// By id.
    leaves: Vec<u32>,
    /// Ids while building.
    order: Vec<u32>,
    /// Of pairs of nodes, and of nodes, while searching.
    open: Vec<[u32; 2]>,
    bunch: Vec<[u32; 2]>,
}

impl Default for Tree {
    fn default() -> Tree {
        Tree {
            nodes: Vec::new(),
            root: NONE,
            free: NONE,
            leaves: Vec::new(),
            order: Vec::new(),
            open: Vec::new(),
            bunch: Vec::new(),
        }
    }
}

/// A number that grows with the surface; in doubles, since boxes may be 1e30 wide.
fn surface(ends: &Ends) -> f64 {
    let [x, y, z] = [0, 1, 2].map(|k| f64::from(ends.high[k]) - f64::from(ends.low[k]));
    x * y + y * z + z * x
}

impl Tree {
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.leaves.clear();
        (self.root, self.free) = (NONE, NONE);
    }

    fn node(&self, at: u32) -> &Node {
        &self.nodes[at as usize]
    }

    fn add(&mut self, node: Node) -> u32 {
        if self.free == NONE {
            self.nodes.push(node);
            return self.nodes.len() as u32 - 1;
        }
        let at = self.free;
        self.free = self.node(at).parent;
        self.nodes[at as usize] = node;
        at
    }

    fn drop_node(&mut self, at: u32) {
        self.nodes[at as usize].parent = self.free;
        self.free = at;
    }

    /// Puts a leaf beside the node where the surfaces grow least on the way down.
    fn insert(&mut self, leaf: u32) {
        if self.root == NONE {
            self.root = leaf;
            self.nodes[leaf as usize].parent = NONE;
            return;
        }
        let ends = self.node(leaf).ends;
        let sibling = self.sibling_for(&ends);
        let old_parent = self.node(sibling).parent;
        let around = ends.around(&self.node(sibling).ends);
        let parent =
            self.add(Node { ends: around, parent: old_parent, children: [sibling, leaf], height: 0 });
        self.nodes[sibling as usize].parent = parent;
        self.nodes[leaf as usize].parent = parent;
        self.replace(old_parent, sibling, parent);
        self.mend(parent);
    }

    fn sibling_for(&self, ends: &Ends) -> u32 {
        let mut at = self.root;
        while !self.node(at).is_leaf() {
            let here = surface(&self.node(at).ends);
            let with = surface(&self.node(at).ends.around(ends));
            // A new parent here costs its surface; going down costs what this node grows by, and then one of:
            let stay = 2.0 * with;
            let grown = 2.0 * (with - here);
            let cost = |child: u32| {
                let node = self.node(child);
                let joint = surface(&node.ends.around(ends));
                grown + if node.is_leaf() { joint } else { joint - surface(&node.ends) }
            };
            let [left, right] = self.node(at).children;
            let (a, b) = (cost(left), cost(right));
            if stay < a && stay < b {
                break;
            }
            at = if a < b || a == b && self.node(left).height <= self.node(right).height {
                left
            } else {
                right
            };
        }
        at
    }

    /// Lets a parent, or the root, name `new` where it named `old`.
    fn replace(&mut self, parent: u32, old: u32, new: u32) {
        if parent == NONE {
            self.root = new;
            return;
        }
        let children = &mut self.nodes[parent as usize].children;
        children[usize::from(children[0] != old)] = new;
    }

    /// Boxes, heights and balance from a node up.
    fn mend(&mut self, from: u32) {
        let mut at = from;
        while at != NONE {
            at = self.balance(at);
            at = self.node(at).parent;
        }
    }

    fn sum_up(&mut self, at: u32) {
        let [left, right] = self.node(at).children.map(|child| *self.node(child));
        let node = &mut self.nodes[at as usize];
        node.ends = left.ends.around(&right.ends);
        node.height = 1 + left.height.max(right.height);
    }

    /// If one child is higher than the other by more than one, it takes this node's place, keeps its higher child and gives this
    /// node its lower one. Gives the node that is now here, whose children differ by at most one again.
    ///
    /// By induction: let the higher child have height h, the other at most h − 2. It keeps a child of height h − 1 and gives one
    /// of h − 1 or h − 2; that and the other node, balanced below this one, are as high as the given child or one higher. So the
    /// two children of what is now here differ by at most one. (A leaf put beside a high node makes a difference of more than
    /// two, which is why one turn may not be enough.)
    fn balance(&mut self, at: u32) -> u32 {
        let [left, right] = self.node(at).children;
        let (high, side) = if self.node(left).height > self.node(right).height + 1 {
            (left, 0)
        } else if self.node(right).height > self.node(left).height + 1 {
            (right, 1)
        } else {
            self.sum_up(at);
            return at;
        };
        let [mut keep, mut give] = self.node(high).children;
        if self.node(give).height > self.node(keep).height {
            (keep, give) = (give, keep);
        }
        let parent = self.node(at).parent;
        self.nodes[high as usize].parent = parent;
        self.replace(parent, at, high);
        self.nodes[high as usize].children = [at, keep];
        self.nodes[at as usize].parent = high;
        self.nodes[at as usize].children[side] = give;
        self.nodes[give as usize].parent = at;
        self.balance(at);
        self.sum_up(high);
        high
    }

    /// Builds the subtree of the ids at these places of `order`, halved by count along the widest axis of their middles.
    fn build(&mut self, boxes: &[Ends], from: usize, to: usize) -> u32 {
        if to - from == 1 {
            let id = self.order[from];
            let leaf =
                self.add(Node { ends: boxes[id as usize], parent: NONE, children: [NONE, id], height: 0 });
            self.leaves[id as usize] = leaf;
            return leaf;
        }
        let middle = |id: u32, k: usize| boxes[id as usize].low[k] * 0.5 + boxes[id as usize].high[k] * 0.5;
        let ids = &mut self.order[from..to];
        let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
        for &id in ids.iter() {
            for k in 0..3 {
                low[k] = low[k].min(middle(id, k));
                high[k] = high[k].max(middle(id, k));
            }
        }
        let wider = |a: usize, b: usize| if high[b] - low[b] > high[a] - low[a] { b } else { a };
        let axis = (1..3).fold(0, wider);
        let half = ids.len() / 2;
        ids.select_nth_unstable_by(half, |&a, &b| {
            middle(a, axis).total_cmp(&middle(b, axis)).then(a.cmp(&b))
        });
        // Halving by count: not deeper than 32.
        let left = self.build(boxes, from, from + half);
        let right = self.build(boxes, from + half, to);
        let at = self.add(Node { ends: Ends::NONE, parent: NONE, children: [left, right], height: 0 });
        self.nodes[left as usize].parent = at;
        self.nodes[right as usize].parent = at;
        self.sum_up(at);
        at
    }

    /// Pairs of leaves below two nodes that meet, for the stack of `pairs`.
    fn open_pair(&mut self, [a, b]: [u32; 2]) {
        let (first, second) = (*self.node(a), *self.node(b));
        if a == b {
            if !first.is_leaf() {
                let [left, right] = first.children;
                self.open.extend([[left, left], [right, right], [left, right]]);
            }
        } else if first.ends.meets(&second.ends) {
            match (first.is_leaf(), second.is_leaf()) {
                (true, true) => {
                    let (a, b) = (first.children[1], second.children[1]);
                    self.bunch.push([a.min(b), a.max(b)]);
                }
                (leaf, other_leaf) => {
                    if leaf || !other_leaf && second.height > first.height {
                        self.open.extend(second.children.map(|child| [a, child]));
                    } else {
                        self.open.extend(first.children.map(|child| [child, b]));
                    }
                }
            }
        }
    }

    fn walk(&self, wanted: &dyn Fn(&Ends) -> bool, found: &mut Vec<u32>) {
        // Balanced, and built of at most 2³² leaves: higher than 46 it cannot be, and one more node a level is open.
        let mut open = [NONE; 64];
        let mut count = 0;
        if self.root != NONE {
            (open[0], count) = (self.root, 1);
        }
        while count > 0 {
            count -= 1;
            let node = self.node(open[count]);
            if !wanted(&node.ends) {
                continue;
            }
            if node.is_leaf() {
                found.push(node.children[1]);
                continue;
            }
            open[count..count + 2].copy_from_slice(&node.children);
            count += 2;
        }
    }
}

impl Finder for Tree {
    fn rebuild(&mut self, boxes: &[Ends]) {
        self.clear();
        self.leaves.resize(boxes.len(), NONE);
        self.order.clear();
        let ids = (0..boxes.len() as u32).filter(|&id| boxes[id as usize].exists());
        self.order.extend(ids);
        if !self.order.is_empty() {
            self.root = self.build(boxes, 0, self.order.len());
        }
    }

    fn pairs(&mut self, _: &[Ends], take: &mut Take<'_>) -> ControlFlow<()> {
        self.open.clear();
        self.bunch.clear();
        if self.root != NONE {
            self.open.push([self.root; 2]);
        }
        while let Some(pair) = self.open.pop() {
            self.open_pair(pair);
            if self.bunch.len() >= BUNCH {
                take(&self.bunch)?;
                self.bunch.clear();
            }
        }
        if self.bunch.is_empty() { ControlFlow::Continue(()) } else { take(&self.bunch) }
    }

    fn put(&mut self, id: u32, boxes: &[Ends]) {
        self.take_out(id);
        if self.leaves.len() <= id as usize {
            self.leaves.resize(boxes.len(), NONE);
        }
        let leaf = self.add(Node { ends: boxes[id as usize], parent: NONE, children: [NONE, id], height: 0 });
        self.leaves[id as usize] = leaf;
        self.insert(leaf);
    }

    fn take_out(&mut self, id: u32) {
        let Some(slot) = self.leaves.get_mut(id as usize).filter(|slot| **slot != NONE) else { return };
        let leaf = std::mem::replace(slot, NONE);
        let parent = self.node(leaf).parent;
        self.drop_node(leaf);
        if parent == NONE {
            self.root = NONE;
            return;
        }
        let [left, right] = self.node(parent).children;
        let sibling = if left == leaf { right } else { left };
        let above = self.node(parent).parent;
        self.nodes[sibling as usize].parent = above;
        self.replace(above, parent, sibling);
        self.drop_node(parent);
        self.mend(above);
    }

    fn meeting(&self, ends: &Ends, _: &[Ends], found: &mut Vec<u32>) {
        self.walk(&|node| node.meets(ends), found);
    }

    fn reached(&self, _: &[Ends], wanted: &dyn Fn(&Ends) -> bool, found: &mut Vec<u32>) {
        self.walk(wanted, found);
    }
}
