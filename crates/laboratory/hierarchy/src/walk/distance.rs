//! The distance of two bodies, or whether it is below a limit.

use super::agenda::Agenda;
use super::placed::gap_below;
use super::{Above, NodePair, Order, PlacedTree, Strategy};
use kontakt_answers::{Range, Visits};
use kontakt_bounds::Bound;

/// When a search for the distance may end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DistanceGoal {
    /// Bounds that differ by at most `absolute`, or by `relative` times the upper one; both 0: as near as the faces say.
    Bounds {
        /// Largest difference.
        absolute: f64,
        /// Largest difference as a share of the upper bound.
        relative: f64,
    },
    /// Whether the distance is at most this: it ends as soon as one bound says so.
    AtMost(f64),
}

/// What a search for the distance found and did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DistanceWalked {
    /// **Never more** than the distance; infinite for a body without faces.
    pub lower: f64,
    /// **Never less** than the distance; infinite when no upper bound was needed or found.
    pub upper: f64,
    /// The pair of triangles that gave the upper bound, if faces did.
    pub pair: Option<(u32, u32)>,
    /// Tests of volumes and of faces.
    pub visits: Visits,
    /// How often a bound from above was asked of two nodes, and how often it was better than the best so far.
    pub above: (u64, u64),
}

/// The distance of two bodies from certified parts: `face` gives bounds of the distance of two triangles at the bodies'
/// poses. Best-first takes the pair of least gap next; the other orders have no use for gaps but to drop pairs.
///
/// Proof: every pair of faces is below a pair that is on the agenda, was dropped with a gap of at least `lower`, or was
/// given to `face`, whose lower end is at least `lower`.
pub fn distance<B: Bound>(
    a: &mut PlacedTree<B>,
    b: &mut PlacedTree<B>,
    strategy: Strategy,
    goal: DistanceGoal,
    above: Above,
    face: &mut dyn FnMut(u32, u32) -> Range,
) -> DistanceWalked {
    let mut search = Search::new(goal);
    if a.tree.nodes.is_empty() || b.tree.nodes.is_empty() {
        return search.found;
    }
    let mut agenda = Agenda::new(strategy.order);
    agenda.push(0.0, NodePair::ROOTS);
    while let Some((gap, pair)) = agenda.pop() {
        if search.drops(gap) {
            if strategy.order == Order::BestFirst {
                break;
            }
            continue;
        }
        if a.tree.is_leaf(pair.a) && b.tree.is_leaf(pair.b) {
            for one in a.tree.triangles(pair.a) {
                for two in b.tree.triangles(pair.b) {
                    search.face(*one, *two, face(*one, *two));
                }
            }
        } else {
            for next in strategy.expansion.expand(a, b, pair) {
                search.found.visits.volume_tests += 1;
                // What is below the child is below the parent too.
                let gap = gap_below(a, b, next).max(gap);
                if search.drops(gap) {
                    continue;
                }
                if let Some(bound) = above.bound(a, b, next) {
                    search.above(bound);
                }
                agenda.push(gap, next);
            }
        }
        if search.is_within() {
            // What is left on the agenda was not looked at: nothing is known from below but the gap just popped,
            // and that only in order of gaps.
            search.found.lower =
                if strategy.order == Order::BestFirst { search.found.lower.min(gap) } else { 0.0 };
            break;
        }
    }
    search.found.lower = search.found.lower.min(search.found.upper);
    search.found
}

/// The bounds so far.
struct Search {
    goal: DistanceGoal,
    found: DistanceWalked,
}

impl Search {
    fn new(goal: DistanceGoal) -> Search {
        let found = DistanceWalked {
            lower: f64::INFINITY,
            upper: f64::INFINITY,
            pair: None,
            visits: Visits::default(),
            above: (0, 0),
        };
        Search { goal, found }
    }

    /// Whether a pair with that gap can be left aside; then it counts for the lower bound.
    fn drops(&mut self, gap: f64) -> bool {
        let upper = self.found.upper;
        let drops = match self.goal {
            DistanceGoal::Bounds { absolute, relative } => {
                // Not `upper − …`, which is NaN for infinite bounds.
                upper.is_finite() && gap >= upper - absolute.max(relative * upper).max(0.0)
            }
            DistanceGoal::AtMost(limit) => gap > limit,
        };
        if drops {
            self.found.lower = self.found.lower.min(gap);
        }
        drops
    }

    fn is_within(&self) -> bool {
        matches!(self.goal, DistanceGoal::AtMost(limit) if self.found.upper <= limit)
    }

    fn face(&mut self, one: u32, two: u32, distance: Range) {
        self.found.visits.face_tests += 1;
        self.found.lower = self.found.lower.min(distance.lo());
        if distance.hi() < self.found.upper
            || (distance.hi() == self.found.upper && self.found.pair.is_none())
        {
            self.found.upper = distance.hi();
            self.found.pair = Some((one, two));
        }
    }

    fn above(&mut self, bound: f64) {
        self.found.above.0 += 1;
        if bound < self.found.upper {
            self.found.above.1 += 1;
            self.found.upper = bound;
            self.found.pair = None;
        }
    }
}
