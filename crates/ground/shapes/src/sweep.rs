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
//! or one ends and the other begins there, and two corners are at one place. An edge that goes on through the point has such a neighbour
//! in any case: on one side of it another edge ends or begins there, and of two neighbours that both go on, one lies on the other.

mod crossed;
mod piece;
mod status;

pub(crate) use crossed::crossed;

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
    /// It touches itself, but in corners only, and all triangles have an area: they meet in corners at one place and in edges
    /// between the same places only.
    ///
    /// Proof. They do not overlap, so if two meet elsewhere, a corner c of one is inside an edge of the other. That is no edge of
    /// the polygon: a corner on it would have been seen. So it has a triangle on each side, which has an area; the two surround c,
    /// and the triangle with the corner c overlaps one of them.
    Corners,
    /// It touches itself (or repeats a corner), but does not cross itself.
    Touching,
}

/// Two edges that cross, or touch in a way that is not made out, each by the corner it begins at; `None` where it is not known which.
pub(crate) type Crossing = Option<[usize; 2]>;

/// Appends n − 2 triangles of the ids in `corners`, whose places in the plane (counter-clockwise) are `flat`; none of them
/// overlap. Nothing is done when the polygon crosses itself, or touches itself in a way that is not made out.
pub(crate) fn cut(
    flat: &[DVec2],
    corners: &[u32],
    triangles: &mut Vec<[u32; 3]>,
) -> Result<Outline, Crossing> {
    counted_cut(flat, corners, triangles).map(|(outline, _)| outline)
}

/// The same with the steps taken.
fn counted_cut(
    flat: &[DVec2],
    corners: &[u32],
    triangles: &mut Vec<[u32; 3]>,
) -> Result<(Outline, usize), Crossing> {
    // Corners at the place of the one before: each is cut off with a triangle without area.
    let n = flat.len();
    let kept: Vec<usize> = (0..n).filter(|&k| flat[k] != flat[(k + n - 1) % n]).collect();
    if kept.len() < 3 {
        return Err(None);
    }
    // Adding zero makes −0 to 0, which is the same place.
    let points: Vec<DVec2> = kept.iter().map(|&k| flat[k] + DVec2::ZERO).collect();
    let mut sweep = Sweep::new(&points);
    if sweep.run().is_none() {
        return Err(sweep.crossing.map(|edges| edges.map(|edge| kept[edge])));
    }
    let Cutting { triangles: cut, steps, .. } = sweep.cutting;
    let turn = |t: &[usize; 3]| orient2d(points[t[0]], points[t[1]], points[t[2]]);
    let mut all_proper = true;
    for turn in cut.iter().map(turn) {
        if turn == Sign::Negative {
            return Err(None);
        }
        all_proper &= turn == Sign::Positive;
    }
    if cut.len() != kept.len() - 2 {
        return Err(None);
    }
    let outline = if sweep.touches || kept.len() < n {
        Outline::Touching
    } else if !sweep.meets_in_corners {
        Outline::Simple
    } else if all_proper {
        Outline::Corners
    } else {
        Outline::Touching
    };
    triangles.extend(cut.iter().map(|t| t.map(|k| corners[kept[k]])));
    for (k, &first) in kept.iter().enumerate() {
        let next = kept[(k + 1) % kept.len()];
        let repeats = (next + n - first - 1) % n;
        let id = |k: usize| corners[(first + k) % n];
        triangles.extend((1..=repeats).map(|k| [id(0), id(k), id(k + 1)]));
    }
    Ok((outline, steps))
}

/// Orders doubles as numbers; −0 does not occur.
fn rank(x: f64) -> u64 {
    let bits = x.to_bits();
    if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
}

struct Sweep<'a> {
    points: &'a [DVec2],
    regions: Vec<Region>,
    /// The ends of the lower edge of each region, from left to right: looking for a place on the line asks for nothing else.
    lower_lines: Vec<[DVec2; 2]>,
    /// The region that each edge on the line bounds.
    region_of: Vec<u32>,
    status: Status,
    cutting: Cutting<'a>,
    /// Whether a corner was seen to be on an edge that does not end there.
    touches: bool,
    /// Whether several corners are at one place.
    meets_in_corners: bool,
    /// The edges that were not in order.
    crossing: Crossing,
}

