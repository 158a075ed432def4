//! How far a body reaches, in a direction or from a point.
//!
//! Best first: of all boxes, stretches of edges and pieces of faces the one with the greatest bound is opened next, until no bound is above
//! the best point found by more than was asked. Only faces that bend both ways are among the pieces; on all others the greatest
//! value is at an edge ([`super::ruled`]). Halves stay: what was refined for one direction is there for the next.
//!
//! **Why bounds hold for a model with gaps.** A point of any boundary within the gaps ε is within ε of a face inside its loops, or of an edge; a
//! straight line of a ruled face leaves it within ε of an edge. So 2 ε, times how fast the value can grow, is added; ε has in it how far
//! a recognised quadric is from its B-spline. Values are computed with some ten operations on numbers no larger than the body's coordinates
//! and the place asked about: their rounding is added too.

use crate::body::Body;
use crate::brep::Loop;
use crate::enclosing::apex::apexes;
use crate::enclosing::cell::{Cell, Spot};
use crate::enclosing::clear;
use crate::enclosing::ruled::is_ruled;
use crate::enclosing::stretch::{block, smooth};
use crate::extrema::Aim;
use crate::patch::Patch;
use crate::tree::{Block, Kind, Tree};
use kontakt_math::DVec3;
use kontakt_math::order::{ByRank, Ranked, Total};
use std::collections::BinaryHeap;

/// Roundings of a value and of the places in it, in units of the largest coordinate.
const ROUNDING: f64 = 128.0 * f64::EPSILON;
/// Most cells looked at for one answer.
const MOST_CELLS: usize = 50_000;
/// Most cells kept for later questions.
const MOST_KEPT: usize = 4_000_000;

/// How far a body reaches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// **Never less** than the greatest extent or distance of any boundary within the model's gaps.
    pub upper: f64,
    /// **Never more** than it.
    pub lower: f64,
    /// The point that reaches farthest.
    pub point: DVec3,
    /// **Never less** than its distance from any boundary within the model's gaps.
    pub off: f64,
    /// Boxes and pieces looked at.
    pub cells: usize,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    block: Block,
    /// None for a box about other nodes.
    cell: Option<Cell>,
    children: Option<[u32; 2]>,
}

/// The pieces of a body's boundary that can be outermost, refined where it was asked.
#[derive(Debug)]
pub struct Outline<'a> {
    body: &'a Body,
    nodes: Vec<Node>,
    root: Option<u32>,
    /// **Never less** than the model's gaps.
    gap: f64,
    /// No coordinate is larger.
    size: f64,
    /// Found before: good to start from.
    spots: Vec<Spot>,
}

