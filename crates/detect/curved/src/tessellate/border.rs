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

impl Border {
    /// Follows a loop's edges over the surface. Between two points of a chain the middle of the edge's piece is inverted too, so that steps are
    /// short against a period, and so that the ends of edges in a pole get the parameters of the edge that they are on.
    pub(super) fn new(
        brep: &Brep,
        uses: &[(u32, bool)],
        chains: &Chains,
        domain: &Domain,
    ) -> Result<Border, FaceProblem> {
        let mut border = Border { corners: Vec::new(), pieces: Vec::new(), winding: [0; 2] };
        let mut last: Option<[f64; 2]> = None;
        for &(edge, forward) in uses {
            let chain = chains.chain(edge);
            let curve = &brep.edges()[edge as usize].curve;
            let pieces = chain.points.len() as u32 - 1;
            for step in 0..pieces {
                let piece = if forward { step } else { pieces - 1 - step };
                let low = piece as usize;
                let (here, there) = if forward { (low, low + 1) } else { (low + 1, low) };
                let middle = curve.point(0.5 * (chain.parameters[low] + chain.parameters[low + 1]));
                let between = invert(domain, middle, last)?;
                let begin = chain.points[here];
                let position = chains.positions()[begin as usize];
                let at = invert(domain, position, Some(between))?;
                border.enter(Corner { id: Some(begin), position, at }, domain);
                border.pieces.push(Some((edge, piece)));
                let end = chains.positions()[chain.points[there] as usize];
                last = Some(invert(domain, end, Some(between))?);
                border.close_piece(Corner {
                    id: Some(chain.points[there]),
                    position: end,
                    at: last.unwrap_or(at),
                });
            }
        }
        border.close(domain);
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

    fn close_piece(&mut self, end: Corner) {
        self.corners.push(end);
    }

    /// Ends where it began: as many periods on, or across a pole.
    fn close(&mut self, domain: &Domain) {
        let (Some(first), Some(last)) = (self.corners.first().copied(), self.corners.pop()) else {
            return;
        };
        let periods = domain.periods();
        let turns: [f64; 2] = std::array::from_fn(|k| {
            periods[k].map_or(0.0, |period| ((last.at[k] - first.at[k]) / period).round())
        });
        self.winding = turns.map(|turns| turns as i64);
        let back = std::array::from_fn(|k| last.at[k] - turns[k] * periods[k].unwrap_or(0.0));
        if !is_same(back, first.at, domain) {
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
