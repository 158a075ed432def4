//! A face cut into convex tiles by everything that meets it.
//!
//! Every trace of another face splits the tiles whose inside it passes through, each along the whole of its line, so tiles stay
//! convex and no trace with a length runs through the inside of one. Corners are crossings of two lines whose ends
//! come from the input, so exact numbers do not grow with the number of cuts.

use super::cells::{Ratio, between};
use super::trace::{View, is_point, rim};
use crate::space::in_view;
use crate::space::{Space, Spot};
use kontakt_answers::Side;
use kontakt_math::{Dyadic, Sign};

/// A face by body and number.
pub(super) type Face = (Side, u32);

/// A line in the plane of the face.
pub(super) struct Line {
    /// Two different points of it.
    pub(super) ends: [Spot; 2],
    /// A coordinate that grows or falls along it.
    pub(super) axis: usize,
    /// Ascending along the axis: where anything that meets the line begins, ends or crosses it.
    breaks: Vec<Spot>,
    /// Faces that cross the plane along a segment of the line, lower end first.
    along: Vec<(Face, [Spot; 2])>,
}

/// A convex part of the face, with its corners in the order of the face's.
pub(super) struct Tile {
    pub(super) corners: Vec<Spot>,
    /// The line of the edge from each corner to the next, and the side of it on which the tile lies.
    pub(super) edges: Vec<(usize, Sign)>,
}

/// A face with an area, cut.
pub(super) struct CutFace {
    pub(super) view: View,
    pub(super) lines: Vec<Line>,
    pub(super) tiles: Vec<Tile>,
    /// Faces in the same plane that come near.
    pub(super) flat: Vec<(Face, [Spot; 3])>,
    /// Points where others touch the plane.
    points: Vec<Spot>,
}

impl CutFace {
    /// Cuts a face by the faces `near` it: all that have a point in common with it, and maybe more. Faces without an area are
    /// passed over; `None` when the face itself is one.
    pub(super) fn new(space: &Space, face: Face, near: &[Face]) -> Option<CutFace> {
        let view = View::new(space, space.corners(face.0, face.1))?;
        let mut cut =
            CutFace { view, lines: Vec::new(), tiles: Vec::new(), flat: Vec::new(), points: Vec::new() };
        let mut marks: Vec<(Face, [Spot; 2], bool)> = Vec::new();
        for &other in near.iter().take_while(|_| space.goes_on()) {
            let corners = space.corners(other.0, other.1);
            if other == face || axis_with_area(space, &corners).is_none() {
                continue;
            }
            let mark = cut.view.mark(space, &corners);
            marks.extend(mark.segments.into_iter().map(|ends| (other, ends, mark.flat)));
            if mark.flat {
                cut.flat.push((other, corners));
            }
        }
        for ends in rim(&cut.view.corners) {
            cut.line(space, &ends);
        }
        let inner = cut.inner(space);
        cut.tiles.push(Tile {
            corners: cut.view.corners.to_vec(),
            edges: vec![(0, inner), (1, inner), (2, inner)],
        });
        for (_, ends, _) in marks.iter().take_while(|_| space.goes_on()) {
            if is_point(space, ends) {
                cut.points.push(ends[0].clone());
            } else if cut.view.passes_inside(space, &ends[0], &ends[1]) {
                let line = cut.line(space, ends);
                cut.split(space, line, ends);
            }
        }
        for line in (0..cut.lines.len()).take_while(|_| space.goes_on()) {
            cut.break_line(space, line, &marks);
        }
        Some(cut)
    }

    /// The side of a line on which a point of the plane is.
    pub(super) fn turn(&self, space: &Space, line: usize, spot: &Spot) -> Sign {
        let [p, q] = &self.lines[line].ends;
        space.turn(self.view.axis, p, q, spot)
    }

    /// The turn of the face's corners.
    pub(super) fn inner(&self, space: &Space) -> Sign {
        let [a, b, c] = &self.view.corners;
        space.turn(self.view.axis, a, b, c)
    }

    /// The line through a segment with a length, entered when new.
    fn line(&mut self, space: &Space, ends: &[Spot; 2]) -> usize {
        let on = |line: &usize| ends.iter().all(|end| self.turn(space, *line, end) == Sign::Zero);
        if let Some(line) = (0..self.lines.len()).find(on) {
            return line;
        }
        let axis = steepest(space, ends.each_ref()).unwrap_or(0);
        self.lines.push(Line { ends: ends.clone(), axis, breaks: Vec::new(), along: Vec::new() });
        self.lines.len() - 1
    }