impl<'a> Outline<'a> {
    /// Collects edges, apexes and faces that bend both ways.
    pub fn new(body: &'a Body) -> Outline<'a> {
        let made = body.carrier();
        let (cells, boxes) = cells(body);
        let size = boxes.iter().flatten().fold(0.0, |size: f64, x| size.max(x.abs().max_element()));
        let gap = made.gap + made.residuals.iter().copied().fold(0.0, f64::max);
        let tree = Tree::new(&boxes);
        let nodes = tree.nodes().iter().map(|node| match node.kind {
            Kind::Inner(children) => Node { block: node.block, cell: None, children: Some(children) },
            Kind::Leaf(leaf) => Node { block: node.block, cell: Some(cells[leaf as usize]), children: None },
        });
        let nodes = nodes.collect();
        Outline { body, nodes, root: tree.root(), gap, size, spots: Vec::new() }
    }

    /// The model's gaps: no bound is nearer to the truth.
    pub fn gap(&self) -> f64 {
        self.gap
    }

    /// How far the body reaches along a direction of any length but zero, as near as the tolerance. `None` where numbers overflow.
    pub fn reach(&mut self, direction: DVec3, tolerance: f64) -> Option<Reach> {
        self.most(&Aim::Extent(direction), tolerance)
    }

    /// How far the body reaches from a point.
    pub fn farthest(&mut self, from: DVec3, tolerance: f64) -> Option<Reach> {
        self.most(&Aim::Distance(from), tolerance)
    }

    fn most(&mut self, aim: &Aim, tolerance: f64) -> Option<Reach> {
        let size = match aim {
            Aim::Distance(from) => self.size + from.length(),
            Aim::Extent(_) => self.size,
        };
        let slack = aim.factor() * ROUNDING * size;
        // Nearer than the model's gaps nothing can be told anyway.
        let least = 4.0 * slack + 0.5 * aim.factor() * self.gap;
        let mut search = Search::new(aim, tolerance.max(least));
        for &spot in &self.spots {
            search.try_sure(spot);
        }
        search.enter(self.root?, f64::INFINITY, self);
        let upper = search.run(self);
        let best = search.best(self)?;
        self.keep(best);
        let off = best.off + self.gap;
        let found = Reach {
            upper: upper + 2.0 * aim.factor() * self.gap + slack,
            lower: aim.value(best.point) - aim.factor() * off - slack,
            point: best.point,
            off,
            cells: search.cells,
        };
        (found.upper.is_finite() && found.lower.is_finite()).then_some(found)
    }

    fn keep(&mut self, spot: Spot) {
        const MOST: usize = 32;
        if self.spots.contains(&spot) {
            return;
        }
        if self.spots.len() == MOST {
            self.spots.remove(0);
        }
        self.spots.push(spot);
    }

    /// The halves of a cell, made when first asked for.
    fn halves(&mut self, node: u32, cell: &Cell) -> Option<[u32; 2]> {
        if self.nodes.len() > MOST_KEPT {
            return None;
        }
        let halves = cell.halves(self.body)?;
        let block = self.nodes[node as usize].block;
        let first = self.nodes.len() as u32;
        for half in halves {
            if let Cell::Patch(patch) = half {
                self.gap = self.gap.max(patch.floor);
            }
            self.nodes.push(Node { block, cell: Some(half), children: None });
        }
        self.nodes[node as usize].children = Some([first, first + 1]);
        self.nodes[node as usize].children
    }
}

/// What can be outermost, with boxes about it.
fn cells(body: &Body) -> (Vec<Cell>, Vec<[DVec3; 2]>) {
    let (mut cells, mut boxes) = (Vec::new(), Vec::new());
    for (index, edge) in (0..).zip(body.brep().edges()) {
        for side in smooth(edge, index) {
            let Block { middle, half } = block(&edge.curve, [side.from, side.to]);
            cells.push(Cell::Edge(side));
            boxes.push([middle - half, middle + half]);
        }
    }
    let vertices =
        body.brep().faces().iter().flat_map(|face| &face.loops).filter_map(|border| match border {
            Loop::Vertex(vertex) => Some((body.brep().vertices()[*vertex as usize], true)),
            Loop::Edges(_) => None,
        });
    for (point, known) in vertices.chain(apexes(body)) {
        cells.push(Cell::Point(point, known));
        boxes.push([point; 2]);
    }
    for patch in bent_patches(body) {
        let [a, b, c] = patch.corners;
        cells.push(Cell::Patch(patch));
        boxes.push([a.min(b).min(c) - patch.radius, a.max(b).max(c) + patch.radius]);
    }
    (cells, boxes)
}

/// The pieces of faces that bend both ways.
fn bent_patches(body: &Body) -> impl Iterator<Item = Patch> {
    let made = body.carrier();
    let bent: Vec<bool> = made.domains.iter().map(|domain| !is_ruled(domain)).collect();
    let pieces = made.faces.iter().copied().chain(made.pinched.iter().map(|piece| piece.face));
    (0..)
        .zip(pieces)
        .filter(move |&(_, face)| bent[face as usize])
        .map(|(leaf, _)| Patch::of(body.on(), leaf))
}

/// What is still to be opened.
#[derive(Clone, Copy, Debug)]
struct Open {
    upper: f64,
    node: u32,
}

impl Ranked for Open {
    type Rank = Total;

    fn rank(&self) -> Total {
        Total(self.upper)
    }
}

struct Search<'b> {
    aim: &'b Aim,
    tolerance: f64,
    open: BinaryHeap<ByRank<Open>>,
    /// The best point of an edge, or another that is the body's for certain.
    sure: Option<(f64, Spot)>,
    /// The best point of a face's pieces, with its face.
    likely: Option<(f64, Spot, u32)>,
    /// The best value of both.
    value: f64,
    /// Whether pieces of faces are left out.
    edges_only: bool,
    cells: usize,
}

