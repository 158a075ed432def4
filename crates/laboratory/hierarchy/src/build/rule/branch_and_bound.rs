//! The best partition there is, for small sets (thesis 3.7.1, Figure 3.4).

mod problem;

use super::centres::Centres;
use super::hochbaum_shmoys::HochbaumShmoys;
use super::{Method, Rule, Split, SplitSet};
use crate::build::grade::Grade;
use crate::build::partial::{Complete, OPEN};
use crate::build::random::Random;
use kontakt_math::order::{ByRank, Ranked, Total};
use problem::Problem;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub(super) const METHODS: &[Method] = &[
    Method::new(
        "branch-and-bound",
        "best partition of small sets: worst face, least bound (thesis 3.7.1)",
        |_| search(Branching::Worst, NodeOrder::Lower),
    ),
    Method::new("branch-and-bound-worst-weighted", "branch-and-bound: worst face, expected optimum", |_| {
        search(Branching::Worst, NodeOrder::Weighted)
    }),
    Method::new(
        "branch-and-bound-worst-potential",
        "branch-and-bound: worst face, greatest potential",
        |_| search(Branching::Worst, NodeOrder::Potential),
    ),
    Method::new("branch-and-bound-random-lower", "branch-and-bound: random face, least bound", |_| {
        search(Branching::Random, NodeOrder::Lower)
    }),
    Method::new(
        "branch-and-bound-random-weighted",
        "branch-and-bound: random face, expected optimum",
        |_| search(Branching::Random, NodeOrder::Weighted),
    ),
    Method::new(
        "branch-and-bound-random-potential",
        "branch-and-bound: random face, greatest potential",
        |_| search(Branching::Random, NodeOrder::Potential),
    ),
];

fn search<'a>(branching: Branching, order: NodeOrder) -> Box<dyn Rule + 'a> {
    Box::new(BranchAndBound { branching, order })
}

/// Sets of more faces are not searched: the heuristics' answer is taken, with a gap of 1 (nothing is known).
const MOST_FACES: usize = 64;

/// Which face is placed next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Branching {
    /// Any.
    Random,
    /// The one whose least worsening is largest: the lower bounds rise quickest.
    Worst,
}

/// Which partial partition is looked at next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NodeOrder {
    /// The least lower bound.
    Lower,
    /// The least lower bound x placed faces + upper bound x open faces: where the optimum is expected.
    Weighted,
    /// The greatest (upper − lower bound) x open faces: where most can still be gained.
    Potential,
}

/// Places face after face, in every part, and drops partial partitions that are already worse than the best one known.
/// Upper bounds come from completing them by the heuristics. Where the volume's fit is least (boxes, k-DOPs, hulls), faces
/// inside a part's volume join it without a branch; for other kinds that would be wrong.
///
/// The answer is optimal, and its gap 0, if the search ends within the plan's `search_steps`; else the best partition found
/// is given with the gap to the least lower bound. For kinds that are not monotone (an oriented box around more faces may
/// come out smaller) the bounds prove nothing and no gap is given.
struct BranchAndBound {
    /// Which face is placed next.
    branching: Branching,
    /// Which partial partition comes next.
    order: NodeOrder,
}

impl Rule for BranchAndBound {
    fn split(&self, set: &SplitSet<'_>, parts: usize) -> Option<Split> {
        // Equal faces: every partition is as good as any other, and splitting off one by one would make a deep tree.
        let boxes = &set.workpiece.boxes;
        if set.faces.iter().all(|face| boxes[*face as usize] == boxes[set.faces[0] as usize]) {
            return None;
        }
        let nothing = vec![OPEN; set.faces.len()];
        let first = [HochbaumShmoys.complete(set, &nothing, parts), Centres.complete(set, &nothing, parts)];
        let graded = first.map(|labels| (gathered(set, &labels, parts), labels));
        let best = graded.into_iter().min()?;
        let search = Search { rule: self, set, parts, best, random: Random::new(set.seed) };
        let (labels, gap) = if set.faces.len() > MOST_FACES { (search.best.1, 1.0) } else { search.run() };
        Some(Split { labels, gap: set.workpiece.judge.is_monotone().then_some(gap) })
    }
}

/// The grade of a whole partition.
fn gathered(set: &SplitSet<'_>, labels: &[u8], parts: usize) -> Grade {
    set.workpiece.plan.gather.of(&set.grades(labels, parts))
}

struct Search<'a> {
    rule: &'a BranchAndBound,
    set: &'a SplitSet<'a>,
    parts: usize,
    /// The best whole partition so far.
    best: (Grade, Vec<u8>),
    random: Random,
}

impl Search<'_> {
    /// The best partition and its gap.
    fn run(mut self) -> (Vec<u8>, f64) {
        let mut waiting = BinaryHeap::new();
        let root = Problem::new(self.set, self.parts);
        let mut count = 0;
        waiting.push(ByRank(Waiting { key: 0.0, number: 0, problem: root }));
        for _ in 0..self.set.workpiece.plan.search_steps {
            let Some(ByRank(Waiting { problem, .. })) = waiting.pop() else { break };
            if problem.lower >= self.best.0 {
                continue;
            }
            for child in self.branches(&problem) {
                count += 1;
                let key = self.key(&child);
                waiting.push(ByRank(Waiting { key, number: count, problem: child }));
            }
        }
        let least = waiting.iter().map(|w| w.0.problem.lower).min();
        let gap = match least {
            Some(lower) if lower < self.best.0 => 1.0 - lower.main() / self.best.0.main(),
            _ => 0.0,
        };
        // Equal in the objective and different in a tie's measure only: the objective is proven.
        (self.best.1, if gap.is_nan() { 0.0 } else { gap.clamp(0.0, 1.0) })
    }

    /// The problems with one more face placed that may hold something better; whole partitions go to `best` instead.
    fn branches<'b>(&mut self, problem: &Problem<'b>) -> Vec<Problem<'b>> {
        let open: Vec<usize> = problem.open().collect();
        let place = match self.rule.branching {
            Branching::Random => open[self.random.below(open.len())],
            Branching::Worst => problem.worst_face(&open),
        };
        let mut children = Vec::new();
        // Empty parts are alike: only the first of them is tried.
        for part in 0..self.parts.min(problem.used() + 1) {
            let mut child = problem.with(place, part);
            if child.lower >= self.best.0 || !child.can_fill_all() {
                continue;
            }
            child.absorb();
            let labels = HochbaumShmoys.complete(self.set, &child.labels, self.parts);
            child.upper = gathered(self.set, &labels, self.parts);
            let whole = child.open().next().is_none();
            if child.upper < self.best.0 {
                self.best = (child.upper, labels);
            }
            if !whole && child.lower < child.upper {
                children.push(child);
            }
        }
        children
    }

    /// The greatest key is looked at first.
    fn key(&self, problem: &Problem<'_>) -> f64 {
        let open = problem.open().count() as f64;
        let placed = self.set.faces.len() as f64 - open;
        let (lower, upper) = (problem.lower.main(), problem.upper.main());
        match self.rule.order {
            NodeOrder::Lower => -lower,
            NodeOrder::Weighted => -(lower * placed + upper * open),
            NodeOrder::Potential => (upper - lower) * open,
        }
    }
}

/// A problem in the queue: the greatest key first, among equals the oldest.
struct Waiting<'a> {
    key: f64,
    number: usize,
    problem: Problem<'a>,
}

impl Ranked for Waiting<'_> {
    type Rank = (Total, Reverse<usize>);

    fn rank(&self) -> Self::Rank {
        (Total(self.key), Reverse(self.number))
    }
}
