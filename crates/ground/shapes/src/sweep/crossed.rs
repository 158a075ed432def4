//! Which edges of a long polygon are in the way of its triangles: one sweep finds a set without which no two others are seen to cross.
//!
//! Edges enter the line at their left ends and leave it at their right ends. Of two neighbours that are not in order the longer one is taken
//! off at once and named: with a corner out of its place that is one of its two edges, as a rule. So a crossing costs no more than
//! an edge does, however many there are. Nothing rests on the answer: what is left goes through the sweep that proves.

use super::rank;
use super::status::Status;
use kontakt_math::predicates::orient2d;
use kontakt_math::{DVec2, Sign};

/// Not on the line.
const OFF: u32 = u32::MAX;

struct Line {
    /// The ends of each edge from left to right.
    edges: Vec<[DVec2; 2]>,
    /// By the numbers that the status gives.
    status: Status,
    edge_of: Vec<u32>,
    number_of: Vec<u32>,
    crossed: Vec<usize>,
}

/// The edges in the way, each by the corner it begins at.
pub(crate) fn crossed(flat: &[DVec2]) -> Vec<usize> {
    let n = flat.len();
    let edges: Vec<[DVec2; 2]> = (0..n)
        .map(|k| {
            // Adding zero makes −0 to 0, which is the same place.
            let (p, q) = (flat[k] + DVec2::ZERO, flat[(k + 1) % n] + DVec2::ZERO);
            if (p.x, p.y) < (q.x, q.y) { [p, q] } else { [q, p] }
        })
        .collect();
    let mut events: Vec<([u64; 2], bool, u32)> = Vec::with_capacity(2 * n);
    for (edge, [left, right]) in (0_u32..).zip(&edges).filter(|(_, [left, right])| left != right) {
        for (end, begins) in [(left, true), (right, false)] {
            events.push(([rank(end.x), rank(end.y)], begins, edge));
        }
    }
    // At one place edges end before others begin.
    events.sort_unstable();
    let mut line = Line {
        edges,
        status: Status::default(),
        edge_of: Vec::new(),
        number_of: vec![OFF; n],
        crossed: Vec::new(),
    };
    for (_, begins, edge) in events {
        if begins {
            line.begin(edge);
        } else {
            line.end(edge);
        }
    }
    line.crossed
}

impl Line {
    fn begin(&mut self, edge: u32) {
        let [at, to] = self.edges[edge as usize];
        let Line { edges, status, edge_of, .. } = self;
        let below = status.last_below(|number| {
            let [left, right] = edges[edge_of[number as usize] as usize];
            let sides = [at, to].into_iter().map(|p| orient2d(left, right, p));
            sides.into_iter().find(|side| *side != Sign::Zero) == Some(Sign::Positive)
        });
        let number = status.insert(below);
        edge_of.push(edge);
        self.number_of[edge as usize] = number;
        self.settle(below, Some(number));
        if self.number_of[edge as usize] != OFF {
            self.settle(Some(number), self.status.above(number));
        }
    }

    fn end(&mut self, edge: u32) {
        let number = self.number_of[edge as usize];
        if number != OFF {
            let (below, above) = (self.status.below(number), self.status.above(number));
            self.take_off(number);
            self.settle(below, above);
        }
    }

    /// Takes edges off until the neighbours here are in order.
    fn settle(&mut self, mut below: Option<u32>, mut above: Option<u32>) {
        while let (Some(low), Some(high)) = (below, above)
            && !self.in_order(low, high)
        {
            let length = |number: u32| {
                let [left, right] = self.edges[self.edge_of[number as usize] as usize];
                left.distance_squared(right)
            };
            let longer = if length(low) < length(high) { high } else { low };
            if longer == low {
                below = self.status.below(low);
            } else {
                above = self.status.above(high);
            }
            self.crossed.push(self.edge_of[longer as usize] as usize);
            self.take_off(longer);
        }
    }

    fn take_off(&mut self, number: u32) {
        self.status.remove(number);
        self.number_of[self.edge_of[number as usize] as usize] = OFF;
    }

    /// Whether an edge is nowhere above another on their common way.
    fn in_order(&self, below: u32, above: u32) -> bool {
        let [low, high] = [below, above].map(|number| self.edges[self.edge_of[number as usize] as usize]);
        let is_left = |p: DVec2, q: DVec2| (p.x, p.y) < (q.x, q.y);
        let over = |p: DVec2| orient2d(low[0], low[1], p) != Sign::Negative;
        let under = |p: DVec2| orient2d(high[0], high[1], p) != Sign::Positive;
        let begin = if is_left(low[0], high[0]) { over(high[0]) } else { under(low[0]) };
        let end = if is_left(high[1], low[1]) { over(high[1]) } else { under(low[1]) };
        begin && end
    }
}