impl<'b> Search<'b> {
    fn new(aim: &'b Aim, tolerance: f64) -> Search<'b> {
        let open = BinaryHeap::new();
        let value = f64::NEG_INFINITY;
        Search { aim, tolerance, open, sure: None, likely: None, value, edges_only: false, cells: 0 }
    }

    /// What a spot is worth after what it may be off by.
    fn worth(&self, spot: &Spot) -> f64 {
        self.aim.value(spot.point) - self.aim.factor() * spot.off
    }

    fn try_sure(&mut self, spot: Spot) {
        let worth = self.worth(&spot);
        if self.sure.is_none_or(|(best, _)| worth > best) {
            self.sure = Some((worth, spot));
            self.value = self.value.max(worth);
        }
    }

    fn try_likely(&mut self, spot: Spot, face: u32) {
        let worth = self.worth(&spot);
        if self.likely.is_none_or(|(best, _, _)| worth > best) {
            self.likely = Some((worth, spot, face));
            self.value = self.value.max(worth);
        }
    }

    /// Bounds a node, whose parent had a bound too.
    fn enter(&mut self, node: u32, known: f64, outline: &Outline) {
        self.cells += 1;
        let at = &outline.nodes[node as usize];
        let upper = match at.cell {
            None => self.aim.most_in(&at.block),
            Some(Cell::Patch(_)) if self.edges_only => return,
            Some(cell) => {
                let seen = cell.seen(self.aim, outline.body);
                match (cell, seen.spot) {
                    (Cell::Patch(patch), Some(spot)) => self.try_likely(spot, patch.face),
                    (_, Some(spot)) => self.try_sure(spot),
                    (_, None) => {}
                }
                seen.upper
            }
        };
        let upper = upper.min(known);
        if upper > self.value {
            self.open.push(ByRank(Open { upper, node }));
        }
    }

    /// **Never less** than the greatest value, up to rounding and gaps.
    fn run(&mut self, outline: &mut Outline) -> f64 {
        let mut closed = self.value;
        while let Some(ByRank(next)) = self.open.pop() {
            if next.upper <= closed.max(self.value + self.tolerance) || self.cells > MOST_CELLS {
                closed = closed.max(next.upper);
                break;
            }
            let node = outline.nodes[next.node as usize];
            let children = match node.cell {
                Some(cell) if node.children.is_none() => outline.halves(next.node, &cell),
                _ => node.children,
            };
            let Some(children) = children else {
                closed = closed.max(next.upper);
                continue;
            };
            for child in children {
                self.enter(child, next.upper, outline);
            }
        }
        closed.max(self.value)
    }

    /// The best spot: a point of a face only as far as it is known to be in it. Edges may not have been looked at yet, as the face's point
    /// was good enough to stop.
    fn best(&mut self, outline: &mut Outline) -> Option<Spot> {
        let sure = self.sure.map(|(_, spot)| spot);
        let Some((likely, spot, face)) = self.likely else { return sure };
        if self.sure.is_some_and(|(worth, _)| worth >= likely) {
            return sure;
        }
        let spot = Spot { off: clear::off(outline.body, face, spot.point), ..spot };
        if spot.off > 0.0 {
            self.look_at_edges(outline);
        }
        match self.sure {
            Some((worth, sure)) if worth >= self.worth(&spot) => Some(sure),
            _ => Some(spot),
        }
    }

    /// Finds the best point of edges.
    fn look_at_edges(&mut self, outline: &mut Outline) {
        let mut edges = Search { sure: self.sure, edges_only: true, ..Search::new(self.aim, self.tolerance) };
        edges.value = self.sure.map_or(f64::NEG_INFINITY, |(worth, _)| worth);
        if let Some(root) = outline.root {
            edges.enter(root, f64::INFINITY, outline);
            edges.run(outline);
        }
        self.cells += edges.cells;
        self.sure = edges.sure;
    }
}
