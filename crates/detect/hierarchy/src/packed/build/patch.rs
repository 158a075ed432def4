//! The lower levels: a patch of some hundred triangles that fits the nearest cache, split in its own axes.

use super::rank::halve;
use super::split::{Item, split};
use crate::packed::lane::{Turn, enclosure};
use crate::packed::node::{Child, WIDTH, WideNode};
use crate::packed::orient::{Sums, orient};
use crate::packed::vector::{Bounds, Vector};

/// Most triangles of a patch.
pub(super) const PATCH: usize = 256;
/// Most triangles of a leaf.
const LEAF: usize = 4;
/// Most triangles of a node whose children are all leaves.
const BOTTOM: usize = LEAF * WIDTH;

impl Item for Bounds {
    #[inline(always)]
    fn bounds(&self) -> Bounds {
        *self
    }

    #[inline(always)]
    fn weight(&self) -> u32 {
        1
    }
}

/// Nodes and slots of a run of patches.
#[derive(Default)]
pub(super) struct Grove {
    pub(super) nodes: Vec<WideNode>,
    pub(super) order: Vec<u32>,
    pub(super) corners: Vec<[u32; 3]>,
    /// What each patch is: a node of this grove or a leaf.
    pub(super) roots: Vec<Child>,
}

/// A node to be made of a run of items.
struct Open {
    node: usize,
    first: usize,
    end: usize,
    guide: Vector,
}

/// Scratch memory for one patch at a time.
#[derive(Default)]
pub(super) struct Patcher {
    ids: Vec<u32>,
    triangles: Vec<[u32; 3]>,
    corners: Vec<[Vector; 3]>,
    /// Boxes of the triangles in the axes of the node at work.
    boxes: Vec<Bounds>,
    /// Which triangle is in which slot of the patch.
    items: Vec<u32>,
    open: Vec<Open>,
}

impl Patcher {
    /// Takes up the triangles of the next patch.
    pub(super) fn load(&mut self, ids: impl Iterator<Item = u32>, points: &[Vector], triangles: &[[u32; 3]]) {
        self.ids.clear();
        self.triangles.clear();
        self.corners.clear();
        for id in ids {
            let triangle = triangles[id as usize];
            self.ids.push(id);
            self.triangles.push(triangle);
            self.corners.push(triangle.map(|v| points[v as usize]));
        }
        let count = self.ids.len();
        self.items.clear();
        self.items.extend(0..count as u32);
        self.boxes.resize(count, Bounds::EMPTY);
    }

    /// Adds the tree of the patch to the grove; the first node of a grove is never a leaf.
    pub(super) fn build(&mut self, grove: &mut Grove) {
        let base = grove.order.len();
        let count = self.ids.len();
        if count <= LEAF && !grove.nodes.is_empty() {
            grove.roots.push(Child::Leaf { first: base as u32, count: count as u32 });
        } else {
            grove.roots.push(Child::Inner(grove.nodes.len() as u32));
            self.open.push(Open {
                node: grove.nodes.len(),
                first: 0,
                end: count,
                guide: Vector::new([1.0, 0.0, 0.0]),
            });
            grove.nodes.push(WideNode::empty([[0.0; 3]; 3], [0.0; 3]));
            while let Some(open) = self.open.pop() {
                self.make(&open, grove, base);
            }
        }
        grove.order.extend(self.items.iter().map(|&i| self.ids[i as usize]));
        grove.corners.extend(self.items.iter().map(|&i| self.triangles[i as usize]));
    }

    fn make(&mut self, open: &Open, grove: &mut Grove, base: usize) {
        let &Open { node, first, end, guide } = open;
        let sums = Sums::of(&self.corners, &self.items[first..end]);
        let (axes, origin) = (orient(&sums, guide), sums.mean());
        self.turn(&axes, origin, first, end);
        let mut made = WideNode::empty(axes, origin.xyz());
        let (parts, used) = self.divide(first, end);
        for (lane, &(from, to)) in parts[..used].iter().enumerate() {
            let around =
                self.items[from..to].iter().fold(Bounds::EMPTY, |all, &i| all.join(self.boxes[i as usize]));
            made.set_box(lane, enclosure(around));
            let child = if to - from <= LEAF {
                Child::Leaf { first: (base + from) as u32, count: (to - from) as u32 }
            } else {
                let child = grove.nodes.len();
                grove.nodes.push(made);
                self.open.push(Open { node: child, first: from, end: to, guide: Vector::new(axes[0]) });
                Child::Inner(child as u32)
            };
            made.child[lane] = child.encode();
        }
        grove.nodes[node] = made;
    }

    /// Boxes of the triangles in axes.
    fn turn(&mut self, axes: &[[f32; 3]; 3], origin: Vector, first: usize, end: usize) {
        let turn = Turn::new(axes, origin);
        for &i in &self.items[first..end] {
            self.boxes[i as usize] = turn.bounds(&self.corners[i as usize]);
        }
    }

    /// Divides a run into two to eight parts.
    fn divide(&mut self, first: usize, end: usize) -> ([(usize, usize); WIDTH], usize) {
        let count = end - first;
        let wanted =
            if count <= BOTTOM { count.div_ceil(2) } else { count.div_ceil(BOTTOM * 7 / 8) }.min(WIDTH);
        let mut parts = [(0, 0); WIDTH];
        let mut used = 0;
        // Parts still to be divided, with the number of children they may become; the last ones first.
        let mut open = [(first, end, wanted); WIDTH];
        let mut waiting = 1;
        while waiting > 0 {
            waiting -= 1;
            let (from, to, share) = open[waiting];
            if share <= 1 || to - from <= 1 {
                parts[used] = (from, to);
                used += 1;
                continue;
            }
            let run = &mut self.items[from..to];
            let (cut, left) = if count <= BOTTOM {
                let left = share / 2;
                let cut = run.len() * left / share;
                halve(&self.boxes, run, cut);
                (cut, left)
            } else {
                let cut = split(&self.boxes, run);
                (cut, ((share * cut + run.len() / 2) / run.len()).clamp(1, share - 1))
            };
            open[waiting] = (from + cut, to, share - left);
            open[waiting + 1] = (from, from + cut, left);
            waiting += 2;
        }
        (parts, used)
    }
}
