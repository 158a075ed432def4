//! One point in every cell into which traces cut a face.
//!
//! The view of the face is cut into vertical slabs at every end and crossing of a segment, so that in a slab the segments do
//! not cross and are ordered from below to above. Each open cell of the face has a range of x, so some slab's middle line
//! meets it, between two neighbouring segments there: a point between each two neighbours meets every cell. Neighbours that
//! were neighbours in the slab before bound the same cell (the strip between them goes on through the slabs' common
//! border, unless a vertical segment lies on it) and are passed over.

use super::trace::{Trace, View};
use crate::space::{Space, Spot};
use kontakt_math::{Dyadic, Interval, Sign};
use std::cmp::Ordering;
use std::collections::HashSet;

/// A number as numerator and positive denominator.
pub(super) type Ratio = [Dyadic; 2];

/// Calls `take` with at least one point strictly inside each cell of the face, none of them on a trace, until it answers
/// false.
pub(crate) fn sample(space: &Space, view: &View, traces: &[Trace], mut take: impl FnMut(Spot) -> bool) {
    let slabs = Slabs::new(space, view, traces);
    let mut active: Vec<usize> = Vec::new();
    let mut before: HashSet<(usize, usize)> = HashSet::new();
    for slab in 0..slabs.borders.len().saturating_sub(1) {
        if !space.goes_on() {
            return;
        }
        active.retain(|&line| slabs.lines[line].last > slab);
        active.extend_from_slice(&slabs.starting[slab]);
        if slabs.walled[slab] {
            before.clear();
        }
        let x = between(space, slabs.across, &slabs.borders[slab], &slabs.borders[slab + 1]);
        let order = slabs.order(&active, &x);
        let mut strips = HashSet::with_capacity(order.len());
        for pair in order.windows(2) {
            let strip = (pair[0].line, pair[1].line);
            strips.insert(strip);
            if before.contains(&strip) {
                continue;
            }
            let y = slabs.middle(&pair[0], &pair[1], &x);
            if !take(view.lift(&x.value, &y)) {
                return;
            }
            if traces.is_empty() {
                return;
            }
        }
        before = strips;
    }
}

/// A segment that is not vertical, from left to right.
struct Line<'a> {
    ends: [&'a Spot; 2],
    /// First and last border it reaches.
    first: usize,
    last: usize,
    /// Whether it is an edge of the face.
    rim: bool,
}

struct Slabs<'a> {
    space: &'a Space<'a>,
    /// Axes of A's frame that are x and y of the view.
    across: usize,
    up: usize,
    /// Ascending, all different in x.
    borders: Vec<Spot>,
    /// Whether a vertical segment lies on a border.
    walled: Vec<bool>,
    lines: Vec<Line<'a>>,
    /// The lines that start at each border.
    starting: Vec<Vec<usize>>,
}

/// A place strictly between two borders.
pub(super) struct Place {
    pub(super) value: Ratio,
    near: Interval,
}

/// Where a line is above a place.
struct Level {
    line: usize,
    near: Interval,
}

impl<'a> Slabs<'a> {
    fn new(space: &'a Space<'a>, view: &'a View, traces: &'a [Trace]) -> Slabs<'a> {
        let (across, up) = ((view.axis + 1) % 3, (view.axis + 2) % 3);
        let [a, b, c] = &view.corners;
        let mut segments: Vec<[&Spot; 2]> = vec![[a, b], [b, c], [c, a]];
        segments.extend(traces.iter().map(|trace| [&trace.ends[0], &trace.ends[1]]));
        for ends in &mut segments {
            if space.compare(across, ends[0], ends[1]).is_gt() {
                ends.swap(0, 1);
            }
        }
        let by_x = |p: &&Spot, q: &&Spot| space.compare(across, p, q);
        let left = [a, b, c].into_iter().min_by(by_x).unwrap_or(a);
        let right = [a, b, c].into_iter().max_by(by_x).unwrap_or(a);
        let mut borders: Vec<Spot> = segments.iter().flatten().map(|&spot| spot.clone()).collect();
        crossings(space, view.axis, &segments, &mut borders);
        borders.retain(|spot| {
            space.compare(across, spot, left).is_ge() && space.compare(across, spot, right).is_le()
        });
        borders.sort_by(|p, q| space.compare(across, p, q));
        borders.dedup_by(|p, q| space.compare(across, p, q).is_eq());
        let mut slabs = Slabs {
            space,
            across,
            up,
            walled: vec![false; borders.len()],
            starting: vec![Vec::new(); borders.len()],
            borders,
            lines: Vec::with_capacity(segments.len()),
        };
        for (k, ends) in segments.into_iter().enumerate() {
            slabs.enter(ends, k < 3);
        }
        slabs
    }

    fn enter(&mut self, ends: [&'a Spot; 2], rim: bool) {
        let rank =
            |spot: &Spot| self.borders.partition_point(|x| self.space.compare(self.across, x, spot).is_lt());
        // Ends left of the face rank 0, ends right of it rank past the last border.
        let (first, last) = (rank(ends[0]), rank(ends[1]));
        if self.space.compare(self.across, ends[0], ends[1]).is_eq() {
            if let Some(wall) = self.walled.get_mut(first) {
                *wall = true;
            }
            return;
        }
        if let Some(starting) = self.starting.get_mut(first) {
            starting.push(self.lines.len());
        }
        self.lines.push(Line { ends, first, last, rim });
    }

    /// The active lines from below to above at `x`, from one edge of the face to the other; lines at the same height are
    /// one, named by the first of them.
    fn order(&self, active: &[usize], x: &Place) -> Vec<Level> {
        let mut levels: Vec<Level> =
            active.iter().map(|&line| Level { line, near: self.near_height(line, x.near) }).collect();
        debug_assert!(active.iter().all(|&line| self.lines[line].first < self.lines[line].last));
        levels.sort_by(|p, q| self.compare(p, q, x).then(p.line.cmp(&q.line)));
        let rim = |level: &Level| self.lines[level.line].rim;
        let (Some(low), Some(high)) = (levels.iter().position(rim), levels.iter().rposition(rim)) else {
            return Vec::new();
        };
        // Lines at the height of the rim itself may stand before the lower rim or after the upper one; the merge below
        // keeps the rim's height in any case.
        let mut order: Vec<Level> = levels.drain(low..=high).collect();
        order.dedup_by(|p, q| self.compare(p, q, x).is_eq());
        order
    }

    fn compare(&self, p: &Level, q: &Level, x: &Place) -> Ordering {
        if p.line == q.line {
            return Ordering::Equal;
        }
        if p.near.hi() < q.near.lo() {
            return Ordering::Less;
        }
        if p.near.lo() > q.near.hi() {
            return Ordering::Greater;
        }
        let (p, q) = (self.height(p.line, &x.value), self.height(q.line, &x.value));
        (&p[0] * &q[1]).cmp(&(&q[0] * &p[1]))
    }

    /// A range around the height of a line.
    fn near_height(&self, line: usize, x: Interval) -> Interval {
        let [p, q] = self.lines[line].ends;
        let (from, to) = (p.along(self.across), q.along(self.across));
        let (low, high) = (p.along(self.up), q.along(self.up));
        low + (x - from) * (high - low) / (to - from)
    }

    /// The exact height: with the line a·x + b·y + c = 0 through p and q, y = −(a·x + c)/b, and b > 0 since p is left of q.
    fn height(&self, line: usize, x: &Ratio) -> Ratio {
        let (i, j) = (self.across, self.up);
        let [p, q] = self.lines[line].ends.map(|spot| self.space.exact(spot));
        let a = &(&p[j] * &q[3]) - &(&p[3] * &q[j]);
        let b = &(&p[3] * &q[i]) - &(&p[i] * &q[3]);
        let c = &(&p[i] * &q[j]) - &(&p[j] * &q[i]);
        [-(&(&a * &x[0]) + &(&c * &x[1])), &b * &x[1]]
    }

    /// A height strictly between two levels.
    fn middle(&self, low: &Level, high: &Level, x: &Place) -> Ratio {
        if let Some(y) = short_between(low.near.hi(), high.near.lo()) {
            return whole(y);
        }
        let (p, q) = (self.height(low.line, &x.value), self.height(high.line, &x.value));
        mean(&p, &q)
    }
}

