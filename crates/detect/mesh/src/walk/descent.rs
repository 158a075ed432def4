//! Down two trees, to all pairs of leaves whose boxes may overlap.

use std::ops::ControlFlow;

use kontakt_answers::Visits;
use kontakt_bounds::batch::Isa;
use kontakt_hierarchy::packed::Child;
use kontakt_hierarchy::{Packed, PackedMap, WideNode};

use kontakt_math::DVec3;

use super::cross::Bounds;
use super::kernel::{self, OverlapsOf};
use super::plan::{Nodes, Plan, Run, bits, column, in_column, in_row, row};
use super::relative::Sight;
use crate::face::Between;
use crate::mesh::Mesh;

/// Two nodes and the pairs of their children still to be looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Open {
    a: u32,
    b: u32,
    pairs: u64,
    /// The bit to be taken first.
    first: u32,
}

/// A way down two trees. All that changes on it is in a stack, so it may be left and taken up again.
pub(crate) struct Descent<'a> {
    a: &'a Packed,
    b: &'a Packed,
    relative: PackedMap,
    overlaps: OverlapsOf,
    deepest_first: bool,
}

/// Two bodies at their poses, and the instructions to use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bodies<'a> {
    pub(crate) isa: Isa,
    pub(crate) between: &'a Between,
    pub(crate) a: &'a Mesh,
    pub(crate) b: &'a Mesh,
}

/// How a descent ended.
pub(crate) enum Descended<T> {
    /// It was broken off with this.
    With(T),
    /// All pairs of leaves have been taken.
    Done,
    /// To be continued.
    Paused,
}

/// Calls `at_leaves` for every pair of leaves whose boxes may overlap, until it breaks. `deepest_first`: of the children of two
/// nodes those first that overlap most, to find a contact soon. The stack grows by one entry a level.
pub(crate) fn descend<T>(
    bodies: &Bodies,
    stack: &mut Vec<Open>,
    visits: &mut Visits,
    deepest_first: bool,
    at_leaves: impl FnMut(Run, Run, &mut Visits) -> ControlFlow<T>,
) -> Option<T> {
    let descent = Descent::new(bodies, deepest_first)?;
    descent.begin(stack, visits);
    match descent.go_on(stack, visits, || true, at_leaves) {
        Descended::With(found) => Some(found),
        Descended::Done | Descended::Paused => None,
    }
}

impl<'a> Descent<'a> {
    /// None for bodies proven to be far apart.
    pub(crate) fn new(bodies: &Bodies<'a>, deepest_first: bool) -> Option<Descent<'a>> {
        let &Bodies { isa, between, a, b } = bodies;
        let (relative, overlaps) = match Sight::of(between, a, b) {
            Sight::Near(relative) => (relative, kernel::overlaps(isa)),
            Sight::Far(_) => return None,
            Sight::Blind => (PackedMap::NONE, kernel::no_help as OverlapsOf),
        };
        Some(Descent { a: a.tree(), b: b.tree(), relative, overlaps, deepest_first })
    }

    /// The roots, and nothing else.
    pub(crate) fn begin(&self, stack: &mut Vec<Open>, visits: &mut Visits) {
        stack.clear();
        self.open(0, u32::MAX, 0, u32::MAX, stack, visits);
    }

    /// Goes on as long as `may_go_on`, which is asked before boxes are opened and before `at_leaves`.
    pub(crate) fn go_on<T>(
        &self,
        stack: &mut Vec<Open>,
        visits: &mut Visits,
        mut may_go_on: impl FnMut() -> bool,
        mut at_leaves: impl FnMut(Run, Run, &mut Visits) -> ControlFlow<T>,
    ) -> Descended<T> {
        let ratio = self.relative.scale as f32;
        while let Some(top) = stack.last_mut() {
            if top.pairs == 0 {
                stack.pop();
                continue;
            }
            if !may_go_on() {
                return Descended::Paused;
            }
            let bit = if top.pairs >> top.first & 1 != 0 { top.first } else { top.pairs.trailing_zeros() };
            let (node_a, node_b) = (top.a, top.b);
            let (i, j) = (bit >> 3, bit & 7);
            let nodes = Nodes::new((self.a, self.b), ratio, node_a, node_b);
            // One box against the children of another: all such boxes of the node at once.
            match nodes.plan(i, j) {
                Plan::Both(x, y) => {
                    top.pairs &= !(1 << bit);
                    self.open(x, u32::MAX, y, u32::MAX, stack, visits);
                }
                Plan::OnlyA(x) => {
                    let columns = nodes.columns_alike(i, row(top.pairs, i));
                    top.pairs &= !in_row(i, columns);
                    self.open(x, u32::MAX, node_b, columns, stack, visits);
                }
                Plan::OnlyB(y) => {
                    let rows = nodes.rows_alike(column(top.pairs, j), j);
                    top.pairs &= !in_column(rows, j);
                    self.open(node_a, rows, y, u32::MAX, stack, visits);
                }
                Plan::Leaves(x, y) => {
                    top.pairs &= !(1 << bit);
                    if let ControlFlow::Break(found) = at_leaves(x, y, visits) {
                        return Descended::With(found);
                    }
                }
                Plan::Nothing => top.pairs &= !(1 << bit),
            }
        }
        Descended::Done
    }

    fn open(&self, a: u32, rows: u32, b: u32, columns: u32, stack: &mut Vec<Open>, visits: &mut Visits) {
        let (node_a, node_b) = (&self.a.nodes()[a as usize], &self.b.nodes()[b as usize]);
        let mut depths = Bounds::ZERO;
        let found = (self.overlaps)(&self.relative, node_a, node_b, rows, columns, &mut depths);
        visits.volume_tests += u64::from(found.tests);
        if found.pairs != 0 {
            prefetch(node_a, rows_of(found.pairs), self.a);
            prefetch(node_b, columns_of(found.pairs), self.b);
            let first =
                if self.deepest_first { depths.largest(found.pairs) } else { found.pairs.trailing_zeros() };
            stack.push(Open { a, b, pairs: found.pairs, first });
        }
    }
}

/// The corners of the triangle in a slot.
pub(crate) fn corners(mesh: &Mesh, slot: u32) -> [DVec3; 3] {
    mesh.tree().corners()[slot as usize].map(|vertex| mesh.faces().vertices()[vertex as usize])
}

/// The children of A in any pair.
#[inline]
pub(super) fn rows_of(pairs: u64) -> u32 {
    // Any bit of a byte into its lowest, then the lowest bits side by side.
    let mut bytes = pairs | pairs >> 4;
    bytes |= bytes >> 2;
    bytes |= bytes >> 1;
    ((bytes & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32
}

/// The children of B in any pair.
#[inline]
pub(super) fn columns_of(pairs: u64) -> u32 {
    let mut bits = pairs | pairs >> 32;
    bits |= bits >> 16;
    bits |= bits >> 8;
    bits as u32 & 0xff
}

/// Asks the processor to fetch what some lanes of a node lead to: nodes, or the corners of the first triangle.
#[inline]
pub(super) fn prefetch(node: &WideNode, lanes: u32, tree: &Packed) {
    for lane in bits(lanes & 0xff) {
        match Child::decode(node.child[lane as usize]) {
            Child::Inner(child) => tree.nodes().get(child as usize).map_or((), kernel::prefetch),
            Child::Leaf { first, .. } => tree.corners().get(first as usize).map_or((), kernel::prefetch),
            Child::Empty => {}
        }
    }
}
