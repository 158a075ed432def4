//! The lower levels: a patch of some hundred triangles that fits the nearest cache, split in its own axes.

use super::rank::halve;
use super::split::{Item, split};
use crate::packed::lane::{STRAIGHT, Turn, enclosure};
use crate::packed::node::{Child, WIDTH, WideNode};
use crate::packed::orient::{Sums, orient};
use crate::packed::vector::{Bounds, Vector};

/// Most triangles of a leaf: more make the pairs of triangles the larger part of a query, fewer the boxes.
const LEAF: usize = 2;
/// Most triangles of a node whose children are all leaves.
const BOTTOM: usize = LEAF * WIDTH;
/// Most triangles of a patch: a node over nodes over leaves.
pub(super) const PATCH: usize = BOTTOM * WIDTH;

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

/// Nodes of a run of patches.
#[derive(Default)]
pub(super) struct Grove {
    pub(super) nodes: Vec<WideNode>,
    /// What each patch is: a node of this grove or a leaf.
    pub(super) roots: Vec<Child>,
}

/// The slots of a run of patches, to be filled from the front.
pub(super) struct Slots<'a> {
    /// Number of the first one.
    pub(super) first: usize,
    pub(super) order: &'a mut [u32],
    pub(super) corners: &'a mut [[u32; 3]],
}

impl<'a> Slots<'a> {
    /// Takes the first `count` off.
    pub(super) fn take(&mut self, count: usize) -> Slots<'a> {
        let (order, rest) = std::mem::take(&mut self.order).split_at_mut(count);
        self.order = rest;
        let (corners, rest) = std::mem::take(&mut self.corners).split_at_mut(count);
        self.corners = rest;
        self.first += count;
        Slots { first: self.first - count, order, corners }
    }
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

    /// Adds the tree of the patch to the grove and fills its slots; the first node of a grove is never a leaf.
    #[inline(always)]
    pub(super) fn build(&mut self, grove: &mut Grove, slots: &mut Slots) {
        let count = self.ids.len();
        if count <= LEAF && !grove.nodes.is_empty() {
            grove.roots.push(Child::Leaf { first: slots.first as u32, count: count as u32 });
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
                self.make(&open, grove, slots.first);
            }
        }
        for (k, &i) in self.items.iter().enumerate() {
            slots.order[k] = self.ids[i as usize];
            slots.corners[k] = self.triangles[i as usize];
        }
    }

    #[inline(always)]
    fn make(&mut self, open: &Open, grove: &mut Grove, base: usize) {
        let &Open { node, first, end, guide } = open;
        let sums = Sums::of(&self.corners, &self.items[first..end]);
        let origin = sums.mean();
        let (mut axes, flat) = orient(&sums, guide);
        let own = self.turn(&axes, origin, first, end);
        // Parts of machines are often straight already, and their principal axes are not.
        if !flat && self.around(first, end).chance(0.0) <= own.chance(0.0) {
            axes = STRAIGHT;
            self.turn(&axes, origin, first, end);
        }
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

    /// Boxes of the triangles in axes, and the box around all.
    #[inline(always)]
    fn turn(&mut self, axes: &[[f32; 3]; 3], origin: Vector, first: usize, end: usize) -> Bounds {
        let turn = Turn::new(axes, origin);
        let mut all = Bounds::EMPTY;
        for &i in &self.items[first..end] {
            let bounds = turn.bounds(&self.corners[i as usize]);
            self.boxes[i as usize] = bounds;
            all = all.join(bounds);
        }
        all
    }

    /// The box around triangles in packed coordinates.
    #[inline(always)]
    fn around(&self, first: usize, end: usize) -> Bounds {
        let corners = self.items[first..end].iter().map(|&i| &self.corners[i as usize]);
        corners.fold(Bounds::EMPTY, |all, corners| all.join(Bounds::of(corners)))
    }

    /// Divides a run into at most eight parts, across the longest side of what is left.
    #[inline(always)]
    fn divide(&mut self, first: usize, end: usize) -> ([(usize, usize); WIDTH], usize) {
        let count = end - first;
        // Nodes over leaves are not quite filled, so that parts may differ.
        let wanted = count.div_ceil(if count <= BOTTOM { LEAF } else { BOTTOM - LEAF }).min(WIDTH);
        let mut parts = [(0, 0); WIDTH];
        let mut used = 0;
        // Parts still to be divided, with the number of children they become; the last ones first.
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
            // Leaves come from even cuts; above, a cut by cost follows the rows of regular meshes, even ones tear them.
            let (cut, left) = if count <= BOTTOM || to - from <= share {
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
