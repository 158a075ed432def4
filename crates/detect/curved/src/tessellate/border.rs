//! The borders of a face in its parameters.

use super::FaceProblem;
use super::chains::{Chains, Piece};
use super::domain::Domain;
use crate::brep::{Brep, Loop};
use kontakt_math::DVec3;

/// A corner of a face's triangles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    /// Its number among the points of the chains; none for a point inside of the face.
    pub(super) id: Option<u32>,
    pub(super) position: DVec3,
    pub(super) at: [f64; 2],
}

/// A loop as corners that follow one another, unrolled.
#[derive(Clone, Debug)]
pub(super) struct Border {
    pub(super) corners: Vec<Corner>,
    /// What leads from each corner to the next; none across a pole, where parameters jump and the point stays.
    pub(super) pieces: Vec<Option<Piece>>,
    /// By how many periods it ends beyond its begin.
    pub(super) winding: [i64; 2],
}

/// Where a piece of a border ends.
#[derive(Clone, Copy, Debug)]
struct End {
    at: [f64; 2],
    pole: Option<Pole>,
}

/// A place where the surface stays one point along a parameter.
#[derive(Clone, Copy, Debug)]
struct Pole {
    /// Along which parameter.
    around: usize,
    /// Whether the face, to the left of a border that comes in, lies towards greater values of it.
    upward: bool,
}

impl Border {
    /// Follows a loop's edges over the surface. Between two points of a chain the middle of the edge's piece is inverted too, so that steps are
    /// short against a period, and so that the ends of edges in a pole get the parameters of the edge that they are on.
    pub(super) fn new(
        brep: &Brep,
        uses: &[(u32, bool)],
        chains: &Chains,
        domain: &Domain,
        outward: bool,
    ) -> Result<Border, FaceProblem> {
        let mut border = Border { corners: Vec::new(), pieces: Vec::new(), winding: [0; 2] };
        let mut last: Option<End> = None;
        for &(edge, forward) in uses {
            let chain = chains.chain(edge);
            let curve = &brep.edges()[edge as usize].curve;
            let pieces = chain.points.len() as u32 - 1;
            for step in 0..pieces {
                let piece = if forward { step } else { pieces - 1 - step };
                let low = piece as usize;
                let (here, there) = if forward { (low, low + 1) } else { (low + 1, low) };
                let middle = curve.point(0.5 * (chain.parameters[low] + chain.parameters[low + 1]));
                let between = invert(domain, middle, last.map(|last| last.at))?;
                let between = last.map_or(between, |last| last.left_by(between, domain));
                let begin = chain.points[here];
                let position = chains.positions()[begin as usize];
                let mut at = End::of(domain, position, between, outward)?.at;
                if let Some(End { at: before, pole: Some(Pole { around, .. }) }) = last {
                    // Along a pole the other parameter is one value, so that the way along it is straight to the last bit.
                    at[1 - around] = before[1 - around];
                }
                border.enter(Corner { id: Some(begin), position, at }, domain);
                border.pieces.push(Some((edge, piece)));
                let position = chains.positions()[chain.points[there] as usize];
                let end = End::of(domain, position, between, outward)?;
                border.corners.push(Corner { id: Some(chain.points[there]), position, at: end.at });
                last = Some(end);
            }
        }
        border.close(last, domain);
        Ok(border)
    }

    /// Takes the begin of a piece: the corner that the last piece ended in, or the same point with other parameters.
    fn enter(&mut self, corner: Corner, domain: &Domain) {
        let Some(last) = self.corners.last() else {
            self.corners.push(corner);
            return;
        };
        if is_same(last.at, corner.at, domain) {
            return;
        }
        self.pieces.push(None);
        self.corners.push(corner);
    }

