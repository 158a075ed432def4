//! A monotone piece of a polygon, cut into triangles while its corners come from left to right.

use kontakt_math::predicates::orient2d;
use kontakt_math::{DVec2, Sign};

/// The side of a piece that a corner is on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Side {
    #[default]
    Lower,
    Upper,
}

/// Corners still to be cut off: all after the first are on one side, which bends inward or is straight there; the other side
/// goes on from the first.
#[derive(Debug, Default)]
pub(super) struct Piece {
    open: Vec<u32>,
    side: Side,
}

/// Where triangles go: corners counter-clockwise.
pub(super) struct Cutting<'a> {
    pub(super) points: &'a [DVec2],
    pub(super) triangles: Vec<[usize; 3]>,
    /// Triangles looked at.
    pub(super) steps: usize,
    /// Memory of pieces that are done: there are as many as corners, most of them short.
    pub(super) spare: Vec<Vec<u32>>,
}

impl Cutting<'_> {
    fn triangle(side: Side, from: u32, to: u32, corner: usize) -> [usize; 3] {
        let (from, to) = (from as usize, to as usize);
        match side {
            Side::Lower => [from, to, corner],
            Side::Upper => [to, from, corner],
        }
    }

    fn is_proper(&mut self, triangle: [usize; 3]) -> bool {
        self.steps += 1;
        let [a, b, c] = triangle.map(|k| self.points[k]);
        orient2d(a, b, c) == Sign::Positive
    }
}

impl Piece {
    /// A piece that begins at a corner.
    pub(super) fn new(corner: usize, cutting: &mut Cutting) -> Piece {
        let mut open = cutting.spare.pop().unwrap_or_default();
        open.push(corner as u32);
        Piece { open, side: Side::Lower }
    }

    /// The last corner and its side.
    pub(super) fn last(&self) -> (usize, Side) {
        (self.open[self.open.len() - 1] as usize, self.side)
    }

    /// The next corner, on one of the sides. Each triangle looked at is cut off, but one.
    pub(super) fn add(&mut self, corner: usize, side: Side, cutting: &mut Cutting) {
        if self.open.len() == 1 {
            self.side = side;
        } else if self.side != side {
            let (last, _) = self.last();
            self.fan_out(corner, cutting);
            self.open.clear();
            self.open.push(last as u32);
            self.side = side;
        } else {
            while let [.., from, to] = self.open[..] {
                let triangle = Cutting::triangle(side, from, to, corner);
                if !cutting.is_proper(triangle) {
                    break;
                }
                cutting.triangles.push(triangle);
                self.open.pop();
            }
        }
        self.open.push(corner as u32);
    }

    /// The last corner of the piece, on both sides: it sees all others.
    pub(super) fn finish(mut self, corner: usize, cutting: &mut Cutting) {
        self.fan_out(corner, cutting);
        self.open.clear();
        cutting.spare.push(self.open);
    }

    fn fan_out(&self, corner: usize, cutting: &mut Cutting) {
        let fan = self.open.windows(2).map(|edge| Cutting::triangle(self.side, edge[0], edge[1], corner));
        cutting.triangles.extend(fan);
    }
}