/// All points where two segments cross at inner points of both.
fn crossings(space: &Space, axis: usize, segments: &[[&Spot; 2]], into: &mut Vec<Spot>) {
    let (across, up) = ((axis + 1) % 3, (axis + 2) % 3);
    let range = |ends: &[&Spot; 2], k: usize| ends[0].along(k).hull(ends[1].along(k));
    let mut order: Vec<usize> = (0..segments.len()).collect();
    order.sort_by(|&s, &t| range(&segments[s], across).lo().total_cmp(&range(&segments[t], across).lo()));
    for (k, &s) in order.iter().enumerate() {
        let [p, q] = segments[s];
        let (wide, tall) = (range(&segments[s], across), range(&segments[s], up));
        for &t in &order[k + 1..] {
            let [r, u] = segments[t];
            if !space.goes_on() {
                return;
            }
            if range(&segments[t], across).lo() > wide.hi() {
                break;
            }
            if tall.intersect(range(&segments[t], up)).is_empty() {
                continue;
            }
            let opposite = |v: &Spot, w: &Spot, x: &Spot, y: &Spot| {
                space.turn(axis, v, w, x).times(space.turn(axis, v, w, y)) == Sign::Negative
            };
            if opposite(p, q, r, u) && opposite(r, u, p, q) {
                let (beyond, before) = (space.turn_value(axis, p, q, u), space.turn_value(axis, p, q, r));
                let (from, to) = (space.exact(r), space.exact(u));
                into.push(Spot::made(std::array::from_fn(|i| &(&beyond * &from[i]) - &(&before * &to[i]))));
            }
        }
    }
}

/// A place strictly between two points along an axis, the first being lower.
pub(super) fn between(space: &Space, axis: usize, low: &Spot, high: &Spot) -> Place {
    if let Some(x) = short_between(low.along(axis).hi(), high.along(axis).lo()) {
        return Place { value: whole(x), near: Interval::point(x) };
    }
    let (p, q) = (space.exact(low), space.exact(high));
    let value = mean(&[p[axis].clone(), p[3].clone()], &[q[axis].clone(), q[3].clone()]);
    Place { near: low.along(axis).hull(high.along(axis)), value }
}

fn whole(x: f64) -> Ratio {
    [crate::space::exact(x), crate::space::exact(1.0)]
}

/// (p + q)/2
fn mean(p: &Ratio, q: &Ratio) -> Ratio {
    let weight = &p[1] * &q[1];
    [&(&p[0] * &q[1]) + &(&q[0] * &p[1]), &weight + &weight]
}

/// A double strictly between two, with few bits so that exact numbers made from it stay short; `None` when there is none.
fn short_between(low: f64, high: f64) -> Option<f64> {
    let inside = |x: &f64| low < *x && *x < high;
    let middle = low * 0.5 + high * 0.5;
    let step = f64::powi(2.0, (high - low).abs().log2().floor().clamp(-1000.0, 1000.0) as i32 - 1);
    let rounded = (middle / step).round() * step;
    Some(rounded).filter(inside).or(Some(middle).filter(inside))
}