    /// Splits all tiles whose inside the segment of a line passes through.
    fn split(&mut self, space: &Space, line: usize, segment: &[Spot; 2]) {
        let axis = self.lines[line].axis;
        let [low, high] = ascending(space, axis, segment.each_ref());
        for tile in std::mem::take(&mut self.tiles) {
            let signs: Vec<Sign> = tile.corners.iter().map(|corner| self.turn(space, line, corner)).collect();
            if !(signs.contains(&Sign::Positive) && signs.contains(&Sign::Negative)) {
                self.tiles.push(tile);
                continue;
            }
            let halves =
                [Sign::Positive, Sign::Negative].map(|side| self.half(space, &tile, &signs, line, side));
            // The cut is the edge of either half on the new line.
            let chord = halves[0].edge_on(line).map(|ends| ascending(space, axis, ends.each_ref()));
            let passed = chord.is_some_and(|[from, to]| {
                space.compare(axis, &low, &to).is_lt() && space.compare(axis, &from, &high).is_lt()
            });
            if passed {
                self.tiles.extend(halves);
            } else {
                self.tiles.push(tile);
            }
        }
    }

    /// The part of a tile on one side of a line that passes through its inside.
    fn half(&self, space: &Space, tile: &Tile, signs: &[Sign], line: usize, side: Sign) -> Tile {
        let n = signs.len();
        let mut half = Tile { corners: Vec::with_capacity(n + 1), edges: Vec::with_capacity(n + 1) };
        let mut push = |corner: Spot, edge: (usize, Sign)| {
            half.corners.push(corner);
            half.edges.push(edge);
        };
        for i in 0..n {
            let (before, here, next) = (signs[(i + n - 1) % n], signs[i], signs[(i + 1) % n]);
            if here == side || (here == Sign::Zero && next == side) {
                push(tile.corners[i].clone(), tile.edges[i]);
            } else if here == Sign::Zero && before == side {
                push(tile.corners[i].clone(), (line, side));
            }
            if here.times(next) == Sign::Negative {
                let leaving = if here == side { (line, side) } else { tile.edges[i] };
                push(self.crossing(space, line, &self.lines[tile.edges[i].0].ends), leaving);
            }
        }
        half
    }

    /// Where a line meets the line through two points that are not both on it.
    fn crossing(&self, space: &Space, line: usize, [r, u]: &[Spot; 2]) -> Spot {
        let [p, q] = &self.lines[line].ends;
        let axis = self.view.axis;
        let (beyond, before) = (space.turn_value(axis, p, q, u), space.turn_value(axis, p, q, r));
        let (from, to) = (space.exact(r), space.exact(u));
        Spot::made(std::array::from_fn(|i| &(&beyond * &from[i]) - &(&before * &to[i])))
    }

    fn break_line(&mut self, space: &Space, line: usize, marks: &[(Face, [Spot; 2], bool)]) {
        let axis = self.lines[line].axis;
        let (mut breaks, mut along) = (Vec::new(), Vec::new());
        for (face, ends, flat) in marks {
            let sides = [0, 1].map(|k: usize| self.turn(space, line, &ends[k]));
            if sides[0].times(sides[1]) == Sign::Negative {
                breaks.push(self.crossing(space, line, ends));
                continue;
            }
            breaks.extend((0..2).filter(|&k| sides[k] == Sign::Zero).map(|k| ends[k].clone()));
            if sides == [Sign::Zero; 2] && !flat {
                along.push((*face, ascending(space, axis, ends.each_ref())));
            }
        }
        breaks.sort_by(|p, q| space.compare(axis, p, q));
        breaks.dedup_by(|p, q| space.compare(axis, p, q).is_eq());
        self.lines[line].breaks = breaks;
        self.lines[line].along = along;
    }

    /// A point in every part of an edge of a tile between two breaks.
    pub(super) fn edge_samples(&self, space: &Space, tile: &Tile, edge: usize) -> Vec<Spot> {
        let line = &self.lines[tile.edges[edge].0];
        let ends = [tile.corners[edge].clone(), tile.corners[(edge + 1) % tile.corners.len()].clone()];
        let [low, high] = ascending(space, line.axis, ends.each_ref());
        let inside = |spot: &&Spot| {
            space.compare(line.axis, &low, spot).is_lt() && space.compare(line.axis, spot, &high).is_lt()
        };
        let mut stops = vec![&low];
        stops.extend(line.breaks.iter().filter(inside));
        stops.push(&high);
        stops.windows(2).map(|w| line.at(space, &between(space, line.axis, w[0], w[1]).value)).collect()
    }

    /// The faces, this one left out, that contain the part of a line about a point that is no break of it.
    pub(super) fn faces_at(&self, space: &Space, line: usize, spot: &Spot) -> Vec<Face> {
        let Line { axis, along, .. } = &self.lines[line];
        let crossing = along.iter().filter(|(_, [low, high])| {
            space.compare(*axis, low, spot).is_lt() && space.compare(*axis, spot, high).is_lt()
        });
        let mut faces: Vec<Face> = crossing.map(|entry| entry.0).collect();
        let covers = |entry: &&(Face, [Spot; 3])| in_view(space, self.view.axis, spot, &entry.1);
        faces.extend(self.flat.iter().filter(covers).map(|entry| entry.0));
        faces
    }

