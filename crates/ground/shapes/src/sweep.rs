//! Triangles of a long polygon in the plane by one sweep from left to right: n log n, exact turns only, no point constructed.
//!
//! The sweep line goes through the corners in the order of x, then y (as if the plane were sheared a little, so that no edge is
//! upright). What it meets of the inside are regions between a lower and an upper edge. Each region holds a monotone piece that
//! is cut into triangles as its corners come (Garey, Johnson, Preparata and Tarjan 1978), or two where two regions have merged,
//! until the next corner tells them apart.
//!
//! Why triangles that are returned are proven. Whenever two edges become neighbours on the line, [`Sweep::in_order`] checks them over all of their
//! common way; so on every line the edges are in order, and as lower and upper edges take turns, no point has another winding
//! number than 0 or 1. The triangles have the polygon as boundary, so the number that cover a point (those that turn left
//! counted +1, those that turn right −1) is its winding number. No triangle turns right: hence none overlap, and they
//! cover exactly the inside. Conversely, a polygon that nowhere touches itself always gets them, by the usual argument for
//! the sweep; one that touches itself gets them where the order of equal edges is found, as at the bridge to a hole.
//!
//! Why touching is seen: edges with a common point are in order, so all through that point are neighbours just left of it or just
//! right of it, and a corner is there. Two neighbours then have it as an end of their common way, where the turn is zero;
//! or one ends and the other begins there, and two corners are at one place.

mod piece;
mod status;

use kontakt_math::predicates::orient2d;
use kontakt_math::{DVec2, Sign};
use piece::{Cutting, Piece, Side};
use status::Status;

/// Between two edges on the sweep line. Edge k goes from corner k to the next; lower edges to the right, upper ones to the left.
struct Region {
    lower: usize,
    upper: usize,
    piece: Piece,
    /// The piece above `piece` where two regions have merged in the last corner.
    merged: Option<Piece>,
}

/// What an outline turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outline {
    /// It nowhere touches itself: triangles meet in common corners and edges only.
    Simple,
    /// It touches itself (or repeats a corner), but does not cross itself.
    Touching,
}

/// Appends n − 2 triangles of the ids in `corners`, whose places in the plane (counter-clockwise) are `flat`; none of them
/// overlap. `None`, and nothing done, when the polygon crosses itself, or touches itself in a way that is not made out.
pub(crate) fn cut(flat: &[DVec2], corners: &[u32], triangles: &mut Vec<[u32; 3]>) -> Option<Outline> {
    counted_cut(flat, corners, triangles).map(|(outline, _)| outline)
}

/// The same with the steps taken.
fn counted_cut(flat: &[DVec2], corners: &[u32], triangles: &mut Vec<[u32; 3]>) -> Option<(Outline, usize)> {
    // Corners at the place of the one before: each is cut off with a triangle without area.
    let n = flat.len();
    let kept: Vec<usize> = (0..n).filter(|&k| flat[k] != flat[(k + n - 1) % n]).collect();
    if kept.len() < 3 {
        return None;
    }
    // Adding zero makes −0 to 0, which is the same place.
    let points: Vec<DVec2> = kept.iter().map(|&k| flat[k] + DVec2::ZERO).collect();
    let mut sweep = Sweep::new(&points);
    sweep.run()?;
    let touches = sweep.touches || kept.len() < n;
    let Cutting { triangles: cut, steps, .. } = sweep.cutting;
    let turns_right = |t: &[usize; 3]| orient2d(points[t[0]], points[t[1]], points[t[2]]) == Sign::Negative;
    if cut.len() != kept.len() - 2 || cut.iter().any(turns_right) {
        return None;
    }
    triangles.extend(cut.iter().map(|t| t.map(|k| corners[kept[k]])));
    for (k, &first) in kept.iter().enumerate() {
        let next = kept[(k + 1) % kept.len()];
        let repeats = (next + n - first - 1) % n;
        let id = |k: usize| corners[(first + k) % n];
        triangles.extend((1..=repeats).map(|k| [id(0), id(k), id(k + 1)]));
    }
    Some((if touches { Outline::Touching } else { Outline::Simple }, steps))
}

struct Sweep<'a> {
    points: &'a [DVec2],
    regions: Vec<Region>,
    /// The region that each edge on the line bounds.
    region_of: Vec<u32>,
    status: Status,
    cutting: Cutting<'a>,
    /// Whether edges were seen to meet elsewhere than in their common corner.
    touches: bool,
}

