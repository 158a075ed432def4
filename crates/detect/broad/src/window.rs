//! Which rows may hold boxes that meet a given one.

use crate::ends::Ends;
use crate::grid::Grid;
use crate::row::Rows;

/// Cells from first to last, both included, in u and v.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    pub(crate) u: [u32; 2],
    pub(crate) v: [u32; 2],
}

impl Window {
    /// The rows of `targets` in `grid` that may hold a box meeting the one with these ends, in the order of the rows' axes.
    ///
    /// Proof, for either axis, with c the cell of a coordinate: boxes that meet have low' ≤ high and low ≤ high', so by
    /// monotony c(low') ≤ c(high) and c(low) ≤ c(high') ≤ c(low') + span. So low' lies in the cells c(low) − span to c(high).
    #[inline(always)]
    pub(crate) fn of(ends: &Ends, grid: &Grid, targets: &Rows) -> Window {
        let first = |k: usize| grid.cell(k, ends.low[k + 1]).saturating_sub(targets.span[k]);
        let last = |k: usize| grid.cell(k, ends.high[k + 1]);
        Window { u: [first(0), last(0)], v: [first(1), last(1)] }
    }

    /// Whether the row at (u, v) belongs to it.
    #[inline(always)]
    pub(crate) fn contains(&self, u: u32, v: u32) -> bool {
        self.u[0] <= u && u <= self.u[1] && self.v[0] <= v && v <= self.v[1]
    }

    /// The smallest window around both.
    pub(crate) fn around(&self, other: &Window) -> Window {
        let both = |a: [u32; 2], b: [u32; 2]| [a[0].min(b[0]), a[1].max(b[1])];
        Window { u: both(self.u, other.u), v: both(self.v, other.v) }
    }
}
