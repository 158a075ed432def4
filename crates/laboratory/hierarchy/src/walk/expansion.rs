//! Which node of an overlapping pair is replaced by its children (VR thesis 4.3.1, 4.3.2).

use super::{NodePair, PlacedTree};
use std::ops::Range;

/// Which node of a pair is replaced by its children. A leaf never is; the other node is then the only choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Expansion {
    /// The one of worse quality.
    #[default]
    OneSided,
    /// Both at once.
    Simultaneous,
    /// One or both, whatever promises the least cost × quality reached.
    Hybrid,
}

impl Expansion {
    /// All of them.
    pub const ALL: [Expansion; 3] = [Expansion::OneSided, Expansion::Simultaneous, Expansion::Hybrid];

    /// Name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Expansion::OneSided => "one-sided",
            Expansion::Simultaneous => "simultaneous",
            Expansion::Hybrid => "hybrid",
        }
    }

    /// The pairs that take the place of `pair`; none exactly when both nodes are leaves. They cover the same faces.
    pub(super) fn expand<B, C>(
        self,
        a: &PlacedTree<B>,
        b: &PlacedTree<C>,
        pair: NodePair,
    ) -> impl Iterator<Item = NodePair> + use<B, C> {
        let (ones, twos) = self.sides(a, b, pair);
        ones.flat_map(move |a| twos.clone().map(move |b| NodePair { a, b }))
    }

    /// A node itself or its children, on each side; nothing for two leaves.
    fn sides<B, C>(self, a: &PlacedTree<B>, b: &PlacedTree<C>, pair: NodePair) -> (Range<u32>, Range<u32>) {
        let (below_a, below_b) = (a.tree.children(pair.a), b.tree.children(pair.b));
        let (self_a, self_b) = (pair.a..pair.a + 1, pair.b..pair.b + 1);
        match (below_a.is_empty(), below_b.is_empty()) {
            (true, true) => (0..0, 0..0),
            (false, true) => (below_a, self_b),
            (true, false) => (self_a, below_b),
            (false, false) => match self {
                Expansion::Simultaneous => (below_a, below_b),
                Expansion::OneSided if a.grades.quality(pair.a) >= b.grades.quality(pair.b) => {
                    (below_a, self_b)
                }
                Expansion::OneSided => (self_a, below_b),
                Expansion::Hybrid => cheapest(a, b, pair),
            },
        }
    }
}

/// The least of cost × quality reached, for two inner nodes.
///
/// The thesis (Figure 4.14) compares c₁(q₁ᵉ + q₂), c₂(q₂ᵉ + q₁) and c₁c₂(q₁ᵉ + q₂ᵉ) by `<` alone, which expands nothing when
/// one = two < both, and lets leaves win with c = 0: contacts are lost. Here one of the three is always taken, leaves
/// do not come here, and the costs are the sums of the tests that follow.
fn cheapest<B, C>(a: &PlacedTree<B>, b: &PlacedTree<C>, pair: NodePair) -> (Range<u32>, Range<u32>) {
    let (one, two) = (a.grades, b.grades);
    let (below_a, below_b) = (a.tree.children(pair.a), b.tree.children(pair.b));
    let (self_a, self_b) = (pair.a..pair.a + 1, pair.b..pair.b + 1);
    let cost = |ones: &Range<u32>, twos: &Range<u32>| one.cost_of_tests(ones, two, twos);
    let first = cost(&below_a, &self_b) * (one.worst_child(pair.a) + two.quality(pair.b));
    let second = cost(&self_a, &below_b) * (one.quality(pair.a) + two.worst_child(pair.b));
    let both = cost(&below_a, &below_b) * (one.worst_child(pair.a) + two.worst_child(pair.b));
    // Whatever the numbers are, NaN included, one branch is taken.
    if first <= second && first <= both {
        (below_a, self_b)
    } else if second <= both {
        (self_a, below_b)
    } else {
        (below_a, below_b)
    }
}
