//! Branch and bound over orientations.

#![allow(unsafe_code, reason = "calls functions compiled for instruction sets found at run time")]

use super::candidates::{Candidates, Lists};
use super::cell::{Cell, Corners, rotation};
use super::cost::{CORNERS, cost, slopes, widths};
use crate::bound::Objective;
use kontakt_math::{DMat3, DVec3};
use kontakt_schedule::Deadline;

/// tan(π/8): half the side of the cube of Rodrigues vectors that holds a fundamental domain.
const DOMAIN: f64 = 0.414_213_562_373_095_1;
/// Cells are not split below this half size; what they bound is kept as it is.
const SMALLEST: f64 = 1e-13;
/// Longest lists (all six together) for which bounds are improved by mixing.
const MIXABLE: u32 = 256;
/// Bounds below this share of what is enough are not worth mixing for.
const MIX: f64 = 0.8;

/// What to search and when to stop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task {
    pub(super) objective: Objective,
    /// Where to look.
    pub(super) region: Cell,
    /// Orientations that cost at least (1 − tolerance) times the best found are not looked into.
    pub(super) tolerance: f64,
    /// Most cells to look at.
    pub(super) cells: u64,
    /// Latest end.
    pub(super) deadline: Deadline,
}

/// What a search found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    /// Rodrigues vector of the best orientation seen.
    pub(super) best: DVec3,
    /// Its cost.
    pub(super) cost: f64,
    /// No orientation in the region costs less than this. Minus infinity when the search was cut short.
    pub(super) bound: f64,
    /// Cells looked at.
    pub(super) cells: u64,
}

/// A cell to look at, with the points that matter in it.
struct Open {
    cell: Cell,
    lists: Lists,
    /// The store of candidates as it was when the lists were made.
    mark: usize,
    /// Splits since the lists were narrowed.
    stale: u8,
}

/// All orientations modulo the 24 rotations that map a cube to itself: those only rename a box's axes.
///
/// Each class has a representative with the least angle; these form the truncated cube of Rodrigues vectors with
/// |x|, |y|, |z| ≤ tan(π/8) and |x| + |y| + |z| ≤ 1 (half-way planes to the quarter turns about coordinate axes and
/// to the third turns about space diagonals; those to the half turns lie outside).
pub(super) fn all_orientations() -> Cell {
    Cell { centre: DVec3::ZERO, half: DVec3::splat(DOMAIN + 1e-12) }
}

/// Looks at a region until every orientation in it is either shown to cost at least (1 − tolerance) times the best
/// found, or is within a cell too small to split, whose bound is remembered. Any width bounds come from `points`.
pub(super) fn search(task: &Task, points: &[DVec3], start: (DVec3, f64)) -> Found {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx512f")]
        fn wide(task: &Task, points: &[DVec3], start: (DVec3, f64)) -> Found {
            search_body(task, points, start)
        }
        #[target_feature(enable = "avx2")]
        fn middle(task: &Task, points: &[DVec3], start: (DVec3, f64)) -> Found {
            search_body(task, points, start)
        }
        if is_x86_feature_detected!("avx512f") {
            // SAFETY: the processor has the feature, asked for just now.
            return unsafe { wide(task, points, start) };
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has the feature, asked for just now.
            return unsafe { middle(task, points, start) };
        }
    }
    search_body(task, points, start)
}

#[inline(always)]
fn search_body(task: &Task, points: &[DVec3], start: (DVec3, f64)) -> Found {
    let mut found = Found { best: start.0, cost: start.1, bound: f64::INFINITY, cells: 0 };
    let (mut candidates, lists) = Candidates::new(points);
    let mut open = vec![Open { cell: task.region, lists, mark: candidates.mark(), stale: 3 }];
    while let Some(Open { cell, mut lists, mark, mut stale }) = open.pop() {
        candidates.release(mark);
        if is_beyond(&cell) {
            continue;
        }
        found.cells += 1;
        if found.cells > task.cells || (found.cells.is_multiple_of(1024) && task.deadline.has_passed()) {
            found.bound = f64::NEG_INFINITY;
            return found;
        }
        let axes = rotation(cell.centre);
        let spans = candidates.spans(&lists, &axes);
        let centre = widths(&axes, &spans);
        let here = cost(task.objective, centre);
        if here < found.cost {
            (found.best, found.cost) = (cell.centre, here);
        }
        let enough = found.cost * (1.0 - task.tolerance);
        let corners = Corners::of(&cell);
        let bounds = [
            corners.width_bounds(axes.x_axis, spans[0]),
            corners.width_bounds(axes.y_axis, spans[1]),
            corners.width_bounds(axes.z_axis, spans[2]),
        ];
        let mut bound = corners.bound(task.objective, &bounds, centre);
        if bound >= enough {
            continue;
        }
        if stale >= 3 && corners.square < 0.2 {
            lists = candidates.narrow(&lists, &axes, corners.moves(&axes));
            stale = 0;
        }
        if bound > enough * MIX && lists.len() <= MIXABLE {
            let mix = Mix {
                objective: task.objective,
                axes: &axes,
                corners: &corners,
                centre,
                spans,
                widths: bounds,
            };
            bound = mix.improve(&candidates, &lists, bound, enough);
            if bound >= enough {
                continue;
            }
        }
        if cell.half.max_element() < SMALLEST {
            found.bound = found.bound.min(bound);
            continue;
        }
        let mark = candidates.mark();
        for cell in split(&cell, &axes, spans, centre, slopes(task.objective, centre)) {
            open.push(Open { cell, lists, mark, stale: stale.saturating_add(1) });
        }
    }
    found.bound = found.bound.min(found.cost * (1.0 - task.tolerance));
    found
}