impl<'a> Sweep<'a> {
    fn new(points: &'a [DVec2]) -> Sweep<'a> {
        Sweep {
            points,
            regions: Vec::new(),
            region_of: vec![u32::MAX; points.len()],
            status: Status::default(),
            lower_lines: Vec::new(),
            cutting: Cutting {
                points,
                triangles: Vec::with_capacity(points.len()),
                steps: 0,
                spare: Vec::new(),
            },
            touches: false,
            meets_in_corners: false,
            crossing: None,
        }
    }

    /// `None` as soon as two edges are not in order.
    fn run(&mut self) -> Option<()> {
        let mut order: Vec<[u64; 3]> = (0..self.points.len())
            .map(|k| {
                let DVec2 { x, y } = self.points[k];
                [rank(x), rank(y), u64::from(self.turn_of_the_line(k)) << 32 | k as u64]
            })
            .collect();
        order.sort_unstable();
        self.meets_in_corners = order.windows(2).any(|pair| pair[0][..2] == pair[1][..2]);
        for [_, _, corner] in order {
            let corner = corner as u32 as usize;
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
        let convex = || self.turn(before, corner, after) == Sign::Positive;
        match [before, after].map(|other| self.is_left(other, corner)) {
            [true, true] => u8::from(!convex()),
            [false, false] => 3 + u8::from(convex()),
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

    /// The same as points.
    fn line(&self, edge: usize) -> [DVec2; 2] {
        self.ends(edge).map(|end| self.points[end])
    }

    /// A lower edge ends and another begins.
    fn go_on_below(&mut self, corner: usize) -> Option<()> {
        let region = self.region_of[self.before(corner)];
        self.advance(region, corner, Side::Lower);
        self.region_of[corner] = region;
        self.regions[region as usize].lower = corner;
        self.lower_lines[region as usize] = self.line(corner);
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
            let Region { piece, merged, .. } = &mut self.regions[first as usize];
            let done = std::mem::take(piece);
            done.finish(corner, &mut self.cutting);
            if let Some(upper) = merged.take() {
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
        let (upper, piece) = (*upper, std::mem::take(piece));
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
        self.lower_lines.push(self.line(lower));
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
            let piece = Piece::new(corner, &mut self.cutting);
            self.regions.push(Region { lower, upper, piece, merged: None });
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
        let at = self.points[corner];
        let found = self.status.last_below(|region| {
            steps += 1;
            // An edge on the line whose ends are both below or both above the corner: no turn is needed.
            let [left, right] = self.lower_lines[region as usize];
            if at.y > left.y.max(right.y) {
                return true;
            }
            at.y >= left.y.min(right.y) && self.is_below(self.regions[region as usize].lower, corner)
        });
        self.cutting.steps += steps;
        found
    }

    /// Whether an edge on the line is below the corner where two begin; if the corner is on it, below the two.
    fn is_below(&self, edge: usize, corner: usize) -> bool {
        let [left, right] = self.ends(edge);
        let around = [corner, self.before(corner), self.after(corner)].into_iter();
        around.map(|k| self.turn(left, right, k)).find(|&side| side != Sign::Zero) == Some(Sign::Positive)
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
        if !(begin && end) {
            self.crossing = Some([below, above]);
            return None;
        }
        Some(())
    }

    /// The side of an edge that a corner is on.
    fn side(&mut self, edge: [usize; 2], corner: usize) -> Sign {
        let side = self.turn(edge[0], edge[1], corner);
        let at = self.points[corner];
        self.touches |= side == Sign::Zero && edge.iter().all(|&end| self.points[end] != at);
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
                Side::Lower => std::mem::replace(&mut self.piece, Piece::new(last, cutting)),
                Side::Upper => Piece::new(last, cutting),
            }
        });
        self.piece.add(corner, Side::Upper, cutting);
        upper.add(corner, Side::Lower, cutting);
        upper
    }
}

#[cfg(test)]
mod tests;