    /// A point strictly inside a tile where no face touches the plane from one side.
    pub(super) fn inner_point(&self, space: &Space, tile: &Tile) -> Spot {
        let free =
            |spot: &Spot| self.points.iter().all(|p| !(0..3).all(|k| space.compare(k, p, spot).is_eq()));
        if let Some(spot) = self.short_point(space, tile).filter(free) {
            return spot;
        }
        // The means with different weights differ, so one of them is none of the points.
        let mut weight = 1.0;
        loop {
            let spot = mean(space, &tile.corners, weight);
            if free(&spot) {
                return spot;
            }
            weight += 1.0;
        }
    }

    /// A point inside a tile with short coordinates, where rounding allows.
    fn short_point(&self, space: &Space, tile: &Tile) -> Option<Spot> {
        let middle = |k: usize| {
            let at = |i: usize| tile.corners[i].rounded().0[k];
            (at(0) + at(1) + at(2)) / 3.0
        };
        let (x, y) = (middle((self.view.axis + 1) % 3), middle((self.view.axis + 2) % 3));
        let whole = |x: f64| Some([Dyadic::new(x)?, Dyadic::new(1.0)?]);
        let spot = self.view.lift(&whole(x)?, &whole(y)?);
        let inner = self.inner(space);
        let n = tile.corners.len();
        let inside = |i: usize| {
            space.turn(self.view.axis, &tile.corners[i], &tile.corners[(i + 1) % n], &spot) == inner
        };
        (0..n).all(inside).then_some(spot)
    }

    /// Whether a point of the plane is in a closed tile.
    pub(super) fn contains(&self, space: &Space, tile: &Tile, spot: &Spot) -> bool {
        tile.edges.iter().all(|&(line, inner)| self.turn(space, line, spot).times(inner) != Sign::Negative)
    }
}

impl Line {
    /// The point with the coordinate x along the axis: p·(q−x) + q·(x−p), in homogeneous coordinates.
    fn at(&self, space: &Space, x: &Ratio) -> Spot {
        let [p, q] = [0, 1].map(|k: usize| space.exact(&self.ends[k]));
        let k = self.axis;
        let to = &(&q[k] * &x[1]) - &(&x[0] * &q[3]);
        let from = &(&x[0] * &p[3]) - &(&p[k] * &x[1]);
        Spot::made(std::array::from_fn(|i| &(&p[i] * &to) + &(&q[i] * &from)))
    }
}

impl Tile {
    fn edge_on(&self, line: usize) -> Option<[Spot; 2]> {
        let edge = self.edges.iter().position(|edge| edge.0 == line)?;
        Some([self.corners[edge].clone(), self.corners[(edge + 1) % self.corners.len()].clone()])
    }
}

/// An axis along which a triangle is seen with an area; `None` when it has none.
pub(super) fn axis_with_area(space: &Space, [a, b, c]: &[Spot; 3]) -> Option<usize> {
    (0..3).find(|&axis| space.turn(axis, a, b, c) != Sign::Zero)
}

/// Two points in their order along an axis.
pub(super) fn ascending(space: &Space, axis: usize, [p, q]: [&Spot; 2]) -> [Spot; 2] {
    let [p, q] = [p.clone(), q.clone()];
    if space.compare(axis, &p, &q).is_gt() { [q, p] } else { [p, q] }
}

/// The coordinate in which the ends differ most, or at all; `None` when they are one point.
pub(super) fn steepest(space: &Space, ends: [&Spot; 2]) -> Option<usize> {
    let rough = (ends[1].rounded().0 - ends[0].rounded().0).abs();
    let mut axes = [0, 1, 2];
    axes.sort_by(|&i, &j| rough[j].total_cmp(&rough[i]));
    axes.into_iter().find(|&k| !space.compare(k, ends[0], ends[1]).is_eq())
}

/// The mean of three corners, the third weighted.
fn mean(space: &Space, corners: &[Spot], weight: f64) -> Spot {
    let [p, q, r] = [0, 1, 2].map(|k: usize| space.exact(&corners[k]));
    let weight = crate::space::exact(weight);
    let factors = [&q[3] * &r[3], &p[3] * &r[3], &(&p[3] * &q[3]) * &weight];
    Spot::made(std::array::from_fn(|i| {
        &(&(&p[i] * &factors[0]) + &(&q[i] * &factors[1])) + &(&r[i] * &factors[2])
    }))
}
