//! What is to be done with a pair of children of two nodes.

use kontakt_hierarchy::packed::Child;
use kontakt_hierarchy::{Packed, WideNode};

/// A box this many times larger than the other is opened alone: opening both would look at the larger one's children
/// once for every child of the smaller.
const SKEW: f32 = 2.5;

/// A run of slots of a packed tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub(crate) first: u32,
    pub(crate) count: u32,
}

impl Run {
    /// All pairs of a slot of this run and one of another, in order.
    pub(super) fn with(self, other: Run) -> impl Iterator<Item = (u32, u32)> {
        let slots = |run: Run| run.first..run.first + run.count;
        slots(self).flat_map(move |i| slots(other).map(move |j| (i, j)))
    }
}

/// Two nodes, and a map of sizes from B to A.
#[derive(Clone, Copy)]
pub(super) struct Nodes<'a> {
    pub(super) a: &'a WideNode,
    pub(super) b: &'a WideNode,
    pub(super) ratio: f32,
}

/// What a pair of children, one of A's node and one of B's, asks for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Plan {
    /// The children of both.
    Both(u32, u32),
    /// The children of A's child, with B's child as it is.
    OnlyA(u32),
    /// The children of B's child, with A's child as it is.
    OnlyB(u32),
    /// Their triangles.
    Leaves(Run, Run),
    /// A lane is empty.
    Nothing,
}

/// Half the longest side of a child's box.
#[inline(always)]
fn size(node: &WideNode, lane: usize) -> f32 {
    node.half[0][lane].max(node.half[1][lane]).max(node.half[2][lane])
}

impl<'a> Nodes<'a> {
    /// Nodes of two trees by their indices.
    #[inline(always)]
    pub(super) fn new(trees: (&'a Packed, &'a Packed), ratio: f32, a: u32, b: u32) -> Nodes<'a> {
        Nodes { a: &trees.0.nodes()[a as usize], b: &trees.1.nodes()[b as usize], ratio }
    }

    /// What to do with child i of A's node and child j of B's.
    #[inline(always)]
    pub(super) fn plan(&self, i: u32, j: u32) -> Plan {
        let (i, j) = (i as usize & 7, j as usize & 7);
        match (Child::decode(self.a.child[i]), Child::decode(self.b.child[j])) {
            (Child::Inner(x), Child::Inner(y)) => {
                let (size_a, size_b) = (size(self.a, i), self.ratio * size(self.b, j));
                if size_a > SKEW * size_b {
                    Plan::OnlyA(x)
                } else if size_b > SKEW * size_a {
                    Plan::OnlyB(y)
                } else {
                    Plan::Both(x, y)
                }
            }
            (Child::Inner(x), Child::Leaf { .. }) => Plan::OnlyA(x),
            (Child::Leaf { .. }, Child::Inner(y)) => Plan::OnlyB(y),
            (Child::Leaf { first, count }, Child::Leaf { first: first_b, count: count_b }) => {
                Plan::Leaves(Run { first, count }, Run { first: first_b, count: count_b })
            }
            _ => Plan::Nothing,
        }
    }

    /// Of the children of B in `columns`, those with which child i of A's is to be opened alone.
    #[inline(always)]
    pub(super) fn columns_alike(&self, i: u32, columns: u32) -> u32 {
        bits(columns).filter(|&j| matches!(self.plan(i, j), Plan::OnlyA(_))).fold(0, |all, j| all | 1 << j)
    }

    /// Of the children of A in `rows`, those with which child j of B's is to be opened alone.
    #[inline(always)]
    pub(super) fn rows_alike(&self, rows: u32, j: u32) -> u32 {
        bits(rows).filter(|&i| matches!(self.plan(i, j), Plan::OnlyB(_))).fold(0, |all, i| all | 1 << i)
    }
}

/// The numbers of the bits set, from the lowest.
#[inline(always)]
pub(super) fn bits(mut set: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros())?;
        set &= set - 1;
        Some(bit)
    })
}

/// The children of B in the pairs with child i of A.
#[inline(always)]
pub(super) fn row(pairs: u64, i: u32) -> u32 {
    (pairs >> (8 * i)) as u32 & 0xff
}

/// The children of A in the pairs with child j of B.
#[inline(always)]
pub(super) fn column(pairs: u64, j: u32) -> u32 {
    // The lowest bits of all bytes side by side.
    ((pairs >> j & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32
}

/// The pairs of child i of A with some of B.
#[inline(always)]
pub(super) fn in_row(i: u32, columns: u32) -> u64 {
    u64::from(columns) << (8 * i)
}

/// The pairs of some children of A with child j of B.
#[inline(always)]
pub(super) fn in_column(rows: u32, j: u32) -> u64 {
    bits(rows).fold(0, |pairs, i| pairs | 1 << (8 * i + j))
}