impl<'a> Sweep<'a> {
    fn new(points: &'a [DVec2]) -> Sweep<'a> {
        Sweep {
            points,
            regions: Vec::new(),
            region_of: vec![u32::MAX; points.len()],
            status: Status::default(),
            cutting: Cutting { points, triangles: Vec::with_capacity(points.len()), steps: 0 },
            touches: false,
        }
    }

    /// `None` as soon as two edges are not in order.
    fn run(&mut self) -> Option<()> {
        let mut order: Vec<(DVec2, u8, usize)> =
            (0..self.points.len()).map(|k| (self.points[k], self.turn_of_the_line(k), k)).collect();
        order.sort_unstable_by(|(p, first, k), (q, second, l)| {
            p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)).then((first, k).cmp(&(second, l)))
        });
        self.touches = order.windows(2).any(|pair| pair[0].0 == pair[1].0);
        for (_, _, corner) in order {
            match [self.before(corner), self.after(corner)].map(|other| self.is_left(other, corner)) {
                [true, true] => self.close(corner)?,
                [true, false] => self.go_on_below(corner)?,
                [false, true] => self.go_on_above(corner)?,
                [false, false] => self.open(corner)?,
            }
        }
        Some(())
    }

    /// Which of the corners at one place comes first: what ends there, what goes on, what begins. Of corners whose edges both end (or
    /// both begin) there, a wedge of the inside is within the wedge that one of the outside cuts off: it ends before, and
    /// begins after.
    fn turn_of_the_line(&self, corner: usize) -> u8 {
        let (before, after) = (self.before(corner), self.after(corner));
        let convex = self.turn(before, corner, after) == Sign::Positive;
        match [before, after].map(|other| self.is_left(other, corner)) {
            [true, true] => u8::from(!convex),
            [false, false] => 3 + u8::from(convex),
            _ => 2,
        }
    }

    fn before(&self, corner: usize) -> usize {
        corner.checked_sub(1).unwrap_or(self.points.len() - 1)
    }

    fn after(&self, corner: usize) -> usize {
        if corner + 1 == self.points.len() { 0 } else { corner + 1 }
    }

    fn is_left(&self, first: usize, second: usize) -> bool {
        let (p, q) = (self.points[first], self.points[second]);
        (p.x, p.y) < (q.x, q.y)
    }

    fn turn(&self, a: usize, b: usize, c: usize) -> Sign {
        orient2d(self.points[a], self.points[b], self.points[c])
    }

    /// The ends of an edge from left to right.
    fn ends(&self, edge: usize) -> [usize; 2] {
        let next = self.after(edge);
        if self.is_left(edge, next) { [edge, next] } else { [next, edge] }
    }

    /// A lower edge ends and another begins.
    fn go_on_below(&mut self, corner: usize) -> Option<()> {
        let region = self.region_of[self.before(corner)];
        self.advance(region, corner, Side::Lower);
        self.region_of[corner] = region;
        self.regions[region as usize].lower = corner;
        self.check(region)?;
        let below = self.status.below(region);
        self.check_gap(below, Some(region))
    }

    /// An upper edge ends and another begins.
    fn go_on_above(&mut self, corner: usize) -> Option<()> {
        let region = self.region_of[corner];
        self.advance(region, corner, Side::Upper);
        let upper = self.before(corner);
        self.region_of[upper] = region;
        self.regions[region as usize].upper = upper;
        self.check(region)?;
        let above = self.status.above(region);
        self.check_gap(Some(region), above)
    }

    /// Two edges end: those of one region, or those between two.
    fn close(&mut self, corner: usize) -> Option<()> {
        let (first, second) = (self.region_of[corner], self.region_of[self.before(corner)]);
        if first == second {
            let Region { piece, merged, .. } = &self.regions[first as usize];
            piece.finish(corner, &mut self.cutting);
            if let Some(upper) = merged {
                upper.finish(corner, &mut self.cutting);
            }
            let (below, above) = (self.status.below(first), self.status.above(first));
            self.status.remove(first);
            return self.check_gap(below, above);
        }
        if self.status.above(first) != Some(second) {
            return None;
        }
        self.advance(first, corner, Side::Upper);
        self.advance(second, corner, Side::Lower);
        let Region { upper, piece, .. } = &mut self.regions[second as usize];
        let (upper, piece) = (*upper, std::mem::replace(piece, Piece::new(corner)));
        self.region_of[upper] = first;
        let region = &mut self.regions[first as usize];
        region.upper = upper;
        region.merged = Some(piece);
        self.status.remove(second);
        self.check(first)
    }

    /// Two edges begin: those of a new region, or those between the halves of one.
    fn open(&mut self, corner: usize) -> Option<()> {
        let below = self.find_below(corner);
        let split = below.filter(|&region| !self.is_below(self.regions[region as usize].upper, corner));
        let (lower, upper) = (corner, self.before(corner));
        let made = self.status.insert(below);
        self.region_of[lower] = made;
        if let Some(region) = split {
            let old = &mut self.regions[region as usize];
            let above = old.upper;
            old.upper = upper;
            let piece = old.split(corner, &mut self.cutting);
            self.regions.push(Region { lower, upper: above, piece, merged: None });
            self.region_of[upper] = region;
            self.region_of[above] = made;
            self.check(region)?;
        } else {
            self.regions.push(Region { lower, upper, piece: Piece::new(corner), merged: None });
            self.region_of[upper] = made;
            let above = self.status.above(made);
            self.check_gap(Some(made), above)?;
        }
        self.check(made)?;
        self.check_gap(below, Some(made))
    }

    /// The last region whose lower edge is below a corner where two edges begin.
    fn find_below(&mut self, corner: usize) -> Option<u32> {
        let mut steps = 0;
        let found = self.status.last_below(|region| {
            steps += 1;
            self.is_below(self.regions[region as usize].lower, corner)
        });
        self.cutting.steps += steps;
        found
    }

    /// Whether an edge on the line is below the corner where two begin; if the corner is on it, below the two.
    fn is_below(&self, edge: usize, corner: usize) -> bool {
        let [left, right] = self.ends(edge);
        let sides = [corner, self.before(corner), self.after(corner)].map(|k| self.turn(left, right, k));
        sides.into_iter().find(|&side| side != Sign::Zero) == Some(Sign::Positive)
    }

    /// The next corner of a region, on one of its edges.
    fn advance(&mut self, region: u32, corner: usize, side: Side) {
        let Region { piece, merged, .. } = &mut self.regions[region as usize];
        if let Some(upper) = merged.take() {
            let done = if side == Side::Lower { std::mem::replace(piece, upper) } else { upper };
            done.finish(corner, &mut self.cutting);
        }
        piece.add(corner, side, &mut self.cutting);
    }

    fn check(&mut self, region: u32) -> Option<()> {
        let Region { lower, upper, .. } = self.regions[region as usize];
        self.in_order(lower, upper)
    }

    fn check_gap(&mut self, below: Option<u32>, above: Option<u32>) -> Option<()> {
        let (Some(below), Some(above)) = (below, above) else { return Some(()) };
        self.in_order(self.regions[below as usize].upper, self.regions[above as usize].lower)
    }

    /// `Some` when an edge is nowhere above another, on their common way from the later of their left ends to the earlier of
    /// their right ends: it is not at these two points, and edges are straight.
    fn in_order(&mut self, below: usize, above: usize) -> Option<()> {
        let (low, high) = (self.ends(below), self.ends(above));
        let begin = if self.is_left(low[0], high[0]) {
            self.side(low, high[0]) != Sign::Negative
        } else {
            self.side(high, low[0]) != Sign::Positive
        };
        let end = if self.is_left(high[1], low[1]) {
            self.side(low, high[1]) != Sign::Negative
        } else {
            self.side(high, low[1]) != Sign::Positive
        };
        (begin && end).then_some(())
    }

    /// The side of an edge that a corner is on.
    fn side(&mut self, edge: [usize; 2], corner: usize) -> Sign {
        let side = self.turn(edge[0], edge[1], corner);
        self.touches |= side == Sign::Zero && !edge.contains(&corner);
        side
    }
}

impl Region {
    /// Ends at a corner that begins two edges inside: the lower half goes on, the upper half's piece is returned. They part at the last
    /// corner, which the new one sees.
    fn split(&mut self, corner: usize, cutting: &mut Cutting) -> Piece {
        let mut upper = self.merged.take().unwrap_or_else(|| {
            let (last, side) = self.piece.last();
            match side {
                Side::Lower => std::mem::replace(&mut self.piece, Piece::new(last)),
                Side::Upper => Piece::new(last),
            }
        });
        self.piece.add(corner, Side::Upper, cutting);
        upper.add(corner, Side::Lower, cutting);
        upper
    }
}

#[cfg(test)]
mod tests;