/// A bound in the making: any convex combination of vectors between points of the body is such a vector too, so
/// one may mix in what is best at the worst corner.
struct Mix<'a> {
    objective: Objective,
    axes: &'a DMat3,
    corners: &'a Corners,
    centre: [f64; 3],
    spans: [DVec3; 3],
    widths: [[f64; CORNERS]; 3],
}

impl Mix<'_> {
    /// Raises the bound until it is enough or does not rise any more.
    #[inline(always)]
    fn improve(mut self, candidates: &Candidates, lists: &Lists, mut bound: f64, enough: f64) -> f64 {
        for _ in 0..2 {
            let before = bound;
            for i in 0..3 {
                let u = self.axes.col(i);
                let turned = rotation(self.corners.corner(self.worst_corner())) * u;
                let other = candidates.span(lists, i, turned);
                if other == self.spans[i] {
                    continue;
                }
                for share in [0.5, 0.25, 0.75, 0.1] {
                    let mixed = self.spans[i] + (other - self.spans[i]) * share;
                    let mut widths = self.widths;
                    widths[i] = self.corners.width_bounds(u, mixed);
                    let value = self.corners.bound(self.objective, &widths, self.centre);
                    if value > bound {
                        (bound, self.spans[i], self.widths) = (value, mixed, widths);
                    }
                }
                if bound >= enough {
                    return bound;
                }
            }
            if bound <= before {
                break;
            }
        }
        bound
    }

    /// The corner with the least cost.
    #[inline(always)]
    fn worst_corner(&self) -> usize {
        let mut worst = (f64::INFINITY, 0);
        for k in 0..CORNERS {
            let value = cost(self.objective, [self.widths[0][k], self.widths[1][k], self.widths[2][k]]);
            if value < worst.0 {
                worst = (value, k);
            }
        }
        worst.1
    }
}

/// Whether no vector of the cell is in the octahedron |x| + |y| + |z| ≤ 1 (with room for rounding).
#[inline(always)]
fn is_beyond(cell: &Cell) -> bool {
    (cell.centre.abs() - cell.half).max(DVec3::ZERO).element_sum() > 1.0 + 1e-9
}

/// Two halves, cut across the side along which the bound loses most; the more promising one last.
#[inline(always)]
fn split(cell: &Cell, axes: &DMat3, spans: [DVec3; 3], centre: [f64; 3], slopes: [f64; 3]) -> [Cell; 2] {
    let (mut axis, mut most, mut slope) = (0, f64::NEG_INFINITY, 0.0);
    for k in 0..3 {
        let mut d = DVec3::ZERO;
        d[k] = cell.half[k];
        let rho = (d + cell.centre.cross(d)) / (1.0 + cell.centre.length_squared());
        let (mut loss, mut rise) = (0.0, 0.0);
        for i in 0..3 {
            let u = axes.col(i);
            let first = u.cross(spans[i]).dot(rho);
            let along = u.dot(rho);
            let second = centre[i] * (rho.length_squared() - along * along)
                + 2.0 * (along * rho.dot(spans[i] - u * centre[i])).abs();
            loss += (2.0 * first.abs() + second) * slopes[i];
            rise += first * slopes[i];
        }
        if loss > most {
            (axis, most, slope) = (k, loss, rise);
        }
    }
    let mut half = cell.half;
    half[axis] *= 0.5;
    let child = |side: f64| {
        let mut centre = cell.centre;
        centre[axis] += side * half[axis];
        Cell { centre, half }
    };
    if slope > 0.0 { [child(1.0), child(-1.0)] } else { [child(-1.0), child(1.0)] }
}