    /// Ends where it began: as many periods on, or across a pole.
    fn close(&mut self, end: Option<End>, domain: &Domain) {
        let (Some(first), Some(last)) = (self.corners.first().copied(), self.corners.pop()) else {
            return;
        };
        // Where it begins in a pole, the way on from its end is around that.
        let again = end.map_or(first.at, |end| end.left_by(first.at, domain));
        let across = end.is_some_and(|end| end.pole.is_some());
        let from = if across { again } else { last.at };
        let periods = domain.periods();
        let turns: [f64; 2] = std::array::from_fn(|k| {
            periods[k].map_or(0.0, |period| ((from[k] - first.at[k]) / period).round())
        });
        self.winding = turns.map(|turns| turns as i64);
        let back = std::array::from_fn(|k| last.at[k] - turns[k] * periods[k].unwrap_or(0.0));
        if !is_same(back, first.at, domain) {
            let mut last = last;
            if let Some(End { pole: Some(Pole { around, .. }), .. }) = end {
                last.at[1 - around] = first.at[1 - around];
            }
            self.corners.push(last);
            self.pieces.push(None);
        }
    }

    /// Twice the area that it encloses, if it closes, where u and v are weighed.
    pub(super) fn area(&self, scale: [f64; 2]) -> f64 {
        let next = self.corners.iter().cycle().skip(1);
        let cross = |a: [f64; 2], b: [f64; 2]| a[0] * b[1] - a[1] * b[0];
        self.corners.iter().zip(next).map(|(a, b)| cross(a.at, b.at)).sum::<f64>() * scale[0] * scale[1]
    }

    /// Whether parameters lie inside, by the parity of crossings.
    pub(super) fn encloses(&self, at: [f64; 2]) -> bool {
        let next = self.corners.iter().cycle().skip(1);
        let crossings = self.corners.iter().zip(next).filter(|(a, b)| {
            let (a, b) = (a.at, b.at);
            let across = (a[1] > at[1]) != (b[1] > at[1]);
            across && at[0] < a[0] + (b[0] - a[0]) * (at[1] - a[1]) / (b[1] - a[1])
        });
        crossings.count() % 2 == 1
    }

    pub(super) fn shift(&mut self, by: [f64; 2]) {
        for corner in &mut self.corners {
            corner.at = [corner.at[0] + by[0], corner.at[1] + by[1]];
        }
    }
}

impl End {
    /// The end of a piece whose middle has parameters. In a pole one of them is any: that of the piece.
    fn of(domain: &Domain, point: DVec3, between: [f64; 2], outward: bool) -> Result<End, FaceProblem> {
        let mut at = invert(domain, point, Some(between))?;
        let pole = domain.stays_along(at, between).map(|around| {
            at[around] = between[around];
            // Up the right side of a rectangle and on to its left along the top, up the top of one and on to its right.
            let rising = at[1 - around] > between[1 - around];
            Pole { around, upward: (rising == outward) == (around == 1) }
        });
        Ok(End { at, pole })
    }

    /// Parameters of what comes next, moved by periods: out of a pole a border goes on around the face, by up to a whole period. The points
    /// of a seam alone would not tell that it comes back on the other side.
    fn left_by(self, mut next: [f64; 2], domain: &Domain) -> [f64; 2] {
        let Some(Pole { around, upward }) = self.pole else { return next };
        let Some(period) = domain.periods()[around] else { return next };
        let way = if upward { 1.0 } else { -1.0 };
        let turn = ((next[around] - self.at[around]) * way).rem_euclid(period);
        let turn = if turn <= 1e-6 * period { turn + period } else { turn };
        next[around] = self.at[around] + way * turn;
        next
    }
}

fn invert(domain: &Domain, point: DVec3, guess: Option<[f64; 2]>) -> Result<[f64; 2], FaceProblem> {
    let found = domain.invert(point, guess).ok_or(FaceProblem::OffSurface)?;
    if found.iter().all(|x| x.is_finite()) { Ok(found) } else { Err(FaceProblem::Numbers) }
}

/// Whether parameters of one point are the same but for rounding. In a pole they differ by more, but only along a parameter that runs
/// around or ends.
fn is_same(one: [f64; 2], other: [f64; 2], domain: &Domain) -> bool {
    let widths = domain.widths();
    (0..2).all(|k| (one[k] - other[k]).abs() <= 1e-6 * widths[k])
}

/// Edges of a face that it has on both sides: seams, and slits.
pub(super) fn seams(loops: &[Loop]) -> Vec<u32> {
    let mut edges: Vec<u32> = loops
        .iter()
        .flat_map(|border| match border {
            Loop::Edges(uses) => uses.as_slice(),
            Loop::Vertex(_) => &[],
        })
        .map(|&(edge, _)| edge)
        .collect();
    edges.sort_unstable();
    edges.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect()
}
